"""Channels: each post once, in its thread, in order, whatever fails in between."""

import json
import re
import socket
import time
import tomllib
from collections.abc import Iterator
from dataclasses import MISSING, fields, replace
from datetime import timedelta
from email.message import EmailMessage
from http.client import HTTPConnection
from pathlib import Path
from typing import Any, cast

import pytest

from pbem.channels import KINDS, web
from pbem.channels.channel import ChannelDown
from pbem.channels.mail.maildir import make_maildir
from pbem.channels.web import Web
from pbem.maintenance.checkup import Finding, check
from pbem.outgoing.posts import Posts, parts
from pbem.service.daemon import Daemon
from pbem.service.health import examine
from pbem.settings import SettingsError
from pbem.settings.load import parse
from pbem.storage import Post, Store
from tests.project.test_docs import part
from tests.servers.boards import Answer, Board, Discord, hanging
from tests.servers.daemon import free_address
from tests.servers.discord import CHANNEL, DiscordGuild
from tests.servers.discourse import Discourse
from tests.servers.host import MailHost
from tests.servers.inn import GROUP, PASSWORD, USER, Inn
from tests.servers.nodebb import Nodebb
from tests.support.harness import League, duel
from tests.support.paths import DOCS
from tests.support.players import REFEREE, STANDING, parsed
from tests.support.program import write_league
from tests.support.running_daemon import running
from tests.support.scripted_server import SmtpDialect, Talk, scripted

LIST = "cat@league.example"
SECRETS = {"key": "k3y", "token": "t0ken", "news-password": PASSWORD}


def connect(league: League, channels: dict[str, dict[str, Any]], **more: Any) -> Posts:
    """Add channels to a league, as league.toml would."""
    folder = league.settings.home
    for name, secret in SECRETS.items():
        (folder / name).write_text(secret)
    section = {"name": "Avalon League", "address": REFEREE}
    settings = parse({"league": section, "channels": channels, **more}, folder)
    league.settings = replace(league.settings, channels=settings.channels)
    league.service.ports.posts.settings = replace(settings, store=league.settings.store)
    return league.service.ports.posts


def story(league: League) -> None:
    """Write orders of both players, so that a report is due; one sends a story."""
    ann, bob = league.person("Ann"), league.person("Bob")
    ann.reply("SCAN\nSTORY\nThe dark is deep, @everyone.", ann.letters[-1])
    bob.reply("SCAN", bob.letters[-1])
    league.work()


def fight_on(league: League) -> None:
    """Fight a duel to its end."""
    for person in (league.person("Ann"), league.person("Bob")):
        person.reply(STANDING, person.letters[-1])
    league.work()
    while league.game.running:
        league.later(80)
        league.work()


def fight(league: League) -> None:
    """Fight a duel from its beginning to its end."""
    duel(league)
    story(league)
    fight_on(league)


def put_up(league: League, hours: float = 0) -> list[str]:
    """Put up what is due after some hours, and return the faults."""
    league.later(hours)
    return list(league.service.ports.posts.flush_all(league.now).faults)


def queued(store: Store) -> list[Post]:
    return store.all(Post.select().where(Post.state == "queued").order_by(Post.id))


def killed_before_it_was_written_down(league: League) -> None:
    """Set everything as if the program had died after the board took the post."""
    for row in league.store.all(Post.select().order_by(Post.id)):
        if row.ident != "war":
            league.store.run(Post.update(state="sending", stands="").where(Post.id == row.id))


# --- a folder ------------------------------------------------------------------------------------


