"""A player's sheet: the queue, the IF rules, ELSE, and what else a letter says (orders.md)."""

import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.codec import decode, encode
from engine.errors import UnreadableOrder
from engine.orders.orders_on_file import (
    Choice,
    Condition,
    Rule,
    Sheet,
    Written,
    choices,
    choose,
    lines,
    merge,
)
from engine.orders.reading import read_for
from engine.seats import Seat
from engine.starpilot.rules import STARPILOT
from tests.engine.battles import (
    NO,
    SPEED,
    STRUCTURE,
    YES,
    Fight,
    duel,
    fight,
    hawk,
    kestrel,
    melee,
    met,
    pilot,
)
from tests.engine.test_orders import STORIES
from tests.support.processor_time import quiet

HAWK, KESTREL = Seat("Hawk"), Seat("Kestrel")

LETTER = """
TARGET
FIRE AT Kestrel
STANDING
  IF FIRED ON: JINK
  IF LAUNCHED AT: ECM
  IF TARGETED: JINK
  IF STRUCTURE <= 1 AND SHOT AT: EJECT
  IF EXTREME: ESCAPE
  IF LOCKED: FIRE
  ELSE: TARGET
END
"""


def written(text: str, battle: Fight | None = None) -> Written:
    """Hawk's letter."""
    return read_for(STARPILOT, (battle or met()).battle, HAWK, text)


def sheet(text: str) -> Sheet:
    """The sheet that Hawk's letter makes."""
    return merge(Sheet(), written(text))


def chosen(battle: Fight, text: str, seat: Seat = HAWK) -> Choice | None:
    """What a sheet orders now."""
    return choose(STARPILOT, battle.battle, seat, sheet(text))


def source(battle: Fight, text: str, seat: Seat = HAWK) -> str:
    """The order that a sheet leads to now and where it is from."""
    choice = chosen(battle, text, seat)
    return f"{choice.source}: {STARPILOT.format(choice.order)}" if choice else "wait"


# Reading


def test_the_letter_of_orders_md() -> None:
    read = written(LETTER)
    assert read.queue == ("TARGET", "FIRE Kestrel")
    assert (read.near, read.words, read.salts) == ((), (), ())
    assert read.standing is not None
    assert lines(read.standing) == [
        "IF FIRED ON: JINK",
        "IF LAUNCHED AT: ECM",
        "IF TARGETED: JINK",
        "IF STRUCTURE <= 1 AND SHOT AT: EJECT",
        "IF EXTREME: ESCAPE",
        "IF LOCKED: FIRE",
        "ELSE: TARGET",
    ]


def test_a_sheet_is_read_again_from_its_lines() -> None:
    read = written(LETTER).standing
    assert read is not None
    assert written("\n".join(["STANDING", *lines(read), "END"])).standing == read
    assert decode(encode(read), Sheet) == read


@pytest.mark.parametrize(
    "line",
    [
        "IF FIRED ON AND NOT NEAR: JINK",
        "if fired on & not near then jink.",
        "- If Fired On and Not Near -> Jink!",
        "2) IF FIRED ON AND NOT NEAR : please jink",
        "IF FIRED ON AND NOT NEAR → JINK",
        "IF FIRED\N{NO-BREAK SPACE}ON AND NOT NEAR: JINK",
    ],
)
def test_a_rule_is_read_however_it_is_written(line: str) -> None:
    rule = Rule((Condition("FIRED ON"), Condition("NEAR", denied=True)), "JINK")
    assert written(f"STANDING ORDERS:\n{line}\nEND").standing == Sheet((), (rule,), None)
    assert written(line).standing == Sheet((), (rule,), None)


@pytest.mark.parametrize("line", ["ELSE: JINK", "ELSE JINK", "else:jink", "Otherwise: jink."])
def test_else_is_read_however_it_is_written(line: str) -> None:
    assert written(f"STANDING\n{line}").standing == Sheet((), (), "JINK")


@pytest.mark.parametrize("line", ["STANDING NONE", "Standing orders: none.", "standing none"])
def test_standing_none_clears_the_rules_and_no_queue(line: str) -> None:
    base = Sheet(("FIRE",), (Rule((Condition("NEAR"),), "JINK"),), "TARGET")
    assert merge(base, written(line)) == Sheet(("FIRE",), (), None)
    assert written(f"STANDING\nIF NEAR: JINK\nELSE: TARGET\n{line}").standing == Sheet()


