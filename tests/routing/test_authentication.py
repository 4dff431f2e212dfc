"""What the own mail server says of a sender: when it counts, and how much."""

import json
from collections.abc import Iterator
from contextlib import closing, contextmanager
from dataclasses import replace
from datetime import timedelta
from email.message import EmailMessage
from pathlib import Path
from typing import Any

import pytest

from pbem.channels.mail.sender_authentication import AuthenticationSettings, authenticate
from pbem.commands import gm
from pbem.handlers.moderator.ruling_table import by_shell
from pbem.handlers.request import Refusal
from pbem.intake import read_letter, results, tokens_and_keys
from pbem.maintenance.fsck import check
from pbem.maintenance.rebuild import rebuild
from pbem.routing import router
from pbem.settings.load import load, parse
from pbem.storage import Letter, Place, Ruling, Store, stored_letters
from tests.routing.test_forgeries import books, raw
from tests.support.harness import League, Person, duel, open_league
from tests.support.players import REFEREE, address_of, letter, parsed, reply, words
from tests.support.program import Run, beside, pbem, write_league

MX = "mx.league.example"
FAIL = (
    f"{MX}; spf=fail smtp.mailfrom=evil.example; dkim=none; dmarc=fail header.from=league.example"
)
PASS = f"{MX}; dkim=pass header.d=league.example; dmarc=pass header.from=league.example"
BOB = address_of("Bob")
# What a receipt says of a SALT that counts.
SALTED = "Your SALT is mixed into the dice"


@pytest.mark.parametrize(
    ("value", "server", "text"),
    [
        ("mx.example; spf=pass", "mx.example", {"spf": {"pass"}}),
        ("MX.Example 1; dmarc=Fail (p=none)", "mx.example", {"dmarc": {"fail"}}),
        ("mx.example (a (nested) note); none", "mx.example", {}),
        ('"mx.example"; dkim=pass header.d="a;b"', "mx.example", {"dkim": {"pass"}}),
        ("mx.example; dkim=fail; dkim=pass", "mx.example", {"dkim": {"pass", "fail"}}),
        ("mx.example; spf=fail (of x; dmarc=pass)", "mx.example", {"spf": {"fail"}}),
        ('mx.example; spf=fail smtp.mailfrom="x; dmarc=pass"@a.example', "mx.example",
         {"spf": {"fail"}}),
        ("mx.example; spf=fail (of \\(x) smtp.helo=y", "mx.example", {"spf": {"fail"}}),
        ("mx.example; spf =pass", "mx.example", {}),
        ("mx.example", "mx.example", {}),
    ],
)  # fmt: skip
def test_results_are_read(value: str, server: str, text: dict[str, set[str]]) -> None:
    found = results(value)
    assert found is not None
    assert found.server == server
    assert {method: found.verdicts(method) for method in found.methods} == text


@pytest.mark.parametrize(
    "value",
    [
        "", ";", "spf=pass; dkim=pass", "mx.example (open; dmarc=pass", "mx.example) ; dmarc=pass",
        'mx.example; spf=fail "open; dmarc=pass', "mx.example one two; dmarc=pass",
        "(" * 50 + ")" * 50 + "mx.example; spf=pass", "mx.example; spf=pass" + " " * 9_000,
        "mx.example; dmarc=pass \\",
    ],
)  # fmt: skip
def test_what_can_be_read_in_two_ways_is_not_read(value: str) -> None:
    assert results(value) is None


def word_for(*fields: str, sender: str = BOB, checked: str = "", server: str = MX) -> str:
    """Return what is known of the sender of a letter with these fields above its From."""
    head = "".join(f"{field}\r\n" for field in fields)
    reading = read_letter(f"{head}From: {sender}\r\n\r\nHello".encode())
    return authenticate(AuthenticationSettings(server=server), reading, checked).word


def by_mx(text: str) -> str:
    return f"Authentication-Results: {MX}; {text}"


