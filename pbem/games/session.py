"""A game loaded from the database: its state, its places, and the steps taken since."""

import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from functools import cached_property
from typing import Any, TypedDict

from engine import codec, fair_dice, play
from engine.campaign import Campaign
from engine.dice import Dice, KeyedDice
from engine.errors import AmbiguousOrder, OrderError
from engine.fair_dice import Words
from engine.names import quoted
from engine.orders.orders_for_several import shared
from engine.orders.orders_on_file import Sheet, Written, lines, sheet_after_letter, texts
from engine.registry import RULESETS
from engine.ruleset import AnyRuleset, Phase, Question
from engine.seats import REFEREE, Seat
from engine.undo import Undo
from engine.unloaded_rules import unloaded
from pbem.games import step_log, stories
from pbem.games.step_log import (
    events_of,
    rebuild,
    sheets_after,
    states,
    with_words,
    words_before,
)
from pbem.outgoing import reachability
from pbem.people import absences, doctrines, linked_accounts, personas
from pbem.storage import (
    Account,
    Bounce,
    Game,
    Leave,
    Place,
    Player,
    Step,
    Store,
    Story,
    stored_games,
)


@dataclass(frozen=True, slots=True)
class Acknowledgement:
    """What a seat's report acknowledges: the letter's Message-ID and the orders understood."""

    letter: str
    facts: Mapping[str, Any]


class Weighed(TypedDict):
    """An order with its chance, and the reason if it is not legal, or not likely to do anything,
    as things are now.

    `vain` says why it can do nothing any more in the battle; "" where it can.
    """

    order: str
    chance: int | None
    legal_now: bool
    reason: str
    vain: str


def game_id(number: int) -> str:
    """Return the name under which a game's dice are rolled."""
    return f"G{number}"


def game_number(name: str) -> int | None:
    """Return the number of a game by its name, such as G12; None for another text."""
    return int(name[1:]) if name[:1] == "G" and name[1:].isdecimal() else None


def sessions(store: Store, numbers: Iterable[int]) -> dict[int, "Session"]:
    """Return battles by their numbers, those that there are."""
    wanted = list(numbers)
    if not wanted:
        return {}
    games = stored_games.games(store, id__in=wanted)
    places: dict[int, list[Place]] = {game.id: [] for game in games}
    for place in stored_games.places(store, game__in=wanted):
        places[place.game_id].append(place)
    return {game.id: Session(store, game, places[game.id]) for game in games}


def thread_of(place: Place) -> list[str]:
    """Return the Message-IDs that a letter to a place refers to."""
    return list(json.loads(place.thread)) if place.thread else []


