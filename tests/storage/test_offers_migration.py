"""Challenges and patrols of version 17 become offers with seats, open ones and ended ones alike."""

import json
from contextlib import closing
from datetime import UTC, datetime

from pbem.games import offers
from pbem.games.offers import OfferedBattle
from pbem.storage import Game, Offer, Persona, Place, Player, Pledge, Store

MADE = datetime(2026, 11, 1, tzinfo=UTC)
OLD = (
    'DROP TABLE "offer_seat"',
    'DROP TABLE "offer"',
    'CREATE TABLE "challenge" ("id" INTEGER PRIMARY KEY, "system" TEXT, "pledge_id" INTEGER,'
    ' "words" TEXT, "one_id" INTEGER, "other_id" INTEGER, "made" BIGINT, "first" TEXT,'
    ' "major" BOOLEAN, "state" TEXT, "terms" TEXT, "channel" TEXT)',
    'CREATE TABLE "summons" ("id" INTEGER PRIMARY KEY, "challenge_id" INTEGER,'
    ' "persona_id" INTEGER, "team" TEXT, "accepted" BOOLEAN, "words" TEXT)',
    'CREATE TABLE "patrol" ("id" INTEGER PRIMARY KEY, "persona_id" INTEGER, "pledge_id" INTEGER,'
    ' "words" TEXT, "made" BIGINT, "state" TEXT)',
    *(
        f'ALTER TABLE "{table}" DROP COLUMN "{column}"'
        for table in ("letter", "outgoing", "post")
        for column in ("owner", "owned_until")
    ),
    'DROP TABLE "live_battle"',
    'ALTER TABLE "game" DROP COLUMN "live"',
    'ALTER TABLE "account" DROP COLUMN "present"',
    'ALTER TABLE "letter" ADD COLUMN "in_hand" BOOLEAN NOT NULL DEFAULT FALSE',
)
"""What makes the tables of version 17 out of today's."""
ANN, BOB, CAT, DAN = range(1, 5)
"""The pilots of four players, each of that number. The fifth is Ann's too, the sixth her guest."""
SECOND, GUEST = 5, 6
CHALLENGES = (
    (1, 1, "a duel", ANN, BOB, "other", True, "open", "RANGE near", "forum"),
    (2, 2, "a duel that began", ANN, BOB, "", False, "accepted", "", ""),
    (3, 4, "a team battle", ANN, CAT, "one", False, "open", "", ""),
    (4, 5, "for anybody", ANN, ANN, "", False, "open", "", ""),
    (5, 6, "each against all", ANN, ANN, "", False, "open", "SEATS 4 RANGE far", ""),
    (6, 7, "guests", GUEST, GUEST, "", False, "withdrawn", "SEATS 3", ""),
)
SUMMONS = (
    (3, ANN, "one", True, ""),
    (3, SECOND, "one", True, ""),
    (3, BOB, "one", True, "Bob's"),
    (3, CAT, "other", False, ""),
    (5, CAT, "other", True, "Cat's"),
    (5, DAN, "fourth", True, "Dan's"),
)
PATROLS = ((1, BOB, 3, "met Cat", "met"), (2, DAN, 8, "waits", "open"), (3, CAT, 9, "", "off"))