@pytest.mark.parametrize(
    ("text", "word"),
    [
        ("dmarc=pass header.from=league.example", "pass"),
        ("dmarc=pass header.from=evil.example", ""),
        ("dmarc=pass", ""),
        ("dmarc=fail header.from=league.example", "fail"),
        ("dmarc=fail; dmarc=pass header.from=league.example", "fail"),
        ("dmarc=none; spf=fail", "fail"),
        ("spf=softfail; dkim=none", "fail"),
        ("spf=softfail; dkim=fail", "fail"),
        ("spf=fail; dkim=pass header.d=league.example", "pass"),
        ("spf=fail; dkim=pass header.d=list.example", ""),
        ("spf=pass smtp.mailfrom=bob@league.example", "pass"),
        ("spf=pass smtp.mailfrom=bob@evil.example", ""),
        ("dkim=fail header.d=league.example; spf=none", ""),
        ("dkim=pass header.i=@league.example", ""),
        ("dkim=pass header.i=@league.example header.d=evil.example", ""),
        ("dkim=pass header.i=@league.example header.d=league.example", "pass"),
        ("dkim=pass header.d=mail.league.example", ""),
        ("dkim=pass header.d=example", ""),
        ("dkim=pass header.d=notleague.example", ""),
        ("dmarc=temperror", ""),
        ("none", ""),
    ],
)
def test_fault_28_what_the_own_server_says(text: str, word: str) -> None:
    assert word_for(by_mx(text)) == word
    assert word_for(by_mx(text), server="") == ""


def test_a_domain_above_may_speak_for_the_sender() -> None:
    assert (
        word_for(by_mx("dkim=pass header.d=league.example"), sender="a@x.league.example") == "pass"
    )


FORGED = "dmarc=pass header.from=league.example"


@pytest.mark.parametrize(
    "fields",
    [
        [f"Authentication-Results: evil.example; {FORGED}"],
        [f"Authentication-Results: {MX}.evil.example; {FORGED}"],
        [f"Authentication-Results: x; dmarc=none\r\n {MX}; {FORGED}"],
        [f"ARC-Authentication-Results: i=1; {MX}; {FORGED}"],
        [f"X-Authentication-Results: {MX}; {FORGED}"],
        [f"Authentication-Results: {MX} (; {FORGED}"],
        [f"Authentication-Results: {FORGED}"],
        ["From: eve@evil.example", by_mx(FORGED)],
        ["Received-SPF: pass"],
    ],
)
def test_fault_28_what_others_wrote_is_not_believed(fields: list[str]) -> None:
    assert word_for(*fields) == ""


def test_fault_28_of_the_own_servers_findings_the_topmost_count() -> None:
    assert word_for(by_mx("dmarc=fail"), by_mx(FORGED)) == "fail"
    assert (
        word_for(by_mx("dmarc=fail"), f"Authentication-Results: evil.example; {FORGED}") == "fail"
    )
    assert (
        word_for("Authentication-Results: inner.example; auth=pass", by_mx("dmarc=fail")) == "fail"
    )
    assert word_for(f"Authentication-Results: {MX} (", by_mx(FORGED)) == ""


@pytest.mark.parametrize(
    ("checked", "word"),
    [
        # What earlier versions noted of signatures.
        ("pass league.example", "fail"),
        ("none", "fail"),
        ("confirmed", "pass"),
    ],
)
def test_a_confirmation_goes_before_what_the_server_says(checked: str, word: str) -> None:
    assert word_for(by_mx("dmarc=fail"), checked=checked) == word


@contextmanager
def open_scene(folder: Path, **told: object) -> Iterator[tuple[League, Person, Person]]:
    """Return a league with a duel, whose mail server is believed."""
    settings = {"server": MX} | told
    with open_league(folder, authentication=settings, turns_per_letter=4) as league:
        ann, bob = duel(league)
        yield league, ann, bob


@pytest.fixture
def scene(tmp_path: Path) -> Iterator[tuple[League, Person, Person]]:
    with open_scene(tmp_path, failed="hold") as found:
        yield found


def with_results(written: EmailMessage, value: str) -> bytes:
    return f"Authentication-Results: {value}\r\n".encode() + written.as_bytes()


