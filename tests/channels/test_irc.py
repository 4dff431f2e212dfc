"""A chat room on a real network: InspIRCd with TLS, and Atheme's services."""

import json
import time
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from datetime import UTC, datetime
from typing import Any

import pytest

from pbem.channels.channel import ChannelDown, Message, Post, PostDeferred, PostRefused
from pbem.channels.irc import IrcSettings, session
from pbem.channels.irc.line import Lines, read, written
from pbem.channels.irc.room import Irc
from pbem.channels.irc.session import Login
from tests.servers.irc import PASSWORD, IrcNetwork
from tests.support.chat import REFEREE, room_settings
from tests.support.chatter import Chatter

services = pytest.mark.services


class Room:
    """A room with the referee in it, as the league uses it."""

    def __init__(self, network: IrcNetwork, settings: IrcSettings, password: str) -> None:
        self.network, self.settings, self.name = network, settings, settings.room
        login = Login(settings.user, password, settings.nick or settings.user)
        ca_file = settings.ca_file or None
        at = settings.host, settings.port
        self.irc = Irc(at, settings.tls == "tls", ca_file, login, self.name)
        self._heard = list[Message]()
        self._seen = 0

    def look(self) -> list[Message]:
        """Read what is new, and return all that was heard so far."""
        for portion in self.irc.news("", ()):
            self._heard += map(self.settings.message, portion.messages)
        return self._heard

    def next(self, holds: Callable[[Message], object] = lambda one: True) -> Message:
        """Return the next message of which something holds; what came before is past."""
        last = time.monotonic() + 20
        while time.monotonic() < last:
            for one in self.look()[self._seen :]:
                self._seen += 1
                if holds(one):
                    return one
            time.sleep(0.02)
        raise AssertionError(self._heard)

    def presence(self) -> tuple[str, str]:
        """Return the next account that came or left, and which of it; or that we were lost."""
        found = self.next(lambda one: one.presence)
        return found.presence, found.account

    def speech(self) -> Message:
        """Return what was said next."""
        return self.next(lambda one: not one.presence)

    def post(self, body: str, to: str = "", **more: Any) -> str:
        """Say something in the room, or to an account alone."""
        about = {"ident": "G1", "message_id": "<1@x>", "title": "Never shown"} | more
        return self.irc.publish(Post(body=body, to=to, date=datetime.now(UTC), **about))


@contextmanager
def entered(
    network: IrcNetwork, room: str = "", password: str = PASSWORD, **more: object
) -> Iterator[Room]:
    """A room with the referee in it, until the block ends."""
    found = Room(network, room_settings(network, room, **more), password)
    with closing(found.irc):
        yield found


@pytest.fixture
def room(irc: IrcNetwork) -> Iterator[Room]:
    """A room in which the referee is alone."""
    with entered(irc) as found:
        assert found.presence() == ("lost", "")
        yield found


@pytest.fixture(scope="module")
def people(irc: IrcNetwork) -> Iterator[dict[str, Chatter]]:
    """Three who are connected; ada and bob with accounts. To connect takes a second each time."""
    with (
        irc.chatter("ann", "ada") as ada,
        irc.chatter("bo", "bob") as bob,
        irc.chatter("guest") as guest,
    ):
        yield {"ada": ada, "bob": bob, "guest": guest}


@pytest.fixture
def guest(people: dict[str, Chatter]) -> Chatter:
    """Somebody without an account, in no room."""
    return people["guest"].start_afresh()


@pytest.fixture
def ada(people: dict[str, Chatter], guest: Chatter) -> Chatter:
    """Somebody with the account ada, in no room; a guest who had her nick is back at another."""
    return people["ada"].start_afresh()


@pytest.fixture
def bob(people: dict[str, Chatter]) -> Chatter:
    """Somebody with the account bob, in no room."""
    return people["bob"].start_afresh()


@pytest.fixture(scope="module")
def strict(tmp_path_factory: pytest.TempPathFactory, irc: IrcNetwork) -> Iterator[IrcNetwork]:
    """Another network, whose server bears less, and does not say which lines it has taken."""
    folder = tmp_path_factory.mktemp("strict")
    with IrcNetwork(folder, irc.certificates, strict=True).running() as found:
        yield found


# --- who is there -----------------------------------------------------------------------------


