"""New offers: the record of one, the letters to those whom it names, and its answer."""

from collections.abc import Sequence
from re import Match
from typing import Any, NamedTuple

from engine import registry
from engine.i18n import Said, all_of, say
from engine.registry import RULESETS, matches
from pbem.games import commitments, offers, punctuality
from pbem.games.commitments import Terms
from pbem.games.offers import NewSeat, OfferedBattle, lapses, listed
from pbem.games.persona_rules import campaign_of, persona_sheet
from pbem.games.reports import dice_receipt
from pbem.handlers.names.doctrines import given
from pbem.handlers.names.own_pilots_and_places import called
from pbem.handlers.offers import threads
from pbem.handlers.offers.checks import (
    Teams,
    objection,
    often,
    refuse_unfit,
    setup_of,
    terms_of,
)
from pbem.handlers.offers.live_rooms import channel_for, check_terms
from pbem.handlers.request import Answer, Block, Refusal, Request, refuse_if
from pbem.outgoing.outbox import Reply
from pbem.people import doctrines
from pbem.storage import Persona, Player, Pledge, Store

_FIRST = {"ME": 1, "THEM": 2, "ROLL": 0, None: 0}
"""The words after FIRST, with the team that each means."""
_FIRST_WORDS = (say("the dice decide"), say("the challenger"), say("you"))
"""The same as a letter to who is challenged says it."""

EXAMPLE = say("CHALLENGE Kites, Herons WITH Ravens")
TEAM_EXAMPLE = say("TEAM CHALLENGE Kestrel, Merlin WITH Hawk, Falcon")
_TOLD = 3
"""The most doctrines that a challenge offers to be accepted with."""
MOST = 8
"""The most pilots in a team, so that letters stay short enough to read."""


class Asked(NamedTuple):
    """What an offer asks for: which team begins, whether it is to be major, and a system's terms.

    `channel` is the board on which it is to be played, "" for none. `doctrine` is the one that the
    challenger's own begin with, and that nobody else is told.
    """

    first: int = 0
    major: bool = False
    terms: str = ""
    channel: str = ""
    doctrine: str | None = None


def asked(request: Request, match: Match[str]) -> Asked:
    """Return what the words of a challenge ask for."""
    first = _FIRST[match["first"].upper() if match["first"] else None]
    terms = terms_of(match, request.language)
    board = board_of(request, match)
    return Asked(first, match["major"] is not None, terms, board, match["doctrine"])


def board_of(request: Request, match: Match[str]) -> str:
    """Return the board on which a challenge is to be played, or "".

    It is the one that the challenge names, or on which it was written, or else the league's.
    Raise Refusal where nobody plays on it.
    """
    boards = request.ports.posts.boards
    here = request.letter.channel if request.letter.channel in boards else ""
    board = (match["board"] or here or request.ports.settings.league.board).lower()
    if board and board not in boards:
        raise Refusal(
            say("nobody plays on {board} here", board=board),
            say("you can play by mail, or on one of these boards: {boards}", boards=boards)
            if boards
            else say("without ON and a board it is played by mail"),
        )
    return board


def _placed(request: Request, one: Persona, asked: Asked) -> Asked:
    """Return an offer of a pilot's with the channel on which it is played; or raise Refusal."""
    channel = channel_for(request, one, asked.channel)
    check_terms(request.ports, asked.terms, channel)
    return asked._replace(channel=channel)


def to_named(request: Request, teams: Teams, asked: Asked) -> Answer:
    """Offer a battle of teams, the first with a pilot of the player's, and notify all others.

    Two teams of one are a duel, and more than two teams fight each against all others. Guests of a
    game without a campaign are the first of them against all others.
    """
    store, [one, *_] = request.ports.store, teams[0]
    if one.is_guest:
        _check_guests(teams)
    else:
        _check(request, teams)
    _refuse_duplicate(store, teams)
    asked = _placed(request, one, asked)
    if len(teams) > 2:
        # Who begins can be asked for only where there are two.
        asked = asked._replace(first=0)
    mine = [row for team in teams for row in team if row.player_id == request.player.id]
    standing = given(request, mine, asked.doctrine)
    made = _add(
        request,
        # The challenger has agreed by asking, for all of their own pilots.
        [
            NewSeat(n, row, request.words, standing[row.id]) if row in mine else NewSeat(n, row)
            for n, team in enumerate(teams, 1)
            for row in team
        ],
        commitments.battle_terms(setup_of(teams, asked.first, asked.terms)),
        asked,
    )
    # One letter for each player, no matter how many of their pilots are named.
    for player in dict.fromkeys(row.player_id for row in made.silent):
        _notify(request, made, store.get(Player, player))
    title = say("Challenge sent: {one} against {other}", one=listed(teams[0]), other=made.opponents)
    if one.is_guest:
        title = say("Challenge sent: {title}", title=RULESETS[one.system].title)
    return _answer(request, _on_its_way(made), made, title)


