"""What a message on a board is answered in its thread, for all to read: at most one short reply.

It is built from nothing: lines that were understood, and why others were not. No letter is ever
shown on a board. What else there is to say goes to the writer alone (`pbem.outgoing.outbox`).
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from datetime import datetime
from typing import Any

from engine.i18n import Said, say
from engine.seats import Seat
from pbem.games.reports.template_facts import PublicReply, RefusedLine
from pbem.games.session import Session, Weighed
from pbem.handlers.order_table import TOLD_IN_PUBLIC
from pbem.handlers.ports import Ports
from pbem.handlers.request import OrderAnswer, Request
from pbem.outgoing.outbox import Reply
from pbem.outgoing.questions import ON_BOARD
from pbem.people.scrub import shown
from pbem.routing.line_kinds import MoreNear, NearLine
from pbem.storage import Letter

_NO_ORDER = say("this is no order")
_LATE = say("it came too late for its turn")


def for_all(answers: Iterable[OrderAnswer]) -> tuple[list[OrderAnswer], list[OrderAnswer]]:
    """Return the answers that everybody may read, and those for the writer alone."""
    told, alone = list[OrderAnswer](), list[OrderAnswer]()
    for one in answers:
        # What is no order of the table refuses a line of the message, which everybody can read.
        (told if one["word"] in TOLD_IN_PUBLIC or not one["word"] else alone).append(one)
    return told, alone


def reply(
    request: Request,
    answers: Sequence[OrderAnswer] = (),
    *,
    name: str = "",
    orders: Sequence[Weighed] = (),
    near: Sequence[NearLine | MoreNear] = (),
    refused: Sequence[RefusedLine] = (),
    asked: Sequence[str] = (),
    about: Reply | None = None,
    waiting_for: Sequence[Any] = (),
    deadline: Any = None,
) -> None:
    """Answer a message in its thread; `about` is what YES to it carries out."""
    told, alone = for_all(answers)
    separate = [one for one in told if one["separate"]]
    done = [_plain(one["order"]) for one in told if one["ok"] and not one["separate"]]
    lines = [_line(one["order"], one["text"], one["hint"]) for one in told if not one["ok"]]
    lines += [_near(miss) for miss in near if "more" not in miss]
    facts: PublicReply = {
        "name": name or request.player.name,
        "notice": "",
        "done": [*orders, *done],
        "refused": [*refused, *lines],
        "asked": [shown(line) for line in asked],
        "waiting_for": list(waiting_for),
        "deadline": deadline,
        "elsewhere": bool(alone),
    }
    # What has a post of its own, such as a nomination, needs no other answer.
    if separate and not (facts["done"] or facts["refused"] or facts["asked"]):
        return
    if about is not None and asked:
        here = replace(about, kind=ON_BOARD)
        request.ports.outbox.ask(request.player, here, (request.letter.sha256,), request.now)
    message = request.message
    to = message.account if message and message.private else ""
    _write(request.ports, request.letter, facts, request.now, to)


def about_battle(
    request: Request, session: Session, seat: str, kind: str, facts: Mapping[str, Any]
) -> None:
    """Answer a message's battle orders in its thread, by the facts of the letter in its place."""
    late = [_line(line, _LATE, "") for line in facts.get("not_taken", ())]
    unsure = facts.get("unsure")
    about = request.ports.reports.about(
        session.game,
        session.rules,
        session.places[Seat(seat)],
        facts.get("question", ""),
        facts.get("by_yes_only", False),
    )
    reply(
        request,
        facts["answers"],
        name=seat,
        orders=facts.get("orders", ()),
        near=facts["near"],
        refused=late,
        asked=[one["line"] for one in unsure["lines"]] if unsure else (),
        about=about["reply"],
        waiting_for=facts.get("waiting_for", ()) if kind == "ack" else (),
        deadline=request.ports.reports.moment(session.game.deadline) if kind == "ack" else None,
    )


def tell(ports: Ports, letter: Letter, name: str, notice: Said, now: datetime) -> None:
    """Tell the writer of a message something in its thread."""
    facts: PublicReply = {
        "name": name,
        "notice": notice,
        "done": [],
        "refused": [],
        "asked": [],
        "waiting_for": [],
        "deadline": None,
        "elsewhere": False,
    }
    _write(ports, letter, facts, now)


def _write(ports: Ports, letter: Letter, facts: PublicReply, now: datetime, to: str = "") -> None:
    thread = f"@{to}" if to else letter.thread
    ports.posts.write(
        "reply", now, ident=f"A{letter.id}", thread=thread, only=letter.channel, to=to, **facts
    )


def _line(line: str, why: str | Said, hint: str | Said) -> RefusedLine:
    return {"line": shown(line), "why": why, "hint": hint}


def _near(miss: NearLine | MoreNear) -> RefusedLine:
    assert "more" not in miss
    hint = " / ".join(miss["meant"]) if miss["meant"] else ""
    why = miss["hint"] if miss["why"] else _NO_ORDER
    return _line(miss["text"], why, hint)


def _plain(order: str) -> Weighed:
    """Return an order that no die decides, and that was carried out."""
    return {"order": shown(order), "chance": None, "legal_now": True, "reason": "", "vain": ""}
