"""UNDO: a game taken back to a step and played on: log, letters, database, and its proof."""

import json
from pathlib import Path

import pytest

from engine import codec
from engine.orders.orders_on_file import Sheet
from pbem.games.persona_rules import piece_of
from pbem.games.session import Session
from pbem.games.step_log import rebuild
from pbem.handlers.moderator.ruling_table import by_shell
from pbem.handlers.request import Refusal
from pbem.maintenance.fsck import check
from pbem.maintenance.rebuild import rebuild as rebuild_league
from pbem.people import personas
from pbem.storage import Entry, Game, Outgoing, Persona, Place, Ruling, Step
from tests.support.forging import by_engine, path_of, run
from tests.support.harness import League, Person, duel, fixed_entropy, open_league
from tests.support.players import PATIENT, STANDING, address_of, attached, words

pytestmark = pytest.mark.league(turns_per_letter=4, moderator=address_of("Mona"))


def play(league: League, people: tuple[Person, Person], orders: str = STANDING) -> None:
    """Send orders of both, and play the battle on."""
    league.work()
    for person in people:
        person.reply(orders, person.last_about("G1-T"))
    league.later(1)
    league.work()


def play_out(league: League, people: tuple[Person, Person]) -> None:
    """Play a battle to its end."""
    while league.game.running:
        play(league, people)


def squads(league: League) -> tuple[Person, Person]:
    """Bring two people to the first report of a skirmish, whose first step is its first round."""
    ann, bob = league.person("Ann"), league.person("Bob")
    for person in (ann, bob):
        person.join()
    ann.ask("SQUAD Ravens WITH Kitai: scout; Bo: guard")
    bob.ask("SQUAD Kites WITH Ann: duellist; Cy: medic")
    ann.ask("CHALLENGE Kites WITH Ravens")
    bob.new()
    bob.ask("ACCEPT 1")
    return ann, bob


def agree(league: League, folder: Path) -> bool:
    """Return whether both checks accept the battle's export."""
    text = league.service.export(league.game)
    file = folder / "G1.json"
    file.write_text(text)
    script = str(path_of(league.game.system))
    return by_engine(text)[0] == 0 and run(script, str(file)).returncode == 0


def is_consistent(league: League) -> bool:
    """Return whether the checkpoint is what the log makes of the set-up."""
    session = Session(league.store, league.game)
    steps = league.store.all(Step.select().where(Step.game == league.game.id).order_by(Step.id))
    return session.state == rebuild(session.rules, league.game.setup, steps)[0]


def record_of(league: League, name: str) -> str:
    row = personas.named(league.store, name)
    assert row is not None
    return row.record


def test_a_game_goes_back_and_its_steps_count_on(
    league: League, people: tuple[Person, Person]
) -> None:
    play(league, people)
    play(league, people)
    session = Session(league.store, league.game)
    before = league.store.all(Step.select().where(Step.game == 1).order_by(Step.id))
    then = rebuild(session.rules, league.game.setup, before[:4])[0]
    assert "goes back to where it stood after step 3" in league.rule("UNDO 1 TO 3")
    assert league.orders()[-1] == ('[["|referee", "UNDO TO 3"]]', "referee")
    assert Session(league.store, league.game).state == then
    assert is_consistent(league)
    play(league, people)
    after = league.store.all(Step.select().where(Step.game == 1).order_by(Step.id))
    assert after[: len(before)] == before
    assert [step.n for step in after] == list(range(len(after)))
    again = [(old, new) for old, new in zip(before[4:], after[len(before) + 1 :], strict=False)]
    assert again
    assert [new.rolls for _, new in again] != [old.rolls for old, _ in again]
    assert is_consistent(league)


def test_the_letters_say_what_changed_and_bring_a_fresh_turn(
    league: League, people: tuple[Person, Person]
) -> None:
    play(league, people)
    play(league, people)
    for person in people:
        person.new()
    old, turn = people[0].last_about("G1-T"), league.game.turn
    league.rule("UNDO 1 TO 3")
    assert league.game.turn == turn + 1
    for person in people:
        told, report = person.new()
        assert "goes back to where it stood after step 3" in words(told).replace("\n", " ")
        assert f"[G1-T{turn + 1} " in report["Subject"]
        assert "ruling of the moderator" in words(report).replace("\n", " ")
        assert "Your move in" in report["Subject"]
    late = people[0].ask("SCAN", old)
    assert "your letter answers turn" in words(late)
    assert league.game.turn == turn + 1