def forged(bob: Person, text: str, value: str = FAIL, **fields: str) -> bytes:
    """Write a letter in Bob's name with all that leaked, as it looks when it has come."""
    report = bob.last_about("[G")
    to = (str(report["Reply-To"]), f"Re: {report['Subject']}")
    return f"Authentication-Results: {value}\r\n".encode() + raw(text, BOB, to, **fields)


def come(league: League, raw_: bytes) -> list[tuple[str, EmailMessage]]:
    """Deliver a letter, and return what goes out."""
    sent = len(league.post.letters)
    league.drop(raw_)
    league.work()
    return [(to, parsed(one)) for to, one in league.post.letters[sent:]]


ORDERS = "SALT forged\nSTANDING\nELSE: SURRENDER\nEND"


@pytest.mark.parametrize(
    "fields",
    [
        {},
        {"Authentication_Results": PASS},
        {"ARC_Authentication_Results": f"i=1; {PASS}", "Received_SPF": "pass"},
    ],
)
def test_fault_29_a_leaked_token_is_of_no_use_where_the_server_disowns_the_letter(
    scene: tuple[League, Person, Person], fields: dict[str, str]
) -> None:
    league, _, bob = scene
    before = books(league)
    [(to, asked)] = come(league, forged(bob, ORDERS, **fields))
    assert books(league) == before
    assert to == BOB
    assert "Did you write this letter?" in asked["Subject"]
    assert "forged" in words(asked)
    assert "SURRENDER" not in words(asked)
    kept = league.last_letter()
    assert (kept.state, "DMARC fail" in kept.reason) == ("held", True)


def on_file(league: League) -> str:
    """Return the stored orders of Bob's seat."""
    [place] = league.store.all(Place.select().where(Place.seat == "Kestrel"))
    return str(place.sheet)


def test_a_letter_that_is_confirmed_is_carried_out_once(
    scene: tuple[League, Person, Person],
) -> None:
    league, _, bob = scene
    [(_, asked)] = come(league, forged(bob, "SALT mine\nSTANDING\nELSE: SCAN\nEND"))
    held = league.last_letter().id
    assert "SCAN" not in on_file(league)
    bob.reply("YES", asked)
    answers = bob.new()
    assert len([one for one in answers if SALTED in words(one)]) == 1
    assert "SCAN" in on_file(league)
    letters = {
        one.id: (one.state, one.klass)
        for one in league.store.all(Letter.select().order_by(Letter.id))
    }
    assert letters[held] == ("answered", "human")
    assert "confirms letter" in league.last_letter().reason
    count = len(league.post.letters)
    bob.reply("YES", asked)
    league.work()
    assert league.store.get(Letter, held).state == "answered"
    assert len(league.post.letters) <= count + 1


def test_who_has_confirmed_is_not_asked_again_for_a_month(
    scene: tuple[League, Person, Person],
) -> None:
    league, _, bob = scene
    [(_, asked)] = come(league, forged(bob, "STATUS"))
    bob.reply("YES", asked)
    bob.new()
    league.later(24 * 29)
    come(league, forged(bob, "STATUS"))
    assert league.last_letter().state == "answered"
    league.later(24 * 2)
    come(league, forged(bob, "STATUS"))
    assert league.last_letter().state == "held"


def test_a_german_confirms_in_german(scene: tuple[League, Person, Person]) -> None:
    league, _, bob = scene
    bob.ask("LANGUAGE de", bob.last_about("Welcome"))
    [(_, asked)] = come(league, forged(bob, "STATUS"))
    held = league.last_letter().id
    assert "Hast du diesen Brief geschrieben?" in asked["Subject"]
    bob.reply("Ja.", asked)
    bob.new()
    assert league.store.get(Letter, held).state == "answered"


@pytest.mark.parametrize("answer", ["No, that was not me!", "Yes and no", "NEW KEY"])
def test_other_answers_confirm_nothing(scene: tuple[League, Person, Person], answer: str) -> None:
    league, _, bob = scene
    [(_, asked)] = come(league, forged(bob, ORDERS))
    held = league.last_letter().id
    bob.reply(answer, asked)
    bob.new()
    assert league.store.get(Letter, held).state == "held"