def test_a_folder_holds_each_post_and_the_state_of_the_war(league: League, tmp_path: Path) -> None:
    connect(league, {"paste": {"kind": "folder", "path": "paste"}})
    duel(league)
    assert put_up(league) == []
    begun = (tmp_path / "paste" / "war.txt").read_text()
    assert "Hawk against Kestrel, after" in begun
    fight_on(league)
    assert put_up(league) == []
    war = (tmp_path / "paste" / "war.txt").read_text()
    assert "the victory is" in war or "with no victor" in war
    files = sorted(path.name for path in (tmp_path / "paste").iterdir())
    if "commitments-1.txt" in files:  # posted on the day after, which a long battle lasts into
        files.remove("commitments-1.txt")
    turns = [f"G1-T{turn}.txt" for turn in range(1, league.game.turn + 1)]
    drawn = [turn.replace(".txt", ".svg") for turn in turns]
    assert files == sorted([*turns, *drawn, "war.txt"])
    text = (tmp_path / "paste" / turns[-1]).read_text()
    assert text.startswith("Game 1: Hawk against Kestrel\n")
    assert league.game.secret.hex() in text


def test_no_secret_is_posted_before_the_end(league: League) -> None:
    connect(league, {"paste": {"kind": "folder", "path": "paste", "format": "markdown"}})
    duel(league)
    bodies = "".join(post.body for post in league.store.all(Post.select().order_by(Post.id)))
    assert league.game.secret.hex() not in bodies
    assert "Commitment" in bodies


def test_a_folder_that_cannot_be_written_waits(league: League, tmp_path: Path) -> None:
    connect(league, {"paste": {"kind": "folder", "path": "paste"}})
    (tmp_path / "paste").write_text("in the way")
    fight(league)
    [fault] = put_up(league)
    assert "can't be written" in fault
    (tmp_path / "paste").unlink()
    assert put_up(league, hours=2) == []
    assert queued(league.store) == []


# --- mail ----------------------------------------------------------------------------------------


def smtp_of(host: MailHost, folder: Path) -> dict[str, Any]:
    (folder / "smtp-password").write_text(host.users["referee@league.example"])
    smtp = {"host": host.smtp[0], "port": host.smtp[1], "tls": host.tls}
    smtp |= {"user": "referee@league.example", "password_file": "smtp-password"}
    return smtp | ({"ca_file": str(host.ca_file)} if host.ca_file else {})


def test_mail_goes_out_once_and_in_threads(
    league: League, mail_servers: MailHost, tmp_path: Path
) -> None:
    smtp = smtp_of(mail_servers, tmp_path)
    connect(league, {"list": {"kind": "mail", "to": LIST}}, smtp=smtp)
    fight(league)
    assert put_up(league) == []
    posts = league.store.all(Post.select().order_by(Post.id))
    came = [parsed(raw) for raw in mail_servers.wait_for_letters(LIST, len(posts))]
    order = [post.stands for post in posts]  # a mail server may deliver in another one
    letters = sorted(came, key=lambda each: order.index(str(each["Message-ID"])))
    in_threads(letters, posts)
    assert put_up(league, 24) == []
    assert len(mail_servers.inbox(LIST)) == len(posts)


def in_threads(letters: list[EmailMessage], posts: list[Post]) -> None:
    """All posts are there once, in order, each of the game under its first."""
    assert len({each["Message-ID"] for each in letters}) == len(letters) == len(posts) > 2
    assert [str(each["Message-ID"]) for each in letters] == [post.stands for post in posts]
    [listed] = [each for each in letters if "commitments of games" in each["Subject"]]
    assert listed["References"] is None
    first, *others = [each for each in letters if each is not listed]
    assert first["References"] is None
    assert first["Subject"] == "Game 1: Hawk against Kestrel"
    assert {str(each["References"]) for each in others} == {str(first["Message-ID"])}
    assert {str(each["Subject"]) for each in others} == {"Re: Game 1: Hawk against Kestrel"}
    assert "The dark is deep, @everyone." in "".join(str(each.get_content()) for each in letters)


# --- a newsgroup ---------------------------------------------------------------------------------


def news(inn: Inn, tls: str = "none") -> dict[str, dict[str, Any]]:
    at = {"host": inn.nntp[0], "port": inn.nntp[1], "tls": tls, "group": GROUP}
    at["ca_file"] = str(inn.certificates.ca_file)
    login = {"user": USER, "password_file": "news-password"}
    return {"news": {"kind": "nntp", **at, **login}}


