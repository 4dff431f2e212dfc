"""What must hold at a season's end, each number found again from the raw logs and letters."""

import json
import re
from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date, datetime
from email.message import EmailMessage
from email.utils import parsedate_to_datetime
from itertools import product
from typing import Any

from engine.seats import REFEREE
from tests.oracle.naive_starpilot import Battle
from tests.season.articles import Article
from tests.season.cast import Player
from tests.season.deeds import Record, members
from tests.season.logged import Json
from tests.season.plan import MODERATOR
from tests.season.posters import Poster
from tests.season.reading import answers_article
from tests.season.refight import refight
from tests.support.players import plain, words

_SHEET = re.compile(
    r"Pilot (?P<name>\w+), [\w ]+ \(Rank (?P<rank>\d)\) of the [\w ]+"
    r"(?:; [\w ]+)?\. [^.]+\. HP (?P<unspent>[\d.]+) unspent, (?P<total>[\d.]+) in all\."
    r" (?P<missions>\d+) missions?, (?P<kills>\d+) kills?, (?P<prizes>\d+) prizes?,"
    r" (?P<wounds>\d+) wounds?\.(?: Decorations: (?P<worn>[^.]+)\.)?"
)
_ROSTER = re.compile(
    r"(?P<name>\w+), a (?:squadron|squad|task group) worth \d+ points(?:; [\w ]+)?\."
    r" (?:Fights|Battles) (?P<fights>\d+), won (?P<wins>\d+);"
    r" (?:kills|opponents felled|opponents put out) (?P<felled>\d+),"
    r" (?:fighters lost|own dead|own destroyed) (?P<lost>\d+)\.(?P<rest>.*?)How reliable"
)
_LEFT = re.compile(
    r"(?P<name>[A-Z]\w*(?: \d+)?) (?:"
    r"from its last fight: (?P<wounds>[^.]+)|(?P<dead>died) in its last fight"
    r"|took (?P<took>[\d.]+ Stun and [\d.]+ Wound) in its last battle(?P<damages>[^.]*), and is"
    r"|was (?P<fate>destroyed|disabled) in its last|came back from its last battle (?P<un>unharmed)"
    r")"
)
_SPENT = re.compile(r'Its order: "SPEND (\d) FOR (\w+)')
BADGES = {"WS", "KC", "ORC", "RB"}
MEDALS = {"SV", "C14", "HG", "GSI"}
_CODE = re.compile(r"\bwrite the line LINK (\w{16})\b")
_MISREAD = re.compile(
    r".{0,30}(?:Perhaps you meant|could not be done|is not an order|nearly an order).{0,60}"
)
_CROSSED = ("you are in no running game", "your letter answers a turn that is over")
"""What an order is answered that crossed the last report of its battle in the post."""
COUNTED = 2
"""So many battles count that the same two players begin against each other on a day."""
GAP = re.compile(r"\s+")
_LIKE_SECRETS = re.compile(
    r"[\w.]+@[\w.]+\w|\b[a-z2-7]{16}\b|secret-\w+-|\b[a-z2-9]{3}-[a-z2-9]{3}-[a-z2-9]{3}\b"
)
"""Whatever has the form of an address, a token, the mark of unmarked words, or a key."""


# ---- the letters --------------------------------------------------------------------------------


def unanswered(players: Sequence[Player]) -> list[str]:
    """Return the letters of people that were not answered exactly once."""
    wrong = []
    for player in players:
        answers = Counter(str(letter["In-Reply-To"]) for letter in player.letters)
        wrong += [
            f"{player.name}: {answers[each['Message-ID']]} answers to {each['Message-ID']}"
            for each in player.sent
            if answers[each["Message-ID"]] != 1
        ]
        known = {each["Message-ID"] for each in player.sent} | {"None"}
        wrong += [f"{player.name} never wrote {other}" for other in answers.keys() - known]
    return wrong


