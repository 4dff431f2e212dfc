"""Battle orders in a letter: read, weighed, filed and acknowledged."""

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
    """A part of a letter while it is dealt with: what it says to one seat of an open game.

    `found` is what the letter says besides and `answering` the letter's Message-ID; both are
    empty where another part has them, for a letter is answered once.
    """

    request: Request
    found: Lines
    session: Session
    place: Place
    written: Written
    answering: str

    @property
    def seat(self) -> Seat:
        """Give the seat that the part is for."""
        return Seat(self.place.seat)

    @property
    def words(self) -> Words:
        """Return what the part adds to the dice: the letter's mark and its own SALT lines."""
        return fair.words_of(self.request.letter.message_id, self.written.salts)


Filed = tuple[Matter, dict[str, Any]]


def carry_out(request: Request, found: Lines, parts: Sequence[Part], turn: int | None) -> None:
    """File a letter's battle orders, each part for its place, and let battles run on that can."""
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
    for game, session in sessions.items():
        of_it = [one for one in filed if one[0].session is session]
        if of_it or game in found.ready:
            _go_on(request, session, of_it)


def _go_on(request: Request, session: Session, filed: Sequence[Filed]) -> None:
    """Let a battle run on with what was filed, or acknowledge that."""
    if not request.ports.referee.advance(session, request.now):
        for matter, facts in filed:
            told = facts | {"waiting_for": session.waiting_for(matter.seat)}
            _acknowledge(matter, "ack", told)


def _file(matter: Matter, turn: int | None) -> dict[str, Any] | None:
    """Put a part's orders in force and give what was understood; None if it is answered now."""
    ports, session, written = matter.request.ports, matter.session, matter.written
    if matter.request.reads_only:
        _read_only(matter)
        return None
    ready = written.empty and session.game.id in matter.found.ready
    asks = matter.found.told and not written.salts  # a SALT counts beside a question, too
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
    session.receipts[matter.seat] = Receipt(matter.answering, facts)
    return facts


def _read_only(matter: Matter) -> None:
    """Answer a part of a letter that proves nothing but that its writer had an old report."""
    written = matter.written
    if not written.empty or written.story or written.private or written.salts or written.near:
        _stale(matter)
    elif matter.answering:
        answer(matter.request, matter.found)


def _says_nothing(matter: Matter) -> bool:
    """Tell whether a part holds neither an order nor anything near one."""
    found = matter.found
    return not (found.answers or found.near or found.kept or matter.written.near)


def _plain(matter: Matter) -> Written:
    """Take queued orders that may mean several things, such as a TARGET that names nobody among
    several opponents, for near misses: in a queue they would stand in the way of all the rest."""
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
    """Leave out the orders of a part that holds more than the league takes, and say so."""
    most = matter.request.ports.settings.limits.order_lines
    sheet = written.standing or Sheet()
    if len(written.queue) + len(sheet.rules) + (sheet.otherwise is not None) <= most:
        return written
    text = say("more than {most} orders in one letter", most=most)
    matter.found.answers.append(entry("", Answer(False, text)))
    return Written((), None, written.near, written.story)


def _understood(matter: Matter) -> dict[str, Any]:
    """Give every order as understood, its chance, and what was ignored and why."""
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
    """Give the standing orders that hold if a part's orders are taken."""
    standing = matter.written.standing
    return lines(matter.session.sheet(matter.seat) if standing is None else standing)


def _weigh(matter: Matter, text: str) -> dict[str, Any]:
    try:
        return outlook.weigh(matter.session, matter.seat, text)
    except OrderError as error:
        return {"order": text, "chance": None, "legal_now": False, "reason": str(error)}


def _odds(matter: Matter) -> dict[str, Any] | None:
    """Give how the fight would go on, from what is public: the game's secret has no part in it.

    None where the letter has cost too much already.
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
    if matter.found.answers:  # which may have changed the player's time zone
        player = ports.store.players.get(player.id)
    deadline = ports.reports.moment(session.game.deadline, player)
    asked = place.asked and not place.answered
    _write(matter, kind, thread=thread_of(place), deadline=deadline, asked=asked, **facts)


def _stale(matter: Matter) -> None:
    """Say that orders came too late; a fresh report comes with its own token."""
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
    """Answer a part of a letter."""
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
