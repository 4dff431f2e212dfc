"""Battle orders in a letter: they are read, filed and acknowledged with their chances."""

from collections.abc import Sequence
from dataclasses import asdict, dataclass, replace
from typing import Any

from engine import codec, fair
from engine.errors import AmbiguousOrder, OrderError
from engine.fair import Words
from engine.i18n import say
from engine.odds import odds
from engine.ruleset import Near
from engine.seats import Seat
from engine.standing import Sheet, Written, lines, merge, read_for
from pbem.games import outlook
from pbem.games.session import Receipt, Session, game_id, thread_of
from pbem.handlers.attachments import papers
from pbem.handlers.request import Answer, Request
from pbem.handlers.stories import keeps, sort_out
from pbem.routing.order_dispatch import Lines, Part, answer, entry, is_robot, nears
from pbem.scrub import shown
from pbem.storage import Place


@dataclass(frozen=True, slots=True)
class Matter:
    """One part of a letter while it is handled: what it orders for one seat of a game.

    `found` is what else the letter says, and `answering` the letter's Message-ID. Only the first
    part has them, because a letter is answered once.
    """

    request: Request
    found: Lines
    session: Session
    place: Place
    written: Written
    answering: str

    @property
    def seat(self) -> Seat:
        """Return the seat that the part is for."""
        return Seat(self.place.seat)

    @property
    def words(self) -> Words:
        """Return what the part adds to the dice: the Message-ID and the part's SALT lines."""
        return fair.words_of(self.request.letter.message_id, self.written.salts)


Filed = tuple[Matter, dict[str, Any]]


def carry_out(request: Request, found: Lines, parts: Sequence[Part], turn: int | None) -> None:
    """File a letter's battle orders, each part for its place, and continue battles that can go on.

    `turn` is the turn whose report the letter answers.
    """
    ports = request.ports
    sessions: dict[int, Session] = {}
    filed: list[Filed] = []
    for number, part in enumerate(parts):
        assert part.place is not None
        game = part.place.game_id
        if game not in sessions:
            sessions[game] = Session(ports.store, ports.store.games.get(game))
        session, text = sessions[game], "\n".join(part.lines)
        written = read_for(
            session.rules, session.state, Seat(part.place.seat), text, request.language
        )
        rest = Lines(preview=found.preview) if number else found
        answering = "" if number else request.letter.message_id
        matter = Matter(request, rest, session, part.place, written, answering)
        facts = _file(matter, turn if part.dated else None)
        filed += [(matter, facts)] if facts is not None else []
    # Only now: two parts may be for pilots of the same game, which waits for both.
    for game, session in sessions.items():
        of_it = [one for one in filed if one[0].session is session]
        if of_it or game in found.ready:
            _go_on(request, session, of_it)


def _go_on(request: Request, session: Session, filed: Sequence[Filed]) -> None:
    """Continue a battle with what was filed, or acknowledge it where the battle still waits."""
    if not request.ports.referee.advance(session, request.now):
        for matter, facts in filed:
            acknowledged = facts | {"waiting_for": session.waiting_for(matter.seat)}
            _acknowledge(matter, "ack", acknowledged)


def _file(matter: Matter, turn: int | None) -> dict[str, Any] | None:
    """File a part's orders, and return the facts of their acknowledgement.

    Return None where the part needs none, because it was answered here.
    """
    ports, session, written = matter.request.ports, matter.session, matter.written
    if matter.request.reads_only:
        _read_only(matter)
        return None
    ready = written.empty and session.game.id in matter.found.ready
    asks = (
        matter.found.separate and not written.salts
    )  # a SALT counts in a letter of questions, too
    # Nothing to file: the letter only asks, or the battle is over.
    if written.empty and (asks or session.over) and not ready:
        if matter.answering:
            answer(matter.request, matter.found)
        return None
    stale = session.over or not session.active(matter.seat) or turn not in (None, session.game.turn)
    if stale and not written.empty:
        _stale(matter)
        return None
    matter = replace(matter, written=_bounded(matter, _plain(matter)))
    story, kept = sort_out(matter.written.story)
    matter.found.kept.extend(kept)
    matter = replace(matter, written=replace(matter.written, story=story))
    facts = _understood(matter)
    # Before anything is filed, so that a PREVIEW leaves the game as it is.
    if matter.found.preview:
        facts["standing"] = _in_force(matter)
        view = session.rules.view(session.state, matter.seat)
        _acknowledge(matter, "preview", facts | {"odds": _odds(matter), "view": view})
        return None
    if matter.written.empty:
        ports.referee.tell(session, matter.seat, matter.written)
        if written.salts:  # the dice of orders on file depend on them from now on
            session.speak(matter.seat, matter.words)
            session.save()
        if not ready:
            if not _says_nothing(matter) or not is_robot(matter.request):
                _acknowledge(matter, "ack", facts | {"standing": _in_force(matter)})
            return None
    else:
        now = matter.request.now
        given = matter.written, now, matter.words
        replaced = ports.referee.file(session, matter.seat, *given)
        facts["replaced"] = replaced and session.game.id not in matter.found.ready
    facts["standing"] = lines(session.sheet(matter.seat))
    # If the battle goes on now, its report acknowledges the orders; otherwise `_go_on` does.
    session.receipts[matter.seat] = Receipt(matter.answering, facts)
    return facts


