"""The desk: who wrote a letter, and who answers it; a table, read from top to bottom."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from datetime import datetime
from hashlib import sha256
from typing import TYPE_CHECKING

from engine.budget import Budget
from engine.said import say
from pbem import battle, grounds, identity, strangers
from pbem.case import Case
from pbem.clerk import Lines, answer, entry, placed, sort
from pbem.intake import new_text, our_texts
from pbem.league import addresses, doubts, joining, leaks, leaving, safeguards
from pbem.league.subscriptions import serve, stop
from pbem.league.verdict import Verdict
from pbem.league.visit import Answer, Visit
from pbem.outgoing import reach
from pbem.people import readers
from pbem.store import Letter, Place, Token

if TYPE_CHECKING:
    from pbem.office import Office

_ENCRYPTED = say(
    "your letter is encrypted, and the referee has no key to read it; write plain text"
)


@dataclass(frozen=True, slots=True)
class Row:
    """One row: a name, a finder that says why it takes a letter, and what is done with it."""

    name: str
    find: Callable[[Case], str | None]
    act: Callable[[Case, str], Verdict]


def handle(office: "Office", letter: Letter, now: datetime) -> Verdict:
    """Decide what a letter is, do what it orders, and queue the answer; in one transaction."""
    case = Case(office, letter, now)
    row, why = list(looks(case))[-1]
    if row.find is not grounds.overflowing and grounds.is_strangers(case):
        strangers.count_kept(office.store, len(letter.content), now)
    verdict = row.act(case, why or "")
    case.count_wrong_keys()
    return verdict


def looks(case: Case) -> Iterator[tuple[Row, str | None]]:
    """Ask the rows in order, up to and with the first that takes the letter, and nothing else."""
    for row in ROWS:
        why = row.find(case)
        yield row, why
        if why is not None:
            return


def _drop_twin(case: Case, why: str) -> Verdict:
    return Verdict("discarded", "duplicate", why)


def _cut(case: Case, why: str) -> Verdict:
    """Keep no more than the header of a letter, with which nothing is done, then or in a replay."""
    store, kept = case.office.store, strangers.head(case.letter.content)
    store.letters.cut(case.letter.id, kept)
    store.letters.change(case.letter.id, truncated=True, sha256=sha256(kept).hexdigest())
    return Verdict("discarded", "dropped", why)


def _stop(case: Case, why: str) -> Verdict:
    return stop(case.office, case.letter, case.reading, case.now)


def _serve(case: Case, why: str) -> Verdict:
    return serve(case.office, case.letter, case.reading, case.now)


def _drop_machine(case: Case, why: str) -> Verdict:
    """Answer no machine, but note whose letter a bounce gives back."""
    office, reading = case.office, case.reading
    if reading.klass == "bounce":
        received = case.letter.received
        player = reach.returned_by(office.store, office.settings, reading, received)
        if player is not None:
            reach.note(office.store, player.id, reading.bounce_kind, case.letter.sha256, received)
            why = f"{why}; a {reading.bounce_kind} bounce of a letter to player {player.id}"
            return Verdict("discarded", "bounce", why, player.id)
    return Verdict("discarded", case.reading.klass, why)


def _discard(case: Case, why: str) -> Verdict:
    return Verdict("discarded", "refused", why)


def _file_away(case: Case, why: str) -> Verdict:
    return Verdict("filed", "refused", why, case.known.id if case.known else None)


def _too_large(case: Case, why: str) -> Verdict:
    """Tell a player, and nobody else, that a letter was too large; without a token, once a day."""
    if not case.is_members or (case.token is None and _was_told(case)):
        return Verdict("discarded", "refused", why)
    limits = case.office.settings.limits
    text = say(
        "Your letter is larger than {most} KiB, so it was not read and nothing in it was"
        " done. Please send it again without pictures or other files.",
        most=limits.letter_bytes // 1024,
    )
    if not case.letter.truncated:
        text = say(
            "Your letter holds more than the referee reads of one, so nothing in it was done."
            " Please send it again as plain text, with at most {most} lines of your own, and"
            " {characters} characters.",
            most=limits.lines,
            characters=limits.characters,
        )
    case.office.outbox.write(
        case.player,
        "notice",
        case.now,
        ident=(case.letter.sha256,),
        answering=case.letter.message_id,
        title=say("Your letter was too large"),
        text=text,
    )
    return Verdict("answered", "refused", why, case.player.id)


def _welcome(case: Case, why: str) -> Verdict:
    """Confirm a player, and send the key; or ask for another name, if others have taken it."""
    player = joining.confirm(case.office, case.letter, case.reading, case.player, case.now)
    if player is None:
        return Verdict("answered", "human", "asked for another name", case.player.id)
    strangers.proved(case.office.store, player.address)
    readers.adopt(case.office.store, player.address, player.id)
    if case.office.settings.newsletter.new_players:
        readers.enrol(case.office.store, case.now, player.id)
    key = identity.key(case.office.store.secret, player.id, player.key_serial)
    case.office.outbox.write(
        player,
        "welcome",
        case.now,
        ident=(player.key_serial,),
        answering=case.letter.message_id,
        key=key,
        subscribed=case.office.store.subscriptions.count(player=player.id, active=True) > 0,
    )
    return Verdict("answered", "human", why, player.id)


def _move(case: Case, why: str) -> Verdict:
    """Let a player's letters go to the address that this letter comes from."""
    player, sender = addresses.claimant(case.office, case.reading, case.now), case.reading.sender
    assert player is not None
    assert sender is not None
    addresses.confirm(case.office, player, sender, case.letter, case.now)
    return Verdict("answered", "human", why, player.id)


