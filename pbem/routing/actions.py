"""What is done with an incoming letter; each action queues the answers and returns the verdict."""

from dataclasses import replace
from hashlib import sha256

from engine.i18n import say
from pbem.handlers.accounts import account_safeguards, addresses, joining, leaving, subscriptions
from pbem.handlers.moderator import unproven_letters
from pbem.handlers.names.taken_names import callsign
from pbem.handlers.request import Answer, Verdict
from pbem.handlers.ruling_request import is_moderator
from pbem.intake import tokens_and_keys
from pbem.outgoing import questions, reachability, strangers
from pbem.people import readers
from pbem.routing import find_league_order, repeating_machines
from pbem.routing.answer_to_orders import answer
from pbem.routing.incoming import Incoming
from pbem.routing.line_kinds import Lines
from pbem.routing.marked_text import say_back, unseen
from pbem.routing.order_dispatch import carry_out_orders
from pbem.storage import Token, stored_letters

_ENCRYPTED = say(
    "your letter is encrypted or protected, or signed in a way that hides its text (S/MIME), and"
    " the referee can't read it; write plain text, and turn encryption, protection and that"
    " signature off"
)

_CONFIRMING = 40
"""So many letters and signs say no more than that somebody wants to join."""


def drop_duplicate(incoming: Incoming, why: str) -> Verdict:
    """Discard another delivery of a letter."""
    return Verdict("discarded", "duplicate", why)


def cut(incoming: Incoming, why: str) -> Verdict:
    """Keep only the header of a letter, and do nothing with it, now or in a replay."""
    store, kept = incoming.ports.store, strangers.head(incoming.letter.content)
    # The hash must fit the content that is kept, which a replay reads instead.
    digest = sha256(kept).hexdigest()
    stored_letters.change(store, incoming.letter, content=kept, truncated=True, sha256=digest)
    return Verdict("discarded", "dropped", why)


def end_subscription(incoming: Incoming, why: str) -> Verdict:
    """End a reader's subscription to the newsletter."""
    assert incoming.stopped is not None
    return subscriptions.stop(
        incoming.ports, incoming.stopped, incoming.letter, incoming.reading, incoming.now
    )


def answer_reader(incoming: Incoming, why: str) -> Verdict:
    """Answer somebody who is not a player about the newsletter."""
    return subscriptions.serve(incoming.ports, incoming.letter, incoming.reading, incoming.now)


def drop_machine(incoming: Incoming, why: str) -> Verdict:
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


def discard(incoming: Incoming, why: str) -> Verdict:
    """Discard a letter without an answer."""
    return Verdict("discarded", "refused", why)


def refuse_flood(incoming: Incoming, why: str) -> Verdict:
    """Discard a letter too many, and tell its writer so once a day."""
    player, now = incoming.player, incoming.now
    if incoming.ports.store.count_today(f"flood {player.id}", now) == 1:
        most = incoming.ports.settings.limits.letters_a_day
        incoming.ports.outbox.write(
            player,
            "notice",
            now,
            ident=(incoming.letter.sha256,),
            answering=incoming.letter.message_id,
            title=say("Enough letters for today"),
            text=say(
                "You have sent {most} letters today, and more of one player are not read in a day."
                " So nothing in this one was done, and nothing will be in others of today. From"
                " tomorrow on your letters are read again; your orders on file stay in force.",
                most=most,
            ),
        )
    return Verdict("discarded", "refused", why, player.id)


def drop_repeated(incoming: Incoming, why: str) -> Verdict:
    """Discard a letter that says the same again, as a machine does that nothing marks."""
    return Verdict("discarded", "autoreply", why, incoming.player.id)


def file_away(incoming: Incoming, why: str) -> Verdict:
    """File a letter without an answer."""
    return Verdict("filed", "refused", why, incoming.known.id if incoming.known else None)


def tell_too_large(incoming: Incoming, why: str) -> Verdict:
    """Notify a player, but no stranger, that a letter was too large.

    Without a proof that happens only so many times a day, because the sender may be forged.
    """
    # An answer to a stranger would let anybody send our letters to others.
    if not incoming.from_member or (not incoming.proven and _was_told(incoming)):
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


def welcome(incoming: Incoming, why: str) -> Verdict:
    """Confirm a new player and send the key; or ask for another name if it has been taken."""
    player = joining.confirm(
        incoming.ports, incoming.letter, incoming.reading, incoming.player, incoming.now
    )
    if player is None:
        return Verdict("answered", "human", "asked for another name", incoming.player.id)
    # Somebody answers there, so the count of what was sent to it unasked ends.
    strangers.proved(incoming.ports.store, player.address)
    # A subscription from before somebody joined becomes the player's.
    readers.adopt(incoming.ports.store, player.address, player.id)
    if incoming.ports.settings.newsletter.new_players:
        readers.enrol(incoming.ports.store, incoming.now, player.id)
    key = tokens_and_keys.key(incoming.ports.store.secret, player.id, player.key_serial)
    ordered, words = _has_orders(incoming), unseen(incoming.text.splitlines(), player.name)
    # A few words only confirm, in whichever language.
    said = words if not ordered and sum(map(len, words)) > _CONFIRMING else []
    request = None
    if ordered or said:
        request = replace(incoming.request(), player=player, place=None)
    incoming.ports.outbox.write(
        player,
        "welcome",
        incoming.now,
        ident=(player.key_serial,),
        answering=incoming.letter.message_id,
        key=key,
        moderator=is_moderator(incoming.ports, player),
        pilot=callsign(incoming.ports, player),
        number=player.id,
        subscribed=readers.is_reader(incoming.ports.store, player.id),
        unseen=say_back(request, said) if request and said else None,
    )
    if request and ordered:
        carry_out_orders(request, incoming.text)
    return Verdict("answered", "human", why, player.id)


