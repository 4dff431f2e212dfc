"""A newsgroup that is read: who wrote each article, and what is new in it, on a real INN."""

from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from contextlib import closing, contextmanager
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from email.utils import format_datetime

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pbem.channels.channel import ChannelDown, Message
from pbem.channels.mail.mailbox import MAX_BYTES
from pbem.channels.newsgroup import NntpSettings
from pbem.channels.newsgroup import article as articles
from pbem.channels.newsgroup.board import PORTION
from pbem.channels.newsgroup.mark import MOST_KNOWN
from tests.servers.certificates import make_certificates
from tests.servers.daemon import open_folder
from tests.servers.inn import GROUP, PASSWORD, USER, Inn, article
from tests.support.board_reading import Reader, draft
from tests.support.played_newsgroup import PlayedNewsgroup
from tests.support.scripted_server import CLOSE, Script, Talk, scripted

SETTINGS = NntpSettings(
    host="127.0.0.1", group=GROUP, tls="none", user=USER, password_file="p", play=True
)
services = pytest.mark.services


class Referee(Reader):
    """Reads the group look by look, and drops what it has read before, as the worker does."""

    def look(self, watched: Collection[str] = ()) -> list[Message]:
        """Return what is new."""
        known = {self.settings.message(raw).place for raw in self.raw}
        return [message for message in super().look(watched) if message.place not in known]


@pytest.fixture
def reader(group: PlayedNewsgroup) -> Iterator[Referee]:
    """A referee who has looked at the empty group once."""
    with referee(group.settings) as reader:
        yield reader


@contextmanager
def referee(settings: NntpSettings) -> Iterator[Referee]:
    """A referee who has looked once at what is there."""
    reader = Referee(settings, PASSWORD)
    with closing(reader.board):
        assert reader.look() == []
        yield reader


@pytest.fixture
def group(inn: Inn) -> PlayedNewsgroup:
    """The same group, for those who play there."""
    return PlayedNewsgroup(inn)


def texts(messages: Sequence[Message]) -> list[str]:
    return [message.text for message in messages]


# --- who wrote it --------------------------------------------------------------------------------


@services
def test_an_article_is_read_once_with_its_account(reader: Referee, group: PlayedNewsgroup) -> None:
    began = datetime.now(UTC) - timedelta(seconds=2)
    root = reader.board.publish(draft("The battle begins."))
    number = group.post("ada", "@referee !scan", root)
    own, message = reader.look()
    assert own.own
    assert not message.own
    assert (message.number, message.version, message.account) == (number, "", "ada")
    assert (message.name, message.threads, message.room) == ("Ada", (root,), GROUP)
    assert message.text == "scan"
    assert began <= message.at <= datetime.now(UTC)
    assert reader.look([number]) == []
    reader.cursor = ""
    assert reader.look() == []


@services
def test_what_was_there_before_the_first_look_is_not_read(inn: Inn, group: PlayedNewsgroup) -> None:
    group.post("ada", "SURRENDER")
    with referee(group.settings) as reader:
        group.post("ada", "SCAN")
        assert texts(reader.look()) == ["SCAN"]


@services
@pytest.mark.parametrize(
    "fields",
    [
        {"Injection-Info": 'news.league.example; posting-account="ada"'},
        {"Path": "news.league.example!.POSTED!not-for-mail"},
        {"Xref": f"news.league.example {GROUP}:7"},
    ],
)
def test_inn_takes_no_article_that_says_itself_who_wrote_it(
    inn: Inn, reader: Referee, fields: Mapping[str, str]
) -> None:
    assert inn.post("mallory", article(fields)).startswith("441")
    assert reader.look() == []


@services
def test_the_name_in_from_is_not_the_account(inn: Inn, reader: Referee) -> None:
    for fields in ({}, {"Sender": "ada@league.example"}, {"Path": "ada!not-for-mail"}):
        assert inn.post("mallory", article(fields, "SURRENDER")).startswith("240")
    assert {(message.name, message.account) for message in reader.look()} == {("Ada", "mallory")}


FOREIGN = [
    ("other.example!.POSTED!not-for-mail", "other.example"),
    ("other.example!.POSTED!not-for-mail", "news.league.example"),
    ("other.example!news.league.example!.POSTED!not-for-mail", "news.league.example"),
    ("other.example!not-for-mail", "news.league.example"),
]


