"""The campaign by mail: SPEND, CHOOSE, NOMINATE, ENDORSE, RESIGN, MAJOR, and the career log."""

import json
import re
from email.message import EmailMessage
from typing import Any

import pytest

from engine import fair_dice
from engine.codec import plain
from engine.dice import KeyedDice
from engine.starpilot.persona_record import Pilot, pilot_of
from pbem.games.persona_rules import piece_of
from pbem.maintenance import fsck
from pbem.people import career_log, personas
from pbem.storage import Entry, Nomination, Persona, Reward
from tests.support.harness import League, Person, duel, prepared
from tests.support.link_taps import links, tap
from tests.support.players import KESTREL, STANDING, attached, words
from tests.support.team_battles import fight_on, give_orders, melee

FEDERATE = "ENLIST {} FOR federation WEAPONS 12 PILOTING 12 SENSORS 12 SHIP Clipus XIII-B"
DAY = 24
HASH = re.compile(r"[0-9a-f]{64}")

pytestmark = pytest.mark.league(seed=3)


def row_of(league: League, name: str) -> Persona:
    row = personas.named(league.store, name)
    assert row is not None
    return row


def pilot(league: League, name: str) -> Pilot:
    return pilot_of(piece_of(row_of(league, name)))


def endow(league: League, name: str, **values: object) -> None:
    """Book what a pilot would take a season to earn into the career log."""
    record = plain(pilot(league, name)) | values
    row = row_of(league, name)
    earned = record["hp_total"] - json.loads(row.record)["hp_total"]
    personas.set_record(league.store, row, json.dumps(record))
    league.store.run(
        Entry.insert(
            persona=row.id, kind="major", account="earned", points=earned, facts="{}", at=league.now
        )
    )


def balance(league: League, name: str) -> dict[str, int]:
    """Sum a pilot's entries by account, in tenths."""
    sums = dict.fromkeys(("earned", "spent", "lost", "buried"), 0)
    for entry in league.store.all(
        Entry.select().where(Entry.persona == row_of(league, name).id).order_by(Entry.id)
    ):
        if entry.account:
            sums[entry.account] += entry.points
    return sums


def kinds(league: League, name: str) -> list[str]:
    return [
        entry.kind
        for entry in league.store.all(
            Entry.select().where(Entry.persona == row_of(league, name).id).order_by(Entry.id)
        )
    ]


def member(league: League, name: str, pilot_name: str = "") -> Person:
    """A player, with a pilot of the federation if one is named."""
    person = league.person(name)
    person.join()
    if pilot_name:
        person.ask(FEDERATE.format(pilot_name))
    return person


@pytest.fixture
def rich(league: League) -> Person:
    """A player whose pilot Hawk has 5.7 HP."""
    ann = league.person("Ann")
    ann.join()
    ann.ask("ENLIST Hawk FOR cartel WEAPONS 12 PILOTING 12 SENSORS 12 SHIP Angela 313B")
    endow(league, "Hawk", hp=57, hp_total=57)
    return ann


@prepared
def fought(league: League) -> tuple[Person, Person]:
    """Two players after a duel that Hawk and Kestrel fought to its end."""
    ann, bob = duel(league)
    end(ann, bob)
    return ann, bob


def end(ann: Person, bob: Person) -> None:
    """Fight the running duel to its end."""
    for person in (ann, bob):
        person.reply(STANDING, person.last_about("[G"))
        person.new()
    while ann.league.game.running:
        for person in (ann, bob):
            person.reply("READY", person.last_about("[G"))
            ann.league.work()
    ann.new()
    bob.new()


def says(letter: EmailMessage, *texts: str) -> bool:
    return all(text in words(letter) for text in texts)


# Rewards


def receipt(letter: EmailMessage) -> dict[str, Any]:
    """Read a reward's receipt as a player would."""
    found = re.search(r"is in (receipt-R\d+\.txt), with the fingerprint", words(letter))
    assert found is not None, words(letter)
    return dict(kept(letter)[found[1]])


def kept(letter: EmailMessage) -> dict[str, dict[str, Any]]:
    """What the receipts that are attached to a letter tell, by the names of the files."""
    texts = {name: one for name, one in attached(letter).items() if name.endswith(".txt")}
    return {name: json.loads(one.splitlines()[-1]) for name, one in texts.items()}


