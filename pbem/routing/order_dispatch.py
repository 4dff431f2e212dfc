"""Order dispatch: carries out the orders of a letter, those to the league first."""

from collections.abc import Sequence
from contextlib import suppress
from dataclasses import replace
from typing import Any

from engine.i18n import say
from pbem.games import offers
from pbem.handlers.names.own_pilots_and_places import bound, called, only_place
from pbem.handlers.order_table import READING, LeagueOrder
from pbem.handlers.order_words import in_written_words
from pbem.handlers.request import Answer, Refusal, Request
from pbem.outgoing import questions
from pbem.people.scrub import shown
from pbem.routing import battle_orders, find_league_order
from pbem.routing.answer_limits import LetterLimits, shortened
from pbem.routing.answer_to_orders import NO_GAME, NOTHING_ASKED, answer
from pbem.routing.done_at_once import add_uncertain, sort_out
from pbem.routing.line_kinds import Lines, Ordered, Part, read
from pbem.routing.line_tests import salts_in
from pbem.routing.marked_text import STORY, unseen
from pbem.routing.orders_for_other_battle import only_fit
from pbem.routing.yes_words import is_yes
from pbem.storage import Place, Player, stored_games

_UNREAD = Answer(
    False,
    say("this file was not opened: only the text of a letter is read"),
    say("the orders in the letter itself"),
)


def carry_out_orders(
    request: Request, text: str, turn: int | None = None, beside: Sequence[str] = ()
) -> bool:
    """Carry out the orders in a letter's text, answer it, and return whether it held any.

    `turn` is the turn whose report the letter answers, if any. `beside` are further words of a
    letter that confirms the orders.
    """
    language = None if request.reads_only else _chosen_language(request, text)
    if language is not None:
        # Orders below LANGUAGE are written in that language already.
        request = replace(request, player=request.player.changed(language=language))
    # League orders first: an ACCEPT may begin the battle that the other lines are for.
    request, found = _carry_out_league(request, text)
    if not request.player.confirmed:
        return True  # who has just left the league gets no letter but the last one
    found.words += beside
    if request.public:
        # Everybody has read them already, and the referee repeats none of them.
        found.words.clear()
    ordered = bool(found.answers or found.near or found.ready or _has_orders(found, ()))
    parts = _parts_with_place(request, found)
    if parts:
        battle_orders.file_and_play(request, found, parts, turn)
    else:
        answer(request, found)
    return ordered or any(part.near or part.story is not None for part in parts)


def _chosen_language(request: Request, text: str) -> str | None:
    """Return the language that a letter's own LANGUAGE order chooses, or None."""
    for line in text.splitlines():
        found = find_league_order.find(line, request.language)
        if isinstance(found, tuple) and found[0].word == "LANGUAGE":
            return request.ports.outbox.renderer.language_named(found[1]["language"])
    return None


def _carry_out_league(request: Request, letter: str) -> tuple[Request, Lines]:
    """Carry out the league orders among a letter's lines, and return the answers and the rest.

    Return the request, too, with what the orders changed of its player.
    """
    found, ordered = _read(request, letter)
    # To a letter of another player a yes is an answer like any other.
    said = [] if request.writes_to else [line for line in found.words if is_yes(line)]
    if request.reads_only:
        # Old letters are easily found or forwarded, so their tokens prove little.
        for one in ordered:
            if one.order.word not in READING:
                one.order = one.order._replace(act=_late)
    if ordered or found.answers:
        request = _obey_all(request, found, ordered)
    if found.answers or found.near or found.ready or _has_orders(found, ordered):
        return request, found
    if said:
        found.words = [line for line in found.words if line not in said]
        nothing = _still_open(request) or NOTHING_ASKED
        found.answers += [nothing.facts(shown(line)) for line in said]
    # Only where the letter holds no order: then its sender may have written them in the file.
    found.answers += [_UNREAD.facts(shown(name)) for name in request.unread]
    return request, found


