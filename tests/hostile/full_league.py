"""A league of 1,600 pilots, and what any letter of one of its players costs the daemon."""

import gc
import json
import random
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from functools import _lru_cache_wrapper, cache
from pathlib import Path

from peewee import fn

from engine.names import fold
from engine.registry import RULESETS
from pbem.games import simultaneous_turns
from pbem.games.persona_rules import piece_of
from pbem.games.referee import Entrant
from pbem.games.session import Session
from pbem.people import personas
from pbem.routing import router
from pbem.storage import Entry, Game, Letter, Offer, Outgoing, Persona, Player, Turnout
from tests.support.harness import League, Person, fixed_entropy, skies
from tests.support.players import HAWK, KESTREL, address_of

MODERATOR = "Mona"
PILOTS, SQUADRONS = 1200, 400
TURNS = {"starpilot": 400, "blackskies": 60}
"""How many turns the longest battle of each system has had."""
_SIDE = 8
"""Elements of a side in the battles of Black Skies, as many as there may be."""


class _Undone(Exception):
    """Takes back what was only measured."""


class FullLeague:
    """A league with battles of each system on, whose letters are handled, measured and undone."""

    def __init__(self, league: League) -> None:
        self.league = league
        self.ann, self.bob = skies(league, squadron("Ayes", _SIDE), squadron("Bees", _SIDE))
        self.cat, self.dan = _duel(league)
        self.mod = league.person(MODERATOR)
        self.mod.join()
        with league.store.transaction():
            _crowd(league)
            self.long = {
                "blackskies": _battle(league, "blackskies", ("Ayes", "Bees")),
                "starpilot": _battle(league, "starpilot", ("Hawk", "Kestrel")),
            }
        league.work()
        self.caused: list[bytes] = []

    def costs(self, writer: Person, text: str, about: str = "") -> float:
        """Return the seconds of the processor that a letter takes.

        Whatever was kept in memory of other letters' words is forgotten first.
        """
        league, store = self.league, self.league.store
        writer.reply(text, writer.last_about(about))
        for _ in league.service.keep(league.mailbox, league.now):
            pass
        [letter] = store.all(Letter.select().where(Letter.state == "received").order_by(Letter.id))
        forget()
        first = store.scalar(Outgoing.select(fn.MAX(Outgoing.id))) or 0
        self.caused = []
        with suppress(_Undone), store.transaction():
            began = time.process_time()
            with store.transaction():
                verdict = router.handle(league.service.ports, letter, league.now)
                router.settle(league.service.ports, letter, verdict, league.now)
            taken = time.process_time() - began
            self.caused = [
                row.content
                for row in store.all(
                    Outgoing.select().where(Outgoing.id > first).order_by(Outgoing.id)
                )
            ]
            raise _Undone
        store.run(Letter.update(state="discarded").where(Letter.id == letter.id))
        return taken


def forget() -> None:
    """Empty the bounded caches that letters fill; those of the program's own texts stay."""
    for one in _bounded(len(sys.modules)):
        one.cache_clear()


@cache
def _bounded(modules: int) -> list["_lru_cache_wrapper[object]"]:
    """Return all bounded caches; it takes a while, and there are more after an import only."""
    found = [one for one in gc.get_objects() if isinstance(one, _lru_cache_wrapper)]
    return [one for one in found if one.cache_parameters()["maxsize"]]


def squadron(name: str, count: int) -> str:
    """Return a squadron of so many elements."""
    wings = (f"{name[0]}E{n}: 2 Gadfly SKILL 2" for n in range(1, count + 1))
    return f"{name} WITH " + "; ".join(wings)


@contextmanager
def full_league(folder: Path) -> Iterator[FullLeague]:
    """Keep such a league open."""
    limits = {"letters_a_day": 10_000}
    league = League(folder, fixed_entropy, limits, moderator=address_of(MODERATOR))
    try:
        yield FullLeague(league)
    finally:
        league.close()