def test_fault_29_nobody_else_confirms_a_letter(scene: tuple[League, Person, Person]) -> None:
    league, ann, bob = scene
    [(_, asked)] = come(league, forged(bob, ORDERS))
    held, before = league.last_letter().id, books(league)
    to = (str(asked["Reply-To"]), f"Re: {asked['Subject']}")
    come(league, raw("YES", "eve@evil.example", to))
    come(league, raw("YES", ann.address, to))
    come(league, forged(bob, "YES"))
    other = tokens_and_keys.token(league.store.secret, "another")
    come(league, raw("YES", BOB, (f"referee+{other}@league.example", "Re: x")))
    changed = {name for name, rows in books(league).items() if rows != before[name]}
    assert changed == set()
    assert league.store.get(Letter, held).state == "held"


def test_a_confirmation_may_itself_be_disowned(scene: tuple[League, Person, Person]) -> None:
    """Who forwards all mail is disowned each time, and can't do anything about it."""
    league, _, bob = scene
    [(_, asked)] = come(league, forged(bob, "STATUS"))
    held = league.last_letter().id
    come(league, with_results(reply("Bob", asked, "YES", 900), FAIL))
    assert league.store.get(Letter, held).state == "answered"


def test_nobody_is_asked_too_often(tmp_path: Path) -> None:
    with open_scene(tmp_path, failed="hold") as (league, _, bob):
        asked = sum(len(come(league, forged(bob, "STATUS"))) for _ in range(14))
    assert asked == 10


def test_letters_that_pass_or_are_not_judged_are_read(scene: tuple[League, Person, Person]) -> None:
    league, _, bob = scene
    for value in (PASS, f"{MX}; none", "evil.example; dmarc=fail", f"{MX}; spf=neutral"):
        [(_, answer)] = come(league, forged(bob, "STATUS", value))
        assert "Did you write" not in answer["Subject"]


def test_where_the_league_does_not_ask_a_token_is_enough(tmp_path: Path) -> None:
    with open_scene(tmp_path) as (league, _, bob):
        come(league, forged(bob, "STATUS"))
        assert league.last_letter().state == "answered"


def test_a_pass_proves_nothing_unless_the_league_has_it_so(
    scene: tuple[League, Person, Person],
) -> None:
    league, _, bob = scene
    [(_, answer)] = come(league, with_results(letter("Bob", "STATUS", 900), PASS))
    assert answer["Subject"].endswith("Your letter was not accepted")
    assert bob.letters


@pytest.fixture
def trusting(tmp_path: Path) -> Iterator[tuple[League, Person, Person]]:
    with open_scene(tmp_path, passed="proof") as found:
        yield found


def test_a_pass_may_stand_for_a_token(trusting: tuple[League, Person, Person]) -> None:
    league, _, _ = trusting
    [(to, answer)] = come(league, with_results(letter("Bob", "GAME 1\nSALT sea", 900), PASS))
    assert (to, league.last_letter().state) == (BOB, "answered")
    assert "not accepted" not in answer["Subject"]


@pytest.mark.parametrize(
    "value",
    [
        FAIL,
        f"{MX}; none",
        "evil.example; dmarc=pass header.from=league.example",
        f"{MX}; dmarc=pass header.from=evil.example",
        f"{MX}; spf=pass smtp.mailfrom=eve@evil.example",
    ],
)
def test_fault_28_nothing_less_than_a_pass_does(
    trusting: tuple[League, Person, Person], value: str
) -> None:
    league, _, _ = trusting
    before = books(league)
    [(_, answer)] = come(league, with_results(letter("Bob", ORDERS, 900), value))
    assert answer["Subject"].endswith("Your letter was not accepted")
    assert books(league) == before


def test_fault_28_a_pass_below_from_is_the_senders(trusting: tuple[League, Person, Person]) -> None:
    league, _, _ = trusting
    come(league, raw(ORDERS, BOB, Authentication_Results=PASS))
    assert league.last_letter().klass == "refused"


def test_a_letter_to_somebody_else_that_is_sent_on_proves_nothing(
    trusting: tuple[League, Person, Person],
) -> None:
    league, _, _ = trusting
    written = letter("Bob", ORDERS, 900, to="eve@evil.example")
    envelope = f"Delivered-To: {REFEREE}\r\n".encode()
    come(league, envelope + with_results(written, PASS))
    assert league.last_letter().klass == "refused"