def _still_open(request: Request) -> Answer | None:
    """Return the answer to a YES that replies to no question while one is open, or None.

    It asks that question again, so that YES in a reply to it is enough.
    """
    # What was asked by mail is no business of those who read a board.
    if request.message is not None:
        return None
    known = questions.latest_orders(request.ports.store, request.player.id, request.now)
    if known is None:
        return None
    question, token = known
    lines = question.lines
    if token.place_id is not None:
        lines = f"GAME {token.game_id}\n{lines}"
    return Answer(
        False,
        say("the letter that you reply to asks nothing, but this is open still"),
        say("YES in a reply to this letter, if you mean {lines}", lines=shown(question.lines)),
        question=lines,
    )


def _read(request: Request, letter: str) -> tuple[Lines, list[Ordered]]:
    """Return what a letter's lines are, and the league orders that are done at once."""
    found, ordered = read(request, letter)
    ordered = sort_out(request, found, ordered)
    if request.unsure and not (request.confirmed or found.preview):
        add_uncertain(request, found, request.unsure)
    return found, ordered


def _has_orders(found: Lines, ordered: Sequence[Ordered]) -> bool:
    """Return whether a letter holds any order, sure or not."""
    return bool(ordered or found.unsure) or any(part.meant for part in found.parts)


def _obey_all(request: Request, found: Lines, ordered: Sequence[Ordered]) -> Request:
    """Carry out league orders, and add their answers, as many as one letter may cause.

    Carried out only now: an order may need the text below it, and must know what else there is.
    Return the request with what the orders changed of its player.
    """
    known = _informed(request, found, alone=len(ordered) == 1) if ordered else request
    limits = LetterLimits(known)
    for one in ordered:
        if not request.player.confirmed:
            break  # who has just left the league orders nothing more
        if not limits.allow(one.order, one.match):
            found.words += one.below
            continue
        about = replace(
            known,
            player=request.player,
            line=one.line,
            below=tuple(one.below),
            place=one.place,
        )
        done = (_try if found.preview else _obey)(about, one.order, one.match)
        if one.order.word not in READING:
            request = _as_now(request)
        if (done.tried or not done.ok) and not done.repeats:
            # What was to be passed on has been seen by nobody.
            found.words += one.below
        if done.ready_in:
            found.ready.add(done.ready_in)
        else:
            found.answers.append(done.facts(one.line, one.order.word))
    found.answers, left_out = shortened(found.answers)
    refused = limits.refused(left_out)
    found.answers += [Answer(False, text, hint).facts("") for text, hint in refused]
    return request


def _as_now(request: Request) -> Request:
    """Return the request after an order that may have changed its player or their battles."""
    request.battles.clear()
    now = request.ports.store.get(Player, request.player.id)
    # The letter is answered where and how it was before, but with a token that holds.
    same = request.player.changed(key_serial=now.key_serial, confirmed=now.confirmed)
    return replace(request, player=same)


def _informed(request: Request, found: Lines, alone: bool) -> Request:
    """Return the request with what a letter's league orders need to know about the rest of it."""
    salts = salts_in(request, "\n".join(found.rest))
    games = frozenset(place.game_id for place in _places(request, found).values())
    alone &= not (found.near or found.unsure or any(part.meant for part in found.parts))
    beside = found.kept or unseen(found.words, request.player.name)
    bare = alone and not (beside or any(part.story is not None for part in found.parts))
    return replace(request, salts=salts, games=games, alone=alone, bare=bare)


def _places(request: Request, found: Lines) -> dict[int, Place]:
    """Return the places that parts of a letter are for as things stand, by the parts' numbers."""
    first, *headed = found.parts
    places = {n: part.place for n, part in enumerate(found.parts) if part.place is not None}
    if first.place is not None and not headed:
        return places
    if not (first.meant or first.story is not None):
        return {n: place for n, place in places.items() if n or not headed}
    only = None if first.place else only_place(request)
    return places if only is None else {**places, 0: only}


