"""Names that look like others, by every way that a name gets in."""

import pytest

from pbem.handlers.names import taken_names
from pbem.handlers.names.reserved_names import reserved
from pbem.handlers.request import Refusal
from pbem.people.lookalikes import fault, looks
from pbem.storage import Block, Blueprint, Persona, Player
from tests.support.harness import League, duel
from tests.support.players import words

OWL = "ENLIST {} FOR league WEAPONS 12 PILOTING 12 SENSORS 12 SHIP Wright 1903S"
LIKE = (
    ("Kestrel", "Kestre\u0142"),  # strokes through letters
    ("Kestrel", "Kestre\u019a"),
    ("Kestrel", "\u0198estrel"),
    ("Hawk", "\u0126awk"),
    ("Bode", "\u0243o\u0111e"),
    ("Hawk", "Havvk"),
    ("WASP", "VVASP"),
    ("Kestrel", "Ke\u01a8trel"),  # letters of tones
    ("Kestrel", "K\u01ddstrel"),  # upside down
    ("Kestrel", "K\u0259strel"),
    ("Pip", "\u01bfip"),
    ("Hoot", "\u041d\u043e\u043e\u0442"),  # Cyrillic small capitals
    ("Book", "\u0412\u043e\u043e\u043a"),
    ("Kestrel", "\U0001d40a\U0001d41e\U0001d42c\U0001d42d\U0001d42b\U0001d41e\U0001d425"),
    ("Kestrel", "\u24c0\u24d4\u24e2\u24e3\u24e1\u24d4\u24db"),
    ("Kestrel", "K\u0332e\u0332s\u0332t\u0332r\u0332e\u0332l\u0332"),
    ("Kestrel", "K-e-s-t-r-e-l!"),
    ("Red 1", "Red-l"),
    ("Red 1", "RedI"),
    ("Mona", "Rnona"),
    ("Jo", "\u0408\u043e"),
    ("gogo", "\u0581\u0585\u0581\u0585"),  # Armenian
    ("O'Brien", "O\u02bcBrien"),
    ("O'Brien", "OBrien"),
    ("O'Brien", "0\u2019Brien"),
)
WORLD = (
    "\u017b\u00f3\u0142\u0107", "O'Brien", "O\u2019Brien", "O\u02bcBrien", "Ka\u02bbiulani",
    "Jean-Luc", "Jean\u2011Luc", "\u0418\u0432\u0430\u043d", "\u674e\u5c0f\u9f99", "M\u00fcller",
    "Jos\u00e9", "Red 1", "El\u00e7in M\u0259mm\u0259dov", "Gal\u00b7la",
    "\u30b8\u30e3\u30f3\u30fb\u30ea\u30e5\u30c3\u30af", "\u0110\u1eb7ng", "\u00de\u00f3r",
    "\u0141ucja", "\u00c7a\u011flar I\u015f\u0131k", "\u05d0\u05d1\u05e8\u05d4\u05dd",
    "\u0645\u062d\u0645\u062f", "\u0e2a\u0e21\u0e0a\u0e32\u0e22", "\u10d7\u10d0\u10e0\u10d8",
    "\u0531\u0580\u0561\u0574", "\u092e\u094b\u0939\u0928", "Dr. No", "X-23", "Rooted", "Supporter",
    "Beetroot", "Moderna", "Judge Bao", "Hal 9000", "Theme",
    "Grootmoeder", "Admiral", "Hugh Se", "Road to Ruin", "Born in Oslo",
)  # fmt: skip
OURS = (
    "Referees", "Moderator1", "Referee2", "Refereee", "RefereeX", "Adm1n", "R3feree", "M0derat0r",
    "Themoderator", "xModeratorx", "Chief Referees", "Admin2", "GM1", "GMs", "G.M. 2", "Mod",
    "Re feree X", "Schiedsrichters", "Verwalterin", "Avalon League Staff", "The Avalon League",
    "Avalon-League 1", "Ava1on League Team", "Ho-use Finch", "Ho use Finch", "The House Finch",
    "H\u00f3use Finch", "The Editor", "The Players", "Ex-player 3", "Player 3", "Hawk IN 12",
    "3 INTO 5", "Refer\u0259e", "Moderator\u0142",
)  # fmt: skip
BORROWED = ("Ke\u01a8trel", "Kestre\u0142", "\uff2bestrel", "K\u01ddstrel", "kes-trel", "Kestre|")
"""Names that look like Kestrel, or cannot be names."""


