"""The router: a table of rules, read from top to bottom, that decides how a letter is handled."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from datetime import datetime
from hashlib import sha256

from engine.budget import Budget
from engine.i18n import say
from pbem import identity, strangers
from pbem.handlers import addresses, disowned, joining, leaks, leaving, safeguards
from pbem.handlers.request import Answer, Request
from pbem.handlers.subscriptions import serve, stop
from pbem.handlers.verdict import Verdict
from pbem.intake import new_text, our_texts
from pbem.outgoing import reachability
from pbem.people import readers
from pbem.ports import Ports
from pbem.routing import battle_orders, rules
from pbem.routing.incoming import Incoming
from pbem.routing.order_dispatch import Lines, answer, entry, placed, sort
from pbem.storage import Letter, Place, Token

_ENCRYPTED = say(
    "your letter is encrypted, and the referee has no key to read it; write plain text"
)


@dataclass(frozen=True, slots=True)
class Row:
    """One row: its name, the rule that returns why it takes a letter, and the action."""

    name: str
    find: Callable[[Incoming], str | None]
    act: Callable[[Incoming, str], Verdict]


def handle(ports: Ports, letter: Letter, now: datetime) -> Verdict:
    """Route a letter: find its row, act on it, queue the answer, and return the verdict.

    The caller opens the transaction.
    """
    incoming = Incoming(ports, letter, now)
    row, why = list(looks(incoming))[-1]
    # A letter that was cut to its header takes no space of the day's limit.
    if row.find is not rules.overflowing and rules.is_strangers(incoming):
        strangers.count_kept(ports.store, len(letter.content), now)
    verdict = row.act(incoming, why or "")
    incoming.count_wrong_keys()
    return verdict


def settle(ports: Ports, letter: Letter, verdict: Verdict, now: datetime) -> None:
    """Save the verdict on a letter, and count it for the metrics."""
    ports.counts["letters", verdict.klass] += 1
    ports.store.letters.change(
        letter.id,
        state=verdict.state,
        klass=verdict.klass,
        reason=verdict.reason,
        player=verdict.player,
        handled=now,
        tries=0,
        in_hand=False,
    )


def looks(incoming: Incoming) -> Iterator[tuple[Row, str | None]]:
    """Yield each row with its reason, up to and including the first row that takes the letter."""
    for row in ROWS:
        why = row.find(incoming)
        yield row, why
        if why is not None:
            return


def _drop_twin(incoming: Incoming, why: str) -> Verdict:
    return Verdict("discarded", "duplicate", why)


def _cut(incoming: Incoming, why: str) -> Verdict:
    """Keep only the header of a letter, and do nothing with it, now or in a replay."""
    store, kept = incoming.ports.store, strangers.head(incoming.letter.content)
    store.letters.cut(incoming.letter.id, kept)
    # The hash must fit the content that is kept, which a replay reads instead.
    store.letters.change(incoming.letter.id, truncated=True, sha256=sha256(kept).hexdigest())
    return Verdict("discarded", "dropped", why)


def _stop(incoming: Incoming, why: str) -> Verdict:
    return stop(incoming.ports, incoming.letter, incoming.reading, incoming.now)


def _serve(incoming: Incoming, why: str) -> Verdict:
    return serve(incoming.ports, incoming.letter, incoming.reading, incoming.now)


def _drop_machine(incoming: Incoming, why: str) -> Verdict:
    """Discard a letter from a machine; record a bounce for the player whose letter it returns."""
    ports, reading = incoming.ports, incoming.reading
    if reading.klass == "bounce":
        received = incoming.letter.received
        player = reachability.returned_by(ports.store, ports.settings, reading, received)
        if player is not None:
            reachability.note(
                ports.store, player.id, reading.bounce_kind, incoming.letter.sha256, received
            )
            why = f"{why}; a {reading.bounce_kind} bounce of a letter to player {player.id}"
            return Verdict("discarded", "bounce", why, player.id)
    return Verdict("discarded", incoming.reading.klass, why)


def _discard(incoming: Incoming, why: str) -> Verdict:
    return Verdict("discarded", "refused", why)


def _file_away(incoming: Incoming, why: str) -> Verdict:
    return Verdict("filed", "refused", why, incoming.known.id if incoming.known else None)


def _too_large(incoming: Incoming, why: str) -> Verdict:
    """Notify a player, but no stranger, that a letter was too large.

    Without a token that happens only so many times a day, because the sender may be forged.
    """
    if not incoming.is_members or (incoming.token is None and _was_told(incoming)):
        return Verdict("discarded", "refused", why)
    limits = incoming.ports.settings.limits
    text = say(
        "Your letter is larger than {most} KiB, so it was not read and nothing in it was"
        " done. Please send it again without pictures or other files.",
        most=limits.letter_bytes // 1024,
    )
    if not incoming.letter.truncated:
        text = say(
            "Your letter holds more than the referee reads of one, so nothing in it was done."
            " Please send it again as plain text, with at most {most} lines of your own, and"
            " {characters} characters.",
            most=limits.lines,
            characters=limits.characters,
        )
    incoming.ports.outbox.write(
        incoming.player,
        "notice",
        incoming.now,
        ident=(incoming.letter.sha256,),
        answering=incoming.letter.message_id,
        title=say("Your letter was too large"),
        text=text,
    )
    return Verdict("answered", "refused", why, incoming.player.id)


def _welcome(incoming: Incoming, why: str) -> Verdict:
    """Confirm a new player and send the key; or ask for another name if it has been taken."""
    player = joining.confirm(
        incoming.ports, incoming.letter, incoming.reading, incoming.player, incoming.now
    )
    if player is None:
        return Verdict("answered", "human", "asked for another name", incoming.player.id)
    strangers.proved(incoming.ports.store, player.address)
    # A subscription from before somebody joined becomes the player's.
    readers.adopt(incoming.ports.store, player.address, player.id)
    if incoming.ports.settings.newsletter.new_players:
        readers.enrol(incoming.ports.store, incoming.now, player.id)
    key = identity.key(incoming.ports.store.secret, player.id, player.key_serial)
    incoming.ports.outbox.write(
        player,
        "welcome",
        incoming.now,
        ident=(player.key_serial,),
        answering=incoming.letter.message_id,
        key=key,
        subscribed=incoming.ports.store.subscriptions.count(player=player.id, active=True) > 0,
    )
    return Verdict("answered", "human", why, player.id)


def _move(incoming: Incoming, why: str) -> Verdict:
    """Confirm a player's new address, which this letter comes from."""
    player = addresses.claimant(incoming.ports, incoming.reading, incoming.now)
    sender = incoming.reading.sender
    assert player is not None
    assert sender is not None
    addresses.confirm(incoming.ports, player, sender, incoming.letter, incoming.now)
    return Verdict("answered", "human", why, player.id)