def test_standing_orders_are_those_that_were_in_force(
    league: League, people: tuple[Person, Person]
) -> None:
    ann, bob = people
    ann.reply("SCAN\nSCAN\nSCAN\nSTANDING\nELSE: TARGET\nEND", ann.last_about("G1-T"))
    bob.reply(PATIENT, bob.last_about("G1-T"))
    league.work()
    steps = league.store.all(Step.select().where(Step.game == 1).order_by(Step.id))
    last = next(step.n for step in steps if step.source == "queue")
    assert last < len(steps) - 2
    place = next(
        p
        for p in league.store.all(Place.select().where(Place.game == 1).order_by(Place.id))
        if p.seat == "Hawk"
    )
    ann.ask("STANDING NONE\nOPEN", ann.last_about("G1-T"))
    play(league, people, "STANDING\nELSE: PROTECT\nEND")
    league.rule(f"UNDO 1 TO {last}")
    place = league.store.get(Place, place.id)
    sheet = codec.decode(place.sheet, Sheet)
    taken = [s.orders for s in steps[: last + 1] if s.source == "queue"]
    assert len(sheet.queue) == 3 - len(taken)
    assert sheet.otherwise == "TARGET"
    assert place.before == place.sheet


def test_an_undone_battle_is_proved_by_both_checks(
    league: League, people: tuple[Person, Person], tmp_path: Path
) -> None:
    for _ in range(3):
        play(league, people)
    league.rule("UNDO 1 TO 5")
    play(league, people)
    league.rule("UNDO 1 TO 2")
    play(league, people)
    league.rule("UNDO 1 TO 2")
    play_out(league, people)
    assert agree(league, tmp_path)
    assert is_consistent(league)


@pytest.mark.league(systems=("starfarer",))
@pytest.mark.parametrize("over", [False, True])
def test_the_first_turn_of_a_battle_is_undone_too(
    league: League, tmp_path: Path, over: bool
) -> None:
    ann, bob = squads(league)
    before = league.game.state
    plan = "KEEP\nKitai: ATTACK Cy\nBo: HOLD", "Ann: HOLD\nCy: ATTACK Kitai"
    for person, text in zip((ann, bob), plan, strict=True):
        person.reply(text, person.last_about("[G1-"))
        league.work()
    assert league.game.steps == 1
    if over:
        league.rule("DRAW 1")
    secret = league.game.dice_secret
    assert "goes back to its start" in league.rule("UNDO 1 TO START")
    league.work()
    assert league.game.running
    assert (league.game.dice_secret != secret) == over
    assert league.game.state == before
    assert league.orders()[-1][0].startswith('[["|referee", "UNDO TO START')
    for person in (ann, bob):
        text = words(person.last).replace("\n", " ")
        assert "ruling of the moderator the game goes back to its start." in text
    league.rule("DRAW 1")
    assert "goes back to its start, and what was told" in words(ann.ask("HISTORY 1")).replace(
        "\n", " "
    )
    assert agree(league, tmp_path)
    assert is_consistent(league)
    assert list(check(league.store)) == []


def test_the_roll_for_who_begins_is_not_undone(
    league: League, people: tuple[Person, Person]
) -> None:
    play(league, people)
    play(league, people)
    assert "after step 0" in league.rule("UNDO 1 TO THE START")
    assert league.orders()[-1][0] == '[["|referee", "UNDO TO 0"]]'


def test_the_end_of_a_battle_is_undone_with_its_books(
    league: League, people: tuple[Person, Person], tmp_path: Path
) -> None:
    records = {name: record_of(league, name) for name in ("Hawk", "Kestrel")}
    play_out(league, people)
    first, last = league.game, league.game.steps - 1
    assert {name: record_of(league, name) for name in records} != records
    assert "new one from now on" in league.rule(f"UNDO 1 TO {last - 3}")
    assert league.game.running
    assert league.game.dice_secret != first.dice_secret
    assert {name: record_of(league, name) for name in records} == records
    for row in league.store.all(Persona.select().order_by(Persona.id)):
        entries = league.store.all(
            Entry.select().where(Entry.persona == row.id, Entry.game == 1).order_by(Entry.id)
        )
        assert sum(entry.points for entry in entries) == 0
        assert entries[-1].kind == "undone"
    report = people[0].new()[-1]
    fresh = league.game.commitment
    assert fresh != first.commitment
    told = attached(report)["receipt.txt"].decode()
    assert fresh in told
    assert league.game.dice_secret.hex() not in told
    play_out(league, people)
    assert agree(league, tmp_path)
    exported = league.service.export(league.game)
    assert first.secret.hex() in exported.splitlines()[1]
    assert f"UNDER {fresh}" in exported


def test_the_second_end_books_once_more_and_tells_only_that(
    league: League, people: tuple[Person, Person]
) -> None:
    play_out(league, people)
    league.rule(f"UNDO 1 TO {league.game.steps - 5}")
    play_out(league, people)
    session = Session(league.store, league.game)
    for place in league.store.all(Place.select().where(Place.game == 1).order_by(Place.id)):
        row = league.store.get(Persona, place.persona_id)
        told = league.service.ports.reports.ending(session, place, league.now)["changes"]
        assert "undone" not in [entry["kind"] for entry in told]
        assert [entry["kind"] for entry in told].count("battle") == 1
        earned = sum(
            e.points
            for e in league.store.all(
                Entry.select().where(Entry.persona == row.id).order_by(Entry.id)
            )
        )
        assert json.loads(row.record)["hp"] == earned
        assert piece_of(row).name == row.name