def _on_its_way(made: OfferedBattle) -> Said:
    """Return the sentence that an offer is on its way to those whom it names."""
    if made.ones[0].is_guest:
        others = all_of([row.name for row in made.others])
        return say(
            "challenge {number} is on its way to {others}", number=made.number, others=others
        )
    if made.is_duel:
        [other] = made.others
        return say(
            "challenge {number} is on its way to {other}'s player",
            number=made.number,
            other=other.name,
        )
    if made.is_free:
        return say(
            "challenge {number} is on its way to the players of {pilots}",
            number=made.number,
            pilots=listed(made.silent),
        )
    return say(
        "team challenge {number} is on its way to the players of {pilots}",
        number=made.number,
        pilots=listed(made.silent),
    )


def to_anybody(request: Request, one: Persona, seats: int, asked: Asked) -> Answer:
    """Offer a battle of some seats, of which a pilot has the first, to all who take the others."""
    _refuse_duplicate(request.ports.store, [[one]])
    asked = _placed(request, one, asked)
    # Guests are one team against the first; others fight each against all others.
    free = [NewSeat(2 if one.is_guest else n) for n in range(2, seats + 1)]
    # As for a patrol, only who waits can be committed to.
    terms = commitments.patrol_terms(one.name)
    own = NewSeat(1, one, request.words, given(request, [one], asked.doctrine)[one.id])
    made = _add(request, [own, *free], terms, asked)
    if one.is_guest:
        title = say("Open challenge: {pilot}", pilot=RULESETS[one.system].title)
        text = say(
            "challenge {number} is open to anybody, with {seats} seats; GAMES lists it,"
            " and ACCEPT {number} takes a seat",
            number=made.number,
            seats=seats,
        )
        return _answer(request, text, made, title)
    text = say(
        "challenge {number} of {pilot} is open to anybody; GAMES lists it, and"
        " the first who takes it fights it",
        number=made.number,
        pilot=one.name,
    )
    if seats > 2:
        text = say(
            "challenge {number} of {pilot} is open to anybody, with {seats} seats, each against all"
            " others; GAMES lists it, and ACCEPT {number} takes a seat",
            number=made.number,
            pilot=one.name,
            seats=seats,
        )
    return _answer(request, text, made, say("Open challenge: {pilot}", pilot=one.name))


def _add(request: Request, seats: Sequence[NewSeat], terms: Terms, asked: Asked) -> OfferedBattle:
    # The game is reserved at once, so that its commitment is known from the start.
    store, [one, *_] = request.ports.store, seats
    assert one.persona is not None
    pledge = commitments.reserve(store, one.persona.system, terms, request.now)
    return offers.add(
        store,
        pledge,
        seats,
        request.now,
        first=asked.first,
        major=asked.major,
        terms=asked.terms,
        channel=asked.channel,
    )


def _check(request: Request, teams: Teams) -> None:
    """Raise Refusal where pilots can't fight each other now."""
    rows = [row for team in teams for row in team]
    twice, nouns = _repeated(rows), registry.nouns({rows[0].system})
    free = campaign_of(rows[0]).free_for_all
    example = EXAMPLE if len(teams) > 2 else TEAM_EXAMPLE
    if twice is not None and len(rows) > 2:
        raise Refusal(say("{pilot} is named twice", pilot=twice.name), example)
    if max(map(len, teams)) > MOST:
        raise Refusal(say("a team has {most} {many} at most", most=MOST, many=called(request).many))
    # The player of the first pilot is the challenger (OfferedBattle.made_by).
    if rows[0].player_id != request.player.id:
        raise Refusal(
            say(
                "{pilot} is not yours; name one of your own first behind WITH",
                pilot=rows[0].name,
            )
        )
    if len(teams) > 2 and free is None:
        raise Refusal(
            say("a duel is one against one; for several write TEAM before it"), TEAM_EXAMPLE
        )
    if free is not None and len(teams) > free.most:
        raise Refusal(
            say(
                "at most {most} {many} fight each other, and you name {count}",
                most=free.most,
                many=nouns.many,
                count=len(teams),
            ),
            EXAMPLE,
        )
    refuse_unfit(request.ports, teams, request.now)


def _check_guests(teams: Teams) -> None:
    """Raise Refusal where a guest is named twice, or too many or too few are."""
    rows = [row for team in teams for row in team]
    match, title = matches()[rows[0].system], RULESETS[rows[0].system].title
    twice = _repeated(rows)
    if twice is not None:
        raise Refusal(
            say("{player} is in it already; name each other player once", player=twice.name)
        )
    if not match.fewest <= len(rows) <= match.most:
        raise Refusal(
            say(
                "{title} is for {fewest} to {most} players, and you name {count}",
                title=title,
                fewest=match.fewest,
                most=match.most,
                count=len(rows),
            )
        )
    refuse_if(objection(teams))


def _repeated(rows: Sequence[Persona]) -> Persona | None:
    """Return the first persona that stands in a list twice, or None."""
    return next((row for n, row in enumerate(rows) if row in rows[:n]), None)


