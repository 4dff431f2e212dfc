"""The table of rules for messages on boards, read from top to bottom like that for letters."""

from datetime import timedelta

from engine.i18n import Said, say
from pbem.games.session import Session
from pbem.handlers.accounts import board_accounts
from pbem.handlers.request import Verdict
from pbem.intake import tokens_and_keys
from pbem.people import players
from pbem.routing import actions, public_replies
from pbem.routing.board_message import Posted
from pbem.routing.line_tests import is_order
from pbem.routing.order_dispatch import carry_out_orders
from pbem.routing.rule_row import Rule
from pbem.storage import Game, Letter, Place, Token, stored_games

_TOO_LATE = say("an edit or a deletion changes nothing any more once an order was carried out")
_WITHDRAWN = say("your orders are off the file again, since the message with them was deleted")
_WEEK = timedelta(days=7)


def from_board_that_is_gone(posted: Posted) -> str | None:
    """Return a reason if the board is not in the settings any more."""
    return "its board is in the settings no more" if posted.message is None else None


def unvouched(posted: Posted) -> str | None:
    """Return a reason if the board's server does not say who wrote the message."""
    return None if _account_id(posted) else "the board's server does not vouch for its writer"


def linking(posted: Posted) -> str | None:
    """Return a reason if the message holds a code of LINK for its board."""
    return None if _code(posted) is None else "holds a code of LINK"


def unlinked(posted: Posted) -> str | None:
    """Return a reason if its writer's account is no player's."""
    return None if posted.known else "its writer's account is no player's"


def banned(posted: Posted) -> str | None:
    """Return a reason if its player is banned, or has left the league."""
    return "its writer is banned" if posted.player.banned or not posted.player.confirmed else None


def of_another(posted: Posted) -> str | None:
    """Return a reason if it changes a message of another account."""
    writers = {_account_of(posted, one) for one in posted.earlier_forms}
    return "changes what another account wrote" if writers - {_account_id(posted)} else None


def unchanged(posted: Posted) -> str | None:
    """Return a reason if it is a later form of a message, with the same words."""
    earlier = posted.earlier_forms
    if not earlier:
        return "was deleted before it was read" if _is_deleted(posted) else None
    same = not _is_deleted(posted) and _text_of(posted, earlier[-1]) == posted.reading.text
    return "says the same as before" if same else None


def too_late(posted: Posted) -> str | None:
    """Return a reason if it changes a message whose orders were carried out already."""
    if not posted.earlier_forms or ordered_places(posted):
        return None
    # What held no order may be edited into one.
    ordered = any(one.state == "answered" for one in posted.earlier_forms)
    return "changes what was carried out already" if ordered else None


def withdrawn(posted: Posted) -> str | None:
    """Return a reason if it was deleted before its orders were carried out."""
    return "was deleted" if _is_deleted(posted) else None


def confirming_question(posted: Posted) -> str | None:
    """Return a reason if the message answers a question by YES."""
    return None if posted.question is None else f"says YES to {posted.question.lines!r}"


def flood(posted: Posted) -> str | None:
    """Return a reason if the player has written too much today."""
    most = posted.ports.settings.limits.letters_a_day
    sent = posted.ports.store.counted_today(f"letters {posted.player.id}", posted.now)
    return "more messages today than a player may send" if sent >= most else None


def person(posted: Posted) -> str | None:
    """Return the reason why a person wrote it; this last rule always returns one."""
    return posted.reading.reason


def link(posted: Posted, why: str) -> Verdict:
    """Link the account to the player of the code."""
    token, message = _code(posted), posted.message
    assert token is not None
    assert message is not None
    ports, letter = posted.ports, posted.letter
    done = board_accounts.use(ports, token, message.account, message.name, letter, posted.now)
    return Verdict("answered", "human", f"{why}: {done}", token.player_id)


def tell_unlinked(posted: Posted, why: str) -> Verdict:
    """Tell an account that is no player's, once a week, how to become one, if it orders anything.

    What people say to each other in a battle's thread is no business of ours.
    """
    letter, store, league = posted.letter, posted.ports.store, posted.ports.settings.league
    lines = posted.reading.text.splitlines()
    orders = (is_order(line, posted.language, league.systems) for line in lines)
    week = f"unlinked {letter.channel} {_account_id(posted)}"
    if not _in_thread(posted) or not any(orders) or store.counted_since(week, posted.now - _WEEK):
        return Verdict("filed", "refused", why)
    store.count_today(week, posted.now)
    tell(
        posted,
        say(
            "this account is no player's yet, so nothing is done. A player sends LINK {board} to"
            " {address}, and posts here the code that comes back",
            board=letter.channel,
            address=league.address,
        ),
    )
    return Verdict("answered", "refused", why)


