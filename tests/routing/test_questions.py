"""Questions: whatever a letter asks, YES to it does it, once, and nothing else does."""

import json
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from email.message import EmailMessage
from pathlib import Path

import pytest

from engine.registry import RULESETS
from engine.seats import Seat
from pbem.games.session import Session
from pbem.handlers.order_table import ORDERS
from pbem.outgoing.outbox import Outbox
from pbem.outgoing.questions import ASKED
from pbem.people import personal_data
from pbem.routing.line_tests import as_battle_orders
from pbem.storage import Entry, Game, Letter, Place, Player, Question, Step, Token, migrations
from tests.routing.test_authentication import MX, by_mx
from tests.routing.test_forgeries import raw
from tests.support.harness import League, Person, duel, open_league
from tests.support.players import words

FALCON = "ENLIST Falcon FOR league WEAPONS 12 PILOTING 12 SENSORS 12 SHIP Wright 1903S"
OWL = "ENLIST Owl FOR alliance WEAPONS 14 PILOTING 10 SENSORS 12 SHIP Rus 133-B"
NOTHING = "a yes alone does nothing here"
STILL_OPEN = "the letter that you reply to asks nothing, but this is open still"


@dataclass
class Scene:
    """A duel of Ann's Hawk against Bob's Kestrel; Ann has Falcon besides, and Cid has Owl.

    `report` asks Ann for the orders of the first turn.
    """

    league: League
    ann: Person
    bob: Person
    cid: Person
    report: EmailMessage

    @property
    def player(self) -> Player:
        """Return Ann's row."""
        return self.league.store.get(Player, 1)

    def filed(self, seat: str = "Hawk") -> tuple[str, ...]:
        """Return the orders by hand that wait for a seat."""
        game = self.league.store.get(Game, 1)
        return Session(self.league.store, game).sheet(Seat(seat)).queue

    def open_questions(self) -> int:
        """Return how many questions to Ann are open."""
        return self.league.store.count(
            Question.select().where(
                Question.token.in_(Token.select(Token.token).where(Token.player == 1))
            )
        )


@pytest.fixture
def scene(tmp_path: Path) -> Iterator[Scene]:
    with open_league(tmp_path, authentication={"server": MX, "failed": "hold"}) as league:
        ann, bob = duel(league)
        report = ann.last_about("[G1-T1")
        ann.ask(FALCON)
        cid = league.person("Cid")
        cid.join()
        cid.ask(OWL)
        yield Scene(league, ann, bob, cid, report)


@dataclass
class Kind:
    """A kind of question: how it comes to be asked of Ann, and whether it was carried out.

    `takes_mailbox` means that only a reply to the letter that asks can answer it.
    """

    name: str
    ask: Callable[[Scene], EmailMessage]
    done: Callable[[Scene], bool]
    takes_mailbox: bool = False


def held(scene: Scene) -> EmailMessage:
    """Let a letter in Ann's name be disowned by the server, and return the question about it."""
    to = (str(scene.report["Reply-To"]), "Hello")
    disowned = by_mx("dmarc=fail header.from=league.example")
    scene.league.drop(f"{disowned}\r\n".encode() + raw("FORMAT text", scene.ann.address, to))
    scene.league.work()
    return scene.ann.last_about("Did you write")


def challenged(scene: Scene) -> EmailMessage:
    scene.cid.ask("CHALLENGE Falcon WITH Owl")
    scene.ann.new()
    return scene.ann.last_about("Challenge")


def offered_a_draw(scene: Scene) -> EmailMessage:
    scene.bob.ask("DRAW 1")
    scene.ann.new()
    return scene.ann.last_about("draw")


