"""The audit: what may be cheating, in a line for each pair of players; the moderator decides."""

import email
import email.policy
import ipaddress
import json
import re
from collections import defaultdict
from collections.abc import Iterable
from datetime import datetime, timedelta
from itertools import combinations
from typing import NamedTuple

from engine.said import Said, say
from pbem.games.meetings import are_opponents, sides
from pbem.games.session import Session
from pbem.intake.addresses import mailbox_of
from pbem.store import Game, Player, Store

WINDOW = timedelta(days=30)
"""How far back battles are looked at."""
OFTEN = 4
"""So many battles of two players are looked at, if they are half of what one of them fought."""
LETTERS = 20
"""How many of a player's latest letters are looked at."""
_RARE = 3
"""What so many accounts share at most tells of them; what more share is a common program."""
_HEAD = 16 * 1024
_ADDRESS = re.compile(r"\[(?:IPv6:)?([0-9A-Fa-f.:]{7,45})\]")

_TOLD = "audited"
"""Under this key the database says which pairs the daily letter has told of."""

Pair = tuple[int, int]


class Finding(NamedTuple):
    """What was found of two players: how much it weighs, who they are, and a line with figures."""

    weight: int
    pair: Pair
    text: Said


def findings(store: Store, now: datetime, *, letters: bool = True) -> list[Finding]:
    """Return what may be cheating, the heaviest first.

    With `letters` the latest of all players are looked at; without, those of pairs alone that
    battles have shown.
    """
    told = defaultdict[Pair, list[tuple[int, Said]]](list)
    _battles(store, now, told)
    _endorsements(store, told)
    players = store.players.all(confirmed=True)
    shown = {one for pair in told for one in pair}
    _mailboxes(store, players, told)
    _letters(store, [one for one in players if letters or one.id in shown], told)
    found = [
        Finding(sum(weight for weight, _ in lines), pair, _line(store, pair, lines))
        for pair, lines in told.items()
    ]
    return sorted(found, key=lambda one: (-one.weight, one.pair))


def news(store: Store, now: datetime) -> list[Said]:
    """Return a line for the moderator's daily letter, where battles show a pair not told of yet."""
    known = {tuple(pair) for pair in json.loads(store.meta(_TOLD) or "[]")}
    fresh = [one for one in findings(store, now, letters=False) if one.pair not in known]
    if not fresh:
        return []
    with store.transaction():
        store.set_meta(_TOLD, json.dumps(sorted(known | {one.pair for one in fresh})))
    return [
        say(
            "`pbem audit` tells more of this and {more} others: {first}",
            more=len(fresh) - 1,
            first=fresh[0].text,
        )
    ]


def _line(store: Store, pair: Pair, lines: list[tuple[int, Said]]) -> Said:
    one, other = (store.players.get(number) for number in pair)
    return say(
        "{one} ({first}) and {other} ({second}): {found}",
        one=one.name,
        first=one.id,
        other=other.name,
        second=other.id,
        found=[text for _, text in sorted(lines, key=lambda each: -each[0])],
    )


def _battles(store: Store, now: datetime, told: dict[Pair, list[tuple[int, Said]]]) -> None:
    """Find pairs that meet too often, and results that are too one-sided."""
    met, fought = defaultdict[Pair, list[Game]](list), defaultdict[int, int](int)
    for game in store.games.all(practice=False, begun__gte=now - WINDOW):
        teams = sides(store, game)
        everybody = sorted(set().union(*teams))
        for player in everybody:
            fought[player] += 1
        for pair in combinations(everybody, 2):
            if are_opponents(teams, *pair):
                met[pair].append(game)
    for pair, games in met.items():
        if len(games) < OFTEN or 2 * len(games) < min(fought[one] for one in pair):
            continue
        told[pair].append((len(games), _often(games, pair, fought)))
        wins = [sum(_won(store, game, one) for game in games) for one in pair]
        most = max(wins)
        if most >= OFTEN and most >= 0.8 * sum(wins):
            winner = store.players.get(pair[wins.index(most)])
            text = say(
                "{name} won {won} of them and lost {lost}",
                name=winner.name,
                won=most,
                lost=min(wins),
            )
            told[pair].append((most, text))