@pytest.mark.parametrize(("one", "other"), LIKE)
def test_hostile_names_another_s_look_alikes_are_one(one: str, other: str) -> None:
    assert any(mine == theirs for mine, theirs in zip(looks(one), looks(other), strict=True))


@pytest.mark.parametrize("name", WORLD)
def test_hostile_names_mends_keep_out_no_name_of_the_world(name: str, league: League) -> None:
    assert fault(name) is None
    assert taken_names.wrong(league.service.ports, name, None) is None


@pytest.mark.parametrize("name", OURS)
def test_hostile_names_of_office_in_disguise(name: str, league: League) -> None:
    assert reserved(name, league.settings.league) is not None


@pytest.mark.parametrize(
    "order",
    [
        OWL,
        "SQUADRON {} WITH Red: 1 Gadfly SKILL 2",
        "SQUADRON Ayes WITH {}: 1 Gadfly SKILL 2",
        "DESIGN {}: HEAVY, Rocket Pod",
    ],
)
def test_hostile_names_are_refused_by_every_order(league: League, order: str) -> None:
    duel(league)
    eve = league.person("Eve")
    eve.join()
    for name in BORROWED:
        eve.ask(order.format(name))
    assert league.store.all(Persona.select().where(Persona.player == 3).order_by(Persona.id)) == []
    assert (
        league.store.all(Blueprint.select().where(Blueprint.player == 3).order_by(Blueprint.id))
        == []
    )


def test_hostile_names_are_refused_by_join(league: League) -> None:
    duel(league)
    for n, name in enumerate((*BORROWED, "Moderator2", "Hawk\u0335")):
        eve = league.person(f"Eve{n}")
        eve.write(f"JOIN {name}")
        league.work()
        assert league.store.first(Player.select().where(Player.address == eve.address)) is None, (
            name
        )


def test_hostile_names_written_alike_reach_nobody_else(league: League) -> None:
    ann, bob = duel(league)
    eve = league.person("Eve")
    eve.join()
    eve.ask(OWL.format("Kestrei"))  # a name of its own, in small letters
    for written in ("Kestre\u0142", "\u039aestrel", "Ke\u01a8trel", "K\u01ddstrel"):
        text = words(ann.ask(f"TELL {written}\nHello!"))
        assert "did you mean Kestrel?" in text, written
        ann.ask(f"BLOCK {written}")
        with pytest.raises(Refusal):
            league.rule(f"MERGE {written} INTO Hawk")
    assert not any("A letter from" in each["Subject"] for each in (*bob.new(), *eve.new()))
    assert league.store.count(Block.select()) == 0
    for written in ("\uff2bestrel", "Kes\u200btrel", "Kestrel\u202e", "K\u00e9strel", " KESTREL "):
        ann.ask(f"BLOCK {written}")
        assert [row.other_id for row in league.store.all(Block.select().order_by(Block.id))] == [
            2
        ], written
        ann.ask(f"UNBLOCK {written}")
        assert league.store.count(Block.select()) == 0


def test_hostile_names_of_numbers_and_addresses_bring_no_ban_to_others(league: League) -> None:
    duel(league)
    eve = league.person("Eve")
    eve.join()
    for name in ("2", "bob@league.example", "Bob Example", '"2"', "Player 2", "Kestrel IN 1"):
        eve.ask(OWL.format(name))
    assert league.store.all(Persona.select().where(Persona.player == 3).order_by(Persona.id)) == []
    league.rule("BAN Bob Example")
    assert [
        player.id
        for player in league.store.all(Player.select().order_by(Player.id))
        if player.banned
    ] == [2]
