"""DKIM: letters signed as they go out, and the signatures of those that come in (RFC 6376)."""

import base64
import hashlib
import json
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path

import pytest
from cryptography.hazmat.primitives.asymmetric import ec, ed25519, rsa
from cryptography.hazmat.primitives.serialization import Encoding, NoEncryption, PrivateFormat

from pbem.channels.mail import dkim
from pbem.channels.mail.dkim import Check, Signer, signatures
from pbem.channels.mail.sender_authentication import AuthenticationSettings
from pbem.channels.mail.signing import DkimSettings, SigningTransport
from pbem.channels.mail.transport import Deferred
from pbem.mime_writer import Envelope, compose
from pbem.settings import Settings, SettingsError
from tests.maintenance.test_roundtrip import findings
from tests.servers.dns import name_server
from tests.servers.host import MailHost
from tests.support.harness import Pigeonholes, duel, open_league, settings_for
from tests.support.players import REFEREE
from tests.support.program import Sections, pbem, sections, write_league

NOW = datetime(2026, 11, 22, 12, 0, tzinfo=UTC)
HOME = "league.example"
KEY = dkim.new_key()
NAME = f"league1._domainkey.{HOME}"


def pem(key: rsa.RSAPrivateKey | ed25519.Ed25519PrivateKey | ec.EllipticCurvePrivateKey) -> str:
    return key.private_bytes(Encoding.PEM, PrivateFormat.PKCS8, NoEncryption()).decode()


def letter(text: str = "Hello  there\n\n.\nFrom here\n\n\n") -> bytes:
    envelope = Envelope(
        league="Avalon League",
        address=REFEREE,
        to="ann@player.example",
        to_name="Ánn of the very long name that must be broken over some lines of a header",
        reply_to=REFEREE,
        date=NOW,
        message_id="<1@league.example>",
        answers="<0@player.example>",
        thread=["<0@player.example>"],
        fields={"List-Unsubscribe": "<mailto:x@league.example>"},
    )
    return compose(envelope, "[G1] Hawk against Kestrel", text, f"<p>{text}</p>")


def by(*records: str) -> dkim.Lookup:
    """Answer each question with the same records."""
    return lambda name: list(records)


@pytest.fixture(params=["rsa", "ed25519"])
def signer(request: pytest.FixtureRequest) -> Signer:
    own = KEY if request.param == "rsa" else pem(ed25519.Ed25519PrivateKey.generate())
    return Signer(HOME, "league1", own)


def test_what_is_signed_holds_on_the_way(signer: Signer) -> None:
    signed = signer.sign(letter())
    assert signed.endswith(letter())
    assert max(map(len, signed.split(b"\r\n"))) < 998
    for arrived in (
        signed,
        signed.replace(b"\r\n", b"\n"),
        b"Received: from a by b\r\nReturn-Path: <x>\r\n" + signed,
        signed.replace(b"\r\nSubject: ", b"\r\nSUBJECT:  \t "),
        signed.replace(b"there\r\n", b"there \t\r\n") + b"\r\n\r\n",
    ):
        assert signatures(arrived, by(signer.record), NOW) == [Check(HOME, "pass")]


@pytest.mark.parametrize(
    "change",
    [
        (b"Hello", b"Hallo"),
        (b"[G1]", b"[G2]"),
        (b"To: ", b"To: x "),
        (b"\r\nFrom: ", b"\r\nFrom: eve@evil.example\r\nFrom: "),
        (b"\r\nSubject: ", b"\r\nSubject: More\r\nSubject: "),
        (b"\r\nReply-To: ", b"\r\nReply-To: eve@evil.example\r\nReply-To: "),
        (b"<mailto:x", b"<mailto:y"),
        (b"<0@player", b"<9@player"),
        (b"charset=utf-8", b"charset=utf-7"),
    ],
)
def test_what_is_changed_or_added_is_seen(signer: Signer, change: tuple[bytes, bytes]) -> None:
    signed = signer.sign(letter())
    changed = signed.replace(*change)
    assert changed != signed
    [found] = signatures(changed, by(signer.record), NOW)
    assert found.result == "fail"
    assert "changed on the way" in found.why