def _often(games: list[Game], pair: Pair, fought: dict[int, int]) -> Said:
    """Say how often two players met, and how many minutes the usual battle took."""
    ended = sorted((one.ended - one.begun).total_seconds() for one in games if one.ended)
    return say(
        "they met {count} times in {days} days, of {one} and {other} battles; half of those took"
        " {minutes} minutes at most, and {friendly} did not count",
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
        and player in (place.player_id, store.personas.get(place.persona_id).player_id)
        for seat, place in session.places.items()
    )


def _endorsements(store: Store, told: dict[Pair, list[tuple[int, Said]]]) -> None:
    """Find players who nominate or endorse each other."""
    words = defaultdict[Pair, int](int)
    for made in store.nominations.all():
        pilot = store.personas.get(made.persona_id).player_id
        words[made.player_id, pilot] += 1
        for endorsement in store.endorsements.all(nomination=made.id):
            words[endorsement.player_id, pilot] += 1
    for (one, other), count in list(words.items()):
        back = words.get((other, one), 0)
        if one < other and back:
            text = say(
                "they spoke for each other's medals: {one} and {other} times", one=count, other=back
            )
            told[one, other].append((3 * (count + back), text))


def _mailboxes(
    store: Store, players: list[Player], told: dict[Pair, list[tuple[int, Said]]]
) -> None:
    """Find players whose addresses are spellings of one mailbox."""
    known = defaultdict[str, set[int]](set)
    for player in players:
        for address in store.addresses_of(player):
            known[mailbox_of(address)].add(player.id)
    for owners in known.values():
        for pair in combinations(sorted(owners), 2):
            told[pair].append((20, say("addresses of both lead to one mailbox")))


def _letters(store: Store, players: list[Player], told: dict[Pair, list[tuple[int, Said]]]) -> None:
    """Find what few accounts share in their letters: where they come from, and by what program."""
    traits = defaultdict[tuple[str, str], dict[int, int]](dict)
    for player in players:
        recent = store.letters.all(player=player.id, klass="human")[-LETTERS:]
        for letter in recent:
            for trait in set(_traits(letter.content)):
                traits[trait][player.id] = traits[trait].get(player.id, 0) + 1
    said = {
        "client": say("a client's address"),
        "program": say("a mail program"),
        "host": say("the host of Message-IDs"),
    }
    for (kind, value), owners in sorted(traits.items()):
        if 2 <= len(owners) <= _RARE and (kind == "client" or 3 * len(owners) <= len(players)):
            for one, other in combinations(sorted(owners), 2):
                text = say(
                    "they share {what}, {value}, in {one} and {other} letters",
                    what=said[kind],
                    value=value,
                    one=owners[one],
                    other=owners[other],
                )
                told[one, other].append((10 if kind == "client" else 3, text))


def _traits(content: bytes) -> Iterable[tuple[str, str]]:
    """Yield what a letter's header shows of the machine that it was written on."""
    if not content:
        return
    head = email.message_from_bytes(content[:_HEAD], policy=email.policy.compat32)
    first = [*head.get_all("Received", []), *head.get_all("X-Originating-IP", [])][-1:]
    for text in _ADDRESS.findall(str(first)):
        try:
            address = ipaddress.ip_address(text)
        except ValueError:
            continue
        if not (address.is_loopback or address.is_link_local):
            yield "client", str(address)
    for name in ("X-Mailer", "User-Agent"):
        if head[name]:
            yield "program", " ".join(str(head[name]).split())[:80]
    host = str(head["Message-ID"] or "").rpartition("@")[2].strip("<> ").lower()
    if host:
        yield "host", host[:80]
