"""Open challenges: who is called to which battle, and whose word is still missing."""

from collections.abc import Iterable
from dataclasses import dataclass

from engine.i18n import say
from pbem.storage import Challenge, Persona, Store


@dataclass(frozen=True, slots=True)
class Offer:
    """A challenge with the pilots of both teams, each in the order named.

    A duel has one pilot a team. `silent` are those whose players have not said yes.
    """

    challenge: Challenge
    ones: tuple[Persona, ...]
    others: tuple[Persona, ...]
    silent: tuple[Persona, ...]

    @property
    def pilots(self) -> tuple[Persona, ...]:
        """Give all pilots, the challenger's team first."""
        return self.ones + self.others

    @property
    def is_duel(self) -> bool:
        """Tell whether it is one against one."""
        return len(self.pilots) == 2

    def of(self, player: int) -> list[Persona]:
        """Give the pilots of a player."""
        return [row for row in self.pilots if row.player_id == player]

    def names_of(self, player: int) -> list[str]:
        """Return the names of a player's pilots."""
        return [row.name for row in self.of(player)]

    def awaits(self, player: int) -> bool:
        """Tell whether a player's word is missing."""
        return any(row.player_id == player for row in self.silent)

    def made_by(self, player: int) -> bool:
        """Tell whether a player is the challenger."""
        return self.ones[0].player_id == player

    def players(self) -> list[int]:
        """Give the players, the challenger first."""
        return list(dict.fromkeys(row.player_id for row in self.pilots))


def listed(pilots: Iterable[Persona]) -> str:
    """Say pilots' names as one reads them: `Hawk, Falcon and Finch`."""
    *most, last = [row.name for row in pilots]
    return say("{most} and {last}", most=most, last=last) if most else last


def offer_of(store: Store, found: Challenge) -> Offer:
    """Give an open challenge with its pilots."""
    called = store.summons.all(challenge=found.id)
    if not called:
        one, other = store.personas.get(found.one_id), store.personas.get(found.other_id)
        return Offer(found, (one,), (other,), (other,))
    rows = [(call, store.personas.get(call.persona_id)) for call in called]
    return Offer(
        found,
        ones=tuple(row for call, row in rows if call.team == "one"),
        others=tuple(row for call, row in rows if call.team == "other"),
        silent=tuple(row for call, row in rows if not call.accepted),
    )


def open_to(store: Store, row: Persona) -> list[Offer]:
    """Give the open challenges that a pilot has a part in."""
    found = store.challenges.all(one=row.id, state="open")
    found += store.challenges.all(other=row.id, state="open")
    calls = store.summons.all(persona=row.id, challenge__state="open")
    found += [store.challenges.get(call.challenge_id) for call in calls]
    return [offer_of(store, one) for one in {one.id: one for one in found}.values()]