def unanswered_articles(posters: Sequence[Poster], articles: Sequence[Article]) -> list[str]:
    """Return where what players wrote on the newsgroup was not answered exactly once.

    Who asks in a thread is answered there, by a reply or by the post of what came of it; all else
    is answered by a letter, and chatter by nothing. A reply may say that the rest comes by letter.
    """
    told: dict[tuple[datetime, str], list[Article]] = defaultdict(list)
    for one in articles:
        told[one.at, one.thread].append(one)
    return [wrong for poster in posters for wrong in _unanswered(poster, told)]


def _unanswered(
    poster: Poster, told: Mapping[tuple[datetime, str], Sequence[Article]]
) -> Iterator[str]:
    letters, begun = Counter[datetime](), Counter[datetime]()
    for one in filter(answers_article, poster.letters):
        pile = begun if "battle begins" in GAP.sub(" ", one["Subject"]) else letters
        pile[parsedate_to_datetime(one["Date"])] += 1
    asked = Counter((one.at, one.thread) for one in poster.posts if one.asks)
    expected = Counter[datetime]()
    for at, thread in {(one.at, one.thread): None for one in poster.posts}:
        here = told.get((at, thread), ())
        replies = [one for one in here if not one.name and one.text.startswith(_heads(poster))]
        expected[at] += sum("gone to you alone" in GAP.sub(" ", one.text) for one in replies)
        asks = asked[at, thread]
        if not thread:
            expected[at] += asks
        elif len(replies) != asks and not (asks and not replies and any(one.name for one in here)):
            yield f"{poster.name}: {len(replies)} replies to {asks} questions in {thread}, {at}"
    for at in letters | expected:
        # The first report of a battle comes to all of its players, and may be an answer to one.
        if not letters[at] <= expected[at] <= letters[at] + begun[at]:
            yield f"{poster.name}: {letters[at]} letters for {expected[at]} questions, {at}"


def _heads(poster: Poster) -> tuple[str, ...]:
    """Return how a reply to a player begins: by a pilot, the player's name, or the account's."""
    return tuple(f"{name}," for name in (*poster.enlisted, f"{poster.name} Example", poster.name))


def misread(players: Sequence[Player]) -> list[str]:
    """Return what answers say of orders in players' own words that were not understood."""
    return [
        f"{player.name}: {letter['Subject']}: {found[0]}"
        for player in players
        for letter in player.letters
        if letter["In-Reply-To"] in player.worded
        and (found := _MISREAD.search(words(letter)))
        and not any(crossed in found.string for crossed in _CROSSED)
    ]


def twice(players: Sequence[Player]) -> list[str]:
    """Return the letters that came more than once."""
    came = Counter(letter["Message-ID"] for player in players for letter in player.letters)
    return [one for one, count in came.items() if count > 1]


def leaks(players: Sequence[Player], posts: Sequence[EmailMessage]) -> list[str]:
    """Return secrets of one player that another player, or the public, was sent."""
    secrets = {player.name: _secrets(player) for player in players}
    found = []
    for reader, letters in [(p.name, p.letters) for p in players] + [("the public", list(posts))]:
        foreign = {s: name for name, own in secrets.items() if name != reader for s in own}
        for letter in letters:
            found += [
                f"{reader} is told {foreign[hit]}'s {hit!r} in {letter['Subject']}"
                for hit in _LIKE_SECRETS.findall(f"{letter['Subject']}\n{plain(letter)}")
                if hit in foreign
            ]
    return found


def _secrets(player: Player) -> set[str]:
    """Return what nobody else may read: the address, the key, the tokens, and unmarked words."""
    tokens = {
        token
        for letter in player.letters
        for token in re.findall(r"\[(?:PBEM|G\d+-T\d+) (\w{16})\]", letter["Subject"])
    }
    tokens |= {code for letter in player.letters for code in _CODE.findall(words(letter))}
    private = {f"secret-{player.name}-"} if player.name != MODERATOR else set()
    return tokens | private | {player.inbox.address, player.key} - {""}


# ---- the newsgroup ------------------------------------------------------------------------------