KINDS = [
    Kind(
        "a battle order",
        lambda s: s.ann.ask("Scna", s.report),
        lambda s: s.filed() == ("SCAN",),
    ),
    Kind(
        "several battle orders",
        lambda s: s.ann.ask("Scna\nTargte", s.report),
        lambda s: s.filed() == ("SCAN", "TARGET"),
    ),
    Kind(
        "an order to the league",
        lambda s: s.ann.ask("FORMTA text"),
        lambda s: s.player.format == "text",
    ),
    Kind(
        "a challenge",
        challenged,
        lambda s: s.league.store.count(Game.select()) == 2,
    ),
    Kind("a draw", offered_a_draw, lambda s: not s.league.store.get(Game, 1).running),
    Kind(
        "RESIGN",
        lambda s: s.ann.ask("RESIGN Falcon"),
        lambda s: any(
            row.kind == "resigned" for row in s.league.store.all(Entry.select().order_by(Entry.id))
        ),
    ),
    Kind(
        "LEAVE LEAGUE",
        lambda s: s.ann.ask("LEAVE LEAGUE"),
        lambda s: not s.player.confirmed,
        takes_mailbox=True,
    ),
    Kind(
        "NEW KEY",
        lambda s: s.ann.ask("NEW KEY"),
        lambda s: s.player.key_serial > 1,
        takes_mailbox=True,
    ),
    Kind(
        "another address",
        lambda s: s.ann.ask("ADDRESS nan@league.example"),
        lambda s: bool(s.league.person("Nan").letters),
        takes_mailbox=True,
    ),
    Kind("a held letter", held, lambda s: s.player.format == "text", takes_mailbox=True),
]


@pytest.fixture(params=KINDS, ids=lambda kind: kind.name)
def kind(request: pytest.FixtureRequest) -> Kind:
    found: Kind = request.param
    return found


@pytest.fixture
def asked(scene: Scene, kind: Kind) -> EmailMessage:
    """The letter that asks; nothing is done yet."""
    letter = kind.ask(scene)
    assert scene.open_questions() >= 1
    assert not kind.done(scene)
    scene.ann.new()
    return letter


def answered(scene: Scene, text: str, to: EmailMessage) -> list[EmailMessage]:
    """Let Ann reply, and return what she gets for it."""
    scene.ann.reply(text, to)
    return scene.ann.new()


@pytest.mark.parametrize("yes", ["YES", "Yes.", "ok", "Hello,\n\nyes!\n\nCheers\nAnn", "Ja"])
def test_yes_to_the_letter_that_asks_does_it(
    scene: Scene, kind: Kind, asked: EmailMessage, yes: str
) -> None:
    assert answered(scene, yes, asked)
    assert kind.done(scene)


def test_a_second_yes_does_nothing(scene: Scene, kind: Kind, asked: EmailMessage) -> None:
    answered(scene, "YES", asked)
    assert scene.open_questions() == 0
    before = scene.league.store.count(Step.select()), scene.player.key_serial, scene.filed()
    told = " ".join(map(words, answered(scene, "YES", asked)))
    assert (
        scene.league.store.count(Step.select()),
        scene.player.key_serial,
        scene.filed(),
    ) == before
    # A new key makes all earlier letters worthless, and who has left the league is a stranger.
    gone = {"NEW KEY": "could not be accepted", "LEAVE LEAGUE": ""}
    assert gone.get(kind.name, NOTHING) in told


def test_yes_to_an_older_letter_does_nothing(scene: Scene, kind: Kind, asked: EmailMessage) -> None:
    [told] = answered(scene, "YES", scene.report)
    # What is open is asked again, but for what only the mailbox of its player may answer.
    assert (NOTHING if kind.takes_mailbox else STILL_OPEN) in words(told)
    assert not kind.done(scene)
    answered(scene, "YES", asked)
    assert kind.done(scene)


def test_nobody_else_says_yes(scene: Scene, kind: Kind, asked: EmailMessage) -> None:
    to = (str(asked["Reply-To"]), f"Re: {asked['Subject']}")
    for sender in ("eve@evil.example", scene.bob.address):
        scene.league.drop(raw("YES", sender, to))
    # Without its token, and with that of another letter.
    scene.league.drop(raw("YES", scene.ann.address, ("referee@league.example", "Re: x")))
    old = scene.ann.last_about("Welcome")
    scene.league.drop(raw("YES", scene.ann.address, (str(old["Reply-To"]), "Re: x")))
    scene.league.work()
    assert not kind.done(scene)


