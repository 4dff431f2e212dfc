"""What servers that behave like boards have in common, and Discord's web hooks.

They answer 400 to every request that is not of the documented form, and keep what was posted.
"""

import json
import socket
import threading
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any, Self

Answer = tuple[int, Any, dict[str, str]]
"""A status, an answer, which is JSON unless it is bytes, and headers."""


class Refusal(Exception):
    """A request that is not of the documented form."""


def need(holds: object, why: str) -> None:
    """Refuse a request that is not as it should be."""
    if not holds:
        raise Refusal(why)


class Board:
    """A board: its posts by number, each with its topic and its text."""

    def __init__(self) -> None:
        self.posts: dict[int, tuple[int, str]] = {}
        self.titles: dict[int, str] = {}
        self.last_change = ""
        self.swallow = False
        self.url = ""
        self.may_begin_topics = True
        self.fault_page: Any = {"errors": ["not now"]}
        self._fault: tuple[int, dict[str, str]] | None = None

    def fail(self, status: int, headers: Mapping[str, str] | None = None) -> None:
        """Answer every request with this status from now on."""
        self._fault = status, dict(headers or {})

    def mend(self) -> None:
        """Answer as usual again."""
        self._fault = None

    def standing(self, what: str) -> list[str]:
        """Return the texts of the war's post or of the game's, in order."""
        war = {n for n, title in self.titles.items() if "state of the war" in title}
        return [text for topic, text in self.posts.values() if (topic in war) == (what == "war")]

    @contextmanager
    def running(self) -> Iterator[Self]:
        """Serve on a port of this machine until the block ends."""
        server = ThreadingHTTPServer(("127.0.0.1", 0), _handler(self))
        server.daemon_threads = True
        thread = threading.Thread(target=server.serve_forever, args=(0.02,))
        thread.start()
        self.url = f"http://127.0.0.1:{server.server_port}"
        try:
            yield self
        finally:
            server.shutdown()
            thread.join()
            server.server_close()

    def answer(self, method: str, path: str, headers: Any, body: Any) -> Answer:
        """Answer a request."""
        if self._fault:
            return self._fault[0], self.fault_page, self._fault[1]
        try:
            return self.act(method, path, headers, body)
        except Refusal as refusal:
            return 400, {"errors": [str(refusal)]}, {}

    def act(self, method: str, path: str, headers: Any, body: Any) -> Answer:
        """Do what is asked for; each board in its own way."""
        raise NotImplementedError

    def put(self, topic: int, text: str) -> int:
        """Keep a post and return its number."""
        number = 100 + len(self.posts)
        self.posts[number] = (topic, text)
        self.last_change = (
            text if "state of the war" in self.titles.get(topic, "") else self.last_change
        )
        return number

    def change(self, number: int, text: str) -> None:
        """Change a post."""
        need(number in self.posts, "there is no such post")
        self.posts[number] = (self.posts[number][0], text)
        self.last_change = text


def _handler(board: Board) -> type[BaseHTTPRequestHandler]:
    class Handler(BaseHTTPRequestHandler):
        def _any(self) -> None:
            data = self.rfile.read(int(self.headers.get("Content-Length") or 0))
            body = json.loads(data) if data else None
            status, answer, headers = board.answer(self.command, self.path, self.headers, body)
            if board.swallow and self.command != "GET":
                self.close_connection = True
                return
            self.send_response(status)
            for name, value in headers.items():
                self.send_header(name, value)
            self.end_headers()
            self.wfile.write(answer if isinstance(answer, bytes) else json.dumps(answer).encode())

        do_GET = do_POST = do_PUT = do_PATCH = _any  # noqa: N815 - the library's names

        def log_message(self, *args: Any) -> None:
            """Log nothing."""

    return Handler


class Discord(Board):
    """discord.com/developers: Execute Webhook with ?wait=true, Edit Webhook Message."""

    def act(self, method: str, path: str, headers: Any, body: Any) -> Answer:
        """Do what is asked for."""
        if method == "GET":
            there = path == "/api/webhooks/1/abc"
            return (200, {"id": "1"}, {}) if there else (404, {"message": "Unknown Webhook"}, {})
        need(0 < len(body["content"]) <= 2000, "content is 1 to 2000 characters")
        need(body["allowed_mentions"] == {"parse": []}, "it might call somebody")
        if method == "PATCH":
            number = int(path.removeprefix("/api/webhooks/1/abc/messages/"))
            self.change(number, body["content"])
            return 200, {"id": str(number)}, {}
        need(path == "/api/webhooks/1/abc?wait=true", "no such hook")
        topic = 1 if "state of the war" in body["content"] else 2
        self.titles[topic] = "the state of the war" if topic == 1 else "games"
        return 200, {"id": str(self.put(topic, body["content"]))}, {}


@contextmanager
def hanging() -> Iterator[str]:
    """A server that takes connections and never answers."""
    with socket.create_server(("127.0.0.1", 0)) as server:
        yield f"http://127.0.0.1:{server.getsockname()[1]}"