def loose_articles(articles: Sequence[EmailMessage]) -> list[str]:
    """Return the articles that occur twice, or answer nothing though their thread had begun."""
    wrong = [one for one, n in Counter(a["Message-ID"] for a in articles).items() if n > 1]
    heads: dict[str, str] = {}
    for article in articles:
        subject = re.sub(r"^Re: ", "", GAP.sub(" ", str(article["Subject"])))
        head = heads.setdefault(subject, article["Message-ID"])
        parent = str(article["References"] or "").split()[:1]
        if parent != ([] if head == article["Message-ID"] else [head]):
            wrong.append(f"{subject}: {article['Message-ID']} answers {parent}, not {head}")
    return wrong


# ---- the books ----------------------------------------------------------------------------------


@dataclass
class Career:
    """What a pilot did, counted from the dice of its battles; HP in tenths."""

    side: str = ""
    earned: int = 0
    lost: int = 0
    spent: int = 0
    kills: int = 0
    prizes: int = 0
    missions: int = 0
    wounds: int = 0
    gone: bool = False

    @property
    def unspent(self) -> int:
        """Return what is left; the dead keep theirs."""
        return 0 if self.gone else self.earned - self.spent - self.lost

    def awards(self) -> set[str]:
        """Return the achievement awards of the pilot's side (SP-35)."""
        times = (self.kills + self.prizes) // 5
        won = {
            "alliance": {f"{times if times > 1 else ''}AM"} if times else set(),
            "cartel": _reached(self.prizes, {7: "CMP", 20: "CGMP"}),
            "federation": _reached(self.earned, {100: "LoH", 250: "KLH"}),
            "league": _reached(self.missions, {12: "BSI", 30: "SSI"}),
        }
        return won[self.side]


def _reached(count: int, grades: dict[int, str]) -> set[str]:
    return {code for least, code in grades.items() if count >= least}


@dataclass(repr=False)
class Logs:
    """All battles of a season, fought again by naive referees.

    `owners` are the players of all personas by name. The third battle that the same two players
    begin against each other on a day, and each further one, is friendly: it leaves nothing.
    """

    owners: Mapping[str, str]

    careers: dict[str, Career] = field(default_factory=lambda: defaultdict(Career))
    records: dict[str, Record] = field(default_factory=lambda: defaultdict(Record))
    fights: Counter[str] = field(default_factory=Counter)
    ships_lost: int = 0
    captured: int = 0
    _met: Counter[tuple[date, frozenset[str]]] = field(default_factory=Counter)

    def fight(self, text: str, day: date, major: bool) -> None:
        """Fight an exported battle of a day again, and add what came of it to its careers."""
        head, *steps, _ = json.loads(text)
        self.fights[head["system"]] += 1
        counts = self._counts(head["setup"], day)
        if head["system"] == "starpilot":
            if counts:
                self._fly(head, steps, major)
            return
        for name, deeds in refight(text).items():
            if counts:
                self.records[name].book(deeds)

    def _counts(self, setup: Json, day: date) -> bool:
        """Return whether a battle is not one too many of a day between two of its players."""
        ones, others = (
            {self.owners[one.get("seat", one["name"])] for one in members(team)}
            for team in setup["teams"]
        )
        pairs = [(day, frozenset(pair)) for pair in product(ones, others)]
        if any(self._met[pair] >= COUNTED for pair in pairs):
            return False
        self._met.update(pairs)
        return True

    def _fly(self, head: Json, steps: list[Json], major: bool) -> None:
        rolls = (result for step in steps for _, result, _ in step["rolls"])
        battle = Battle(head["setup"], lambda _what, _who: next(rolls))
        idle: set[str] = set()
        for pilot, order in (order for step in steps for order in step["orders"]):
            before = {name: one["fate"] for name, one in battle.pilots.items()}
            _order(battle, pilot, order)
            if not battle.shooting_began:  # Who leaves now has no mission (SP-31).
                idle = {n for n, one in battle.pilots.items() if one["fate"] != "active"}
            self._count(battle, before)
        assert battle.over
        assert next(rolls, None) is None
        sides = {p["name"]: p["side"] for team in head["setup"]["teams"] for p in team["pilots"]}
        for name, pilot in battle.pilots.items():
            self.careers[name].side = sides[name]
            self._book(self.careers[name], pilot, battle.shooting_began and name not in idle, major)

    def _count(self, battle: Battle, before: dict[str, str]) -> None:
        """Count what was lost in one step, as far as anybody gains by it (SP-28a)."""
        fates = [p["fate"] for name, p in battle.pilots.items() if p["fate"] != before[name]]
        if battle.shooting_began:
            self.ships_lost += sum(fate in ("killed", "ejected") for fate in fates)
            self.captured += fates.count("surrendered")

    def _book(self, career: Career, pilot: dict[str, Any], fought: bool, major: bool) -> None:
        career.earned += pilot["earned"] + (10 if fought and major else 0)
        career.lost += pilot["lost"]
        career.kills += pilot["kills"]
        career.prizes += pilot["prizes"]
        career.missions += fought
        career.gone |= pilot["fate"] == "killed"
        career.wounds += pilot["wounded"] and pilot["fate"] != "killed"


