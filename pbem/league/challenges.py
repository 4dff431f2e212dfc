"""CHALLENGE, ACCEPT, DECLINE and WITHDRAW: how a duel comes about."""

from datetime import datetime
from re import Match
from typing import TYPE_CHECKING

from engine.said import say
from pbem import turnout
from pbem.league.own import own
from pbem.league.visit import Answer, Refusal, Visit
from pbem.referee import Entrant
from pbem.session import career_of, piece_of
from pbem.store import Challenge, Persona

if TYPE_CHECKING:
    from pbem.office import Office

_FIRST = {"ME": "one", "THEM": "other", "ROLL": "", None: ""}
_FIRST_WORDS = {
    "one": say("the challenger moves first"),
    "other": say("you move first"),
    "": say("by the dice"),
}


def _only_own(visit: Visit) -> Persona:
    mine = visit.office.store.personas.all(player=visit.player.id)
    free = [row for row in mine if not bar(visit.office, row, visit.now)]
    if len(free) != 1:
        raise Refusal(say("say with which of your pilots"), say("CHALLENGE Kestrel WITH Hawk"))
    return free[0]


def bar(office: "Office", row: Persona, now: datetime) -> str | None:
    """Say why a pilot can't enter a duel now, or None."""
    if office.store.is_fighting(row.id):
        return say("{pilot} is in a game already", pilot=row.name)
    return career_of(row).available(piece_of(row), office.settings.league.day(now))


def bar_pair(office: "Office", one: Persona, other: Persona, now: datetime) -> str | None:
    """Say why two pilots can't fight each other now, or None."""
    if one.player_id == other.player_id:
        return say("{one} and {other} are of one player (SP-6)", one=one.name, other=other.name)
    if one.system != other.system:
        return say("{one} and {other} are of different games", one=one.name, other=other.name)
    barred = bar(office, one, now) or bar(office, other, now)
    return barred or career_of(one).bar(piece_of(one), piece_of(other))


def challenge(visit: Visit, match: Match[str]) -> Answer:
    """Offer a duel to another player's pilot, and write to that player."""
    store = visit.office.store
    other = store.persona_named(match["other"])
    if other is None:
        raise Refusal(
            say("no pilot is called {other}", other=match["other"]), say("STATUS lists all pilots")
        )
    one = own(visit, match["one"]) if match["one"] else _only_own(visit)
    barred = bar_pair(visit.office, one, other, visit.now)
    if barred is not None:
        raise Refusal(barred)
    open_one = store.challenges.find(one=one.id, other=other.id, state="open")
    if open_one is not None:
        raise Refusal(say("that challenge is open already: number {number}", number=open_one.id))
    first = _FIRST[match["first"].upper() if match["first"] else None]
    made = store.challenges.add(
        system=one.system,
        one=one.id,
        other=other.id,
        first=first,
        major=match["major"] is not None,
        made=visit.now,
    )
    _tell_challenged(visit, made, one, other)
    text = say(
        "challenge {number} is on its way to {other}'s player", number=made.id, other=other.name
    )
    if made.major:
        text = say("{text}; it is a major battle if a moderator says so", text=text)
    return Answer(True, text)


def _tell_challenged(visit: Visit, made: Challenge, one: Persona, other: Persona) -> None:
    visit.office.outbox.write(
        visit.office.store.players.get(other.player_id),
        "challenge",
        visit.now,
        ident=(made.id,),
        system=made.system,
        number=made.id,
        challenger={"pilot": one.name, "player": visit.player.name},
        sheet=career_of(one).sheet(piece_of(one)),
        reliability=turnout.reliability(
            visit.office.store, visit.office.settings.league, visit.player.id
        ),
        own=other.name,
        first=_FIRST_WORDS[made.first],
        major=made.major,
    )


def _open(visit: Visit, number: str | None, mine: str) -> tuple[Challenge, Persona, Persona]:
    """Give an open challenge that a player may answer (`other`) or take back (`one`)."""
    store = visit.office.store
    fit: list[tuple[Challenge, Persona, Persona]] = []
    for found in store.challenges.all(state="open"):
        one, other = store.personas.get(found.one_id), store.personas.get(found.other_id)
        if (other if mine == "other" else one).player_id == visit.player.id:
            fit.append((found, one, other))
    if number is not None:
        fit = [entry for entry in fit if entry[0].id == int(number)]
    if len(fit) == 1:
        return fit[0]
    if number is not None or not fit:
        which = say("no challenge is open for you")
        if number is not None:
            which = say("challenge {number} is not open for you", number=number)
        raise Refusal(which, say("STATUS lists the challenges that wait for you"))
    numbers = [entry[0].id for entry in fit]
    raise Refusal(
        say("which challenge? open are {numbers}", numbers=numbers),
        say("write its number behind the order"),
    )


def accept(visit: Visit, match: Match[str]) -> Answer:
    """Take up a challenge: the battle begins, and both players get its first letter."""
    office = visit.office
    found, one, other = _open(visit, match["number"], "other")
    barred = bar_pair(visit.office, one, other, visit.now)
    if barred is not None:
        raise Refusal(barred)
    pieces = piece_of(one), piece_of(other)
    first = {"one": one.name, "other": other.name, "": None}[found.first]
    setup = career_of(one).duel(*pieces, first)
    office.store.challenges.change(found.id, state="accepted")
    entrants = [Entrant(one, pieces[0]), Entrant(other, pieces[1])]
    game = office.referee.begin(found.system, setup, entrants, visit.now, found.major)
    return Answer(
        True, say("game {game} begins; its first letter follows", game=game.id), told=True
    )


def decline(visit: Visit, match: Match[str]) -> Answer:
    """Turn a challenge down, and tell the challenger."""
    found, one, other = _open(visit, match["number"], "other")
    _decline(visit.office, found, one, other, visit.now)
    return Answer(
        True,
        say(
            "challenge {number} is declined, and {one}'s player is told",
            number=found.id,
            one=one.name,
        ),
    )


def _decline(
    office: "Office", found: Challenge, one: Persona, other: Persona, now: datetime
) -> None:
    office.store.challenges.change(found.id, state="declined")
    office.outbox.write(
        office.store.players.get(one.player_id),
        "declined",
        now,
        urgency="later",
        ident=(found.id,),
        number=found.id,
        one=one.name,
        other=other.name,
    )


def clear(office: "Office", row: Persona, now: datetime) -> None:
    """Take back what a pilot has offered, decline what it was offered, and end its patrol."""
    store = office.store
    for found in store.challenges.all(one=row.id, state="open"):
        store.challenges.change(found.id, state="withdrawn")
    for found in store.challenges.all(other=row.id, state="open"):
        _decline(office, found, store.personas.get(found.one_id), row, now)
    store.patrols.change_all({"persona": row.id, "state": "open"}, state="off")


def withdraw(visit: Visit, match: Match[str]) -> Answer:
    """Take one's own challenge back."""
    found, _, other = _open(visit, match["number"], "one")
    visit.office.store.challenges.change(found.id, state="withdrawn")
    return Answer(
        True,
        say("your challenge {number} to {other} is withdrawn", number=found.id, other=other.name),
    )