class Session:
    """One loaded game; `save` writes its new steps to the log, and the checkpoint back."""

    def __init__(self, store: Store, game: Game, places: Sequence[Place] | None = None) -> None:
        """Load a game; its `places` are read unless they are given, oldest first."""
        self.store = store
        self.game = game
        if places is None:
            places = stored_games.places_in(store, game.id)
        self.places = {Seat(place.seat): place for place in places}
        self.rules: AnyRuleset = RULESETS.get(game.system) or unloaded(
            game.system, tuple(self.places)
        )
        # What `save` compares with, to write only what has changed.
        self._kept_state: object = None
        self._kept_places = dict(self.places)
        self.acknowledgements: dict[Seat, Acknowledgement] = {}
        # Orders that are done at a deadline though nobody has confirmed them.
        self.unconfirmed: dict[Seat, list[str]] = {}
        # Lines of doctrines that can't be followed in this battle, each with the reason.
        self.left_out: dict[Seat, list[tuple[str, str]]] = {}
        self.briefing: tuple[str, ...] = ()
        self._sheets_logged = False
        self._unwritten: list[dict[str, object]] = []
        self._log_read: list[Step] | None = None
        self._words_logged: str | None = None
        # Each with the state that it was computed for. States are frozen, so an answer stays right
        # for as long as the state is the same object.
        self._foreseen: dict[Seat, tuple[object, object]] = {}
        self._phase: tuple[object, Phase] | None = None
        self._states: tuple[int, dict[int, object]] | None = None

    @cached_property
    def state(self) -> object:
        """The game's state, decoded once it is asked for: of many letters only places matter."""
        state: object = codec.decode(self.game.state, self.rules.state)
        self._kept_state = state
        return state

    @property
    def campaign(self) -> Campaign | None:
        """Return the campaign that the game is a part of, or None if there is none."""
        return None if self.game.staged else self.rules.campaign

    def foreseen(self, seat: Seat) -> object:
        """Return the state as a seat will find it when it acts next."""
        known = self._foreseen.get(seat)
        if known is None or known[0] is not self.state:
            known = self._foreseen[seat] = (self.state, self.rules.foresee(self.state, seat))
        return known[1]

    @property
    def phase(self) -> Phase:
        """Return who may order now, who must, and whether the game is over."""
        if self._phase is None or self._phase[0] is not self.state:
            self._phase = (self.state, self.rules.phase(self.state))
        return self._phase[1]

    @property
    def over(self) -> bool:
        """Return whether the game has ended."""
        return self.phase.outcome is not None

    @property
    def question(self) -> Question | None:
        """Return what the moderator must rule before the game goes on, or None."""
        return self.phase.awaiting

    @property
    def simultaneous(self) -> bool:
        """Return whether the orders of all are collected, and resolved at once."""
        return self.phase.simultaneous

    @property
    def is_open(self) -> bool:
        """Return whether all that happens is known to everybody, so that orders may be, too.

        The state follows from the events, so what a seat may order then depends on no secret.
        """
        if self.simultaneous:
            return False
        happened = (events_of(self.rules, step) for step in self.log)
        return all(len(play.seen(self.rules, events, None)) == len(events) for events in happened)

    @property
    def unanswered(self) -> list[Seat]:
        """Return the seats that were asked and have not answered."""
        return [seat for seat, p in self.places.items() if p.asked and not p.answered]

    @property
    def held_up_by(self) -> list[Seat]:
        """Return the seats without an answer, or with WAIT: the turn waits for its deadline."""
        return [s for s, p in self.places.items() if (p.asked and not p.answered) or p.waiting]

    def others_unanswered(self, seat: Seat) -> list[Seat]:
        """Return the other seats that have not answered, as far as a seat may know.

        Nobody is named where all order in secret, because who has ordered is a secret, too.
        """
        if self.simultaneous or self.question is not None:
            return []
        return [other for other in self.unanswered if other != seat]

    def seat_of(self, place_id: int) -> Seat:
        """Return the seat of a place."""
        return next(seat for seat, place in self.places.items() if place.id == place_id)

    @property
    def acting(self) -> list[Seat]:
        """Return the players' seats that must act."""
        return [seat for seat in self.phase.owing if seat in self.places]

    @property
    def playing(self) -> list[Seat]:
        """Return the players' seats that still take part in the game."""
        return [seat for seat in self.places if self.active(seat)]

    @property
    def agreed(self) -> bool:
        """Return whether all who still take part in the game offer a draw."""
        offers = any(place.draw for place in self.places.values())
        agreed = offers and all(self.places[seat].draw for seat in self.playing)
        return agreed and self.question is None

    def active(self, seat: Seat) -> bool:
        """Return whether a seat still takes part in the game."""
        return seat in self.phase.may

    def doctrines(self, seat: Seat) -> Mapping[str, str]:
        """Return the rules of the doctrines that a seat's player has for it, by folded names."""
        # Not those of the owner of a persona whose place somebody else has taken over.
        place = self.places[seat]
        return doctrines.Texts(self.store, place.player_id, place.persona_id)

    def standing(self, seat: Seat, sheet: Sheet) -> list[str]:
        """Return a sheet's standing orders as lines; what pieces do alike stands there once."""
        if self.simultaneous:
            rules, state = self.rules, self.state
            sheet = shared(sheet, (*rules.owing(state, seat), *rules.optional(state, seat)))
        return lines(sheet)

    def team(self, seat: Seat) -> list[Seat]:
        """Return the seats of a seat's side, itself included, in the order in which they act."""
        side = self.rules.side(self.state, seat)
        seats = self.rules.seats(self.state)
        return self.in_order([s for s in seats if self.rules.side(self.state, s) == side])

    def opponents(self, seat: Seat) -> list[str]:
        """Return the other players who fight against a seat, each by a name that TELL takes."""
        player, mine = self.places[seat].player_id, {*self.team(seat)}
        found = dict[int, str]()
        for one, place in self.places.items():
            if one not in mine and place.player_id != player:
                found.setdefault(place.player_id, self._told_as(place))
        return list(found.values())

    def _told_as(self, place: Place) -> str:
        """Return the name of a place's seat, or its player's where another one owns the persona."""
        own = self.owners[place.persona_id] == place.player_id
        return quoted(place.seat if own else self.players[place.player_id].name)

    def in_order(self, seats: Sequence[Seat]) -> list[Seat]:
        """Return a team's seats in the order in which it acts: its captain's, or the set-up's."""
        return sorted(seats, key=lambda seat: self.places[seat].acts if seat in self.places else 0)

    def captain(self, seat: Seat) -> Seat | None:
        """Return who leads a seat's side: the first of the set-up who takes part; None if alone."""
        team = self.team(seat)
        if len(team) == 1:
            return None
        # The first pilot leads, and then the next in set-up order (docs/rulings.md, SP-28).
        return next((s for s in self.rules.seats(self.state) if s in team and self.active(s)), None)

    def sheet(self, seat: Seat) -> Sheet:
        """Return the orders in force for a seat."""
        return codec.decode(self.places[seat].sheet, Sheet)

    def begin_with(self, seat: Seat, sheet: Sheet) -> None:
        """Put the orders on file with which a seat enters the game."""
        text = codec.encode(sheet)
        self.change(seat, sheet=text, before=text)
        # Steps that need no orders may have recorded that there were none.
        self._sheets_logged = False

    def sheet_after(self, seat: Seat, written: Written) -> Sheet:
        """Return a seat's orders as a letter would leave them."""
        # From the sheet at the turn's start, so that a later letter replaces an earlier one whole.
        before = codec.decode(self.places[seat].before, Sheet)
        return sheet_after_letter(self.rules, self.state, seat, before, self.sheet(seat), written)

    def weigh(self, seat: Seat, text: str) -> Weighed:
        """Return an order's chance in percent, and the reason if it is not legal now."""
        rules, state = self.rules, self.foreseen(seat)
        try:
            order = rules.parse(state, seat, text)
        except OrderError as error:
            why = str(error)
            return {"order": text, "chance": None, "legal_now": False, "reason": why, "vain": ""}
        reason = rules.refusal(state, seat, order)
        doubt = rules.telling.doubt and rules.telling.doubt(state, seat, order)
        return {
            "order": text,
            "chance": self.chance(seat, order),
            "legal_now": reason is None,
            "reason": (doubt or "") if reason is None else rules.telling.explain(reason),
            "vain": rules.telling.vain(state, seat, order) or "",
        }

    def chance(self, seat: Seat, order: object) -> int | None:
        """Return an order's chance in percent as things stand, None where no die decides."""
        rules, state = self.rules, self.foreseen(seat)
        if rules.telling.chance is not None:
            return rules.telling.chance(state, seat, order)
        # A small system computes no chances; its offers carry them (decision 0030).
        text, offers = rules.format(order), rules.offers(state, seat)
        return next((one.chance for one in offers if rules.format(one.order) == text), None)

    def unclear(self, seat: Seat, written: Sheet) -> list[str]:
        """Return why standing orders can't be followed now, such as one without a name."""
        found: list[str] = []
        for text in filter(None, texts(written)):
            try:
                self.rules.parse(self.state, seat, text)
            except AmbiguousOrder as error:
                found.append(error.args[0])
            except OrderError:
                # Its piece has left the battle since, so nothing is missing from the order.
                continue
        return list(dict.fromkeys(found))

    def change(self, seat: Seat, **values: Any) -> None:
        """Change a place; it is written when the session is saved."""
        self.places[seat] = self.places[seat].changed(**values)

    def answer(self, player: int, letter: str) -> None:
        """Make a player's next report the answer to a letter, by its Message-ID."""
        seat = next(seat for seat, place in self.places.items() if place.player_id == player)
        self.acknowledgements[seat] = Acknowledgement(letter, {})

    @cached_property
    def _setup_print(self) -> str:
        return fair_dice.fingerprint(json.loads(self.game.setup))

    @property
    def ground(self) -> fair_dice.Ground:
        """Return what the dice of all steps from now on depend on (docs/dice.md)."""
        game, before = self.game, json.loads(self.game.words)
        return fair_dice.Ground(
            game.dice_secret, game.commitment, self._setup_print, game.bots, before
        )

    @property
    def words(self) -> dict[str, Words]:
        """Return the latest words of each player's seat."""
        return {seat: json.loads(place.words) for seat, place in self.places.items()}

    def speak(self, seat: Seat, words: Words) -> None:
        """Make the dice depend from now on on the words of a letter from a seat's player."""
        self.change(seat, words=json.dumps(words))

    def whims(self) -> Dice:
        """Return the dice by which bots choose their next orders."""
        return KeyedDice(self.ground.whims(self.game.steps, self.words))

    def bot_orders(self) -> dict[Seat, list[object]]:
        """Return the order of the bot that must act, if there is one."""
        # Where all act together, pbem.games.simultaneous_turns asks the bots.
        acting = self.phase.owing if self.game.bots and not self.simultaneous else ()
        seat = next((seat for seat in acting if seat not in self.places), None)
        if seat is None:
            return {}
        return {seat: [self.rules.bot(self.game.bots)(self.state, seat, self.whims())]}

    def step(
        self,
        orders: Mapping[Seat, Sequence[object]],
        now: datetime,
        source: str = "",
        passed: Sequence[tuple[str, str]] = (),
    ) -> None:
        """Resolve and log one step with the dice of docs/dice.md. Raises IllegalOrder."""
        by_seat = play.order_texts(self.rules, orders)
        # What the rules choose the moderator does not.
        proxied = [] if source in ("default", "forced") else self._proxied(orders)
        key = self.ground.step(self.game.steps, self.words, by_seat, proxied)
        step = play.take(self.rules, self.state, orders, KeyedDice(key))
        self.state = step.state
        self._log(
            now,
            orders=json.dumps(by_seat),
            proxied=json.dumps(proxied),
            source=source,
            passed=json.dumps(list(passed)),
            digest=fair_dice.digest_of(key),
            rolls=json.dumps([list(roll) for roll in step.rolls]),
            events=codec.encode(step.events),
        )

    def _proxied(self, orders: Mapping[Seat, Sequence[object]]) -> list[str]:
        """Return the seats whose orders are the moderator's, by PROXY."""
        return sorted(seat for seat in orders if seat in self.places and self.places[seat].proxied)

    def undo(self, undo: Undo, now: datetime, secret: bytes = b"") -> None:
        """Log an UNDO as a step without dice, and go back to the state after the step it names.

        The orders on file are again those that were in force then. If a new secret is given, the
        dice are rolled from it from here on. Words do not go back. Raises UndoError.
        """
        steps = self.log
        self.state, stand = rebuild(self.rules, self.game.setup, steps, undo)
        sheets = sheets_after([steps[n] for n in stand])
        for seat in self.places:
            sheet = sheets.get(seat) or codec.encode(Sheet())
            self.change(seat, sheet=sheet, before=sheet)
        # The sheets have changed, so the step that logs the UNDO must record them.
        self._sheets_logged = False
        orders = [(str(REFEREE), str(undo))]
        self._log(
            now,
            orders=json.dumps(orders),
            proxied="[]",
            source="referee",
            passed="[]",
            digest=fair_dice.digest_of(self.ground.step(self.game.steps, self.words, orders)),
            rolls="[]",
            events=codec.encode(()),
            secret=secret,
        )
        self.game = self.game.changed(
            renewed=secret or self.game.renewed, commitment=undo.under or self.game.commitment
        )

    def _log(self, now: datetime, **step: object) -> None:
        """Log a step; the first of a session records the sheets in force after it, too.

        Where all act together every step does, because its source can't name the queues it took.
        """
        logged = self._sheets_logged and not self.simultaneous
        sheets = {} if logged else {s: p.sheet for s, p in self.places.items()}
        n, words = self.game.steps, json.dumps(self.words)
        if self._words_logged is None:
            self._words_logged = words_before(self.store, self.game.id, n)
        self._unwritten.append(
            {
                "game": self.game.id,
                "n": n,
                "at": now,
                "words": "" if words == self._words_logged else words,
                "sheets": json.dumps(sheets) if sheets else "",
                **step,
            }
        )
        self._words_logged, self._log_read = words, None
        self.game = self.game.changed(steps=n + 1)
        self._sheets_logged = True

    @property
    def log(self) -> list[Step]:
        """All steps so far, each with the words that it depends on."""
        self._write_steps()
        if self._log_read is None:
            self._log_read = with_words(self.store, step_log.steps_of(self.store, self.game.id))
        return self._log_read

    def _write_steps(self) -> None:
        if self._unwritten:
            step_log.add(self.store, self._unwritten)
            self._unwritten = []

    @cached_property
    def players(self) -> dict[int, Player]:
        """Those who play, by their numbers, as they were when they were first asked for."""
        return self.store.by_key(Player, (place.player_id for place in self.places.values()))

    @cached_property
    def leaves(self) -> list[Leave]:
        """The days away of those who play, each with its player."""
        return absences.of_players(self.store, [p.player_id for p in self.places.values()])

    @cached_property
    def bounces(self) -> list[Bounce]:
        """The proven bounces of letters to those who play."""
        return reachability.bounces_of(self.store, {p.player_id for p in self.places.values()})

    @cached_property
    def accounts(self) -> list[Account]:
        """The accounts on boards of those who play."""
        return linked_accounts.of_players(self.store, {p.player_id for p in self.places.values()})

    @cached_property
    def stories(self) -> list[Story]:
        """What the players have told of the battle, oldest first."""
        return stories.stories_of(self.store, self.game.id)

    @cached_property
    def owners(self) -> dict[int, int]:
        """Whose the personas of the places are: the players' numbers, by the personas'."""
        numbers = [place.persona_id for place in self.places.values()]
        return personas.owners(self.store, numbers)

    def states(self) -> dict[int, object]:
        """Return the states after each step that stands, by its number; -1 is the start."""
        steps = len(self.log)
        if self._states is None or self._states[0] != steps:
            self._states = (steps, states(self.rules, self.game.setup, self.log))
        return self._states[1]

    def save(self, **values: Any) -> None:
        """Write the checkpoint and the places where they changed, and further values."""
        self.save_game(**values)
        for seat, place in self.places.items():
            # A letter changes few of a place's columns.
            kept = self._kept_places[seat].__data__
            if changed := {k: value for k, value in place.__data__.items() if value != kept[k]}:
                stored_games.change_place(self.store, place.id, **changed)
        self._kept_places = dict(self.places)

    def save_game(self, **values: Any) -> None:
        """Write the steps, the checkpoint where it changed, and further values; but no places."""
        self.game = self.game.changed(**values)
        self._write_steps()
        state = vars(self).get("state")
        # By identity: states are frozen, so the same object is the same state.
        if state is not self._kept_state:
            values |= {"state": codec.encode(state), "steps": self.game.steps}
        if values:
            stored_games.change_game(self.store, self.game.id, **values)
        self._kept_state = state