def _refuse_duplicate(store: Store, teams: Teams) -> None:
    """Raise Refusal if the first of some teams offers the same already.

    One team alone stands for a challenge to anybody.
    """
    wanted = _by_players(teams)
    for offer in offers.open_with(store, teams[0][0]):
        known = offer.teams[:1] if offer.to_anybody else offer.teams
        if _by_players(known) == wanted:
            number = offer.number
            raise Refusal(say("that challenge is open already: number {number}", number=number))


def _by_players(teams: Teams) -> tuple[set[int], set[frozenset[int]]]:
    """Return the first team, and the others in whatever order, each by its pilots' numbers."""
    one, *others = [frozenset(row.id for row in team) for team in teams]
    return {*one}, {*others}


def _notify(request: Request, offer: OfferedBattle, reader: Player) -> None:
    """Write to a player whose pilots a challenge names."""
    ports, number = request.ports, offer.number
    pledge = commitments.facts(ports.store.get(Pledge, offer.row.pledge_id))
    kind, facts = _letter(request, offer, reader)
    ports.outbox.write(
        reader,
        kind,
        request.now,
        ident=(number,),
        reply=Reply(question=f"ACCEPT {number}"),
        system=offer.row.system,
        number=number,
        major=offer.row.major,
        terms=offer.asked,
        pledge=pledge,
        attachments=[dice_receipt.commitment(ports.outbox, reader, pledge)],
        often=often(ports, offer, request.now),
        doctrines=_shared(ports.store, offer.of(reader.id)),
        until=ports.reports.moment(lapses(ports.store, ports.settings.league, offer), reader),
        **facts,
    )


def _shared(store: Store, rows: Sequence[Persona]) -> list[str]:
    """Return the names of the doctrines that all of a player's pilots have, some of them."""
    own = [doctrines.of(store, row.player_id, row.id) for row in rows]
    names = [one.name for one in own[0]]
    return [name for name in names if all(doctrines.named(one, name) for one in own)][:_TOLD]


def _letter(request: Request, offer: OfferedBattle, reader: Player) -> tuple[str, dict[str, Any]]:
    """Return which letter tells a player of a challenge, and the facts that it has of its own."""
    player, mine, names = request.player, offer.of(reader.id), [row.name for row in offer.pilots]
    if offer.ones[0].is_guest:
        title = RULESETS[offer.row.system].title
        return "match", {"by": player.name, "title": title, "names": names}
    if offer.is_duel:
        [one] = offer.ones
        store, league = request.ports.store, request.ports.settings.league
        return "challenge", {
            "challenger": {"pilot": one.name, "player": player.name},
            "sheet": persona_sheet(one),
            "reliability": punctuality.reliability(store, league, player.id),
            "own": mine[0].name,
            "own_sheet": persona_sheet(mine[0]),
            "first": _FIRST_WORDS[offer.row.first],
        }
    lines = [[_line(request, row) for row in team] for team in offer.teams]
    facts = {"by": player.name, "own": listed(mine), "own_sheet": persona_sheet(mine[0])}
    if offer.is_free:
        return "free_fight", facts | {"names": names, "pilots": [one for [one] in lines]}
    first = offer.teams[offer.row.first - 1][0].name if offer.row.first else ""
    return "team_challenge", facts | {"teams": lines, "first": first}


def _line(request: Request, row: Persona) -> dict[str, object]:
    """Return a pilot of a team as facts for a template."""
    store, league = request.ports.store, request.ports.settings.league
    return {
        "name": row.name,
        "player": store.get(Player, row.player_id).name,
        "reliability": punctuality.reliability(store, league, row.player_id),
        "system": row.system,
        "sheet": persona_sheet(row),
        "bar": "",
    }


def _answer(request: Request, text: Said, made: OfferedBattle, title: Said) -> Answer:
    """Open a challenge's thread, if it is for a board, and return its answer.

    It holds the commitment to the dice, and any reason not to count. A moderator must agree to a
    major battle (SP-31).
    """
    store = request.ports.store
    if made.row.major:
        text = say("{text}; it is a major battle if the moderator agrees", text=text)
    if made.row.channel:
        text = say("{text}, and stands on the board {board}", text=text, board=made.row.channel)
    threads.open_thread(request.ports, made, request.now)
    much = often(request.ports, made, request.now)
    text = say("{text}. {often}", text=text, often=much) if much else text
    back = (say("takes it back"), say("WITHDRAW {number}", number=made.number))
    blocks = (committed(store.get(Pledge, made.row.pledge_id)),)
    others = made.names_besides(request.player.id)
    # In a chat room the lines about the challenge say all.
    told = request.live and made.row.channel == request.letter.channel
    return Answer(
        True, text, blocks=blocks, title=title, taps=(back,), others=others, separate=told
    )


def committed(pledge: Pledge) -> Block:
    """Return the block with the number that a battle will have and the commitment to its dice."""
    return {"kind": "pledge", "pledge": commitments.facts(pledge)}
