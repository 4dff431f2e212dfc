"""Erasing a person with a name of common words, or other spellings; and all that stays."""

import base64
import quopri
from email.message import EmailMessage

import pytest

from pbem.maintenance import fsck
from pbem.people import erasing, persons
from pbem.people.personal_identifiers import Traces
from pbem.people.redacting import redacted
from pbem.storage import Player
from tests.support.harness import League, Person, duel
from tests.support.players import address_of, letter, parsed, plain, words

KIND = "My lamp burnt low over the river"
NAME = "Quillon Trebuchet"


pytestmark = pytest.mark.league(
    newsletter={"when": "", "new_players": True, "feed": "news.xml"}, moderator=address_of("Mona")
)


def joins(league: League, name: str) -> Person:
    """Join Eve under a name."""
    eve = league.person("Eve")
    eve.write(f"JOIN {name}")
    [asked] = eve.new()
    assert "Welcome" in eve.ask("Yes.", asked)["Subject"]
    return eve


def leaves(league: League) -> Player:
    """Erase Eve, who is the third to have joined."""
    with league.store.transaction():
        erasing.erase(league.store, league.store.players.get(3))
    return league.store.players.get(3)


def of(league: League, player: int) -> dict[int, bytes]:
    return {row.id: row.content for row in league.store.letters.all(player=player)}


@pytest.mark.parametrize(
    "name", ["Best Wishes", "Kind Regards", "Old Bicycle", "my grandmother", "Thursday"]
)
def test_hostile_erasing_a_name_that_others_use_takes_no_letter(league: League, name: str) -> None:
    _, bob = duel(league)
    bob.ask(f"STATUS\n\n{name},\nBob")
    league.later(1)
    joins(league, name)
    bob.ask(f"TELL Hawk\n{KIND}.\n{name},\nBob")
    league.work()
    before, sent = (
        of(league, 2),
        len([1 for row in league.store.outbox.all(player=2) if row.content]),
    )
    leaves(league)
    assert of(league, 2) == before
    assert len([1 for row in league.store.outbox.all(player=2) if row.content]) == sent


def test_hostile_erasing_a_name_takes_the_name_out_of_others_letters_alone(league: League) -> None:
    ann, bob = duel(league)
    joins(league, NAME)
    bob.ask(f"TELL Hawk\n{KIND}, as {NAME} knows.")
    league.work()
    count = len(of(league, 2))
    leaves(league)
    left = [plain(parsed(one)) for one in of(league, 2).values() if one]
    assert len(left) == count
    assert any(KIND in one and "Former player 3" in one for one in left)
    assert not any(NAME in one for one in left)
    assert list(fsck.check(league.store)) == []
    assert "Hawk" in words(ann.ask("STATUS"))


def test_hostile_erasing_others_letters_lose_a_name_in_every_encoding() -> None:
    traces = Traces(NAME, ["eve@x.example"])
    expected = f"{KIND}; {NAME.upper()} said so, Zoë: eve@x.example."
    body = expected.encode()
    written = letter("Bob", expected, 1, subject=f"Zoë and {NAME}")
    written.add_alternative(f"<p>{expected}</p>", subtype="html", cte="base64")
    head = b"From: bob@x.example\nSubject: =?utf-8?B?" + base64.b64encode(body[:40]) + b"?=\n"
    head += b"MIME-Version: 1.0\nContent-Type: text/plain; charset=utf-8\n"
    for raw in (
        written.as_bytes(),
        head + b"Content-Transfer-Encoding: base64\n\n" + base64.encodebytes(body),
        head + b"Content-Transfer-Encoding: quoted-printable\n\n" + quopri.encodestring(body),
        head + b"Content-Transfer-Encoding: 8bit\n\n" + body,
    ):
        clean = redacted(raw, traces, "Former player 3")
        read = parsed(clean)
        texts = [str(part.get_content()) for part in read.walk() if not part.is_multipart()]
        assert KIND in "".join(texts)
        for text in (*texts, str(read["Subject"]), clean.decode("utf-8", "replace")):
            assert NAME.casefold() not in text.casefold()
            assert "eve@x.example" not in text
        assert str(read["From"]) == str(parsed(raw)["From"])


