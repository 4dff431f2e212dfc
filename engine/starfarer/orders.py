"""Plans as players write them, one phase a line: read, put together, parse and format."""

from collections.abc import Sequence

from engine.callings import Names, callings, find
from engine.codec import change
from engine.errors import UnreadableOrder
from engine.i18n import say
from engine.ruleset import Near
from engine.seats import REFEREE, Seat
from engine.starfarer.model import (
    UNARMED,
    Battle,
    Draw,
    End,
    Forfeit,
    Order,
    Plan,
    active,
    everybody,
    seats,
)
from engine.starfarer.reading import Known, Unclear, read_body
from engine.starfarer.vocabulary import VERBS, Token, name_text, tokens
from engine.starfarer.wording import phases, plan_text
from engine.words import LONGEST, clean, closest, is_prose

MOST_PHASES = 12
"""The most phases of a plan; nobody has as many in a round."""
_BEGINNINGS = (*VERBS, "IF", "ABORT", "KEEP")
_NAME_WORDS = 5


def read(battle: Battle | None, seat: Seat | None, line: str) -> Plan | Near | None:
    """Return what a player's own line says of a plan: a part of one, nearly one, or None for story.

    A part without a name belongs to the character named last, which `gather` finds out. Without a
    battle names stay as they were written.
    """
    return _find(battle, seat, line) if len(line) <= LONGEST else None


def _find(battle: Battle | None, seat: Seat | None, line: str) -> Plan | Near | None:
    # As it was written first, since cleaning would change an odd name.
    found = _read(battle, seat, line.strip())
    if not isinstance(found, Plan):
        cleaned = clean(line)
        again = _read(battle, seat, cleaned) if cleaned != line.strip() else None
        found = again or found
    return found


def _read(battle: Battle | None, seat: Seat | None, text: str) -> Plan | Near | None:
    own = None if battle is None or seat is None else _own(battle, seat)
    name, body = _parted(tokens(text), own)
    if name is None and not body:
        return None
    known = None if own is None or battle is None else _known(battle, name, own)
    who = "" if name is None else name if own is None else find(name, own)
    meant = (
        who
        if who is not None
        else own[near]
        if own and (near := closest(name or "", own))
        else None
    )
    if not body:
        return _alone(text, who, meant)
    begins = body[0].kind == "key" and body[0].text in _BEGINNINGS
    if not begins and (meant is None or name is None) and not _is_slip(body[0]):
        return None
    try:
        read_ = read_body(body, known)
    except Unclear as error:
        loud = body[0].written.isupper() and len(body[0].written) > 1
        if not begins or not (loud or name):
            return None
        return Near(text, error.why, why=True)
    if not begins and not read_.corrected:
        return None
    plan = Plan(_only(who, own), read_.entries, read_.abort, keep=read_.keep)
    if who is not None and not read_.corrected:
        return plan
    if meant is not None:
        return Near(text, plan_text(change(plan, character=_only(meant, own))))
    if is_prose((name or "").split(), 2) or not own:
        return None
    each = [plan_text(change(plan, character=one)) for one in dict.fromkeys(own.values())]
    return Near(text, " or ".join(each[:4]))


def _alone(text: str, who: str | None, meant: str | None) -> Plan | Near | None:
    """Return what a name and a colon alone on a line are."""
    if who:
        return Plan(who, ())
    return Near(text, f"{name_text(meant)}:") if meant else None


def _is_slip(token: Token) -> bool:
    """Return whether a word in capitals is nearly a verb."""
    return token.kind == "word" and token.text.isupper() and closest(token.text, VERBS) is not None


def _only(who: str | None, own: Names | None) -> str:
    """Return whom a part is for: who is named, or the only one whom a seat has."""
    if who or own is None or len(set(own.values())) != 1:
        return who or ""
    return next(iter(own.values()))


def _parted(found: list[Token], own: Names | None) -> tuple[str | None, list[Token]]:
    """Return the name before a part, None where there is none, and what stands behind it."""
    names = next((n for n, token in enumerate(found) if token.kind not in ("word", "quoted")), None)
    count = len(found) if names is None else names
    if 0 < count <= _NAME_WORDS and names is not None and found[names].text == ":":
        return " ".join(token.text for token in found[:count]), found[count + 1 :]
    name = " ".join(token.text for token in found[:count])
    if own and 0 < count <= _NAME_WORDS and names is not None and find(name, own) is not None:
        return name, found[count:]
    return None, found