def _undo(incoming: Incoming, why: str) -> Verdict:
    """Undo a change of a player's address."""
    token = safeguards.undone(incoming.ports, incoming.reading, incoming.now)
    assert token is not None
    safeguards.undo(incoming.ports, token, incoming.letter, incoming.now)
    return Verdict("answered", "human", why, token.player_id)


def _assure(incoming: Incoming, why: str) -> Verdict:
    """Carry out a change of addresses or of the key that the letter confirms."""
    order = safeguards.confirmed(incoming.ports, incoming.token, incoming.reading)
    incoming.ports.store.tokens.remove(token=incoming.token.token)  # it confirms only once
    _carry_out(replace(_visit(incoming), place=None, sure=True), order, None)
    return Verdict("answered", "human", why, incoming.player.id)


def _newcomer(incoming: Incoming, why: str) -> Verdict:
    """Answer somebody who is not, or not yet, a confirmed player.

    If the letter came to a player's reply address, that player is warned, because the address is
    only in their own letters.
    """
    leaks.warn(incoming.ports, incoming.letter, incoming.reading, incoming.now)
    return joining.join(
        incoming.ports, incoming.letter, incoming.reading, incoming.known, incoming.now
    )


def _refuse(incoming: Incoming, why: str) -> Verdict:
    """Notify the owner of an address that a letter without proof came from it.

    That happens only so many times a day.
    """
    ports, player = incoming.ports, incoming.player
    if incoming.locked and incoming.keys:
        return _lock(incoming, why)
    if _was_told(incoming):
        return Verdict("discarded", "refused", f"{why}, told today", player.id)
    ports.outbox.write(player, "refused", incoming.now, ident=(incoming.letter.sha256,))
    return Verdict("answered", "refused", why, player.id)


def _lock(incoming: Incoming, why: str) -> Verdict:
    """Notify a player, once a day, that no more keys are tried today, and what to do instead."""
    ports, player = incoming.ports, incoming.player
    why = f"{why}; too many wrong keys today"
    if ports.store.count_today(f"locked {incoming.reading.sender}", incoming.now) > 1:
        return Verdict("discarded", "refused", why, player.id)
    ports.outbox.write(
        player,
        "notice",
        incoming.now,
        ident=("locked", incoming.letter.sha256),
        title=say("Too many wrong keys"),
        text=say(
            "Letters with wrong keys came from your address today, as if somebody were trying keys"
            " out. So no key from there is tried any more until tomorrow (UTC), the right one"
            " neither, and your letter was not accepted. To go on, send it again as a reply to this"
            " letter or to the latest one that you have, and leave the address and the subject as"
            " they are; or write from another of your addresses. If you did not write to us, you"
            " need do nothing: your key is still yours alone."
        ),
    )
    return Verdict("answered", "refused", why, player.id)


def _was_told(incoming: Incoming) -> bool:
    """Count a letter without proof, and return whether its owner has had enough notices today."""
    told = incoming.ports.store.count_today(f"refusal {incoming.player.id}", incoming.now)
    return told > incoming.ports.settings.limits.refusals_a_day