def test_hostile_erasing_leaves_a_newsletter_s_other_words(league: League) -> None:
    _, bob = duel(league)
    joins(league, NAME)
    bob.ask(f"EDITORIAL\n{KIND}. So says {NAME}.")
    league.rule("PRINT 1")
    league.service.ports.newsletter.want()
    league.work()
    feed = league.settings.home / "news.xml"
    assert NAME in feed.read_text()
    leaves(league)
    league.work()
    [issue] = league.store.issues.latest(1)
    assert KIND in issue.page
    assert NAME not in issue.page
    league.later(1)
    league.work()
    assert NAME not in feed.read_text()
    assert KIND in feed.read_text()


def test_hostile_erasing_takes_letters_from_other_spellings_of_one_s_mailbox(
    league: League,
) -> None:
    duel(league)
    joins(league, NAME)
    written = letter("Eve", f"JOIN Other Name\n{KIND}", 77)
    del written["From"]
    written["From"] = "Eve <eve+tag@league.example>"
    league.drop(written.as_bytes())
    league.work()
    assert any(KIND.encode() in row.content for row in league.store.letters.each())
    leaves(league)
    assert not any(KIND.encode() in row.content for row in league.store.letters.each())
    assert not any("eve" in row.recipient for row in league.store.outbox.each())


def test_hostile_erasing_takes_traces_out_of_errors_and_reasons(league: League) -> None:
    _, bob = duel(league)
    joins(league, NAME)
    bob.ask("STATUS")
    number = max(of(league, 2))
    error = f"RulesError: no seat for {NAME} <{address_of('Eve')}>"
    league.store.letters.change(number, error=error, reason=f"a letter to {NAME}")
    leaves(league)
    row = league.store.letters.get(number)
    assert row.error == "RulesError: no seat for Former player 3 <Former player 3>"
    assert row.reason == "a letter to Former player 3"


def test_hostile_erasing_in_a_battle_leaves_the_others_theirs(league: League) -> None:
    ann, bob = duel(league)
    bob.reply(f"STANDING\nELSE: SCAN\nEND\n{KIND}.", bob.last_about("G1-"))
    league.work()
    kept, stories = of(league, 2), league.store.stories.count(player=2)
    ann.reply("LEAVE LEAGUE", ann.ask("LEAVE LEAGUE"))
    league.work()
    assert league.store.players.get(1).mail == erasing.GONE
    assert not league.game.running
    left = of(league, 2)
    for number, was in kept.items():
        now, then = (
            " ".join(plain(parsed(one)).replace(">", "").split()) for one in (left[number], was)
        )
        assert now == then.replace("Ann Example", "Former player 1")
    assert league.store.stories.count(player=2) == stories == 1
    assert any("Hawk" in words(one) for one in bob.new())
    persons.clean(league.store, league.settings.privacy, league.now)
    assert list(fsck.check(league.store)) == []


def test_hostile_erasing_redacts_no_letter_that_names_nobody() -> None:
    written = EmailMessage()
    written["From"], written["Subject"] = "bob@x.example", "Best of all"
    written.set_content(KIND)
    raw = written.as_bytes()
    assert redacted(raw, Traces(NAME, ["eve@x.example"]), "nobody") == raw


def test_hostile_erasing_is_not_stopped_by_a_letter_of_many_parts(league: League) -> None:
    _, bob = duel(league)
    joins(league, NAME)
    nested = b"".join(
        b"Content-Type: multipart/mixed; boundary=b%d\n\n--b%d\n" % (n, n) for n in range(3000)
    )
    head = f"From: {bob.address}\nSubject: {NAME}\nMessage-ID: <nested@home.example>\n"
    assert redacted(head.encode() + nested, Traces(NAME, []), "nobody") == b""
    league.drop(head.encode() + nested)
    league.work()
    assert leaves(league).mail == erasing.GONE
    assert not any(
        NAME.encode() in row.content for row in league.store.letters.all(state="answered")
    )
