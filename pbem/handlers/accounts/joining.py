"""JOIN: how a stranger becomes a player."""

import re
from collections.abc import Iterator
from dataclasses import replace
from datetime import datetime

from engine.i18n import Said, say
from engine.names import fold, unquote
from engine.order_translations import ENGLISH
from engine.orders.line_shapes import clean
from pbem.handlers.names import taken_names
from pbem.handlers.order_words import in_english_from_any, written_in
from pbem.handlers.ports import Ports
from pbem.handlers.request import Verdict
from pbem.intake import Reading, subject_of
from pbem.intake.our_words import OurWords, squeezed
from pbem.outgoing import strangers
from pbem.outgoing.outbox import Reply
from pbem.people import players
from pbem.people.lookalikes import columns
from pbem.storage import Letter, Player, queues

TOKEN = "confirm"
"""The kind of token that confirms a new player's address."""
_JOIN = re.compile(r"JOIN:?(?: (?P<name>[^,;:<>@|\"]{1,40}))?", re.I)
_WISH = re.compile(r"\b(?:JOIN|BEITRETEN)\b", re.I)
_LANGUAGE = re.compile(r"LANGUAGE (?P<language>\w+)", re.I)


def join(
    ports: Ports, letter: Letter, reading: Reading, player: Player | None, now: datetime
) -> Verdict:
    """Answer a JOIN with a request to confirm; anything else from a stranger with a fixed text.

    An address gets one such letter a week, unless the next one leads a step further.
    """
    sender, store = reading.sender, ports.store
    assert sender is not None
    reading = _without_ours(ports, reading)
    name = wanted_name(reading)
    # Another spelling of a known mailbox is the same person, who may join only once.
    if player is None and name is not None and (same := players.holders(store, sender)):
        player = same[0]
        if player.confirmed:
            return _another_spelling(ports, letter, player, now)
    why = taken_names.wrong(ports, name, player.id if player else None) if name else None
    language = language_of(ports, reading)
    if player is not None:
        player = _asked_anew(ports, player, sender, None if why else name, language)
    kind = _kind(name, player, why)
    if kind == "stranger" and _WISH.search(reading.text) and _was_told(ports, sender, now):
        kind = "nameless"
    if not strangers.may_write(store, ports.settings.limits, sender, kind, now):
        return Verdict("discarded", "stranger", "was written to this week, or too many were today")
    # Our words alone: an answer must not carry a stranger's text to others (fault 36).
    if kind == "stranger":
        ports.outbox.write_stranger(
            sender, kind, now, (letter.sha256,), letter.message_id, language=language
        )
        return Verdict("answered", "stranger", "is not a player, and wrote no JOIN")
    if kind in ("nameless", "taken"):
        if player is None:
            _another(ports, sender, language, letter, now, why)
        elif why is not None:
            _rename(ports, player, letter, now, why)
        asked = f"asked for another name: {why}" if why else "wrote no name behind JOIN"
        return Verdict("answered", "stranger", asked, player.id if player else None)
    if player is None:
        assert name is not None
        player = players.add(store, name, sender, language, now)
    _ask(ports, player, letter, now)
    return Verdict("answered", "human", "asked to confirm", player.id)


def _asked_anew(
    ports: Ports, player: Player, sender: str, name: str | None, language: str
) -> Player:
    """Update an unconfirmed player to the address, name and language of their latest JOIN.

    They count even if no letter goes out, because a reply to the earlier letter confirms them.
    """
    wanted = {"name": name or player.name, "language": language or player.language}
    players.change(ports.store, player.id, address=sender, **wanted)
    return ports.store.get(Player, player.id)


def confirm(
    ports: Ports, letter: Letter, reading: Reading, player: Player, now: datetime
) -> Player | None:
    """Confirm a new player under the name that they asked for, and return the player.

    A JOIN in the letter asks for another name. If others have taken the name since, the player is
    asked for a different one, and None is returned.
    """
    # Checked again: somebody else may have taken the name since the JOIN.
    name = wanted_name(reading) or player.name
    why = taken_names.wrong(ports, name, player.id)
    if why is not None:
        _rename(ports, player, letter, now, why)
        return None
    # Only now is the name found by others: a JOIN that nobody confirms blocks none (decision 0021).
    players.change(ports.store, player.id, name=name, **columns(name), confirmed=True, heard=now)
    return ports.store.get(Player, player.id)


def _kind(name: str | None, player: Player | None, why: Said | None) -> str:
    """Return the kind of letter that answers somebody who is not a confirmed player."""
    if why is not None:
        return "taken"
    if name or player is not None:
        return "confirm"
    return "stranger" if name is None else "nameless"


