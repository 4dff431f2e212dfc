"""CHALLENGE, ACCEPT, DECLINE and WITHDRAW: how a duel comes about."""

from re import Match

from pbem.league.own import own
from pbem.league.visit import Answer, Refusal, Visit
from pbem.referee import Entrant
from pbem.session import career_of, piece_of
from pbem.store import Challenge, Persona

_FIRST = {"ME": "one", "THEM": "other", "ROLL": "", None: ""}
_FIRST_WORDS = {"one": "the challenger moves first", "other": "you move first", "": "by the dice"}


def _only_own(visit: Visit) -> Persona:
    mine = visit.office.store.personas.all(player=visit.player.id)
    free = [row for row in mine if not _bar(visit, row)]
    if len(free) != 1:
        raise Refusal("say with which of your pilots", "CHALLENGE Kestrel WITH Hawk")
    return free[0]


def _bar(visit: Visit, row: Persona) -> str | None:
    """Say why a pilot can't enter a duel now, or None."""
    if visit.office.store.is_fighting(row.id):
        return f"{row.name} is in a game already"
    return career_of(row).available(piece_of(row), visit.day)


def _bar_pair(visit: Visit, one: Persona, other: Persona) -> str | None:
    if one.player_id == other.player_id:
        return f"{one.name} and {other.name} are of one player (SP-6)"
    if one.system != other.system:
        return f"{one.name} and {other.name} are of different games"
    barred = _bar(visit, one) or _bar(visit, other)
    return barred or career_of(one).bar(piece_of(one), piece_of(other))


def challenge(visit: Visit, match: Match[str]) -> Answer:
    """Offer a duel to another player's pilot, and write to that player."""
    store = visit.office.store
    other = store.persona_named(match["other"])
    if other is None:
        raise Refusal(f"no pilot is called {match['other']}", "STATUS lists all pilots")
    one = own(visit, match["one"]) if match["one"] else _only_own(visit)
    barred = _bar_pair(visit, one, other)
    if barred is not None:
        raise Refusal(barred)
    open_one = store.challenges.find(one=one.id, other=other.id, state="open")
    if open_one is not None:
        raise Refusal(f"that challenge is open already: number {open_one.id}")
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
    note = "; it is a major battle if a moderator says so" if made.major else ""
    return Answer(True, f"challenge {made.id} is on its way to {other.name}'s player{note}")


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
        which = f"challenge {number} is not open" if number else "no challenge is open"
        raise Refusal(f"{which} for you", "STATUS lists the challenges that wait for you")
    numbers = ", ".join(str(entry[0].id) for entry in fit)
    raise Refusal(f"which challenge? open are {numbers}", "write its number behind the order")


def accept(visit: Visit, match: Match[str]) -> Answer:
    """Take up a challenge: the battle begins, and both players get its first letter."""
    office = visit.office
    found, one, other = _open(visit, match["number"], "other")
    barred = _bar_pair(visit, one, other)
    if barred is not None:
        raise Refusal(barred)
    pieces = piece_of(one), piece_of(other)
    first = {"one": one.name, "other": other.name, "": None}[found.first]
    setup = career_of(one).duel(*pieces, first)
    office.store.challenges.change(found.id, state="accepted")
    entrants = [Entrant(one, pieces[0]), Entrant(other, pieces[1])]
    game = office.referee.begin(found.system, setup, entrants, visit.now, found.major)
    return Answer(True, f"game {game.id} begins; its first letter follows", told=True)


def decline(visit: Visit, match: Match[str]) -> Answer:
    """Turn a challenge down, and tell the challenger."""
    found, one, other = _open(visit, match["number"], "other")
    _decline(visit, found, one, other)
    return Answer(True, f"challenge {found.id} is declined, and {one.name}'s player is told")


def _decline(visit: Visit, found: Challenge, one: Persona, other: Persona) -> None:
    visit.office.store.challenges.change(found.id, state="declined")
    visit.office.outbox.write(
        visit.office.store.players.get(one.player_id),
        "declined",
        visit.now,
        ident=(found.id,),
        number=found.id,
        one=one.name,
        other=other.name,
    )


def clear(visit: Visit, row: Persona) -> None:
    """Take back what a pilot has offered, and decline what it was offered."""
    store = visit.office.store
    for found in store.challenges.all(one=row.id, state="open"):
        store.challenges.change(found.id, state="withdrawn")
    for found in store.challenges.all(other=row.id, state="open"):
        _decline(visit, found, store.personas.get(found.one_id), row)


def withdraw(visit: Visit, match: Match[str]) -> Answer:
    """Take one's own challenge back."""
    found, _, other = _open(visit, match["number"], "one")
    visit.office.store.challenges.change(found.id, state="withdrawn")
    return Answer(True, f"your challenge {found.id} to {other.name} is withdrawn")
