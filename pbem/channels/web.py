"""The HTTP client: it sends and reads JSON, and turns faults into exceptions."""

import http.client
import json
import socket
import ssl
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime
from threading import Timer
from typing import Any, TypeVar
from urllib.parse import SplitResult, urlencode, urljoin, urlsplit

from pbem.channels.channel import LOOPBACK, ChannelDown, PostDeferred, PostRefused
from pbem.channels.mail.connections import fault, tls_context

Answer = TypeVar("Answer", dict[str, Any], list[dict[str, Any]])

TIMEOUT = 20.0
"""Seconds that we wait for a further piece of an answer."""
LONGEST = 120.0
"""Seconds that a whole answer may take, or a server that drips it out would hold us for ever."""
MOST = 32 * 1024 * 1024
"""The most octets of an answer that are read: fifty posts as long as boards take them, and more."""


class Missing(PostRefused):
    """What was asked for does not exist; `answer` is the site's JSON, or {}."""

    def __init__(self, sentence: str, answer: Mapping[str, Any]) -> None:
        super().__init__(sentence)
        self.answer = answer


class Refused(PostDeferred):
    """The site refused a request with `status`; `answer` is its JSON, or {}."""

    def __init__(self, sentence: str, status: int, answer: Mapping[str, Any]) -> None:
        super().__init__(sentence)
        self.status, self.answer = status, answer


def wrong_url(url: str) -> str | None:
    """Return why a URL can't be a board's, or None."""
    try:
        parts = urlsplit(url)
        valid = bool(parts.hostname) and parts.port != 0
    except ValueError:
        valid = False
    if not valid or parts.scheme not in ("https", "http") or not url.isascii():
        return f"url is {url!r}; write one like https://forum.league.example"
    if parts.scheme == "http" and parts.hostname not in LOOPBACK:
        return f"url must begin with https:// for {parts.hostname}"
    return None


class Web:
    """One site that answers with JSON; each request has a connection of its own."""

    def __init__(self, url: str, headers: Mapping[str, str], ca_file: str | None = None) -> None:
        self._url, self._headers, self._ca_file = url.rstrip("/"), headers, ca_file

    def submit(self, fields: Mapping[str, str]) -> dict[str, Any]:
        """Send a form to the site's URL, and return the answer; raise as `ask` does."""
        body = urlencode(fields).encode()
        reply, data = self._fetch("POST", self._url, body, "application/x-www-form-urlencoded")
        return self._judge("POST", reply, data, dict)

    def ask(self, method: str, path: str, body: dict[str, Any] | None = None) -> dict[str, Any]:
        """Send a request, and return the answer; raise Missing, Refused or another ChannelFault."""
        return self._judge(method, *self._answered(method, path, body), dict)

    def items(self, path: str) -> list[dict[str, Any]]:
        """Ask for a list, and return it; raise as `ask` does."""
        return self._judge("GET", *self._answered("GET", path, None), list)

    def _answered(
        self, method: str, path: str, body: dict[str, Any] | None
    ) -> tuple[http.client.HTTPResponse, bytes]:
        url = self._url + path
        written = None if body is None else json.dumps(body).encode()
        reply, data = self._fetch(method, url, written)
        if method == "GET" and reply.status in (301, 302, 307, 308):
            there = urljoin(url, reply.getheader("Location", ""))
            # Never to another host: the headers hold the key.
            if urlsplit(there)[:2] == urlsplit(url)[:2]:
                reply, data = self._fetch(method, there, None)
        return reply, data

    def _fetch(
        self, method: str, url: str, body: bytes | None, kind: str = "application/json"
    ) -> tuple[http.client.HTTPResponse, bytes]:
        """Send a request and return its answer; a fault after it was sent is `unsure`."""
        at = urlsplit(url)
        link = self._link(at)
        path = (at.path or "/") + (f"?{at.query}" if at.query else "")
        sent = False
        try:
            # Apart from the request: a fault up to here proves that nothing was sent.
            link.connect()
            sent = method != "GET"
            headers = {"Accept": "application/json", "User-Agent": "pbem", **self._headers}
            with _cut_off(link.sock):
                link.request(method, path, body, headers | {"Content-Type": kind})
                with link.getresponse() as reply:
                    data = reply.read(MOST)
                    # Read so, an answer that was cut off, or is too long, is no fault by itself.
                    if reply.length:
                        raise http.client.IncompleteRead(data, reply.length)
                    return reply, data
        except (OSError, http.client.HTTPException) as error:
            raise ChannelDown(fault(error, link.host, link.port)[0], unsure=sent) from error
        finally:
            link.close()

    def _link(self, at: SplitResult) -> http.client.HTTPConnection:
        # http.client reads no proxies and no .netrc from its surroundings (decision 0023).
        host = at.hostname or ""
        if at.scheme == "http":
            return http.client.HTTPConnection(host, at.port, timeout=TIMEOUT)
        context = self._context()
        return http.client.HTTPSConnection(host, at.port, timeout=TIMEOUT, context=context)

    def _context(self) -> ssl.SSLContext:
        try:
            return tls_context(self._ca_file)
        except OSError as error:
            raise ChannelDown(str(error), refused=True) from error

    def _judge(
        self, method: str, reply: http.client.HTTPResponse, data: bytes, form: type[Answer]
    ) -> Answer:
        """Return an answer of the form that was wanted; raise as `ask` does."""
        host, status = urlsplit(self._url).hostname, reply.status
        words = " ".join(data[:2000].decode("utf-8", "replace").split())
        said = f"{host} answered {status}: {words[:300]}"
        found = _json(data)
        answer = found if isinstance(found, dict) else {}
        wait = reply.getheader("Retry-After") or _wait(answer)
        if status >= 500 or status == 429 or (status >= 400 and wait):
            # One that failed itself may have taken the post before.
            unsure = status >= 500 and method != "GET"
            raise ChannelDown(said, unsure=unsure, after=_seconds(wait))
        if status in (404, 410) and method != "POST":
            # A page of words comes from what stands before the board, and knows none of its posts.
            if found is None:
                raise ChannelDown(said)
            raise Missing(said, answer)
        if status == 413:
            raise PostRefused(said)
        if status == 401 or 300 <= status < 400:
            raise ChannelDown(said, refused=True)
        # Boards write 400, 403 or 422 for a rate, a title too like another, a right that we lack.
        if status >= 400:
            raise Refused(said, status, answer)
        if not isinstance(found, form):
            raise ChannelDown(f"{said} (which is not JSON)", unsure=method != "GET")
        return found