def test_an_owner_is_told_of_the_second_end_too(
    league: League, people: tuple[Person, Person]
) -> None:
    _, bob = people
    cid = league.person("Cid")
    cid.join()
    league.rule("OPEN 1 Kestrel")
    cid.new()
    cid.reply("TAKEOVER 1", cid.last)
    league.work()
    league.rule("DRAW 1")
    league.rule("UNDO 1 TO 0")
    league.rule("DRAW 1")
    letters = league.store.all(
        Outgoing.select()
        .where(Outgoing.player == 2, Outgoing.kind == "career")
        .order_by(Outgoing.id)
    )
    assert bob.address == letters[0].recipient
    assert len(letters) == 2


def test_a_pilot_that_has_fought_on_keeps_its_end(
    league: League, people: tuple[Person, Person]
) -> None:
    ann, bob = people
    league.rule("DRAW 1")
    ann.ask("CHALLENGE Kestrel WITH Hawk")
    bob.new()
    bob.ask("ACCEPT 2")
    with pytest.raises(Refusal, match="has fought, spent or been honoured since"):
        league.rule("UNDO 1 TO 0")
    assert not league.store.get(Game, 1).running
    assert league.store.count(Ruling.select().where(Ruling.game == 1)) == 1


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("UNDO 7 TO 1", "there is no game 7"),
        ("UNDO 1 TO 99", "has steps 0 to"),
        ("UNDO 1 TO 4", "nothing was done after step 4"),
        ("UNDO 1", "lacks something"),
        ("UNDO 1 TO now", "lacks something"),
    ],
)
def test_what_can_not_be_undone_is_refused(
    league: League, people: tuple[Person, Person], text: str, reason: str
) -> None:
    play(league, people)
    assert league.game.steps == 5
    with pytest.raises(Refusal, match=reason):
        league.rule(text)
    assert league.game.steps == 5


@pytest.mark.league(systems=("starfarer",))
def test_a_battle_without_a_step_has_nothing_to_undo(league: League) -> None:
    squads(league)
    with pytest.raises(Refusal, match="nothing was done in game 1 yet"):
        league.rule("UNDO 1 TO START")


def test_a_step_that_was_undone_can_not_be_gone_back_to(
    league: League, people: tuple[Person, Person]
) -> None:
    play(league, people)
    league.rule("UNDO 1 TO 1")
    play(league, people)
    with pytest.raises(Refusal, match="or it was undone itself"):
        league.rule("UNDO 1 TO 3")


def test_a_paused_battle_stays_paused(league: League, people: tuple[Person, Person]) -> None:
    play(league, people)
    league.rule("PAUSE 1")
    league.rule("UNDO 1 TO 1")
    assert league.game.deadline is None
    league.rule("RESUME 1")
    assert league.game.deadline == league.now + league.settings.league.allowed


def test_the_history_tells_the_undone_steps_as_void(
    league: League, people: tuple[Person, Person]
) -> None:
    play(league, people)
    league.rule("UNDO 1 TO 2")
    people[0].new()
    text = words(people[0].ask("HISTORY 1")).replace("\n", " ")
    assert "undone later" in text
    assert "goes back to where it stood after step 2" in text


@pytest.mark.long
def test_undone_and_played_again_gives_the_same_bytes_twice(tmp_path: Path) -> None:
    found = []
    for name in ("one", "two"):
        (tmp_path / name).mkdir()
        with open_league(tmp_path / name, entropy=fixed_entropy, turns_per_letter=6) as league:
            people = duel(league)
            play(league, people)
            play(league, people)
            league.rule("UNDO 1 TO 4")
            play_out(league, people)
            league.rule(f"UNDO 1 TO {league.game.steps - 4}")
            play_out(league, people)
            found.append((league.post.letters, league.service.export(league.game)))
    assert found[0] == found[1]


@pytest.mark.long
def test_an_undone_league_is_replayed_and_its_books_agree(
    league: League, people: tuple[Person, Person]
) -> None:
    play(league, people)
    by_shell(league.service.ports, "UNDO 1 TO 2", league.now)
    play_out(league, people)
    league.later(1)
    by_shell(league.service.ports, f"UNDO 1 TO {league.game.steps - 4}", league.now)
    assert list(check(league.store, iter)) == []
    play_out(league, people)
    assert list(check(league.store, iter)) == []
    assert rebuild_league(league.settings, league.settings.home / "new.db") == []
