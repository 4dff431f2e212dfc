"""Personas on one line each, as STATUS lists them."""

from collections.abc import Iterable
from functools import cache, partial
from typing import TypedDict

from engine.i18n import say
from engine.telling import View
from pbem.games import punctuality
from pbem.games.personas import campaign_of, piece_of, unfit
from pbem.handlers.pairing import bar, busy
from pbem.handlers.request import Request
from pbem.storage import Persona


class ListedPersona(TypedDict):
    """A persona on one line of STATUS; `bar` says why it can't fight now, or what it does.

    `foe` is the reader's own persona that may challenge it.
    """

    name: str
    player: str
    reliability: punctuality.Reliability
    system: str
    sheet: View
    bar: str
    foe: str


class PersonaLines:
    """Lists personas, one line each. What all lines need is looked up once."""

    def __init__(self, request: Request) -> None:
        """Look up what all lines need."""
        store = request.ports.store
        self._request = request
        bound = {"game__running": True, "game__practice": False, "left": None}
        self._fighting = {place.persona_id for place in store.places.all(**bound)}
        self._waiting = {patrol.persona_id for patrol in store.patrols.all(state="open")}
        mine = store.personas_of(request.player.id)
        self._free = [row for row in mine if not busy(request.ports, row, request.now)]
        self._reliability = cache(
            partial(punctuality.reliability, store, request.ports.settings.league)
        )

    def lines(self, rows: Iterable[Persona]) -> list[ListedPersona]:
        """Return some personas as they are listed."""
        return [self._line(row) for row in rows]

    def _line(self, row: Persona) -> ListedPersona:
        piece, campaign = piece_of(row), campaign_of(row)
        return {
            "name": row.name,
            "player": self._request.ports.store.players.get(row.player_id).name,
            "reliability": self._reliability(row.player_id),
            "system": row.system,
            "sheet": campaign.sheet(piece),
            "bar": unfit(row, self._request.ports.settings.league, self._request.now)
            or self._busy(row),
            "foe": self.foe(row),
        }

    def foe(self, row: Persona) -> str:
        """Return the name of the reader's first free persona that may fight another now, or ""."""
        ports, now = self._request.ports, self._request.now
        return next((one.name for one in self._free if not bar(ports, [[one], [row]], now)), "")

    def _busy(self, row: Persona) -> str:
        """Return what a persona that may fight is doing now, "" for nothing."""
        if row.id in self._fighting:
            return say("in battle")
        return say("on patrol") if row.id in self._waiting else ""
