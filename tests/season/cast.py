"""A player: a small program that reads its own letters, and answers what those say."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from email.message import EmailMessage
from random import Random

from tests.season.habits import Habits
from tests.season.plan import MODERATOR, SIDES, Plan
from tests.season.reading import Listed, Reading, read
from tests.season.rosters import Rosters
from tests.season.tactics import standing
from tests.season.world import Inbox, World
from tests.support.players import letter, reply

DAY = timedelta(days=1)
SLEEP = 14
ROBOT = "I am on holiday, and read this when I am back."


@dataclass(repr=False)
class Player:
    """One player with a mailbox, who sends nothing but letters."""

    name: str
    habits: Habits
    inbox: Inbox
    world: World
    plan: Plan
    rng: Random
    rosters: Rosters
    letters: list[EmailMessage] = field(default_factory=list)
    sent: list[EmailMessage] = field(default_factory=list)
    machine: list[EmailMessage] = field(default_factory=list)
    pilots: dict[str, str] = field(default_factory=dict)
    enlisted: list[str] = field(default_factory=list)
    worded: set[str] = field(default_factory=set)
    rules: set[str] = field(default_factory=set)
    key: str = ""
    _outbox: list[EmailMessage] = field(default_factory=list)
    _briefed: set[tuple[int, str]] = field(default_factory=set)
    _next_question: float = 0
    _wakes: float = 0
    _said: set[str] = field(default_factory=set)

    @property
    def now(self) -> datetime:
        """Return the time."""
        return self.world.clock()

    @property
    def day(self) -> float:
        """Return the day of the season."""
        return (self.now - self.plan.begin) / DAY

    def live(self) -> None:
        """Read what came and answer it, or leave it for later; ask and challenge of oneself."""
        if self._gone():
            self._leave_it_to_the_robot()
        elif not self.sent:
            self.write(f"JOIN {self.name} Example")
        elif self._looks():
            for each in self.inbox.new():
                self.letters.append(each)
                self._react(read(each))
            if self.key:
                self._of_oneself()
        self.world.mail(self._outbox)
        self._outbox.clear()

    def bow(self) -> None:
        """Ask for the sheets of all pilots that one ever had."""
        every = [*self.enlisted, *self.rosters.systems]
        if every:
            self.write("\n".join(f"SHEET {name}" for name in every))
            self.world.mail(self._outbox)
            self._outbox.clear()

    def shown(self) -> EmailMessage:
        """Return the answer to the last letter, which asked for all sheets.

        The answer to the letter before may come later.
        """
        asked = self.sent[-1]["Message-ID"]
        return next(one for one in self.letters if one["In-Reply-To"] == asked)

    def collect(self) -> None:
        """Read what is left at the end, and answer nothing."""
        self.letters += self.inbox.new()

    def write(self, text: str) -> None:
        """Write a letter of one's own accord, with the key once there is one."""
        proof = f"KEY {self.key}\n" if self.key else ""
        self._send(letter(self.name, proof + text, len(self.sent) + 1), self.sent)

    def answer(self, to: Reading, text: str) -> None:
        """Reply to a letter."""
        self._send(reply(self.name, to.letter, text, len(self.sent) + 1), self.sent)

    def _send(self, written: EmailMessage, pile: list[EmailMessage]) -> None:
        pile.append(written)
        self._outbox.append(written)

    def _looks(self) -> bool:
        """Return whether the player finds the time in this step."""
        return self.rng.random() < self.habits.diligence

    def _gone(self) -> bool:
        away = self.habits.away
        return self.day < self._wakes or bool(away and away[0] <= self.day < away[1])

    def _falls_asleep(self, to: Reading) -> bool:
        """Sleep for two weeks from the first battle on that begins late enough."""
        late = self.habits.asleep is not None and self.day >= self.habits.asleep
        if self._wakes or not late or "battle begins" not in to.subject:
            return False
        self._wakes = self.day + SLEEP
        return True

    def _leave_it_to_the_robot(self) -> None:
        if not self.habits.robot:
            return
        for each in self.inbox.new():
            self.letters.append(each)
            number = 1000 + len(self.machine)
            written = reply(self.name, each, ROBOT, number)
            written["Auto-Submitted"] = "auto-replied"
            self._send(written, self.machine)

    # ---- what is done about a letter --------------------------------------------------------

    def _react(self, to: Reading) -> None:
        """Act by the first row whose words are in the subject."""
        for words, act in _REACTIONS:
            if words in to.subject:
                act(self, to)
                return

    def confirm(self, to: Reading) -> None:
        """Confirm that it was oneself."""
        self.answer(to, "Yes, that was me.")

    def settle_in(self, to: Reading) -> None:
        """Note the key, and enlist two pilots, and what else is to be led."""
        self.key = to.find(r"Your key is (\S+)\.")
        orders = ["SUBSCRIBE newsletter"] if self.habits.subscribes else []
        if self.name != MODERATOR:
            orders += [*self._enlist(spare=True), *self._enlist(spare=True)]
            if not self.habits.on_board:
                orders += self.rosters.enlist()
        if orders:
            self.answer(to, "\n".join(orders))

    def _enlist(self, *, spare: bool) -> Iterator[str]:
        """Return the order for a pilot of a side that one has none of, while more are to join."""
        sides = [side for side in SIDES if side not in self.pilots.values()]
        name = self.plan.pilot(spare) if sides else None
        if name is None:
            return
        side = self.rng.choice(sides)
        self.pilots[name] = side
        self.enlisted.append(name)
        points = self.rng.choice(("14 PILOTING 12 SENSORS 10", "12 PILOTING 12 SENSORS 12"))
        ship = self.rng.choice(SIDES[side])
        yield f"ENLIST {name} FOR {side} WEAPONS {points} SHIP {ship}"

    def consider(self, to: Reading) -> None:
        """Accept a challenge, or now and then decline it."""
        number = to.find(r"\bACCEPT (\d+)")
        word = "DECLINE" if self.rng.random() < 0.05 else "ACCEPT"
        self.answer(to, f"{word} {number}")

    def command(self, to: Reading) -> None:
        """Send standing orders with the first report of a battle, and READY with the others."""
        pilot = to.find(r"Your orders for (\w+) are(?: still)? needed(?:\.| by )")
        self._note_game(to)
        if not pilot or self._falls_asleep(to):
            return
        if pilot in self.rosters.systems:
            self.answer(to, self._story(pilot, self.rosters.lead(to, pilot)))
            self.worded.add(self.sent[-1]["Message-ID"])
            return
        known = (to.game, pilot)
        if known in self._briefed:
            self.answer(to, self._story(pilot, "READY"))
            return
        ship = to.find(rf"Pilot {pilot}, [^.]+\. [^.]+\. Ship: ([\w -]+?)(?: Mark \d+)?\.")
        if not ship:
            # A report that is not the first of its battle shows only the sheets that have changed.
            if f"REPORT {to.game}" not in self._said:
                self._said.add(f"REPORT {to.game}")
                self.answer(to, f"REPORT {to.game}")
            return
        self._briefed.add(known)
        orders = standing(ship, self.habits.temper, to.foes())
        self.rules.update(line for line in orders.splitlines() if line.startswith("IF "))
        salt = f"SALT secret-{self.name}-{to.game}"
        self.answer(to, self._story(pilot, f"{orders}\n{salt}"))
        if f"MAJOR {to.game}" not in self._said and self.rng.random() < 0.06:
            self._said.add(f"MAJOR {to.game}")
            self.write(f'TELL "{MODERATOR} Example"\nGame {to.game} ought to be a major battle.')

    def _story(self, pilot: str, orders: str) -> str:
        """Put a story below orders, and now and then words without a mark between them."""
        story = f"STORY\nThe stars stood still around {pilot}, and nobody spoke."
        private = f"Only {self.name} knows: secret-{self.name}-{len(self.sent)}.\n\n"
        return f"{orders}\n\n{private if self.rng.random() < 0.3 else ''}{story}"

    def _note_game(self, to: Reading) -> None:
        if "battle begins" in to.subject and ", StarPilot " in to.text:
            tally = self.plan.teams if "Team " in to.subject else self.plan.duels
            tally.begin(to.game)

    def remember(self, to: Reading) -> None:
        """Answer a reminder like the report that it is about."""
        pilot = to.find(r"Your orders for (\w+) are needed")
        if (to.game, pilot) in self._briefed:
            self.answer(to, "READY")
        else:
            self.answer(to, f"REPORT {to.game}")

    def rest(self, to: Reading) -> None:
        """Note that a battle is over, replace the fallen, and now and then praise the opponent."""
        self.plan.over.add(to.game)
        self.rosters.over(to.game)
        self._replace(set(to.all(r"- Pilot (\w+) was killed")))
        came = to.all(r"- Pilot (\w+) [^.]*\. HP \(hero points\) from")
        others = [name for name in came if name not in self.pilots]
        if others and self.rng.random() < 0.12:
            expected = f"NOMINATE {others[0]} IN {to.game}\n{others[0]} stayed when all others ran."
            self.answer(to, expected)

    def hear(self, to: Reading) -> None:
        """Make the rulings that players ask the moderator for."""
        game = to.find(r"Game (\d+) ought to be a major battle")
        if self.name == MODERATOR and game:
            self.answer(to, f"KEY {self.key}\nGM MAJOR {game}")

    def mourn(self, to: Reading) -> None:
        """Enlist a new pilot for one that left, and choose what a reward left open."""
        self._replace(set(to.all(r"(\w+) (?:has resigned|retires with honour)")))
        self.choose(to)

    def _replace(self, gone: set[str]) -> None:
        for pilot in sorted(gone & self.pilots.keys()):
            del self.pilots[pilot]
            for order in self._enlist(spare=False):
                self.write(order)

    def weigh(self, to: Reading) -> None:
        """Act on an answer: codes, choices, pilots, places, nominations."""
        code = to.find(r"(RESIGN \w+ CODE \w{8})")
        if code and code not in self._said:
            self._said.add(code)
            self.answer(to, code)
        listed = list(to.listed())
        if code or self.choose(to) or not (listed or "Your own reliability" in to.text):
            return
        orders = [*self._good_works(to), *self._spend(to), *self._offers(listed)]
        orders += self.rosters.offers(to, self.plan.share(self.now), self.now)
        if orders:
            self.answer(to, "\n".join(orders))

    def choose(self, to: Reading) -> bool:
        """Choose as a letter proposes; return whether there was a choice."""
        # In quotation marks it is the player's own order, which was refused.
        lines = to.all(r'(?<!")\b(CHOOSE [\w -]+? FOR \w+)')
        if lines:
            self.answer(to, "\n".join(lines))
        return bool(lines)

    def _good_works(self, to: Reading) -> Iterator[str]:
        """Endorse what others nominate, and step in for who is silent."""
        for number in to.all(r"reply with ENDORSE (\d+)"):
            if self.rng.random() < 0.7:
                yield f"ENDORSE {number}"
        yield from (f"TAKEOVER {number}" for number in to.all(r"TAKEOVER (\d+) to lead"))

    def _spend(self, to: Reading) -> Iterator[str]:
        for name, points in to.purses().items():
            if points >= 2 and name in self.pilots and self.rng.random() < 0.7:
                wish = " ON weapons 1 piloting 1 / speed" if points == 2 else ""
                yield f"SPEND {min(points, 5)} FOR {name}{wish}"

    def _offers(self, listed: Sequence[Listed]) -> Iterator[str]:
        """Offer what the season still lacks."""
        mine = [one for one in listed if one.name in self.pilots and one.free]
        others = [one for one in listed if one.name not in self.pilots and one.free]
        share = self.plan.share(self.now)
        if mine and self.plan.teams.lacks(share, self.now):
            yield from self._team(mine[0], others)
        for one in mine:
            foes = [foe for foe in others if foe.side != one.side]
            if foes and self.plan.duels.lacks(share, self.now):
                self.plan.duels.offer(self.now)
                if self.rng.random() < 0.1:
                    yield f"PATROL WITH {one.name}"
                    continue
                foe = self.rng.choice(foes)
                others.remove(foe)
                yield f"CHALLENGE {foe.name} WITH {one.name}"

    def _team(self, one: Listed, others: list[Listed]) -> Iterator[str]:
        """Offer a team battle, with another player's pilot at one's side."""
        mates = [mate for mate in others if mate.side == one.side]
        foes = [foe for foe in others if foe.side != one.side]
        if mates and len(foes) > 1:
            mate = self.rng.choice(mates)
            pair = [foe for foe in self.rng.sample(foes, 2) if foe.player != mate.player]
            self.plan.teams.offer(self.now)
            if pair:
                names = ", ".join(foe.name for foe in pair)
                yield f"TEAM CHALLENGE {names} WITH {one.name}, {mate.name}"

    # ---- what is done of oneself -------------------------------------------------------------

    def _of_oneself(self) -> None:
        habits = self.habits
        if habits.away and habits.away[0] - 3 <= self.day < habits.away[0]:
            first, last = (self.plan.begin + day * DAY for day in habits.away)
            self._once(f"AWAY {first:%Y-%m-%d} TO {last:%Y-%m-%d}")
        if habits.away and self.day > habits.away[1]:
            self._once("BACK")
        if habits.resigns and self.day > habits.resigns and self.pilots:
            self._once(f"RESIGN {next(iter(self.pilots))}")
        if self.name != MODERATOR and self.day >= self._next_question:
            self._next_question = self.day + habits.asks_every * self.rng.uniform(0.5, 1.5)
            self.write("STATUS\nSHEET")

    def _once(self, order: str) -> None:
        if order.split()[0] not in self._said:
            self._said.add(order.split()[0])
            self.write(order)


