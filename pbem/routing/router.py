"""The router: a table of rules, read from top to bottom, that decides how a letter is handled.

Each rule returns the reason why its row takes a letter, or None.
"""

from collections.abc import Iterator, Sequence
from dataclasses import asdict, replace
from datetime import datetime
from unicodedata import normalize

from engine.i18n import say
from pbem.channels.mail.mime_writer import is_address
from pbem.handlers.accounts import leaving
from pbem.handlers.accounts.subscriptions import wished
from pbem.handlers.moderator import unproven_letters
from pbem.handlers.order_words import says
from pbem.handlers.ports import Ports
from pbem.handlers.request import Answer, Verdict
from pbem.outgoing import strangers
from pbem.people import bans, players
from pbem.routing import actions, board_router, chat_router, repeating_machines
from pbem.routing.answer_to_orders import answer as write_answer
from pbem.routing.board_message import Posted
from pbem.routing.chat_message import Chatted
from pbem.routing.incoming import Incoming
from pbem.routing.line_kinds import Lines
from pbem.routing.marked_text import unseen
from pbem.routing.order_dispatch import carry_out_orders
from pbem.routing.rule_row import Read, Rule
from pbem.storage import Letter, stored_letters
from pbem.storage.store import NOBODY

UNANSWERED = "unanswered letters with a token"
"""What is counted for a day: letters that got no answer, though they carry a valid token.

The single value of that name is the number of the latest.
"""
_LARGE = "larger than the league takes"
_RELEASED = Answer(True, say("the letter that you were asked about has been read"))
_UNPROVEN = "no valid token and no key"


def handle(ports: Ports, letter: Letter, now: datetime) -> Verdict:
    """Route a letter: find its row, act on it, queue the answer, and return the verdict.

    The caller opens the transaction.
    """
    incoming = opened(ports, letter, now)
    if isinstance(incoming, Posted):
        *_, (posted_row, why) = tried(_rows_for(incoming), incoming)
        verdict = posted_row.act(incoming, why or "")
        return verdict if verdict.player else replace(verdict, player=_writer(incoming))
    *_, (row, why) = tried(ROWS, incoming)
    # A letter that was cut to its header takes no space of the day's limit.
    if row.find is not overflowing and incoming.from_stranger:
        sender = incoming.reading.sender or ""
        strangers.count_kept(ports.store, sender, len(letter.content), now)
    verdict = row.act(incoming, why or "")
    incoming.count_wrong_keys()
    if verdict.state == "discarded" and verdict.klass != "duplicate" and incoming.wants_answer:
        ports.store.count_today(UNANSWERED, now)
        ports.store.set_meta(UNANSWERED, str(letter.id))
    return verdict if verdict.player else replace(verdict, player=_writer(incoming))


def opened(ports: Ports, letter: Letter, now: datetime) -> Incoming:
    """Return what came, by mail or on a board, with what the rules ask about it."""
    if not letter.channel:
        return Incoming(ports, letter, now)
    channel = ports.settings.channels.get(letter.channel)
    return (Chatted if channel and channel.live else Posted)(ports, letter, now)


def _rows_for(posted: Posted) -> Sequence[Rule[Posted]]:
    """Return the rules for a message on a board, or for a line in a chat room."""
    return chat_router.ROWS if isinstance(posted, Chatted) else board_router.ROWS


def _writer(incoming: Incoming) -> int | None:
    """Return the player whose address a letter came from, so that it is erased with them.

    Nothing proves that they wrote it.
    """
    # Another delivery is known by its bytes, and not read.
    if "reading" not in vars(incoming):
        first = incoming.first_delivery
        return incoming.ports.store.get(Letter, first).player_id if first else None
    return incoming.known.id if incoming.known else None


class NoLonger(Exception):
    """A letter waits no more as it was read: somebody has dropped or erased it meanwhile."""


def answer(ports: Ports, letter: Letter, now: datetime) -> Verdict:
    """Answer a letter, save the verdict on it, and return that. Raises NoLonger.

    The caller opens the transaction, and undoes it if this raises anything.
    """
    verdict = handle(ports, letter, now)
    settle(ports, letter, verdict, now)
    return verdict


def settle(ports: Ports, letter: Letter, verdict: Verdict, now: datetime) -> None:
    """Save the verdict on a letter. Raises NoLonger."""
    settled = asdict(verdict) | {"handled": now, "tries": 0, **NOBODY}
    if not stored_letters.change(ports.store, letter, **settled):
        raise NoLonger(f"letter {letter.id} is not {letter.state} any more")


