"""The audit: what may be cheating, in a line for each pair of players; the moderator decides."""

import json
from collections import defaultdict
from datetime import datetime, timedelta
from itertools import combinations
from typing import NamedTuple

from engine.i18n import Said, say
from pbem.games.meetings import are_opponents, sides
from pbem.games.session import Session
from pbem.intake.addresses import mailbox_of
from pbem.people import nominations, players
from pbem.storage import Further, Game, Persona, Player, Store, stored_games

WINDOW = timedelta(days=30)
"""How far back battles are examined."""
MEDALS = timedelta(days=365)
"""How far back nominations are; they are much rarer."""
OFTEN = 4
"""A pair is examined if it met this often, and in half of the battles that one of them fought."""
_LEAST = 5
"""A pair is reported only if its findings weigh this much; no single hint does."""
_TAKEN = 3
_FAVOURS = 3
"""Support for the medals of one player alone is reported from this many times on."""

_TOLD = "audited"
"""The key in the database for the pairs that the daily letter has reported."""

Pair = tuple[int, int]
Evidence = dict[Pair, list[tuple[int, Said]]]


class Finding(NamedTuple):
    """What was found about two players: its weight, who they are, and a line with figures."""

    weight: int
    pair: Pair
    text: Said


def findings(store: Store, now: datetime) -> list[Finding]:
    """Return what may be cheating, the heaviest first.

    What weighs little by itself is reported only together with other things.
    """
    evidence = defaultdict[Pair, list[tuple[int, Said]]](list)
    _battles(store, now, evidence)
    _takeovers(store, now, evidence)
    _endorsements(store, now, evidence)
    _mailboxes(store, evidence)
    found = [
        Finding(sum(weight for weight, _ in lines), pair, _line(store, pair, lines))
        for pair, lines in evidence.items()
    ]
    found = [one for one in found if one.weight >= _LEAST]
    return sorted(found, key=lambda one: (-one.weight, one.pair))


def news(store: Store, now: datetime) -> list[Said]:
    """Return a line for the moderator's daily letter, if battles show a pair not reported yet."""
    # Kept, so that the daily letter reports a pair once. `pbem audit` lists all of them.
    known = {tuple(pair) for pair in json.loads(store.meta(_TOLD) or "[]")}
    fresh = [one for one in findings(store, now) if one.pair not in known]
    if not fresh:
        return []
    with store.transaction():
        store.set_meta(_TOLD, json.dumps(sorted(known | {one.pair for one in fresh})))
    return [
        say(
            "`pbem audit` says more of this (and of {more} more): {first}",
            more=len(fresh) - 1,
            first=fresh[0].text,
        )
    ]


def _line(store: Store, pair: Pair, lines: list[tuple[int, Said]]) -> Said:
    """Return the line for a pair, with the heaviest finding first."""
    one, other = (store.get(Player, number) for number in pair)
    return say(
        "{one} ({first}) and {other} ({second}): {found}",
        one=one.name,
        first=one.id,
        other=other.name,
        second=other.id,
        found=[text for _, text in sorted(lines, key=lambda each: -each[0])],
    )


def _battles(store: Store, now: datetime, evidence: Evidence) -> None:
    """Find pairs that meet too often, and results that are too one-sided."""
    met, fought = defaultdict[Pair, list[Game]](list), defaultdict[int, int](int)
    for game in stored_games.games(store, practice=False, staged=False, begun__gte=now - WINDOW):
        teams = sides(store, game)
        # Sorted, so that a pair has one key: the lower number first.
        everybody = sorted(set().union(*teams))
        for player in everybody:
            fought[player] += 1
        for pair in combinations(everybody, 2):
            if are_opponents(teams, *pair):
                met[pair].append(game)
    for pair, games in met.items():
        if len(games) < OFTEN or 2 * len(games) < min(fought[one] for one in pair):
            continue
        evidence[pair].append((2 * len(games), _often(games, pair, fought)))
        wins = [sum(_won(store, game, one) for game in games) for one in pair]
        most = max(wins)
        if most >= OFTEN and most >= 0.8 * sum(wins):
            winner = store.get(Player, pair[wins.index(most)])
            text = say(
                "{name} won {won} of them and lost {lost}",
                name=winner.name,
                won=most,
                lost=min(wins),
            )
            evidence[pair].append((most, text))