@services
def test_who_is_there_is_known_from_the_first_moment(
    irc: IrcNetwork, ada: Chatter, bob: Chatter, guest: Chatter
) -> None:
    name = irc.new_room()
    ada.join(name)
    guest.join(name)
    with entered(irc, name) as room:
        assert [room.presence(), room.presence()] == [("lost", ""), ("came", "ada")]
        bob.join(name)
        assert room.presence() == ("came", "bob")
        bob.call("bobby")
        bob.say(name, "here")
        assert room.speech().name == "bobby"
        bob.send(f"PART {name}")
        assert room.presence() == ("left", "bob")
        with irc.chatter("ada2", "ada") as second:
            second.join(name)
            ada.send(f"PART {name}")
            second.say(name, "still here")
            assert room.next().text == "still here"
        assert room.presence() == ("left", "ada")


@services
def test_who_somebody_is_says_the_account_and_never_the_nick(
    room: Room, bob: Chatter, guest: Chatter
) -> None:
    bob.join(room.name)
    bob.call("kestrel")
    bob.say(room.name, "scan")
    assert room.speech().account == "bob"
    bob.call("elsewhere")
    guest.call("kestrel")
    guest.join(room.name)
    guest.say(room.name, "fire")
    found = room.speech()
    assert (found.name, found.account, found.private, found.own) == ("kestrel", "", False, False)
    guest.say("NickServ", f"IDENTIFY ada {PASSWORD}")
    assert room.presence() == ("came", "ada")
    guest.say("NickServ", "LOGOUT")
    assert room.presence() == ("left", "ada")


@services
def test_who_speaks_from_outside_has_not_come(
    irc: IrcNetwork, ada: Chatter, bob: Chatter, guest: Chatter
) -> None:
    name = irc.new_room()
    ada.join(name)
    ada.asked(f"MODE {name} -n", "MODE")
    with entered(irc, name) as room:
        assert [room.presence(), room.presence()] == [("lost", ""), ("came", "ada")]
        bob.say(name, "scan")
        said = room.next()
        assert (said.text, said.account, said.presence) == ("scan", "bob", "")
        room.post("psst", to="bob")
        bob.wait_for("PRIVMSG bo :psst")
        bob.call("bobby")
        guest.call("bo")
        with pytest.raises(PostRefused, match="not connected"):
            room.post("secret", to="bob")
        guest.call("guest")


@services
def test_a_netsplit_takes_players_away(irc: IrcNetwork, room: Room, guest: Chatter) -> None:
    with irc.leaf(guest) as server, irc.chatter("far", "ada", on_leaf=True) as far:
        far.join(room.name)
        assert room.presence() == ("came", "ada")
        with server.stopped():
            assert room.presence() == ("left", "ada")


@services
def test_a_referee_who_is_put_out_comes_back_and_says_that_it_was_away(
    irc: IrcNetwork, ada: Chatter
) -> None:
    name = irc.new_room()
    ada.join(name)
    with entered(irc, name) as room:
        assert [room.presence(), room.presence()] == [("lost", ""), ("came", "ada")]
        ada.say(name, "before")
        assert room.next().text == "before"
        ada.send(f"KICK {name} {REFEREE} :away with you")
        with pytest.raises(ChannelDown, match=r"was put out by ann \(away with you\)"):
            room.speech()
        assert [room.presence(), room.presence()] == [("lost", ""), ("came", "ada")]
        ada.send(f"MODE {name} +b *!*@*", f"KICK {name} {REFEREE}")
        with pytest.raises(ChannelDown):
            room.speech()
        with pytest.raises(ChannelDown, match="does not let referee into") as caught:
            room.look()
        assert caught.value.refused


@services
def test_after_a_restart_of_the_server_all_goes_on(strict: IrcNetwork) -> None:
    with entered(strict) as room:
        room.look()
        strict.hub.stop()
        with pytest.raises(ChannelDown) as caught:
            room.post("\n".join(map(str, range(10))))
        # If the fault was known before, nothing was said, and nothing may have been.
        assert caught.value.unsure or "Server shutting down" in str(caught.value)
        strict.hub.start()
        faults, last = list[ChannelDown](), time.monotonic() + 20
        # Until the services are there again, nobody can log in.
        while time.monotonic() < last:
            try:
                assert room.look()[-1].presence == "lost"
                break
            except ChannelDown as down:
                faults.append(down)
                time.sleep(0.2)
        assert not any(one.refused for one in faults), faults
        assert "has no echo-message" in " ".join(room.irc.obstacles())


# --- what is said -------------------------------------------------------------------------------

SAID: dict[str | bytes, str | None] = {
    "scan": "scan",
    "!scan": "!scan",
    "referee: scan": "!scan",
    "Referee, !scan": "!scan",
    "referee scan": "referee scan",
    "\x02\x0304,08fire\x0f 48": "fire 48",
    "\x0312scan": "scan",
    "\x04ff0000scan\x04": "scan",
    "sc\u200ban\u200e": "scan",
    "\x1escan\x1e": "[…]",
    "keep \x1efire\x0f scan": "keep […] scan",
    "\x01ACTION scans\x01": "* ann scans",
    "\x01VERSION\x01": None,
    "\x01PING 123": None,
    b"Gr\xfc\xdfe": "Grüße",
    "Grüße": "Grüße",
    b"\xff\xfe\x80": "ÿþ",
    ": :)": ": :)",
    "-": "-",
}