def test_a_letter_that_came_before_proves_nothing(trusting: tuple[League, Person, Person]) -> None:
    league, _, _ = trusting
    come(league, with_results(letter("Bob", "GAME 1\nSALT sea", 900), PASS))
    first, before = league.last_letter(), books(league)
    # At the same time, so known as the same at once; later, as one that came before.
    come(league, b"X-Again: 1\r\n" + with_results(letter("Bob", "GAME 1\nSALT sea", 900), PASS))
    assert league.last_letter().id == first.id
    league.later(1)
    come(league, b"X-Again: 1\r\n" + with_results(letter("Bob", "GAME 1\nSALT sea", 900), PASS))
    assert league.last_letter().klass == "duplicate"
    assert books(league) == before
    come(league, with_results(letter("Bob", "GAME 1\nSALT lake", 900), PASS))
    assert league.last_letter().klass == "refused"


def test_a_pass_makes_no_moderator(tmp_path: Path) -> None:
    with open_league(
        tmp_path, authentication={"server": MX, "passed": "proof"}, moderator=address_of("Ann")
    ) as league:
        duel(league)
        come(league, with_results(letter("Ann", "GM FORFEIT 1 Kestrel", 900), PASS))
        assert league.store.count(Ruling.select()) == 0


def test_a_league_with_held_letters_comes_out_the_same(
    scene: tuple[League, Person, Person],
) -> None:
    league, _, bob = scene
    [(_, asked)] = come(league, forged(bob, "SALT mine\nSTANDING\nELSE: SCAN\nEND"))
    league.later(1)
    bob.reply("YES", asked)
    bob.new()
    league.later(24 * 40)
    come(league, forged(bob, "STATUS"))
    assert league.last_letter().state == "held"
    assert rebuild(league.settings, league.settings.home / "new.db") == []
    assert list(check(league.store)) == []