def test_a_reward_is_rolled_by_the_secret_that_was_committed_to(
    league: League, rich: Person
) -> None:
    before = kept(rich.ask("SHEET Hawk"))
    made = receipt(rich.ask("SPEND 3 FOR Hawk\nSALT a pinch"))
    secret = bytes.fromhex(made["secret"])
    assert made["order"] == "SPEND 3 FOR Hawk"
    spoken = fair_dice.words_of(league.last_letter().message_id, ["a pinch"])
    assert made["words"] == spoken
    terms = {"reward": "Hawk"}
    assert made["commitment"] == fair_dice.commitment(secret, made["id"], "starpilot", 1, terms)
    [told] = before.values()
    assert (told["id"], told["commitment"]) == (made["id"], made["commitment"])
    ground = fair_dice.Ground(secret, made["commitment"], "", "", {})
    key = ground.step(0, {"Hawk": spoken}, [("Hawk", made["order"])])
    assert KeyedDice(key).roll(10, "") == int(made["roll"])
    assert [one for one in fsck.check(league.store) if one.part == "dice"] == []
    league.store.run(Reward.update(order="SPEND 9 FOR Hawk").where(Reward.order == made["order"]))
    [wrong] = [one for one in fsck.check(league.store) if one.part == "dice"]
    assert (wrong.where, wrong.text) == (
        made["id"],
        "its digest is not of its secret, words and order",
    )


def test_each_reward_has_its_own_secret(league: League, rich: Person) -> None:
    first = rich.ask("SPEND 1 FOR Hawk ON weapons / speed / Brandy 417A")
    endow(league, "Hawk", fought="2027-01-01", hp_total=57)
    second = rich.ask("SPEND 1 FOR Hawk ON weapons / shields / Brandy 417A")
    assert receipt(second)["secret"] != receipt(first)["secret"]
    assert len(kept(first)) == len(kept(second)) == 2  # of this reward, and of the next one
    rolled = receipt(second)
    told = kept(first)[f"receipt-{rolled['id']}.txt"]
    assert told.keys() == {"format", "id", "commitment"}
    assert told["commitment"] == rolled["commitment"]
    assert not HASH.search(words(first) + words(second))


def test_a_pilot_whose_commitment_was_never_told_is_told_it_first(
    league: League, rich: Person
) -> None:
    [waiting] = league.store.all(Reward.select().order_by(Reward.id))
    league.store.run(Reward.delete())
    answer = rich.ask("SPEND 3 FOR Hawk")
    assert says(answer, "must be told first")
    [fresh] = league.store.all(Reward.select().order_by(Reward.id))
    assert fresh.secret != waiting.secret
    [told] = kept(answer).values()
    assert told == {"format": "pbem-reward-1"} | dict(
        career_log.committed(league.store, row_of(league, "Hawk"))
    )
    assert says(rich.ask("SPEND 3 FOR Hawk"), "A REWARD FOR HAWK")


def test_choices_sent_along_are_taken(league: League, rich: Person) -> None:
    rich.ask("Spend 3 HP for hawk on weapons 2, piloting 1 / speed / Brandy 417a")
    flown = pilot(league, "Hawk")
    gained = (flown.weapons - 12, flown.mark, flown.rank - 1, flown.ship != "Angela 313B")
    assert sum(map(bool, gained)) == 1
    assert flown.owed is None
    assert flown.hp == 27


@pytest.mark.parametrize(
    ("what", "order", "options"),
    [
        ("points", "CHOOSE weapons 2 piloting 1", "Weapons, Piloting, Sensors"),
        ("stat", "CHOOSE shields FOR Hawk", "Maneuver, Speed, Shields, Electronics"),
        ("ship", "choose brandy 417b for hawk", "Brandy 417A, Brandy 417B"),
    ],
)
def test_choices_left_out_are_asked_for(
    league: League, rich: Person, what: str, order: str, options: str
) -> None:
    endow(league, "Hawk", owed={"what": what, "points": 3}, hp_total=57)
    assert says(rich.ask("SHEET"), "You have a choice", options)
    assert says(rich.ask("SPEND 1 FOR Hawk"), "has a choice to make first")
    assert says(rich.ask("CHOOSE structure"), "could not be done")
    assert says(rich.ask(order), "Done: Hawk has the reward")
    flown = pilot(league, "Hawk")
    assert (flown.weapons, flown.mark, flown.ship) in (
        (14, 0, "Angela 313B"),
        (12, 2, "Angela 313B"),
        (12, 0, "Brandy 417B"),
    )
    assert says(rich.ask(order), "choice to make")