def _late(request: Request, match: Any) -> Answer:
    """Refuse an order whose only proof is the token of a turn that is over."""
    raise Refusal(
        say("your letter answers a turn that is over, and by that one can only read"),
        say("the same words in a reply to this letter, or with your key"),
    )


_HELD_BACK = Answer(False, say("your letter says PREVIEW, so nothing in it was done"))


def _obey(request: Request, order: LeagueOrder, match: Any) -> Answer:
    """Carry out one order; if it is refused, roll back what it did and return the reason."""
    try:
        with request.ports.store.savepoint():
            return order.act(request, match)
    except Refusal as error:
        text = in_written_words(str(error), order.word, request.language)
        return Answer(False, text, error.hint, taps=error.taps)


class _Tried(Exception):
    """Raised to roll back an order that was only tried."""


def _try(request: Request, order: LeagueOrder, match: Any) -> Answer:
    """Return what an order would do, if it can be tried, and roll back all changes."""
    if not order.may_be_tried:
        return _HELD_BACK
    answer = _HELD_BACK
    with suppress(_Tried), request.ports.store.savepoint():
        answer = replace(_obey(request, order, match), tried=True)
        # Only an exception that leaves the savepoint undoes it.
        raise _Tried
    return answer


def _parts_with_place(request: Request, found: Lines) -> list[Part]:
    """Return a letter's parts that are for a place, after finding the place of the first.

    Words above the first line such as GAME 12 make no part.
    """
    first, *headed = found.parts
    _place_story(request, found)
    if first.place is not None and not headed:
        return [first]
    if headed and not (first.meant or first.near or first.story is not None):
        return headed
    # A SALT may be for the dice of a challenge.
    if first.place is None and not all(salts_in(request, line) for line in first.meant):
        first.place = _meant(request, found)
    elif first.place is None and (first.near or (first.meant and not found.answers)):
        # Mistyped orders are worth an answer that knows the battle, where it can only be one.
        first.place = only_place(request)
    return [first, *headed] if first.place is not None else headed


def _place_story(request: Request, found: Lines) -> None:
    """Find the place of a story that stands above every line such as GAME 12, or refuse it."""
    first = found.parts[0]
    if first.story is None or first.place is not None:
        return
    first.place = only_place(request)
    if first.place is not None:
        return
    refused = _obey(request, find_league_order.STORY, None)
    found.answers.append(refused.facts(STORY, STORY))
    found.words += first.story
    first.story = None


def _meant(request: Request, found: Lines) -> Place | None:
    """Return the place that battle orders without a game's token are for.

    Return None, and add an answer, where none or several are possible.
    """
    running = bound(stored_games.places_of(request.ports.store, request.player.id))
    if len(running) == 1:
        return running[0]
    if not running:
        known = offers.waiting(request.ports.store, request.player)
        asked = [one for one in known if not one.awaits(request.player.id)]
        number = asked[0].number if asked else 0
        hint = say("challenge {number} has not been answered yet", number=number) if asked else ""
        found.answers.append(replace(NO_GAME, hint=hint).facts(""))
        return None
    text = say("say which game they are for")
    hint = say("a line such as GAME 12 above the orders")
    if request.live:
        hint = say("the number before the order, as in {order}", order="G12 SCAN")
    # Several of the player's pilots are in one battle, so its number would not help.
    if len({place.game_id for place in running}) == 1:
        text = say("say which {one} they are for", one=called(request).one)
        hint = say("a line such as FOR {pilot} above the orders", pilot=running[0].seat)
    elif game := only_fit(request, found.rest):
        hint = say("GAME {game} above the orders, which fit that battle", game=game)
    why = say("these are battle orders, but {text}", text=text)
    found.answers.append(Answer(False, why, hint).facts(""))
    return None
