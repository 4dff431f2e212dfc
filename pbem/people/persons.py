"""A person in the books: what is kept of them, how it is erased, and what is dropped in time."""

import json
import re
from collections.abc import Iterable, Iterator
from datetime import datetime, timedelta
from typing import Any

from engine import library
from engine.standing import read_for
from engine.words import fold
from pbem import clock_jump
from pbem.intake import Limits, read_letter
from pbem.letters import plain_text, title
from pbem.sections import PrivacySettings
from pbem.store import FAREWELL, Letter, Outgoing, Player, Store

GONE = "none"
"""How letters come to a player who was erased: not at all."""
UNCLEAN = "unclean"
"""The single value that tells that erased bytes may still lie in the database's file."""
TIDIED, DROPPED = "tidied", "dropped"
"""The single values that name the days of the last daily rounds."""
TALLIED = timedelta(days=7)
"""How long what was counted on a day is remembered."""
TELLING = 16
"""The fewest letters of a line that may tell whose words they are."""
_PIECE = 40
_DONE = ("sent", "failed", "replaced", "digested", "unwanted")


def kept(store: Store, player: Player) -> dict[str, Any]:
    """Give all that is kept of a person, as plain values; tokens and keys only by number."""
    pilots = store.personas.all(player=player.id)
    places = store.places.all(player=player.id)
    return {
        "player": player.id,
        "name": player.name,
        "addresses": store.addresses_of(player),
        "confirmed": player.confirmed,
        "joined": player.joined.isoformat(),
        "heard": player.heard.isoformat(),
        "wishes": {"mail": player.mail, "format": player.format, "press": player.press},
        "language": player.language,
        "zone": player.zone,
        "away": [f"{row.first} to {row.last}" for row in store.leaves.all(player=player.id)],
        "deadlines": store.turnouts.count(player=player.id),
        "keys_issued": player.key_serial,
        "tokens": store.tokens.count(player=player.id),
        "bounces": store.bounces.count(player=player.id),
        "pilots": [{"name": row.name, "system": row.system, "side": row.side} for row in pilots],
        "blueprints": [
            {"name": row.name, "system": row.system}
            for row in store.blueprints.all(player=player.id)
        ],
        "games": [{"game": place.game_id, "seat": place.seat} for place in places],
        "stories": [
            {"game": story.game_id, "public": story.public, "text": story.text}
            for place in places
            for story in store.stories.all(game=place.game_id, seat=place.seat)
        ],
        "citations": [
            {"game": row.game_id, "text": row.citation}
            for row in store.nominations.all(player=player.id)
        ],
        "watches": [row.game_id for row in store.watches.all(player=player.id)],
        "blocks": [row.other_id for row in store.blocks.all(player=player.id)],
        "newsletter": store.subscriptions.count(player=player.id, active=True) > 0,
        "editorials": [
            {"state": row.state, "text": row.text} for row in store.editorials.all(player=player.id)
        ],
        "letters_in": [_came(row) for row in store.letters.all(player=player.id)],
        "letters_out": [_went(row) for row in store.outbox.all(player=player.id)],
    }


def _came(row: Letter) -> dict[str, Any]:
    return {
        "letter": row.id,
        "received": row.received.isoformat(),
        "state": row.state,
        "bytes": len(row.content),
    }


def _went(row: Outgoing) -> dict[str, Any]:
    return {
        "kind": row.kind,
        "to": row.recipient,
        "made": row.made.isoformat(),
        "state": row.state,
        "bytes": len(row.content),
    }


def erase(store: Store, player: Player) -> None:
    """Erase a person, and leave a pseudonym with the battles; within one transaction.

    What they wrote goes wherever it was kept: their letters, stories and citations, and others'
    letters in and out that hold their words, name or address. Orders and SALT lines stay, for
    the dice hang on them.
    """
    addresses, words = store.addresses_of(player), _Words(player.name, _written(store, player))
    _forget_letters(store, player, addresses, words)
    _forget_mail(store, player, words)
    _forget_issues(store, words)
    _forget_posts(store, player)
    for place in store.places.all(player=player.id):
        store.stories.remove(game=place.game_id, seat=place.seat)
        store.places.change(place.id, thread="", words=_without_salts(place.words))
    store.nominations.remove(player=player.id, state="open")
    store.nominations.change_all({"player": player.id}, citation="")
    for address in addresses:
        store.forget_tallies(address)
        store.subscriptions.remove(address=address)
    for shelf in (
        store.tokens,
        store.further,
        store.blocks,
        store.watches,
        store.leaves,
        store.turnouts,
        store.bounces,
        store.subscriptions,
        store.editorials,
        store.blueprints,
    ):
        shelf.remove(player=player.id)
    store.blocks.remove(other=player.id)
    pseudonym(store, player)
    store.set_meta(UNCLEAN, "1")


def _without_salts(words: str) -> str:
    """Leave of a seat's words only the fingerprint, which says nothing of anybody."""
    return json.dumps({**json.loads(words), "salts": []})


def pseudonym(store: Store, player: Player) -> None:
    """Put a name in a person's place that says nothing of them, and take them no letters."""
    name = f"Former player {player.id}"
    store.players.change(
        player.id,
        name=name,
        folded=fold(name),
        address=f"former-{player.id}@erased.invalid",
        confirmed=False,
        key_serial=player.key_serial + 1,
        mail=GONE,
        language="",
        zone="",
        heard=player.joined,
    )


