"""A game's letters to its players: facts for the templates, with no wording and no rules."""

import json
from collections.abc import Iterable, Sequence
from datetime import datetime

from engine.campaign import Change
from engine.i18n import say
from engine.pictures import Picture
from engine.ruleset import AnyRuleset
from engine.seats import Seat
from pbem.games import live_battles, simultaneous_turns
from pbem.games.checking_script import has_script
from pbem.games.meetings import pilots
from pbem.games.persona_rules import (
    busy,
    heir,
    may_meet_again,
    may_spend,
    persona_sheet,
    piece_of,
)
from pbem.games.places_of_each_player import by_player, one_each
from pbem.games.reports import battle_pictures, seat_facts
from pbem.games.reports.battle_account import SeenStep, ShownStory, log_seen, passages, reported
from pbem.games.reports.dice_receipt import receipt, told_in
from pbem.games.reports.opening import opening, tale
from pbem.games.reports.shortening import flat, runs, summary
from pbem.games.reports.template_facts import (
    AboutPlace,
    Account,
    Career,
    Crews,
    Ending,
    GameFacts,
    Moment,
    Nominated,
    PublicTurn,
    TurnFacts,
    ended,
)
from pbem.games.reports.turning_points import swings
from pbem.games.reports.war_overview import state_of_war
from pbem.games.session import Session, game_id, thread_of
from pbem.i18n import zones
from pbem.i18n.days import dated, in_utc
from pbem.outgoing.outbox import Due, Outbox, Reply
from pbem.outgoing.posts import Posts
from pbem.outgoing.reachability import dead_since
from pbem.people import absences, career_log
from pbem.people.scrub import scrubbed
from pbem.settings import Settings
from pbem.storage import Game, Persona, Place, Player, Store, stored_games