def version_17(store: Store) -> None:
    """Make a database of version 17 with the rows above, made in the order of their pledges."""
    for number in range(1, 7):
        player = ANN if number > DAN else number
        if number <= DAN:
            store.run(
                Player.insert(
                    name=f"P{number}",
                    folded=f"p{number}",
                    address=f"{number}@example.org",
                    joined=MADE,
                    heard=MADE,
                )
            )
        folded = f"|guest 1 {number}" if number == GUEST else f"pilot{number}"
        store.run(
            Persona.insert(
                player=player,
                system="starpilot",
                name=f"Pilot{number}",
                folded=folded,
                side="",
                record="{}",
                joined=MADE,
            )
        )
    for number in range(1, 10):
        store.run(
            Pledge.insert(
                id=number,
                system="starpilot",
                version=1,
                terms="{}",
                made=MADE,
                secret=bytes(32),
                commitment="",
            )
        )
    for number, pilots in ((2, (ANN, BOB)), (3, (BOB, CAT))):
        words = {f"Pilot{one}": {"of": one} for one in pilots}
        store.run(
            Game.insert(
                id=number,
                system="starpilot",
                version=1,
                setup="{}",
                commitment="",
                secret=bytes(32),
                state="{}",
                begun=MADE,
                words=json.dumps(words),
            )
        )
        for one in pilots:
            store.run(
                Place.insert(
                    game=number,
                    seat=f"Pilot{one}",
                    player=one,
                    persona=one,
                    sheet="{}",
                    before="{}",
                )
            )
    for statement in OLD:
        store.execute_sql(statement)
    for number, pledge, words, one, other, *rest in CHALLENGES:
        put(store, "challenge", number, "starpilot", pledge, words, one, other, pledge, *rest)
    for number, values in enumerate(SUMMONS, 1):
        put(store, "summons", number, *values)
    for number, persona, pledge, words, state in PATROLS:
        put(store, "patrol", number, persona, pledge, words, pledge, state)
    store.set_meta("schema", "17")


def put(store: Store, table: str, *values: object) -> None:
    store.execute_sql(
        f'INSERT INTO "{table}" VALUES ({", ".join([store.database.param] * len(values))})', values
    )


def seats(offer: OfferedBattle) -> list[tuple[int, int | None, bool, str]]:
    return [(seat.team, seat.persona_id, seat.accepted, seat.words) for seat, _ in offer.seats]


def test_challenges_and_patrols_become_offers(books: str) -> None:
    with closing(Store(books)) as store:
        version_17(store)
    with closing(Store(books, upgrade=True)) as store:
        rows = store.all(Offer.select().order_by(Offer.id))
        assert [(row.patrol, row.number, row.pledge_id) for row in rows] == [
            (False, 1, 1), (False, 2, 2), (True, 1, 3), (False, 3, 4), (False, 4, 5),
            (False, 5, 6), (False, 6, 7), (True, 2, 8), (True, 3, 9),
        ]  # fmt: skip
        duel, begun, met, team, anybody, free, guests, waiting, off = (
            offers.get(store, row.id) for row in rows
        )
        first = duel.row
        assert (first.first, first.major, first.terms) == (2, True, "RANGE near")
        assert (first.state, first.channel) == ("open", "forum")
        assert seats(duel) == [(1, ANN, True, "a duel"), (2, BOB, False, "")]
        assert begun.row.state == met.row.state == "begun"
        assert seats(begun) == [
            (1, ANN, True, "a duel that began"), (2, BOB, True, '{"of": 2}'),
        ]  # fmt: skip
        assert seats(met) == [(1, BOB, True, "met Cat"), (2, CAT, True, '{"of": 3}')]
        assert (team.row.first, free.row.terms, guests.row.terms) == (1, "RANGE far", "")
        assert seats(team) == [
            (1, ANN, True, "a team battle"), (1, SECOND, True, "a team battle"),
            (1, BOB, True, "Bob's"), (2, CAT, False, ""),
        ]  # fmt: skip
        assert seats(anybody) == [(1, ANN, True, "for anybody"), (2, None, False, "")]
        assert seats(free) == [
            (1, ANN, True, "each against all"), (2, CAT, True, "Cat's"),
            (3, None, False, ""), (4, DAN, True, "Dan's"),
        ]  # fmt: skip
        assert guests.row.state == off.row.state == "withdrawn"
        assert seats(guests) == [(1, GUEST, True, "guests"), *[(2, None, False, "")] * 2]
        assert seats(waiting) == [(1, DAN, True, "waits"), (2, None, False, "")]
        assert not {"challenge", "summons", "patrol"} & {*store.database.get_tables()}
