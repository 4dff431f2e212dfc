"""Confidential words in names, traces, boards, newsletters and letters to others."""

import email
import email.policy
import json
from http.client import HTTPResponse
from types import SimpleNamespace
from typing import cast

import pytest

from pbem.channels.channel import ChannelDown, ChannelFault, PostDeferred, PostRefused
from pbem.channels.web import Web
from pbem.storage import Blueprint, Letter, Persona, Place, Player, Step
from pbem.storage import stored_letters as books
from tests.hostile.test_secret_spellings import squeezed, token_of
from tests.support.harness import League, Person
from tests.support.players import PATIENT, letter, parsed, plain, words


@pytest.mark.parametrize(
    ("name", "told"),
    [
        ("{token}", "it holds"),
        ("{key}", "it holds"),
        ("Eve {token} Example", "it holds"),
        ("Eve {key}", "it holds"),
        # What holds a mail address is no name at all, so nobody asked to join.
        ("Eve ann@league.example", "Unless you write JOIN"),
        ("Eve ann＠league．example", "Unless you write JOIN"),
    ],
)
def test_hostile_secrets_no_name_holds_one(
    league: League, people: tuple[Person, Person], name: str, told: str
) -> None:
    ann, _ = people
    written = name.format(token=token_of(ann), key=ann.key)
    cat = league.person("Cat")
    cat.write(f"JOIN {written}")
    asked = cat.new()[-1]
    assert told in words(asked)
    cat.reply(f"JOIN {written}", asked)
    cat.new()
    assert not [
        one for one in league.store.all(Player.select().order_by(Player.id)) if one.name == written
    ]
    bob = people[1]
    before = league.store.count(Persona.select()), league.store.count(Blueprint.select())
    text = words(bob.ask(f"ENLIST {written} FOR cartel\nPRESS AS {written}\nHello.", bob.last))
    assert (league.store.count(Persona.select()), league.store.count(Blueprint.select())) == before
    assert token_of(ann) not in text


def test_hostile_secrets_stand_in_no_trace(
    league: League, people: tuple[Person, Person], monkeypatch: pytest.MonkeyPatch
) -> None:
    ann, _ = people
    token, key = token_of(ann), ann.key
    written = f"{token} {key} referee+{token}@league.example <{ann.address}>"

    def stumble(*_: object) -> None:
        raise ValueError(f"can't read {written!r}")

    monkeypatch.setattr("pbem.routing.order_dispatch._carry_out_league", stumble)
    ann.reply(f"SCAN\n{written}", ann.last_about("[G1"))
    for _ in range(4):
        league.work()
    [shunted] = league.store.all(
        Letter.select().where(Letter.state == "shunted").order_by(Letter.id)
    )
    assert "can't read" in shunted.error
    for secret in (token, key, ann.address, "referee+"):
        assert secret not in shunted.error


def test_hostile_secrets_a_reply_address_is_worth_nothing_from_elsewhere(
    league: League, people: tuple[Person, Person]
) -> None:
    """Orders need the player's address as well; the player gets one note a week."""
    ann, bob = people
    report = ann.last_about("[G1")
    ann.new()
    steps = league.store.count(Step.select())
    eve = league.person("Eve")
    for order in ("SURRENDER", PATIENT, f"ADDRESS {eve.address}"):
        eve.write(order, report["Reply-To"], f"Re: {report['Subject']}")
        league.work()
    assert league.store.count(Step.select()) == steps
    assert not league.store.first(
        Place.select().where(Place.game == 1, Place.seat == "Hawk")
    ).answered  # type: ignore[union-attr]
    [notice] = ann.new()
    assert "Somebody else wrote to your reply address" in notice["Subject"]
    assert "eve" not in words(notice).casefold()
    assert bob.new() == []
    league.later(7 * 24 + 1)
    eve.write("SURRENDER", report["Reply-To"], f"Re: {report['Subject']}")
    assert any("Somebody else" in one["Subject"] for one in ann.new())