def rows_tried(incoming: Incoming) -> Iterator[tuple[str, str | None]]:
    """Yield the name of each row with its reason, up to the first row that takes the letter."""
    if isinstance(incoming, Posted):
        yield from ((row.name, why) for row, why in tried(_rows_for(incoming), incoming))
    else:
        yield from ((row.name, why) for row, why in tried(ROWS, incoming))


def tried(rows: Sequence[Rule[Read]], incoming: Read) -> Iterator[tuple[Rule[Read], str | None]]:
    """Yield each row with its reason, up to and including the first row that takes the letter."""
    for row in rows:
        why = row.find(incoming)
        yield row, why
        if why is not None:
            return


def duplicate(incoming: Incoming) -> str | None:
    """Return a reason if the letter is a duplicate of an earlier one."""
    first = incoming.first_delivery or incoming.first_copy
    return None if first is None else f"the same letter as number {first}"


def ends_subscription(incoming: Incoming) -> str | None:
    """Return a reason if the letter ends a subscription to the newsletter."""
    return "ends a subscription" if incoming.stopped else None


def about_newsletter(incoming: Incoming) -> str | None:
    """Return a reason if the letter is about the newsletter, and its writer is not a player."""
    wish = "" if incoming.from_member else wished(incoming.ports, incoming.reading)
    return f"is about the newsletter: {wish}" if wish else None


def overflowing(incoming: Incoming) -> str | None:
    """Return a reason if the letter is a stranger's, and exceeds the bytes a day for strangers."""
    if not incoming.from_stranger:
        return None
    ports, size = incoming.ports, len(incoming.letter.content)
    sender = incoming.reading.sender or ""
    fits = strangers.may_keep(ports.store, ports.settings.limits, sender, size, incoming.now)
    return None if fits else "more of strangers today than is kept"


def machine(incoming: Incoming) -> str | None:
    """Return a reason if no person wrote the letter."""
    reading = incoming.reading
    if reading.klass == "refused" and reading.too_much and incoming.from_member:
        return None  # the rule `large` takes it, and its player is notified
    return reading.reason if reading.klass != "human" or reading.sender is None else None


def is_unanswered(incoming: Incoming) -> bool:
    """Return whether a letter gets no answer at all: a machine's, or that of somebody banned."""
    if incoming.letter.channel:
        return not incoming.from_member or incoming.player.banned
    return bool(machine(incoming) or banned(incoming))


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
            bans.is_banned(store, sender)
            or any(player.banned for player in players.holders(store, sender))
        )
    return "its writer is banned" if is_so else None


def banned_farewell(incoming: Incoming) -> str | None:
    """Return a reason if a banned player proves who they are, and leaves the league."""
    if (
        not incoming.from_member
        or not incoming.player.banned
        or not (incoming.token or incoming.keyed)
    ):
        return None
    asked = incoming.question
    means_it = asked is not None and asked.lines == leaving.WORDS
    leaves = means_it or says(incoming.reading, leaving.WORDS, incoming.language)
    return "is banned, and wants to leave" if leaves else None


def confirming(incoming: Incoming) -> str | None:
    """Return a reason if the letter confirms a new player's address."""
    return "joined" if incoming.joins else None


def moving(incoming: Incoming) -> str | None:
    """Return a reason if the letter confirms another address of a player."""
    claims = not incoming.from_member and incoming.claimant is not None
    return "confirmed an address" if claims else None


def undoing(incoming: Incoming) -> str | None:
    """Return a reason if the letter undoes a change of the player's address."""
    return None if incoming.undone is None else "undoes a change of address"


def unanswerable(incoming: Incoming) -> str | None:
    """Return a reason if no letter can be sent to a stranger's address."""
    sender = incoming.reading.sender or ""
    return None if incoming.from_member or is_address(sender) else "no letter can go to its address"


def outsider(incoming: Incoming) -> str | None:
    """Return a reason if no confirmed player has the sender's address."""
    return None if incoming.from_member else "it comes from no confirmed player's address"


def repeats(incoming: Incoming) -> str | None:
    """Return a reason if the letter says the same as others this week, and orders nothing."""
    same = repeating_machines.are_repeated(incoming)
    return "said the same often enough this week, and orders nothing" if same else None


