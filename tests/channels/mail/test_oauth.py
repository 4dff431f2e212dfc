"""OAuth 2 against a Dovecot and a Postfix that check the tokens, and a provider of them."""

from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from pbem.channels.mail.connections import TokenFault
from pbem.channels.mail.imap_mailbox import ImapAccount, ImapMailbox
from pbem.channels.mail.mailbox import MailboxDown
from pbem.channels.mail.transport import SmtpAccount, SmtpTransport, TransportDown
from pbem.channels.oauth import Client, Tokens
from pbem.settings import Settings, SettingsError
from pbem.settings.load import load, parse
from tests.servers.host import MailHost
from tests.servers.tokens import Provider, provider
from tests.support.players import REFEREE
from tests.support.program import Sections, pbem, sections, write_league


@pytest.fixture
def giver() -> Iterator[Provider]:
    with provider(REFEREE) as made:
        yield made


def client(giver: Provider, folder: Path, **more: Any) -> Client:
    given = {"token_url": giver.url, "client_id": "pbem", "grant": "refresh_token"}
    given |= {"refresh_token": giver.refresh_token, "renewed": folder / "renewed"}
    return Client(**(given | more))


class TestTokens:
    def test_a_token_is_kept_until_shortly_before_its_end(
        self, giver: Provider, tmp_path: Path
    ) -> None:
        now = [0.0]
        tokens = Tokens(client(giver, tmp_path), lambda: now[0])
        first = tokens.get()
        now[0] = 400
        assert tokens.get() == first
        now[0] = 500
        tokens.get()
        assert len(giver.asked) == 2
        tokens.forget()
        tokens.get()
        assert len(giver.asked) == 3

    @pytest.mark.parametrize("expected", ["900", "soon", None])
    def test_a_lifetime_in_another_form_is_no_fault(
        self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, expected: str | None
    ) -> None:
        answer = {"access_token": "t0ken", "expires_in": expected}
        monkeypatch.setattr("pbem.channels.web.Web.submit", lambda web, fields: answer)
        account = Client(
            token_url="https://login.example",
            client_id="pbem",
            grant="client_credentials",
            renewed=tmp_path / "renewed",
        )
        assert Tokens(account).get() == "t0ken"

    def test_a_new_refresh_token_outlives_the_program(self, tmp_path: Path) -> None:
        with provider(REFEREE, rotate=True) as giver:
            told = client(giver, tmp_path)
            for _ in range(3):
                Tokens(told).get()
            assert giver.refresh_token == "refresh-3"
            assert told.renewed.stat().st_mode & 0o777 == 0o600
            giver.refresh_token = "fresh"
            Tokens(replace(told, refresh_token="fresh")).get()

    def test_no_refresh_token_is_used_twice_by_threads(self, tmp_path: Path) -> None:
        with provider(REFEREE, rotate=True) as giver, ThreadPoolExecutor(4) as threads:
            told = client(giver, tmp_path)
            for found in [threads.submit(Tokens(told).get) for _ in range(12)]:
                assert found.result()

    def test_what_is_refused_is_told_without_the_secret(
        self, giver: Provider, tmp_path: Path
    ) -> None:
        with pytest.raises(TokenFault, match="invalid_grant") as found:
            Tokens(client(giver, tmp_path, refresh_token="old-secret")).get()
        assert found.value.refused
        assert "old-secret" not in str(found.value)
        assert "old-secret" not in repr(client(giver, tmp_path, refresh_token="old-secret"))

    def test_a_provider_that_is_away_is_no_refusal(self, tmp_path: Path) -> None:
        with provider(REFEREE) as giver:
            told = client(giver, tmp_path)
        with pytest.raises(TokenFault) as found:
            Tokens(told).get()
        assert not found.value.refused


def league(host: MailHost, giver: Provider, grant: str) -> Sections:
    """A league's settings on a mail host, by tokens of a provider."""
    config = sections(host)
    for name in ("imap", "smtp"):
        del config[name]["password_file"]
        config[name]["auth"] = "oauth2"
    oauth = {"token_url": giver.url, "client_id": "pbem", "grant": grant}
    secrets = {"refresh_token": "refresh_token_file", "client_credentials": "client_secret_file"}
    return config | {"oauth": oauth | {secrets[grant]: "oauth"}}


