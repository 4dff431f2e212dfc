"""What the writer of a letter is told when the program failed at it for good."""

from datetime import datetime

import pytest

from pbem.handlers.ports import Ports
from pbem.handlers.request import Verdict
from pbem.maintenance.rebuild import rebuild
from pbem.routing import router
from pbem.storage import Letter, Player
from tests.support.harness import League, Person, duel, fixed_entropy
from tests.support.players import address_of, letter, plain

pytestmark = pytest.mark.league(entropy=fixed_entropy, moderator=address_of("Mod"))

POISON = "This letter breaks the program."
TITLE = "Your letter could not be handled"


@pytest.fixture(autouse=True)
def poisoned(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let handling fail at each letter that says so, when all else is done."""
    whole = router.handle

    def handle(ports: Ports, one: Letter, now: datetime) -> Verdict:
        verdict = whole(ports, one, now)
        if POISON.encode() in one.content:
            raise AssertionError("campaign is not None")
        return verdict

    monkeypatch.setattr(router, "handle", handle)


def told(*people: Person, rounds: int = 3) -> list[int]:
    """Try what waits so often, and return how many such letters each has got since."""
    before = [len(person.letters) for person in people]
    for _ in range(rounds):
        people[0].league.work()
    new = [person.letters[had:] for person, had in zip(people, before, strict=True)]
    return [sum(TITLE in one["Subject"] for one in found) for found in new]


def test_fault_14_a_player_is_told_once_and_may_reply(league: League) -> None:
    ann, bob = duel(league)
    asked = ann.last
    written = ann.reply(f"SCAN\n\n{POISON}")
    assert told(ann, bob, rounds=2) == [0, 0]
    assert told(ann, bob) == [1, 0]
    notice = ann.last
    assert notice["In-Reply-To"] == written["Message-ID"]
    assert notice["Reply-To"] == asked["Reply-To"]
    text = " ".join(plain(notice).split())
    assert "nothing in it was done" in text
    assert "the moderator looks at it" in text
    league.later(0.1)
    ann.send(written)
    assert told(ann, bob, rounds=6) == [0, 0]
    assert league.store.count(Letter.select().where(Letter.state == "shunted")) == 2
    ann.reply("SCAN", notice)
    assert told(ann, bob, rounds=1) == [0, 0]
    assert league.last_letter().state == "answered"
    assert "SCAN" in plain(ann.last)
    assert rebuild(league.settings, league.folder / "new.db") == []


def test_fault_14_it_is_said_in_the_players_language(league: League) -> None:
    ann, _ = duel(league)
    ann.ask("LANGUAGE de")
    ann.reply(POISON)
    told(ann)
    assert "Dein Brief konnte nicht bearbeitet werden" in ann.last["Subject"]


def test_fault_14_each_letter_with_a_proof_is_answered_and_few_without(league: League) -> None:
    ann, _ = duel(league)
    for number in range(3):
        ann.reply(f"{POISON} {number}")
    assert told(ann) == [3]
    for number in range(3):
        ann.write(f"{POISON} {number + 7}")
    league.later(25)
    assert told(ann) == [1]


def test_fault_14_strangers_are_told_once_a_week(league: League) -> None:
    eve = league.person("Eve")
    for number in range(3):
        eve.write(f"JOIN Eve Example\n{POISON} {number}")
    assert told(eve) == [1]
    assert "new letter" in " ".join(plain(eve.last).split())
    league.later(6 * 24)
    eve.write(f"JOIN Eve Example\n{POISON}")
    assert told(eve) == [0]
    assert rebuild(league.settings, league.folder / "new.db") == []


@pytest.mark.parametrize(
    ("field", "value"),
    [
        ("Auto-Submitted", "auto-replied"),
        ("List-Id", "<users.lists.example>"),
        ("Content-Type", "multipart/report; report-type=delivery-status; boundary=x"),
        ("Precedence", "bulk"),
    ],
)
def test_fault_14_no_machine_is_told(league: League, field: str, value: str) -> None:
    ann, _ = duel(league)
    written = letter("Ann", POISON, 99)
    del written[field]
    written[field] = value
    league.drop(written.as_bytes())
    assert told(ann) == [0]
    assert league.last_letter().state == "shunted"


def test_fault_14_nobody_who_is_banned_is_told(league: League) -> None:
    ann, _ = duel(league)
    league.store.run(
        Player.update(banned=True).where(
            Player.id == league.store.all(Player.select().order_by(Player.id))[0].id
        )
    )
    ann.reply(POISON)
    assert told(ann) == [0]


def test_fault_14_a_letter_whose_writer_cannot_be_read_is_shunted_all_the_same(
    league: League, monkeypatch: pytest.MonkeyPatch
) -> None:
    ann, _ = duel(league)
    ann.reply("SCAN")
    monkeypatch.setattr("pbem.routing.incoming.read_letter", lambda *_: 1 / 0)
    assert told(ann) == [0]
    assert league.last_letter().state == "shunted"