@services
@pytest.mark.parametrize(("path", "server"), FOREIGN)
def test_our_server_vouches_for_no_account_of_another(
    inn: Inn, reader: Referee, path: str, server: str
) -> None:
    info = f'{server}; posting-account="ada"'
    date = format_datetime(datetime.now(UTC))
    fields = {"Message-ID": "<x@y>", "Path": path, "Injection-Info": info, "Date": date}
    assert inn.feed("<x@y>", article(fields, "SURRENDER")).startswith("235")
    [message] = reader.look()
    assert (message.account, message.own) == ("", False)


@services
def test_a_time_is_the_server_s_whatever_its_writer_says(inn: Inn, reader: Referee) -> None:
    before = datetime.now(UTC) - timedelta(minutes=1)
    for days in (-3, 0.5):
        date = format_datetime(datetime.now(UTC) + timedelta(days=days))
        fields = {"Message-ID": f"<{days}@y>", "Date": date, "Injection-Date": date}
        assert inn.post("ada", article(fields)).startswith("240")
    assert all(before <= message.at <= datetime.now(UTC) for message in reader.look())


# --- edits and deletions -------------------------------------------------------------------------


@services
def test_an_article_that_supersedes_another_is_its_next_form(
    reader: Referee, group: PlayedNewsgroup
) -> None:
    number = group.post("ada", "SCAN")
    assert texts(reader.look()) == ["SCAN"]
    for text in ("WAIT", "TURN LEFT"):
        group.edit(number, text)
        [message] = reader.look([number])
        assert (message.number, message.account, message.text) == (number, "ada", text)
        assert not message.deleted
        assert reader.look([number]) == []
    assert len(reader.raw) == 3
    # The last form is withdrawn, so that nothing is left.
    group.delete(number)
    [message] = reader.look([number])
    assert (message.number, message.account, message.deleted) == (number, "ada", True)
    assert reader.look([number]) == []


@services
def test_an_edit_is_no_deletion_though_the_first_form_is_gone(
    reader: Referee, group: PlayedNewsgroup
) -> None:
    number = group.post("ada", "SCAN")
    reader.look()
    group.edit(number, "WAIT")
    assert texts(reader.look()) == ["WAIT"]
    assert reader.look([number]) == []


@services
def test_of_two_edits_between_looks_the_last_is_read_as_the_server_tells_it(
    reader: Referee, group: PlayedNewsgroup
) -> None:
    number = group.post("ada", "SCAN")
    reader.look()
    group.edit(number, "WAIT")
    group.edit(number, "TURN LEFT")
    # It names a form that nobody has seen, and the one that we know is gone.
    last, first = reader.look([number])
    assert (last.text, last.account, first.number, first.deleted) == (
        "TURN LEFT",
        "ada",
        number,
        True,
    )


@services
def test_a_cancelled_article_is_deleted(reader: Referee, group: PlayedNewsgroup) -> None:
    number = group.post("ada", "SCAN")
    [first] = reader.look()
    group.delete(number)
    [message] = reader.look([number])
    expected = replace(
        first, version=message.version, at=message.at, text="", name="", deleted=True
    )
    assert message == expected
    assert message.version != ""


@services
def test_nobody_withdraws_what_others_wrote(
    inn: Inn, reader: Referee, group: PlayedNewsgroup
) -> None:
    number = group.post("ada", "SCAN")
    reader.look()
    for fields in ({"Control": f"cancel {number}"}, {"Supersedes": number}):
        assert inn.post("mallory", article(fields, "SURRENDER")).startswith("240")
    [message] = reader.look([number])
    assert (message.number, message.account) == (number, "mallory")
    # Nor does it hide that its writer withdraws it.
    group.delete(number)
    [message] = reader.look([number])
    assert (message.number, message.account, message.deleted) == (number, "ada", True)


@services
def test_what_a_server_without_accounts_hands_over_changes_nothing(
    inn: Inn, reader: Referee, group: PlayedNewsgroup
) -> None:
    number = group.post("ada", "SCAN")
    date = format_datetime(datetime.now(UTC))
    fields = {"Message-ID": "<x@y>", "Path": "other.example!x", "Date": date, "Supersedes": number}
    assert inn.feed("<x@y>", article(fields, "SURRENDER")).startswith("235")
    assert [message.number for message in reader.look([number])] == [number, "<x@y>"]


