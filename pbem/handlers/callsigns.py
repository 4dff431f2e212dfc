"""Names that a new player's first pilot may have, for the welcome letter."""

from pbem.handlers import naming
from pbem.ports import Ports
from pbem.storage import Player

_NAMES = (
    "Falcon Osprey Condor Plover Heron Curlew Bittern Lapwing Gannet Petrel Sparrow Dunlin"
    " Goshawk Harrier Hobby Linnet Magpie Nightjar Oriole Pipit Raven Redstart Siskin Skylark"
    " Starling Swift Tern Thrush Turnstone Wagtail Warbler Whimbrel Woodcock Wryneck Avocet"
    " Bullfinch Buzzard Cormorant Dotterel Fulmar"
).split()


def callsign(ports: Ports, player: Player) -> str:
    """Return a name that is free, another one for each new player; at worst the player's own."""
    first = player.id % len(_NAMES)
    for name in _NAMES[first:] + _NAMES[:first]:
        taken = any(True for _ in naming.owners(ports.store, name))
        if not taken and naming.wrong(ports, name, player.id) is None:
            return name
    return player.name


def beginner(ports: Ports, player: Player) -> str | None:
    """Return a name for a player's first pilot, or None where the player has had one."""
    return None if ports.store.personas_of(player.id) else callsign(ports, player)
