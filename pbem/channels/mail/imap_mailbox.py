"""A folder on an IMAP server as a mailbox."""

import re
from collections.abc import Collection, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from time import monotonic

from pbem.channels.mail.connections import (
    UNSURE_LOGIN,
    WRONG_LOGIN,
    Bell,
    Tls,
    TokenFault,
    TokenSource,
    fault,
    tls_context,
)
from pbem.channels.mail.fetch_batches import (
    HEADER_BYTES,
    Listed,
    by_count,
    header_of,
    in_batches,
    message_id_of,
)
from pbem.channels.mail.imap import IdleRefused, ImapFault, ImapLost, Link, NotImap, said
from pbem.channels.mail.mailbox import MAX_BYTES, Arrival, Batch, Known, MailboxDown

IDLE_SECONDS = 45.0
FEW_CUTS, MOST_CUTS, CUTS_SECONDS = 3, 10, 60.0
"""So many letters may each end the connection in one look before that is taken for the network's
fault: a few where they take longer than so many seconds, as with a server that falls silent."""
CUT_AGAIN = 3600.0
"""How long to leave out a letter that ended the connection, in seconds."""
IDLE_AGAIN = 600.0
"""How long to poll after IDLE failed, in seconds."""
LISTED = 500
"""How many letters are listed at a time."""
_NOTHING = "the server lists it and hands over nothing"
_CUT = "the server hands over less of it than it lists, or something else"
# What RFC 5530 says of logins: these pass by themselves; only those are about the password.
_PASSING = ("UNAVAILABLE", "INUSE", "LIMIT", "SERVERBUG")
_ABOUT_LOGIN = ("AUTHENTICATIONFAILED", "AUTHORIZATIONFAILED", "EXPIRED")


@dataclass(frozen=True, slots=True, kw_only=True)
class ImapAccount:
    """Where an IMAP mailbox is; times in seconds, sizes in bytes."""

    host: str
    port: int
    tls: Tls
    user: str
    password: str = field(default="", repr=False)
    tokens: TokenSource | None = None
    folder: str = "INBOX"
    done_folder: str = "Processed"
    ca_file: str | None = None
    timeout: float = 30
    poll_seconds: float = 15
    max_bytes: int = MAX_BYTES