def _read_only(matter: Matter) -> None:
    """Answer a part of a letter whose only proof is the token of a turn that is over."""
    written = matter.written
    if not written.empty or written.story or written.private or written.salts or written.near:
        _stale(matter)
    elif matter.answering:
        answer(matter.request, matter.found)


def _says_nothing(matter: Matter) -> bool:
    """Return whether a part has neither an order nor a near miss."""
    found = matter.found
    return not (found.answers or found.near or found.kept or matter.written.near)


def _plain(matter: Matter) -> Written:
    """Return a part's orders with ambiguous ones as near misses.

    An example is a TARGET that names nobody where there are several opponents. In the queue such an
    order would block all orders after it.
    """
    session, written = matter.session, matter.written
    queue, near = [], [*written.near]
    for text in written.queue:
        try:
            session.rules.parse(session.state, matter.seat, text)
        except AmbiguousOrder as error:
            near.append(Near(text, error.hint or ""))
        else:
            queue.append(text)
    if len(queue) == len(written.queue):
        return written
    return replace(written, queue=tuple(queue), near=tuple(near))


def _bounded(matter: Matter, written: Written) -> Written:
    """Return a part without its orders, and report that, where it has more than the limit."""
    most = matter.request.ports.settings.limits.order_lines
    sheet = written.standing or Sheet()
    if len(written.queue) + len(sheet.rules) + (sheet.otherwise is not None) <= most:
        return written
    text = say("more than {most} orders in one letter", most=most)
    matter.found.answers.append(entry("", Answer(False, text)))
    return Written((), None, written.near, written.story)


def _understood(matter: Matter) -> dict[str, Any]:
    """Return the facts of the acknowledgement: orders with chances, and what was not understood."""
    written, found = matter.written, matter.found
    return {
        "orders": [_weigh(matter, text) for text in written.queue],
        "near": nears([*found.near, *written.near]),
        "story": [shown(line) for line in written.story if line.strip()],
        "kept": keeps(found.kept),
        "later": matter.session.rules.simultaneous,
        "salts": len(written.salts),
        "replaced": False,
        "answers": found.answers,
        "waiting_for": [],
    }


def _in_force(matter: Matter) -> list[str]:
    """Return the standing orders that are in force if a part's orders are filed."""
    standing = matter.written.standing
    return lines(matter.session.sheet(matter.seat) if standing is None else standing)


def _weigh(matter: Matter, text: str) -> dict[str, Any]:
    try:
        return outlook.weigh(matter.session, matter.seat, text)
    except OrderError as error:
        return {"order": text, "chance": None, "legal_now": False, "reason": str(error)}


def _odds(matter: Matter) -> dict[str, Any] | None:
    """Return how the battle may continue, from trials with dice of their own.

    The dice do not depend on the game's secret, so a PREVIEW shows nothing of the real ones.
    Return None where the letter has cost too much already.
    """
    session = matter.session
    sheet = merge(codec.decode(session.places[matter.seat].before, Sheet), matter.written)
    seed = f"{game_id(session.game.id)} {session.game.steps}"
    budget = matter.request.budget
    found = odds(session.rules, session.state, matter.seat, sheet, seed, budget)
    return None if found is None else asdict(found)


def _acknowledge(matter: Matter, kind: str, facts: dict[str, Any]) -> None:
    session, place = matter.session, matter.session.places[matter.seat]
    ports, player = matter.request.ports, matter.request.player
    if matter.found.answers:  # an order of this letter may have changed the player's time zone
        player = ports.store.players.get(player.id)
    deadline = ports.reports.moment(session.game.deadline, player)
    asked = place.asked and not place.answered
    _write(matter, kind, thread=thread_of(place), deadline=deadline, asked=asked, **facts)


def _stale(matter: Matter) -> None:
    """Answer that orders came too late for their turn."""
    written, session = matter.written, matter.session
    standing = [] if written.standing is None else lines(written.standing)
    _write(
        matter,
        "stale",
        over=session.over,
        out=not session.over and not session.active(matter.seat),
        not_taken=[*written.queue, *standing],
        answers=matter.found.answers,
        near=nears(matter.found.near),
    )


def _write(matter: Matter, kind: str, **facts: Any) -> None:
    """Queue the answer to a part of a letter."""
    request, game = matter.request, matter.session.game
    request.ports.outbox.write(
        request.player,
        kind,
        request.now,
        ident=(request.letter.sha256, matter.seat),
        reply=request.ports.reports.reply(game, matter.place),
        system=game.system,
        answering=matter.answering,
        game=request.ports.reports.game(game),
        attachments=papers(request, facts["answers"]),
        pilot=matter.seat,
        mates=len(matter.session.team(matter.seat)) - 1,
        **facts,
    )