@pytest.mark.services
def test_a_newsgroup_has_each_post_once_though_it_was_down(league: League, inn: Inn) -> None:
    connect(league, news(inn))
    duel(league)
    assert put_up(league) == []
    with inn.stopped():
        story(league)
        [fault] = put_up(league)
        assert "Nothing listens" in fault
        fight_on(league)
        put_up(league)
    assert put_up(league, hours=2) == []
    in_threads(
        [parsed(raw) for raw in inn.articles()], league.store.all(Post.select().order_by(Post.id))
    )
    killed_before_it_was_written_down(league)
    assert put_up(league) == []
    in_threads(
        [parsed(raw) for raw in inn.articles()], league.store.all(Post.select().order_by(Post.id))
    )


@pytest.mark.services
def test_a_newsgroup_is_reached_through_tls(league: League, inn: Inn) -> None:
    connect(league, news(inn, "starttls"))
    duel(league)
    assert put_up(league) == []
    assert len(inn.articles()) == 1


@pytest.mark.services
def test_a_newsgroup_that_is_not_there_refuses(league: League, inn: Inn) -> None:
    connect(league, {"news": news(inn)["news"] | {"group": "league.nowhere"}})
    duel(league)
    [fault] = put_up(league)
    assert "did not take the article: 441" in fault
    assert league.store.all(Post.select().order_by(Post.id))[0].state == "queued"


@pytest.mark.services
def test_a_newsgroup_that_takes_no_login_is_left_alone_for_long(league: League, inn: Inn) -> None:
    posts = connect(league, news(inn))
    (league.settings.home / "news-password").write_text("wrong")
    duel(league)
    [fault] = put_up(league)
    assert "refused the login of referee" in fault
    assert PASSWORD not in fault
    due = posts.next_due(next(iter(league.service.ports.posts.channels)))
    assert due is not None
    assert due >= league.now + timedelta(minutes=5)


# --- forums --------------------------------------------------------------------------------------

BOARDS = {
    "discourse": (Discourse, {"user": "referee", "key_file": "key", "category": 5}),
    "nodebb": (Nodebb, {"token_file": "token", "category": 5, "uid": 7}),
    "discord": (DiscordGuild, {"token_file": "token", "channel": CHANNEL}),
    "webhook": (Discord, {"url_file": "hook"}),
}


@pytest.fixture(params=BOARDS)
def board(request: pytest.FixtureRequest, league: League) -> Iterator[Board]:
    """Each kind of board in turn, and a league that posts to it."""
    kind, (made, settings) = request.param, BOARDS[request.param]
    with made().running() as board:
        if kind == "webhook":
            (league.settings.home / "hook").write_text(f"{board.url}/api/webhooks/1/abc\n")
        else:
            settings = settings | {"url": board.url}
        connect(league, {"board": {"kind": kind, **settings}})
        yield board


def stood(board: Board, league: League) -> None:
    """All posts are there, once and in order, and the war's is one that was changed."""
    posts = [
        post for post in league.store.all(Post.select().order_by(Post.id)) if post.ident != "war"
    ]
    assert [post.state for post in posts] == ["sent"] * len(posts)
    assert board.standing("war") == [board.last_change]
    assert board.standing("G1") == [post.body for post in posts]
    assert "@everyone" not in "".join(board.standing("G1"))


def test_a_board_has_all_posts_in_a_thread(league: League, board: Board) -> None:
    duel(league)
    assert put_up(league) == []
    story(league)
    fight_on(league)
    assert put_up(league) == []
    stood(board, league)


def test_a_board_that_was_down_gets_all_of_it_later(league: League, board: Board) -> None:
    duel(league)
    assert put_up(league) == []
    board.fail(503)
    story(league)
    assert "answered 503" in put_up(league)[0]
    fight_on(league)
    put_up(league)
    board.mend()
    put_up(league, hours=2)
    if not isinstance(board, Discord):
        stood(board, league)
    assert queued(league.store) == []


