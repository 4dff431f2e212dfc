"""Access tokens of OAuth 2 (RFC 6749), by a refresh token or by the client's own credentials."""

import hashlib
import json
import os
import threading
import time
from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Literal

from pbem.channels.channel import ChannelDown, ChannelFault
from pbem.channels.mail.connections import TokenFault
from pbem.channels.web import Web

Grant = Literal["refresh_token", "client_credentials"]

_ASKING = threading.Lock()
"""Held while a token is asked for: mailbox and transport renew in threads of their own, and some
providers end a login whose refresh token is used twice."""
_EARLY = 120
"""How many seconds before its end a token is no longer used."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Client:
    """Who asks where for tokens; `renewed` is the file for a new refresh token, if one comes."""

    token_url: str
    client_id: str
    grant: Grant
    secret: str = field(default="", repr=False)
    refresh_token: str = field(default="", repr=False)
    scope: str = ""
    renewed: Path
    ca_file: str | None = None


class Tokens:
    """Returns an access token that is still valid, and asks for a new one when it is not."""

    def __init__(self, client: Client, clock: Callable[[], float] = time.time) -> None:
        self._client, self._clock = client, clock
        self._token, self._until = "", 0.0

    def get(self) -> str:
        """Return an access token. Raise TokenFault if there is none."""
        if not self._token or self._clock() >= self._until:
            with _ASKING:
                self._renew()
        return self._token

    def forget(self) -> None:
        """Drop the token, which the server did not accept: the next `get` asks for another."""
        self._token = ""

    def _renew(self) -> None:
        answer = self._ask()
        token = answer.get("access_token")
        if not isinstance(token, str) or not token.isascii() or not token.isprintable():
            raise TokenFault(f"{self._client.token_url} returned no access token.")
        self._token = token
        self._until = self._clock() + max(0.0, _lifetime(answer) - _EARLY)
        self._keep(answer.get("refresh_token"))

    def _ask(self) -> dict[str, Any]:
        client = self._client
        fields = {"grant_type": client.grant, "client_id": client.client_id}
        if client.grant == "refresh_token":
            fields["refresh_token"] = self._refresh_token()
        optional = {"client_secret": client.secret, "scope": client.scope}
        fields |= {key: value for key, value in optional.items() if value}
        try:
            return Web(client.token_url, {}, client.ca_file).submit(fields)
        except ChannelFault as error:
            refused = not isinstance(error, ChannelDown) or error.refused
            sentence = f"No access token was granted: {self._discreet(str(error))}"
            raise TokenFault(sentence, refused=refused) from None

    def _discreet(self, text: str) -> str:
        """Return a server's answer without the secrets that it may quote."""
        for secret in (self._client.secret, self._refresh_token()):
            text = text.replace(secret or "\0", "***")
        return text

    @property
    def _origin(self) -> str:
        return hashlib.sha256(self._client.refresh_token.encode()).hexdigest()

    def _refresh_token(self) -> str:
        """Return the newest refresh token that has replaced the one in the settings."""
        with suppress(OSError, ValueError, KeyError, TypeError):
            kept = json.loads(self._client.renewed.read_text("utf-8"))
            # A new token in the settings makes an old replacement worthless.
            if kept["origin"] == self._origin:
                return str(kept["token"])
        return self._client.refresh_token

    def _keep(self, token: object) -> None:
        """Store a new refresh token, because some providers let the old one expire."""
        if not isinstance(token, str) or token == self._refresh_token():
            return
        draft = self._client.renewed.with_name(f"{self._client.renewed.name}.draft")
        try:
            # Only the owner may read it, from the first moment on.
            with open(os.open(draft, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600), "w") as file:
                json.dump({"origin": self._origin, "token": token}, file)
            draft.rename(self._client.renewed)
        except OSError as error:
            raise TokenFault(f"{draft} can't be written ({error.strerror}).") from None


def _lifetime(answer: Mapping[str, Any]) -> float:
    """Return for how many seconds a token is valid; some providers write them as a text."""
    try:
        return float(answer["expires_in"])
    except (KeyError, TypeError, ValueError):
        # RFC 6749 only recommends expires_in; an hour is what most providers grant.
        return 3600.0