@services
def test_an_expired_article_was_not_withdrawn(
    inn: Inn, reader: Referee, group: PlayedNewsgroup
) -> None:
    number = group.post("ada", "SCAN")
    group.post("bob", "SCAN")
    assert len(reader.look()) == 2
    inn.expire()
    with inn.reader() as ask:
        assert ask(f"STAT {number}").startswith("430")
    assert reader.look([number]) == []


@services
def test_where_nothing_is_withdrawn_an_edit_is_one_all_the_same() -> None:
    with (
        open_folder() as folder,
        Inn(folder, make_certificates(folder), cancels="none").running() as inn,
    ):
        group = PlayedNewsgroup(inn)
        with referee(group.settings) as reader:
            number = group.post("ada", "SCAN")
            group.edit(number, "WAIT")
            group.delete(number)
            assert [(each.number, each.text) for each in reader.look([number])] == [
                (number, "SCAN"),
                (number, "WAIT"),
            ]
            assert reader.look([number]) == []


# --- what is new in it ---------------------------------------------------------------------------


@services
def test_quotes_and_signatures_are_not_read(reader: Referee, group: PlayedNewsgroup) -> None:
    group.post(
        "ada",
        "Bob <bob@players.example> wrote:\n> SURRENDER\n>> RETREAT\n\nSCAN\n\n-- \nFIRE Ada\n",
    )
    assert texts(reader.look()) == ["SCAN"]


@services
def test_dots_and_long_lines_arrive_as_they_were_written(
    reader: Referee, group: PlayedNewsgroup
) -> None:
    written = ".\n..\n. SCAN\n" + "x" * 200_000 + "\nend"
    group.post("ada", written)
    assert texts(reader.look()) == [written]


# --- how much, and when --------------------------------------------------------------------------


@services
def test_many_articles_are_read_in_one_look(inn: Inn, reader: Referee) -> None:
    many = 10 * PORTION + 1
    with inn.peer() as ask:
        for number in range(many):
            ident = f"<{number}@y>"
            named = {"Message-ID": ident, "Path": "x", "Date": format_datetime(datetime.now(UTC))}
            answer = ask.hand_over(f"IHAVE {ident}", article(named, f"SCAN {number}"))
            assert answer.startswith("235")
    portions = list(reader.board.news(reader.cursor, ()))
    assert [len(portion.messages) for portion in portions] == [PORTION] * 10 + [1, 0]
    found = [reader.settings.message(raw).text for portion in portions for raw in portion.messages]
    assert found == [f"SCAN {number}" for number in range(many)]
    # From each cursor on, the rest is read.
    reader.cursor = portions[7].cursor
    assert len(reader.look()) == 2 * PORTION + 1


@services
def test_a_server_that_was_down_is_read_on_where_it_was(
    inn: Inn, reader: Referee, group: PlayedNewsgroup
) -> None:
    group.post("ada", "SCAN")
    assert len(reader.look()) == 1
    with inn.stopped(), pytest.raises(ChannelDown, match="Nothing listens"):
        reader.look()
    group.post("bob", "SCAN")
    assert [message.account for message in reader.look()] == ["bob"]


@services
def test_check_says_what_is_missing_for_play(inn: Inn, group: PlayedNewsgroup) -> None:
    with referee(group.settings) as reader:
        assert reader.board.obstacles() == []
        group.post("ada", "SCAN")
        assert reader.board.obstacles() == []
        inn.moderate()
        [sentence] = reader.board.obstacles()
        assert "moderated" in sentence


# --- servers of other kinds, and worse ones ------------------------------------------------------

STORED = (
    b"Path: news.example!.POSTED.localhost!not-for-mail\r\n"
    b"From: Ada <ada@league.example>\r\nNewsgroups: league.avalon\r\nMessage-ID: <%d@x>\r\n"
    b"Date: Sat, 05 Jan 2030 18:16:%02d +0000\r\n"
    b'Injection-Info: vm.example; posting-account="ada"; posting-host="localhost:127.0.0.1";\r\n'
    b'\tlogging-data="1"\r\nXref: news.example league.avalon:1\r\n\r\nSCAN %d\r\n'
)