class ImapMailbox:
    """A folder on an IMAP server (RFC 3501, IDLE, MOVE, UIDPLUS). It neither reads nor sets \\Seen.

    Without MOVE letters are copied and expunged by UID; without UIDPLUS as well they stay where
    they are, since a plain EXPUNGE would remove what others have marked.
    """

    def __init__(self, account: ImapAccount) -> None:
        self.account = f"{account.user}@{account.host}"
        self.folder = account.folder
        self._at = account
        self._bell = Bell()
        self._client: Link | None = None
        self._uidvalidity = 0
        self._done = account.done_folder
        self._here: dict[str, int] = {}
        self._afresh, self._cuts, self._began = True, 0, 0.0
        self._cut_at: dict[str, tuple[float, str]] = {}
        self._polls_until = 0.0
        self.withheld: dict[str, str] = {}

    @property
    def moves(self) -> bool:
        """Whether letters can be moved to the done folder."""
        return self._client is not None and self._client.moves

    def connect(self) -> None:
        """Log in, open the folder, and make the done folder if there is none."""
        self._open()
        self._afresh = True
        with self._faults():
            self._done = self._make_done()

    def look_afresh(self) -> None:
        """Open the folder again, and look at all of it next time."""
        with self._faults():
            self._select()
        self._afresh = True

    def arrivals(self, known: Known) -> Iterator[Batch]:
        """Yield batches of at most 100 letters and about 8 MiB, by rising UID."""
        if self._afresh:
            self._here, self.withheld = {}, {}
        # Until all has been yielded: what is not stored must be found again.
        self._afresh, self._cuts, self._began = True, 0, monotonic()
        with self._faults():
            # Sizes first: without them a batch might not fit into memory.
            listed = self._list(self._link.newer(max(self._here.values(), default=0)))
        stored = known([one.place for one in listed.values() if one.sure])
        fresh = {uid: one for uid, one in listed.items() if one.place not in stored}
        for uid, one in list(fresh.items()):
            since, why = self._cut_at.get(one.place, (0.0, ""))
            if why and monotonic() < since + CUT_AGAIN:
                self.withheld[one.place] = why
                del fresh[uid]
        for portion, until in in_batches(fresh, self._at.max_bytes):
            batch = self._had({uid: fresh[uid] for uid in portion})
            if batch:
                yield Batch(batch, until)
        self._afresh = False

    def places(self) -> set[str]:
        """Return the places of all letters in the folder."""
        with self._faults():
            self._link.ask()
            return {one.place for one in self._list(self._link.search()).values()}

    def lists(self, place: str) -> bool:
        """Return whether a letter lay at a place when the folder was last looked at."""
        return place in self._here

    def file(self, places: Collection[str]) -> None:
        """Move letters to the done folder in batches: only what is still in its place."""
        here = [one for one in places if one in self._here] if self.moves else []
        meant = {self._here[one]: _undated(one) for one in here}
        with self._faults():
            for batch in by_count(sorted(meant)):
                # Asked again: a letter that nobody has read may have the number meanwhile.
                found = self._link.listed(batch, self._uidvalidity)
                there = [uid for uid, one in found.items() if _undated(one.place) == meant[uid]]
                if there:
                    self._link.put_away(there, self._done)

    def wait(self, seconds: float) -> bool:
        """IDLE for at most 45 s, or NOOP every `poll_seconds` where there is no IDLE."""
        with self._faults():
            if self._link.news:
                return True
            if self._link.has_capability("IDLE") and monotonic() >= self._polls_until:
                polls_until, self._polls_until = self._polls_until, monotonic() + IDLE_AGAIN
                with suppress(IdleRefused):
                    news = self._link.listen(self._bell, min(seconds, IDLE_SECONDS))
                    self._polls_until = polls_until
                    return news
            return self._poll(seconds)

    def wake(self) -> None:
        """End the present wait, or else the next."""
        self._bell.ring()

    def close(self) -> None:
        """Log out, without waiting long for an answer."""
        if self._client:
            with suppress(OSError, ImapFault, ValueError):
                self._client.socket().settimeout(2)
                self._client.logout()
        self._drop()

    @property
    def _link(self) -> Link:
        if self._client is None:
            raise MailboxDown(f"The mailbox {self.account} is not connected.")
        return self._client

    def _drop(self) -> None:
        if self._client:
            with suppress(OSError):
                self._client.shutdown()
        self._client = None

    @contextmanager
    def _faults(self) -> Iterator[None]:
        try:
            yield
        except MailboxDown:
            self._drop()
            raise
        except (OSError, ImapFault, ValueError) as error:
            sentence, retry = self._explain(error)
            self._drop()
            raise MailboxDown(sentence, retry=retry) from error

    def _explain(self, error: Exception) -> tuple[str, bool]:
        farewell = self._client.farewell if self._client else ""
        if farewell:
            return f"{self._at.host}:{self._at.port} closed the link: {farewell}.", True
        if isinstance(error, NotImap):
            where = f"{self._at.host}:{self._at.port}"
            return f"{where} speaks no IMAP, but says {str(error)!r}: is the port right?", True
        return fault(error, self._at.host, self._at.port)

    def _refuse(self, what: str, error: object, *, login: bool = False) -> MailboxDown:
        reason = said(error).replace(self._at.password or "\0", "***")
        codes = re.findall(r"\[([A-Z]+)\b", reason)  # RFC 5530
        farewell = self._client.farewell if self._client else ""
        passing = isinstance(error, ImapLost) or farewell or set(codes) & set(_PASSING)
        where = f"{self._at.host}:{self._at.port}"
        sentence = f"{where} {what}: {reason or farewell}."
        if not login or passing:
            return MailboxDown(sentence, retry=bool(passing))
        # With any other code the server's own words say what is wrong.
        about_login = bool(set(codes) & set(_ABOUT_LOGIN))
        if self._at.tokens is None and (about_login or not codes):
            sentence += f" {WRONG_LOGIN if about_login else UNSURE_LOGIN}"
        return MailboxDown(sentence, retry=bool(codes) and not about_login, refused=True)

    def _open(self) -> None:
        self.close()
        with self._faults():
            self._dial()
            self._log_in()
            self._link.introduce()
            self._select()

    def _dial(self) -> None:
        at = self._at
        context = None if at.tls == "none" else tls_context(at.ca_file)
        self._client = Link(at.host, at.port, context if at.tls == "tls" else None, at.timeout)
        if at.tls == "starttls":
            if not self._link.offers("STARTTLS"):
                raise self._refuse("does not offer STARTTLS", 'try tls = "tls" and its port')
            self._link.starttls(context)

    def _log_in(self) -> None:
        if self._link.offers("LOGINDISABLED"):
            raise self._refuse("takes no login without TLS", 'set tls = "starttls" or "tls"')
        # imaplib's LOGIN takes ASCII alone; PLAIN takes UTF-8 (RFC 4616).
        plain = (self._at.user + self._at.password).isascii()
        log_in = self._link.login if plain else self._link.plain_login
        try:
            if self._at.tokens is None:
                log_in(self._at.user, self._at.password)
            else:
                self._link.token_login(self._at.user, self._at.tokens.get())
        except TokenFault as error:
            raise MailboxDown(str(error), refused=error.refused) from None
        except ImapLost:
            raise
        except ImapFault as error:
            if self._at.tokens is not None:
                self._at.tokens.forget()
            what = f"refused the login of {self._at.user}"
            raise self._refuse(what, error, login=True) from None

    def _select(self) -> None:
        try:
            self._uidvalidity = int(self._link.select_folder(self.folder)[b"UIDVALIDITY"])
        except ImapFault as error:
            raise self._refuse(
                f"cannot open the folder {self.folder} ([imap] folder)", error
            ) from error
        except KeyError as error:
            raise self._refuse(f"gives no lasting numbers to {self.folder}", error) from error

    def _make_done(self) -> str:
        name = self._link.full_name(self._at.done_folder)
        try:
            if not self._link.exists(name):
                self._link.make(name)
        except ImapLost:
            raise
        except ImapFault as error:
            raise self._refuse(f"cannot make the folder {name}", error) from error
        return name

    def _list(self, uids: Sequence[int]) -> dict[int, Listed]:
        """Return what the server says of letters, and note what it lists and says nothing of."""
        found = dict[int, Listed]()
        for group in by_count(uids, LISTED):
            found |= self._link.listed(group, self._uidvalidity)
        self._here |= {one.place: uid for uid, one in found.items()}
        self._withhold({uid: f"UID {uid}" for uid in uids if uid not in found}, _NOTHING)
        return found

    def _withhold(self, places: Mapping[int, str], why: str) -> None:
        """Note letters that can't be had, unless they are gone."""
        for group in by_count(places, LISTED):
            for uid in self._link.there(group):
                self.withheld[places[uid]] = f"UID {uid} in {self.folder}: {why}"

    def _had(self, listed: Mapping[int, Listed]) -> list[Arrival]:
        """Return letters with their texts.

        Where that ends the connection, they are asked for one by one: some servers break at one
        letter, each time, and what lies behind it must not wait for ever.
        """
        try:
            return self._fetch(listed)
        except MailboxDown as error:
            if not error.retry:
                raise
        found = list[Arrival]()
        for uid, one in listed.items():
            self._open_again()
            try:
                found += self._fetch({uid: one})
            except MailboxDown as error:
                self._cuts += 1
                why = self.withheld[one.place] = f"UID {uid} in {self.folder}: {error}"
                self._cut_at[one.place] = monotonic(), why
                late = monotonic() > self._began + CUTS_SECONDS
                if not error.retry or self._cuts > (FEW_CUTS if late else MOST_CUTS):
                    raise
        self._open_again()
        return found

    def _open_again(self) -> None:
        if self._client is None:
            before = self._uidvalidity
            self._open()
            if self._uidvalidity != before:
                raise MailboxDown(f"{self._at.host} has renumbered {self.folder} meanwhile.")

    def _fetch(self, listed: Mapping[int, Listed]) -> list[Arrival]:
        with self._faults():
            self._link.ask()  # without this, the UID of a removed letter may mean another one
            texts = self._texts(listed)
            self._withhold({uid: listed[uid].place for uid in listed.keys() - texts}, _NOTHING)
            cut = {uid for uid in texts if not self._is_whole(uid, listed[uid], texts[uid])}
            self._withhold({uid: listed[uid].place for uid in cut}, _CUT)
        return [self._arrival(listed[uid], texts[uid]) for uid in sorted(texts.keys() - cut)]

    def _texts(self, listed: Mapping[int, Listed]) -> dict[int, bytes]:
        # Of letters that are too large only the header is fetched, enough to answer them.
        sizes = {uid: one.octets for uid, one in listed.items()}
        small = {uid: size for uid, size in sizes.items() if size <= self._at.max_bytes}
        whole = self._link.texts(list(small), "BODY.PEEK[]", max(small.values(), default=0))
        large = list(sizes.keys() - small)
        heads = self._link.texts(large, f"BODY.PEEK[HEADER]<0.{HEADER_BYTES}>", HEADER_BYTES)
        return whole | heads

    def _is_whole(self, uid: int, one: Listed, text: bytes) -> bool:
        """Return whether a text is the letter that was listed, and all of it."""
        header = header_of(text, len(text))
        # Of a large letter it may lie behind the part of the header that was asked for.
        known = message_id_of(header) or (one.message_id if len(text) >= HEADER_BYTES else "")
        if one.message_id and known != one.message_id:
            return False
        # Servers may count line ends as two octets and send one.
        if one.octets > self._at.max_bytes or len(text) + text.count(b"\n") >= one.octets:
            return True
        # Others only estimate: then the letter ends where the text ends.
        return bool(one.message_id) and not self._link.goes_on(uid, len(text))

    def _arrival(self, one: Listed, text: bytes) -> Arrival:
        size = max(one.octets, len(text))
        truncated = size > self._at.max_bytes
        raw = header_of(text) if truncated else text
        octets = size if truncated else len(text)
        return Arrival(one.place, one.received, octets, raw, truncated)

    def _poll(self, seconds: float) -> bool:
        end = monotonic() + seconds
        while (left := end - monotonic()) > 0:
            rung, _ = self._bell.wait(min(left, self._at.poll_seconds))
            self._link.ask()
            if rung or self._link.news:
                break
        return self._link.news


def _undated(place: str) -> list[str]:
    """Return a place without its date, which some servers make anew each time."""
    words = place.split()
    return words[:3] + words[4:]