def _duel(league: League) -> tuple[Person, Person]:
    """Bring two people to the first report of a duel of StarPilot."""
    cat, dan = league.person("Cat"), league.person("Dan")
    for person, pilot in ((cat, HAWK), (dan, KESTREL)):
        person.join()
        person.ask(pilot)
    cat.ask("CHALLENGE Kestrel WITH Hawk FIRST me")
    dan.new()
    [offer] = league.store.all(
        Offer.select().where(Offer.patrol == False, Offer.state == "open").order_by(Offer.id)
    )
    dan.ask(f"ACCEPT {offer.id}")
    cat.new()
    return cat, dan


def _crowd(league: League) -> None:
    """Add players of two pilots or of one squadron, with their histories and deadlines met."""
    store, chance = league.store, random.Random(1)
    game = store.all(Game.select().order_by(Game.id))[0].id
    for number in range(PILOTS // 2 + SQUADRONS):
        name = f"Crowd {_word(number)}"
        player = store.create(
            Player,
            name=name,
            folded=fold(name),
            skeleton=fold(name),
            address=f"crowd{number}@crowd.example",
            confirmed=True,
            joined=league.now,
            heard=league.now,
        )
        if number < PILOTS // 2:
            texts = (HAWK.replace("Hawk", f"Hawk{_word(number)}"), f"Kest{_word(number)}")
            second = KESTREL.replace("Kestrel", texts[1])
            found = [("starpilot", text.removeprefix("ENLIST ")) for text in (texts[0], second)]
        else:
            found = [("blackskies", squadron(f"Q{_word(number)}", 2))]
        for system, text in found:
            _persona(league, player.id, system, text, chance)
        for turn in range(20):
            store.run(
                Turnout.insert(player=player.id, game=game, turn=turn, met=chance.random() < 0.9)
            )


def _persona(league: League, player: int, system: str, text: str, chance: random.Random) -> None:
    campaign = RULESETS[system].campaign
    assert campaign is not None
    piece = campaign.enlist(text)
    record = dict(piece.record)
    if system == "starpilot":
        points = chance.randrange(400)
        record |= {"hp": points, "hp_total": points, "medals": points % 3, "kills": points % 7}
        record |= {"rank": 1 + points // 80, "missions": points // 10}
    row = personas.add(
        league.store,
        player=player,
        system=system,
        name=piece.name,
        folded=fold(piece.name),
        skeleton=fold(piece.name),
        side=piece.side,
        record=json.dumps(record),
        joined=league.now,
    )
    for _ in range(10):
        league.store.run(Entry.insert(persona=row.id, kind="medal", at=league.now, news=True))


def _word(number: int) -> str:
    """Return a number in letters."""
    return "".join(chr(ord("a") + int(digit)) for digit in f"{number:04}")


def _battle(league: League, system: str, names: tuple[str, str]) -> Game:
    """Begin a battle and play it for as many turns as one may last where nobody shoots."""
    rules, store = RULESETS[system], league.store
    assert rules.campaign is not None
    rows = [
        store.first(Persona.select().where(Persona.name == name).order_by(Persona.id))
        for name in names
    ]
    entrants = [Entrant(row, piece_of(row)) for row in rows if row is not None]
    one, other = (entrant.piece for entrant in entrants)
    setup = rules.campaign.melee((one,), (other,), one.name)
    game = league.service.ports.referee.begin(system, setup, entrants, league.now)
    session = Session(store, store.get(Game, game.id))
    while session.game.steps < TURNS[system] and not session.over:
        _turn(session, league)
    for seat in session.places:
        session.change(seat, reported_to=session.game.steps)  # as the reports would have told them
    session.save()
    return session.game


def _turn(session: Session, league: League) -> None:
    """Play a turn in which nobody shoots, or with the orders of those who are silent."""
    rules, state = session.rules, session.state
    if rules.phase(state).simultaneous:
        simultaneous_turns.close(session, league.now)
        return
    [seat] = rules.to_act(state)
    order = next((one for one, _ in rules.offers(state, seat) if one.command == "DOGFIGHT"), None)
    session.step({seat: [order or rules.cautious(state, seat)]}, league.now, "queue")
