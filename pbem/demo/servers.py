"""A real IMAP server and a real SMTP server in one background thread, on loopback, in memory."""

import asyncio
import logging
import threading
from argparse import Namespace
from collections.abc import Iterator, Mapping
from concurrent.futures import Future
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any, cast

from aiosmtpd.smtp import SMTP, AuthResult, Envelope, LoginPassword, Session
from proxyprotocol.sock import SocketInfo
from pymap.backend.dict import Config, Login
from pymap.backend.dict.filter import FilterSet
from pymap.backend.dict.mailbox import MailboxData, MailboxSet
from pymap.concurrent import Subsystem
from pymap.imap import IMAPServer
from pymap.parsing.message import AppendMessage
from pymap.user import UserMetadata
from pysasl.hashing import Cleartext

Address = tuple[str, int]

_LOOPBACK = "127.0.0.1"
_PYMAP_ARGS = Namespace(
    host=_LOOPBACK, port=0, debug=False, cert=None, key=None, tls=False,
    proxy_protocol=None, passlib_cfg=None,
    demo_data=False, demo_user="", demo_password="",
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class Embedded:
    """Where the two servers listen, as (host, port)."""

    imap: Address
    smtp: Address


@contextmanager
def embedded_servers(users: Mapping[str, str]) -> Iterator[Embedded]:
    """Run a mailbox for every user (address to password) until the block ends."""
    ready: Future[tuple[Embedded, asyncio.AbstractEventLoop, asyncio.Event]] = Future()
    logging.getLogger("mail.log").setLevel(logging.ERROR)  # aiosmtpd warns of its own deprecations
    thread = threading.Thread(
        target=_run, args=(users, ready), name="embedded mail servers", daemon=True
    )
    thread.start()
    servers, loop, stop = ready.result()
    try:
        yield servers
    finally:
        loop.call_soon_threadsafe(stop.set)
        thread.join()


def _run(users: Mapping[str, str], ready: Future[object]) -> None:
    try:
        asyncio.run(_serve(users, ready))
    except Exception as problem:
        if ready.done():
            raise
        ready.set_exception(problem)


async def _serve(users: Mapping[str, str], ready: Future[object]) -> None:
    service = _Office(users)
    imap = await asyncio.start_server(service.converse, _LOOPBACK, 0)
    smtp = await asyncio.get_running_loop().create_server(service.smtp_session, _LOOPBACK, 0)
    stop = asyncio.Event()
    servers = Embedded(_address(imap), _address(smtp))
    ready.set_result((servers, asyncio.get_running_loop(), stop))
    await stop.wait()
    await asyncio.sleep(0)  # asyncio 3.11 fails on a connection half accepted at close()
    imap.close()
    smtp.close()


def _address(server: asyncio.Server) -> Address:
    host, port = server.sockets[0].getsockname()
    return host, port


class _Office:
    """The mailboxes, and what the two servers do with them."""

    def __init__(self, users: Mapping[str, str]) -> None:
        self.users = {address.lower(): password for address, password in users.items()}
        self.boxes = {address: _Mailboxes() for address in self.users}
        config = _Config.from_args(
            _PYMAP_ARGS, hash_context=Cleartext(), cpu_subsystem=Subsystem.for_asyncio()
        )
        login = Login(config)
        for address, password in self.users.items():
            login.users_dict[address] = UserMetadata(config, address, password=password)
            config.set_cache[address] = (self.boxes[address], FilterSet())
        self.imap = IMAPServer(login, config)

    async def converse(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        """Run one IMAP session, in the task that asyncio keeps for the connection."""
        try:
            whole = cast(asyncio.StreamWriter, _WholeAnswers(writer))
            await self.imap(reader, whole, SocketInfo.get(writer, None))
        finally:
            writer.close()
            with suppress(OSError):
                await writer.wait_closed()

    def smtp_session(self) -> SMTP:
        """Return the handler of one SMTP connection; logging in is offered and not required."""
        return SMTP(
            self,
            hostname="localhost",
            enable_SMTPUTF8=True,
            auth_require_tls=False,
            authenticator=self.authenticate,
        )

    def authenticate(
        self, server: SMTP, session: Session, envelope: Envelope, mechanism: str, auth: object
    ) -> AuthResult:
        """Return whether the password is that of a mailbox."""
        known = isinstance(auth, LoginPassword) and (
            self.users.get(auth.login.decode(errors="replace").lower())
            == auth.password.decode(errors="replace")
        )
        return AuthResult(success=known, handled=False)

    async def handle_RCPT(  # noqa: N802
        self, server: SMTP, session: Session, envelope: Envelope, address: str, options: list[str]
    ) -> str:
        """Accept mail for the mailboxes that exist, with or without a +tag."""
        if mailbox_of(address) not in self.boxes:
            return "550 5.1.1 No such mailbox"
        envelope.rcpt_tos.append(address)
        return "250 2.1.5 OK"

    async def handle_DATA(  # noqa: N802
        self, server: SMTP, session: Session, envelope: Envelope
    ) -> str:
        """Put one copy into the INBOX of each recipient."""
        try:
            for address in envelope.rcpt_tos:
                await self._deliver(envelope, address)
        except RecursionError:  # pymap takes MIME parts apart by recursion
            return "554 5.6.0 Parts nested too deeply"
        return "250 2.0.0 Delivered"

    async def _deliver(self, envelope: Envelope, address: str) -> None:
        inbox = await self.boxes[mailbox_of(address)].get_mailbox("INBOX")
        stamped = _stamp(envelope.mail_from or "", address) + (envelope.original_content or b"")
        await inbox.append(AppendMessage(stamped, datetime.now(UTC), frozenset()))


def mailbox_of(address: str) -> str:
    """Return the mailbox that an address, perhaps with a +tag, belongs to."""
    local, _, domain = address.lower().rpartition("@")
    return f"{local.partition('+')[0]}@{domain}"


def _stamp(sender: str, recipient: str) -> bytes:
    lines = f"Return-Path: <{sender.strip('<>')}>\r\nDelivered-To: {recipient}\r\n"
    return lines.encode(errors="surrogateescape")


class _WholeAnswers:
    """A writer that sends an answer in one piece: some clients fail on half a line."""

    def __init__(self, writer: asyncio.StreamWriter) -> None:
        self._writer = writer
        self._pieces = bytearray()

    def write(self, piece: bytes) -> None:
        """Keep a piece until the answer is complete."""
        self._pieces += piece

    async def drain(self) -> None:
        """Send what has been kept."""
        self._writer.write(bytes(self._pieces))
        self._pieces.clear()
        await self._writer.drain()

    def close(self) -> None:
        """Close the connection."""
        self._writer.close()


class _Config(Config):
    greeting = b"pbem demonstration server"  # pymap's own asks DNS for the host's name


class _Mailboxes(MailboxSet):
    def __init__(self) -> None:
        super().__init__()
        self._inbox = _Inbox(self._content_cache, self._thread_cache)


class _Inbox(MailboxData):
    """An INBOX whose IDLE also announces mail that came just before it, which pymap forgets."""

    async def update_selected(self, selected: Any, *, wait_on: Any = None) -> Any:
        """Wait for news only if the client has everything already."""
        news = selected.mod_sequence != self._mod_sequences.highest
        if wait_on is not None and (news or wait_on.is_set()):
            wait_on = None
        return await super().update_selected(selected, wait_on=wait_on)