def _undo(case: Case, why: str) -> Verdict:
    """Take a change of a player's address back."""
    token = safeguards.undone(case.office, case.reading, case.now)
    assert token is not None
    safeguards.undo(case.office, token, case.letter, case.now)
    return Verdict("answered", "human", why, token.player_id)


def _assure(case: Case, why: str) -> Verdict:
    """Carry out a change of addresses or of the key that was asked for, and is confirmed."""
    order = safeguards.confirmed(case.office, case.token, case.reading)
    case.office.store.tokens.remove(token=case.token.token)
    _carry_out(replace(_visit(case), place=None, sure=True), order, None)
    return Verdict("answered", "human", why, case.player.id)


def _newcomer(case: Case, why: str) -> Verdict:
    """Answer somebody who is not, or not yet, a confirmed player.

    Whose reply address it came to is told, for it stands in their letters alone.
    """
    leaks.warn(case.office, case.letter, case.reading, case.now)
    return joining.join(case.office, case.letter, case.reading, case.known, case.now)


def _refuse(case: Case, why: str) -> Verdict:
    """Tell the owner of an address, once a day, that a letter without proof came from it."""
    office, player = case.office, case.player
    if case.locked and case.keys:
        return _lock(case, why)
    if _was_told(case):
        return Verdict("discarded", "refused", f"{why}, told today", player.id)
    office.outbox.write(player, "refused", case.now, ident=(case.letter.sha256,))
    return Verdict("answered", "refused", why, player.id)


