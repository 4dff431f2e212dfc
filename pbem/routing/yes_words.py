"""YES: whether a letter answers a question of ours."""

from collections.abc import Sequence

from engine.names import fold
from engine.orders.line_shapes import clean
from pbem.handlers.order_words import in_english
from pbem.routing.line_tests import is_order
from pbem.routing.marked_text import unseen

_LONGEST = 24
_YES = frozenset(
    fold(said)
    for said in (
        "yes,yep,yeah,sure,yes sure,ok,okay,y,of course,accepted,i accept,yes i accept,i do,"
        "yes i do,ja,jo,j,klar,ja klar,gern,gerne,ja gern,ja gerne,einverstanden,"
        "ich nehme an,angenommen"
    ).split(",")
)
"""What people answer to a question such as "Perhaps you meant SCAN?"."""


def is_yes(line: str) -> bool:
    """Return whether a line is a yes of any kind."""
    text = line.strip()
    return len(text) <= _LONGEST and fold(clean(text).replace(",", "")).strip("!.") in _YES


def beside_yes(
    written: Sequence[str], lines: str, language: str, writer: str, systems: tuple[str, ...]
) -> list[str] | None:
    """Return the other lines of a letter that says YES; None where it does not say so.

    YES is that word on a line of its own, or a line that repeats one of `lines`, in a letter
    without an order. Words such as ok and ja count where nothing else is said.
    """
    clear = {"YES", *lines.upper().splitlines()}
    said = [line for line in written if in_english(clean(line), language).upper() in clear]
    beside = [line for line in written if line not in said and not is_yes(line)]
    if not said and (len(beside) == len(written) or unseen(beside, writer)):
        return None
    return None if any(is_order(line, language, systems) for line in beside) else beside