def test_standing_stays_until_replaced_and_so_does_the_queue() -> None:
    base = sheet(LETTER)
    assert merge(base, written("JINK")) == Sheet(("JINK",), base.rules, base.otherwise)
    rule = Rule((Condition("NEAR"),), "JINK")
    assert merge(base, written("STANDING\nIF NEAR: JINK\nEND")) == Sheet(base.queue, (rule,), None)
    assert merge(base, written("Nothing but a story.")) == base


@pytest.mark.parametrize("text", ["STANDING", "STANDING\nEND", "STANDING\nIF FIERD ON: JINK\nEND"])
def test_a_standing_part_without_one_readable_rule_changes_nothing(text: str) -> None:
    assert written(text).standing is None
    assert written(text).empty


def test_orders_after_end_are_queued_again() -> None:
    assert written("STANDING\nIF NEAR: JINK\nEND\nFIRE").queue == ("FIRE",)


@pytest.mark.parametrize(
    "line",
    [
        "IF FIERD ON: JINK",
        "IF FIRED ON: JNK",
        "IF FIRED ON AND TIRED: JINK",
        "IF FIRED ON: RUN AWAY",
        "IF FIRED ON JINK",
        "WHEN FIRED ON: JINK",
        "UNLESS NEAR: JINK",
        "ELSE",
        "ELSE: TARGT",
        "ELSE: RUN AWAY",
        "OTHERWISE",
        "FIRE",
    ],
)
def test_what_nearly_is_a_rule_is_told_and_the_others_count(line: str) -> None:
    read = written(f"STANDING\n{line}\nIF NEAR: OPEN\nEND")
    assert len(read.near) == 1
    assert read.near[0].text == line
    assert (read.queue, read.words) == ((), ())
    assert read.standing is not None
    assert lines(read.standing) == ["IF NEAR: OPEN"]


def test_a_near_miss_says_what_was_perhaps_meant() -> None:
    assert "LAUNCHED AT" in written("STANDING\nIF LAUNHCED AT: ECM").near[0].hint
    assert written("STANDING\nELSE: TARGT").near[0].hint == "ELSE: TARGET"


@pytest.mark.parametrize(
    ("written_so", "meant"),
    [
        ("STRUCTURE < 1", "STRUCTURE <= 0"),
        ("ENEMY SHIELDS = 1", "ENEMY SHIELDS <= 1"),
        ("STRUCTURE > 1", "NOT STRUCTURE <= 1"),
        ("STRUCTURE >= 2", "NOT STRUCTURE <= 1"),
        ("TURN > 3", "TURN >= 4"),
        ("TURN < 3", "NOT TURN >= 3"),
        ("TURN <= 3", "NOT TURN >= 4"),
        ("turn=3", "TURN >= 3"),
    ],
)
def test_a_number_compared_in_another_way_is_asked_about(written_so: str, meant: str) -> None:
    [near] = written(f"STANDING\nIF {written_so}: ECM").near
    assert near.hint == f"{written_so!r} is not a condition; perhaps {meant}"
    assert written(f"STANDING\nIF {meant}: ECM").near == ()


@pytest.mark.parametrize("line", ["IF NOT NEAR AND LOCKED FIRE AT Kestrel", "IF SHOT AT JINK"])
def test_a_rule_without_its_colon_is_told_the_form_of_rules(line: str) -> None:
    for text in (line, f"STANDING\n{line}\nEND"):
        read = written(text)
        assert [(near.text, near.why) for near in read.near] == [(line, True)]
        assert "IF condition: order" in read.near[0].hint
        assert read.empty


@pytest.mark.parametrize(
    "line",
    [
        "IF NEAR: FIRE, IF FAR: SCAN, ELSE: TARGET",
        "STANDING IF NEAR: FIRE ELSE: SCAN END",
        "STANDING sound, SCAN",
        "if near: fire, if far: scan",
    ],
)
def test_rules_on_one_line_are_no_words(line: str) -> None:
    read = written(line)
    assert (len(read.near), read.words) == (1, ())
    assert read.empty


def test_an_if_line_with_neither_a_condition_nor_an_order_is_words() -> None:
    assert written("If only he knew: he would run").words == ("If only he knew: he would run",)


def test_a_near_miss_tells_a_reason_from_an_order() -> None:
    assert [near.why for near in written("IF FAST: FIRE\nTARGT").near] == [True, False]


def test_a_near_miss_leaves_the_other_orders_of_the_letter() -> None:
    read = written("TARGET\nTARGT Kestrel\nFIRE Kestral\nFIRE\nThat will teach them.")
    assert read.queue == ("TARGET", "FIRE")
    assert [near.hint for near in read.near] == ["TARGET Kestrel", "FIRE Kestrel"]
    assert read.words == ("That will teach them.",)


