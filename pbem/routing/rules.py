"""Rules of the router: each returns the reason why its row takes a letter, or None."""

from unicodedata import normalize

from pbem import strangers
from pbem.handlers import addresses, bans, disowned, leaving, safeguards
from pbem.handlers.subscriptions import stopping, wished
from pbem.letters import is_address
from pbem.outgoing import reachability
from pbem.routing.incoming import Incoming

_LARGE = "larger than the league takes"
_UNPROVEN = "no valid token and no key"


def twin(incoming: Incoming) -> str | None:
    """Return a reason if the letter is a duplicate of an earlier one."""
    first = incoming.ports.store.twin(incoming.letter)
    return None if first is None else f"the same letter as number {first.id}"


def ends_reading(incoming: Incoming) -> str | None:
    """Return a reason if the letter ends a subscription to the newsletter."""
    return "ends a subscription" if stopping(incoming.ports, incoming.reading) else None


def reads(incoming: Incoming) -> str | None:
    """Return a reason if the letter is about the newsletter, and comes from no player."""
    wish = "" if incoming.is_members else wished(incoming.ports, incoming.reading)
    return f"is about the newsletter: {wish}" if wish else None


def overflowing(incoming: Incoming) -> str | None:
    """Return a reason if the letter is a stranger's, and exceeds the bytes a day for strangers."""
    store, size = incoming.ports.store, len(incoming.letter.content)
    fits = strangers.may_keep(store, incoming.ports.settings.limits, size, incoming.now)
    return None if fits or not is_strangers(incoming) else "more of strangers today than is kept"


def is_strangers(incoming: Incoming) -> bool:
    """Return whether nothing proves that somebody known to the league wrote the letter."""
    ports, reading = incoming.ports, incoming.reading
    if reading.klass == "bounce":
        return reachability.returned_by(ports.store, ports.settings, reading, incoming.now) is None
    if stopping(ports, reading) or addresses.claimant(ports, reading, incoming.now):
        return False
    if confirming(incoming):
        return False
    return not incoming.is_members or unproven(incoming) is not None


def machine(incoming: Incoming) -> str | None:
    """Return a reason if no person wrote the letter."""
    reading = incoming.reading
    if reading.klass == "refused" and reading.too_much and incoming.is_members:
        return None  # the rule `large` takes it, and its player is notified
    return reading.reason if reading.klass != "human" or reading.sender is None else None


def large(incoming: Incoming) -> str | None:
    """Return a reason if the letter is too large to be read, or has too much text."""
    if incoming.letter.truncated:
        return _LARGE
    lines, most = incoming.reading.text.count("\n") + 1, incoming.ports.settings.limits.lines
    if lines > most:
        return f"{lines} lines, and the league takes {most}"
    # Counted in the form in which they are parsed: one character may expand to eighteen.
    long = len(normalize("NFKC", incoming.reading.text))
    if long > (most := incoming.ports.settings.limits.characters):
        return f"{long} characters, and the league takes {most}"
    return incoming.reading.reason if incoming.reading.too_much else None


def banned(incoming: Incoming) -> str | None:
    """Return a reason if the writer is banned."""
    store, sender = incoming.ports.store, incoming.reading.sender
    known = incoming.known
    if known is not None and (known.banned or known.confirmed):
        is_so = known.banned
    else:
        # Another spelling of a banned player's mailbox must not get round the ban.
        is_so = sender is not None and (
            bans.shut_out(store, sender)
            or any(player.banned for player in strangers.holders(store, sender))
        )
    return "its writer is banned" if is_so else None


def banned_farewell(incoming: Incoming) -> str | None:
    """Return a reason if a banned player proves who they are, and leaves the league."""
    if (
        not incoming.is_members
        or not incoming.player.banned
        or not (incoming.token or incoming.keyed)
    ):
        return None
    language = incoming.ports.outbox.language(incoming.known)
    leaves = leaving.means_it(incoming.reading, language)
    return "is banned, and wants to leave" if leaves else None


def confirming(incoming: Incoming) -> str | None:
    """Return a reason if the letter confirms a new player's address."""
    unconfirmed = incoming.known is not None and not incoming.known.confirmed
    return "joined" if unconfirmed and incoming.valid_token("confirm") else None


def moving(incoming: Incoming) -> str | None:
    """Return a reason if the letter confirms another address of a player."""
    if (
        incoming.is_members
        or addresses.claimant(incoming.ports, incoming.reading, incoming.now) is None
    ):
        return None
    return "confirmed an address"


def undoing(incoming: Incoming) -> str | None:
    """Return a reason if the letter undoes a change of the player's address."""
    token = safeguards.undone(incoming.ports, incoming.reading, incoming.now)
    return None if token is None else "undoes a change of address"


def assuring(incoming: Incoming) -> str | None:
    """Return a reason if the letter confirms a change of the player's addresses or key."""
    order = safeguards.confirmed(incoming.ports, incoming.token, incoming.reading)
    return f"confirms {order.split()[0]}" if order else None


def unanswerable(incoming: Incoming) -> str | None:
    """Return a reason if no letter can be sent to a stranger's address."""
    sender = incoming.reading.sender or ""
    return None if incoming.is_members or is_address(sender) else "no letter can go to its address"


def outsider(incoming: Incoming) -> str | None:
    """Return a reason if no confirmed player has the sender's address."""
    return None if incoming.is_members else "it comes from no confirmed player's address"


def unproven(incoming: Incoming) -> str | None:
    """Return a reason if nothing proves who wrote the letter."""
    proven = incoming.token is not None or incoming.keyed or incoming.vouched
    return None if proven else _UNPROVEN


def releases(incoming: Incoming) -> str | None:
    """Return a reason if the letter confirms a held letter."""
    letter = disowned.held(incoming.ports, incoming.token, incoming.reading)
    return None if letter is None else f"confirms letter {letter.id}"


def doubtful(incoming: Incoming) -> str | None:
    """Return a reason if the sender's authentication failed, and the letter is to be held."""
    return disowned.doubtful(incoming.ports, incoming.player, incoming.letter, incoming.voucher)


def farewell(incoming: Incoming) -> str | None:
    """Return a reason if a player confirms that they leave the league."""
    leaves = incoming.token is not None and incoming.token.kind == leaving.TOKEN
    language = incoming.ports.outbox.language(incoming.known)
    return "left the league" if leaves and leaving.means_it(incoming.reading, language) else None


def flood(incoming: Incoming) -> str | None:
    """Return a reason if the player has sent too many letters today."""
    most = incoming.ports.settings.limits.letters_a_day
    sent = incoming.ports.store.counted_today(f"letters {incoming.player.id}", incoming.now)
    return "more letters today than a player may send" if sent >= most else None


def sealed(incoming: Incoming) -> str | None:
    """Return a reason if the letter is encrypted."""
    return "encrypted" if incoming.reading.encrypted else None


def proven(incoming: Incoming) -> str | None:
    """Return the reason why the letter counts as a person's; this last rule always returns one."""
    return incoming.reading.reason
