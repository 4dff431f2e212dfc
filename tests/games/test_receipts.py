"""The dice that come with letters, as the scripts that players are sent compare them."""

import json
import re
from pathlib import Path

import pytest

from engine import fair_dice
from pbem.storage import Account, Letter, Place, stored_games
from tests.support.forging import path_of, run
from tests.support.harness import League, Person, duel
from tests.support.players import STANDING, attached


def kept(person: Person) -> list[bytes]:
    """Return all receipts that a person has been sent."""
    files = [file for letter in person.letters for file in attached(letter).items()]
    return [told for name, told in files if name in ("receipt.txt", "receipt-G1.txt")]


def compared(folder: Path, export: bytes, *receipts: bytes) -> tuple[int, str]:
    """Return what StarPilot's script says of an export and receipts."""
    files = [folder / "G1.json", *(folder / f"receipt{n}.txt" for n in range(len(receipts)))]
    for file, content in zip(files, [export, *receipts], strict=True):
        file.write_bytes(content)
    done = run("-I", str(path_of("starpilot")), *map(str, files))
    return done.returncode, done.stdout


@pytest.fixture
def over(league: League) -> tuple[Person, Person]:
    """A duel that was fought to its end by standing orders, and every report of it."""
    people = duel(league)
    people[0].ask("RECEIPTS 1")
    for person in people:
        person.reply(STANDING, person.last_about("[G1"))
    league.work()
    while league.game.running:
        league.later(80)
        league.work()
    for person in people:
        person.new()
    return people


def test_every_receipt_of_a_battle_agrees_with_its_export(
    over: tuple[Person, Person], tmp_path: Path
) -> None:
    for person in over:
        export = attached(person.ask("SCRIPT 1", person.last_about("is over")))["G1.json"]
        receipts = kept(person)
        assert len(receipts) > 1
        assert b'"setup"' not in receipts[0]  # what came with the challenge
        code, told = compared(tmp_path, export, *receipts)
        assert code == 0, told
        assert "The receipts agree" in told


def test_a_changed_receipt_is_found(over: tuple[Person, Person], tmp_path: Path) -> None:
    ann = over[0]
    export = attached(ann.ask("SCRIPT 1", ann.last_about("is over")))["G1.json"]
    last = kept(ann)[-1]
    forged = {
        "rolls should be": re.sub(rb'"rolls":\[\[100,\d+', b'"rolls":[[100,0', last, count=1),
        "digest should be": re.sub(rb'"digest":"..', b'"digest":"xx', last, count=1),
        "the words should be": re.sub(rb'"letter":"..', b'"letter":"xx', last, count=1),
        "commitment is not": re.sub(rb'"commitment":"..', b'"commitment":"xx', last, count=1),
        "secret is not": re.sub(rb'"secret":"..', b'"secret":"xx', last, count=1),
        "setup is not": re.sub(rb'"setup":"..', b'"setup":"xx', last, count=1),
        "game is not": last.replace(b'"G1"', b'"G2"'),
        "receipt is empty": b"# nothing\r\n",
    }
    for what, receipt in forged.items():
        assert receipt != last
        code, told = compared(tmp_path, export, receipt)
        assert code == 1
        assert what in told.splitlines()[-1]


def test_a_running_battle_tells_neither_its_secret_nor_others_words(league: League) -> None:
    ann, bob = duel(league)
    ann.reply("SALT of Ann\nSCAN", ann.last_about("[G1"))
    bob.reply("SALT of Bob\nSCAN", bob.last_about("[G1"))
    league.work()
    league.later(73)
    league.work()
    for person, other in ((ann, b"of Bob"), (bob, b"of Ann")):
        person.new()
        assert kept(person)
        assert all(b"secret" not in one and other not in one for one in kept(person))
        first = person.last_about("the battle begins")
        assert "receipt.txt" in [part.get_filename() for part in first.walk()]


@pytest.mark.parametrize("answered", [True, False])
def test_a_receipt_names_the_message_on_a_board_that_its_readers_words_are_of(
    league: League, tmp_path: Path, answered: bool
) -> None:
    """It tells nobody the fingerprint that links the account, on which later words depend."""
    ann, bob = duel(league)
    ann.reply(STANDING, ann.last_about("[G1"))
    league.work()
    store, name = league.store, "forum 5 1234"
    link = fair_dice.fingerprint(fair_dice.words_of("<link@home.example>", []))
    [place] = store.all(Place.select().where(Place.seat == "Hawk").order_by(Place.id))
    store.run(
        Account.insert(
            channel="forum",
            ident="7",
            player=place.player_id,
            name="ann7",
            linked=league.now,
            words=link,
        )
    )
    # A message gets its player once it is answered, which is after its report was written.
    whose = {"player": place.player_id} if answered else {"owner": "another"}
    for message in (name, "forum 5 1235"):
        store.run(
            Letter.insert(
                channel="forum",
                account="",
                folder="5",
                message_id=message,
                sha256="",
                received=league.now,
                kept=league.now,
                state="answered",
                moved=True,
                **whose,
            )
        )
    spoken = fair_dice.words_of(name, ["a private SALT"], link)
    stored_games.change_place(store, place.id, words=json.dumps(spoken))
    bob.reply(STANDING, bob.last_about("[G1"))
    league.work()
    while league.game.running:
        league.later(80)
        league.work()
    export = attached(ann.ask("SCRIPT 1", ann.last_about("is over")))["G1.json"]
    for person in (ann, bob):
        person.new()
        told = [json.loads(line) for one in kept(person) for line in one.splitlines()[2:]]
        of_message = [one for one in told if "message" in one]
        assert bool(of_message) == (person is ann)
        assert all((one["message"], one["words"]) == (name, spoken) for one in of_message)
        assert all(link.encode() not in one for one in kept(person))
        code, said = compared(tmp_path, export, *kept(person))
        assert code == 0, said
