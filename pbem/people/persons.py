"""The personal data of players: what is kept, and what is deleted in time."""

from datetime import datetime, timedelta
from itertools import count

from pbem import clock_jump
from pbem.people import erasing
from pbem.settings.sections import PrivacySettings
from pbem.storage import FAREWELL, Letter, Outgoing, Player, Store
from pbem.storage.store import WAITING

TIDIED, DROPPED = "tidied", "dropped"
"""The keys in the database for the days of the last daily rounds."""
TALLIED = timedelta(days=7)
"""How long the counts of a day are kept."""
PORTIONS = 5
"""How many portions of an erased person's letters are dropped in a round."""


def kept(store: Store, player: Player) -> dict[str, object]:
    """Return all that is kept about a person, as plain values; tokens and keys only as numbers."""
    pilots = store.personas.all(player=player.id)
    places = store.places.all(player=player.id)
    return {
        "player": player.id,
        "name": player.name,
        "addresses": store.addresses_of(player),
        "accounts": [
            {"board": row.channel, "account": row.ident, "name": row.name}
            for row in store.accounts.all(player=player.id)
        ],
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
            {"game": story.game_id, "text": story.text}
            for story in store.stories.all(player=player.id)
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
        "public_letters": [row.text for row in store.public_letters.all(player=player.id)],
        "open_questions": [
            row.lines for row in store.questions.all(token__player=player.id) if row.lines
        ],
        "unseen_words": [row.text for row in store.kept_words.all(player=player.id)],
        "letters_in": [_came(row) for row in store.letters.all(player=player.id)],
        "letters_out": [_went(row) for row in store.outbox.all(player=player.id)],
        "private_messages": [
            {"board": row.channel, "made": row.made.isoformat(), "text": row.body}
            for account in store.accounts.all(player=player.id)
            for row in store.posts.all(channel=account.channel, recipient=account.ident)
        ],
    }


def _came(row: Letter) -> dict[str, object]:
    return {
        "letter": row.id,
        "received": row.received.isoformat(),
        "state": row.state,
        "bytes": len(row.content),
    }


def _went(row: Outgoing) -> dict[str, object]:
    return {
        "kind": row.kind,
        "to": row.recipient,
        "made": row.made.isoformat(),
        "state": row.state,
        "bytes": len(row.content),
    }


def tidy(store: Store, settings: PrivacySettings, now: datetime) -> None:
    """Forget, once a day, who never confirmed, expired tokens, and counts of more than a week ago.

    Nothing is forgotten while a jump of the clock is waited out (pbem.clock_jump).
    """
    today = now.date().isoformat()
    if store.meta(TIDIED) != today and clock_jump.waits_until(store, now) is None:
        with store.transaction():
            before = clock_jump.worked_before(store, settings.unconfirmed_days, now)
            if before is not None:
                # An erased person is unconfirmed, too, and stays as a pseudonym with the battles.
                store.players.remove(confirmed=False, mail__ne="none", joined__lt=before)
                store.subscriptions.remove(player=None, active=False, made__lt=before)
                # Nobody can use them, and each letter is searched for all of its writer's tokens.
                # But in a running game they show who has had a place (TAKEOVER).
                for which in ({"game": None}, {"game__running": False}):
                    store.tokens.remove(expires__lt=before, **which)
            store.forget_tallies("", before=(now - TALLIED).date().isoformat())
            store.set_meta(TIDIED, today)


def clean(store: Store, settings: PrivacySettings, now: datetime) -> None:
    """Drop, once a day, the words of letters that were handled or sent long ago.

    The ledger keeps its line of each. "Long ago" is the number of days in the settings, and as many
    days on which the league was at work. Nothing is dropped while a jump of the clock is waited out
    (pbem.clock_jump). Letters of people who were erased are dropped too, some in each call; the
    database's files are rewritten then, but at most once a day, since that takes long.
    """
    drop_erased(store, PORTIONS)
    today = now.date().isoformat()
    if store.meta(DROPPED) != today and clock_jump.waits_until(store, now) is None:
        with store.transaction():
            # A farewell is removed once it is sent; one that can't be sent would stay for ever.
            if store.outbox.remove(kind=FAREWELL, state="failed"):
                store.set_meta(erasing.UNCLEAN, "1")
            for days, drop in (
                (settings.keep_letters_days, store.drop_handled),
                (settings.keep_sent_days, store.drop_sent),
            ):
                before = clock_jump.worked_before(store, days, now) if days else None
                if before is not None:
                    drop(before)
            store.set_meta(DROPPED, today)
        clean_files(store)


def drop_erased(store: Store, most: int | None = None) -> None:
    """Drop letters of people who were erased, `most` portions of them or all that can be now."""
    portions = range(most) if most is not None else count()
    for _ in portions:
        with store.transaction():
            if not (erasing.owes(store) and erasing.drop_portion(store)):
                break


def clean_files(store: Store) -> None:
    """Take the erased bytes out of the database's files, once all is erased that has to be."""
    unclean = store.meta(erasing.UNCLEAN) == "1" and not erasing.owes(store)
    # Farewells hold an erased person's address.
    if unclean and not store.outbox.count(kind=FAREWELL, state__in=WAITING) and store.clean_files():
        store.set_meta(erasing.UNCLEAN, "")