class Reports:
    """Writes a game's letters into the outbox, and its account for the channels."""

    def __init__(self, store: Store, outbox: Outbox, posts: Posts, settings: Settings) -> None:
        self.store, self.outbox, self.posts, self.settings = store, outbox, posts, settings
        self._zone = settings.league.zone

    def moment(self, when: datetime | None, player: Player | None = None) -> Moment | None:
        """Return a time in words, in a player's zone (or the league's) and in UTC, or None."""
        return None if when is None else self.clock(when, player)

    def clock(self, when: datetime, player: Player | None = None) -> Moment:
        """Return a time in words, in a player's zone (or the league's) and in UTC."""
        zone = self._zone
        if player is not None and player.zone:
            zone = zones.zone(player.zone, zone)
        return {"local": dated(when, zone), "utc": in_utc(when)}

    def due(self, game: Game, places: Iterable[Place], player: Player, now: datetime) -> list[Due]:
        """Return what a player's calendar is to show of some places' deadline, or to remove."""
        found = [self._due(game, place, player, now) for place in places]
        return [one for one in found if one is not None]

    def _due(self, game: Game, place: Place, player: Player, now: datetime) -> Due | None:
        title = say("Game {game}: orders for {seat}", game=game.id, seat=place.seat)
        if place.asked and game.deadline is not None:
            moment = self.clock(game.deadline, player)
            words = say("Orders for {seat} are due by {local} ({utc}).", seat=place.seat, **moment)
            return Due(game.id, place.id, game.sequence, game.deadline, title, words)
        # The player's calendar shows an earlier deadline, which must be removed.
        if place.invited:
            words = say("No orders for {seat} are due.", seat=place.seat)
            when = game.deadline or now
            return Due(game.id, place.id, game.sequence, when, title, words, cancelled=True)
        return None

    def game(self, game: Game, rules: AnyRuleset) -> GameFacts:
        """Return the facts about a game of these rules that each of its letters shows."""
        return {
            "number": game.id,
            "id": game_id(game.id),
            "title": rules.title,
            "sheets": rules.campaign is not None,
            "doctrines": rules.doctrines is not None,
            "script": has_script(game.system),
            "turn": game.turn,
            "practice": game.practice,
            "friendly": game.friendly,
            "staged": game.staged,
            "bots": game.bots,
            "commitment": game.commitment,
        }

    def stories(self, session: Session, seat: Seat | None, since: int) -> list[ShownStory]:
        """Return what the players of other seats wrote in public since a step.

        Where all order in secret, a story is held back until its turn is resolved, because it shows
        that its writer has ordered.
        """
        found = [story for story in session.stories if story.after >= since]
        if session.simultaneous and session.game.running:
            found = [story for story in found if story.after < session.game.steps]
        shown: list[ShownStory] = []
        for story in found:
            if story.seat != seat:
                # Tokens, keys and addresses in a player's words must not reach others.
                lines = scrubbed(self.store, story.text.splitlines(), story.player_id)
                shown.append(
                    {
                        "seat": story.seat,
                        "after": story.after,
                        "whose": story.player_id,
                        "lines": [line for line in lines if line],
                    }
                )
        return shown

    def steps(self, session: Session, seat: Seat | None, since: int) -> list[SeenStep]:
        """Return the steps since a number, as a seat (None: the public) may know them."""
        found = [step for step in session.log if step.n >= since]
        return log_seen(session.rules, found, seat, session.over)

    def account(self, session: Session, since: int) -> Account:
        """Return a battle's public account since a step; with its secret once it is over."""
        steps, outcome = self.steps(session, None, since), session.rules.outcome(session.state)
        told, turned = self.stories(session, None, since), swings(session)[:1] if outcome else []
        return {
            "game": self.game(session.game, session.rules),
            "view": session.rules.view(session.state, None),
            "steps": steps,
            "passages": passages(session.rules, steps, told, turned),
            "outcome": ended(outcome) if outcome else None,
            # With the secret of a running game, its next dice could be computed.
            "secret": session.game.dice_secret.hex() if outcome else "",
        }

    def public_turn(self, session: Session) -> PublicTurn:
        """Return what everybody may know of who must order next, and what is possible."""
        public, campaign = session.is_open, session.campaign
        # Where all order in secret, nobody is told who has ordered already.
        secret = session.simultaneous and not session.over
        asked = session.playing if secret else session.unanswered
        owing = session.phase.owing
        return {
            "acting": [
                {
                    "seat": seat,
                    "ahead": seat not in owing and not session.simultaneous,
                    "offers": seat_facts.offers(session, seat) if public else [],
                }
                for seat in sorted(session.in_order(asked), key=lambda one: one not in owing)
            ],
            "hidden": not public,
            "together": session.simultaneous,
            "awaiting": session.question.text if session.question else "",
            "deadline": self.moment(session.game.deadline),
            "misses_allowed": self.settings.league.misses_before_forfeit,
            "medals": bool(campaign and campaign.honours and not session.game.friendly),
        }

    def publish(self, session: Session, now: datetime) -> None:
        """Send channels and watchers what happened since the last report; nothing for practice."""
        game = session.game
        if game.is_live:
            # A chat room hears what happened since the last lines, and who must order next.
            since = max(place.reported_to for place in session.places.values())
            self._publish(
                session,
                self.account(session, since),
                self._careers(session),
                now,
                room=live_battles.of(self.store, game.id).channel,
            )
        if game.practice or (game.is_live and game.running):
            return
        watchers = stored_games.watchers(self.store, game.id)
        if self.posts.channels or watchers:
            # Some players skip reports, but the channels have had them all. Of what was played in
            # a chat room they have had nothing.
            shown = max(place.reported_to for place in session.places.values())
            account = self.account(session, 0 if game.live else shown)
            careers = self._careers(session)
            pictures = battle_pictures.for_all(self.posts, session)
            self._publish(session, account, careers, now, pictures=pictures)
            for watcher in watchers:
                self._show(session, self.store.get(Player, watcher), account, careers, now)
        # The state of the war is one post that is edited again and again.
        if self.posts.edited:
            war = state_of_war(self.store)
            self.posts.rewrite("war", now, ident="war", moment=self.moment(now), **war)

    def _publish(
        self,
        session: Session,
        account: Account,
        careers: list[Career],
        now: datetime,
        *,
        room: str = "",
        pictures: Sequence[Picture] = (),
    ) -> None:
        """Post an account of a battle's last steps: to its chat room, or to all other channels."""
        game = session.game
        self.posts.write(
            "battle",
            now,
            ident=f"{game_id(game.id)}-T{game.turn}",
            thread=game_id(game.id),
            system=game.system,
            runs=runs(reported(session.rules, account["steps"], account["view"])),
            careers=careers,
            only=room,
            live=live_battles.facts(session) if room else None,
            pictures=pictures,
            **self.public_turn(session),
            **account,
        )

    def _careers(self, session: Session) -> list[Career]:
        """Return what a battle that is over has changed in the careers of those who fought it."""
        campaign = session.campaign
        if campaign is None or not session.over:
            return []
        rows = [self.store.get(Persona, place.persona_id) for place in session.places.values()]
        return [
            {
                "sheet": campaign.sheet(piece_of(row)),
                "changes": career_log.of_game(self.store, row, session.game.id),
            }
            for row in rows
        ]

    def _show(
        self,
        session: Session,
        player: Player,
        account: Account,
        careers: list[Career],
        now: datetime,
    ) -> None:
        """Send a public report to a player who watches, unless they play in the battle by now."""
        game = session.game
        if not stored_games.places(self.store, game=game.id, player=player.id):
            self.outbox.write(
                player,
                "watched",
                now,
                ident=(game.id, game.turn, game.steps),
                system=game.system,
                thread=[self.outbox.thread("watch", game.id)],
                urgency="later",
                pictures=battle_pictures.for_report(self.outbox, session, account["view"], player),
                careers=careers,
                **account,
            )

    def turn(self, session: Session, now: datetime) -> None:
        """Send every place the report of the turn that opens, and post what everybody may know."""
        self.publish(session, now)
        game = session.game
        for seat, place in list(session.places.items()):
            if game.is_live:
                # The lines in the room say all that a letter would.
                session.change(seat, reported_to=game.steps, reported_from=place.reported_to)
            else:
                self._write(session, seat, place, "begin" if game.turn == 1 else "turn", now)

    def final(self, session: Session, now: datetime) -> None:
        """Send every place the last report, with the secret, and post the end."""
        self.publish(session, now)
        for seat, place in list(session.places.items()):
            self._write(session, seat, place, "final", now)

    def ending(self, session: Session, place: Place, now: datetime) -> Ending:
        """Return what only the last report shows: the outcome, the persona, and what is next."""
        outcome = session.rules.outcome(session.state)
        if outcome is None:
            return {}
        row = self.store.get(Persona, place.persona_id)
        campaign, own = session.campaign, row.player_id == place.player_id
        teams = list(pilots(session).values())
        others = (
            busy(self.store, self.settings.league, one, now)
            for team in teams
            for one in team
            if one.id != row.id
        )
        return {
            "outcome": ended(outcome),
            "tale": tale(session.rules, self.steps(session, Seat(place.seat), 0), swings(session)),
            # The persona is its owner's, so a substitute gets no sheet (SP-29).
            "persona": campaign.sheet(piece_of(row)) if campaign and own else None,
            "heir": heir(self.store, row),
            "bar": busy(self.store, self.settings.league, row, now) or "",
            "foes_bar": next(filter(None, others), ""),
            "again": len(teams) > 1 and may_meet_again(teams),
            "spends": may_spend(self.store, self.settings.league, row, now),
            "changes": career_log.of_game(self.store, row, session.game.id),
        }

    def career_changed(
        self,
        row: Persona,
        change: Change,
        now: datetime,
        ident: Sequence[object],
        nomination: Nominated | None = None,
    ) -> None:
        """Write to a player what happened to a persona outside of battle, with a sheet to print."""
        row = self.store.get(Persona, row.id)
        player, sheet = self.store.get(Player, row.player_id), persona_sheet(row)
        career = career_log.career(self.store, row, self._zone)
        block = {"system": row.system, "sheet": sheet, "career": career}
        self.outbox.write(
            player,
            "career",
            now,
            ident=(row.id, *ident),
            system=row.system,
            urgency="idle",
            attachments=self.outbox.pdf_page(player, "persona", row.name, row.system, block=block),
            sheet=sheet,
            changes=career_log.facts_of(change.entries),
            nomination=nomination,
            heir=heir(self.store, row),
            bar=busy(self.store, self.settings.league, row, now),
            spends=may_spend(self.store, self.settings.league, row, now),
        )

    def _write(self, session: Session, seat: Seat, place: Place, kind: str, now: datetime) -> None:
        """Send a place a report, or leave its contents to the next one, as the player wishes."""
        game = session.game
        thread = thread_of(place)
        answered = session.acknowledgements.get(seat)
        player = session.players[place.player_id]
        can_wait = kind == "turn" and not place.asked and answered is None
        posted = not game.practice and self._follows_thread(session, player)
        if kind == "turn" and answered is None and posted:
            # The turn's post in the thread says all that this report would.
            session.change(seat, reported_to=game.steps, reported_from=place.reported_to)
            return
        if can_wait and player.mail == "decisions":
            return  # `reported_to` stays as it is, so the next report shows these steps, too
        answers = answered.facts.get("answers", ()) if answered else ()
        asked = answered.facts if answered else {}
        question, by_yes_only = asked.get("question", ""), asked.get("by_yes_only", False)
        crews: Crews = {}
        if kind == "begin":
            crews = {
                "crews": seat_facts.crews(session),
                "briefing": session.briefing,
                "left_out": session.left_out.get(seat, []),
                "nameless": session.unclear(seat, session.sheet(seat)),
            }
        facts = self.facts(session, seat, now, whole=kind == "begin")
        if kind == "begin" and self._had_sheets(session, seat):
            facts["summary"]["shown"] = [seat]
        message_id = self.outbox.write(
            player,
            kind,
            now,
            ident=(game.id, seat, game.turn, game.steps),
            answering=answered.letter if answered else None,
            thread=thread,
            due=self.due(game, [place], player, now),
            urgency="later" if can_wait else "now",
            pictures=battle_pictures.for_report(self.outbox, session, facts["view"], player),
            attachments=[
                receipt(self.outbox, session, player, flat(facts["runs"])),
                *told_in(self.outbox, player, answers),
            ],
            **self.about(game, session.rules, place, question, by_yes_only),
            **facts,
            **crews,
        )
        # Where it began is kept as well, so that `again` can send the same steps.
        covered = {"reported_to": game.steps, "reported_from": place.reported_to}
        session.change(
            seat, thread=json.dumps([*thread[:1], message_id]), invited=place.asked, **covered
        )

    def _follows_thread(self, session: Session, player: Player) -> bool:
        """Return whether a player plays on a board, where all may know how a battle stands."""
        board = self.settings.channels.get(player.channel)
        return board is not None and board.play and session.is_open

    def _had_sheets(self, session: Session, seat: Seat) -> bool:
        """Return whether the player of a seat gets all sheets with the report of another."""
        return session.places[seat] not in one_each(session.places.values())

    def again(
        self,
        session: Session,
        place: Place,
        ident: str,
        now: datetime,
        answering: str | None = None,
    ) -> None:
        """Send a place its last report once more.

        `answering` is the Message-ID of the letter that asks for it.
        """
        game, seat = session.game, session.seat_of(place.id)
        # A report shows the steps since `reported_to`, so go back to where the last one began.
        session.change(seat, reported_to=place.reported_from)
        player = session.players[place.player_id]
        facts = self.facts(session, seat, now, whole=True)
        self.outbox.write(
            player,
            "turn" if game.running else "final",
            now,
            # With what asked for it, so that each request is answered.
            ident=("again", ident, game.id, seat),
            answering=answering,
            thread=thread_of(place),
            pictures=battle_pictures.for_report(self.outbox, session, facts["view"], player),
            attachments=[receipt(self.outbox, session, player, flat(facts["runs"]))],
            **self.about(game, session.rules, place),
            **facts,
        )

    def about(
        self,
        game: Game,
        rules: AnyRuleset,
        place: Place,
        question: str = "",
        by_yes_only: bool = False,
    ) -> AboutPlace:
        """Return what each letter about a place in a game of these rules has.

        `question` are the lines that YES carries out; battle orders among them count at the
        deadline without it, unless they are `by_yes_only`.
        """
        turn = (game.id, game.turn, place.id)
        # Once nothing can be ordered any more, a reply is a letter to the league.
        reply = Reply(
            "game" if game.running else "league", *turn, question=question, by_yes_only=by_yes_only
        )
        return {"reply": reply, "system": game.system, "game": self.game(game, rules)}

    def facts(self, session: Session, seat: Seat, now: datetime, whole: bool = False) -> TurnFacts:
        """Return the facts of a turn's report to a seat; a `whole` one shows all sheets."""
        game, place = session.game, session.places[seat]
        others = [p for s, p in session.places.items() if s != seat]
        rows = [session.players[number] for number in {p.player_id for p in others}]
        unreached = {p.id for p in rows if dead_since(self.settings.limits, p, session.bounces)}
        answered = session.acknowledgements.get(seat)
        steps = self.steps(session, seat, place.reported_to)
        view = session.rules.view(session.state, seat)
        before = None if whole else session.states().get(place.reported_to - 1)
        away, own_away = self._away(session, place.player_id)
        return {
            "view": view,
            "earlier": None if before is None else session.rules.view(before, seat),
            "opening": opening(session.rules, session.state, seat, steps, before),
            "summary": summary(session, seat, steps, whole),
            "whole": whole,
            "runs": runs(reported(session.rules, steps, view)),
            "stories": self.stories(session, seat, place.reported_to),
            "opponents": session.opponents(seat),
            "offers": seat_facts.offers(session, seat),
            "plan": simultaneous_turns.plan(session, seat),
            "refused": seat_facts.refused(session, seat, before),
            "sheet": seat_facts.sheet(session, seat),
            "deadline": self.moment(game.deadline, session.players[place.player_id]),
            "away": away,
            "own_away": own_away,
            "asked": place.asked,
            "ahead": place.asked and not session.simultaneous and seat not in session.phase.owing,
            "awaiting": session.question.text if session.question else "",
            "waiting_for": session.others_unanswered(seat),
            "draw_offered": seat_facts.draw_offered(session, seat),
            "team": seat_facts.team(session, seat, before),
            "out_of_reach": [p.seat for p in others if p.player_id in unreached],
            "misses": place.misses,
            "vacant": [p.seat for p in others if p.vacant and p.player_id != place.player_id],
            "own_vacant": place.vacant,
            "misses_allowed": self.settings.league.misses_before_forfeit,
            "silence": seat_facts.silence(
                session, seat, self.settings.league.misses_before_forfeit
            ),
            "halted": seat_facts.halted(session, seat, self.settings.league),
            "ack": answered.facts if answered else None,
            "unconfirmed": session.unconfirmed.get(seat, []),
            **self.ending(session, place, now),
        }

    def _away(self, session: Session, reader: int) -> tuple[list[str], bool]:
        """Return the seats whose players are away, which makes the deadline later, and whether
        the reader is one of them."""
        found, own = list[str](), False
        for place in session.places.values():
            if absences.delaying(self.settings.league, session.game, place, session.leaves):
                found.append(place.seat)
                own = own or place.player_id == reader
        return found, own

    def question(self, session: Session, now: datetime) -> None:
        """Ask the moderator for the ruling that a game awaits, if it awaits one."""
        game, awaited = session.game, session.question
        if awaited is not None:
            self.outbox.write_moderator(
                "question",
                now,
                (game.id, game.turn, game.steps),
                number=game.id,
                title=session.rules.title,
                teams=list(session.rules.teams(session.state)),
                question=awaited.text,
                orders=[
                    say("GM RULE {game} {ruling}", game=game.id, ruling=one)
                    for one in awaited.rulings
                ],
            )

    def reminder(self, session: Session, hours: float, now: datetime) -> None:
        """Remind players who were asked and have not answered, some hours before the deadline."""
        game, asked = session.game, by_player(session.places[seat] for seat in session.unanswered)
        # One letter for each player, even if several of their pilots have no orders yet.
        for player, (place, *others) in asked.items():
            seat = Seat(place.seat)
            self.outbox.write(
                session.players[player],
                "reminder",
                now,
                ident=(game.id, seat, game.turn, hours, game.deadline),
                thread=thread_of(place),
                # A later reminder takes the place of one that has not left yet.
                slot=f"G{game.id}/{place.id}/reminder",
                further=[other.seat for other in others],
                **self.about(game, session.rules, place),
                **self.facts(session, seat, now),
            )
