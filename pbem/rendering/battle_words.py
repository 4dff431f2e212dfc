"""What happens in a battle, told by its system's templates alone, without a letter around it."""

from collections.abc import Sequence

from jinja2 import TemplateError

from engine.letter_texts import View
from pbem.rendering import Letters

_STEP = """
{%- import system ~ "/tell.j2" as tell %}{% import system ~ "/situation.j2" as situation -%}
{% for event in events %}{{ tell[event.type](event, view) }}{% endfor %}{{ situation.short(view) }}
"""


class Untold(Exception):
    """An event or a situation that a system's templates can't tell."""


def tell(letters: Letters, system: str, events: Sequence[object], view: View) -> str:
    """Return what some events, as plain values, led to, in the script of letters.

    Raise Untold where a template, a macro or a fact is missing.
    """
    try:
        return letters.from_string(_STEP).render(system=system, events=events, view=view)
    except TemplateError as error:
        raise Untold(str(error)) from None
