"""ADDRESS: where a player writes from, and where letters go; each confirmed from there."""

from datetime import datetime
from re import Match
from typing import TYPE_CHECKING

from engine.said import say
from pbem import identity, strangers
from pbem.clock_jump import believed
from pbem.intake import Reading
from pbem.league import safeguards
from pbem.league.safeguards import SETTLING
from pbem.league.visit import Answer, Refusal, Visit
from pbem.letters import is_address
from pbem.outgoing.outbox import Reply, proof
from pbem.store import Letter, Player

if TYPE_CHECKING:
    from pbem.office import Office

MOST = 5
"""The most addresses of a player."""
TOKEN = "address"
"""The kind of a token that confirms an address; it proves nothing else."""


def address(visit: Visit, match: Match[str]) -> Answer:
    """Take a new address once it is confirmed, make one's own the first, or tell all of them."""
    written, mine = match["address"], visit.office.store.addresses_of(visit.player)
    if written is None:
        return Answer(
            True, say("letters go to {address}{further}", address=mine[0], further=_further(mine))
        )
    wanted = _plain(visit, written)
    if wanted == mine[0]:
        raise Refusal(say("letters go to {wanted} already", wanted=wanted))
    if wanted not in mine and len(mine) >= MOST:
        raise Refusal(
            say("you have {most} addresses, the most that one may have", most=MOST),
            say("ADDRESS REMOVE"),
        )
    asked = safeguards.ask(visit, f"ADDRESS {wanted}")
    if asked is not None:
        return asked
    if wanted in mine:
        ident = (visit.letter.sha256, wanted)
        safeguards.tell_old(visit.office, visit.player, wanted, ident, visit.now)
        visit.office.store.prefer(visit.player, wanted, visit.now)
        return Answer(True, say("letters go to {wanted} from the next one on", wanted=wanted))
    most = visit.office.settings.limits.addresses_a_day
    if visit.office.store.count_today(f"address {visit.player.id}", visit.now) > most:
        raise Refusal(
            say("you have asked for as many addresses today as one may ({most})", most=most)
        )
    _ask(visit, wanted)
    return Answer(
        True,
        say(
            "a letter is sent to {wanted}; once you have replied to it from there, letters go to"
            " that address. Until then all stays as it is",
            wanted=wanted,
        ),
    )


def _further(mine: list[str]) -> str:
    return say("; you may also write from {names}", names=mine[1:]) if len(mine) > 1 else ""


def _plain(visit: Visit, written: str) -> str:
    """Give an address in small letters; raises Refusal for one that is none, or looks like one.

    The line as it was written must hold it: full-width and other letters that only look like
    plain ones make another address.
    """
    wanted = written.lower()
    if not is_address(wanted) or wanted not in visit.line.lower():
        raise Refusal(
            say("{written} is no mail address in plain letters", written=written),
            say("ADDRESS ada@home.example"),
        )
    if wanted == visit.office.settings.league.address.lower():
        raise Refusal(say("{wanted} is the referee's own address", wanted=wanted))
    return wanted


def _ask(visit: Visit, wanted: str) -> None:
    """Write to an address for its word; to another player's, to say that nothing was done.

    Who asked is not told which of the two it was.
    """
    office, store = visit.office, visit.office.store
    ident, owner = (visit.letter.sha256, wanted), store.player_at(wanted)
    if not strangers.may_write(store, office.settings.limits, wanted, "address", visit.now):
        raise Refusal(
            say(
                "a letter went to {wanted} within the last week, or too many letters went out to"
                " new addresses today; reply to the letter from there, or ask again later",
                wanted=wanted,
            )
        )
    if owner is not None and owner.confirmed:
        office.outbox.write(
            owner._replace(address=wanted),
            "notice",
            visit.now,
            ident=ident,
            title=say("Your address was asked for"),
            text=(
                say(
                    "Somebody asked that this address be another player's too. It is yours, so"
                    " nothing was done, and they were not told that it is. You need do nothing."
                )
            ),
        )
        return
    office.outbox.write(
        visit.player._replace(address=wanted, name=""),
        "address",
        visit.now,
        ident=ident,
        reply=Reply(TOKEN, about=(wanted,)),
    )


def remove(visit: Visit, match: Match[str]) -> Answer:
    """Forget an address of the player's own, so that nothing counts from it any more."""
    store, now = visit.office.store, visit.now
    wanted, mine = match["address"].lower(), store.addresses_of(visit.player)
    if wanted not in mine:
        raise Refusal(
            say("{wanted} is no address of yours", wanted=wanted), say("ADDRESS tells which are")
        )
    if wanted == mine[0]:
        raise Refusal(
            say("letters go to {wanted}, so it can't be removed", wanted=wanted),
            say("ADDRESS and another of yours, to let them go there first"),
        )
    asked = safeguards.ask(visit, f"ADDRESS REMOVE {wanted}")
    if asked is not None:
        return asked
    newest = max(store.further.all(player=visit.player.id), key=lambda row: (row.added, row.id))
    if newest.address != wanted and believed(store, now) < newest.added + SETTLING:
        raise Refusal(
            say(
                "an address was added within the last {days} days, and until they are over no"
                " other can be removed: that is for your safety",
                days=SETTLING.days,
            )
        )
    store.further.remove(player=visit.player.id, address=wanted)
    store.tokens.remove(player=visit.player.id, token=_token(visit.office, visit.player.id, wanted))
    return Answer(True, say("{wanted} is forgotten, and nothing counts from there", wanted=wanted))


def _token(office: "Office", player: int, wanted: str) -> str:
    return proof(office.store, player, TOKEN, wanted)


def claimant(office: "Office", reading: Reading, now: datetime) -> Player | None:
    """Give the player, not a banned one, whose new address a letter comes from and confirms."""
    for text in identity.tokens_in(reading.subject, reading.recipients):
        token = office.store.tokens.find(token=text, kind=TOKEN)
        if token is None or token.expires < believed(office.store, now) or reading.sender is None:
            continue
        if identity.same(text, _token(office, token.player_id, reading.sender)):
            return office.store.players.find(id=token.player_id, banned=False)
    return None


def confirm(office: "Office", player: Player, wanted: str, letter: Letter, now: datetime) -> None:
    """Let a player's letters go to a new address; the one before stays theirs, and is told."""
    store, ident = office.store, (letter.sha256, wanted)
    store.tokens.remove(token=_token(office, player.id, wanted))
    store.players.remove(address=wanted, confirmed=False)
    safeguards.tell_old(office, player, wanted, ident, now)
    store.prefer(player, wanted, now)
    store.further.insert(player=player.id, address=wanted, added=now)
    office.outbox.write(
        player._replace(address=wanted),
        "notice",
        now,
        ident=ident,
        answering=letter.message_id,
        title=say("Your new address"),
        text=(
            say(
                "This address is yours from now on, and letters go to it. You may still write from"
                " the one before; to have it forgotten, write ADDRESS REMOVE and that address"
                " after {days} days.",
                days=SETTLING.days,
            )
        ),
    )