RFC_8463 = b"""DKIM-Signature: v=1; a=ed25519-sha256; c=relaxed/relaxed;
 d=football.example.com; i=@football.example.com;
 q=dns/txt; s=brisbane; t=1528637909; h=from : to :
 subject : date : message-id : from : subject : date;
 bh=2jUSOH9NhtVGCQWNr9BrIAPreKQjO6Sn7XIkfJVOzv8=;
 b=/gCrinpcQOoIfuHNQIbq4pgh9kyIK3AQUdt9OdqQehSwhEIug4D11Bus
 Fa3bT3FY5OsU7ZbnKELq+eXdp1Q1Dw==
DKIM-Signature: v=1; a=rsa-sha256; c=relaxed/relaxed;
 d=football.example.com; i=@football.example.com;
 q=dns/txt; s=test; t=1528637909; h=from : to : subject :
 date : message-id : from : subject : date;
 bh=2jUSOH9NhtVGCQWNr9BrIAPreKQjO6Sn7XIkfJVOzv8=;
 b=F45dVWDfMbQDGHJFlXUNB2HKfbCeLRyhDXgFpEL8GwpsRe0IeIixNTe3
 DhCVlUrSjV4BwcVcOF6+FF3Zo9Rpo1tFOeS9mPYQTnGdaSGsgeefOsk2Jz
 dA+L10TeYt9BgDfQNZtKdN1WO//KgIqXP7OdEFE4LjFYNcUxZQ4FADY+8=
From: Joe SixPack <joe@football.example.com>
To: Suzie Q <suzie@shopping.example.net>
Subject: Is dinner ready?
Date: Fri, 11 Jul 2003 21:00:37 -0700 (PDT)
Message-ID: <20030712040037.46341.5F8J@football.example.com>

Hi.

We lost the game.  Are you hungry yet?

Joe.
"""
RFC_8463_KEYS = {
    "brisbane": "v=DKIM1; k=ed25519; p=11qYAYKxCrfVS/7TyWQHOg7hcvPapiMlrwIaaPcHURo=",
    "test": "v=DKIM1; k=rsa; p=MIGfMA0GCSqGSIb3DQEBAQUAA4GNADCBiQKBgQDkHlOQoBTzWRiGs5V6NpP3idY6Wk"
    "08a5qhdR6wy5bdOKb2jLQiY/J16JYi0Qvx/byYzCNb3W91y3FutACDfzwQ/BC/e/8uBsCR+yz1Lxj+PL6lHvqMKrM3rG"
    "4hstT5QjvHO9PzoxZyVYLzBfO2EeC3Ip3G+2kryOTIKT+l/K4w3QIDAQAB",
}
"""The signed letter of RFC 8463, appendix A, and its keys."""


def test_the_letter_of_rfc_8463_holds() -> None:
    def lookup(name: str) -> list[str]:
        selector, _, rest = name.partition(".")
        assert rest == "_domainkey.football.example.com"
        return [RFC_8463_KEYS[selector]]

    assert signatures(RFC_8463, lookup, NOW) == 2 * [Check("football.example.com", "pass")]
    changed = RFC_8463.replace(b"Suzie", b"Susie")
    assert [one.result for one in signatures(changed, lookup, NOW)] == ["fail", "fail"]


def test_a_signature_is_the_same_each_time(signer: Signer) -> None:
    assert signer.sign(letter()) == signer.sign(letter())


def hash_of(raw: bytes) -> str:
    """Return the bh= of a letter's body in the simple form."""
    body = raw.partition(b"\r\n\r\n")[2].rstrip(b"\r\n") + b"\r\n"
    return base64.b64encode(hashlib.sha256(body).digest()).decode()


def forged(tags: str, **instead: str) -> bytes:
    """Write a letter under a signature with other tags."""
    found = {
        "v": "1", "a": "rsa-sha256", "d": HOME, "s": "league1", "h": "from",
        "bh": hash_of(letter()), "b": base64.b64encode(256 * b"x").decode(),
    } | instead  # fmt: skip
    text = "; ".join(f"{name}={value}" for name, value in found.items() if value)
    return f"DKIM-Signature: {text}; {tags}\r\n".encode() + letter()


