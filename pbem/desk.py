"""The desk: one letter in, its orders carried out, and one answer out."""

import hashlib
import json
from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import TYPE_CHECKING, Any

from engine.errors import OrderError
from engine.ruleset import Near
from engine.seats import Seat
from engine.standing import Written, lines, read_for
from engine.words import clean
from pbem import identity
from pbem.intake import CUT_MARKER, Limits, Reading, new_text, read_letter
from pbem.league import orders
from pbem.league.inquiries import own_place
from pbem.league.joining import join
from pbem.league.verdict import Verdict
from pbem.league.visit import Answer, Refusal, Visit
from pbem.letters import plain_text
from pbem.outbox import Reply
from pbem.session import Receipt, Session
from pbem.store import Letter, Place, Player

if TYPE_CHECKING:
    from pbem.office import Office


SAME_SUBJECT = 2
"""How many letters a day of one subject and without an order are answered."""


@dataclass(slots=True)
class Sorted:
    """A letter's lines: league orders with their answers, near misses, and the rest."""

    answers: list[dict[str, Any]] = field(default_factory=list)
    near: list[Near] = field(default_factory=list)
    rest: list[str] = field(default_factory=list)
    preview: bool = False
    about: Place | None = None

    @property
    def told(self) -> bool:
        """Tell whether other letters answer all that this one orders."""
        told = bool(self.answers) and all(answer["told"] for answer in self.answers)
        return told and not self.near


def handle(office: "Office", letter: Letter, now: datetime) -> Verdict:
    """Decide what a letter is, do what it orders, and queue the answer; in one transaction."""
    twin = office.store.twin(letter)
    if twin is not None:
        return Verdict("discarded", "duplicate", f"the same letter as number {twin.id}")
    address = office.settings.league.address
    reading = read_letter(letter.content, Limits(ours=(address,)))
    if letter.truncated:
        return Verdict("discarded", "refused", "larger than the league takes")
    if reading.klass != "human" or reading.sender is None:
        return Verdict("discarded", reading.klass, reading.reason)
    player = office.store.player_at(reading.sender)
    if player is None or not player.confirmed:
        return _newcomer(office, letter, reading, player, now)
    return _member(office, letter, reading, player, now)


def _newcomer(
    office: "Office", letter: Letter, reading: Reading, player: Player | None, now: datetime
) -> Verdict:
    """Answer somebody who is not, or not yet, a confirmed player."""
    if player is not None and _valid_token(office, reading, player, now, "confirm"):
        office.store.players.change(player.id, confirmed=True, heard=now)
        player = office.store.players.get(player.id)
        _welcome(office, player, letter, now)
        return Verdict("answered", "human", "joined", player.id)
    return join(office, letter, reading, player, now)


def _welcome(office: "Office", player: Player, letter: Letter, now: datetime) -> None:
    key = identity.key(office.store.secret, player.id, player.key_serial)
    office.outbox.write(
        player, "welcome", now, ident=(player.key_serial,), answering=letter.message_id, key=key
    )


def _valid_token(
    office: "Office", reading: Reading, player: Player, now: datetime, kind: str = ""
) -> Any:
    """Give the newest token of this player that the letter carries, or None."""
    for text in identity.tokens_in(reading.subject, reading.recipients):
        token = office.store.tokens.find(token=text)
        if token is None or token.player_id != player.id or token.expires < now:
            continue
        if not kind or token.kind == kind:
            return token
    return None


def _has_key(office: "Office", reading: Reading, player: Player) -> bool:
    key = identity.key(office.store.secret, player.id, player.key_serial)
    return any(identity.same(found, key) for found in identity.keys_in(reading.text))


def _member(
    office: "Office", letter: Letter, reading: Reading, player: Player, now: datetime
) -> Verdict:
    """Carry out the letter of a confirmed player."""
    token = _valid_token(office, reading, player, now)
    if token is None and not _has_key(office, reading, player):
        return _refuse(office, letter, player, now)
    if office.store.count_today(f"letters {player.id}", now) > office.settings.limits.letters_a_day:
        return Verdict("discarded", "refused", "more letters today than a player may send")
    office.store.players.change(player.id, heard=now)
    place = None
    if token is not None and token.game_id is not None:
        place = office.store.places.find(game=token.game_id, player=player.id)
    visit = Visit(office, player, letter, now, place, reading.topic)
    if reading.encrypted:
        _answer(visit, Sorted(answers=[_entry("", Answer(False, _ENCRYPTED))]))
        return Verdict("answered", "human", "encrypted", player.id)
    text = identity.without_keys(new_text(reading, _ours(office, reading, player)))
    _carry_out(visit, text, token.turn if place is not None else None)
    return Verdict("answered", "human", reading.reason, player.id)