@pytest.mark.parametrize("line", STORIES)
def test_a_story_line_orders_nothing(line: str) -> None:
    for battle in (met().battle, None):
        read = read_for(STARPILOT, battle, HAWK if battle else None, line)
        assert read.empty
        assert read.salts == ()
        assert (read.words == (line,)) is (read.near == ())


def test_the_order_form_counts_where_it_is_filled_in() -> None:
    form = "Order 1: FIRE\nOrder 2: ____\nOrder 3: __JINK__\nSALT ____\nIF ____: ____\nELSE: ___\n"
    assert written(form) == Written(("FIRE", "JINK"), None, (), ())


def test_an_order_form_that_nobody_filled_in_is_nothing_at_all() -> None:
    assert written("Order 1: ______\nOrder 2: ______\n") == Written((), None, (), ())


def test_story_keeps_its_paragraphs() -> None:
    assert written("\n\nOne.\n  Two.\n\nThree.\n\n").words == ("One.", "  Two.", "", "Three.")


@pytest.mark.parametrize(
    ("line", "salt"),
    [
        ("SALT seven green cats.", "seven green cats."),
        ("  SALT   x  y ", "x  y"),
        ("SALT: 42", "42"),
        ("salt r4nd0m", "r4nd0m"),
        ("SALT " + "x" * 200, "x" * 200),
        ("SALT FIRE", "FIRE"),
    ],
)
def test_salts_are_collected_as_they_are(line: str, salt: str) -> None:
    assert written(f"{line}\nJINK\nSALT two") == Written(("JINK",), None, (), (), (salt, "two"))


def test_salts_that_are_too_long_or_too_many_are_refused() -> None:
    read = written("\n".join(["SALT " + "x" * 201, *(f"SALT {n}" for n in range(1000)), "JINK"]))
    assert (read.queue, read.words) == (("JINK",), ())
    assert read.salts == tuple(str(n) for n in range(10))
    assert [(near.text[:9], str(near.hint), near.why) for near in read.near] == [
        ("SALT xxxx", "a SALT has at most 200 characters, so it does not count", True),
        ("SALT 10", "at most 10 SALT lines count; this one and those below it do not", True),
    ]


@pytest.mark.parametrize("line", ["SALT", "Salt water filled his lungs", "A SALT"])
def test_what_is_no_salt_is_story(line: str) -> None:
    assert written(line) == Written((), None, (), (line,))


@given(st.text() | st.text("IFELSEANDOTN:->_ \nfireSTANDINGNONE", max_size=200))
def test_any_text_is_read_without_a_fault(text: str) -> None:
    read = written(text)
    for order in read.queue:
        STARPILOT.parse(met().battle, HAWK, order)
    choose(STARPILOT, met().battle, HAWK, merge(Sheet(), read))