@pytest.mark.parametrize(
    ("raw", "why"),
    [
        (forged("l=10"), "a part of the text"),
        (forged("", a="rsa-sha1"), "too weak"),
        (forged("", h="to:subject"), "does not cover From"),
        (forged("i=@evil.example"), "another domain"),
        (forged("x=1000"), "expired"),
        (forged("", d="com"), "domain is none"),
        (forged("", s="../x"), "domain is none"),
        (forged("", bh=""), "lacks bh"),
        (forged("", v="2"), "another version"),
        (forged("", b="***"), "can't be read"),
        (forged("c=nothing/else"), "form is not known"),
        (forged("v=1"), "can't be read"),
        (forged(""), "or the key is another"),
        (b"DKIM-Signature:\r\n" + letter(), "lacks"),
        (b"DKIM-Signature: \xff\xfe;;;=\r\n" + letter(), "can't be read"),
    ],
)
def test_signatures_that_prove_nothing(raw: bytes, why: str) -> None:
    [found] = signatures(raw, by(Signer(HOME, "league1", KEY).record), NOW)
    assert found.result == "fail"
    assert why in found.why


RECORD = Signer(HOME, "league1", KEY).record


@pytest.mark.parametrize(
    ("record", "result", "why"),
    [
        ("", "fail", "no such key"),
        ("v=spf1 -all", "fail", "no such key"),
        ("v=DKIM1; k=rsa; p=", "fail", "taken back"),
        (RECORD.replace("k=rsa", "k=ed25519"), "fail", "another algorithm"),
        (RECORD + "; t=y", "none", "only tries"),
        (RECORD + "; t=s", "pass", ""),
        (RECORD.removeprefix("v=DKIM1; k=rsa; "), "pass", ""),
        ("v=DKIM1; p=AAAA", "fail", "can't be read"),
        (Signer(HOME, "league1", dkim.new_key()).record, "fail", "or the key is another"),
    ],
    ids=range(9),  # keys are new in each process, and xdist compares the names of tests
)
def test_what_dns_says_of_a_key(record: str, result: str, why: str) -> None:
    signed = Signer(HOME, "league1", KEY).sign(letter())
    [found] = signatures(signed, by(*([record] if record else [])), NOW)
    assert (found.result, why in found.why) == (result, True)


def test_a_key_that_is_too_short_proves_nothing() -> None:
    weak = rsa.generate_private_key(public_exponent=65537, key_size=1024)
    with pytest.raises(dkim.KeyFault, match="1024 bits, and needs 2048"):
        Signer(HOME, "league1", pem(weak))


def test_dns_is_asked_for_the_key() -> None:
    signed = Signer(HOME, "league1", KEY).sign(letter())
    with name_server({NAME: RECORD}) as names:
        lookup = AuthenticationSettings(resolver=names.address).lookup()
        assert signatures(signed, lookup, NOW) == [Check(HOME, "pass")]
        names.records = {}
        assert signatures(signed, lookup, NOW)[0].result == "fail"
        names.records = {NAME: None}
        assert signatures(signed, lookup, NOW)[0].result == "none"
        assert set(names.asked) == {NAME}


def signed_settings(folder: Path, **more: str) -> Settings:
    (folder / "dkim-key").write_text(KEY)
    told = DkimSettings(selector="league1", **more)
    return replace(settings_for(folder), dkim=told)


def test_letters_are_signed_as_they_go_out_and_kept_as_they_were(tmp_path: Path) -> None:
    signer = signed_settings(tmp_path).signer()
    assert signer is not None
    with open_league(tmp_path) as league:
        league.transport = SigningTransport(league.post, signer)
        ann, _ = duel(league)
        kept = {row.content for row in league.store.outbox.all()}
        assert ann.letters
        for _, raw in league.post.letters:
            assert signatures(raw, by(signer.record), NOW) == [Check(HOME, "pass")]
            assert raw not in kept
            assert raw.partition(b"\r\nFrom: ")[2] in {one.partition(b"From: ")[2] for one in kept}


class Unwilling(Pigeonholes):
    """A transport that takes each letter at the second try."""

    def send(self, sender: str, recipient: str, raw: bytes) -> None:
        super().send(sender, recipient, raw)
        if len(self.letters) == 1:
            raise Deferred("Not now.")


