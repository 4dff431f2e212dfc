"""The answer to a letter's league orders: its facts, its subject, and whether it is sent at all."""

import re
from collections.abc import Mapping, Sequence
from typing import TypedDict, cast

from engine import registry
from engine.i18n import Said, say
from engine.names import quoted
from engine.orders.line_shapes import LONGEST, clean
from pbem.channels.mail.mime_writer import Attachment
from pbem.games import offers
from pbem.games.offers import OfferedBattle
from pbem.games.reports import dice_receipt
from pbem.games.session import Weighed
from pbem.handlers.names.taken_names import beginner
from pbem.handlers.order_table import NAMING, READING
from pbem.handlers.order_words import in_words_of
from pbem.handlers.pages.help_pages import word_alone
from pbem.handlers.request import Answer, OrderAnswer, Request, SheetBlock
from pbem.outgoing.outbox import Reply
from pbem.people.scrub import shown
from pbem.routing import public_replies
from pbem.routing.line_kinds import Lines, Unsure, nears
from pbem.routing.marked_text import keeps, say_back, unseen
from pbem.routing.replies_between_players import passed_on
from pbem.storage import stored_games

NOTHING_ASKED = Answer(
    False,
    say("a yes alone does nothing here, since no question is open that it could answer"),
    say("send the line that you mean, on a line of its own"),
)
NO_GAME = Answer(False, say("these are battle orders, but you are in no running game"))
_ORDERLESS = (NOTHING_ASKED.text, NO_GAME.text)
_LONGEST = 40
_SETTINGS = frozenset(
    "TIMEZONE MAIL FORMAT AWAY BACK BLOCK UNBLOCK WATCH UNWATCH SUBSCRIBE UNSUBSCRIBE".split()
)
_MOST_OTHERS = 4
"""To so many other players an answer offers to send the words that nobody has seen."""
_BULLET = re.compile(r"\s*[-*+•]\s+(?=\w)")
"""What the list of an answer puts before each line itself."""
_MOST_SAID_BACK = 30
"""How many lines of orders in doubt an answer repeats."""
_MOST_SHEETS = 8
"""The most sheets that are attached to one letter."""
_SHEET_COST = 25_000
"""What one sheet costs, in units of a Budget; none is attached once the budget is used up."""


def answer(request: Request, found: Lines) -> None:
    """Answer a letter without battle orders, unless other letters answer everything in it.

    What was written in a battle's thread is answered there, as far as all may read it.
    """
    if request.in_thread:
        if not (found.answers or found.near or found.unsure):
            return  # Players talk with each other there.
        public_replies.reply(
            request,
            found.answers,
            near=nears(found.near),
            asked=[one.line for one in found.unsure],
            about=Reply(question="\n".join(question(found))),
        )
        alone = public_replies.for_all(found.answers)[1]
        if alone:
            by_letter(request, Lines(answers=alone))
    else:
        by_letter(request, found)


def by_letter(request: Request, found: Lines) -> None:
    """Answer what was written to its writer alone, unless other letters answer all of it."""
    said = found.words
    if found.separate and not unseen(said, request.player.name):
        return
    lines = [line for line in found.words if line.strip()]
    asked = found.answers or found.near or found.unsure or request.writes_to
    if len(lines) == 1 and not asked:
        page = word_alone(request, clean(lines[0]))
        if page is not None:
            found.answers.append(page.facts(shown(lines[0])))
            said = []
    lost = struggles(request, found)
    if not (lost or found.answers or found.near or found.unsure):
        return
    said = passed_on(request, found, said)
    known = offers.waiting(request.ports.store, request.player)
    asking = [one for one in known if one.awaits(request.player.id)]
    request.ports.outbox.write(
        request.player,
        "answers",
        request.now,
        ident=(request.letter.sha256,),
        reply=Reply(question="\n".join(question(found))),
        answering=request.letter.message_id,
        system=request.ports.settings.league.systems[0],
        title=subject(found, request.language),
        near=nears(found.near),
        unsure=said_back(found),
        kept=keeps(found.kept),
        unseen=say_back(request, said),
        others=_others(request, found.answers, asking),
        lost=lost if request.writes_to is None else 0,
        starter=beginner(request.ports, request.player),
        number=request.player.id,
        wanted=_enlisted_for(found.answers),
        waiting=[one.number for one in asking],
        answers=found.answers,
        attachments=files(request, found.answers),
    )


def _others(
    request: Request, answers: Sequence[OrderAnswer], asking: Sequence[OfferedBattle]
) -> list[str]:
    """Return names of the players whom a letter's words may be meant for, each for a TELL.

    They are those whom its orders are about, or else those of the challenges `asking` for the
    player's answer, or else all whom the player meets in battles that go on.
    """
    store, player = request.ports.store, request.player.id
    found = [name for one in answers for name in one["others"]]
    found = found or [name for one in asking for name in one.names_besides(player)]
    if not found:
        games = [place.game_id for place in stored_games.places_of(store, player)]
        met = stored_games.places(store, game__in=games, player__ne=player) if games else []
        found = list({one.player_id: quoted(one.seat) for one in met}.values())
    return list(dict.fromkeys(found))[:_MOST_OTHERS]


def _enlisted_for(answers: Sequence[OrderAnswer]) -> str:
    """Return the system for which an order in a letter wanted to enlist somebody, or ""."""
    words = {one["word"] for one in answers}
    fit = (key for key, one in registry.campaigns().items() if one.enlisting in words)
    return next(fit, "")