@pytest.mark.parametrize("what", ["points", "stat", "ship"])
@pytest.mark.parametrize(("language", "word"), [("en", "CHOOSE "), ("de", "WÄHLEN ")])
def test_a_choice_is_made_by_a_tap(
    league: League, rich: Person, what: str, language: str, word: str
) -> None:
    endow(league, "Hawk", owed={"what": what, "points": 3}, hp_total=57)
    rich.ask(f"LANGUAGE {language}")
    asked = rich.ask("SHEET Hawk")
    offered = [line for line in links(asked) if line.startswith(word)]
    assert len(offered) == {"points": 3, "stat": 4, "ship": 2}[what]
    tap(rich, asked, offered[-1])
    league.work()
    assert pilot(league, "Hawk").owed is None


@pytest.mark.parametrize(
    ("order", "why"),
    [
        ("SPEND 6 FOR Hawk", "not a whole number of HP from 1 to 5"),
        ("SPEND 1.5 FOR Hawk", "not a whole number of HP from 1 to 5"),
        ("SPEND 3 FOR Eagle", "you have no pilot called Eagle"),
        ("SPEND 3 FOR Kestrel", "you have no pilot called Kestrel"),
        ("SPEND 3 FOR Hawk ON weapons 9", "above 18"),
        ("SPEND 3 FOR Hawk ON weapons 2", "points placed: 2; there are 3"),
        ("SPEND 3 FOR Hawk ON beams", "beams can't be upgraded"),
        ("SPEND 3 FOR Hawk ON speed / shields", "second choice of its kind"),
        ("SPEND 3 FOR Hawk ON Catherine 521A", "not a ship of the next class"),
        ("SPEND 3 FOR Hawk ON wepons", "names no aptitudes"),
        ("SPEND 3 FOR Hawk ON engine", "Perhaps this helps: weapons, piloting, sensors, maneuver"),
        ("CHOOSE beams", "nobody of yours has a choice to make"),
        ("CHOOSE beams FOR Eagle", "you have no pilot called Eagle"),
        ("SPEND 3", "nearly an order"),
    ],
)
def test_a_reward_refused_costs_nothing(league: League, rich: Person, order: str, why: str) -> None:
    bob = league.person("Bob")
    bob.join()
    bob.ask(KESTREL)
    before = pilot(league, "Hawk")
    assert says(rich.ask(order), why)
    assert pilot(league, "Hawk") == before
    assert len([r for r in league.store.all(Reward.select().order_by(Reward.id)) if r.rolled]) == 0


def test_hp_that_one_has_not_can_not_be_spent(league: League, rich: Person) -> None:
    endow(league, "Hawk", hp=29, hp_total=57)
    assert says(rich.ask("SPEND 3 FOR Hawk"), "Hawk has 2.9 HP unspent, not 3")


def test_a_pilot_in_battle_can_not_spend_or_resign(league: League) -> None:
    ann, _ = duel(league)
    endow(league, "Hawk", hp=30, hp_total=30)
    assert says(ann.ask("SPEND 3 FOR Hawk"), "Hawk is in a battle")
    assert says(ann.ask("RESIGN Hawk"), "Hawk is in a battle")


def test_one_reward_until_a_battle_on_a_later_day(league: League) -> None:
    ann, bob = fought(league)
    name = next(n for n in ("Hawk", "Kestrel") if not pilot(league, n).dead)
    winner = ann if name == "Hawk" else bob
    endow(league, name, hp=57, hp_total=pilot(league, name).hp_total)
    assert says(winner.ask(f"SPEND 1 FOR {name} ON weapons / speed"), "A REWARD FOR")
    endow(league, name, owed=None, hp_total=pilot(league, name).hp_total)
    assert says(winner.ask(f"SPEND 1 FOR {name}"), "a later day")


def test_the_name_of_a_pilot_may_hold_the_words_of_the_order(league: League) -> None:
    ann = member(league, "Ann", "Man on Moon")
    endow(league, "Man on Moon", hp=30, hp_total=30)
    assert says(ann.ask("SPEND 1 FOR Man on Moon ON weapons 1"), "A REWARD FOR MAN ON MOON")