def settings(folder: Path, told: Sections, secret: str) -> Settings:
    (folder / "oauth").write_text(f"{secret}\n")
    return load(write_league(folder, told), {})


@pytest.mark.services
class TestServers:
    @pytest.mark.parametrize("grant", ["refresh_token", "client_credentials"])
    def test_letters_come_and_go_by_tokens(
        self, installed: MailHost, giver: Provider, tmp_path: Path, grant: str
    ) -> None:
        secret = giver.refresh_token if grant == "refresh_token" else giver.secret
        settings(tmp_path, league(installed, giver, grant), secret)
        done = pbem("--config", tmp_path / "league.toml", "check", "--send", "--wait", "20")
        assert done.returncode == 0, done.stdout.decode() + done.stderr.decode()
        assert b"it came back after" in done.stdout
        assert {form["grant_type"] for form in giver.asked} == {grant}

    def test_a_token_that_the_server_does_not_take_is_a_refused_login_and_forgotten(
        self, installed: MailHost, giver: Provider, tmp_path: Path
    ) -> None:
        giver.key = b"another key"
        told = settings(tmp_path, league(installed, giver, "refresh_token"), giver.refresh_token)
        mailbox, transport = told.mailbox(), told.transport()
        assert isinstance(transport, SmtpTransport)
        with pytest.raises(MailboxDown, match="refused the login") as found:
            mailbox.connect()
        assert found.value.refused
        with pytest.raises(TransportDown, match="by token") as refused:
            transport.connect()
        assert refused.value.refused
        giver.key = Provider(REFEREE).key
        mailbox.connect()
        transport.connect()
        mailbox.close()
        transport.close()

    def test_oauthbearer_where_it_alone_is_known(
        self, installed: MailHost, giver: Provider, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        tokens = Tokens(client(giver, tmp_path))
        ca = str(installed.ca_file)
        monkeypatch.setattr(
            "pbem.channels.mail.imap.Link.offers", lambda link, name: name == "AUTH=OAUTHBEARER"
        )
        (host, port), tls = installed.imap, installed.tls
        account = ImapAccount(
            host=host, port=port, tls="none", user=REFEREE, tokens=tokens, ca_file=ca
        )
        mailbox = ImapMailbox(account)
        mailbox.connect()
        mailbox.close()
        host, port = installed.smtp
        transport = SmtpTransport(
            SmtpAccount(host=host, port=port, tls=tls, user=REFEREE, tokens=tokens, ca_file=ca)
        )
        monkeypatch.setattr("smtplib.SMTP.ehlo_or_helo_if_needed", _only_bearer, raising=True)
        transport.connect()
        transport.close()


def _only_bearer(smtp: Any) -> None:
    """Say EHLO, and ignore any other way to log in."""
    smtp.ehlo()
    smtp.esmtp_features["auth"] = "OAUTHBEARER"


@pytest.mark.parametrize(
    ("change", "words"),
    [
        ({"oauth": None}, r"\[oauth\] is missing"),
        ({"token_url": "http://mail.example/token"}, "token_url must begin with https"),
        ({"refresh_token_file": ""}, "refresh_token_file is missing"),
        ({"grant": "client_credentials"}, "client_secret_file is missing"),
        ({"grant": "password"}, "must be one of"),
    ],
)
def test_what_is_missing_is_named(change: dict[str, Any], words: str, tmp_path: Path) -> None:
    oauth = {
        "token_url": "https://login.example/token",
        "client_id": "pbem",
        "refresh_token_file": "refresh",
    }
    expected: dict[str, Any] = {
        "league": {"name": "L", "address": REFEREE},
        "imap": {"host": "imap.example", "user": REFEREE, "auth": "oauth2"},
    }
    if change != {"oauth": None}:
        expected["oauth"] = oauth | change
    with pytest.raises(SettingsError, match=words):
        parse(expected, tmp_path)