class SaidLine(TypedDict):
    """A line that is said back, how it was written, and its chance if it orders a battle.

    `elsewhere` is true where it is for another battle than the letter's.
    """

    line: str
    wrote: str
    elsewhere: bool
    weighed: Weighed | None


class SaidBack(TypedDict):
    """Orders that are only asked about; `more` counts the lines that are not repeated.

    `beside` is true where other words stand with them, `keyed` where a YES needs the key, too, and
    `own` is false where some may be quoted.
    The deadline does some of them if `timed`; others would leave a battle if `leaves`, which it
    never does.
    """

    lines: list[SaidLine]
    more: int
    own: bool
    beside: bool
    keyed: bool
    timed: bool
    leaves: bool


def said_back(
    found: Lines, battle: Sequence[Unsure] = (), weighed: Mapping[str, Weighed] | None = None
) -> SaidBack | None:
    """Return the orders that are asked about as facts for a template, None where there are none.

    Those for a `battle` come behind those to the league, with their chances where they are known.
    """
    unsure = [*found.unsure, *battle]
    if not unsure:
        return None
    lines: list[SaidLine] = [
        {
            "line": shown(_BULLET.sub("", one.line).replace("\n", ": "), LONGEST),
            "elsewhere": "\n" in one.line,
            "wrote": shown(one.wrote),
            "weighed": (weighed or {}).get(one.line),
        }
        for one in unsure[:_MOST_SAID_BACK]
    ]
    return {
        "lines": lines,
        "more": len(unsure[_MOST_SAID_BACK:]),
        "own": all(one.own for one in unsure),
        "beside": any(map(str.strip, found.words)),
        "keyed": any(one.line.upper().startswith("GM ") for one in unsure),
        "timed": False,
        "leaves": False,
    }


def question(found: Lines) -> list[str]:
    """Return the orders to the league that YES carries out."""
    asked = [one["question"] for one in found.answers if one["question"]]
    return [*asked, *(one.line for one in found.unsure)]


def struggles(request: Request, found: Lines) -> int:
    """Count a letter without an order, and return how many the player has sent today.

    Return 0 if these are more than anybody's patience, so a machine's; and for letters with orders,
    of which there may be any number. Who repeats the same words gets no answer (`repeated_words`).
    """
    # On a board people talk with each other.
    if request.public:
        return 0
    # A yes to nothing is not an order, so such a letter is counted too.
    asked = [*found.unsure, *(one for part in found.parts for one in part.unsure)]
    if any(one.own for one in asked) or any(one["text"] not in _ORDERLESS for one in found.answers):
        return 0
    count = request.ports.store.count_today(f"orderless {request.player.id}", request.now)
    return count if count <= request.ports.settings.limits.automatic_answers_a_day else 0


def subject(found: Lines, language: str) -> Said:
    """Return the subject of a letter's answers, with the order words of a language."""
    answers, near = found.answers, found.near
    if found.unsure and not answers:
        return say("Did you mean this? {line}", line=_short(found.unsure[0].line))
    more = len(answers) + len(near) - 1
    if more < 0:
        return say("No order was found")
    if answers:
        first = _told(answers[0], language)
    else:
        first = say("Not understood: {line}", line=_short(near[0].text))
    if more > 1:
        return say("{first}, and {count} more orders", first=first, count=more)
    return say("{first}, and one more order", first=first) if more else first


def _told(answer: OrderAnswer, language: str) -> Said:
    """Return in a few words what became of one order."""
    order = in_words_of(answer["word"], language)
    # Rulings share their first word.
    order = _short(answer["order"]) if answer["word"] == "GM" or not order else order
    if not answer["ok"]:
        return say("Not done: {order}", order=order) if order else say("Not done")
    if answer["tried"]:
        return say("Only tried: {order}", order=order)
    if isinstance(answer["title"], Said):
        return answer["title"]
    if answer["word"] in READING:
        return say("What you asked: {order}", order=order)
    if answer["word"] in _SETTINGS:
        return say("Settings: {order}", order=order)
    # The word alone, such as LINEUP, would tell nothing; an address is none of a subject's.
    whole = answer["order"] if answer["word"] not in NAMING else ""
    return say("Done: {order}", order=_short(whole) or order)


def _short(line: str) -> str:
    """Return a line of a player's, cut to what a subject can hold."""
    return line if len(line) <= _LONGEST else f"{line[: _LONGEST - 1].rstrip()}…"


def files(request: Request, answers: Sequence[OrderAnswer]) -> list[Attachment]:
    """Return what comes with some answers: sheets to print, commitments, and receipts."""
    told = dice_receipt.told_in(request.ports.outbox, request.player, answers)
    return [*_printed_sheets(request, answers), *told]


def _printed_sheets(request: Request, answers: Sequence[OrderAnswer]) -> list[Attachment]:
    """Return the player's own persona sheets among the blocks of some answers, as PDF files."""
    found = [
        cast(SheetBlock, block)
        for answer in answers
        for block in answer["blocks"]
        # What a PREVIEW only tried is rolled back, so there is no such sheet.
        if block["kind"] == "sheet" and block["own"] and not answer["tried"]
    ]
    outbox = request.ports.outbox
    return [
        paper
        for block in found[:_MOST_SHEETS]
        if request.budget.take(_SHEET_COST)
        for paper in outbox.pdf_page(
            request.player, "persona", block["sheet"]["name"], block["system"], block=block
        )
    ]