def test_hostile_secrets_forged_orders_are_told_and_replaced_by_a_reply(
    league: League, people: tuple[Person, Person]
) -> None:
    """Who forges the sender, too, can order; the owner reads what, and the last reply counts."""
    _, bob = people
    report = bob.last_about("[G1")
    bob.new()
    forged = letter("Bob", "SURRENDER", 99, report["Reply-To"], f"Re: {report['Subject']}")
    league.drop(forged.as_bytes())
    [notice] = bob.new()
    assert "SURRENDER" in plain(notice).upper()
    assert league.game.running
    answer = bob.ask(PATIENT, notice)
    assert "No longer on file: SURRENDER." in words(answer)
    place = league.store.first(Place.select().where(Place.game == 1, Place.seat == "Kestrel"))
    assert place is not None
    assert "surrender" not in place.sheet.casefold()


def test_hostile_secrets_a_message_id_that_is_not_ascii_has_a_fingerprint_that_is_told() -> None:
    for name in ("<é@home.example>".encode(), "<é@home.example>".encode("latin-1"), b"<a\x80@b>"):
        raw = b"From: a@b.example\r\nMessage-ID: " + name + b"\r\n\r\nSCAN\r\n"
        assert books.message_id(raw).endswith("@no-message-id.invalid>")
    plain_ = b"From: a@b.example\r\nMessage-ID: <a!#$%&'*+-/=?^_`{|}~@b>\r\n\r\nSCAN\r\n"
    assert books.message_id(plain_) == "<a!#$%&'*+-/=?^_`{|}~@b>"


def judged(status: int, data: bytes) -> str:
    """Return what a board's answer is taken for."""
    reply = cast("HTTPResponse", SimpleNamespace(status=status, getheader=lambda _: None))
    try:
        Web("https://board.example", {})._judge("POST", reply, data, dict)
    except ChannelFault as error:
        kind = next(
            one for one in (ChannelDown, PostRefused, PostDeferred) if isinstance(error, one)
        )
        return f"{kind.__name__} {getattr(error, 'after', 0)}"
    return "taken"


def test_hostile_secrets_a_posts_words_are_no_boards_answer() -> None:
    told = json.dumps({"status": {"code": "ok"}, "response": {"content": "too-many-posts"}})
    assert judged(200, told.encode()) == "taken"
    # Whatever words a refusal repeats, it holds up this post alone.
    for message in (
        "title is taken",
        "no such words: too-many-posts",
        "[[error:too-many-posts, 10]]",
    ):
        body = json.dumps({"status": {"code": "bad-request", "message": message}, "response": {}})
        assert judged(400, body.encode()) == judged(400, message.encode()) == "PostDeferred 0"
    assert judged(429, b"too-many-posts").startswith("ChannelDown")


def test_hostile_secrets_leave_in_no_letter_to_others(
    league: League, people: tuple[Person, Person]
) -> None:
    """All headers, texts and HTML of all letters to others, however they are encoded."""
    ann, _ = people
    cat = league.person("Cat")
    cat.join()
    cat.ask("WATCH 1")
    token, key = token_of(ann), ann.key
    report = ann.last_about("[G1")
    hidden = [
        f"{token[:7]}\u00ad{token[7:]}",
        f"{key[:6]}\n{key[6:]}",
        "".join(f"&#{ord(sign)};" for sign in token),
        "a\u00adnn＠league．example",
    ]
    for n, line in enumerate(hidden):
        written = letter(
            "Ann",
            f"STORY\nHawk waits.\n{line}\nEND\nSALT {line}\nTELL Kestrel\nWe meet.\n{line}\nEND\n"
            f"CHALLENGE {line}\nDRAW {line}\nGAME {line}\nLANGUAGE {line}",
            70 + n,
            report["Reply-To"],
            f"Re: {report['Subject']} {token} {key}",
        )
        league.drop(written.as_bytes())
        league.work()
    for person in people:
        person.reply("SURRENDER", person.last_about("[G1"))
    league.work()
    cat.reply("HISTORY 1\nREPORT 1\nRECEIPTS 1")
    league.work()
    others = [raw for to, raw in league.post.letters if to != ann.address]
    for raw in others:
        one = email.message_from_bytes(raw, policy=email.policy.default)
        parts = [part for part in one.walk() if not part.is_multipart()]
        texts = [str(value) for value in one.values()]
        texts += [part.get_payload(decode=True).decode("utf-8", "replace") for part in parts]  # type: ignore[union-attr]
        whole = squeezed(" ".join(texts))
        for secret in (token, key, "annleague"):
            assert squeezed(secret) not in whole, parsed(raw)["Subject"]
