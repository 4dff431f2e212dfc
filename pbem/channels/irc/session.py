"""A session on an IRC network: logged in, in the room, and knowing who else is there."""

import base64
import json
import logging
import re
import time
from collections.abc import Callable, Collection, Iterator
from contextlib import suppress
from dataclasses import dataclass, field
from datetime import UTC, datetime
from itertools import count
from threading import Condition, RLock, Thread
from uuid import uuid4

from pbem.channels.channel import ChannelDown, PostDeferred, PostRefused
from pbem.channels.irc.connection import TIMEOUT, Connection
from pbem.channels.irc.line import Line, Lines, read, written

log = logging.getLogger("pbem")

QUIET = 60.0
"""After so many seconds without a word from the server it is asked whether it is there."""
LONGEST = 60.0
"""Seconds that a server may hold a line back, for its rate, before it counts as gone."""
PATIENCE = 30.0
"""Seconds until our own nick is asked for again."""
MOST_BYTES = 400
"""Octets of a line that we say."""
GOODBYE = 1.0
"""Seconds that a server has to hang up after we have said goodbye."""
UNANSWERED = 4
"""So many lines are sent in a row where the server does not say that it has taken each: fewer than
any server drops a connection for."""
NEEDED = ("sasl", "account-tag", "account-notify", "extended-join")
WISHED = ("server-time", "message-tags", "echo-message")
_ABSENT = {"echo-message": "lines are sent more slowly, and none is known to be refused"}
"""What a network lacks, and what does not work so well without it."""
_LOGIN_ENDS = {"903", "902", "904", "905", "906", "907", "908"}
_NO_ENTRY = {"403", "405", "407", "437", "471", "473", "474", "475", "476", "477", "489", "520"}
"""What a server answers when it lets us into no room."""
_NOT_SPEECH = re.compile(r"[\x00-\x1f\x7f]")
_TOKEN = "7"
"""Marks the answers to our WHO."""


@dataclass(frozen=True, slots=True)
class Login:
    """The referee's account at the services, its password, and the nick that it would like."""

    user: str
    password: str
    nick: str


@dataclass(slots=True)
class _Question:
    """What came since a question was asked, up to the line that ends the answer."""

    ends: Callable[[Line], bool]
    heard: list[Line] = field(default_factory=list)
    answered: bool = False


