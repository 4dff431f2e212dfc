"""The table of rules for lines in chat rooms, read from top to bottom like that for letters."""

from engine.i18n import say
from pbem.games import live_battles
from pbem.handlers.battles import live_play
from pbem.handlers.request import Verdict
from pbem.people import linked_accounts
from pbem.routing import actions, board_router, chat_questions, public_replies
from pbem.routing.board_message import Posted
from pbem.routing.chat_message import Chatted
from pbem.routing.order_dispatch import carry_out_orders
from pbem.routing.rule_row import Rule
from pbem.storage import Game

MOST_HELPED = 50
"""The most questions of strangers for help that a room answers in a day."""


def presence(posted: Posted) -> str | None:
    """Return a reason if it tells who is in the room, and holds no words."""
    message = posted.message
    if message is None or not message.presence:
        return None
    who = "the referee's connection was" if message.presence == "lost" else "an account has"
    return f"{who} {message.presence}"


def talk(posted: Posted) -> str | None:
    """Return a reason if it is not for the referee."""
    return None if isinstance(posted, Chatted) and posted.line else "people talk with each other"


def short_question(posted: Posted) -> str | None:
    """Return a reason if it is a question that is answered in one line."""
    found = chat_questions.named(posted)
    return None if found is None else f"asks {found}"


def note_presence(posted: Posted, why: str) -> Verdict:
    """Note who is in the room, which may stop or start clocks."""
    message, ports, now = posted.message, posted.ports, posted.now
    assert message is not None
    if message.presence == "lost":
        live_play.referee_was_away(ports, posted.letter, now)
        return Verdict("answered", "presence", why)
    account = posted.account
    if account is None:
        return Verdict("discarded", "refused", why)
    live_play.note_presence(ports, posted.letter, account, now, present=message.presence == "came")
    return Verdict("answered", "presence", why, account.player_id)


def asks_for_help(posted: Posted) -> str | None:
    """Return a reason if somebody who is no player asks for help."""
    found = posted.known is None and isinstance(posted, Chatted) and posted.line
    return "a stranger asks for help" if found and chat_questions.named(posted) == "HELP" else None


def help_stranger(posted: Posted, why: str) -> Verdict:
    """Tell a stranger how to begin, so often a day."""
    helped = f"help {posted.letter.channel}"
    if posted.ports.store.count_today(helped, posted.now) > MOST_HELPED:
        return Verdict("discarded", "refused", why)
    chat_questions.answer(posted)
    return Verdict("answered", "refused", why)


def tell_unvouched(posted: Posted, why: str) -> Verdict:
    """Tell a room, but only once a day, that only who is logged in can order."""
    letter, store, message = posted.letter, posted.ports.store, posted.message
    assert message is not None
    # Whoever is not logged in has no name that holds, so it is the room that is told.
    if store.count_today(f"unvouched {letter.channel}", posted.now) > 1:
        return Verdict("discarded", "refused", why)
    notice = say("only who is logged in to an account of this network can order")
    public_replies.tell(posted.ports, letter, message.name, notice, posted.now)
    return Verdict("answered", "refused", why)


def link(posted: Posted, why: str) -> Verdict:
    """Link the account to the player of the code, and say so in the room."""
    verdict = board_router.link(posted, why)
    message, letter, now = posted.message, posted.letter, posted.now
    assert message is not None
    account = linked_accounts.vouched(posted.ports.store, letter.channel, message.account)
    if account is not None and account.player_id == verdict.player:
        live_play.note_presence(posted.ports, letter, account, now, present=True)
        notice = say("your account is linked; !help says what you can order here")
        public_replies.tell(posted.ports, letter, message.name, notice, now)
    return verdict


def answer_question(posted: Posted, why: str) -> Verdict:
    """Answer a question in one line, in the room or to its writer alone."""
    _note_writer(posted)
    chat_questions.answer(posted)
    return Verdict("answered", "human", why, posted.player.id)


def confirm(posted: Posted, why: str) -> Verdict:
    """Carry out what the referee has asked about."""
    _note_writer(posted)
    return actions.confirm(posted, why)


def obey(posted: Posted, why: str) -> Verdict:
    """Carry out the order of a line."""
    _note_writer(posted)
    ordered = carry_out_orders(posted.request(), posted.text, posted.turn)
    return Verdict("answered" if ordered else "filed", "human", why, posted.player.id)


def _note_writer(posted: Posted) -> None:
    """Note that whoever writes is there, and has not dropped (SP-39)."""
    account, place, store = posted.account, posted.place, posted.ports.store
    assert account is not None
    if not account.present:
        live_play.note_presence(posted.ports, posted.letter, account, posted.now, present=True)
    elif place is not None and place.misses >= live_battles.SILENT_TURNS:
        game = store.get(Game, place.game_id)
        live_play.note_back(posted.ports, posted.letter, game, place, posted.now)


ROWS: tuple[Rule[Posted], ...] = (
    Rule("a board that is gone", board_router.from_board_that_is_gone, actions.discard),
    Rule("who is there", presence, note_presence),
    Rule("a stranger's !help", asks_for_help, help_stranger),
    Rule("nobody vouches for its writer", board_router.unvouched, tell_unvouched),
    Rule("a code of LINK", board_router.linking, link),
    Rule("no player's account", board_router.unlinked, board_router.tell_unlinked),
    Rule("banned", board_router.banned, actions.file_away),
    Rule("not for the referee", talk, actions.file_away),
    Rule("a question of one line", short_question, answer_question),
    Rule("an answer to a question", board_router.confirming_question, confirm),
    Rule("a player's line", board_router.person, obey),
)