@pytest.mark.parametrize(
    "piece",
    ["IF ", "IF NEAR AND ", ":", "- ", "FIRE ", "x,", "_", "SALT ", "\n", "IF NEAR: FIRE\n"],
)
def test_long_letters_take_no_time(piece: str) -> None:
    began = time.process_time()
    written("STANDING\n" + piece * (200_000 // len(piece)))
    assert quiet(time.process_time() - began) < 5


# Choosing


def test_the_queue_comes_first_then_rules_then_else() -> None:
    rules = "STANDING\nIF FAR: CLOSE\nELSE: SCAN"
    assert source(met(), f"TARGET\n{rules}") == "queue: TARGET"
    assert source(met(), f"FIRE\n{rules}") == "rule 1: CLOSE"
    assert source(met(), rules) == "rule 1: CLOSE"
    assert source(near(), f"FIRE\n{rules}") == "else: SCAN"


def test_the_first_rule_that_holds_and_is_legal_counts() -> None:
    text = "STANDING\nIF EXTREME: OPEN\nIF FAR: FIRE\nIF FAR: CLOSE\nIF FAR: OPEN"
    assert source(met(), text) == "rule 3: CLOSE"
    choice = chosen(met(), text)
    assert choice is not None
    assert choice.passed == (("FIRE", "no lock"),)


def test_a_queue_is_used_up_one_a_turn_in_order() -> None:
    first = chosen(met(), "TARGET\nFIRE")
    assert first is not None
    assert first.sheet.queue == ("FIRE",)
    locked = met().turns("Hawk TARGET", "Kestrel SCAN")
    second = choose(STARPILOT, locked.battle, HAWK, first.sheet)
    assert second is not None
    assert (second.source, second.sheet.queue) == ("queue", ())


@pytest.mark.parametrize(
    ("rules", "came_from"), [("ELSE: SCAN", "else"), ("IF FAR: CLOSE", "rule 1")]
)
def test_a_queued_order_that_is_not_legal_stays_queued_and_says_why(
    rules: str, came_from: str
) -> None:
    choice = chosen(met(), f"FIRE\nTARGET\nSTANDING\n{rules}")
    assert choice is not None
    assert (choice.source, choice.sheet.queue) == (came_from, ("FIRE", "TARGET"))
    assert choice.passed == (("FIRE", "no lock"),)


@pytest.mark.parametrize("text", ["", "FIRE", "STANDING\nIF NEAR: CLOSE\nELSE: FIRE"])
def test_without_a_legal_order_the_referee_waits(text: str) -> None:
    assert source(met(), text) == "wait"


def test_an_order_without_a_name_is_passed_over_among_several() -> None:
    choice = choose(STARPILOT, melee().battle, HAWK, Sheet(("TARGET",), (), "SCAN"))
    assert choice is not None
    assert choice.passed == (("TARGET", "bad target"),)


def test_all_conditions_of_a_rule_must_hold() -> None:
    assert source(met(), "STANDING\nIF FAR AND NEUTRAL: CLOSE") == "rule 1: CLOSE"
    assert source(met(), "STANDING\nIF FAR AND ADVANTAGE: CLOSE") == "wait"
    assert source(met(), "STANDING\nIF FAR AND NOT ADVANTAGE: CLOSE") == "rule 1: CLOSE"


# Conditions


def near() -> Fight:
    return met().turns("Hawk CLOSE", "Kestrel SCAN")


def extreme() -> Fight:
    return met().turns("Hawk SCAN", "Kestrel OPEN")


def fired_on() -> Fight:
    return met().turns("Hawk DOGFIGHT", "Kestrel SCAN", "Hawk FIRE")


def launched_at() -> Fight:
    return met().turns("Hawk SCAN", "Kestrel DOGFIGHT", "Hawk SCAN", "Kestrel LAUNCH")


def hit() -> Fight:
    return fired_on().turn("Kestrel SCAN", NO, STRUCTURE)


CONDITIONS = [
    ("UNDETECTED", HAWK, duel(), met()),
    ("FIRED ON", KESTREL, fired_on(), launched_at()),
    ("LAUNCHED AT", HAWK, launched_at(), fired_on()),
    ("SHOT AT", KESTREL, fired_on(), met()),
    ("SHOT AT", HAWK, launched_at(), fired_on()),
    ("TARGETED", KESTREL, met().turns("Hawk TARGET"), met()),
    ("TARGETED", HAWK, met().turns("Hawk SCAN", "Kestrel TARGET"), met().turns("Hawk TARGET")),
    ("LOCKED", HAWK, met().turns("Hawk TARGET", "Kestrel SCAN"), met()),
    ("ADVANTAGE", HAWK, met().turns("Hawk DOGFIGHT"), met()),
    ("ADVANTAGE", KESTREL, launched_at(), met().turns("Hawk DOGFIGHT")),
    ("DISADVANTAGE", HAWK, launched_at(), met().turns("Hawk DOGFIGHT")),
    ("NEUTRAL", HAWK, met(), launched_at()),
    ("NEAR", HAWK, near(), met()),
    ("FAR", HAWK, met(), near()),
    ("EXTREME", HAWK, extreme(), met()),
    ("STRUCTURE <= 2", KESTREL, hit(), fired_on()),
    ("ENEMY STRUCTURE <= 2", HAWK, hit(), fired_on()),
    ("MISSILES <= 0", HAWK, met(), met(hawk(ship="Angela 313A"))),
    ("SPEED <= -1", HAWK, launched_at().turn("Hawk SCAN", NO, *[SPEED] * 3), met()),
    ("TURN >= 2", HAWK, met(), duel()),
]


@pytest.mark.parametrize(("text", "seat", "yes", "no"), CONDITIONS, ids=lambda v: str(v)[:20])
def test_each_condition_both_ways(text: str, seat: Seat, yes: Fight, no: Fight) -> None:
    assert STARPILOT.conditions.read(text) == text
    assert STARPILOT.conditions.holds(yes.battle, seat, text)
    assert not STARPILOT.conditions.holds(no.battle, seat, text)


def test_every_condition_of_orders_md_is_tried() -> None:
    tried = {text for text, *_ in CONDITIONS}
    names = "UNDETECTED,FIRED ON,LAUNCHED AT,SHOT AT,TARGETED,LOCKED,ADVANTAGE,DISADVANTAGE,NEUTRAL"
    assert {*names.split(","), "NEAR", "FAR", "EXTREME", "TURN >= 2"} <= tried


def test_among_several_one_is_enough_but_neutral_and_extreme_want_all() -> None:
    start = melee().turns("Hawk DOGFIGHT Kite", "Harrier SCAN", "Kestrel CLOSE", "Kite OPEN")
    start = start.turns("Hawk SCAN", "Harrier SCAN", "Kestrel SCAN", "Kite DOGFIGHT Hawk")
    for text in ("NEAR", "DISADVANTAGE"):
        assert STARPILOT.conditions.holds(start.battle, HAWK, text)
    for text in ("NEUTRAL", "EXTREME", "FAR"):
        assert not STARPILOT.conditions.holds(start.battle, HAWK, text)


def test_enemy_stats_are_those_of_any_active_opponent() -> None:
    start = fight([hawk()], [kestrel(), pilot("Kite", "alliance", ship="Rus 133-B")])
    assert STARPILOT.conditions.holds(start.battle, HAWK, "ENEMY MISSILES <= 0")
    gone = start.turns("Hawk SCAN", "Kestrel SCAN").turn("Kite SURRENDER")
    assert not STARPILOT.conditions.holds(gone.battle, HAWK, "ENEMY MISSILES <= 0")


@pytest.mark.parametrize(
    ("written_as", "canonical"),
    [
        ("structure<=1", "STRUCTURE <= 1"),
        ("Structure ≤ 1", "STRUCTURE <= 1"),
        ("enemy beams <= 0", "ENEMY BEAMS <= 0"),
        ("turn>=10", "TURN >= 10"),
        ("fired  on", "FIRED ON"),
        ("SPEED <= -1", "SPEED <= -1"),
    ],
)
def test_conditions_have_one_canonical_text(written_as: str, canonical: str) -> None:
    assert STARPILOT.conditions.read(written_as) == canonical


@pytest.mark.parametrize("text", ["", "NEER", "LUCK <= 1", "TURN <= 3", "SPEED < 1", "SPEED <= x"])
def test_what_is_no_condition_is_refused(text: str) -> None:
    with pytest.raises(UnreadableOrder):
        STARPILOT.conditions.read(text)


def test_a_seat_that_is_one_piece_has_one_choice() -> None:
    written = sheet("FIRE\nTARGET\nSTANDING\nIF FAR: TARGET")
    battle = met().battle
    assert choices(STARPILOT, battle, HAWK, written) == [
        chosen(met(), "FIRE\nTARGET\nSTANDING\nIF FAR: TARGET")
    ]
    queued = choices(STARPILOT, battle, HAWK, sheet("TARGET\nFIRE"))
    assert [(c.source, c.sheet.queue) for c in queued] == [("queue", ("FIRE",))]
    assert choices(STARPILOT, battle, HAWK, sheet("FIRE")) == []


@pytest.mark.parametrize(
    ("line", "meant"),
    [
        ("IF ADVANTAGE: FIER Kestrel", "IF ADVANTAGE: FIRE Kestrel"),
        ("IF NOT NEAR AND LOCKED: FIER Kestrel", "IF NOT NEAR AND LOCKED: FIRE Kestrel"),
        ("ELSE: FIER Kestrel", "ELSE: FIRE Kestrel"),
    ],
)
def test_a_mistyped_order_is_suggested_with_its_condition(line: str, meant: str) -> None:
    [near] = written(f"STANDING\n{line}\nEND").near
    assert near.meant == (meant,)


@pytest.mark.parametrize("doctrine", ["sound", "bold", "careful"])
def test_a_doctrine_follows_an_opponent_who_alone_is_out_of_reach(doctrine: str) -> None:
    # ADVANTAGE holds, no shot is legal, and the range to the other opponent is not Extreme.
    opened = melee().turns("Hawk PROTECT", "Harrier PROTECT", "Kestrel OPEN", "Kite PROTECT")
    behind = opened.turns("Hawk DOGFIGHT Kestrel", "Harrier PROTECT", "Kestrel PROTECT")
    battle = behind.turn("Kite PROTECT", YES).battle
    assert STARPILOT.doctrines is not None
    rules = "\n".join(STARPILOT.doctrines(battle, HAWK, doctrine))
    choice = choose(STARPILOT, battle, HAWK, sheet(rules))
    assert choice is not None
    assert STARPILOT.format(choice.order) == "CLOSE"