def tell_too_late(posted: Posted, why: str) -> Verdict:
    """Tell the writer once that an edit or a deletion changes nothing any more."""
    told = any(one.klass == "late" for one in posted.earlier_forms)
    if not told:
        tell(posted, _TOO_LATE)
    return Verdict("answered", "late", why, posted.player.id)


def withdraw(posted: Posted, why: str) -> Verdict:
    """Take back the orders of a message that was deleted."""
    _take_back(posted)
    tell(posted, _WITHDRAWN)
    return Verdict("answered", "human", why, posted.player.id)


def obey(posted: Posted, why: str) -> Verdict:
    """Carry out the orders of a message; those of its earlier form were taken back."""
    _take_back(posted)
    player = posted.player
    ordered = carry_out_orders(posted.request(), posted.text, posted.turn)
    if not ordered:
        # What players say to each other in a thread is only filed, and answers go where they went.
        players.change(posted.ports.store, player.id, channel=player.channel)
    return Verdict("answered" if ordered else "filed", "human", why, posted.player.id)


def ordered_places(posted: Posted) -> list[Place]:
    """Return the places whose orders on file an earlier form has given, and nobody has played.

    A place that another player has taken over is none of them.
    """
    store, forms = posted.ports.store, [one.id for one in posted.earlier_forms]
    if not forms:
        return []
    own = stored_games.places(store, message__in=forms, player=posted.player.id, game__running=True)
    return [one for one in own if store.get(Game, one.game_id).steps == one.message_step]


def _in_thread(posted: Posted) -> bool:
    """Return whether a message stands where everybody reads it, in a thread of ours."""
    signed = posted.signed
    return bool(posted.letter.thread) and signed is not None and not signed.private


def tell(posted: Posted, notice: Said) -> None:
    """Tell the writer of a message something: in its thread, or a player alone."""
    ports, letter, now = posted.ports, posted.letter, posted.now
    if _in_thread(posted):
        public_replies.tell(ports, letter, _name(posted), notice, now)
    elif posted.known is not None:
        ports.outbox.write(
            posted.player,
            "notice",
            now,
            ident=(letter.sha256,),
            answering=letter.message_id,
            title=say("Your message on {board}", board=letter.channel),
            text=say("About your message on {board}: {what}.", board=letter.channel, what=notice),
        )


def _take_back(posted: Posted) -> None:
    """Take the orders of an earlier form off the file, if they were not played yet."""
    store = posted.ports.store
    for place in ordered_places(posted):
        session = Session(store, store.get(Game, place.game_id))
        posted.ports.referee.take_back(session, session.seat_of(place.id))


def _account_id(posted: Posted) -> str:
    return posted.signed.account if posted.signed else ""


def _name(posted: Posted) -> str:
    """Return what the board calls the writer of a message."""
    shown = posted.signed.name if posted.signed else ""
    # With a deletion a board may tell whose the message was, and no name.
    return shown or (posted.account.name if posted.account else "")


def _is_deleted(posted: Posted) -> bool:
    return posted.message is not None and posted.message.deleted


def _code(posted: Posted) -> Token | None:
    words = tokens_and_keys.bare_tokens(posted.reading.text)
    # By the time at which it was written: the board may have been out of reach since.
    return board_accounts.code_in(
        posted.ports, posted.letter.channel, words, posted.letter.received
    )


def _form(posted: Posted, letter: Letter) -> Posted:
    return Posted(posted.ports, letter, posted.now)


def _account_of(posted: Posted, letter: Letter) -> str:
    return _account_id(_form(posted, letter))


def _text_of(posted: Posted, letter: Letter) -> str:
    return _form(posted, letter).reading.text


ROWS: tuple[Rule[Posted], ...] = (
    Rule("a board that is gone", from_board_that_is_gone, actions.discard),
    Rule("nobody vouches for its writer", unvouched, actions.discard),
    Rule("a code of LINK", linking, link),
    Rule("no player's account", unlinked, tell_unlinked),
    Rule("banned", banned, actions.file_away),
    Rule("another's message", of_another, actions.discard),
    Rule("no other words", unchanged, actions.discard),
    Rule("changed too late", too_late, tell_too_late),
    Rule("withdrawn", withdrawn, withdraw),
    Rule("an answer to a question", confirming_question, actions.confirm),
    Rule("too much today", flood, actions.discard),
    Rule("a player's message", person, obey),
)
