"""A duel in a chat room, line by line."""

from tests.by_chat.conftest import Room


def test_print(duel: Room) -> None:
    print("\n".join(duel.server.told()))
    print(duel.say("ann", "!scan"))
    print(duel.say("bob", "Kestrel: scan"))
    print(duel.say("bob", "!odds"))
    print(duel.say("ann", "!status"))
    print(duel.say("ann", "hello all"))
    print(duel.say("ann", "!fier"))
    print(duel.later(121))
    print(duel.later(121))
    print(duel.since(lambda: duel.server.leave("bob")))
    print(duel.since(lambda: duel.server.leave("ann")))
    print(duel.say("ann", "!scan"))
    print(duel.since(lambda: duel.server.lose()))
    print(duel.say("ann", "!ready"))
    print(duel.say("bob", "!ready"))
    print(duel.say("ann", "!adjourn"))
    print(duel.say("bob", "!adjourn"))
    print(duel.say("bob", "!resume"))
    print(duel.say("ann", "!resume"))
    print(duel.say("ann", "IF RANGE = Far THEN OPEN", private=True))
    print(duel.say("ann", "!surrender"))
    print(duel.say("bob", "!surrender"))
    for l in duel.league.store.all(__import__("pbem.storage").storage.Letter.select()):
        if l.error:
            print(l.error)
    assert 0


def test_states(duel: Room) -> None:
    from pbem.storage import Letter, Post

    for l in duel.league.store.all(Letter.select()):
        print(l.id, l.channel, l.place, l.state, l.klass, l.reason, l.error[-600:], l.content[:80])
    for l in duel.league.store.all(Post.select()):
        print(l.ident, l.channel, l.state, l.body, l.error)
    assert 0
