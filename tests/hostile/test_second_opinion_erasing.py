"""A second opinion on erasing: names of common words, other spellings, and all that stays."""

import base64
import quopri
from collections.abc import Iterator
from email.message import EmailMessage
from pathlib import Path

import pytest

from pbem.maintenance import fsck
from pbem.people import erasing, persons
from pbem.people.redacting import redacted
from pbem.people.traces import Traces
from pbem.storage import Player
from tests.harness import House, Person, duel, open_house
from tests.players import address_of, letter, parsed, plain, words

KIND = "My lamp burnt low over the river"
NAME = "Quillon Trebuchet"


@pytest.fixture
def house(tmp_path: Path) -> Iterator[House]:
    news = {"when": "", "new_players": True, "feed": "news.xml"}
    with open_house(tmp_path, newsletter=news, moderator=address_of("Mona")) as opened:
        yield opened


def joins(house: House, name: str) -> Person:
    """Join Eve under a name."""
    eve = house.person("Eve")
    eve.write(f"JOIN {name}")
    [asked] = eve.new()
    assert "Welcome" in eve.ask("Yes.", asked)["Subject"]
    return eve


def leaves(house: House) -> Player:
    """Erase Eve, who is the third to have joined."""
    with house.store.transaction():
        erasing.erase(house.store, house.store.players.get(3))
    return house.store.players.get(3)


def of(house: House, player: int) -> dict[int, bytes]:
    return {row.id: row.content for row in house.store.letters.all(player=player)}


@pytest.mark.parametrize(
    "name", ["Best Wishes", "Kind Regards", "Old Bicycle", "my grandmother", "Thursday"]
)
def test_hostile_erasing_a_name_that_others_use_takes_no_letter(house: House, name: str) -> None:
    _, bob = duel(house)
    bob.ask(f"STATUS\n\n{name},\nBob")
    house.later(1)
    joins(house, name)
    bob.ask(f"TELL Hawk\n{KIND}.\n{name},\nBob")
    house.work()
    before, sent = of(house, 2), len([1 for row in house.store.outbox.all(player=2) if row.content])
    leaves(house)
    assert of(house, 2) == before
    assert len([1 for row in house.store.outbox.all(player=2) if row.content]) == sent


def test_hostile_erasing_a_name_takes_the_name_out_of_others_letters_alone(house: House) -> None:
    ann, bob = duel(house)
    joins(house, NAME)
    bob.ask(f"TELL Hawk\n{KIND}, as {NAME} knows.")
    house.work()
    count = len(of(house, 2))
    leaves(house)
    left = [plain(parsed(one)) for one in of(house, 2).values() if one]
    assert len(left) == count
    assert any(KIND in one and "Former player 3" in one for one in left)
    assert not any(NAME in one for one in left)
    assert list(fsck.check(house.store)) == []
    assert "Hawk" in words(ann.ask("STATUS"))


def test_hostile_erasing_others_letters_lose_a_name_in_every_encoding() -> None:
    traces = Traces(NAME, ["eve@x.example"])
    told = f"{KIND}; {NAME.upper()} said so, Zoë: eve@x.example."
    body = told.encode()
    written = letter("Bob", told, 1, subject=f"Zoë and {NAME}")
    written.add_alternative(f"<p>{told}</p>", subtype="html", cte="base64")
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


def test_hostile_erasing_leaves_a_newsletter_s_other_words(house: House) -> None:
    _, bob = duel(house)
    joins(house, NAME)
    bob.ask(f"EDITORIAL\n{KIND}. So says {NAME}.")
    house.rule("PRINT 1")
    house.service.ports.newsletter.want()
    house.work()
    feed = house.settings.home / "news.xml"
    assert NAME in feed.read_text()
    leaves(house)
    house.work()
    [issue] = house.store.printed.latest(1)
    assert KIND in issue.page
    assert NAME not in issue.page
    house.later(1)
    house.work()
    assert NAME not in feed.read_text()
    assert KIND in feed.read_text()


def test_hostile_erasing_takes_letters_from_other_spellings_of_one_s_mailbox(house: House) -> None:
    duel(house)
    joins(house, NAME)
    written = letter("Eve", f"JOIN Other Name\n{KIND}", 77)
    del written["From"]
    written["From"] = "Eve <eve+tag@league.example>"
    house.drop(written.as_bytes())
    house.work()
    assert any(KIND.encode() in row.content for row in house.store.letters.each())
    leaves(house)
    assert not any(KIND.encode() in row.content for row in house.store.letters.each())
    assert not any("eve" in row.recipient for row in house.store.outbox.each())


def test_hostile_erasing_takes_traces_out_of_errors_and_reasons(house: House) -> None:
    _, bob = duel(house)
    joins(house, NAME)
    bob.ask("STATUS")
    number = max(of(house, 2))
    error = f"RulesError: no seat for {NAME} <{address_of('Eve')}>"
    house.store.letters.change(number, error=error, reason=f"a letter to {NAME}")
    leaves(house)
    row = house.store.letters.get(number)
    assert row.error == "RulesError: no seat for Former player 3 <Former player 3>"
    assert row.reason == "a letter to Former player 3"


def test_hostile_erasing_in_a_battle_leaves_the_others_theirs(house: House) -> None:
    ann, bob = duel(house)
    bob.reply(f"STANDING\nELSE: SCAN\nEND\n{KIND}.", bob.last_about("G1-"))
    house.work()
    kept, stories = of(house, 2), house.store.stories.count(player=2)
    ann.reply("LEAVE LEAGUE", ann.ask("LEAVE LEAGUE"))
    house.work()
    assert house.store.players.get(1).mail == erasing.GONE
    assert not house.game.running
    left = of(house, 2)
    for number, was in kept.items():
        now, then = (
            " ".join(plain(parsed(one)).replace(">", "").split()) for one in (left[number], was)
        )
        assert now == then.replace("Ann Example", "Former player 1")
    assert house.store.stories.count(player=2) == stories == 1
    assert any("Hawk" in words(one) for one in bob.new())
    persons.clean(house.store, house.settings.privacy, house.now)
    assert list(fsck.check(house.store)) == []


def test_hostile_erasing_redacts_no_letter_that_names_nobody() -> None:
    written = EmailMessage()
    written["From"], written["Subject"] = "bob@x.example", "Best of all"
    written.set_content(KIND)
    raw = written.as_bytes()
    assert redacted(raw, Traces(NAME, ["eve@x.example"]), "nobody") == raw


def test_hostile_erasing_is_not_stopped_by_a_letter_of_many_parts(house: House) -> None:
    _, bob = duel(house)
    joins(house, NAME)
    nested = b"".join(
        b"Content-Type: multipart/mixed; boundary=b%d\n\n--b%d\n" % (n, n) for n in range(3000)
    )
    head = f"From: {bob.address}\nSubject: {NAME}\nMessage-ID: <nested@home.example>\n"
    assert redacted(head.encode() + nested, Traces(NAME, []), "nobody") == b""
    house.drop(head.encode() + nested)
    house.work()
    assert leaves(house).mail == erasing.GONE
    assert not any(
        NAME.encode() in row.content for row in house.store.letters.all(state="answered")
    )
