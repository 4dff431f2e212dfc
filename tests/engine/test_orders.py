"""StarPilot orders as players write them: what is one, what nearly is, and what is story."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.errors import AmbiguousOrder, UnreadableOrder
from engine.ruleset import Near
from engine.seats import REFEREE, Seat
from engine.starpilot.model import Battle, Order
from engine.starpilot.rules import STARPILOT
from engine.starpilot.tables import COMMANDS
from engine.starpilot.written_orders import command_word, read
from tests.engine.battles import duel, fight, hawk, melee, pilot

DUEL, MELEE = duel().battle, melee().battle
HAWK = Seat("Hawk")


def found(line: str, battle: Battle | None = DUEL) -> str | None:
    """What is read in a line of Hawk's: `FIRE`, `near: FIRE`, or None for story."""
    result = read(battle, None if battle is None else HAWK, line)
    if isinstance(result, Near):
        return f"near: {result.hint}"
    return None if result is None else STARPILOT.format(result)


# Orders


@pytest.mark.parametrize("command", COMMANDS)
def test_every_command_stands_alone_in_any_case(command: str) -> None:
    for line in (command, command.lower(), command.title(), f"{command}!", f"2. {command}."):
        assert found(line) == found(line, None) == command


@pytest.mark.parametrize(
    ("word", "command"),
    [
        *[("DF", "DOGFIGHT"), ("df", "DOGFIGHT"), ("LNCH", "LAUNCH"), ("TGT", "TARGET")],
        *[("TARG", "TARGET"), ("Dogf", "DOGFIGHT"), ("PROT", "PROTECT"), ("PROTE", "PROTECT")],
        *[("SURR", "SURRENDER"), ("LAUN", "LAUNCH"), ("ESCA", "ESCAPE"), ("CLOS", "CLOSE")],
        *[("CLO", None), ("FIR", None), ("LAU", None), ("S", None), ("", None), ("FIRED", None)],
    ],
)
def test_short_forms_and_starts_of_four_letters(word: str, command: str | None) -> None:
    assert command_word(word) == command


@pytest.mark.parametrize(
    "line",
    [
        "FIRE AT Kestrel",
        "fire at kestrel",
        "FIRE Kestrel",
        "Fire at the Kestrel",
        "FIRE AT KÉSTREL",
        "FIRE AT Kes trel",
        'FIRE AT "Kestrel"',
        "FIRE AT ‘Kestrel’",
        "FIRE ON Kestrel, please",
        "Order 1: fire at Kestrel",
        "FIRE AT Kestrel  36 %  3 hits if not stopped",
        "FIRE AT Kestrel (36 %)",
        "FIRE AT Kestrel 36 %.",
        "FIRE AT Kestrel 36 in 100 strike them",
    ],
)
def test_a_name_is_known_however_it_is_written(line: str) -> None:
    assert found(line) == "FIRE Kestrel"


@pytest.mark.parametrize("command", ["CLOSE", "JINK", "SCAN", "EJECT", "HOLD"])
def test_a_command_that_names_nobody_ignores_the_opponent(command: str) -> None:
    assert found(f"{command} Kestrel") == command


@pytest.mark.parametrize(
    ("line", "order"),
    [
        ("TARGET Hawk", "TARGET Hawk"),
        ("fire at red baron", "FIRE red baron"),
        ("FIRE red baron", "FIRE red baron"),
        ("DF O’Brien", "DOGFIGHT O'Brien"),
        ("Launch at “Van der Valk”", "LAUNCH Van der Valk"),
        ("SURRENDER TO Ñandú", "SURRENDER Ñandú"),
        ("lnch T-800", "LAUNCH T-800"),
    ],
)
def test_without_a_battle_a_name_stands_as_it_was_written(line: str, order: str) -> None:
    assert found(line, None) == order


@pytest.mark.parametrize(
    "name",
    ["  padded  ", "SCAN", "At", "The Hawk", "Dr. No!", "a b c d e f g h i", "1. Hawk", "'x'"],
)
def test_a_canonical_order_is_read_whatever_the_name(name: str) -> None:
    battle = fight([hawk()], [pilot(name, "alliance"), pilot("Other", "alliance")]).battle
    for command in ("FIRE", "SURRENDER", "TARGET"):
        order = Order(command, name)
        assert STARPILOT.parse(battle, HAWK, STARPILOT.format(order)) == order


# Nearly orders


@pytest.mark.parametrize(
    ("line", "hint"),
    [
        ("TARGT Kestrel", "TARGET Kestrel"),
        ("FIRE Kestral", "FIRE Kestrel"),
        ("FRIE AT Kestrel", "FIRE Kestrel"),
        ("FIER", "FIRE"),
        ("FIRE: Kestrel", "FIRE Kestrel"),
        ("FIRE - Kestrel", "FIRE Kestrel"),
        ("Fire Kestrel, fast", "FIRE Kestrel"),
        ("FIRE AT Kestrel NOW", "FIRE Kestrel"),
        ("FIRE AT Merlin", "FIRE Kestrel"),
        ("FIRE 36%", "FIRE Kestrel"),
        ("FIRE AT", "FIRE Kestrel"),
        ("TARGET, FIRE", "TARGET Kestrel"),
        ("CLOSE CLOSE FIRE", "CLOSE"),
        ("SCAN NOW", "SCAN"),
        ("Fire now!", "FIRE Kestrel"),
        ("Fire at will!", "FIRE Kestrel"),
        ("HODL", "HOLD"),
        ("EJECTT", "EJECT"),
    ],
)
def test_a_near_miss_is_told_and_never_executed(line: str, hint: str) -> None:
    assert found(line) == f"near: {hint}"
    with pytest.raises(UnreadableOrder) as told:
        STARPILOT.parse(DUEL, HAWK, line)
    assert told.value.hint == hint