@services
def test_lines_are_read_as_they_were_meant(room: Room, ada: Chatter) -> None:
    ada.join(room.name)
    ada.send(f"NOTICE {room.name} :scan", f"NOTICE {REFEREE} :scan", f"PRIVMSG {room.name} :")
    ada.send(f"@+draft/react=x TAGMSG {room.name}")
    for line in SAID:
        ada.say(room.name, line)
    ada.say(room.name, "x" * 600)
    ada.say(room.name, "the end")
    found = list[str]()
    while (said := room.speech().text) != "the end":
        found.append(said)
    *told, long = found
    assert told == [text for text in SAID.values() if text is not None]
    assert 400 < len(long) < 512
    assert set(long) == {"x"}


@services
def test_each_message_has_a_name_and_a_time(room: Room, ada: Chatter) -> None:
    before = datetime.now(UTC)
    ada.join(room.name)
    ada.say(room.name, "scan")
    ada.say(REFEREE, "scan")
    found = [room.next() for _ in range(3)]
    assert [one.private for one in found] == [False, False, True]
    assert len({one.number for one in found}) == 3
    for one in found:
        assert (one.account, one.room, one.threads) == ("ada", room.name, ())
        assert abs((one.at - before).total_seconds()) < 60


def test_what_was_not_heard_on_irc_is_not_read() -> None:
    settings = IrcSettings(host="h", room="#a", user="r", password_file="p")
    for raw in (b"", b"{}", b"[]", b'{"seen": "now"}', json.dumps({"seen": 3}).encode()):
        with pytest.raises(ValueError):  # noqa: PT011
            settings.message(raw)


def test_a_server_may_say_anything() -> None:
    lines = Lines()
    data = b"\r\n:\r\n@a\r\n" + b"x" * 20_000 + b"\r\nPING :1\r\n:a!b@c PRIV"
    cut = [*lines.cut(data), *lines.cut(b"MSG #a :hi\n"), *lines.cut(b"y" * 20_000)]
    cut += [*lines.cut(b"y\nPING 2\n")]
    assert cut == [b":", b"@a", b"PING :1", b":a!b@c PRIVMSG #a :hi", b"PING 2"]
    for raw in cut[:2]:
        with pytest.raises(ValueError, match="no line of IRC"):
            read(raw)
    found = read(cut[3])
    assert (found.nick, found.command, found.parameters) == ("a", "PRIVMSG", ("#a", "hi"))
    assert found.word(7) == ""


@pytest.mark.parametrize("words", ["a\r\nQUIT", "a\nb", "\x00"])
def test_no_line_of_ours_becomes_two(words: str) -> None:
    with pytest.raises(ValueError, match="PRIVMSG with a line end"):
        written("PRIVMSG", "#a", words)


# --- what we say --------------------------------------------------------------------------------


@services
def test_what_is_said_to_an_account_reaches_the_nick_that_it_has_now(
    room: Room, ada: Chatter, guest: Chatter
) -> None:
    ada.join(room.name)
    guest.join(room.name)
    ada.call("annie")
    guest.call("ann")
    guest.say(room.name, "I am Ann")
    room.speech()
    assert room.post("psst", to="ada")
    ada.wait_for("PRIVMSG annie :psst")
    room.post("all")
    guest.until(lambda: "all" in guest.said)
    assert "psst" not in guest.said
    ada.send(f"PART {room.name}")
    assert room.next(lambda one: one.presence == "left")
    with pytest.raises(PostRefused, match="The account ada is not connected to"):
        room.post("psst", to="ada")


@services
def test_who_is_not_in_the_room_is_answered_while_the_nick_is_theirs(
    room: Room, ada: Chatter, guest: Chatter
) -> None:
    ada.say(REFEREE, "scan")
    assert room.speech().private
    room.post("psst", to="ada")
    ada.wait_for("PRIVMSG ann :psst")
    ada.call("annie")
    guest.call("ann")
    with pytest.raises(PostRefused, match="not connected"):
        room.post("secret", to="ada")
    assert "secret" not in guest.said


@services
def test_long_posts_come_whole_and_in_order(room: Room, guest: Chatter) -> None:
    words = " ".join(f"Grüße{number}" for number in range(120))
    guest.join(room.name)
    room.post(f"first\n\n{words}\r\nsec\x01ond\x02\nlast")
    guest.until(lambda: "last" in guest.said)
    first, *long, second, last = guest.said
    assert (first, second, last) == ("first", "sec ond", "last")
    assert " ".join(long) == words
    assert max(len(line.encode()) for line in long) <= session.MOST_BYTES


