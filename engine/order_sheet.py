"""A player's order sheet: a queue, IF rules and ELSE, for any system with legal orders."""

from dataclasses import dataclass

from engine.codec import Record
from engine.ruleset import Near


class Condition(Record, frozen=True):
    """One condition in its system's canonical text, perhaps denied."""

    text: str
    denied: bool = False


class Rule(Record, frozen=True):
    """An IF rule: its conditions, joined by AND, and the order that they lead to."""

    conditions: tuple[Condition, ...]
    order: str


class Sheet(Record, frozen=True):
    """What a player has ordered beforehand, in canonical texts.

    `otherwise` is the order after ELSE, or several, if each of a player's pieces has its own.
    """

    queue: tuple[str, ...] = ()
    rules: tuple[Rule, ...] = ()
    otherwise: str | tuple[str, ...] | None = None

    @property
    def elses(self) -> tuple[str, ...]:
        """Return the orders after ELSE."""
        if self.otherwise is None:
            return ()
        return (self.otherwise,) if isinstance(self.otherwise, str) else self.otherwise


@dataclass(frozen=True, slots=True)
class Written:
    """What a letter says: its queue, its standing part (None: it has none), and the rest.

    `story` may be quoted in public; `private` was below `PRIVATE` or `---`; `salts` go into the
    digest of the dice (dice.md).
    """

    queue: tuple[str, ...]
    standing: Sheet | None
    near: tuple[Near, ...]
    story: tuple[str, ...]
    private: tuple[str, ...] = ()
    salts: tuple[str, ...] = ()

    @property
    def empty(self) -> bool:
        """Whether the letter holds no order at all."""
        return not self.queue and self.standing is None


def rule_text(rule: Rule) -> str:
    """Return an IF rule in canonical text."""
    parts = " AND ".join(("NOT " if c.denied else "") + c.text for c in rule.conditions)
    return f"IF {parts}: {rule.order}"


def lines(sheet: Sheet) -> list[str]:
    """Return a sheet's rules and ELSE as lines; its queue is not among them."""
    rules = [rule_text(rule) for rule in sheet.rules]
    return [*rules, *(f"ELSE: {order}" for order in sheet.elses)]


def texts(sheet: Sheet) -> list[str]:
    """Return the orders of a sheet, from every part of it."""
    return [*sheet.queue, *(rule.order for rule in sheet.rules), *sheet.elses]


def merge(base: Sheet, written: Written) -> Sheet:
    """Return a sheet changed by a letter: a queue replaces the queue, STANDING the rules."""
    queue = written.queue or base.queue
    rules = base if written.standing is None else written.standing
    return Sheet(queue, rules.rules, rules.otherwise)