def _has_orders(incoming: Incoming) -> bool:
    """Return whether a letter that confirms something also holds league orders."""
    found = (find_league_order.find(line, incoming.language) for line in incoming.text.splitlines())
    return any(isinstance(one, tuple) and one[0].word != "JOIN" for one in found)


def move(incoming: Incoming, why: str) -> Verdict:
    """Confirm a player's new address, which this letter comes from."""
    player, sender = incoming.claimant, incoming.reading.sender
    assert player is not None
    assert sender is not None
    addresses.confirm(incoming.ports, player, sender, incoming.letter, incoming.now)
    return Verdict("answered", "human", why, player.id)


def undo(incoming: Incoming, why: str) -> Verdict:
    """Undo a change of a player's address."""
    token = incoming.undone
    assert token is not None
    account_safeguards.undo(incoming.ports, token, incoming.letter, incoming.now)
    return Verdict("answered", "human", why, token.player_id)


def confirm(incoming: Incoming, why: str) -> Verdict:
    """Carry out, once, the orders of the question that the letter answers by YES."""
    question, store = incoming.question, incoming.ports.store
    assert question is not None
    questions.close(store, question)
    token, beside = store.get(Token, question.token_id), incoming.beside
    carry_out_orders(incoming.confirmed_request(token), question.lines, token.turn, beside)
    return Verdict("answered", "human", why, incoming.player.id)


def answer_stranger(incoming: Incoming, why: str) -> Verdict:
    """Answer somebody who is not, or not yet, a confirmed player.

    If the letter came to a player's reply address, that player is warned, because the address is
    only in their own letters.
    """
    addresses.warn_of_leak(incoming.ports, incoming.letter, incoming.reading, incoming.now)
    return joining.join(
        incoming.ports, incoming.letter, incoming.reading, incoming.known, incoming.now
    )


def refuse(incoming: Incoming, why: str) -> Verdict:
    """Notify the owner of an address that a letter without proof came from it.

    That happens only so many times a day.
    """
    ports, player = incoming.ports, incoming.player
    repeating_machines.note(incoming)
    if incoming.guessed_at and incoming.keys:
        return _warn_of_guesses(incoming, why)
    if (line := _asks_for_help(incoming)) is not None:
        answer_help = replace(incoming.request(), place=None, reads_only=True)
        carry_out_orders(answer_help, line)
        return Verdict("answered", "human", f"{why}, but HELP needs none", player.id)
    if _was_told(incoming):
        return Verdict("discarded", "refused", f"{why}, told today", player.id)
    ports.outbox.write(player, "refused", incoming.now, ident=(incoming.letter.sha256,))
    return Verdict("answered", "refused", why, player.id)


def _asks_for_help(incoming: Incoming) -> str | None:
    """Return the line of a letter that is HELP, once an hour; None otherwise.

    HELP tells nothing that is anybody's own, and who asks for it may have lost every other letter.
    """
    for line in incoming.reading.text.splitlines():
        found = find_league_order.find(line, incoming.language)
        if isinstance(found, tuple) and found[0].word == "HELP":
            hour = f"help {incoming.player.id} {incoming.now:%H}"
            return line if incoming.ports.store.count_today(hour, incoming.now) == 1 else None
    return None


def _warn_of_guesses(incoming: Incoming, why: str) -> Verdict:
    """Warn a player, once a day, that somebody seems to try out keys."""
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
            "Letters with wrong keys came from your address today, as if somebody were trying"
            " keys out. None of them was accepted. Your key is still yours alone, and works as"
            " always; there are too many possible ones to be found by trying. If such a letter"
            " was yours, send it again as a reply to this letter, or with the right key, which"
            " is in your first letter from us. You get this warning once a day."
        ),
    )
    return Verdict("answered", "refused", why, player.id)


def _was_told(incoming: Incoming) -> bool:
    """Count a letter without proof, and return whether its owner has had enough notices today."""
    refusals = incoming.ports.store.count_today(f"refusal {incoming.player.id}", incoming.now)
    return refusals > incoming.ports.settings.limits.refusals_a_day


def hold(incoming: Incoming, why: str) -> Verdict:
    """Hold a letter, and ask its player to confirm it."""
    repeating_machines.note(incoming)
    return unproven_letters.hold(
        incoming.ports, incoming.player, incoming.letter, incoming.now, why
    )


def let_go(incoming: Incoming, why: str) -> Verdict:
    """Let a banned player leave like everybody else.

    They are asked to confirm first, but only so many times a day.
    """
    # A ban forbids to play, and not to have one's data erased.
    if incoming.question is not None:
        return confirm(incoming, why)
    if _was_told(incoming):
        return file_away(incoming, f"{why}, asked today")
    leaving.ask(incoming.ports, incoming.player, incoming.letter, incoming.now)
    return Verdict("answered", "human", why, incoming.player.id)


def cannot_open(incoming: Incoming, why: str) -> Verdict:
    """Tell a player that an encrypted letter can't be read."""
    answer(incoming.request(), Lines(answers=[Answer(False, _ENCRYPTED).facts("")]))
    return Verdict("answered", "human", why, incoming.player.id)