def _without_ours(ports: Ports, reading: Reading) -> Reading:
    """Return a stranger's letter without what it repeats of our latest letter, our example of JOIN.

    A machine may quote it without any mark. Who writes that line alone has copied it by hand.
    """
    text = reading.text
    if wanted_name(reading) and len(list(filter(str.strip, text.splitlines()))) == 1:
        return reading
    for row in queues.latest(ports.store, 1, recipient=reading.sender):
        ours = OurWords([row.content])
        short = set(map(squeezed, ours.lines))
        lines = (one for one in text.splitlines() if squeezed(one) not in short)
        text = "\n".join(line for line in lines if not ours.holds(line))
        text = text.replace(subject_of(row.content), "")
    return replace(reading, text=text)


def _was_told(ports: Ports, sender: str, now: datetime) -> bool:
    """Return whether a stranger was told how to join, so that JOIN in a sentence means it."""
    return not strangers.may_be_written(ports.store, sender, "stranger", now)


def _another_spelling(ports: Ports, letter: Letter, player: Player, now: datetime) -> Verdict:
    """Notify a player that a JOIN came from another spelling of their address.

    The notice goes to the confirmed address, because the other spelling proves nothing.
    """
    # Counted together with letters without proof: anybody can cause either.
    refusals = ports.store.count_today(f"refusal {player.id}", now)
    why = f"another spelling of the address of player {player.id}"
    if refusals > ports.settings.limits.refusals_a_day:
        return Verdict("discarded", "stranger", why)
    ports.outbox.write(
        player,
        "notice",
        now,
        ident=("spelling", letter.sha256),
        title=say("A letter came from another spelling of your address"),
        text=say(
            "a letter came from an address that leads to the same mailbox as yours, and that you"
            " have not confirmed. Nothing was done with it, for a person joins once. If it was"
            " yours, write from the address that this letter went to, or add the other one with"
            " the order ADDRESS."
        ),
    )
    return Verdict("answered", "stranger", why)


def wanted_name(reading: Reading) -> str | None:
    """Return the name behind JOIN in the text, or in the subject of an empty letter, else None.

    It is empty where JOIN stands alone.
    """
    found = [_JOIN.fullmatch(line) for line, _ in _said(reading)]
    names = [unquote(match["name"] or "").strip() for match in found if match]
    return next(filter(fold, names), "") if names else None


def language_of(ports: Ports, reading: Reading) -> str:
    """Return the language that a letter of a newcomer asks for, or is written in, or ""."""
    named, said = ports.outbox.renderer.language_named, list(_said(reading))
    asked = filter(None, (_LANGUAGE.fullmatch(line) for line, _ in said))
    chosen = next(filter(None, (named(match["language"]) for match in asked)), None)
    if chosen is not None:
        return chosen
    ordered = (language for line, language in said if language != ENGLISH and _JOIN.fullmatch(line))
    # A word of an order is surer than the common words of a letter.
    return next(ordered, "") or written_in(f"{reading.subject} {reading.text}")


def _said(reading: Reading) -> Iterator[tuple[str, str]]:
    """Yield the lines of a newcomer, who may use the order words of any language, in English."""
    for line in reading.text.splitlines() if reading.text.strip() else [reading.subject]:
        yield from in_english_from_any(clean(line))


def _another(
    ports: Ports, sender: str, language: str, letter: Letter, now: datetime, why: Said | None = None
) -> None:
    """Ask a stranger for another name, without repeating one that was refused, or for a name."""
    ports.outbox.write_stranger(
        sender, "taken", now, (letter.sha256,), letter.message_id, language=language, why=why
    )


def _rename(ports: Ports, player: Player, letter: Letter, now: datetime, why: Said) -> None:
    """Ask an unconfirmed player for another name, in a letter whose reply confirms it."""
    ports.outbox.write(
        # The name may be one that was refused, and must not be repeated.
        player.changed(name=""),
        "taken",
        now,
        ident=(letter.sha256,),
        reply=Reply(TOKEN),
        answering=letter.message_id,
        why=why,
    )


def _ask(ports: Ports, player: Player, letter: Letter, now: datetime) -> None:
    """Ask the owner of an address to confirm."""
    # Anybody can put this address in From. Without the name, a JOIN can't carry a text to it.
    ports.outbox.write(
        player.changed(name=""),
        "confirm",
        now,
        ident=(letter.sha256,),
        reply=Reply(TOKEN),
        answering=letter.message_id,
    )