@pytest.fixture
def held_by(
    scene: tuple[League, Person, Person],
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> Run:
    """Run `pbem held` while the service is open; return status, output and errors."""
    league, *_ = scene
    section = {"name": "Avalon League", "address": REFEREE}
    expected = {"league": section, "store": {"url": league.store.url}}
    believed = {"authentication": {"server": MX, "failed": "hold"}}
    file = write_league(league.settings.home, expected | believed)
    monkeypatch.setattr(gm, "wall_clock", lambda: league.now)

    return beside(league.store, file, capsys, "held")


def test_the_moderator_releases_a_held_letter(
    scene: tuple[League, Person, Person], held_by: Run
) -> None:
    league, _, bob = scene
    come(league, forged(bob, "SALT mine\nSTANDING\nELSE: SCAN\nEND"))
    assert len(bob.new()) == 1
    held = league.last_letter().id
    listed = held_by("list")[1]
    assert listed.startswith(f"{held}  ")
    assert "DMARC fail" in listed
    assert "ELSE: SCAN" in held_by("show", held)[1]
    status, told, _ = held_by("release", held)
    assert (status, "is released" in told) == (0, True)
    assert league.store.get(Letter, held).state == "answered"
    [answer] = bob.new()
    assert SALTED in words(answer)
    assert "SCAN" in on_file(league)
    come(league, forged(bob, "STATUS"))
    assert league.last_letter().state == "answered"
    assert held_by("list", "--json")[1] == "[]\n"
    assert rebuild(league.settings, league.settings.home / "new.db") == []
    assert list(check(league.store)) == []


def test_the_moderator_drops_a_held_letter_for_good(
    scene: tuple[League, Person, Person], held_by: Run
) -> None:
    league, _, bob = scene
    [(_, asked)] = come(league, forged(bob, ORDERS))
    held, before = league.last_letter().id, books(league)
    assert held_by("drop", held)[0] == 2
    assert league.store.get(Letter, held).state == "held"
    assert held_by("drop", held, "--reason", " a  forgery")[0] == 0
    bob.reply("YES", asked)
    bob.new()
    dropped = league.store.get(Letter, held)
    assert (dropped.state, dropped.reason) == ("discarded", "dropped by the moderator: a forgery")
    assert books(league) == before
    assert rebuild(league.settings, league.settings.home / "new.db") == []
    assert list(check(league.store)) == []


def test_the_moderator_releases_by_mail(tmp_path: Path) -> None:
    with open_scene(tmp_path, failed="hold") as (league, ann, bob):
        mona = replace(league.settings.league, moderator=ann.address)
        ports = league.service.ports
        league.service.ports = replace(ports, settings=replace(league.settings, league=mona))
        come(league, forged(bob, "STATUS"))
        key = ann.key
        held = league.last_letter().id
        text = words(ann.ask(f"KEY {key}\nGM RELEASE LETTER {held}", ann.last_about("Welcome")))
        assert f"letter {held} is released" in text
        assert league.store.get(Letter, held).state == "answered"


def test_a_held_letter_that_breaks_the_desk_stays_held(
    scene: tuple[League, Person, Person], monkeypatch: pytest.MonkeyPatch
) -> None:
    league, _, bob = scene
    come(league, forged(bob, "STATUS"))
    held = league.last_letter()
    monkeypatch.setattr(router, "handle", lambda *_: 1 // 0)
    with pytest.raises(Refusal, match=r"stumbled over letter \d+, .* held: ZeroDivisionError"):
        by_shell(league.service.ports, f"RELEASE LETTER {held.id}", league.now)
    assert league.store.get(Letter, held.id) == held


def test_letters_that_are_not_held_are_left_alone(
    scene: tuple[League, Person, Person], held_by: Run
) -> None:
    league, _, bob = scene
    for arguments in (("release", 1), ("drop", 99, "--reason", "x"), ("show",)):
        status, out, err = held_by(*arguments)
        assert (status, out, err.count("\n")) == (2, "", 1)
    come(league, forged(bob, "STATUS"))
    stored_letters.drop_handled(league.store, league.now + timedelta(days=1))
    status, _, err = held_by("release", league.last_letter().id)
    assert (status, "are erased" in err) == (2, True)


def test_explain_says_what_the_server_says(tmp_path: Path) -> None:
    expected = {"league": {"name": "x", "address": REFEREE}, "authentication": {"server": MX}}
    file = write_league(tmp_path, expected)
    (tmp_path / "one.eml").write_bytes(with_results(letter("Bob", "STATUS", 1), FAIL))
    with closing(Store(load(file).store_url())):
        done = pbem("--config", file, "explain", "--json", tmp_path / "one.eml")
    assert json.loads(done.stdout)["sender"] == f"{MX} says DMARC fail, SPF fail, DKIM none"


@pytest.mark.parametrize(
    ("expected", "why"),
    [
        ({"failed": "hold"}, "failed: name the mail server"),
        ({"passed": "proof"}, "passed: name the mail server"),
        ({"failed": "reject"}, "must be one of ignore, hold"),
    ],
)
def test_somebody_must_be_believed(tmp_path: Path, expected: dict[str, object], why: str) -> None:
    home = {"name": "x", "address": REFEREE}
    file = write_league(tmp_path, {"league": home, "authentication": expected})
    done = pbem("--config", file, "status")
    assert (done.returncode, why in done.stderr.decode()) == (2, True)


@pytest.mark.parametrize(
    ("old", "said"),
    [
        ({"dkim": {"selector": "league1"}}, ["[dkim] has no effect"]),
        (
            {"authentication": {"check_dkim": True, "passed": "proof", "resolver": "127.0.0.1"}},
            ["[authentication] check_dkim and resolver has no effect"],
        ),
        ({"authentication": {"server": MX, "passed": "proof"}}, []),
    ],
)
def test_settings_of_signatures_stop_no_league(
    old: dict[str, Any], said: list[str], caplog: pytest.LogCaptureFixture
) -> None:
    found = parse({"league": {"name": "x", "address": REFEREE}, **old}, Path())
    assert (found.authentication.passed == "proof") == (not said)
    assert [line[: len(start)] for line, start in zip(caplog.messages, said, strict=True)] == said
