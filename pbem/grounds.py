"""On what grounds a row of the desk takes a letter: a sentence, or None if it leaves it."""

from unicodedata import normalize

from pbem import strangers
from pbem.case import Case
from pbem.league import addresses, bans, doubts, leaving, safeguards
from pbem.league.subscriptions import stopping, wished
from pbem.letters import is_address
from pbem.outgoing import reach

_LARGE = "larger than the league takes"
_UNPROVEN = "no valid token and no key"


def twin(case: Case) -> str | None:
    """Say that the very same letter was answered before."""
    first = case.office.store.twin(case.letter)
    return None if first is None else f"the same letter as number {first.id}"


def ends_reading(case: Case) -> str | None:
    """Say that it ends a subscription to the newsletter."""
    return "ends a subscription" if stopping(case.office, case.reading) else None


def reads(case: Case) -> str | None:
    """Say that it is about the newsletter, and comes from no player."""
    wish = "" if case.is_members else wished(case.office, case.reading)
    return f"is about the newsletter: {wish}" if wish else None


def overflowing(case: Case) -> str | None:
    """Say that it is a stranger's, and more than is kept of strangers' letters in a day."""
    store, size = case.office.store, len(case.letter.content)
    fits = strangers.may_keep(store, case.office.settings.limits, size, case.now)
    return None if fits or not is_strangers(case) else "more of strangers today than is kept"


def is_strangers(case: Case) -> bool:
    """Tell whether nothing proves that somebody wrote it whom the league knows."""
    office, reading = case.office, case.reading
    if reading.klass == "bounce":
        return reach.returned_by(office.store, office.settings, reading, case.now) is None
    if stopping(office, reading) or addresses.claimant(office, reading, case.now):
        return False
    if confirming(case):
        return False
    return not case.is_members or unproven(case) is not None


def machine(case: Case) -> str | None:
    """Say that no person wrote it."""
    reading = case.reading
    if reading.klass == "refused" and reading.too_much and case.is_members:
        return None  # it is a player's, who is told
    return reading.reason if reading.klass != "human" or reading.sender is None else None


def large(case: Case) -> str | None:
    """Say that it was too large to be read, or that it holds too much."""
    if case.letter.truncated:
        return _LARGE
    lines, most = case.reading.text.count("\n") + 1, case.office.settings.limits.lines
    if lines > most:
        return f"{lines} lines, and the league takes {most}"
    # Counted as they are read: a single sign may stand for eighteen letters.
    long = len(normalize("NFKC", case.reading.text))
    if long > (most := case.office.settings.limits.characters):
        return f"{long} characters, and the league takes {most}"
    return case.reading.reason if case.reading.too_much else None


def banned(case: Case) -> str | None:
    """Say that its writer is banned."""
    store, sender = case.office.store, case.reading.sender
    known = case.known
    if known is not None and (known.banned or known.confirmed):
        is_so = known.banned
    else:
        is_so = sender is not None and (
            bans.shut_out(store, sender)
            or any(player.banned for player in strangers.holders(store, sender))
        )
    return "its writer is banned" if is_so else None


def banned_farewell(case: Case) -> str | None:
    """Say that a banned player proves who they are, and leaves."""
    if not case.is_members or not case.player.banned or not (case.token or case.keyed):
        return None
    language = case.office.outbox.language(case.known)
    leaves = leaving.means_it(case.reading, language)
    return "is banned, and wants to leave" if leaves else None


def confirming(case: Case) -> str | None:
    """Say that it confirms a new player's address."""
    unconfirmed = case.known is not None and not case.known.confirmed
    return "joined" if unconfirmed and case.valid_token("confirm") else None


def moving(case: Case) -> str | None:
    """Say that it confirms a player's other address."""
    if case.is_members or addresses.claimant(case.office, case.reading, case.now) is None:
        return None
    return "confirmed an address"


def undoing(case: Case) -> str | None:
    """Say that it undoes a change of the player's address."""
    token = safeguards.undone(case.office, case.reading, case.now)
    return None if token is None else "undoes a change of address"


def assuring(case: Case) -> str | None:
    """Say that it confirms a change of the player's addresses or key."""
    order = safeguards.confirmed(case.office, case.token, case.reading)
    return f"confirms {order.split()[0]}" if order else None


def unanswerable(case: Case) -> str | None:
    """Say that no letter can go back to a stranger's address."""
    sender = case.reading.sender or ""
    return None if case.is_members or is_address(sender) else "no letter can go to its address"


def outsider(case: Case) -> str | None:
    """Say that no confirmed player has its address."""
    return None if case.is_members else "it comes from no confirmed player's address"


def unproven(case: Case) -> str | None:
    """Say that nothing proves who wrote it."""
    proven = case.token is not None or case.keyed or case.vouched
    return None if proven else _UNPROVEN


def releases(case: Case) -> str | None:
    """Say that it confirms a letter that is held."""
    letter = doubts.held(case.office, case.token, case.reading)
    return None if letter is None else f"confirms letter {letter.id}"


def doubtful(case: Case) -> str | None:
    """Say that the mail server doubts its sender."""
    return doubts.doubtful(case.office, case.player, case.letter, case.voucher)


def farewell(case: Case) -> str | None:
    """Say that a player who was asked leaves the league."""
    leaves = case.token is not None and case.token.kind == leaving.TOKEN
    language = case.office.outbox.language(case.known)
    return "left the league" if leaves and leaving.means_it(case.reading, language) else None


def flood(case: Case) -> str | None:
    """Say that its player has written too much today."""
    most = case.office.settings.limits.letters_a_day
    sent = case.office.store.counted_today(f"letters {case.player.id}", case.now)
    return "more letters today than a player may send" if sent >= most else None


def sealed(case: Case) -> str | None:
    """Say that it is encrypted."""
    return "encrypted" if case.reading.encrypted else None


def proven(case: Case) -> str | None:
    """Say that it is a player's letter, and how that was seen."""
    return case.reading.reason
