"""Plans as players write them, one phase a line: read, put together, parsed and formatted."""

from collections.abc import Callable, Iterator, Mapping, Sequence

from engine.codec import change
from engine.i18n import Said, say
from engine.names import Names, callings, find
from engine.orders.phrase_parser import Token
from engine.orders.piece_orders import Asked, Parts, ruling
from engine.ruleset import Near
from engine.seats import REFEREE, Seat
from engine.starfarer.grammar import Known, read_body
from engine.starfarer.model import (
    UNARMED,
    Action,
    Battle,
    Choices,
    Done,
    Draw,
    End,
    Entry,
    Forfeit,
    Free,
    Heal,
    Order,
    Plan,
    active,
    characters_of,
    everybody,
    is_present,
    seats,
)
from engine.starfarer.tables import AREAS, SHOCK
from engine.starfarer.vocabulary import CONDITIONS, VOCABULARY
from engine.starfarer.wounds import is_treatable

_CONDITIONS = {condition: word for word, condition in CONDITIONS.items()}
_WORDS: Mapping[str, str] = {"aim": "AIM AT"}


def words(action: Action) -> str:
    """Return an action in words, without its condition: `ATTACK Bo WITH 2500j`."""
    return " ".join(_parts(action))


def _parts(action: Action) -> Iterator[str]:
    if action.do == "move":
        if action.toward is None:
            yield f"MOVE TO {action.to}"
        else:
            yield f"MOVE TOWARD {_name(action.toward)}"
        return
    yield _WORDS.get(action.do, action.do.upper())
    if action.do == "treat":
        yield str(action.area)
        if action.at is not None:
            yield f"OF {VOCABULARY.name_text(action.at)}"
    elif action.at is not None:
        yield _name(action.at)
    if action.weapon is not None:
        yield f"WITH {VOCABULARY.name_text(action.weapon)}"
    if action.arm is not None:
        yield f"{action.arm} hand"
    if action.within is not None:
        yield f"WITHIN {action.within}"
    if action.finish:
        yield "FINISH"


def _name(name: str) -> str:
    return name if name == "nearest" else VOCABULARY.name_text(name)


def choices_text(choices: Choices) -> str:
    """Return an action and what to do else: `IF CLEAR: HOLD, ELSE EVADE`."""
    return ", ELSE ".join(
        words(one) if one.when is None else f"IF {_CONDITIONS[one.when]}: {words(one)}"
        for one in choices
    )


def entry_text(entry: Entry) -> str:
    """Return what is done in one phase."""
    return " AND ".join(map(choices_text, entry))


def phases(plan: Plan) -> list[str]:
    """Return a plan's lines without its character: one for each phase, then ABORT and KEEP."""
    lines = [entry_text(entry) for entry in plan.entries]
    if plan.abort is not None:
        lines.append(f"ABORT: {plan.abort.upper()}")
    return [*lines, "KEEP"] if plan.keep else lines


def plan_text(plan: Plan) -> str:
    """Return a plan on one line: `Kitai: ATTACK Bo WITH 2500j; EVADE; KEEP`."""
    head = f"{VOCABULARY.name_text(plan.character)}: " if plan.character else ""
    return (head + "; ".join(phases(plan))).strip()


MOST_PHASES = 12
"""The most phases of a plan; nobody has as many in a round."""


def _own(battle: Battle, seat: Seat) -> Names:
    """Return what a seat's characters may be called; the dead and gone only if all of them are.

    The unconscious are among them, so that standing orders can say what they do once awake.
    """
    mine = characters_of(battle, seat)
    present = [name for name in mine if is_present(battle.bodies[name])]
    # Where all are gone their names are still read, so that the refusal can say why.
    return callings(present or mine, seats(battle))


def _able(battle: Battle, seat: Seat) -> list[str]:
    """Return a seat's characters that can act now; all of them if none can."""
    mine, able = characters_of(battle, seat), active(battle)
    # A plan without a name is for the only one who can act.
    return [name for name in mine if name in able] or mine


def _barred(battle: Battle, seat: Seat, called: str) -> Said | None:
    """Return why a seat can't order who is called so, and is not its own or is out of it."""
    name = find(called, callings(everybody(battle), seats(battle)))
    if name is None:
        return None
    if battle.sheets[name].seat != seat:
        return say("{name} is not yours", name=name)
    return say(
        "{name} is out of the fight: {fate}", name=name, fate=_FATES[battle.bodies[name].fate]
    )


