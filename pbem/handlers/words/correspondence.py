"""TELL, PRESS and BLOCK: letters between players, passed on without the sender's address."""

from collections.abc import Mapping, Sequence
from re import Match
from typing import Any

from engine.i18n import say
from engine.names import fold, quoted, unquote
from pbem.handlers.names import taken_names
from pbem.handlers.names.own_pilots_and_places import called, own
from pbem.handlers.request import Answer, Block, Correspondent, Refusal, Request
from pbem.handlers.words.message_text import LONGEST, paragraphs
from pbem.outgoing import public_letters
from pbem.outgoing.outbox import reply_to
from pbem.people import bans, personas, players
from pbem.storage import Block as BlockRow
from pbem.storage import Player

ALL_PRESS = "press"
"""The name that stands for all public letters in BLOCK and UNBLOCK."""


def tell(request: Request, match: Match[str]) -> Answer:
    """Pass a private letter on to another player.

    Raise Refusal where that player has blocked the writer.
    """
    store = request.ports.store
    name, signature = _signed(request, unquote(match["who"]), match["one"])
    other = addressee(request, name)
    text = _text(request.below)
    pilot = personas.named(store, name)
    signs = pilot.name if pilot is not None and pilot.player_id == other.id else ""
    _pass_on(request, other, name, signature, text, signs)
    told = say("your letter goes to the player of {name}, without your address", name=name)
    return Answer(
        True, told, title=say("Your letter goes to {name}", name=name), blocks=(_shown(text),)
    )


def reply(request: Request, to: Correspondent, words: Sequence[str]) -> Answer:
    """Pass the words of a letter on to the player whose letter it answers.

    Raise Refusal where that player takes no letters from the writer.
    """
    store, mine = request.ports.store, {"name": request.player.name, "player": ""}
    other, pilot = store.get(Player, to.player), personas.named(store, to.signs)
    if pilot is not None and pilot.player_id == request.player.id:
        mine = {"name": pilot.name, "player": request.player.name}
    text = _text(words)
    _pass_on(request, other, to.name, mine, text, to.name)
    told = say("your words go to {name}, without your address", name=to.name)
    title = say("Your letter goes to {name}", name=to.name)
    return Answer(True, told, title=title, blocks=(_shown(text),), others=[quoted(to.name)])


def _pass_on(
    request: Request,
    other: Player,
    name: str,
    signature: Mapping[str, str],
    text: Sequence[str],
    signs: str,
) -> None:
    """Write the text to another player, who was called by a name; `signs` signs their reply.

    Raise Refusal where that player has blocked the writer, or the writer has written too often.
    """
    store, limits = request.ports.store, request.ports.settings.limits
    if not other.confirmed or other.banned:
        raise Refusal(say("{name} plays here no longer; it was not passed on", name=name))
    if other.id in bans.blockers(store, request.player.id):
        raise Refusal(
            say("the player of {name} takes no letters from you; it was not passed on", name=name)
        )
    # Counted last, so that a refused letter does not use up the day's limit.
    _allowed(request, "tell", limits.tells_a_day, say("private letters"))
    request.ports.outbox.write(
        other,
        "told",
        request.now,
        # With the text: one letter may hold several TELLs to the same player.
        ident=("tell", request.letter.sha256, other.id, *text),
        reply=reply_to(store, request.player.id, signature["name"], signs),
        # Nothing in it has to be decided, so it may wait for a digest.
        urgency="later",
        # Sorted: both directions are one thread in a mail program.
        thread=[request.ports.outbox.thread("talk", *sorted((request.player.id, other.id)))],
        by=signature,
        lines=text,
        whose=request.player.id,
    )


def _shown(text: Sequence[str]) -> Block:
    """Return the block that shows a writer what others will read."""
    return {"kind": "told", "lines": text}


def press(request: Request, match: Match[str]) -> Answer:
    """Post a public letter, and pass it on to every player who accepts such letters.

    The round passes it on (pbem.outgoing.public_letters), so that the cost of handling this letter
    does not grow with the number of players.
    """
    ports, limits = request.ports, request.ports.settings.limits
    # A public letter names no addressee, so all behind AS is the signature.
    _, signature = _signed(request, "", match["one"])
    text = _text(request.below)
    _allowed(request, "press", limits.press_a_day, say("public letters"))
    deaf = public_letters.deaf_to(ports.store, request.player.id)
    readers = players.count_press_readers(ports.store, deaf)
    public_letters.begin(
        ports.store,
        request.now,
        player=request.player.id,
        sha256=request.letter.sha256,
        by=signature["name"],
        fights_for=signature["player"],
        text="\n".join(text),
    )
    name = f"press-{request.letter.id}"
    ports.posts.write(
        "press",
        request.now,
        ident=name,
        thread=name,
        by=signature,
        lines=text,
        whose=request.player.id,
    )
    count = say("one other player") if readers == 1 else say("{count} other players", count=readers)
    posted = say(", and is posted for all to read") if ports.posts.channels else ""
    goes = say("your letter goes to {count}{posted}", count=count, posted=posted)
    return Answer(True, goes, blocks=(_shown(text),))