def test_a_board_that_is_away_is_waited_for_on_a_system_that_names_no_ports(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Small containers have no /etc/services."""

    def refused(*given: Any) -> None:
        raise ConnectionRefusedError

    monkeypatch.setattr(HTTPConnection, "connect", refused)
    monkeypatch.delattr(socket, "getservbyname")
    with pytest.raises(ChannelDown, match=r"Nothing listens at board\.example:443"):
        Web("https://board.example", {}).ask("GET", "/t/1.json")


WAITS = {
    "90": 90,
    "0": 1,
    "999999999": 86400,
    "Fri, 01 Jan 2100 00:00:00 GMT": 86400,
    "Wed, 21 Oct 2015 07:28:00 GMT": 1,
    "Wed, 99 Oct 2015 07:28:00 GMT": 60,
    "soon": 60,
}


@pytest.mark.parametrize(("asked", "seconds"), WAITS.items())
def test_a_board_may_say_as_a_number_or_a_date_how_long_to_wait(asked: str, seconds: int) -> None:
    def busy(talk: Talk) -> None:
        head = f"HTTP/1.1 503 Busy\r\nContent-Length: 0\r\nRetry-After: {asked}\r\n\r\n"
        talk.say([head.encode()])

    with scripted(busy) as server, pytest.raises(ChannelDown) as caught:
        Web(f"http://{server.host}:{server.port}", {}).ask("GET", "/t/1.json")
    assert caught.value.after == seconds


@pytest.mark.parametrize("head", [b"Content-Length: 9999\r\n", b""])
def test_a_board_that_drips_out_its_answer_is_left(
    monkeypatch: pytest.MonkeyPatch, head: bytes
) -> None:
    """Each piece comes in time, and the answer never ends."""
    monkeypatch.setattr(web, "LONGEST", 0.3)

    def drip(talk: Talk) -> None:
        talk.say([b"HTTP/1.1 200 OK\r\n" + head + b'\r\n{"a": "'])
        talk.say([b"b", 0.02] * 5000)

    with scripted(drip) as server, pytest.raises(ChannelDown):
        Web(f"http://{server.host}:{server.port}", {}).ask("GET", "/t/1.json")


def test_a_board_asks_us_to_wait(league: League, board: Board) -> None:
    duel(league)
    board.fail(429, {"Retry-After": "7200"})
    assert "answered 429" in put_up(league)[0]
    board.mend()
    assert put_up(league, hours=1.9) == []
    assert board.standing("G1") == []
    put_up(league, hours=0.2)
    assert len(board.standing("G1")) == 1 or isinstance(board, Discord)


def test_what_broke_off_does_not_stand_twice(league: League, board: Board) -> None:
    duel(league)
    story(league)
    board.swallow = True
    for _ in range(12):
        put_up(league, hours=2)
    board.swallow = False
    put_up(league, hours=2)
    fight_on(league)
    put_up(league, hours=2)
    bodies = board.standing("G1")
    assert len(bodies) == len(set(bodies)) >= 2
    assert queued(league.store) == []
    if not isinstance(board, Discord):
        stood(board, league)


@pytest.mark.parametrize("status", [400, 403, 404, 409, 422, 425])
def test_what_a_board_refuses_waits_for_its_reason_to_pass(
    league: League, board: Board, status: int
) -> None:
    """A 422 may mean "too soon" or "too similar", a 400 NodeBB's limit of a rate."""
    duel(league)
    board.fail(status)
    assert len(put_up(league)) == 2  # after two in a row the whole board is left alone
    assert f"answered {status}" in trouble(league, "boards")
    assert put_up(league) == []
    fight_on(league)
    assert len(put_up(league)) <= 2
    assert {post.state for post in league.store.all(Post.select().order_by(Post.id))} == {"queued"}
    board.mend()
    put_up(league, hours=2)
    assert put_up(league, hours=2) == []
    stood(board, league)
    assert trouble(league, "boards") == ""


def test_a_post_that_a_board_never_takes_holds_up_its_thread_alone(
    league: League, board: Board, monkeypatch: pytest.MonkeyPatch
) -> None:
    act = board.act

    def picky(method: str, path: str, headers: Any, body: Any) -> Answer:
        text = str(body)
        return (422, {}, {}) if "state of the war" in text else act(method, path, headers, body)

    monkeypatch.setattr(board, "act", picky)
    duel(league)
    put_up(league)
    fight_on(league)
    for _ in range(40):
        put_up(league, hours=5)
    states = {
        post.state
        for post in league.store.all(Post.select().order_by(Post.id))
        if post.ident != "war"
    }
    assert (states, board.standing("war")) == ({"sent"}, [])
    war = league.store.first(Post.select().where(Post.ident == "war").order_by(Post.id))
    assert war is not None
    assert war.state == "failed"
    assert "given up: 0 letters, 1 posts" in trouble(league, "given_up")


def trouble(league: League, kind: str) -> str:
    """Return what `pbem health` says of a kind of trouble, or nothing."""
    found = examine(league.settings, league.store, league.now).troubles
    return next((one.text for one in found if one.key == kind), "")


def test_a_board_that_takes_no_key_is_left_alone_for_long(league: League, board: Board) -> None:
    duel(league)
    board.fail(401)
    put_up(league)
    due = league.service.ports.posts.next_due(next(iter(league.service.ports.posts.channels)))
    assert due is not None
    assert due >= league.now + timedelta(minutes=5)
    assert all(post.state == "queued" for post in league.store.all(Post.select().order_by(Post.id)))
    assert "answered 401" in trouble(league, "boards")


def test_a_long_post_comes_in_parts() -> None:
    blocks = ["a" * 30, "b" * 30, "word " * 20, "c" * 10]
    found = list(parts(blocks, 70))
    assert max(map(len, found)) <= 70
    assert " ".join(found).split() == " ".join(blocks).split()
    assert list(parts(["a", "b"], 70)) == ["a\n\nb"]


# --- the worker ---------------------------------------------------------------------------------


def test_a_board_that_hangs_delays_no_turn(league: League) -> None:
    with hanging() as url:
        settings = {"user": "referee", "key_file": "key", "category": 5, "url": url}
        connect(league, {"board": {"kind": "discourse", **settings}})
        duel(league)
        worker = Daemon(league.service, league.mailbox, league.transport, lambda: league.now)
        with running(worker):
            time.sleep(0.3)
            fight_on(league)
            assert not league.game.running


def test_a_league_without_channels_writes_no_posts(league: League) -> None:
    fight(league)
    assert league.store.count(Post.select()) == 0


def test_the_daemon_has_a_postman(league: League, tmp_path: Path) -> None:
    connect(league, {"paste": {"kind": "folder", "path": "paste"}})
    duel(league)
    with running(Daemon(league.service, league.mailbox, league.transport, lambda: league.now)):
        last = time.monotonic() + 10
        while queued(league.store) and time.monotonic() < last:
            time.sleep(0.02)
    assert (tmp_path / "paste" / "war.txt").exists()


# --- settings ------------------------------------------------------------------------------------

NNTP = {"kind": "nntp", "host": "news.example", "group": "rec.games.pbm"}
DISCORD = {"kind": "discord", "token_file": "t", "channel": CHANNEL}
FORUM = {"kind": "nodebb", "url": "https://forum.example", "token_file": "t", "category": 1}


@pytest.mark.parametrize(
    ("channel", "text"),
    [
        ({"kind": "pigeon"}, "kind is 'pigeon'; it must be one of folder, mail, nntp"),
        ({}, "kind is missing"),
        ({"kind": "folder"}, "path is missing"),
        ({"kind": "folder", "path": "x", "format": "html"}, "format is 'html'"),
        ({"kind": "folder", "path": "x", "limit": 5}, "limit is not a setting"),
        ({"kind": "mail", "to": "nobody"}, "to is 'nobody'; it must be one address"),
        (NNTP | {"group": "war\r\nPOST"}, "group must be one line of text"),
        (NNTP | {"group": "war"}, "it must be a newsgroup"),
        (NNTP | {"host": "news.example:119"}, "write the name alone"),
        (NNTP | {"user": "u"}, "password_file is missing, which user needs"),
        (FORUM | {"category": -1}, "category must be from 0 to"),
        (NNTP | {"port": 0}, "port must be from 1 to 65535"),
        (NNTP | {"tls": "none"}, 'tls = "none" is for this machine only'),
        (FORUM | {"url": "http://forum.example"}, "url must begin with https://"),
        (FORUM | {"url": "forum.example"}, "url is 'forum.example'"),
        (FORUM | {"category": "1"}, "category must be a whole number"),
        (DISCORD | {"channel": "battles"}, "channel is 'battles'; it must be the channel's ID"),
        (DISCORD | {"url": "http://discord.example"}, "url must begin with https://"),
    ],
)
def test_a_wrong_channel_is_told_by_its_name(channel: dict[str, Any], text: str) -> None:
    raw = {"league": {"name": "A", "address": REFEREE}, "channels": {"one": channel}}
    with pytest.raises(SettingsError) as fault:
        parse(raw, Path("/nowhere"))
    assert "[channels.one]" in str(fault.value)
    assert text in str(fault.value)


def test_a_secret_that_is_missing_keeps_the_posts(league: League) -> None:
    connect(league, {"board": FORUM | {"url": f"http://127.0.0.1:{free_address()[1]}"}})
    duel(league)
    [fault] = put_up(league)
    assert "t can't be read" in fault
    (league.settings.home / "t").write_text("t0ken")
    assert "Nothing listens" in put_up(league, hours=2)[0]
    assert len(queued(league.store)) == 2


# --- documentation -------------------------------------------------------------------------------

TOLD = part((DOCS / "moderator.md").read_text("utf-8"), "Channels")


def test_every_kind_of_channel_is_told_with_all_its_settings() -> None:
    [block] = re.findall(r"```toml\n(.*?)```", TOLD, re.S)
    raw = tomllib.loads(block)["channels"]
    section = {"name": "A", "address": REFEREE}
    assert len(parse({"league": section, "channels": raw}, Path("/nowhere")).channels) == len(raw)
    expected = {channel.pop("kind"): channel for channel in raw.values()}
    assert set(expected) == set(KINDS)
    for name, kind in KINDS.items():
        known: dict[str, Any] = {field.name: field.default for field in fields(cast(Any, kind))}
        assert set(expected[name]) == set(known), name
        shown = {
            key: expected[name][key] for key, default in known.items() if default is not MISSING
        }
        assert shown == {key: known[key] for key in shown}, name


def found_of(folder: Path, name: str = "channel chat") -> Finding:
    """Return what `pbem check` finds of a channel."""
    return {one.part: one for one in check(folder / "league.toml")}[name]


def league_with(folder: Path, kind: str, **settings: object) -> Path:
    """Write a league of Maildirs with a channel."""
    make_maildir(folder / "in")
    for name, secret in SECRETS.items():
        (folder / name).write_text(secret)
    sections: dict[str, dict[str, Any]] = {
        "league": {"name": "A", "address": REFEREE},
        "maildir": {"path": "in", "out": "out"},
        "channels.chat": {"kind": kind, **settings},
    }
    write_league(folder, sections)
    return folder


def test_check_misses_the_secrets_of_channels(tmp_path: Path) -> None:
    league_with(tmp_path, "webhook", url_file="hook")
    assert "hook can't be read" in found_of(tmp_path).text
    (tmp_path / "hook").write_text("ftp://evil.example")
    assert found_of(tmp_path).text == "hook holds no web hook's https URL."


@pytest.mark.parametrize("kind", BOARDS)
def test_check_asks_a_board_whether_it_takes_posts(tmp_path: Path, kind: str) -> None:
    made, settings = BOARDS[kind]
    with made().running() as board:
        (tmp_path / "hook").write_text(f"{board.url}/api/webhooks/1/abc\n")
        there = {} if kind == "webhook" else {"url": board.url}
        league_with(tmp_path, kind, **settings, **there)
        assert found_of(tmp_path).ok, found_of(tmp_path).text
        for status in (401, 403, 404, 500) if kind != "webhook" else (401, 404, 500):
            board.fail(status)
            assert not found_of(tmp_path).ok
        board.mend()
        if kind == "webhook":
            (tmp_path / "hook").write_text(f"{board.url}/api/webhooks/2/def\n")
            assert "Unknown Webhook" in found_of(tmp_path).text
        else:
            board.may_begin_topics = False
            assert re.search("may not begin topics|lacks .*Threads", found_of(tmp_path).text)
        assert not found_of(tmp_path).ok
    assert board.posts == {}


NEWS = {"kind": "nntp", "group": "league.battles", "tls": "none"}


@pytest.mark.parametrize(
    ("replies", "text"),
    [
        ({}, "has league.battles, and lets us post"),
        ({"GROUP": "411 no such newsgroup"}, "has no league.battles: 411"),
        ({"POST": "440 posting not permitted"}, "does not let us post: 440"),
        ({"GREETING": "502 go away"}, "does not let us post: 502"),
        ({"GREETING": "400 later"}, "does not let us post: 400"),
    ],
)
def test_check_asks_a_newsgroup_whether_it_may_be_posted_to(
    tmp_path: Path, replies: dict[str, str], text: str
) -> None:
    usual = {"GREETING": "200 hello", "GROUP": "211 0 1 0 x", "POST": "340 go on"} | replies
    heard = list[str]()

    def news(talk: Talk) -> None:
        talk.say([usual["GREETING"].encode() + b"\r\n"])
        while line := talk.hear().decode().strip():
            heard.append(line)
            talk.say([usual.get(line.split()[0], "200 fine").encode() + b"\r\n"])

    with scripted(news) as server:
        league_with(tmp_path, **NEWS, host=server.host, port=server.port)
        found = found_of(tmp_path)
    assert text in found.text
    assert found.ok == (not replies)
    assert "." not in heard  # nothing was posted


@pytest.mark.services
def test_check_posts_nothing_to_a_real_newsgroup(tmp_path: Path, inn: Inn) -> None:
    league_with(tmp_path, **news(inn)["news"])
    found = found_of(tmp_path)
    assert (found.ok, inn.articles()) == (True, [])
    league_with(tmp_path, **news(inn)["news"] | {"group": "league.nowhere"})
    assert "has no league.nowhere: 411" in found_of(tmp_path).text


def test_check_asks_for_the_address_of_a_list(tmp_path: Path) -> None:
    dialect = SmtpDialect({"RCPT": [b"550 5.7.1 not for you\r\n"]})
    with scripted(dialect) as server:
        league_with(tmp_path, "mail", to=LIST)
        at = {"host": server.host, "port": server.port, "tls": "none"}
        file = tmp_path / "league.toml"
        lines = "".join(f"{key} = {json.dumps(value)}\n" for key, value in at.items())
        file.write_text(file.read_text().replace('out = "out"\n', "") + f"[smtp]\n{lines}")
        for part in ("channel chat", "smtp"):
            found = found_of(tmp_path, part)
            assert not found.ok
            assert "not for you" in found.text
    assert dialect.letters == []


def test_check_sees_a_folder_that_cannot_be_written(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    league_with(tmp_path, "folder", path="file/posts")
    assert "can't be written" in found_of(tmp_path).text
    league_with(tmp_path, "folder", path="posts")
    assert found_of(tmp_path).ok
    assert not (tmp_path / "posts").exists()