_FATES = {"dead": say("dead"), "surrendered": say("surrendered"), "left": say("left")}


def _body(tokens: Sequence[Token], asked: Asked[Battle] | None) -> tuple[Plan, bool]:
    found = read_body(tokens, None if asked is None else _known(asked))
    return Plan("", found.entries, found.abort, keep=found.keep), found.corrected


def _known(asked: Asked[Battle]) -> Known:
    """Return whom and what a character may name in a plan."""
    battle, own = asked.state, asked.own
    every = everybody(battle)
    who = None if asked.who is None else find(asked.who, own)
    mine = [who] if who is not None else list(dict.fromkeys(own.values()))
    team = battle.sheets[mine[0]].team
    foes = [one for one in every if battle.sheets[one].team != team]
    mates = [one for one in every if battle.sheets[one].team == team]
    arms = [weapon.name for one in mine for weapon in battle.sheets[one].weapons]
    weapons = {weapon: weapon for weapon in (*arms, UNARMED.name)}
    owners = seats(battle)
    return Known(
        callings(foes, owners),
        callings(mates, owners),
        callings(every, owners),
        weapons,
        {mate: _treatments(battle, mine[0] if len(mine) == 1 else "", mate) for mate in mates},
    )


def _treatments(battle: Battle, who: str, mate: str) -> list[str]:
    """Return the orders to treat what needs it."""
    sheet, body = battle.sheets[mate], battle.bodies[mate]
    needed = [area for area in (*AREAS, SHOCK) if is_treatable(sheet, body, area)]
    return [plan_text(Plan(who, (((Action("treat", at=mate, area=one),),),))) for one in needed]


# People write one phase a line; each line is read as a part of a plan (decision 0031).
def _joined(plan: Plan, part: Plan) -> Plan:
    """Return a plan with a further part of it."""
    return change(
        plan,
        entries=(*plan.entries, *part.entries),
        abort=part.abort or plan.abort,
        keep=plan.keep or part.keep,
    )


def _fault(plan: Plan) -> Near | None:
    """Return why a plan is not whole, or None."""
    if not plan.entries:
        text = plan_text(plan)
        return Near(text, say("a plan needs at least one phase, such as ATTACK or EVADE"), why=True)
    if len(plan.entries) > MOST_PHASES:
        many = say("a plan has at most {most} phases", most=MOST_PHASES)
        # The first line that is too many is shown, so that its writer sees where to stop.
        return Near(phases(plan)[MOST_PHASES], many, why=True)
    return None


_PARTS: Parts[Battle, Plan] = Parts(
    vocabulary=VOCABULARY,
    own=_own,
    able=_able,
    barred=_barred,
    body=_body,
    piece=lambda plan: plan.character,
    named=lambda plan, name: change(plan, character=name),
    empty=lambda name: Plan(name, ()),
    text=plan_text,
    joined=_joined,
    fault=_fault,
    example="Kitai: ATTACK nearest",
)
read = _PARTS.read
gather = _PARTS.gather
parse_parts = _PARTS.parse


_ABOUT: dict[str, Callable[[str], Heal | Free]] = {"HEAL": Heal, "FREE": Free}


def parse(battle: Battle, seat: Seat, text: str) -> Order:
    """Return one order of a seat; raise UnreadableOrder, never IllegalOrder."""
    if seat == REFEREE:
        word, _, name = text.partition(" ")
        # The referee's names are written whole, as in the question that the league asks.
        if word in _ABOUT and name in battle.sheets:
            return _ABOUT[word](name)
        if text == "DONE":
            return Done()
        return ruling(text, End(), Draw(), Forfeit)
    return _PARTS.parse_whole(battle, seat, text)


def format_order(order: Order) -> str:
    """Return an order in its canonical text: `Kitai: ATTACK Bo WITH 2500j; EVADE`."""
    if isinstance(order, Plan):
        return plan_text(order)
    if isinstance(order, Heal | Free):
        return f"{type(order).__name__.upper()} {order.character}"
    return f"FORFEIT {order.seat}" if isinstance(order, Forfeit) else type(order).__name__.upper()