class _Words:
    """Words of a person, found again in any letter, however it was wrapped, quoted or cut."""

    def __init__(self, name: str, lines: Iterable[str]) -> None:
        bare = {_bare(line)[:_PIECE] for line in lines}
        parts = map(re.escape, name.split())
        self.name = re.compile(r"\b" + r"[\W_]+".join(parts) + r"\b", re.I)
        self.pieces = [piece for piece in bare if len(piece) >= TELLING]

    def in_(self, text: str) -> bool:
        """Tell whether a text holds any of them, or the person's name."""
        found = _bare(text)
        return any(piece in found for piece in self.pieces) or bool(self.name.search(text))


def _bare(text: str) -> str:
    return "".join(c for c in text.casefold() if c.isalnum())


def _written(store: Store, player: Player) -> Iterator[str]:
    """Give the lines that a person wrote, but for orders, which many write alike."""
    yield from store.addresses_of(player)
    for place in store.places.all(player=player.id):
        for story in store.stories.all(game=place.game_id, seat=place.seat):
            yield from story.text.splitlines()
    for nomination in store.nominations.all(player=player.id):
        yield from nomination.citation.splitlines()
    for editorial in store.editorials.all(player=player.id):
        yield from editorial.text.splitlines()
    for letter in store.letters.all(player=player.id):
        yield from _own_lines(letter)


def _own_lines(letter: Letter) -> list[str]:
    if not letter.content:
        return []
    text = read_letter(letter.content, Limits()).text
    read = [read_for(rules, None, None, text) for rules in library.RULESETS.values()]
    told = [{*written.story, *written.private} for written in read]
    return sorted(set.intersection(*told))


def _forget_letters(store: Store, player: Player, addresses: list[str], words: _Words) -> None:
    """Drop a person's letters, and others' that were handled and hold their words."""
    mine = {row.id for row in store.letters.all(player=player.id)}
    for row in list(store.letters.each()):
        theirs = row.id in mine or any(one.encode() in row.content.lower() for one in addresses)
        if theirs or (row.state != "received" and words.in_(_whole(row))):
            store.letters.drop([row.id])
            store.letters.change(row.id, error="")
        if theirs:
            store.letters.change(row.id, message_id=f"<{row.id}@erased.invalid>", reason="")


def _whole(row: Letter) -> str:
    return read_letter(row.content, Limits()).whole if row.content else ""


def _forget_mail(store: Store, player: Player, words: _Words) -> None:
    """Drop all letters to a person, and others' that were sent and hold their words or name."""
    store.outbox.remove(player=player.id)
    for row in list(store.outbox.each()):
        done = row.state in _DONE and row.content
        if done and words.in_(f"{title(row.content)} {plain_text(row.content)}"):
            store.outbox.drop([row.id])


def _forget_issues(store: Store, words: _Words) -> None:
    """Drop the newsletters that hold a person's words; one that is going out ends there."""
    for row in list(store.printed.each()):
        if words.in_(row.page):
            store.issues.change(row.id, page="", done=True)


def _forget_posts(store: Store, player: Player) -> None:
    """Drop the words of posts that hold a person's; those that wait are not put up any more."""
    games = {f"G{place.game_id}" for place in store.places.all(player=player.id)}
    letters = {f"press-{row.id}" for row in store.letters.all(player=player.id)}
    issues = {f"newsletter-{row.id}" for row in store.printed.all(page="")}
    for thread in games | letters | issues:
        store.posts.remove(thread=thread, state="queued")
        store.posts.change_all({"thread": thread}, body="", title="")


def tidy(store: Store, settings: PrivacySettings, now: datetime) -> None:
    """Forget once a day who never confirmed, and what was counted more than a week ago.

    Nothing is forgotten while a jump of the clock is waited through (pbem.clock_jump).
    """
    today = now.date().isoformat()
    if store.meta(TIDIED) != today and clock_jump.waits_until(store, now) is None:
        with store.transaction():
            before = clock_jump.worked_before(store, settings.unconfirmed_days, now)
            if before is not None:
                store.forget_unconfirmed(before)
            store.forget_tallies("", before=(now - TALLIED).date().isoformat())
            store.set_meta(TIDIED, today)


def clean(store: Store, settings: PrivacySettings, now: datetime) -> None:
    """Drop once a day the words of letters that were handled or sent long ago.

    The ledger keeps its line of each. The file is written anew after somebody was erased.
    "Long ago" is so many days, and as many on which the league was at work; and nothing is
    dropped while a jump of the clock is waited through (pbem.clock_jump).
    """
    today = now.date().isoformat()
    if store.meta(DROPPED) != today and clock_jump.waits_until(store, now) is None:
        with store.transaction():
            store.outbox.remove(kind=FAREWELL, state="failed")
            days = settings.keep_letters_days
            before = clock_jump.worked_before(store, days, now) if days else None
            if before is not None:
                store.drop_contents(before)
            store.set_meta(DROPPED, today)
    if store.meta(UNCLEAN) == "1" and not store.outbox.count(kind=FAREWELL):
        store.vacuum()
        store.set_meta(UNCLEAN, "")
