"""Posts as people write them on boards of four kinds: their orders exactly, none from a quote."""

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from engine import codec
from engine.orders.orders_on_file import Sheet
from pbem.games.session import Session
from pbem.outgoing.questions import of_place
from tests.by_board.conftest import Duel, begun, play_there
from tests.by_board.test_accounts import place
from tests.support.board_league import BOARD, thread_of, work
from tests.support.each_board import Kind
from tests.support.harness import duel, open_league
from tests.support.post_samples import SAMPLES


@pytest.fixture(params=sorted({one.markup for one in SAMPLES}))
def written(request: pytest.FixtureRequest, kind: Kind, tmp_path: Path) -> Iterator[Duel]:
    """A duel on a board whose posts are of one markup."""
    kind.settings = replace(kind.settings, markup=request.param)  # type: ignore[call-arg, type-var]
    with open_league(tmp_path, limits={"letters_a_day": 1000}) as league:
        play_there(league, kind)
        yield begun(league, kind, *duel(league))


def test_a_post_orders_what_its_writer_has_ordered(written: Duel) -> None:
    league, thread = written.league, thread_of(written.league, written.league.game)
    markup = league.settings.channels[BOARD].markup  # type: ignore[attr-defined]
    tried = [one for one in SAMPLES if one.markup == markup]
    wrong = dict[str, tuple[list[str], list[str]]]()
    for sample in tried:
        written.later(0.01)
        written.server.post("ada", sample.source, thread)
        work(league)
        hawk = place(written, "Hawk")
        # Words that name an order in capitals let the referee ask about the others.
        asked = [line for one in of_place(league.store, hawk.id) for line in one.lines.split("\n")]
        found = [*codec.decode(hawk.sheet, Sheet).queue, *asked]
        if found != [*sample.orders]:
            wrong[sample.name] = (found, [*sample.orders])
        with league.store.transaction():
            session = Session(league.store, league.game)
            seat = session.seat_of(place(written, "Hawk").id)
            league.service.ports.referee.take_back(session, seat)
    assert len(tried) >= 5
    assert wrong == {}
