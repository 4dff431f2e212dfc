"""The words of an action, an entry and a plan: `IF ENGAGED: ATTACK WITH knife, ELSE EVADE`."""

from collections.abc import Iterator, Mapping

from engine.starfarer.model import Action, Choices, Entry, Plan
from engine.starfarer.vocabulary import CONDITIONS, VOCABULARY

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
