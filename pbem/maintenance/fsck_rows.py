"""What `pbem fsck` finds in rows other than battles: queues, people, careers, what is offered."""

import hashlib
import json
import re
from collections import Counter, defaultdict
from collections.abc import Callable, Iterator

from engine import fair_dice, registry
from engine.names import fold
from pbem.games import commitments
from pbem.games.persona_rules import campaign_of, piece_of
from pbem.games.session import game_id
from pbem.intake import tokens_and_keys
from pbem.people import career_log
from pbem.storage import (
    Entry,
    Letter,
    Outgoing,
    Persona,
    Player,
    Reward,
    Round,
    Store,
    Token,
    queues,
    stored_games,
)
from pbem.storage.stored_letters import message_id

Found = Iterator[tuple[str, str]]
"""Where something is wrong, and what."""

_GAME_TOKENS = 20
"""How many of the newest tokens are compared with the league's secret."""
_TO = re.compile(rb"^to:((?:.*\n)(?:[ \t].*\n)*)", re.I | re.M)
_STATES = {
    "offer": "open begun declined withdrawn lapsed void",
    "letter": "received filed answered held discarded shunted",
    "outgoing": f"queued sending held {' '.join(queues.SENT)}",
    "post": "queued sending sent failed dropped",
    "editorial": "waiting passed dropped printed",
}
"""The states that the rows of a table can be in."""
_HAS_GAME = 'EXISTS (SELECT 1 FROM "game" WHERE "game"."id" = "{0}"."pledge_id")'
_IS_OPEN = (
    'EXISTS (SELECT 1 FROM "offer" WHERE "offer"."id" = "offer_seat"."offer_id"'
    ' AND "offer"."state" = \'open\')'
)
_IS_ITS_OWN = (
    'EXISTS (SELECT 1 FROM "persona" WHERE "persona"."id" = "doctrine"."persona_id"'
    ' AND "persona"."player_id" = "doctrine"."player_id")'
)
_HAD_PLACE = (
    'EXISTS (SELECT 1 FROM "place" WHERE "place"."game_id" = "entry"."game_id"'
    ' AND "place"."persona_id" = "entry"."persona_id")'
)
_ITS_PLACE = (
    'EXISTS (SELECT 1 FROM "place" WHERE "place"."id" = "token"."place_id"'
    ' AND "place"."game_id" = "token"."game_id")'
)
_RULES: tuple[tuple[str, str, str], ...] = (
    ("letter", "state <> 'received' AND handled IS NULL", "it was handled, at no time"),
    ("letter", "state = 'received' AND handled IS NOT NULL", "it was handled, and still waits"),
    ("letter", "state = 'shunted' AND error = ''", "it was shunted without an error"),
    ("outgoing", "state = 'sent' AND sent IS NULL", "it was sent, at no time"),
    ("outgoing", "state = 'queued' AND sent IS NOT NULL", "it was sent, and still waits"),
    ("outgoing", "state IN ('queued', 'sending') AND length(content) = 0", "it has no content"),
    ("post", "state = 'sent' AND sent IS NULL", "it was sent, at no time"),
    ("offer", f"state = 'open' AND {_HAS_GAME}", "it is open, and its battle has begun"),
    ("offer", f"state = 'begun' AND NOT {_HAS_GAME}", "its battle has never begun"),
    ("offer_seat", f"standing <> '' AND NOT {_IS_OPEN}", "it has orders, and its offer has ended"),
    ("doctrine", f"NOT {_IS_ITS_OWN}", "its persona is somebody else's"),
    ("entry", f"game_id IS NOT NULL AND NOT {_HAD_PLACE}", "it is of a battle without its persona"),
    ("token", f"place_id IS NOT NULL AND NOT {_ITS_PLACE}", "its place is in another battle"),
    ("leave", "first > last", "it ends before it begins"),
    ("further", "address IN (SELECT address FROM player)", "it is a player's first address, too"),
    (
        "subscription",
        "(player_id IS NULL) = (address IS NULL)",
        "it is of nobody, or of two at once",
    ),
)
"""What no row of a table may be: the condition in SQL, and what is said of such a row."""


def _ruled(store: Store) -> Found:
    """Yield rows in an unknown state, and those that a rule above finds."""
    for table, states in _STATES.items():
        known = ", ".join(f"'{state}'" for state in states.split())
        for key, state in _where(store, table, f"state NOT IN ({known})", ', "state"'):
            yield f"{table} {key}", f"its state is {state!r}"
    for table, condition, text in _RULES:
        for (key,) in _where(store, table, condition.format(table)):
            # A whole token would let anybody who reads this write as the player.
            yield f"{table} {key[:4] + '…' if table == 'token' else key}", text


def _where(store: Store, table: str, condition: str, more: str = "") -> list[tuple[str, ...]]:
    key = "token" if table == "token" else "id"
    statement = f'SELECT "{key}"{more} FROM "{table}" WHERE {condition} ORDER BY 1'
    return [tuple(map(str, row)) for row in store.execute_sql(statement).fetchall()]


def _letters(store: Store) -> Found:
    """Yield letters that are not as they came, or were obeyed twice."""
    seen: dict[tuple[str, str], int] = {}
    for letter in store.each(Letter):
        where = str(letter.id)
        # Letters that were dropped after their time have no content any more.
        if letter.content and hashlib.sha256(letter.content).hexdigest() != letter.sha256:
            yield where, "its content is not what was kept: the SHA-256 differs"
        if letter.state == "answered":
            first = seen.setdefault((letter.message_id, letter.sha256), letter.id)
            if first != letter.id:
                yield where, f"it was answered, and is the same letter as {first}"