class Session:
    """A connection from its first word to its last. Raises ChannelDown where there is none.

    `hear` gets what was said, and who came and left, as JSON; `changed` is called after it, and
    when the connection is lost. Both are called in the session's own thread.
    """

    def __init__(
        self,
        connection: Connection,
        where: str,
        login: Login,
        room: str,
        hear: Callable[[bytes], None],
        changed: Callable[[], None],
    ) -> None:
        self._connection, self._where, self._login, self._room = connection, where, login, room
        self._hear, self._changed = hear, changed
        self.fault: ChannelDown | None = None
        """Why it is over, if it is."""
        self._topic, self._sets_topic = "", True
        self._nick, self._source, self._registered, self._next_nick = login.nick, "", False, 0.0
        self._offered, self._features = dict[str, str](), dict[str, str]()
        self._members = dict[str, str]()
        """The nicks in the room, each with its account or "", who spoke last at the end."""
        self._elsewhere = dict[str, str]()
        """The nick under which an account has last spoken that is not in the room."""
        self._question: _Question | None = None
        self._told = False
        """Whether there is something new since `changed` was last called."""
        self._news, self._asking = Condition(), RLock()
        self._unanswered = 0
        self._ident, self._numbers = uuid4().hex[:12], count(1)
        self._reader = Thread(target=self._listen, name=f"irc {where}", daemon=True)
        self._reader.start()
        try:
            self._log_in()
            self._join()
        except BaseException:
            self.close()
            raise

    # --- what it is used for ----------------------------------------------------------------------

    def say(self, text: str, to: str = "") -> None:
        """Say a text in the room, or to a nick alone, line by line at the rate of the server.

        Raises PostRefused, and ChannelDown, where some of it may have been said, or PostDeferred
        where none of it was.
        """
        target = to or self._room
        for number, line in enumerate(self._cut(text, target)):
            with self._asking:
                try:
                    refused = self._say(line, target)
                except ChannelDown as error:
                    raise ChannelDown(str(error), refused=error.refused, unsure=True) from error
            if refused:
                sentence = f"{self._where} refused a line to {target}: {refused}."
                raise PostRefused(sentence) if to or number else PostDeferred(sentence)

    def nick_of(self, account: str) -> str:
        """Return a nick that an account has now. Raises PostRefused where it has none."""
        with self._news:
            here = [nick for nick, its in self._members.items() if its == account]
            nick = here[-1] if here else self._elsewhere.get(account, "")
        # Who is not in the room may have left its nick to another since.
        if not nick or not (here or self._account_of(nick) == account):
            raise PostRefused(f"The account {account} is not connected to {self._where}.")
        return nick

    def tend(self, topic: str) -> None:
        """Ask for our nick again if another has had it, and set the topic if that is allowed."""
        if not self._is_us(self._login.nick) and time.monotonic() > self._next_nick:
            self._next_nick = time.monotonic() + PATIENCE
            self._try("NICK", self._login.nick)
        most = self._features.get("TOPICLEN", "")
        words = next(_pieces(topic, int(most) if most.isdecimal() else MOST_BYTES), "")
        # Once: what a person has changed stays, until we are given rights anew.
        if words and self._sets_topic:
            self._sets_topic = False
            if self._topic != words:
                self._try("TOPIC", self._room, words)

    def obstacles(self) -> list[str]:
        """Return what of the network and the room keeps the referee from its work."""
        said = [
            f"{self._where} has no {name}: {why}."
            for name, why in _ABSENT.items()
            if name not in self._offered
        ]
        with self._asking:
            heard = self._ask(_is("324", "403", "442"), "MODE", self._room)
            modes = heard[-1].word(2) if heard[-1].command == "324" else ""
            names = self._ask(_is("366"), "NAMES", self._room)
        there = [name for line in names if line.command == "353" for name in line.word(-1).split()]
        rights = next((one[0] for one in there if one[1:] == self._nick), "")
        if "m" in modes and rights not in {*"~&@%+"}:
            said.append(f"{self._room} is moderated, and the referee has no voice (+v) in it.")
        if "t" in modes and rights not in {*"~&@%"}:
            said.append(f"The referee may not set the topic of {self._room} (it needs +h or +o).")
        return said

    def close(self) -> None:
        """Say goodbye, if the server still listens, and end the connection."""
        if self.fault is None:
            with suppress(OSError):
                self._connection.send(written("QUIT"))
                # Once the server has hung up, our nick is free for who connects next.
                self._reader.join(GOODBYE)
        self._connection.hang_up()
        self._reader.join()
        self._connection.close()

    # --- asking the server ------------------------------------------------------------------------

    def _send(self, command: str, *parameters: str) -> None:
        try:
            self._connection.send(written(command, *parameters))
        except OSError as error:
            raise self._ended(self._connection.down(error)) from error

    def _ended(self, fault: ChannelDown) -> ChannelDown:
        """End the session for a fault, unless it is over already, and return why it is."""
        self._connection.hang_up()
        with self._news:
            self.fault = self.fault or fault
            self._news.notify_all()
            return self.fault

    def _ask(
        self,
        ends: Callable[[Line], bool],
        command: str,
        *parameters: str,
        seconds: float = LONGEST,
    ) -> list[Line]:
        """Send a line, and return what comes up to the line that ends the answer."""
        with self._news:
            question = self._question = _Question(ends)
        self._send(command, *parameters)
        with self._news:
            self._news.wait_for(lambda: question.answered or self.fault is not None, seconds)
            self._question = None
        if not question.answered:
            late = f"{self._where} did not answer {command} in {seconds:.0f} s."
            raise self._ended(ChannelDown(late))
        return question.heard

    def _try(self, command: str, *parameters: str) -> None:
        """Send a line, and wait until the server has refused it or not.

        Its answer would else be taken for one to what we say next.
        """
        with self._asking:
            self._send(command, *parameters)
            self._ask(_is("PONG"), "PING", command)

    def _log_in(self) -> None:
        """Agree on capabilities, log in by SASL, and wait until the server has greeted us."""
        login = self._login
        heard = self._ask(
            lambda line: line.command == "421" or (_lists(line) and line.word(2) != "*"),
            *("CAP", "LS", "302"),
            seconds=TIMEOUT,
        )
        offered = " ".join(line.word(-1) for line in heard if _lists(line)).split()
        self._offered = {name: value for name, _, value in (one.partition("=") for one in offered)}
        missing = [name for name in NEEDED if name not in self._offered]
        if missing:
            # A network whose services are away offers no SASL for as long.
            raise ChannelDown(
                f"{self._where} has no {' and no '.join(missing)} (IRCv3): without it nobody knows"
                " who writes. Are the network's services there?",
                refused=missing != ["sasl"],
            )
        wanted = [name for name in (*NEEDED, *WISHED) if name in self._offered]
        agreed = self._ask(_is("CAP", after=("ACK", "NAK")), "CAP", "REQ", " ".join(wanted))
        if agreed[-1].word(1) == "NAK":
            raise ChannelDown(f"{self._where} did not agree to: {', '.join(wanted)}.", refused=True)
        self._authenticate()
        self._send("NICK", login.nick)
        self._send("USER", "pbem", "0", "*", "referee")
        self._ask(_is("376", "422"), "CAP", "END", seconds=TIMEOUT)

    def _authenticate(self) -> None:
        login = self._login
        answer = self._ask(_is("AUTHENTICATE", *_LOGIN_ENDS), "AUTHENTICATE", "PLAIN")[-1]
        if answer.command == "AUTHENTICATE":
            words = "\0".join((login.user, login.user, login.password)).encode()
            secret = base64.b64encode(words).decode()
            pieces = [secret[at : at + 400] for at in range(0, len(secret), 400)]
            if len(pieces[-1]) == 400:
                pieces.append("+")
            for piece in pieces[:-1]:
                self._send("AUTHENTICATE", piece)
            answer = self._ask(_is(*_LOGIN_ENDS), "AUTHENTICATE", pieces[-1])[-1]
        if answer.command != "903":
            raise ChannelDown(
                f"{self._where} refused the login of {login.user}: {answer.word(-1)}."
                " Look at user and at the password's file, and whether the account is registered"
                " with the network's services.",
                refused=True,
            )

    def _join(self) -> None:
        self._tell(presence="lost")
        heard = self._ask(_is("366", *_NO_ENTRY, about=self._room), "JOIN", self._room)
        if heard[-1].command != "366":
            raise ChannelDown(
                f"{self._where} does not let {self._nick} into {self._room}: {heard[-1].word(-1)}.",
                refused=True,
            )
        if "WHOX" in self._features:
            self._ask(_is("315"), "WHO", self._room, f"%tna,{_TOKEN}")

    def _account_of(self, nick: str) -> str:
        """Ask the server for a nick's account."""
        with self._asking:
            heard = self._ask(_is("315"), "WHO", nick, "%tna,8")
        found = [line for line in heard if line.command == "354" and line.word(2) == nick]
        return found[0].word(3) if found else ""

    def _say(self, line: str, to: str) -> str:
        """Say one line, wait until the server has taken it, and return why it refused it, or ""."""
        if "echo-message" in self._offered:
            taken = self._ask(
                lambda heard: self._is_echo(heard) or _refuses(heard, to), "PRIVMSG", to, line
            )
            return taken[-1].word(-1) if _refuses(taken[-1], to) else ""
        self._send("PRIVMSG", to, line)
        self._unanswered += 1
        if self._unanswered == UNANSWERED:
            self._ask(_is("PONG"), "PING", "rate")
            self._unanswered = 0
        return ""

    def _is_echo(self, line: Line) -> bool:
        return line.command == "PRIVMSG" and line.nick == self._nick

    def _cut(self, text: str, to: str) -> Iterator[str]:
        """Yield the lines of a text, each short enough to come whole to others."""
        # The server puts our name before it, and cuts what is longer than 512 octets with its end.
        most = min(MOST_BYTES, 510 - len(f":{self._source} PRIVMSG {to} :".encode()))
        for line in text.splitlines():
            yield from _pieces(_NOT_SPEECH.sub(" ", line).strip(), most)

    # --- the session's own thread -----------------------------------------------------------------

    def _listen(self) -> None:
        """Take what comes, until the connection ends."""
        lines, asked = Lines(), False
        try:
            while (data := self._connection.receive(QUIET)) is not None:
                if not data:
                    if asked:
                        raise TimeoutError
                    self._connection.send(written("PING", "there"))
                asked = not data
                for raw in lines.cut(data):
                    self._take(raw)
                if self._told:
                    self._told = False
                    self._changed()
        except (OSError, EOFError) as error:
            self._ended(self._connection.down(error))
        except ChannelDown as error:
            self._ended(error)
        except Exception as error:
            # Or nobody would read on.
            log.exception("what came from %s can't be read", self._where)
            self._ended(ChannelDown(f"{self._where} said what we can't read: {error!r}"))
        else:
            self._ended(ChannelDown("The connection was closed."))
        self._changed()

    def _take(self, raw: bytes) -> None:
        try:
            line = read(raw)
        except ValueError:
            return
        with self._news:
            if do := _DO.get(line.command):
                do(self, line)
            if (question := self._question) is not None and not question.answered:
                question.heard.append(line)
                question.answered = question.ends(line)
                if question.answered:
                    self._news.notify_all()

    def _tell(self, **facts: str) -> None:
        """Hand on what was heard, as JSON that a replay reads, too."""
        about = {"room": self._room, "number": f"{self._ident}-{next(self._numbers)}"}
        about |= {"seen": datetime.now(UTC).isoformat(), "account": "", "us": self._nick}
        self._hear(json.dumps(about | facts).encode())
        self._told = True

    def _is_us(self, nick: str) -> bool:
        return nick.lower() == self._nick.lower()

    def _is_here(self, line: Line, at: int = 0) -> bool:
        return line.word(at).lower() == self._room.lower()

    def _member(self, nick: str, account: str | None) -> None:
        """Note whose nick this is in the room; None if it is nobody's there any more."""
        before = {*self._members.values()}
        self._members.pop(nick, None)
        if account is not None and not self._is_us(nick):
            self._members[nick] = account
        after = {*self._members.values()}
        for gone in before - after - {"", self._login.user}:
            self._tell(account=gone, presence="left")
        for new in after - before - {"", self._login.user}:
            self._tell(account=new, presence="came")

    def _ping(self, line: Line) -> None:
        self._connection.send(written("PONG", *line.parameters))

    def _error(self, line: Line) -> None:
        raise ChannelDown(f"{self._where} ended the connection: {line.word(-1)}.")

    def _banned(self, line: Line) -> None:
        raise ChannelDown(f"{self._where} bans the referee: {line.word(-1)}.", refused=True)

    def _nick_taken(self, line: Line) -> None:
        """Take another nick, for now, if we have none yet."""
        if not self._registered:
            self._nick = f"{self._login.nick[:20]}{uuid4().hex[:4]}"
            self._connection.send(written("NICK", self._nick))

    def _nick_refused(self, line: Line) -> None:
        if not self._registered:
            raise ChannelDown(
                f"{self._where} refused the nick {self._nick}: {line.word(-1)}.", refused=True
            )

    def _greeted(self, line: Line) -> None:
        self._registered, self._nick = True, line.word(0)

    def _feature(self, line: Line) -> None:
        for one in line.parameters[1:-1]:
            name, _, value = one.partition("=")
            self._features[name] = value

    def _who(self, line: Line) -> None:
        if line.word(1) == _TOKEN:
            account = line.word(3)
            self._member(line.word(2), "" if account in ("0", "*") else account)

    def _named(self, line: Line) -> None:
        if self._is_here(line, 2):
            for name in line.word(-1).split():
                nick = name.lstrip("~&@%+")
                self._member(nick, self._members.get(nick, ""))

    def _told_topic(self, line: Line) -> None:
        if self._is_here(line, -2):
            self._topic = line.word(-1)

    def _mode(self, line: Line) -> None:
        # Services give rights a moment after one has come.
        if self._is_here(line) and any(map(self._is_us, line.parameters[2:])):
            self._sets_topic = self._told = True

    def _came(self, line: Line) -> None:
        if not self._is_here(line):
            return
        if self._is_us(line.nick):
            self._source = line.source
        else:
            account = line.word(1)
            self._member(line.nick, "" if account == "*" else account)

    def _left(self, line: Line) -> None:
        if self._is_here(line):
            self._gone(line.nick, "has left")

    def _kicked(self, line: Line) -> None:
        if self._is_here(line):
            self._gone(line.word(1), f"was put out by {line.nick} ({line.word(-1)}), and has left")

    def _quit(self, line: Line) -> None:
        self._gone(line.nick, "has left")

    def _gone(self, nick: str, how: str) -> None:
        if self._is_us(nick):
            raise ChannelDown(f"The referee {how} {self._room}.")
        self._member(nick, None)

    def _renamed(self, line: Line) -> None:
        new = line.word(0)
        if self._is_us(line.nick):
            self._nick = new
            self._source = f"{new}!{line.source.partition('!')[2]}"
        elif line.nick in self._members:
            # In one step, so that nobody seems to leave.
            self._members[new] = self._members.pop(line.nick)

    def _logged(self, line: Line) -> None:
        if line.nick in self._members:
            account = line.word(0)
            self._member(line.nick, "" if account == "*" else account)

    def _spoken(self, line: Line) -> None:
        """Hand on what was said in the room or to us; of CTCP only what somebody does."""
        text, account = line.word(1), line.tags.get("account", "")
        here, ours = self._is_here(line), self._is_us(line.word(0))
        if self._is_us(line.nick) or not (here or ours):
            return
        if text.startswith("\x01") and not text.startswith("\x01ACTION "):
            return
        # Some rooms are open to words from outside, and who is outside leaves without a sign.
        if line.nick in self._members:
            self._member(line.nick, account)
        elif account:
            self._elsewhere[account] = line.nick
        facts = {"account": account, "name": line.nick, "to": line.word(0), "text": text}
        tags = {"msgid": line.tags.get("msgid", ""), "at": line.tags.get("time", "")}
        self._tell(**facts, **tags)


