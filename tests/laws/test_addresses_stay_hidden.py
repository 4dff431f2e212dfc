"""A law of privacy: no letter holds another's address, unless its reader has typed it."""

from pathlib import Path
from tempfile import TemporaryDirectory

from hypothesis import given, settings
from hypothesis import strategies as st

from tests.support.harness import League, duel, open_league
from tests.support.players import STANDING, parsed

NAMES = ("Ann", "Bob", "Cat")
ACTS = (
    "TELL {pilot}\nHello there.\n-- \n{me} <{me}@league.example>",
    "PRESS\nHello all.",
    "STATUS",
    "SHEET {pilot}",
    "WATCH 1",
    "HISTORY 1",
    "REPORT 1",
    "DRAW 1",
    "MAIL digest",
    "ADDRESS {you}@league.example",
    "ADDRESS new-{me}@league.example",
    "BLOCK {pilot}",
    "BLOCK",
    "NOMINATE {pilot} IN 1\nBravely done.",
    "CHALLENGE {pilot}",
    "RESIGN {pilot}",
    "LEAVE LEAGUE",
    f"{STANDING}\nSTORY\nThe dark is deep.",
)
acts = st.lists(
    st.tuples(
        st.sampled_from(NAMES),
        st.sampled_from(ACTS),
        st.sampled_from(NAMES),
        st.sampled_from(("Hawk", "Kestrel")),
    ),
    min_size=4,
    max_size=8,
)


@given(acts)
@settings(max_examples=3, deadline=None)
def test_no_letter_holds_another_players_address(written: list[tuple[str, str, str, str]]) -> None:
    with TemporaryDirectory() as folder, open_league(Path(folder)) as league:
        cat = league.person("Cat")
        cat.join()
        people = dict(zip(NAMES, (*duel(league), cat), strict=True))
        for me, act, you, pilot in written:
            text = act.format(me=me.lower(), you=you.lower(), pilot=pilot)
            people[me].reply(text, people[me].letters[-1])
            league.work()
        league.later(100)
        league.work()
        typed = {(me.lower(), you.lower()) for me, act, you, _ in written if "{you}" in act}
        assert strange_addresses(league) <= typed


def strange_addresses(league: League) -> set[tuple[str, str]]:
    """Return each letter's reader with every other person's address in it."""
    found = set()
    for to, raw in league.post.letters:
        reader, text = to.removeprefix("new-").partition("@")[0], whole(raw)
        others = {name.lower() for name in NAMES} - {reader}
        found |= {(reader, other) for other in others if f"{other}@league.example" in text}
    return found


def whole(raw: bytes) -> str:
    """Return a letter's header and all its parts as one text in small letters."""
    letter = parsed(raw)
    header = " ".join(f"{key}: {value}" for key, value in letter.items())
    bodies = (
        part.get_payload(decode=True) or b"" for part in letter.walk() if not part.is_multipart()
    )
    text = b" ".join(body for body in bodies if isinstance(body, bytes)).decode("utf-8", "replace")
    return " ".join(f"{header} {text}".lower().split())