def _outbox(store: Store) -> Found:
    """Yield outgoing letters that are not intact, for somebody else, or not alone in their slot."""
    slots: dict[str, int] = {}
    for row in store.each(Outgoing):
        where = row.message_id
        if row.content and message_id(row.content) != row.message_id:
            yield where, "its content has another Message-ID"
        waits = row.state in ("queued", "sending", "held")
        if waits and row.content and row.recipient.encode().lower() not in _addressed(row.content):
            yield where, "it is addressed to somebody other than its recipient"
        if row.slot and row.state == "queued" and slots.setdefault(row.slot, row.id) != row.id:
            yield where, f"another letter waits in its slot {row.slot}"


def _addressed(raw: bytes) -> bytes:
    """Return a letter's To, on one line."""
    head = raw.replace(b"\r\n", b"\n").partition(b"\n\n")[0] + b"\n"
    found = _TO.search(head)
    return b"".join(found[1].split()).lower() if found else b""


def _tokens(store: Store) -> Found:
    """Yield the league's secret where none of the newest tokens of battles follow from it."""
    tokens = store.all(
        Token.select()
        .where(Token.kind == "game", Token.about == "[]")
        .order_by(Token.token.desc())
        .limit(_GAME_TOKENS)
    )
    if tokens and not any(_follows(store, one) for one in tokens):
        yield "secret", "it is not the one that tokens were made with"


def _follows(store: Store, one: Token) -> bool:
    # A player who got a new key has tokens of the old one, too.
    for serial in range(store.get(Player, one.player_id).key_serial, 0, -1):
        about = (one.game_id, one.turn, one.place_id)
        if one.token == tokens_and_keys.token(store.secret, one.player_id, serial, "game", *about):
            return True
    return False


def _names(store: Store) -> Found:
    """Yield players and personas whom nobody would find by their name."""
    for player in store.all(Player.select().order_by(Player.id)):
        # Until somebody confirms, the name is nobody's yet.
        if player.folded != fold(player.name) and (player.folded or player.confirmed):
            yield f"player {player.id}", "it is not found by its name"
    for row in store.all(Persona.select().order_by(Persona.id)):
        if not row.is_guest and row.folded != fold(row.name):
            yield f"persona {row.id}", "it is not found by its name"


def _pledges(store: Store) -> Found:
    """Yield commitments, and dice of rewards, that are not of their secrets and terms."""
    for one in commitments.pledges(store):
        terms = json.loads(one.terms)
        of_it = fair_dice.commitment(one.secret, game_id(one.id), one.system, one.version, terms)
        if of_it != one.commitment:
            yield str(one.id), "its commitment is not of its secret and terms"
    for reward in store.all(
        Reward.select().where(Reward.rolled.is_null(False)).order_by(Reward.id)
    ):
        row = store.get(Persona, reward.persona_id)
        words, orders = {row.name: json.loads(reward.words)}, [(row.name, reward.order)]
        key = career_log.reward_ground(row, reward).step(0, words, orders)
        if fair_dice.digest_of(key) != reward.digest:
            yield career_log.reward_id(reward), "its digest is not of its secret, words and order"


def _bound_twice(store: Store) -> Found:
    """Yield personas that are bound by two running games that count (SP-32)."""
    games = defaultdict[int, list[int]](list)
    counts = {"game__running": True, "game__practice": False, "left": None}
    for place in stored_games.places(store, **counts):
        games[place.persona_id].append(place.game_id)
    for persona, bound in games.items():
        row = store.get(Persona, persona)
        if len(bound) > 1 and not row.is_guest:
            yield row.name, f"it is in {len(bound)} games at once: {bound}"


def _careers(store: Store) -> Found:
    """Yield personas whose record can't be read, or whose points are not those of their entries."""
    entered = Counter[int]()
    for persona, points in store.tuples(
        Entry.select(Entry.persona, Entry.points).order_by(Entry.id)
    ):
        entered[persona] += points
    for row in store.all(Persona.select().order_by(Persona.id)):
        if row.system not in registry.RULESETS or row.is_guest:
            continue
        try:
            campaign = campaign_of(row)
            campaign.sheet(piece_of(row))
            has = campaign.rewards.points(piece_of(row)) if campaign.rewards else entered[row.id]
        except Exception as error:
            yield row.name, f"its record can't be read: {error!r}"
            continue
        if has != entered[row.id]:
            yield (
                row.name,
                f"it has {has} tenths of points, and its entries add up to {entered[row.id]}",
            )
        if has < 0:
            yield row.name, f"it has {has} tenths of points, which is less than none"


def _rounds(store: Store) -> Found:
    """Yield moments that can't be replayed."""
    for row in store.all(Round.select().order_by(Round.id)):
        try:
            numbers, settings = json.loads(row.letters), json.loads(row.settings or "{}")
        except ValueError:
            numbers, settings = None, None
        listed = isinstance(numbers, list) and all(type(one) is int for one in numbers)
        if not listed or not isinstance(settings, dict):
            yield str(row.id), "its letters or settings can't be read"


PARTS: tuple[tuple[str, Callable[[Store], Found]], ...] = (
    ("rows", _ruled),
    ("letter", _letters),
    ("outbox", _outbox),
    ("tokens", _tokens),
    ("names", _names),
    ("dice", _pledges),
    ("bound", _bound_twice),
    ("books", _careers),
    ("rounds", _rounds),
)
"""The checks, each with the part of the database that it is about."""