def block(request: Request, match: Match[str]) -> Answer:
    """Block letters from a player, or all public ones; or list who is blocked."""
    store, name = request.ports.store, match["name"]
    if name is None:
        return Answer(True, _blocked(request))
    if fold(name) == ALL_PRESS:
        players.change(store, request.player.id, press=False)
        return Answer(True, say("no public letters come to you any more"))
    other = addressee(request, name)
    bans.block(store, request.player.id, other.id)
    return Answer(
        True, say("no letters of the player of {name} are passed on to you any more", name=name)
    )


def unblock(request: Request, match: Match[str]) -> Answer:
    """Accept letters from a player again, or all public ones."""
    store, name = request.ports.store, match["name"]
    if fold(name) == ALL_PRESS:
        players.change(store, request.player.id, press=True)
        return Answer(True, say("public letters come to you again"))
    other = addressee(request, name)
    if not bans.unblock(store, request.player.id, other.id):
        raise Refusal(
            say("you have not blocked the player of {name}", name=name),
            say("BLOCK tells whom you have"),
        )
    return Answer(
        True, say("letters of the player of {name} are passed on to you again", name=name)
    )


def _blocked(request: Request) -> str:
    """Return a sentence that lists the players that a player has blocked."""
    store = request.ports.store
    names = [
        store.get(Player, row.other_id).name for row in store.of_player(BlockRow, request.player.id)
    ]
    public = "" if request.player.press else say("; public letters do not come to you")
    return say("you have blocked {names}{public}", names=names or say("nobody"), public=public)


def addressee(request: Request, written: str) -> Player:
    """Return another player, named by their own name or a pilot's.

    Raise Refusal where the name is nobody's, or the writer's own.
    """
    store, name = request.ports.store, unquote(written)
    found = taken_names.whose(store, name)
    if found is None or not found.confirmed:
        raise Refusal(
            say("{none} or player is called {name}", none=called(request).none, name=name),
            taken_names.meant(store, name)
            or say("STATUS all lists all {many} and their players", many=called(request).many),
        )
    if found.id == request.player.id:
        raise Refusal(say("{name} is you, or fights for you", name=name))
    return found


def _signed(request: Request, name: str, one: str | None) -> tuple[str, dict[str, Any]]:
    """Return the name of the addressee, and who signs: the player, or one of their pilots.

    A name may itself contain the word AS: it is read as one name where that is the only way to
    read it. Raise Refusal where both ways are possible.
    """
    mine = {"name": request.player.name, "player": ""}
    if one is None:
        return name, mine
    whole = f"{name} AS {one}"
    store = request.ports.store
    if name and taken_names.whose(store, whole) is not None:
        if (
            taken_names.whose(store, name) is not None
            and personas.named(store, unquote(one)) is not None
        ):
            raise Refusal(
                say("{name} is a name, and may also be two; which is meant?", name=whole),
                say('TELL "{name}" is for the one name', name=whole),
            )
        return whole, mine
    return name, {"name": own(request, unquote(one)).name, "player": request.player.name}


def _text(lines: Sequence[str]) -> list[str]:
    """Return the text to pass on, one paragraph per item; raise Refusal if empty or too long."""
    text = "\n".join(lines).strip()
    if not text:
        raise Refusal(say("there was nothing to pass on"), say("write your text below that line"))
    if len(text) > LONGEST:
        raise Refusal(
            say(
                "your text has {count} characters, and {most} are the most; none of it was"
                " passed on",
                count=len(text),
                most=LONGEST,
            )
        )
    return paragraphs(text)


def _allowed(request: Request, what: str, most: int, many: str) -> None:
    """Count a letter; raise Refusal where the player has used up the letters of the day."""
    if request.ports.store.count_today(f"{what} {request.player.id}", request.now) > most:
        raise Refusal(
            say("you have sent as many {many} today as one may ({most})", many=many, most=most),
            say("write tomorrow"),
        )