def test_by_the_key_alone_a_yes_answers_what_does_not_take_the_mailbox(
    scene: Scene, kind: Kind, asked: EmailMessage
) -> None:
    scene.ann.write(f"YES\nKEY {scene.ann.key}")
    told = " ".join(map(words, scene.ann.new()))
    assert kind.done(scene) != kind.takes_mailbox
    assert (NOTHING in told) == kind.takes_mailbox


@pytest.mark.parametrize("text", ["STATUS", "YES\nSTATUS", "No.", "ok, but not now", "> YES"])
def test_what_is_no_yes_does_not_answer(
    scene: Scene, kind: Kind, asked: EmailMessage, text: str
) -> None:
    answered(scene, text, asked)
    assert not kind.done(scene)
    answered(scene, "YES", asked)
    assert kind.done(scene)


def test_words_beside_yes_are_said_back(scene: Scene, kind: Kind, asked: EmailMessage) -> None:
    told = " ".join(map(words, answered(scene, "YES\n\nThe cat sat on my keyboard.", asked)))
    assert kind.done(scene)
    assert ("The cat sat on my keyboard." in told) == (kind.name != "LEAVE LEAGUE")


def test_a_kill_in_between_leaves_the_question_open(
    scene: Scene, kind: Kind, asked: EmailMessage, monkeypatch: pytest.MonkeyPatch
) -> None:
    count = scene.open_questions()

    def killed(*_: object, **__: object) -> str:
        raise RuntimeError("killed")

    with monkeypatch.context() as patch:
        patch.setattr(Outbox, "write", killed)
        scene.ann.reply("YES", asked)
        scene.league.work()
        assert not kind.done(scene)
        assert scene.open_questions() == count
    scene.league.later(1)
    scene.league.work()
    assert kind.done(scene)


def test_a_question_about_an_account_is_open_for_a_week(scene: Scene, kind: Kind) -> None:
    if not kind.takes_mailbox:
        return
    asked = kind.ask(scene)
    scene.league.later(24 * 8)
    scene.league.work()
    answered(scene, "YES", asked)
    assert not kind.done(scene)


# At the deadline


def past_the_deadline(scene: Scene, orders: str) -> EmailMessage:
    """Let Ann be asked about some orders and say nothing; return the report of the next turn."""
    scene.bob.reply("SCAN", scene.bob.last_about("[G1-T1"))
    scene.ann.ask(orders, scene.report)
    scene.ann.new()
    scene.league.later(24 * 4)
    scene.league.work()
    return next(one for one in scene.ann.new() if "[G1-T2" in one["Subject"])


def steps(scene: Scene) -> list[tuple[str, str]]:
    return [
        (step.orders, step.source)
        for step in scene.league.store.all(Step.select().where(Step.game == 1).order_by(Step.id))
    ]


@pytest.mark.parametrize(
    ("language", "slip", "told"),
    [
        ("en", "Scna", "what was read in your letter counted without your YES: SCAN."),
        ("de", "Suhcen", "gelesen worden war, auch ohne dein JA: SUCHEN."),
    ],
)
def test_what_was_read_and_not_confirmed_is_done_at_the_deadline(
    scene: Scene, language: str, slip: str, told: str
) -> None:
    scene.ann.ask(f"LANGUAGE {language}")
    report = past_the_deadline(scene, slip)
    assert ('[["Hawk", "SCAN"]]', "queue") in steps(scene)
    assert told in words(report)
    place = scene.league.store.first(Place.select().where(Place.seat == "Hawk").order_by(Place.id))
    assert place is not None
    assert place.misses == 0
    assert not place.proxied


@pytest.mark.parametrize("slip", ["Surrendr", "Ejetc", "DRAW 1 pleas"])
def test_no_deadline_ends_somebodys_battle_unconfirmed(scene: Scene, slip: str) -> None:
    report = past_the_deadline(scene, slip)
    assert "default" in {source for _, source in steps(scene)}
    assert "without your YES" not in words(report)
    assert scene.league.store.get(Game, 1).running


def test_orders_that_came_after_the_question_count_at_the_deadline(scene: Scene) -> None:
    asked = scene.ann.ask("Targte", scene.report)
    scene.ann.ask("SCAN", scene.report)
    assert NOTHING in words(scene.ann.ask("YES", asked))
    assert scene.filed() == ("SCAN",)


