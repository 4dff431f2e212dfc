"""What stands in for a part that is missing: rules that can't be loaded, or a campaign."""

from collections.abc import Mapping, Sequence
from typing import Any, NoReturn

from engine.campaign import Campaign, Change, Nouns, Persona, Standing
from engine.dice import Dice
from engine.errors import ForeignOrder, SetupError, UnreadableOrder
from engine.i18n import say
from engine.ruleset import AnyRuleset, Phase, Question, Ruleset
from engine.seats import Seat
from engine.telling import View

PLAYERS = Nouns(say("player"), say("players"), say("no player"))


def guests(ruleset: AnyRuleset) -> Campaign:
    """Return what stands for a campaign where players play a system as themselves.

    A guest has its player's name and no record. It may be in many games at once, and no game
    changes it.
    """

    def melee(
        ones: Sequence[Persona], others: Sequence[Persona], first: str | None
    ) -> dict[str, Any]:
        assert ruleset.match is not None
        return ruleset.match.setup([one.name for one in (*ones, *others)])

    return Campaign(
        enlist=_enlist,
        # Templates for all systems read `retired` and `owed` of any sheet.
        sheet=lambda persona: {"name": persona.name, "retired": False, "owed": None},
        standing=lambda persona: Standing((), {}),
        bar=lambda one, other: None,
        crowded=lambda others, new: None,
        duel=lambda one, other, first: melee((one,), (other,), first),
        melee=melee,
        available=lambda persona, day: None,
        gone=lambda persona: False,
        after=lambda persona, state, seat, day, out: Change(persona),
        resign=Change,
        sparring=_no_bot,
        fleets={},
        form="",
        nouns=PLAYERS,
    )


def _enlist(text: str) -> Persona:
    raise ForeignOrder(say("nobody enlists for this game"))


def _no_bot(persona: Persona, dice: Dice) -> Persona:
    raise ForeignOrder(say("nobody practises this game"))


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