def _order(battle: Battle, pilot: str, order: str) -> None:
    """Carry out one order; a forfeit yields to who threatens the pilot, and is no turn (SP-29)."""
    command, _, at = order.partition(" ")
    if pilot != REFEREE:
        given = {"pilot": pilot, "command": command} | ({"at": at} if at else {})
        assert battle.give(given) is None, (pilot, order)
    elif command == "FORFEIT":
        threats = [one["by"] for one in battle.shots if one["at"] == at]
        threats += [one["by"] for one in battle.locks if one["on"] == at]
        battle.surrender(at, (threats + battle.opponents(at))[0])
        battle.go_on()
    else:
        battle.end(None)


@dataclass(frozen=True, slots=True)
class Sheet:
    """A pilot's persona sheet as in its player's last letter; HP in tenths."""

    rank: int
    unspent: int
    total: int
    missions: int
    kills: int
    prizes: int
    wounds: int
    worn: frozenset[str]
    medals: int


def sheets(letter: EmailMessage) -> Iterator[tuple[str, Sheet]]:
    """Read all persona sheets of a letter."""
    for found in _SHEET.finditer(words(letter)):
        worn = re.findall(r"\[(\w+)\](?: (twice|\d+ times))?", found["worn"] or "")
        numbers = {"": 1, "twice": 2}
        counts = {code: numbers.get(told) or int(told.split()[0]) for code, told in worn}
        numbers = (int(found[each]) for each in ("missions", "kills", "prizes", "wounds"))
        medals = sum(counts.get(code, 0) for code in MEDALS)
        awards = frozenset(counts.keys() - MEDALS - BADGES)
        yield (
            found["name"],
            Sheet(
                int(found["rank"]),
                tenths(found["unspent"]),
                tenths(found["total"]),
                *numbers,
                awards,
                medals,
            ),
        )


def rosters(letter: EmailMessage) -> Iterator[tuple[str, Record]]:
    """Read all sheets of squadrons, squads and groups in a letter."""
    for found in _ROSTER.finditer(words(letter)):
        counts = (int(found[each]) for each in ("fights", "wins", "felled", "lost"))
        left = {one["name"]: _left(one) for one in _LEFT.finditer(found["rest"])}
        yield found["name"], Record(*counts, left)


def _left(found: re.Match[str]) -> str:
    """Return what a battle has left of a member, as its sheet says it."""
    if found["took"]:
        return f"{found['took']}{found['damages']}"
    return found["wounds"] or found["fate"] or found["un"] or "dead"


def tenths(points: str) -> int:
    """Read HP."""
    whole, _, broken = points.partition(".")
    return 10 * int(whole) + int(broken or 0)


def spent(player: Player) -> Iterator[tuple[str, int]]:
    """Return what a player's letters say was spent, by pilot, in tenths."""
    for letter in player.letters:
        for points, name in _SPENT.findall(words(letter)):
            yield name, 10 * int(points)