def _ours(office: "Office", reading: Reading, player: Player) -> list[str]:
    """Give our own letters that this one answers, where our words stand in it unquoted."""
    if CUT_MARKER not in reading.text:
        return []
    answered = {*reading.in_reply_to, *reading.references}
    sent = [office.store.outbox.find(message_id=one, player=player.id) for one in answered]
    return [plain_text(row.content) for row in sent if row is not None]


_ENCRYPTED = "your letter is encrypted, and the referee has no key to read it; write plain text"


def _refuse(office: "Office", letter: Letter, player: Player, now: datetime) -> Verdict:
    """Tell the owner of an address, once a day, that a letter without proof came from it."""
    if (
        office.store.count_today(f"refusal {player.id}", now)
        <= office.settings.limits.refusals_a_day
    ):
        office.outbox.write(player, "refused", now, ident=(letter.sha256,))
        return Verdict("answered", "refused", "no valid token and no key", player.id)
    return Verdict("discarded", "refused", "no valid token and no key, told today", player.id)


def _carry_out(visit: Visit, text: str, turn: int | None) -> None:
    found = _sort(visit, text)
    place = found.about or visit.place
    if place is None:
        place = _meant(visit, found)
    if place is None:
        _answer(visit, found)
    else:
        _battle(visit, found, place, turn if found.about is None else None)


def _sort(visit: Visit, text: str) -> Sorted:
    """Carry out the league orders among a letter's lines, and keep the rest in order."""
    found = Sorted()
    most = visit.office.settings.limits.order_lines
    for line in text.splitlines():
        if clean(line).upper() == "PREVIEW":
            found.preview = True
            continue
        about = orders.BATTLE.fullmatch(clean(line))
        if about is not None:
            _choose(visit, found, line, about["number"])
            continue
        order = orders.find(line)
        if order is None:
            found.rest.append(line)
        elif isinstance(order, Near):
            found.near.append(order)
        elif len(found.answers) < most:
            found.answers.append(_entry(line, _obey(visit, *order)))
    return found


def _choose(visit: Visit, found: Sorted, line: str, number: str) -> None:
    try:
        found.about = own_place(visit, number)
    except Refusal as error:
        found.answers.append(_entry(line, Answer(False, str(error), error.hint)))


def _obey(visit: Visit, order: orders.LeagueOrder, match: Any) -> Answer:
    """Carry out one order, or undo what it did in part and say why not."""
    try:
        with visit.office.store.savepoint():
            return order.act(visit, match)
    except Refusal as error:
        return Answer(False, str(error), error.hint)


def _entry(line: str, answer: Answer) -> dict[str, Any]:
    return {
        "order": line.strip(),
        "ok": answer.ok,
        "told": answer.told,
        "text": answer.text,
        "hint": answer.hint,
        "blocks": list(answer.blocks),
    }


def _meant(visit: Visit, found: Sorted) -> Place | None:
    """Give the place that battle orders without a game's token are for, if there are any."""
    running = visit.office.store.places_of(visit.player.id)
    rules = visit.office.reports.rules("starpilot")
    written = read_for(rules, None, None, "\n".join(found.rest))
    if written.empty:
        return None
    if len(running) == 1:
        return running[0]
    text = "you are in no running game" if not running else "say which game they are for"
    hint = "" if not running else "a line such as GAME 12 above the orders"
    found.answers.append(_entry("", Answer(False, f"these are battle orders, but {text}", hint)))
    return None


def _answer(visit: Visit, found: Sorted) -> None:
    """Answer a letter that is about no battle, unless other letters answer all of it."""
    if found.told or (not found.answers and not found.near and _is_robot(visit)):
        return
    ignored = [line for line in found.rest if line.strip()]
    visit.office.outbox.write(
        visit.player,
        "answers",
        visit.now,
        ident=(visit.letter.sha256,),
        answering=visit.letter.message_id,
        system="starpilot",
        near=nears(found.near),
        ignored=len(ignored),
        answers=found.answers,
    )