def _lock(case: Case, why: str) -> Verdict:
    """Tell a player once a day that no key is tried any more, and how to go on."""
    office, player = case.office, case.player
    why = f"{why}; too many wrong keys today"
    if office.store.count_today(f"locked {case.reading.sender}", case.now) > 1:
        return Verdict("discarded", "refused", why, player.id)
    office.outbox.write(
        player,
        "notice",
        case.now,
        ident=("locked", case.letter.sha256),
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


def _was_told(case: Case) -> bool:
    """Count one more letter without proof, and tell whether its owner heard of enough today."""
    told = case.office.store.count_today(f"refusal {case.player.id}", case.now)
    return told > case.office.settings.limits.refusals_a_day


def _release(case: Case, why: str) -> Verdict:
    """Read a held letter again, and do what it says."""
    office, held = case.office, doubts.held(case.office, case.token, case.reading)
    assert held is not None
    letter = doubts.confirmed(office, held)
    office.settle(letter, handle(office, letter, case.now), case.now)
    return Verdict("answered", "human", why, case.player.id)


def _hold(case: Case, why: str) -> Verdict:
    return doubts.hold(case.office, case.player, case.letter, case.now, why)


def _depart(case: Case, why: str) -> Verdict:
    leaving.depart(case.office, case.player, case.letter, case.now)
    return Verdict("answered", "human", why, case.player.id)


def _let_go(case: Case, why: str) -> Verdict:
    """Let a banned player leave as everybody may: asked first, some times a day."""
    if grounds.farewell(case) is not None:
        return _depart(case, why)
    if _was_told(case):
        return _file_away(case, f"{why}, asked today")
    leaving.ask(case.office, case.player, case.letter, case.now)
    return Verdict("answered", "human", why, case.player.id)


def _cannot_open(case: Case, why: str) -> Verdict:
    answer(_visit(case), Lines(answers=[entry("", Answer(False, _ENCRYPTED))]))
    return Verdict("answered", "human", why, case.player.id)


def _obey(case: Case, why: str) -> Verdict:
    """Carry out the letter of a confirmed player."""
    visit = _visit(case)
    text = identity.without_keys(new_text(case.reading, _ours(case)))
    _carry_out(visit, text, case.token.turn if visit.place is not None else None)
    return Verdict("answered", "human", why, case.player.id)


def _visit(case: Case) -> Visit:
    """Note that a player has written, and open the visit."""
    office, player, token = case.office, case.player, case.token
    office.store.count_today(f"letters {player.id}", case.now)
    office.store.players.change(player.id, heard=case.now)
    place = None
    if token is not None and token.game_id is not None:
        place = _place_of(office, token)
    return Visit(
        office,
        player,
        case.letter,
        case.now,
        place,
        case.reading.topic,
        keyed=case.keyed,
        sure=case.sure,
        reads_only=case.reads_only,
        budget=Budget(office.settings.limits.letter_cost),
        sender=case.reading.sender or "",
    )


def _place_of(office: "Office", token: Token) -> Place | None:
    """Give the place that a token is for; tokens of before team battles name its game alone."""
    if token.place_id is not None:
        return office.store.places.find(id=token.place_id, player=token.player_id)
    return office.store.places.find(game=token.game_id, player=token.player_id)


def _ours(case: Case) -> list[str]:
    """Give our own letters that this one answers, where our words stand in it unmarked."""
    reading = case.reading
    if not reading.quotes_bare:
        return []
    answered = {*reading.in_reply_to, *reading.references}
    outbox = case.office.store.outbox
    sent = [outbox.find(message_id=one, player=case.player.id) for one in answered]
    return [text for row in sent if row is not None for text in our_texts(row.content)]


def _carry_out(visit: Visit, text: str, turn: int | None) -> None:
    found = sort(visit, text)
    parts = placed(visit, found)
    if parts:
        battle.carry_out(visit, found, parts, turn)
    else:
        answer(visit, found)


ROWS: tuple[Row, ...] = (
    Row("duplicate", grounds.twin, _drop_twin),
    Row("end of the newsletter", grounds.ends_reading, _stop),
    Row("more of strangers' letters than is kept", grounds.overflowing, _cut),
    Row("not a person's letter", grounds.machine, _drop_machine),
    Row("a banned player's farewell", grounds.banned_farewell, _let_go),
    Row("banned", grounds.banned, _file_away),
    Row("too large", grounds.large, _too_large),
    Row("a strange address", grounds.unanswerable, _discard),
    Row("confirmation", grounds.confirming, _welcome),
    Row("a change undone", grounds.undoing, _undo),
    Row("a new address", grounds.moving, _move),
    Row("newsletter's reader", grounds.reads, _serve),
    Row("no player yet", grounds.outsider, _newcomer),
    Row("no proof", grounds.unproven, _refuse),
    Row("a word for a held letter", grounds.releases, _release),
    Row("disowned", grounds.doubtful, _hold),
    Row("a farewell", grounds.farewell, _depart),
    Row("a word for a change", grounds.assuring, _assure),
    Row("too many today", grounds.flood, _discard),
    Row("encrypted", grounds.sealed, _cannot_open),
    Row("a player's letter", grounds.proven, _obey),
)
