"""What players tell of a battle, turn by turn: who alone writes their table."""

from collections.abc import Sequence

from pbem.storage import Game, Place, Store, Story


def tell(
    store: Store, game: Game, place: Place, story: Sequence[str] | None, orders: bool
) -> list[str]:
    """Save a seat's story, and return the one of this turn whose place it takes.

    `orders` is whether it came with orders: new ones without a story take its place, too.
    """
    replaced = Story.select().where(
        Story.game == game.id, Story.seat == place.seat, Story.after == game.steps
    )
    if story is None:
        replaced = replaced.where(Story.with_orders == True)
    if earlier := store.all(replaced.order_by(Story.id)):
        store.run(Story.delete().where(Story.id.in_([one.id for one in earlier])))
    if story and any(map(str.strip, story)):
        told = Story.insert(
            game=game.id,
            seat=place.seat,
            after=game.steps,
            player=place.player_id,
            text="\n".join(story),
            with_orders=orders,
        )
        store.run(told)
    return [line for one in earlier for line in one.text.splitlines()]


def stories_of(store: Store, game: int) -> list[Story]:
    """Return what the players have told of a game, oldest first."""
    return store.all(Story.select().where(Story.game == game).order_by(Story.id))
