"""Rules by which a game waits whose system can't be loaded any more."""

from collections.abc import Mapping, Sequence
from typing import Any, NoReturn

from engine.errors import SetupError, UnreadableOrder
from engine.i18n import say
from engine.letter_texts import View
from engine.ruleset import AnyRuleset, Phase, Question, Ruleset
from engine.seats import Seat


def unloaded(system: str, seats: Sequence[Seat] = ()) -> AnyRuleset:
    """Return rules by which a game of some seats waits until its system can be loaded again.

    They take no order and show no event, because nobody knows who may learn of it.
    """

    def refused(state: Any, *given: Any) -> NoReturn:
        raise UnreadableOrder(say("the rules of {system} can't be loaded", system=system))

    def setup(data: Any) -> NoReturn:
        raise SetupError(f"system: the rules of {system!r} can't be loaded")

    # Without rulings: none could be carried out without the rules.
    question = Question(say("its rules can't be loaded any more; what becomes of it"), ())
    return Ruleset(
        key=system,
        title=system,
        version=0,
        credits="",
        state=object,
        event=Any,
        setup=setup,
        teams=lambda state: {seat: (seat,) for seat in seats},
        # While a ruling is awaited nobody owes an order, so nobody loses by default.
        phase=lambda state: Phase(tuple(seats), {}, awaiting=question),
        offers=lambda state, seat: (),
        refusal=lambda state, seat, order: str(question.text),
        cautious=refused,
        read=lambda state, seat, line: None,
        parse=refused,
        format=str,
        resolve=_nothing,
        apply=lambda state, event: state,
        audience=lambda event: (),
        view=lambda state, seat: _view(seats, seat),
    )


def _nothing(state: Any, orders: Mapping[Seat, Sequence[Any]], dice: Any) -> tuple[Any, tuple[()]]:
    return state, ()


def _view(seats: Sequence[Seat], seat: Seat | None) -> View:
    names = [{"name": one} for one in seats]
    return {"me": seat, "mates": [], "teams": names, "pilots": names}