@contextmanager
def _cut_off(link: socket.socket) -> Iterator[None]:
    """Hang up if what is asked and answered takes too long."""
    end = Timer(LONGEST, _hang_up, (link,))
    end.daemon = True
    end.start()
    try:
        yield
    finally:
        end.cancel()


def _hang_up(link: socket.socket) -> None:
    with suppress(OSError):
        link.shutdown(socket.SHUT_RDWR)


def _json(data: bytes) -> object:
    try:
        return json.loads(data or b"{}")
    except (ValueError, RecursionError):
        return None


@contextmanager
def reading_answers() -> Iterator[None]:
    """Turn into ChannelDown what a reader of answers stumbles over: a refusal, or another form."""
    try:
        yield
    except (PostDeferred, PostRefused) as error:
        raise ChannelDown(str(error), refused=True) from error
    except (LookupError, TypeError, ValueError, AttributeError) as error:
        raise ChannelDown(f"The board answered in a form that we don't know: {error!r}") from error


def number(made: Mapping[str, object], *keys: str) -> str:
    """Return the numbers of what was made, as text. Raise PostRefused if it has none."""
    if not all(key in made for key in keys):
        raise PostRefused("It was taken, but stands nowhere yet: it may wait for approval there.")
    return "/".join(str(made[key]) for key in keys)


def _wait(answer: Mapping[str, Any]) -> object:
    """Return the seconds that an answer asks us to wait: Discord's form, or that of Discourse."""
    extras = answer.get("extras")
    told = extras if isinstance(extras, dict) else {}
    return answer.get("retry_after") or told.get("wait_seconds")


def _seconds(value: object) -> float:
    """Return the seconds in a Retry-After, a number or a date; a minute if it can't be read."""
    try:
        seconds = float(str(value))
    except ValueError:
        try:
            seconds = (parsedate_to_datetime(str(value)) - datetime.now(UTC)).total_seconds()
        except (ValueError, TypeError):
            return 60.0
    # An absurd number must not stop a channel for ever.
    return min(86400.0, max(1.0, seconds))