def _is_robot(visit: Visit) -> bool:
    """Tell whether so many letters without an order came today that a robot must write them."""
    office, player, now = visit.office, visit.player.id, visit.now
    topic = hashlib.sha256(visit.topic.encode()).hexdigest()[:16]
    same = office.store.count_today(f"orderless {player} {topic}", now)
    return (
        same > SAME_SUBJECT
        or office.store.count_today(f"orderless {player}", now)
        > office.settings.limits.automatic_answers_a_day
    )


def nears(found: Sequence[Near]) -> list[dict[str, str]]:
    """Give near misses as facts."""
    return [{"text": near.text, "hint": near.hint} for near in found]


def _battle(visit: Visit, found: Sorted, place: Place, turn: int | None) -> None:
    """File a letter's battle orders, and let the battle run on if it can."""
    office = visit.office
    session = Session(office.store, office.store.games.get(place.game_id))
    seat = session.seat_of(place.id)
    written = read_for(session.rules, session.state, seat, "\n".join(found.rest))
    if written.empty and (found.told or session.over):
        _answer(visit, found)
        return
    if session.over or (turn is not None and turn != session.game.turn and not written.empty):
        _stale(visit, found, session, place, written)
        return
    facts = _understood(office, session, seat, found, written)
    if found.preview:
        _acknowledge(visit, session, "preview", facts)
        return
    if written.empty:
        office.referee.tell(session, seat, written)
        _acknowledge(visit, session, "ack", facts)
        return
    facts["replaced"] = office.referee.file(session, seat, written)
    facts["standing"] = lines(session.sheet(seat))
    session.receipts[seat] = Receipt(visit.letter.message_id, facts)
    if not office.referee.advance(session, visit.now):
        facts["waiting_for"] = _waiting(session, seat)
        _acknowledge(visit, session, "ack", facts)


def _waiting(session: Session, seat: Seat) -> list[str]:
    return [s for s, p in session.places.items() if p.asked and not p.answered and s != seat]


def _understood(
    office: "Office", session: Session, seat: Seat, found: Sorted, written: Written
) -> dict[str, Any]:
    """Give every order as understood, its chance, and what was ignored and why."""
    sheet = session.sheet(seat)
    standing = written.standing if written.standing is not None else sheet
    return {
        "orders": [_weigh(office, session, seat, text) for text in written.queue],
        "standing": lines(standing),
        "near": nears([*found.near, *written.near]),
        "story": len([line for line in written.story if line.strip()]),
        "replaced": False,
        "answers": found.answers,
        "waiting_for": [],
    }


def _weigh(office: "Office", session: Session, seat: Seat, text: str) -> dict[str, Any]:
    try:
        return office.reports.weigh(session, seat, text)
    except OrderError as error:
        return {"order": text, "chance": None, "legal_now": False, "reason": str(error)}


def _acknowledge(visit: Visit, session: Session, kind: str, facts: dict[str, Any]) -> None:
    office, game = visit.office, session.game
    place = session.places[
        next(s for s, p in session.places.items() if p.player_id == visit.player.id)
    ]
    office.outbox.write(
        visit.player,
        kind,
        visit.now,
        ident=(visit.letter.sha256,),
        reply=office.reports.reply(game),
        system=game.system,
        answering=visit.letter.message_id,
        thread=json.loads(place.thread) if place.thread else [],
        game=office.reports.game(game),
        deadline=office.reports.moment(game.deadline),
        asked=place.asked and not place.answered,
        **facts,
    )


def _stale(visit: Visit, found: Sorted, session: Session, place: Place, written: Written) -> None:
    """Say that orders came for a turn that is over; a fresh report comes with its own token."""
    office, game = visit.office, session.game
    office.outbox.write(
        visit.player,
        "stale",
        visit.now,
        ident=(visit.letter.sha256,),
        reply=office.reports.reply(game) if game.running else Reply(),
        system=game.system,
        answering=visit.letter.message_id,
        game=office.reports.game(game),
        over=session.over,
        not_taken=list(written.queue)
        + ([] if written.standing is None else lines(written.standing)),
        answers=found.answers,
        near=nears(found.near),
    )
