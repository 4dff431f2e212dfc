"""The desk: what a letter is, who wrote it, and who answers it."""

from datetime import datetime
from typing import TYPE_CHECKING, Any

from pbem import battle, identity
from pbem.clerk import Lines, answer, entry, meant, sort
from pbem.intake import CUT_MARKER, Limits, Reading, new_text, read_letter
from pbem.league.joining import join
from pbem.league.verdict import Verdict
from pbem.league.visit import Answer, Visit
from pbem.letters import plain_text
from pbem.store import Letter, Player

if TYPE_CHECKING:
    from pbem.office import Office


def handle(office: "Office", letter: Letter, now: datetime) -> Verdict:
    """Decide what a letter is, do what it orders, and queue the answer; in one transaction."""
    twin = office.store.twin(letter)
    if twin is not None:
        return Verdict("discarded", "duplicate", f"the same letter as number {twin.id}")
    address = office.settings.league.address
    reading = read_letter(letter.content, Limits(ours=(address,)))
    if reading.klass != "human" or reading.sender is None:
        return Verdict("discarded", reading.klass, reading.reason)
    player = office.store.player_at(reading.sender)
    if letter.truncated:
        return _too_large(office, letter, player, now)
    if player is None or not player.confirmed:
        return _newcomer(office, letter, reading, player, now)
    return _member(office, letter, reading, player, now)


def _too_large(office: "Office", letter: Letter, player: Player | None, now: datetime) -> Verdict:
    """Tell a player, and nobody else, that a letter was too large to be read."""
    if player is None or not player.confirmed:
        return Verdict("discarded", "refused", "larger than the league takes")
    most = office.settings.limits.letter_bytes // 1024
    office.outbox.write(
        player,
        "notice",
        now,
        ident=(letter.sha256,),
        answering=letter.message_id,
        title="Your letter was too large",
        text=(
            f"Your letter is larger than {most} KiB, so it was not read and nothing in it was"
            " done. Please send it again without pictures or other files."
        ),
    )
    return Verdict("answered", "refused", "larger than the league takes", player.id)


def _newcomer(
    office: "Office", letter: Letter, reading: Reading, player: Player | None, now: datetime
) -> Verdict:
    """Answer somebody who is not, or not yet, a confirmed player."""
    if player is not None and _valid_token(office, reading, player, now, "confirm"):
        office.store.players.change(player.id, confirmed=True, heard=now)
        player = office.store.players.get(player.id)
        _welcome(office, player, letter, now)
        return Verdict("answered", "human", "joined", player.id)
    return join(office, letter, reading, player, now)


def _welcome(office: "Office", player: Player, letter: Letter, now: datetime) -> None:
    key = identity.key(office.store.secret, player.id, player.key_serial)
    office.outbox.write(
        player, "welcome", now, ident=(player.key_serial,), answering=letter.message_id, key=key
    )


def _valid_token(
    office: "Office", reading: Reading, player: Player, now: datetime, kind: str = ""
) -> Any:
    """Give the newest token of this player that the letter carries, or None."""
    for text in identity.tokens_in(reading.subject, reading.recipients):
        token = office.store.tokens.find(token=text)
        if token is None or token.player_id != player.id or token.expires < now:
            continue
        if not kind or token.kind == kind:
            return token
    return None


def _has_key(office: "Office", reading: Reading, player: Player) -> bool:
    key = identity.key(office.store.secret, player.id, player.key_serial)
    return any(identity.same(found, key) for found in identity.keys_in(reading.text))


def _member(
    office: "Office", letter: Letter, reading: Reading, player: Player, now: datetime
) -> Verdict:
    """Carry out the letter of a confirmed player."""
    token = _valid_token(office, reading, player, now)
    keyed = _has_key(office, reading, player)
    if token is None and not keyed:
        return _refuse(office, letter, player, now)
    if office.store.count_today(f"letters {player.id}", now) > office.settings.limits.letters_a_day:
        return Verdict("discarded", "refused", "more letters today than a player may send")
    office.store.players.change(player.id, heard=now)
    place = None
    if token is not None and token.game_id is not None:
        place = office.store.places.find(game=token.game_id, player=player.id)
    visit = Visit(office, player, letter, now, place, reading.topic, keyed=keyed)
    if reading.encrypted:
        answer(visit, Lines(answers=[entry("", Answer(False, _ENCRYPTED))]))
        return Verdict("answered", "human", "encrypted", player.id)
    text = identity.without_keys(new_text(reading, _ours(office, reading, player)))
    _carry_out(visit, text, token.turn if place is not None else None)
    return Verdict("answered", "human", reading.reason, player.id)


def _ours(office: "Office", reading: Reading, player: Player) -> list[str]:
    """Give our own letters that this one answers, where our words stand in it unmarked."""
    if not any(line.lstrip().startswith(CUT_MARKER) for line in reading.whole.splitlines()):
        return []
    answered = {*reading.in_reply_to, *reading.references}
    sent = [office.store.outbox.find(message_id=one, player=player.id) for one in answered]
    return [plain_text(row.content) for row in sent if row is not None]


_ENCRYPTED = "your letter is encrypted, and the referee has no key to read it; write plain text"


def _refuse(office: "Office", letter: Letter, player: Player, now: datetime) -> Verdict:
    """Tell the owner of an address, once a day, that a letter without proof came from it."""
    if (
        office.store.count_today(f"refusal {player.id}", now)
        <= office.settings.limits.refusals_a_day
    ):
        office.outbox.write(player, "refused", now, ident=(letter.sha256,))
        return Verdict("answered", "refused", "no valid token and no key", player.id)
    return Verdict("discarded", "refused", "no valid token and no key, told today", player.id)


def _carry_out(visit: Visit, text: str, turn: int | None) -> None:
    found = sort(visit, text)
    place = found.about or visit.place
    if place is None:
        place = meant(visit, found)
    if place is None:
        answer(visit, found)
    else:
        battle.carry_out(visit, found, place, turn if found.about is None else None)