def unproven(incoming: Incoming) -> str | None:
    """Return a reason if nothing proves who wrote the letter."""
    return None if incoming.proven else _UNPROVEN


def doubtful(incoming: Incoming) -> str | None:
    """Return a reason if the sender's authentication failed, and the letter is to be held."""
    ports = incoming.ports
    if ports.settings.authentication.failed != "hold" or incoming.authentication.word != "fail":
        return None
    # Its question's token proves more than the authentication of its sender does.
    if incoming.question is not None and incoming.question.letter_id is not None:
        return None
    trusted = unproven_letters.is_trusted(ports.store, incoming.player, incoming.letter)
    return None if trusted else incoming.authentication.why


def confirming_question(incoming: Incoming) -> str | None:
    """Return a reason if the letter answers a question of ours by YES."""
    asked = incoming.question
    if asked is None:
        return None
    return f"says YES to {asked.lines!r}" if asked.lines else f"confirms letter {asked.letter_id}"


def flood(incoming: Incoming) -> str | None:
    """Return a reason if the player has sent too many letters today."""
    most = incoming.ports.settings.limits.letters_a_day
    sent = incoming.ports.store.counted_today(f"letters {incoming.player.id}", incoming.now)
    return "more letters today than a player may send" if sent >= most else None


def encrypted(incoming: Incoming) -> str | None:
    """Return a reason if the letter is encrypted."""
    return "encrypted" if incoming.reading.encrypted else None


def person(incoming: Incoming) -> str | None:
    """Return the reason why the letter counts as a person's; this last rule always returns one."""
    return incoming.reading.reason


def obey(incoming: Incoming, why: str) -> Verdict:
    """Carry out the orders in the letter of a confirmed player."""
    request, token = incoming.request(), incoming.token
    turn = token.turn if token is not None and request.place is not None else None
    repeating_machines.note(incoming)
    carry_out_orders(request, incoming.text, turn)
    return Verdict("answered", "human", why, incoming.player.id)


def confirm(incoming: Incoming, why: str) -> Verdict:
    """Carry out what the letter confirms by YES: a held letter, or some orders."""
    asked = incoming.question
    assert asked is not None
    if asked.letter_id is None:
        return actions.confirm(incoming, why)
    ports, beside = incoming.ports, incoming.beside
    # With this mark the letter counts as authenticated, so that no rule holds it again.
    letter = unproven_letters.confirmed(ports, ports.store.get(Letter, asked.letter_id))
    released = answer(ports, letter, incoming.now)
    ports.counts["letters", released.klass] += 1
    if unseen(beside, incoming.player.name):
        write_answer(incoming.request(), Lines(answers=[_RELEASED.facts("YES")], words=beside))
    return Verdict("answered", "human", why, incoming.player.id)


# The order matters: rows below "no player yet" may use `Incoming.player` (rows above it only
# after `from_member`), and only rows below "no proof" may do what a player orders.
ROWS: tuple[Rule[Incoming], ...] = (
    # First, so that a second delivery causes nothing, no matter who sent it.
    Rule("duplicate", duplicate, actions.drop_duplicate),
    # Above what machines send: mail programs unsubscribe for their users (RFC 8058).
    Rule("end of the newsletter", ends_subscription, actions.end_subscription),
    Rule("more of strangers' letters than is kept", overflowing, actions.cut),
    Rule("not a person's letter", machine, actions.drop_machine),
    # Above "banned", so that no ban keeps anybody's data in the league.
    Rule("a banned player's farewell", banned_farewell, actions.let_go),
    Rule("banned", banned, actions.file_away),
    Rule("too large", large, actions.tell_too_large),
    Rule("a strange address", unanswerable, actions.discard),
    # These four may come from addresses without a confirmed player.
    Rule("confirmation", confirming, actions.welcome),
    Rule("a change undone", undoing, actions.undo),
    Rule("a new address", moving, actions.move),
    Rule("newsletter's reader", about_newsletter, actions.answer_reader),
    Rule("no player yet", outsider, actions.answer_stranger),
    Rule("the same words again", repeats, actions.drop_repeated),
    Rule("no proof", unproven, actions.refuse),
    Rule("disowned", doubtful, actions.hold),
    # Above the next, since no flood of letters may prevent leaving and confirming.
    Rule("an answer to a question", confirming_question, confirm),
    Rule("too many today", flood, actions.refuse_flood),
    Rule("encrypted", encrypted, actions.cannot_open),
    Rule("a player's letter", person, obey),
)
