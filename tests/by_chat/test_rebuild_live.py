"""A league with a chat room is rebuilt from its stored lines, with who was there and when."""

from pbem.maintenance.rebuild import rebuild
from tests.by_chat.conftest import Room


def test_a_live_league_is_rebuilt_from_its_lines(duel: Room) -> None:
    duel.say("ann", "!scan")
    duel.later(121)
    duel.since(lambda: duel.server.leave("ann"))
    duel.later(30)
    duel.since(lambda: duel.server.join("ann"))
    duel.since(duel.server.lose)
    duel.later(60)
    duel.say("ann", "!ready")
    duel.say("bob", "!ready")
    duel.say("ann", "!adjourn")
    duel.whisper("bob", "adjourn")
    duel.say("ann", "!resume")
    duel.say("bob", "!resume")
    duel.say(duel.acting, "!surrender")
    assert not duel.game.running
    assert rebuild(duel.league.settings, duel.league.folder / "new.db") == []