def test_fault_12_a_letter_that_goes_again_has_the_same_signature(tmp_path: Path) -> None:
    signer = signed_settings(tmp_path).signer()
    assert signer is not None
    with open_league(tmp_path) as league:
        post = Unwilling()
        league.transport = SigningTransport(post, signer)
        league.person("Ann").write("JOIN Ann Example")
        league.work()
        league.later(24)
        league.work()
        [(_, first), (_, second)] = post.letters
        assert first == second


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("nonsense", "no private key in PEM"),
        (pem(ec.generate_private_key(ec.SECP256R1())), "neither RSA nor Ed25519"),
    ],
    ids=["no PEM", "elliptic curve"],
)
def test_a_key_that_cannot_sign_is_told(tmp_path: Path, text: str, why: str) -> None:
    settings = signed_settings(tmp_path)
    (tmp_path / "dkim-key").write_text(text)
    with pytest.raises(SettingsError, match=why):
        settings.transport()
    (tmp_path / "dkim-key").unlink()
    with pytest.raises(SettingsError, match="dkim-key can't be read"):
        settings.transport()


def league(folder: Path, told: Sections, resolver: str) -> Path:
    (folder / "dkim-key").write_text(KEY)
    signed = {"dkim": {"selector": "league1"}, "authentication": {"resolver": resolver}}
    return write_league(folder, told | signed)


def checked(file: Path) -> tuple[bool, str]:
    done = pbem("--config", file, "check", "--json")
    [found] = [one for one in map(json.loads, done.stdout.splitlines()) if one["part"] == "dkim"]
    return found["ok"], found["text"]


def test_check_tries_the_key_and_asks_dns(embedded: MailHost, tmp_path: Path) -> None:
    with name_server({}) as names:
        file = league(tmp_path, sections(embedded), names.address)
        assert checked(file) == (False, checked(file)[1])
        assert f"no key at {NAME}" in checked(file)[1]
        names.records[NAME] = Signer(HOME, "league1", dkim.new_key()).record
        assert f"another key at {NAME}" in checked(file)[1]
        names.records[NAME] = None
        assert "is not known" in checked(file)[1]
        text = json.loads(pbem("--config", file, "dkim", "--json").stdout)
        names.records[text["name"]] = text["value"]
        assert checked(file) == (True, "letters are signed for league.example (rsa-sha256), and"
                                 " DNS has the key")  # fmt: skip


def test_a_key_is_made_once(tmp_path: Path, embedded: MailHost) -> None:
    file = league(tmp_path, sections(embedded), "")
    again = pbem("--config", file, "dkim", "--new")
    assert (again.returncode, b"is there already" in again.stderr) == (2, True)
    (tmp_path / "dkim-key").unlink()
    made = pbem("--config", file, "dkim", "--new").stdout.decode()
    assert (tmp_path / "dkim-key").stat().st_mode & 0o777 == 0o600
    record = Signer(HOME, "league1", (tmp_path / "dkim-key").read_text()).record
    assert f"name: {NAME}\ntype: TXT\nvalue: {record}\n" in made
    zone = made.partition("zone: ")[2]
    strings = zone.split('"')[1::2]
    assert "".join(strings) == record
    assert max(map(len, strings)) <= 255


def test_signed_letters_come_back(mail_servers: MailHost, tmp_path: Path) -> None:
    with name_server({NAME: RECORD}) as names:
        more = {"dkim": {"selector": "league1"}, "authentication": {"resolver": names.address}}
        (tmp_path / "dkim-key").write_text(KEY)
        found = findings(tmp_path, sections(mail_servers) | more, "--wait", "20")
    assert found["signature"] == {"part": "signature", "ok": True, "text": "pass league.example"}


@pytest.mark.parametrize(
    ("expected", "why"),
    [
        ({"selector": "a_b"}, "selector is 'a_b'"),
        ({"selector": "a", "domain": "evil.example"}, "it must be league.example"),
        ({}, "[dkim] selector is missing"),
    ],
)
def test_settings_that_would_sign_for_nobody(
    tmp_path: Path, expected: dict[str, str], why: str
) -> None:
    league_ = {"name": "x", "address": REFEREE}
    file = write_league(tmp_path, {"league": league_, "dkim": expected})
    done = pbem("--config", file, "dkim")
    assert (done.returncode, why in done.stderr.decode()) == (2, True)