def _release(incoming: Incoming, why: str) -> Verdict:
    """Handle a held letter that this letter confirms."""
    ports, held = incoming.ports, disowned.held(incoming.ports, incoming.token, incoming.reading)
    assert held is not None
    # With this mark the letter counts as authenticated, so that no rule holds it again.
    letter = disowned.confirmed(ports, held)
    settle(ports, letter, handle(ports, letter, incoming.now), incoming.now)
    return Verdict("answered", "human", why, incoming.player.id)


def _hold(incoming: Incoming, why: str) -> Verdict:
    return disowned.hold(incoming.ports, incoming.player, incoming.letter, incoming.now, why)


def _depart(incoming: Incoming, why: str) -> Verdict:
    leaving.depart(incoming.ports, incoming.player, incoming.letter, incoming.now)
    return Verdict("answered", "human", why, incoming.player.id)


def _let_go(incoming: Incoming, why: str) -> Verdict:
    """Let a banned player leave like everybody else.

    They are asked to confirm first, but only so many times a day.
    """
    if rules.farewell(incoming) is not None:
        return _depart(incoming, why)
    if _was_told(incoming):
        return _file_away(incoming, f"{why}, asked today")
    leaving.ask(incoming.ports, incoming.player, incoming.letter, incoming.now)
    return Verdict("answered", "human", why, incoming.player.id)


def _cannot_open(incoming: Incoming, why: str) -> Verdict:
    answer(_visit(incoming), Lines(answers=[entry("", Answer(False, _ENCRYPTED))]))
    return Verdict("answered", "human", why, incoming.player.id)


def _obey(incoming: Incoming, why: str) -> Verdict:
    """Carry out the orders in the letter of a confirmed player."""
    request = _visit(incoming)
    # Without the key, so that no answer can repeat it.
    text = identity.without_keys(new_text(incoming.reading, _ours(incoming)))
    _carry_out(request, text, incoming.token.turn if request.place is not None else None)
    return Verdict("answered", "human", why, incoming.player.id)


def _visit(incoming: Incoming) -> Request:
    """Count the letter, record when the player last wrote, and return the request."""
    ports, player, token = incoming.ports, incoming.player, incoming.token
    ports.store.count_today(f"letters {player.id}", incoming.now)
    ports.store.players.change(player.id, heard=incoming.now)
    place = None
    if token is not None and token.game_id is not None:
        place = _place_of(ports, token)
    return Request(
        ports,
        player,
        incoming.letter,
        incoming.now,
        place,
        incoming.reading.topic,
        keyed=incoming.keyed,
        sure=incoming.sure,
        reads_only=incoming.reads_only,
        budget=Budget(ports.settings.limits.letter_cost),
        sender=incoming.reading.sender or "",
    )


def _place_of(ports: Ports, token: Token) -> Place | None:
    """Return the place that a token is for; older tokens have only the game."""
    if token.place_id is not None:
        return ports.store.places.find(id=token.place_id, player=token.player_id)
    return ports.store.places.find(game=token.game_id, player=token.player_id)


def _ours(incoming: Incoming) -> list[str]:
    """Return the texts of our letters that this one answers, if it quotes them without marks."""
    # Compared with the letter, so that our own example orders are not taken for the player's.
    reading = incoming.reading
    if not reading.quotes_bare:
        return []
    answered = {*reading.in_reply_to, *reading.references}
    outbox = incoming.ports.store.outbox
    sent = [outbox.find(message_id=one, player=incoming.player.id) for one in answered]
    return [text for row in sent if row is not None for text in our_texts(row.content)]


def _carry_out(request: Request, text: str, turn: int | None) -> None:
    found = sort(request, text)
    parts = placed(request, found)
    if parts:
        battle_orders.carry_out(request, found, parts, turn)
    else:
        answer(request, found)


# The order matters: rows below "no player yet" may use `Incoming.player`, and only rows below
# "no proof" may do what a player orders.
ROWS: tuple[Row, ...] = (
    Row("duplicate", rules.twin, _drop_twin),
    Row("end of the newsletter", rules.ends_reading, _stop),
    Row("more of strangers' letters than is kept", rules.overflowing, _cut),
    Row("not a person's letter", rules.machine, _drop_machine),
    Row("a banned player's farewell", rules.banned_farewell, _let_go),
    Row("banned", rules.banned, _file_away),
    Row("too large", rules.large, _too_large),
    Row("a strange address", rules.unanswerable, _discard),
    Row("confirmation", rules.confirming, _welcome),
    Row("a change undone", rules.undoing, _undo),
    Row("a new address", rules.moving, _move),
    Row("newsletter's reader", rules.reads, _serve),
    Row("no player yet", rules.outsider, _newcomer),
    Row("no proof", rules.unproven, _refuse),
    Row("a word for a held letter", rules.releases, _release),
    Row("disowned", rules.doubtful, _hold),
    Row("a farewell", rules.farewell, _depart),
    Row("a word for a change", rules.assuring, _assure),
    Row("too many today", rules.flood, _discard),
    Row("encrypted", rules.sealed, _cannot_open),
    Row("a player's letter", rules.proven, _obey),
)