@pytest.mark.parametrize(
    "line",
    ["TARGT Kestrel", "FIRE AT", "TARGET, FIRE", "FIRE FIRE", "SCAN NOW", "FIRE 36%", "CLOSE SCAN"],
)
def test_a_near_miss_is_one_without_a_battle_too(line: str) -> None:
    assert (found(line, None) or "").startswith("near: ")


def test_a_near_miss_keeps_the_line_as_it_was_written() -> None:
    near = read(DUEL, HAWK, "  1. TARGT  Kestrel! ")
    assert near == Near("1. TARGT  Kestrel!", "TARGET Kestrel")


def test_among_several_opponents_one_must_be_named() -> None:
    with pytest.raises(AmbiguousOrder, match="Kestrel or Kite"):
        STARPILOT.parse(MELEE, HAWK, "FIRE")
    assert STARPILOT.parse(MELEE, HAWK, "FIRE AT Kite") == Order("FIRE", "Kite")
    assert STARPILOT.parse(MELEE, HAWK, "CLOSE") == Order("CLOSE")


def test_only_the_referee_rules() -> None:
    assert STARPILOT.parse(DUEL, REFEREE, "FORFEIT Hawk") == Order("FORFEIT", "Hawk")
    assert STARPILOT.parse(DUEL, REFEREE, "DRAW") == Order("DRAW")
    for line in ("DRAW", "FORFEIT Hawk"):
        assert found(line) is None
    with pytest.raises(UnreadableOrder):
        STARPILOT.parse(DUEL, REFEREE, "FIRE")


# Story

STORIES = """
Close behind him, Hawk grinned
Close enough to see the whites of their eyes
Close the hatch!
Closed the hatch behind me and prayed.
Closer and closer they came.
Close, but no cigar.
Open the pod bay doors
Open your eyes, Kestrel
Open wounds heal slowly.
Opening the throttle, he laughed.
Opened a bottle of Cardiff gin
Fire and smoke everywhere.
Fire in the hole!
Fire everywhere
Fire one
Fire burned along the hull
Fired up and ready to go.
Fires raged in the engine room
Fire, he thought, is a good servant.
Fire off a message to base
Target practice, he thought
Target acquired.
Target destroyed!
Target is moving fast
Target rich environment
Target the bridge, she ordered.
Targets everywhere.
Launch detected!
Launch window closing
Launch tubes are empty, sir
Launch party tonight
Launching was never his strong suit
Eject! Eject! Eject!
Eject the core
Ejection seats are for cowards
Escape is impossible
Escape was never his plan
Escape pods away
Escaping the nebula took all night.
Surrender is not in his vocabulary
Surrendering is for the Alliance
Surrender? We do not know that word here.
Hold on to your hat!
Hold your fire
Hold the line
Hold fast, men
Holding his breath, he waited.
Scan results came in
Scan the horizon
Scanning for lifeforms
Scanners show nothing but dust
Jink left, then right
Jinking madly, he survived
Jink like hell
Protect the convoy
Protect us, he prayed
Protecting the flank cost us dearly
Protection money is what they call it
ECM is down
ECM failing
Dogfight over Cardiff
Dogfight of the century
Dogfighting is an art
Dog tired, he slumped back
Dogs bark; the caravan moves on.
If only he knew what was coming: fire
If I fire, he dies.
Else he would have died.
Otherwise nothing happened.
Standing on the bridge, she watched.
End of story
I open the throttle and close in.
"Fire!" she shouted.
My target was Kestrel
He escapes.
Locked on Kestrel
Kestrel: FIRE is what you fear
Private thoughts fill the cockpit.
Salt water filled his lungs
""".strip().splitlines()


@pytest.mark.parametrize("line", STORIES)
def test_a_story_is_never_taken_for_an_order(line: str) -> None:
    assert found(line) is None
    assert found(line, None) is None


# In these an order is as likely meant as a story, so the player is asked.
@pytest.mark.parametrize("line", ["Hold steady", "Close one!", "Scan complete", "Cold.", "Hold on"])
def test_what_might_be_either_is_asked_about(line: str) -> None:
    assert not isinstance(read(DUEL, HAWK, line), Order)
    assert not isinstance(read(None, None, line), Order)


@given(st.text(max_size=500) | st.text("FIREATKestrel ,.:-'\"\n\t!1", max_size=60))
def test_any_line_is_read_without_a_fault(line: str) -> None:
    for battle, name in ((DUEL, HAWK), (None, None)):
        result = read(battle, name, line)
        if isinstance(result, Order):
            assert result.command in COMMANDS
            assert battle is None or result.at in (None, "Kestrel")


WORDS = st.sampled_from(
    [*COMMANDS, "at", "the", "Kestrel", "Kestral", "him", "and", "-", "1.", "!"]
)


@given(st.lists(WORDS, max_size=6).map(" ".join))
def test_an_order_that_is_read_is_read_again_from_its_canonical_text(line: str) -> None:
    result = read(DUEL, HAWK, line)
    if isinstance(result, Order):
        assert read(DUEL, HAWK, STARPILOT.format(result)) == result
        assert result.command.lower()[:2] in line.lower()
