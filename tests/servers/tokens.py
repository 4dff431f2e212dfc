"""A provider's token endpoint on this machine: its tokens are valid at our Dovecot (RFC 6749)."""

import base64
import hashlib
import hmac
import json
import time
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from threading import Thread
from urllib.parse import parse_qs

from tests.servers.dovecot import TOKEN_KEY


def access_token(user: str, seconds: int = 600, key: bytes = TOKEN_KEY) -> str:
    """Return a signed token (RFC 7519) for a user."""
    now = int(time.time())
    claims = {"sub": user, "email": user, "iat": now - 5, "exp": now + seconds}
    signed = f"{_part({'alg': 'HS256', 'typ': 'JWT', 'kid': 'default'})}.{_part(claims)}"
    return f"{signed}.{_coded(hmac.digest(key, signed.encode(), hashlib.sha256))}"


def _part(value: dict[str, object]) -> str:
    return _coded(json.dumps(value).encode())


def _coded(raw: bytes) -> str:
    return base64.urlsafe_b64encode(raw).decode().rstrip("=")


class Provider:
    """Issues access tokens of a user to one client; with `rotate` also a new refresh token each
    time."""

    def __init__(self, user: str, rotate: bool = False) -> None:
        self.user, self.rotate = user, rotate
        self.refresh_token, self.secret = "refresh-0", "client-secret"
        self.seconds, self.key = 600, TOKEN_KEY
        self.asked: list[dict[str, str]] = []
        self.url = ""

    def answer(self, form: dict[str, str]) -> tuple[int, dict[str, object]]:
        """Judge a request."""
        self.asked.append(form)
        renewing = form.get("grant_type") == "refresh_token"
        given, wanted = (
            (form.get("refresh_token"), self.refresh_token)
            if renewing
            else (form.get("client_secret"), self.secret)
        )
        if given != wanted:
            return 400, {"error": "invalid_grant", "error_description": f"{given} has expired"}
        found: dict[str, object] = {
            "access_token": access_token(self.user, self.seconds, self.key),
            "expires_in": self.seconds,
            "token_type": "Bearer",
        }
        if self.rotate and renewing:
            self.refresh_token = f"refresh-{len(self.asked)}"
            found["refresh_token"] = self.refresh_token
        return 200, found


@contextmanager
def provider(user: str, rotate: bool = False) -> Iterator[Provider]:
    """Run a token endpoint."""
    made = Provider(user, rotate)

    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            """Answer a request for a token."""
            raw = self.rfile.read(int(self.headers["Content-Length"])).decode()
            status, found = made.answer({key: one[0] for key, one in parse_qs(raw).items()})
            self.send_response(status)
            self.end_headers()
            self.wfile.write(json.dumps(found).encode())

        def log_message(self, *given: object) -> None:
            """Log nothing."""

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    made.url = f"http://127.0.0.1:{server.server_address[1]}/token"
    thread = Thread(target=server.serve_forever)
    thread.start()
    try:
        yield made
    finally:
        server.shutdown()
        server.server_close()
        thread.join()
