"""The personal data of players: what is kept, and what is deleted in time."""

from datetime import datetime, timedelta
from itertools import count

from pbem.people import erasing, players, readers
from pbem.settings.sections import PrivacySettings
from pbem.storage import (
    FAREWELL,
    Account,
    Block,
    Blueprint,
    Bounce,
    Doctrine,
    Editorial,
    Game,
    KeptWords,
    Leave,
    Letter,
    Nomination,
    Outgoing,
    Persona,
    Place,
    Player,
    Post,
    PublicLetter,
    Question,
    Store,
    Story,
    Subscription,
    Token,
    Turnout,
    Watch,
    clock_jumps,
    queues,
    stored_letters,
)

TIDIED, DROPPED = "tidied", "dropped"
"""The keys in the database for the days of the last daily rounds."""
TALLIED = timedelta(days=7)
"""How long the counts of a day are kept."""
PORTIONS = 5
"""How many portions of an erased person's letters are dropped in a round."""


def kept(store: Store, player: Player) -> dict[str, object]:
    """Return all that is kept about a person, as plain values; tokens and keys only as numbers."""
    pilots = store.of_player(Persona, player.id)
    places = store.of_player(Place, player.id)
    return {
        "player": player.id,
        "name": player.name,
        "addresses": players.addresses(store, player),
        "accounts": [
            {"board": row.channel, "account": row.ident, "name": row.name}
            for row in store.of_player(Account, player.id)
        ],
        "confirmed": player.confirmed,
        "joined": player.joined.isoformat(),
        "heard": player.heard.isoformat(),
        "wishes": {"mail": player.mail, "format": player.format, "press": player.press},
        "language": player.language,
        "zone": player.zone,
        "away": [f"{row.first} to {row.last}" for row in store.of_player(Leave, player.id)],
        "deadlines": store.count(Turnout.select().where(Turnout.player == player.id)),
        "keys_issued": player.key_serial,
        "tokens": len(store.of_player(Token, player.id)),
        "bounces": store.count(Bounce.select().where(Bounce.player == player.id)),
        "pilots": [{"name": row.name, "system": row.system, "side": row.side} for row in pilots],
        "blueprints": [
            {"name": row.name, "system": row.system}
            for row in store.of_player(Blueprint, player.id)
        ],
        "doctrines": [
            {"pilot": store.get(Persona, row.persona_id).name, "name": row.name, "rules": row.rules}
            for row in store.of_player(Doctrine, player.id)
        ],
        "games": [{"game": place.game_id, "seat": place.seat} for place in places],
        "stories": [
            {"game": story.game_id, "text": story.text}
            for story in store.of_player(Story, player.id)
        ],
        "citations": [
            {"game": row.game_id, "text": row.citation}
            for row in store.of_player(Nomination, player.id)
        ],
        "watches": [row.game_id for row in store.of_player(Watch, player.id)],
        "blocks": [row.other_id for row in store.of_player(Block, player.id)],
        "newsletter": readers.is_reader(store, player.id),
        "editorials": [
            {"state": row.state, "text": row.text} for row in store.of_player(Editorial, player.id)
        ],
        "public_letters": [row.text for row in store.of_player(PublicLetter, player.id)],
        "open_questions": [
            row.lines
            for row in store.all(
                Question.select()
                .where(
                    Question.token.in_(Token.select(Token.token).where(Token.player == player.id))
                )
                .order_by(Question.id)
            )
            if row.lines
        ],
        "unseen_words": [row.text for row in store.of_player(KeptWords, player.id)],
        "letters_in": [_came(row) for row in store.of_player(Letter, player.id)],
        "letters_out": [_went(row) for row in store.of_player(Outgoing, player.id)],
        "private_messages": [
            {"board": row.channel, "made": row.made.isoformat(), "text": row.body}
            for account in store.of_player(Account, player.id)
            for row in queues.rows(store, Post, channel=account.channel, recipient=account.ident)
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

    Nothing is forgotten while a jump of the clock is waited out (pbem.storage.clock_jumps).
    """
    today = now.date().isoformat()
    if store.meta(TIDIED) != today and clock_jumps.waits_until(store, now) is None:
        with store.transaction():
            before = clock_jumps.worked_before(store, settings.unconfirmed_days, now)
            if before is not None:
                # An erased person is unconfirmed, too, and stays as a pseudonym with the battles.
                store.run(
                    Player.delete().where(
                        Player.confirmed == False, Player.mail != "none", Player.joined < before
                    )
                )
                store.run(
                    Subscription.delete().where(
                        Subscription.player.is_null(),
                        Subscription.active == False,
                        Subscription.made < before,
                    )
                )
                # Nobody can use them, and each letter is searched for all of its writer's tokens.
                # But in a running game they show who has had a place (TAKEOVER).
                over = Game.select(Game.id).where(Game.running == False)
                store.run(
                    Token.delete().where(
                        Token.expires < before, Token.game.is_null() | Token.game.in_(over)
                    )
                )
            store.forget_tallies("", before=(now - TALLIED).date().isoformat())
            store.set_meta(TIDIED, today)


def clean(store: Store, settings: PrivacySettings, now: datetime) -> None:
    """Drop, once a day, the words of letters that were handled or sent long ago.

    The ledger keeps its line of each. "Long ago" is the number of days in the settings, and as many
    days on which the league was at work. Nothing is dropped while a jump of the clock is waited out
    (pbem.storage.clock_jumps). Letters of people who were erased are dropped too, some in each
    call; the database's files are rewritten then, but at most once a day, since that takes long.
    """
    drop_erased(store, PORTIONS)
    today = now.date().isoformat()
    if store.meta(DROPPED) != today and clock_jumps.waits_until(store, now) is None:
        with store.transaction():
            # A farewell is removed once it is sent; one that can't be sent would stay for ever.
            if store.run(
                Outgoing.delete().where(Outgoing.kind == FAREWELL, Outgoing.state == "failed")
            ):
                store.set_meta(erasing.UNCLEAN, "1")
            for days, drop in (
                (settings.keep_letters_days, stored_letters.drop_handled),
                (settings.keep_sent_days, queues.drop_sent),
            ):
                before = clock_jumps.worked_before(store, days, now) if days else None
                if before is not None:
                    drop(store, before)
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
    waiting = {"kind": FAREWELL, "state__in": queues.WAITING}
    if unclean and not queues.count(store, Outgoing, **waiting) and store.clean_files():
        store.set_meta(erasing.UNCLEAN, "")