# Medals


STORY = "He stayed when he could have run.\n\nSo we all came home."


@prepared
def witnessed(league: League) -> tuple[Person, ...]:
    """Ann's Hawk and Bob's Kestrel after their duel, and three more players with a pilot each."""
    fighters = fought(league)
    return *fighters, *(member(league, name, f"{name} One") for name in ("Cid", "Dee", "Eve"))


@pytest.fixture
def witnesses(league: League) -> dict[str, Person]:
    """Those who have seen a duel, by their names."""
    return {person.name: person for person in witnessed(league)}


def test_a_medal_by_nomination_and_two_endorsers(
    league: League, witnesses: dict[str, Person]
) -> None:
    ann, cid, dee, eve = (witnesses[n] for n in ("Ann", "Cid", "Dee", "Eve"))
    answer = cid.ask(f"NOMINATE Hawk IN 1\n{STORY}\n-- \nCid")
    assert says(answer, "nomination 1 stands; 2 other players")
    assert "NOBODY HAS SEEN" not in words(answer)
    [letter] = ann.new()
    assert says(letter, "So we all came home.", "It has 0 of the 2 endorsements that it needs")
    assert "ENDORSE 1" in links(dee.ask("STATUS"))
    assert says(dee.ask("ENDORSE 1"), "1 of 2 endorsers")
    assert says(eve.ask("ENDORSE"), "Hawk the medal")
    [medal] = ann.new()
    assert says(medal, "Circle of Fourteen [C14]", "So we all came home.")
    assert pilot(league, "Hawk").medals == 1
    assert says(eve.ask("ENDORSE 1"), "nomination 1 is not open")
    assert says(ann.ask("SHEET Hawk"), "Decorations: Circle of Fourteen [C14]")


def test_a_second_medal_needs_a_third_endorser(
    league: League, witnesses: dict[str, Person]
) -> None:
    endow(league, "Hawk", medals=1, hp_total=pilot(league, "Hawk").hp_total)
    witnesses["Bob"].ask(f"NOMINATE Hawk IN 1\n{STORY}")
    again = words(witnesses["Cid"].ask(f"NOMINATE Hawk IN 1\n{STORY}"))
    assert "for game 1 already" in again
    assert "ENDORSE 1 adds your word" in again
    for name, have in (("Cid", "1 of 3"), ("Dee", "2 of 3")):
        assert says(witnesses[name].ask("ENDORSE 1"), have)
    assert says(witnesses["Eve"].ask("ENDORSE 1"), "3 endorsers")


@pytest.mark.parametrize(
    ("who", "order", "why"),
    [
        ("Ann", f"NOMINATE Hawk IN 1\n{STORY}", "another player may nominate it"),
        ("Cid", f"NOMINATE Hawk\n{STORY}", "say in which battle"),
        ("Cid", f"NOMINATE Eagle IN 1\n{STORY}", "no pilot is called Eagle"),
        ("Cid", f"NOMINATE Hawk IN 7\n{STORY}", "Hawk was not in game 7"),
        ("Cid", f"NOMINATE Dee One IN 1\n{STORY}", "Dee One was not in game 1"),
        ("Cid", "NOMINATE Hawk IN 1", "say what Hawk did"),
        ("Cid", "NOMINATE Hawk IN 1\n" + "long " * 60 + "\n" * 2 + ("very long\n" * 400), "longer"),
        ("Cid", "ENDORSE 4", "nomination 4 is not open"),
        ("Cid", "ENDORSE", "no nomination is open"),
    ],
)
def test_nominations_refused(
    league: League, witnesses: dict[str, Person], who: str, order: str, why: str
) -> None:
    assert says(witnesses[who].ask(order), why)
    assert league.store.all(Nomination.select().order_by(Nomination.id)) == []