class Server:
    """A group of a scripted server: `articles` by their numbers, what to say instead, and a cut."""

    def __init__(self, articles: dict[int, bytes]) -> None:
        self.articles = articles
        self.instead: dict[str, Script] = {}
        self.time = "20300105181500"
        self.heard = list[str]()

    def __call__(self, talk: Talk) -> None:
        talk.say([b"200 hello\r\n"])
        while line := talk.hear().decode().strip():
            self.heard.append(line)
            talk.say(self.instead.get(line) or [self.answer(*line.split())])

    def answer(self, verb: str, *words: str) -> bytes:
        low, high = min(self.articles, default=1), max(self.articles, default=0)
        if verb == "DATE":
            return f"111 {self.time}\r\n".encode()
        if verb in ("GROUP", "LISTGROUP"):
            line = f"211 {len(self.articles)} {low} {high} {GROUP}\r\n"
            listed = "".join(f"{number}\r\n" for number in self.articles) + ".\r\n"
            return (line + (listed if verb == "LISTGROUP" else "")).encode()
        if verb == "QUIT" or not words:
            return b"205 bye\r\n"
        if verb == "AUTHINFO":
            return b"281 fine\r\n"
        if verb == "MODE":
            return b"200 fine\r\n"
        asked = words[0]
        for number, raw in self.articles.items():
            ident = articles.read(raw).ident
            if asked in (str(number), ident):
                said = {
                    "STAT": b"",
                    "HEAD": raw.partition(b"\r\n\r\n")[0] + b"\r\n.\r\n",
                    "ARTICLE": raw + b".\r\n",
                }
                code = {"STAT": 223, "HEAD": 221, "ARTICLE": 220}[verb]
                return f"{code} {number} {ident}\r\n".encode() + said[verb]
        return b"423 no such article\r\n"


def stored(*numbers: int) -> dict[int, bytes]:
    return {number: STORED % (number, number, number) for number in numbers}


@contextmanager
def at(server: Server) -> Iterator[Referee]:
    """A referee who has looked once at what a scripted server has."""
    with (
        scripted(server) as link,
        referee(replace(SETTINGS, host=link.host, port=link.port)) as reader,
    ):
        yield reader


def test_only_whole_portions_count_if_the_server_hangs_up() -> None:
    server = Server(stored(1))
    with at(server) as reader:
        last = PORTION + 30
        server.articles |= stored(*range(2, last + 1))
        cut = f"ARTICLE {last - 3}"
        server.instead[cut] = [b"220 0 <a@b>\r\n" + STORED[:40], CLOSE]
        with pytest.raises(ChannelDown):
            reader.look()
        assert len(reader.raw) == PORTION
        del server.instead[cut]
        assert [message.number for message in reader.look()] == [
            f"<{number}@x>" for number in range(PORTION + 2, last + 1)
        ]


def test_a_group_with_new_numbers_is_read_again_and_nothing_twice() -> None:
    server = Server(stored(7, 8))
    with at(server) as reader:
        server.articles |= stored(9, 10)
        server.time = "20300105181600"
        assert len(reader.look()) == 2
        # Fewer than before: 9 and 10 are now 1 and 2.
        server.articles = {1: stored(9)[9], 2: stored(10)[10], 3: stored(11)[11]}
        server.time = "20300105181700"
        assert [message.number for message in reader.look(["<9@x>"])] == ["<11@x>"]
        # As many as before, and more: other articles have the numbers.
        server.articles = {2: stored(12)[12], 3: stored(10)[10], 4: stored(13)[13]}
        found = [message.number for message in reader.look(["<9@x>"])]
        assert found == ["<12@x>", "<13@x>"]


def test_what_is_missing_in_a_rebuilt_group_was_not_withdrawn() -> None:
    server = Server(stored(7))
    with at(server) as reader:
        server.articles |= stored(8)
        assert len(reader.look()) == 1
        server.articles = stored(1)
        assert [message for message in reader.look(["<8@x>"]) if message.deleted] == []
        server.articles |= stored(2)
        assert [message for message in reader.look(["<8@x>"]) if message.deleted] == []


def test_articles_from_before_the_first_look_stay_unread_in_a_rebuilt_group() -> None:
    server = Server({20: STORED.replace(b"2030", b"2029") % (1, 1, 1)})
    with at(server) as reader:
        server.articles = {1: server.articles[20]}
        assert reader.look() == []


