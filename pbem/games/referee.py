"""The referee: the only caller of the engine's step."""

import json
from collections.abc import Sequence
from datetime import datetime

from engine import codec, registry
from engine.fair_dice import Words
from engine.orders.orders_on_file import Written, choose, merge
from engine.orders.reading import read_for
from engine.seats import REFEREE, Seat
from pbem.games import commitments, live_battles, simultaneous_turns, turn_cost
from pbem.games.career_entries import CareerEntries
from pbem.games.commitments import Entrant as Entrant
from pbem.games.deadlines import Timetable
from pbem.games.punctuality import count_misses, is_last_miss, misses_are_mutual
from pbem.games.reports.battle_account import AGREED, DEFAULT, FORCED, RULED, SILENCE
from pbem.games.reports.reports import Reports
from pbem.games.seating import Seating
from pbem.games.session import Session
from pbem.games.unconfirmed_orders import told, unconfirmed
from pbem.outgoing import questions
from pbem.settings.sections import LeagueSettings
from pbem.storage import Game, Player, Pledge, Store, stored_games


class Referee:
    """Begins games, files orders, plays turns, and ends games; within one transaction."""

    def __init__(self, store: Store, reports: Reports, league: LeagueSettings) -> None:
        self.store, self.reports, self.league = store, reports, league
        self.timetable = Timetable(store, reports, league)
        self.seating = Seating(store, reports, self.timetable)
        self.career_entries = CareerEntries(store, reports, league)

    def begin(
        self,
        system: str,
        setup: dict[str, object],
        entrants: Sequence[Entrant],
        now: datetime,
        major: bool = False,
        bots: str = "",
        practice: bool = False,
        friendly: bool = False,
        staged: bool = False,
        briefing: Sequence[str] = (),
        answering: tuple[int, str] | None = None,
        pledge: Pledge | None = None,
        room: tuple[str, str] | None = None,
    ) -> Game:
        """Begin a game: take its opening steps, and ask everybody for orders.

        The number and the secret are those of its `pledge`; without one, it is pledged now. `major`
        asks the moderator to mark it as a major battle. Bots of the strength `bots` fly
        the seats without a player. `practice` and `friendly` games leave nothing in careers, and a
        `staged` one is the moderator's set-up, whose `briefing` stands in the first reports. A
        pilot who enters a game that is not practice leaves its patrol, and its player is notified.
        `room` is the live channel on which it is played, with the terms of its challenge, None for
        another battle. `answering` is a player, and the Message-ID of the letter that this player's
        first report answers.
        """
        rules = registry.rules_of(system)
        state = codec.encode(rules.setup(setup))
        terms = commitments.battle_terms(setup)
        pledge = pledge or commitments.reserve(self.store, system, terms, now)
        marks = {"major": "asked" if major else "", "practice": practice}
        marks |= {"friendly": friendly, "staged": staged}
        game = self._create(pledge, setup, state, entrants, now, bots=bots, **marks)
        self.seating.fill(game, entrants, now)
        session = Session(self.store, game)
        if room:
            live_battles.begin(session, *room)
            session = Session(self.store, self.store.get(Game, game.id))
        session.briefing = tuple(briefing)
        # Before any letter is written, so that the first report can be the answer.
        if answering is not None:
            session.answer(*answering)
        self._own_steps(session, now)
        ordered = self._file_doctrines(session, entrants)
        self._run(session, now, set(), most=None if ordered else 0)
        # Where bots begin, they may have won before anybody is asked.
        if session.over:
            self._end(session, now)
        else:
            # Whoever has a doctrine has ordered, unless it has nothing for what comes next.
            blocked = self.unready(session) if ordered else []
            waited = [s for s in rules.seats(session.state) if s in blocked or s not in ordered]
            self._ask(session, waited or session.playing, now)
        return session.game

    def _file_doctrines(self, session: Session, entrants: Sequence[Entrant]) -> list[Seat]:
        """Put the standing orders in force with which personas enter; return their seats."""
        found = list[Seat]()
        for one in entrants:
            if one.standing and not session.over:
                seat = Seat(one.piece.name)
                text = f"STANDING\n{one.standing}"
                written = read_for(session.rules, session.state, seat, text)
                session.begin_with(seat, merge(session.sheet(seat), written))
                session.left_out[seat] = [(near.text, near.hint) for near in written.near]
                found.append(seat)
        return found

    def _create(
        self,
        pledge: Pledge,
        setup: dict[str, object],
        state: str,
        entrants: Sequence[Entrant],
        now: datetime,
        **marks: object,
    ) -> Game:
        """Save a new game under the number and the secret of its pledge."""
        return stored_games.add_game(
            self.store,
            id=pledge.id,
            system=pledge.system,
            version=pledge.version,
            setup=json.dumps(setup),
            words=json.dumps({one.piece.name: one.words for one in entrants}),
            commitment=pledge.commitment,
            secret=pledge.secret,
            state=state,
            begun=now,
            **marks,
        )

    def file(
        self, session: Session, seat: Seat, written: Written, now: datetime, words: Words | None
    ) -> bool:
        """Put a letter's orders in force; return whether they replace others of an earlier letter.

        `words` are what the letter adds to the dice; a moderator's letter adds none.
        """
        answered, before = session.places[seat].answered, session.sheet(seat).queue
        sheet = session.sheet_after(seat, written)
        session.change(seat, sheet=codec.encode(sheet), proxied=words is None)
        questions.close_turn(self.store, session.game.id, session.places[seat].id)
        if session.game.is_live:
            live_battles.take_back_word(session, seat)
        if words is not None:
            session.speak(seat, words)
        self.note_letter(session, seat, now)
        if session.simultaneous:
            return not set(before).issubset(sheet.queue)
        return answered

    def take_back(self, session: Session, seat: Seat) -> None:
        """Put the orders in force again that a seat had at the turn's start."""
        before = session.places[seat].before
        session.change(seat, sheet=before, answered=False, message=0, message_step=0)
        questions.close_turn(self.store, session.game.id, session.places[seat].id)
        session.save()

    def note_letter(self, session: Session, seat: Seat, now: datetime) -> None:
        """Note that a seat's player has written, and so keeps the place."""
        if session.places[seat].vacant:
            self.seating.keep(session, seat, now)
        session.change(seat, answered=True, misses=0)

    def advance(self, session: Session, now: datetime) -> bool:
        """Play on if nobody else is waited for; return whether any step was taken."""
        if session.game.paused is not None or session.over or session.held_up_by:
            session.save()
            return False
        return self._go_on(session, now, set())

    def process(self, session: Session, now: datetime) -> bool:
        """Play on with the orders on file, and count nobody as silent for it.

        Where all act together, pieces without an order get the default if there is any order at
        all.
        """
        # The moderator decided to go on, so that nobody's miss is counted.
        for seat in session.places:
            session.change(seat, answered=True, waiting=False)
        together_now = session.simultaneous and simultaneous_turns.ordered(session)
        return self._go_on(session, now, set(self.unready(session)) if together_now else set())

    def _go_on(self, session: Session, now: datetime, silent: set[Seat]) -> bool:
        """Take the steps that are possible, and report them; return whether there were any."""
        moved = self._run(session, now, silent)
        if moved:
            # All who were waited for have answered, so nobody has missed anything.
            before = {seat: place.misses for seat, place in session.places.items()}
            count_misses(session, self.league, before)
        self._settle(session, now, moved)
        return moved

    def missed(self, session: Session, now: datetime) -> None:
        """Play a deadline that has passed: standing orders, a cautious default, or the forfeit.

        Orders that were read and not confirmed count as if they had been.
        A player who wrote in time but has no legal order gets the default, too, without a miss.
        If one misses for the last time, the others are as silent and no standing orders can be
        played, it is a draw: there is nobody to forfeit to (SP-29).
        """
        self._file_unconfirmed(session, now)
        if session.game.is_live:
            self._time_is_up(session, now)
            return
        # `_run` and the draw below count misses; who met the deadline shows from the difference.
        before = {seat: place.misses for seat, place in session.places.items()}
        stuck = len(self.unready(session)) == len(session.acting)
        if stuck and misses_are_mutual(session, self.league):
            for seat in session.unanswered:
                session.change(seat, misses=before[seat] + 1)
            _by_silence(session, "DRAW", now)
            moved = True
        else:
            asked = {seat for seat, place in session.places.items() if place.asked}
            moved = self._run(session, now, asked)
        count_misses(session, self.league, before)
        self._settle(session, now, moved)

    def _time_is_up(self, session: Session, now: datetime) -> None:
        """Play the end of a turn's time in a chat room (SP-38), or that of all absences (SP-39).

        Who is absent for too long forfeits; where all sides are, it is a draw.
        """
        gone, absent = set[Seat](), set[Seat]()
        if live_battles.is_waiting(self.store, session.game.id):
            gone = live_battles.dropped(session)
            absent = gone.intersection(self.unready(session))
        if absent and gone.issuperset(session.playing):
            _by_silence(session, "DRAW", now)
        for seat in sorted(absent):
            if not session.over and session.active(seat):
                _by_silence(session, f"FORFEIT {seat}", now)
        asked = {seat for seat, place in session.places.items() if place.asked}
        moved = self._run(session, now, asked - absent)
        self._settle(session, now, moved or bool(absent))

    def change_live_stand(self, session: Session, stands: str, now: datetime) -> None:
        """Adjourn a live battle to mail, resume it, or begin its turn anew (SP-40, SP-41)."""
        number = session.game.id
        asked = [seat for seat, place in session.places.items() if place.asked]
        live_battles.change_stand(self.store, number, stands, now)
        session = Session(self.store, self.store.get(Game, number))
        for seat in session.places:
            session.change(seat, misses=0)
            if stands == live_battles.ADJOURNED:
                # The first letter tells all of it: the players have had none of this battle yet.
                session.change(seat, reported_to=0, reported_from=0)
        self._ask(session, asked, now)

    def _file_unconfirmed(self, session: Session, now: datetime) -> None:
        """File the orders that silent players were asked about, as if they had confirmed them."""
        for seat in session.unanswered:
            place = session.places[seat]
            player = self.store.get(Player, place.player_id)
            written = unconfirmed(session, seat, self.reports.outbox.language(player))
            if not written.empty:
                # No new letter came, so the dice depend on the same words as before.
                self.file(session, seat, written, now, session.words[seat])
                session.unconfirmed[seat] = told(written)

    def draw(self, session: Session, now: datetime) -> bool:
        """End a game as a draw if all who still take part agree; return whether they do."""
        if not session.agreed:
            session.save()
            return False
        self._own_steps(session, now)
        self._settle(session, now, moved=True)
        return True

    def _run(
        self, session: Session, now: datetime, silent: set[Seat], most: int | None = None
    ) -> bool:
        """Take steps for as long as orders allow; return whether any was taken.

        `most` are the steps between letters; by default as many as the league says, for each two
        that fight. Each seat of `silent`
        gets one default where it has no order of its own. It stops early where turns cost much,
        such as those of many house pilots; one turn is always taken. A move without a choice is
        played in any case, if the league wishes it.
        """
        start, whole = session.game.steps, turn_cost.most(session)
        if most is None:
            most = self.league.turns_per_letter * turn_cost.pairs(session)
        self._own_steps(session, now)
        before, left = start, whole
        while not (session.over or session.question):
            acting, step = session.in_order(tuple(session.phase.owing)), session.game.steps
            cost = turn_cost.turn_cost(session)
            # Bots think long, and the transaction of a letter must stay short. The battle is then
            # shown as far as it got, and goes on with the next letters or deadline.
            free = step - before < most and (cost <= left or left == whole)
            played = self._act(session, acting, now, silent, free)
            if played is None:
                break
            self._own_steps(session, now)
            if played == FORCED:
                # Nobody is asked for what is no choice, so that it has no limit either.
                before += session.game.steps - step
            else:
                left -= cost
        return session.game.steps > start

    def _own_steps(self, session: Session, now: datetime) -> None:
        """Take the steps that need no player's orders.

        These are a draw that all who are left agree to, the roll for who starts, and the turns of
        bots.
        """
        while not (session.over or session.question):
            if session.agreed:
                draw = session.rules.parse(session.state, REFEREE, "DRAW")
                session.step({REFEREE: [draw]}, now, AGREED)
                return
            orders = session.bot_orders()
            if session.phase.owing and not orders:
                return
            session.step(orders, now, "house" if orders else "")

    def _act(
        self,
        session: Session,
        acting: Sequence[Seat],
        now: datetime,
        silent: set[Seat],
        free: bool,
    ) -> str | None:
        """Take one seat's turn by its own orders, by the only move that it has, or by a default.

        Return where the order comes from, None where no turn could be taken. Where all act together
        it is the turn of all. Unless it is `free` to go on, only a forced move is played.
        """
        if session.simultaneous:
            return "" if free and self._act_together(session, now, silent) else None
        rules, state = session.rules, session.state
        for seat in acting:
            choice = choose(rules, state, seat, session.sheet(seat))
            if choice is not None:
                if not free:
                    return None
                session.change(seat, sheet=codec.encode(choice.sheet))
                session.step({seat: [choice.order]}, now, choice.source, choice.passed)
                return choice.source
            forced = rules.forced(state, seat) if self.league.forced_moves else None
            if forced is not None:
                session.step({seat: [forced]}, now, FORCED)
                return FORCED
        # Only where no team-mate could move, so that nothing waits for a silent one (SP-28).
        for seat in acting if free else ():
            if seat in silent:
                # Each silent seat gets one default; after that, its player is asked again.
                silent.discard(seat)
                if not self._miss(session, seat, now):
                    order = session.rules.cautious(session.state, seat)
                    session.step({seat: [order]}, now, DEFAULT)
                return DEFAULT
        return None

    def _act_together(self, session: Session, now: datetime, silent: set[Seat]) -> bool:
        """Close the turn if all have their orders or are silent; return whether it was closed."""
        lacking = simultaneous_turns.lacking(session)
        if not silent.issuperset(lacking):
            return False
        # Each gets one default: at the next turn its player is asked again.
        silent.clear()
        for seat in lacking:
            # A forfeit may end the battle, and then there is no turn to close.
            if self._miss(session, seat, now) and session.over:
                return True
        simultaneous_turns.close(session, now)
        return True

    def _miss(self, session: Session, seat: Seat, now: datetime) -> bool:
        """Count a miss, if it is one; return whether it was the last and forfeits the battle."""
        place = session.places[seat]
        # In a chat room only a long absence forfeits (SP-39).
        last = not session.game.is_live and is_last_miss(place, self.league)
        session.change(seat, misses=place.misses + (not place.answered))
        if last:
            _by_silence(session, f"FORFEIT {seat}", now)
        return last

    def unready(self, session: Session) -> list[Seat]:
        """Return the seats that must act and have no legal order of their own."""
        rules, state = session.rules, session.state
        if session.simultaneous:
            return simultaneous_turns.lacking(session)
        return [s for s in session.phase.owing if not choose(rules, state, s, session.sheet(s))]

    def _settle(self, session: Session, now: datetime, moved: bool) -> None:
        """Report what happened, and ask for the orders that are needed next."""
        # A pilot that is out of the battle may be free for another one before this one ends.
        self.career_entries.release(session, now)
        if session.over:
            self._end(session, now)
            return
        acting, blocked = session.acting, self.unready(session)
        # Without a step there is nothing new to report, and the deadline stays.
        if not moved:
            # Without a legal order a seat has not answered, so its reminder must still come.
            for seat in () if session.simultaneous else blocked:
                session.change(seat, answered=False)
            session.save()
            return
        # If nobody who must act can, only they are asked; where all act together, those without
        # orders. Otherwise the steps stopped at the limit of a letter, and everybody is shown what
        # happened before more is played.
        stuck = bool(blocked) if session.simultaneous else len(blocked) == len(acting)
        self._ask(session, blocked if stuck else session.playing, now)

    def _ask(self, session: Session, asked: Sequence[Seat], now: datetime) -> None:
        """Open the next turn of letters: a report to all, and a deadline for those who are asked.

        A game that is paused has no deadline; it has a whole turn's time when it goes on. Nor has
        one that awaits a ruling: nobody but the moderator is asked then.
        """
        questions.close_turn(self.store, session.game.id)
        if session.question is not None:
            asked = ()
        elif session.game.is_live and not session.simultaneous:
            # By mail others may order ahead; in a room it is one player's turn.
            asked = [seat for seat in session.phase.owing if seat in asked]
        for seat, place in session.places.items():
            # A later letter of the same turn is put over the sheet as it is now (decision 0004).
            session.change(
                seat, asked=seat in asked, answered=False, waiting=False, before=place.sheet
            )
        paused, allowed = session.game.paused is not None, self.league.allowed
        deadline = self.timetable.next_turn(session, now)
        session.save_game(
            turn=session.game.turn + 1,
            deadline=None if paused or session.question else deadline,
            paused=int(allowed.total_seconds()) if paused else None,
            opened=now,
            reminded=None,
            held=False,
            sequence=session.game.sequence + 1,
        )
        self.reports.turn(session, now)
        self.reports.question(session, now)
        session.save()  # the places last, because the reports note what each has been shown

    def _end(self, session: Session, now: datetime) -> None:
        """Close a game: enter its results in the careers, and send the final reports."""
        questions.close_turn(self.store, session.game.id)
        for seat in session.places:
            session.change(seat, asked=False)
        turn, sequence = session.game.turn + 1, session.game.sequence + 1
        session.save(running=False, ended=now, deadline=None, turn=turn, sequence=sequence)
        # Before the last report, which shows each persona as the battle leaves it.
        for seat, place in session.places.items():
            self.career_entries.book(session, seat, place, now)
        self.reports.final(session, now)
        session.save()

    def reopen(self, session: Session, now: datetime) -> None:
        """Go on with a game from where it was taken back to; all who take part in it are asked."""
        for seat in session.places:
            session.change(seat, draw=False, misses=0)
        self._run(session, now, set(), most=0)
        if session.over:
            self._end(session, now)
        else:
            self._ask(session, session.playing, now)

    def rule(self, session: Session, order: str, now: datetime, cause: str = RULED) -> None:
        """Order something as the referee's seat, such as DRAW. Raises EngineError (SP-29).

        Where a further ruling is awaited, all are reported together after the last one.
        """
        given, awaited = session.rules.parse(session.state, REFEREE, order), session.question
        session.step({REFEREE: [given]}, now, cause)
        if awaited and session.question:
            session.save()
            return
        if awaited:
            self._own_steps(session, now)
        self._settle(session, now, moved=True)


def _by_silence(session: Session, order: str, now: datetime) -> None:
    """Take the step of an order of the referee's that the players' silence causes."""
    parsed = session.rules.parse(session.state, REFEREE, order)
    session.step({REFEREE: [parsed]}, now, SILENCE)