_DO: dict[str, Callable[[Session, Line], None]] = {
    "PING": Session._ping,
    "ERROR": Session._error,
    "001": Session._greeted,
    "005": Session._feature,
    "332": Session._told_topic,
    "353": Session._named,
    "354": Session._who,
    "432": Session._nick_refused,
    "433": Session._nick_taken,
    "437": Session._nick_taken,
    "465": Session._banned,
    "ACCOUNT": Session._logged,
    "JOIN": Session._came,
    "KICK": Session._kicked,
    "MODE": Session._mode,
    "NICK": Session._renamed,
    "PART": Session._left,
    "PRIVMSG": Session._spoken,
    "QUIT": Session._quit,
    "TOPIC": Session._told_topic,
}
"""What is done when a line comes, by its command."""


def _is(*commands: str, about: str = "", after: Collection[str] = ()) -> Callable[[Line], bool]:
    """Return whether a line is one of some commands, about a room, or with one of some words."""

    def found(line: Line) -> bool:
        return (
            line.command in commands
            and (not about or about.lower() in (one.lower() for one in line.parameters[:2]))
            and (not after or line.word(1) in after)
        )

    return found


def _lists(line: Line) -> bool:
    """Return whether a line lists capabilities."""
    return line.command == "CAP" and line.word(1) == "LS"


def _refuses(line: Line, to: str) -> bool:
    """Return whether a line says that nothing was said to somebody."""
    return line.command[:1] in {*"457"} and line.word(1).lower() == to.lower()


def _pieces(line: str, most: int) -> Iterator[str]:
    """Yield a line in pieces of so many octets at most, cut between words where there are any."""
    while len(line.encode()) > most:
        piece = line.encode()[: most + 1].decode("utf-8", "ignore")
        at = piece.rfind(" ")
        piece = piece[:at] if at > 0 else line.encode()[:most].decode("utf-8", "ignore")
        yield piece.rstrip()
        line = line[len(piece) :].lstrip()
    if line:
        yield line