@pytest.mark.parametrize(
    ("who", "order", "why"),
    [
        ("Cid", "ENDORSE 1", "your own nomination"),
        ("Ann", "ENDORSE 1", "Hawk is your own pilot"),
        ("Dee", "ENDORSE 1", "you have endorsed nomination 1 already"),
        ("Fay", "ENDORSE 1", "only a player with a living pilot"),
        ("Dee", f"NOMINATE Hawk IN 1\n{STORY}", "names Hawk for game 1 already"),
    ],
)
def test_endorsements_refused(
    league: League, witnesses: dict[str, Person], who: str, order: str, why: str
) -> None:
    witnesses["Cid"].ask(f"NOMINATE Hawk IN 1\n{STORY}")
    witnesses["Dee"].ask("ENDORSE 1")
    witnesses["Ann"].new()
    witnesses["Fay"] = member(league, "Fay")
    assert says(witnesses[who].ask(order), why)
    assert pilot(league, "Hawk").medals == 0


def test_an_endorser_who_has_not_written_for_long_does_not_count(
    league: League, witnesses: dict[str, Person]
) -> None:
    witnesses["Cid"].ask(f"NOMINATE Hawk IN 1\n{STORY}")
    witnesses["Dee"].ask("ENDORSE 1")
    league.later(91 * DAY)
    assert says(write(witnesses["Eve"], "ENDORSE 1"), "1 of 2 endorsers")
    fay = member(league, "Fay", "Fay One")
    assert says(fay.ask("ENDORSE 1"), "Hawk the medal")


def write(person: Person, text: str) -> EmailMessage:
    """Write with the key, long after the tokens have expired."""
    found = re.search(r"key is (\S+?)\. ", words(person.last_about("Welcome")))
    assert found
    person.new()
    person.write(f"{text}\nKEY {found[1]}")
    [answer] = person.new()
    return answer


def test_what_is_below_the_end_of_a_nomination_is_no_citation(
    league: League, witnesses: dict[str, Person]
) -> None:
    answer = witnesses["Cid"].ask(
        f"Dear referee\nNOMINATE Hawk IN 1\n{STORY}\nEND\nSTATUS\nand bye"
    )
    [made] = league.store.all(Nomination.select().order_by(Nomination.id))
    assert made.citation == STORY
    assert says(answer, "YOUR BATTLES", "| and bye")


# Coming and going


def test_fault_61_to_resign_is_confirmed_by_yes_to_the_letter_that_asks(
    league: League, rich: Person
) -> None:
    first = rich.last
    asked = rich.ask("RESIGN Hawk")
    assert says(asked, "Nothing has been done yet")
    rich.ask("RESIGN Hawk CODE abcdefgh", first)
    rich.ask("YES", first)
    assert not pilot(league, "Hawk").resigned
    assert says(rich.ask("YES", asked), "struck off")
    gone = pilot(league, "Hawk")
    assert (gone.resigned, gone.hp) == (True, 0)
    assert balance(league, "Hawk") == {"earned": 57, "spent": 0, "lost": 0, "buried": -57}
    assert says(rich.ask("RESIGN Hawk"), "holds no place any more")
    assert says(rich.ask("RESIGN Eagle"), "no pilot called Eagle")


def test_a_resigned_pilot_frees_its_place_but_not_its_name(league: League, rich: Person) -> None:
    enlist = "ENLIST {} FOR cartel WEAPONS 12 PILOTING 12 SENSORS 12 SHIP Angela 313A"
    assert says(rich.ask(enlist.format("Owl")), "Hawk already flies for the cartel")
    rich.ask("YES", rich.ask("RESIGN Hawk"))
    assert says(rich.ask(enlist.format("Hawk")), "the name Hawk is taken")
    assert says(rich.ask(enlist.format("Owl")), "Owl flies for the cartel")


def test_who_resigns_leaves_no_challenge_open(league: League, rich: Person) -> None:
    bob = league.person("Bob")
    bob.join()
    bob.ask(KESTREL)
    bob.ask("CHALLENGE Hawk WITH Kestrel")
    rich.new()
    rich.ask("YES", rich.ask("RESIGN Hawk"))
    [declined] = bob.new()
    assert "Hawk declines the challenge" in declined["Subject"]
    assert says(bob.ask("CHALLENGE Hawk WITH Kestrel"), "Hawk has resigned")