_REACTIONS: tuple[tuple[str, Callable[[Player, Reading], None]], ...] = (
    ("Please confirm", Player.confirm),
    ("Welcome to", Player.settle_in),
    ("Challenge from", Player.consider),
    ("the battle begins", Player.command),
    ("Your move in", Player.command),
    ("Your orders in", Player.command),
    ("Reminder: ", Player.remember),
    ("is over", Player.rest),
    ("a draw", Player.rest),
    ("the end", Player.rest),
    ("A letter from", Player.hear),
    *(
        (told, Player.mourn)
        for told in ("News of ", "has the medal", "retires with", "promoted to")
    ),
    *(
        (told, Player.mourn)
        for told in ("has a new ship", "is a Mark", "has trained", "is wounded")
    ),
    *((told, Player.weigh) for told in ("What you asked", "Enlisted: ", "Challenge sent: ")),
    *((told, Player.weigh) for told in ("Done: ", "Not done", "Settings: ", "Open challenge: ")),
    *(
        (told, Player.weigh)
        for told in ("The sheet of", "On patrol: ", "A reward for", "Nominated: ")
    ),
    *(
        (told, Player.weigh)
        for told in ("Back from patrol: ", "Your letter goes to", "You watch game")
    ),
    *(
        (told, Player.weigh)
        for told in ("accepted", "declined", "withdrawn", "Help: ", "The rules of")
    ),
    *(
        (told, Player.weigh)
        for told in ("No draw in game", "You play ", "is held", "you have a seat")
    ),
)