def test_an_article_came_no_earlier_than_the_last_look() -> None:
    server = Server(stored(1))
    with at(server) as reader:
        for number, time in ((2, "20300105181700"), (3, "20300105181800")):
            server.articles |= stored(number)
            server.time = time
            [message] = reader.look()
        # Dated 18:16:03, between the first look and the second.
        assert message.at == datetime(2030, 1, 5, 18, 17, tzinfo=UTC)


def test_a_dot_behind_a_bare_line_feed_ends_no_article() -> None:
    server = Server(stored(1))
    with at(server) as reader:
        server.articles[2] = stored(2)[2] + b"WAIT\n.\r\n220 3 <3@x>\r\n"
        server.articles |= stored(3)
        assert [message.number for message in reader.look()] == ["<2@x>", "<3@x>"]


def test_an_article_that_is_too_large_comes_without_its_text() -> None:
    server = Server(stored(1))
    with at(server) as reader:
        server.articles[2] = stored(2)[2] + b"x" * MAX_BYTES + b"\r\n"
        server.articles |= stored(3)
        large, next_one = reader.look()
        assert (large.number, large.account, large.text) == ("<2@x>", "ada", "")
        assert next_one.text == "SCAN 3"
        assert all(len(raw) < 2_000 for raw in reader.raw)


def test_an_article_that_the_server_keeps_back_is_not_left_out() -> None:
    server = Server(stored(1))
    with at(server) as reader:
        server.articles |= stored(2, 3)
        server.instead["ARTICLE 2"] = [b"403 disk error\r\n"]
        with pytest.raises(ChannelDown, match="keeps back article 2: 403"):
            reader.look()
        server.instead.clear()
        assert len(reader.look()) == 2


def test_a_watched_article_is_known_however_many_came_with_it() -> None:
    server = Server(stored(1))
    with at(server) as reader:
        server.articles |= stored(*range(2, MOST_KNOWN + 10))
        reader.look()
        assert "<2@x>" not in reader.cursor
        assert reader.look(["<2@x>"]) == []
        del server.articles[2]
        [message] = reader.look(["<2@x>"])
        assert (message.number, message.account, message.deleted) == ("<2@x>", "ada", True)


def test_numbers_of_messages_are_no_commands() -> None:
    server = Server(stored(1))
    with at(server) as reader:
        reader.look(["<a@b>\r\nQUIT", "<c@d> x", "<e@f>"])
        assert [line for line in server.heard if line.startswith("STAT <")] == ["STAT <e@f>"]


def test_obstacles_name_a_server_that_vouches_for_nobody() -> None:
    server = Server(stored(1))
    server.articles[1] = server.articles[1].replace(b'posting-account="ada"; ', b"")
    listed = f"215 list\r\n{GROUP} 1 1 n\r\n.\r\n"
    server.instead[f"LIST ACTIVE {GROUP}"] = [listed.encode()]
    with at(server) as reader:
        flag, vouching = reader.board.obstacles()
        assert "has the flag n" in flag
        assert "addinjectionpostingaccount: true" in vouching


# --- the bytes alone -----------------------------------------------------------------------------

NOON = datetime(2030, 1, 5, 12, 0, tzinfo=UTC)


def kept(fields: Mapping[str, str], text: str = "SCAN", first: str = "") -> bytes:
    """Return an article of Ada's as it is kept; a field that is "" is left out."""
    header = {
        "Path": "news.example!.POSTED.host!not-for-mail",
        "From": "Ada <ada@league.example>",
        "Message-ID": "<1@x>",
        "Injection-Info": 'news.example; posting-account="ada"',
        "Xref": f"news.example {GROUP}:1",
    } | fields
    lines = [f"{name}: {value}\r\n" for name, value in header.items() if value]
    return articles.kept("".join([*lines, "\r\n", text]).encode(), NOON, first)


@pytest.mark.parametrize(
    ("fields", "account"),
    [
        ({}, "ada"),
        ({"Injection-Info": "vm; posting-account=ada"}, "ada"),
        ({"Injection-Info": 'vm; x="; posting-account=\\"bob\\""; posting-account="ada"'}, "ada"),
        ({"Injection-Info": ""}, ""),
        ({"Injection-Info": "vm"}, ""),
        ({"Injection-Info": 'vm; posting-account="a"\r\nInjection-Info: vm'}, ""),
        ({"Path": ""}, ""),
        ({"Path": "news.example!not-for-mail"}, ""),
        ({"Path": "news.example!other!.POSTED!x"}, ""),
        ({"Path": "news.example.other!.POSTED!x"}, ""),
        ({"Path": "newsxexample!.POSTED!x"}, ""),
        ({"Xref": ""}, ""),
        ({"Xref": "other.example x:1"}, ""),
    ],
)
def test_an_account_is_what_the_injecting_server_names(
    fields: Mapping[str, str], account: str
) -> None:
    assert SETTINGS.message(kept(fields)).account == account