def test_a_prisoner_flies_again_on_the_next_day(league: League) -> None:
    ann, bob = duel(league)
    ann.reply("SURRENDER", ann.last_about("[G"))
    ann.new()
    bob.reply("SCAN", bob.last_about("[G"))
    bob.new()
    ann.new()
    assert not league.game.running
    assert says(ann.ask("CHALLENGE Kestrel WITH Hawk"), "is a prisoner")
    assert says(bob.ask("CHALLENGE Hawk WITH Kestrel"), "is a prisoner")
    assert says(bob.ask("STATUS"), "Hawk is a prisoner")
    league.later(DAY)
    assert says(ann.ask("CHALLENGE Kestrel WITH Hawk"), "is on its way")


# Major battles


@pytest.mark.parametrize("when", ["before", "after"])
def test_a_major_battle_pays_once_a_moderator_approves(league: League, when: str) -> None:
    ann, bob = league.person("Ann"), league.person("Bob")
    for person, line in ((ann, FEDERATE.format("Hawk")), (bob, KESTREL)):
        person.join()
        person.ask(line)
    assert says(ann.ask("CHALLENGE Kestrel WITH Hawk FIRST me MAJOR"), "if the moderator agrees")
    [challenge] = bob.new()
    assert says(challenge, "proposed as a major one")
    bob.ask("ACCEPT 1")
    ann.new()
    assert league.game.major == "asked"
    if when == "before":
        league.service.ports.referee.career_entries.rule_major(league.game, True, league.now)
    end(ann, bob)
    if when == "after":
        assert "major" not in kinds(league, "Hawk")
        league.service.ports.referee.career_entries.rule_major(league.game, True, league.now)
        league.service.ports.referee.career_entries.rule_major(league.game, True, league.now)
        league.work()
        assert says(ann.last, "Fought in a major battle")
    assert kinds(league, "Hawk").count("major") == kinds(league, "Kestrel").count("major") == 1
    league.service.ports.referee.career_entries.rule_major(league.game, False, league.now)
    assert league.game.major == "approved"


def test_a_battle_that_is_declined_as_major_pays_nothing(league: League) -> None:
    ann, bob = duel(league)
    league.service.ports.referee.career_entries.rule_major(league.game, False, league.now)
    end(ann, bob)
    assert "major" not in kinds(league, "Hawk")


# The career log


def test_the_books_balance_after_a_duel(league: League) -> None:
    ann, bob = fought(league)
    for person, name in ((ann, "Hawk"), (bob, "Kestrel")):
        sums, flown = balance(league, name), pilot(league, name)
        assert sums["earned"] == flown.hp_total
        assert sum(sums.values()) == flown.hp
        assert kinds(league, name)[:2] == ["enlisted", "battle"]
        assert says(person.ask(f"SHEET {name}"), "CAREER", "game 1")
    assert sum(pilot(league, n).kills + pilot(league, n).prizes for n in ("Hawk", "Kestrel")) == 1


def test_deaths_and_awards_are_news(league: League) -> None:
    fought(league)
    news = [
        entry.kind
        for entry in league.store.all(Entry.select().where(Entry.news == True).order_by(Entry.id))
    ]
    assert news.count("enlisted") == 2
    assert news.count("died") == sum(pilot(league, n).dead for n in ("Hawk", "Kestrel"))


def test_help_tells_of_rewards_and_medals(league: League, rich: Person) -> None:
    assert says(rich.ask("HELP rewards"), "27 to 39")
    assert says(rich.ask("HELP medals"), "one endorser more")


def test_a_nomination_is_told_to_those_who_fought_there_and_may_endorse_it(league: League) -> None:
    people = melee(league)
    give_orders(people)
    people.work()
    fight_on(league, people)
    cid = member(league, "Cid", "Cid One")
    for person in people:
        person.new()
    cid.ask(f"NOMINATE Hawk IN {league.game.id}\n{STORY}")
    [told] = people.ann.new()
    assert says(told, "your pilot Hawk", "So we all came home.")
    [asked] = people.cleo.new()
    assert says(asked, "You fought in that battle, so your word counts")
    assert "ENDORSE 1" in links(asked)
    # Bob fought Hawk on that day, so that he is asked neither by letter nor by STATUS.
    assert people.bob.new() == []
    assert "NOMINATIONS" not in words(people.bob.ask("STATUS"))
    assert "NOMINATIONS TO ENDORSE" in words(people.cleo.ask("STATUS", asked))
    tap(people.cleo, asked, "ENDORSE 1")
    people.cleo.new()
    assert "NOMINATIONS" not in words(people.cleo.ask("STATUS"))
