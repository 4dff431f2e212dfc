"""Counters in Prometheus' text format, on a port that only this machine can reach."""

import threading
from collections.abc import Iterator, Mapping
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

from pbem.service.health import TROUBLES, Health

Counts = Mapping[tuple[str, str], int]
"""How often something happened since the start, by what (letters) and which (human)."""

_COUNTERS = {
    "letters": ("class", "Letters handled, by what they were."),
    "outgoing": ("result", "Tries at sending a letter, by how they went."),
    "deadlines": ("kind", "Deadlines played."),
}


def exposition(found: Health, counts: Counts) -> str:
    """Return all counters and gauges."""
    return "\n".join([*_counters(counts), *_gauges(found), ""])


def _counters(counts: Counts) -> Iterator[str]:
    for name, (label, purpose) in _COUNTERS.items():
        yield from _head(f"pbem_{name}_total", "counter", purpose)
        for (what, which), count in sorted(counts.items()):
            if what == name:
                yield f'pbem_{name}_total{{{label}="{which}"}} {count}'


def _gauges(found: Health) -> Iterator[str]:
    seconds = (found.at - found.oldest).total_seconds() if found.oldest else 0
    polled = found.last_poll.timestamp() if found.last_poll else 0
    for name, value, purpose in (
        ("letters_waiting", found.letters_waiting, "Letters kept and not handled yet."),
        ("letters_shunted", found.letters_shunted, "Letters set aside for a person to see."),
        ("outbox_queued", found.outbox_queued, "Letters that wait to be sent."),
        ("outbox_failed", found.outbox_failed, "Letters that could not be sent."),
        ("outbox_oldest_seconds", int(seconds), "Age of the oldest letter that waits."),
        ("last_poll_timestamp_seconds", polled, "When the mailbox was last read."),
    ):
        yield from (*_head(f"pbem_{name}", "gauge", purpose), f"pbem_{name} {value}")
    yield from _head("pbem_trouble", "gauge", "Whether there is trouble of a kind.")
    known = {trouble.key for trouble in found.troubles}
    yield from (f'pbem_trouble{{kind="{key}"}} {int(key in known)}' for key in TROUBLES)


def _head(name: str, kind: str, purpose: str) -> tuple[str, str]:
    return f"# HELP {name} {purpose}", f"# TYPE {name} {kind}"


class MetricsServer:
    """Answers GET /metrics with its `text`. Raises OSError if the port is not available."""

    def __init__(self, port: int) -> None:
        # The daemon replaces it as a whole, so that an answer in another thread needs no lock.
        self.text = ""
        self._server = ThreadingHTTPServer(("127.0.0.1", port), self._handler())
        self._thread = threading.Thread(target=self._server.serve_forever, daemon=True)
        self._thread.start()

    @property
    def port(self) -> int:
        """The port that it listens on."""
        return int(self._server.server_address[1])

    def close(self) -> None:
        """Stop answering."""
        self._server.shutdown()
        self._server.server_close()
        self._thread.join()

    def _handler(self) -> type[BaseHTTPRequestHandler]:
        whole = self

        class Handler(BaseHTTPRequestHandler):
            # A client that sends nothing must not keep a thread for ever.
            timeout = 5

            def do_GET(self) -> None:
                """Send the counters."""
                body = whole.text.encode()
                known = self.path == "/metrics"
                self.send_response(200 if known else 404)
                self.send_header("Content-Type", "text/plain; version=0.0.4; charset=utf-8")
                self.end_headers()
                self.wfile.write(body if known else b"look at /metrics\n")

            def log_message(self, *given: object) -> None:
                """Log nothing."""

        return Handler