def _often(games: list[Game], pair: Pair, fought: dict[int, int]) -> Said:
    """Return how often two players met, and how many minutes the usual battle took."""
    ended = sorted((one.ended - one.begun).total_seconds() for one in games if one.ended)
    return say(
        "they met {count} times in {days} days, of {one} and {other} battles; half of those took"
        " {minutes} min at most, and {friendly} did not count",
        count=len(games),
        days=WINDOW.days,
        one=fought[pair[0]],
        other=fought[pair[1]],
        minutes=int(ended[len(ended) // 2] // 60) if ended else 0,
        friendly=sum(game.friendly for game in games),
    )


def _won(store: Store, game: Game, player: int) -> bool:
    """Return whether a player's side won a game."""
    session = Session(store, game)
    outcome = session.rules.outcome(session.state)
    if outcome is None or not outcome.winner:
        return False
    return any(
        outcome.winner in (seat, session.rules.side(session.state, seat))
        and player in (place.player_id, session.owners[place.persona_id])
        for seat, place in session.places.items()
    )


def _endorsements(store: Store, now: datetime, evidence: Evidence) -> None:
    """Find players who nominate or endorse each other, or who support nobody but one other."""
    words = defaultdict[Pair, int](int)
    for made in nominations.made_since(store, now - MEDALS):
        pilot = store.get(Persona, made.persona_id).player_id
        words[made.player_id, pilot] += 1
        for endorsement in nominations.endorsements(store, made.id):
            words[endorsement.player_id, pilot] += 1
    for (one, other), count in list(words.items()):
        back = words.get((other, one), 0)
        pair = (min(one, other), max(one, other))
        # `words` holds both directions, so the pair would be reported twice.
        if one < other and back:
            text = say(
                "they spoke for each other's medals (number of times: {one} and {other})",
                one=count,
                other=back,
            )
            evidence[pair].append((3 * (count + back), text))
        alone = not any(by == one and pilot != other for by, pilot in words)
        if not back and count >= _FAVOURS and alone:
            name, friend = store.get(Player, one).name, store.get(Player, other).name
            text = say(
                "{name} spoke {count} times for medals of {other}, and for nobody else's",
                name=name,
                count=count,
                other=friend,
            )
            evidence[pair].append((2 * count, text))


def _takeovers(store: Store, now: datetime, evidence: Evidence) -> None:
    """Find players who took over open places against a player, and lost with them."""
    lost = defaultdict[tuple[int, int], int](int)
    for game in stored_games.games(
        store, practice=False, staged=False, running=False, begun__gte=now - WINDOW
    ):
        session = Session(store, game)
        # The owner of a persona keeps it while somebody else plays it (SP-29).
        owners = {seat: session.owners[one.persona_id] for seat, one in session.places.items()}
        takers = {
            (seat, place.player_id)
            for seat, place in session.places.items()
            if place.player_id != owners[seat]
        }
        for seat, taker in takers:
            side = session.rules.side(session.state, seat)
            for foe in {
                owner
                for other, owner in owners.items()
                if session.rules.side(session.state, other) != side
            }:
                lost[taker, foe] += _won(store, game, foe)
    for (taker, foe), count in lost.items():
        if count and taker != foe:
            text = say(
                "{name} took places over against {other} and lost with them: {count} in all",
                name=store.get(Player, taker).name,
                other=store.get(Player, foe).name,
                count=count,
            )
            evidence[min(taker, foe), max(taker, foe)].append((_TAKEN * count, text))


def _mailboxes(store: Store, evidence: Evidence) -> None:
    """Find players whose addresses are spellings of one mailbox."""
    known = defaultdict[str, set[int]](set)
    confirmed = {one.id: one.address for one in players.confirmed(store)}
    further = ((one.player_id, one.address) for one in store.each(Further))
    for player, address in (*confirmed.items(), *further):
        if player in confirmed:
            known[mailbox_of(address)].add(player)
    for owners in known.values():
        for pair in combinations(sorted(owners), 2):
            evidence[pair].append((20, say("addresses of both lead to one mailbox")))