def test_a_yes_after_the_deadline_is_too_late(scene: Scene) -> None:
    scene.bob.reply("SCAN", scene.bob.last_about("[G1-T1"))
    asked = scene.ann.ask("Surrendr", scene.report)
    scene.league.later(24 * 4)
    scene.ann.new()
    assert NOTHING in words(answered(scene, "YES", asked)[-1])
    assert scene.league.store.get(Game, 1).running


def test_each_of_two_questions_is_answered_by_its_own_letter(scene: Scene) -> None:
    scan = scene.ann.ask("Scna", scene.report)
    scene.ann.ask("Targte", scene.report)
    scene.ann.ask("YES", scan)
    assert scene.filed() == ("SCAN",)


@pytest.mark.parametrize(
    ("text", "source"),
    [
        ("I never know what to do.\nSCAN", "queue"),
        ("> SCAN", "default"),
        ("I may get hurt.\nSTANDING\nIF STRUCTURE <= 1: EJECT\nELSE: SCAN\nEND", "default"),
        ("I may get hurt.\nSTANDING\nELSE: SCAN\nEND", "else"),
    ],
)
def test_only_what_is_surely_the_players_own_is_done_at_the_deadline(
    scene: Scene, text: str, source: str
) -> None:
    """What may be quoted is not, nor are standing orders with one to leave the battle."""
    past_the_deadline(scene, text)
    assert ('[["Hawk", "SCAN"]]', source) in steps(scene)


@pytest.mark.parametrize("text", ["> SURRENDER", "I give up!\nSURRENDER", "Surrendr"])
def test_orders_to_leave_are_done_by_yes(scene: Scene, text: str) -> None:
    asked = scene.ann.ask(text, scene.report)
    assert scene.filed() == ()
    answered(scene, "YES", asked)
    assert scene.filed() == ("SURRENDER",)


def test_no_order_to_the_league_is_one_of_a_battle() -> None:
    """So that a deadline, which reads the lines of a question as battle orders, does none.

    JOIN is one of battles, too; who has a battle has joined already.
    """
    systems = tuple(RULESETS)
    for order in (one for one in ORDERS if one.word != "JOIN"):
        read = as_battle_orders(order.example, "en", systems)
        assert all(one.empty for one in read), order.example


def test_open_questions_are_among_what_is_kept_of_a_player(scene: Scene) -> None:
    scene.ann.ask("FORMTA text")
    assert "FORMAT text" in personal_data.kept(scene.league.store, scene.player)["open_questions"]


def take_back(scene: Scene) -> None:
    """Make the tokens of before questions had a table: what they ask stands in `about`."""
    store = scene.league.store
    abouts = {
        one.token_id: (one, store.get(Token, one.token_id))
        for one in store.all(Question.select().order_by(Question.id))
    }
    for token, (question, row) in abouts.items():
        kind, about = row.kind, ["x", question.lines]
        if question.letter_id is not None:
            kind, about = "doubt", [store.get(Letter, question.letter_id).sha256]
        elif question.sender:
            kind, about = "sure", [question.lines, question.sender]
        elif kind == ASKED:
            kind, about = "leave", []
        store.run(Token.update(kind=kind, about=json.dumps(about)).where(Token.token == token))
    store.execute_sql('DROP TABLE "question"')
    at = migrations.MIGRATIONS.index(migrations._ask_in_one_table)
    store.set_meta("schema", str(at + 1))


def test_a_question_of_before_the_table_keeps_its_meaning(
    scene: Scene, kind: Kind, asked: EmailMessage
) -> None:
    if kind.name in ("RESIGN", "several battle orders"):
        return  # these were asked in another way
    count = scene.open_questions()
    take_back(scene)
    at = migrations.MIGRATIONS.index(migrations._ask_in_one_table)
    with scene.league.store.transaction():
        migrations.MIGRATIONS[at](scene.league.store.database)
    assert scene.open_questions() == count
    answered(scene, "YES", asked)
    assert kind.done(scene)