@pytest.mark.parametrize("account", [USER, f"{USER}@players.example"])
def test_the_referee_s_own_articles_are_known_by_the_account(account: str) -> None:
    info = f'news.example; posting-account="{account}"'
    assert SETTINGS.message(kept({"Injection-Info": info})).own
    assert not SETTINGS.message(kept({})).own
    assert not SETTINGS.message(kept({"Injection-Info": ""})).own
    assert not replace(SETTINGS, user="").message(kept({"Injection-Info": ""})).own


def test_an_edit_and_a_cancel_need_an_account() -> None:
    edit = {"Supersedes": "<0@x>"}
    found = SETTINGS.message(kept(edit, first="<0@x>"))
    assert (found.number, found.version) == ("<0@x>", "<1@x>")
    found = SETTINGS.message(kept(edit | {"Injection-Info": ""}, first="<0@x>"))
    assert (found.number, found.version) == ("<1@x>", "")
    cancel = {"Control": "cancel <0@x>"}
    found = SETTINGS.message(kept(cancel, first="<0@x>"))
    assert (found.number, found.version, found.deleted) == ("<0@x>", "<1@x>", True)
    found = SETTINGS.message(kept(cancel | {"Path": "other!x"}, first="<0@x>"))
    assert (found.number, found.deleted, found.text) == ("<1@x>", False, "")


def test_a_program_gives_no_orders() -> None:
    assert SETTINGS.message(kept({"Auto-Submitted": "auto-generated"})).text == ""


def test_of_a_long_thread_the_first_article_and_the_latest_are_named() -> None:
    answered = [f"<{number}@x>" for number in range(200)]
    found = SETTINGS.message(
        kept({"References": " ".join(answered[:-1]), "In-Reply-To": answered[-1]})
    )
    assert found.threads == (answered[0], *answered[-49:])


def test_a_text_is_read_in_its_charset() -> None:
    fields = {
        "MIME-Version": "1.0",
        "Content-Type": "text/plain; charset=iso-8859-1",
        "Content-Transfer-Encoding": "quoted-printable",
        "From": "=?utf-8?q?J=C3=B6rg?= <j@x.example>",
    }
    found = SETTINGS.message(kept(fields, "Sch=F6ne Gr=FC=DFe aus der Fremde"))
    assert (found.name, found.text) == ("Jörg", "Schöne Grüße aus der Fremde")


@pytest.mark.parametrize(
    "raw",
    [
        b"",
        b"SCAN",
        kept({})[2:],
        kept({"Message-ID": ""}),
        kept({"Message-ID": "<a@b>\r\nMessage-ID: <c@d>"}),
        kept({"Message-ID": "none"}),
    ],
)
def test_what_is_no_article_is_refused(raw: bytes) -> None:
    with pytest.raises(ValueError, match=r"Message-ID|time of arrival"):
        SETTINGS.message(raw)


FIELDS = st.dictionaries(
    st.sampled_from(
        ["Path", "From", "Message-ID", "Injection-Info", "Xref", "Date", "References",
         "Supersedes", "Control", "Content-Type", "Content-Transfer-Encoding"]
    ),
    st.text(max_size=60),
)  # fmt: skip


@given(
    st.one_of(
        st.binary(max_size=300),
        st.binary(max_size=300).map(lambda raw: articles.kept(raw, NOON, "<0@x>")),
        st.builds(kept, FIELDS, st.text(max_size=200), st.sampled_from(["", "<0@x>"])),
    )
)
def test_any_bytes_are_a_message_or_refused(raw: bytes) -> None:
    read: Callable[[bytes], Message] = SETTINGS.message
    try:
        message = read(raw)
    except ValueError:
        return
    assert message == read(raw)
    assert message.room == GROUP
    assert message.number
    assert message.at.tzinfo is UTC