def test_a_word_without_end_is_cut_between_its_letters() -> None:
    found = [*session._pieces("ü" * 300, 401)]
    assert [len(one) for one in found] == [200, 100]


@services
def test_twenty_lines_at_once_end_no_connection(room: Room, guest: Chatter) -> None:
    guest.join(room.name)
    room.post("\n".join(f"line {number} {'x' * 300}" for number in range(20)))
    guest.until(lambda: len(guest.said) == 20)
    assert [int(one.split()[1]) for one in guest.said] == [*range(20)]
    guest.say(room.name, "all of it?")
    assert room.speech().text == "all of it?"


@services
def test_a_server_that_does_not_say_what_it_took_is_not_flooded_either(strict: IrcNetwork) -> None:
    with entered(strict) as room, strict.chatter("ann") as ann:
        ann.join(room.name)
        room.post("\n".join(f"line {number} {'x' * 300}" for number in range(8)))
        ann.until(lambda: len(ann.said) == 8)


def test_what_may_have_been_said_is_not_said_again() -> None:
    irc = Irc(("127.0.0.1", 1), False, None, Login("r", "", "r"), "#a")
    about: dict[str, Any] = {"ident": "G1", "message_id": "<1@x>", "title": "", "body": "scan"}
    post = Post(**about, date=datetime.now(UTC), unsure=True)
    with pytest.raises(PostRefused, match="a chat room can't be asked"):
        irc.publish(post)


# --- nick, topic, settings --------------------------------------------------------------------


@services
def test_a_taken_nick_costs_nothing_and_is_taken_back(
    irc: IrcNetwork, ada: Chatter, guest: Chatter, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(session, "PATIENCE", 1.0)
    guest.call(REFEREE)
    with entered(irc) as room:
        ada.join(room.name)
        assert room.next(lambda one: one.presence == "came")
        room.post("I am")
        said = ada.wait_for("PRIVMSG")
        nick = said[1:].partition("!")[0]
        assert nick.startswith(REFEREE)
        assert nick != REFEREE
        ada.say(room.name, f"{nick}: scan")
        assert room.speech().text == "!scan"
        guest.call("guest")
        ada.until(lambda: room.look() and f":{nick}!" in "".join(ada.news(f"NICK :{REFEREE}")))
        ada.say(room.name, "referee: odds")
        assert room.speech().text == "!odds"
        room.post("me again")
        ada.wait_for(":referee!")


@services
def test_the_topic_says_how_to_begin_where_the_referee_may_set_it(
    irc: IrcNetwork, ada: Chatter
) -> None:
    name = irc.new_room()
    ada.join(name)
    ada.send(f"TOPIC {name} :tea time", f"MODE {name} +m")
    with entered(irc, name) as room:
        room.irc.attend(lambda: None, "Write !help " + "and more " * 60)
        room.look()
        said = " ".join(room.irc.obstacles())
        assert "may not set the topic" in said
        assert "has no voice (+v)" in said
        with pytest.raises(PostDeferred, match="refused a line to"):
            room.post("hello")
        ada.send(f"MODE {name} +o {REFEREE}")
        ada.until(lambda: room.look() and "!help" in "".join(ada.news("TOPIC")))
        assert room.irc.obstacles() == []
        ada.send(f"TOPIC {name} :tea time again")
        ada.say(name, "now")
        room.speech()
        room.look()
        assert "tea time again" in ada.asked(f"TOPIC {name}", " 332 ")


@services
@pytest.mark.parametrize(
    ("password", "more", "said", "refused"),
    [
        ("wrong", {}, "refused the login of referee: SASL authentication failed", True),
        (PASSWORD, {"user": "nobody"}, "refused the login of nobody", True),
        (PASSWORD, {"nick": "9lives"}, "refused the nick 9lives", True),
        (PASSWORD, {"ca_file": ""}, "is not trusted", True),
        (PASSWORD, {"room": "#" + "x" * 65}, "does not let referee into", True),
        (PASSWORD, {"port": 1}, "Nothing listens at 127.0.0.1:1", False),
    ],
)
def test_what_is_wrong_is_said_in_a_sentence(
    irc: IrcNetwork, password: str, more: dict[str, Any], said: str, refused: bool
) -> None:
    with (
        entered(irc, password=password, **{"room": irc.new_room(), **more}) as room,
        pytest.raises(ChannelDown, match=said) as caught,
    ):
        room.irc.check()
    assert caught.value.refused == refused