def _own(battle: Battle, seat: Seat) -> Names:
    """Return what a seat's characters may be called; those who can't act now only if all can't."""
    mine = [name for name in everybody(battle) if battle.sheets[name].seat == seat]
    able = active(battle)
    return callings([n for n in mine if n in able] or mine, seats(battle))


def _known(battle: Battle, name: str | None, own: Names) -> Known:
    """Return whom and what a character may name in a plan."""
    every = everybody(battle)
    who = None if name is None else find(name, own)
    mine = [who] if who is not None else list(dict.fromkeys(own.values()))
    team = battle.sheets[mine[0]].team
    foes = [one for one in every if battle.sheets[one].team != team]
    mates = [one for one in every if battle.sheets[one].team == team]
    arms = [weapon.name for one in mine for weapon in battle.sheets[one].weapons]
    weapons = {weapon: weapon for weapon in (*arms, UNARMED.name)}
    owners = seats(battle)
    return Known(callings(foes, owners), callings(mates, owners), callings(every, owners), weapons)


def gather(battle: Battle | None, seat: Seat | None, texts: Sequence[str]) -> list[str | Near]:
    """Return the plans that the parts in a letter are of, one for each character.

    Parts without a name belong to the character that was named last. Each part is in the text that
    `read` returned. What is no whole plan comes back as a near miss.
    """
    plans: dict[str, Plan] = {}
    found: list[str | Near] = []
    last = ""
    for text in texts:
        part = parse_parts(battle, seat, text)
        last = part.character or last
        if not last and battle is not None and seat is not None:
            names = dict.fromkeys(_own(battle, seat).values())
            hint = " or ".join(plan_text(change(part, character=name)) for name in names)
            found.append(Near(text, hint))
            continue
        before = plans.get(last)
        plans[last] = change(part, character=last) if before is None else _joined(before, part)
    return [*found, *(_whole(plan) for plan in plans.values())]


def _joined(plan: Plan, part: Plan) -> Plan:
    """Return a plan with a further part of it."""
    return change(
        plan,
        entries=(*plan.entries, *part.entries),
        abort=part.abort or plan.abort,
        keep=plan.keep or part.keep,
    )


def _whole(plan: Plan) -> str | Near:
    text = plan_text(plan)
    if not plan.entries:
        return Near(text, say("a plan needs at least one phase, such as ATTACK or EVADE"), why=True)
    if len(plan.entries) > MOST_PHASES:
        many = say("a plan has at most {most} phases", most=MOST_PHASES)
        return Near(phases(plan)[MOST_PHASES], many, why=True)
    return text


def parse_parts(battle: Battle | None, seat: Seat | None, text: str) -> Plan:
    """Return a plan, or a part of one; raise UnreadableOrder."""
    found = _find(battle, seat, text)
    if isinstance(found, Near):
        raise UnreadableOrder(say("{text!r} is nearly an order", text=found.text), hint=found.hint)
    if found is None:
        raise UnreadableOrder(
            say("{text!r} is no order; write one like Kitai: ATTACK nearest", text=text.strip())
        )
    return found


def parse(battle: Battle, seat: Seat, text: str) -> Order:
    """Return one order of a seat; raise UnreadableOrder, never IllegalOrder."""
    if seat == REFEREE:
        return _ruling(text)
    plan = parse_parts(battle, seat, text)
    if not plan.entries or not plan.character:
        raise UnreadableOrder(
            say("{text!r} is no whole plan; write one like Kitai: ATTACK nearest", text=text)
        )
    return plan


def _ruling(text: str) -> Order:
    command, _, name = text.partition(" ")
    if command == "FORFEIT" and name:
        return Forfeit(Seat(name))
    if text in ("END", "DRAW"):
        return End() if text == "END" else Draw()
    raise UnreadableOrder(
        say(
            "{text!r} is no ruling; the rulings are {rulings}",
            text=text,
            rulings=["END", "DRAW", "FORFEIT"],
        )
    )


def format_order(order: Order) -> str:
    """Return an order in its canonical text: `Kitai: ATTACK Bo WITH 2500j; EVADE`."""
    if isinstance(order, Plan):
        return plan_text(order)
    return f"FORFEIT {order.seat}" if isinstance(order, Forfeit) else type(order).__name__.upper()
