"""A newsgroup: posts as articles, each at most once, and the articles of others."""

import re
from collections.abc import Collection, Iterator, Sequence
from contextlib import suppress
from datetime import datetime

from pbem.channels.channel import ChannelDown, Portion, Post, PostDeferred
from pbem.channels.mail.mailbox import MAX_BYTES
from pbem.channels.mail.mime_writer import Envelope, article
from pbem.channels.newsgroup import article as articles
from pbem.channels.newsgroup.article import Article
from pbem.channels.newsgroup.connection import Connection
from pbem.channels.newsgroup.mark import Mark

PORTION = 50
"""How many articles are asked for together, and stored together."""
LOOKED_AT = 20
"""How many of the group's last articles show what the server adds to them."""
_LONGEST_LIST = 64 * MAX_BYTES
_GONE = (420, 423, 430)
"""What a server says of an article that it doesn't have."""


class Newsgroup:
    """One group on one connection; `read` says whether people play there.

    Before each post it asks whether the server has it already. The bytes that it yields are made by
    `pbem.channels.newsgroup.article`, the cursor by `pbem.channels.newsgroup.mark`.
    """

    def __init__(
        self, link: Connection, group: str, sender: tuple[str, str], *, read: bool = False
    ) -> None:
        self._link, self._group, self._read = link, group, read
        self._league, self._address = sender

    def publish(self, post: Post) -> str:
        """Post an article unless the server has it. Raises ChannelFault."""
        with self._link.faults():
            self._link.connect()
            if self._link.ask(f"STAT {post.message_id}")[0] != 223:
                self._post(post)
        return post.message_id

    def check(self) -> str:
        """Ask whether the group is there and may be posted to, and post nothing."""
        with self._link.faults():
            self._link.connect()
            self._select()
            self._link.need(self._link.ask("POST"), 340)
        # Without its end, what was begun is no article (RFC 3977, 3.1.1).
        self._link.drop()
        also = " and read" if self._read else ""
        return f"{self._link.where} has {self._group}, and lets us post{also}"

    def close(self) -> None:
        """Close the connection, if one is open."""
        self._link.close()

    def news(self, cursor: str, watched: Collection[str]) -> Iterator[Portion]:
        """Yield the articles since a cursor, by their numbers, and watched ones that are gone.

        An article larger than MAX_BYTES comes without its text. Raises ChannelFault.
        """
        with self._link.faults():
            self._link.connect()
            now = self._now()
            low, high = self._select()
            mark = Mark.of(cursor, self._group)
            first = mark is None
            if mark is None:
                last = self._ident(high)
                mark = Mark(self._group, high + 1, last, begun=now, seen=now)
            # An empty group does not show how high its numbers have been.
            elif 0 < low <= high and (high < mark.next - 1 or self._is_another(mark)):
                mark.begin_again(low, high)
            numbers = [] if first else self._numbers(mark.next)
        for at in range(0, len(numbers), PORTION):
            with self._link.faults():
                found = self._articles(numbers[at : at + PORTION], mark, now)
            mark.next = numbers[min(at + PORTION, len(numbers)) - 1] + 1
            yield Portion(found, mark.cursor)
        # Now: what replaces an article that is gone must be known.
        with self._link.faults():
            lost = [] if first else self._lost(mark, watched, low, now)
        mark.seen = now
        mark.forget(watched)
        yield Portion(lost, mark.cursor)

    def obstacles(self) -> Sequence[str]:
        """Return what keeps posts from the group, or its articles from counting.

        Raises ChannelFault.
        """
        with self._link.faults():
            self._link.connect()
            found = [self._flag(), self._vouching()]
        return [sentence for sentence in found if sentence]

    def _now(self) -> datetime:
        """Return the server's time."""
        code, text = self._link.ask("DATE")
        try:
            return articles.server_time(text)
        except ValueError:
            raise ChannelDown(
                f"{self._link.where} does not tell the time: {code} {text}."
            ) from None

    def _select(self) -> tuple[int, int]:
        """Select the group, and return the lowest and the highest number of its articles.

        In an empty group the highest one is below the lowest, or both are 0.
        """
        code, text = self._link.ask(f"GROUP {self._group}")
        found = re.match(r"\d+ (\d{1,18}) (\d{1,18})\b", text)
        if code != 211 or not found:
            sentence = f"{self._link.where} has no {self._group}: {code} {text}."
            raise ChannelDown(sentence, refused=True)
        return int(found[1]), int(found[2])

    def _ident(self, number: int) -> str:
        """Return the Message-ID of an article of the group, or ""."""
        if number < 1:
            return ""
        code, text = self._link.ask(f"STAT {number}")
        return text.split(" ")[1] if code == 223 and " " in text else ""

    def _is_another(self, mark: Mark) -> bool:
        """Return whether another article has the number of the last one that was read."""
        found = self._ident(mark.next - 1)
        return "" not in (found, mark.last) and found != mark.last

    def _numbers(self, first: int) -> list[int]:
        """Return the numbers of all articles from one on."""
        code, text = self._link.ask(f"LISTGROUP {self._group} {first}-")
        if code != 211:
            raise ChannelDown(f"{self._link.where} does not list the group: {code} {text}.")
        listed, _ = self._link.block(_LONGEST_LIST)
        numbers = {int(line) for line in listed.split() if line.isdigit()}
        # Some servers know no range, and list all.
        return sorted(number for number in numbers if number >= first)

    def _articles(self, numbers: Sequence[int], mark: Mark, now: datetime) -> list[bytes]:
        """Return some articles as they are kept; those that are gone meanwhile are left out."""
        found = []
        commands = [f"ARTICLE {number}" for number in numbers]
        for number, (code, text) in zip(numbers, self._link.ask_each(commands), strict=True):
            if code == 220:
                raw, too_long = self._link.block(MAX_BYTES)
                if too_long:
                    raw = raw.partition(b"\r\n\r\n")[0] + b"\r\n\r\n"
                found += self._taken(raw, number, mark, now)
            elif code not in _GONE:
                sentence = f"{self._link.where} keeps back article {number}: {code} {text}."
                raise ChannelDown(sentence)
        return found

    def _taken(self, raw: bytes, number: int, mark: Mark, now: datetime) -> list[bytes]:
        head: Article | None
        try:
            head = articles.read(raw)
        except ValueError:
            # It is kept all the same, for a person to look at.
            head = None
        mark.last = head.ident if head else ""
        if mark.is_old(head, number):
            return []
        first = mark.take(head, number) if head else ""
        return [articles.kept(raw, mark.arrived(head, now), first)]

    def _lost(self, mark: Mark, watched: Collection[str], low: int, now: datetime) -> list[bytes]:
        """Return what is kept of watched articles that their writers have withdrawn."""
        self._learn([ident for ident in watched if ident not in mark.known], mark)
        asked = [ident for ident in mark.forms(watched) if articles.is_ident(ident)]
        gone = []
        for at in range(0, len(asked), PORTION):
            some = asked[at : at + PORTION]
            answers = self._link.ask_each([f"STAT {ident}" for ident in some])
            gone += [ident for ident, (code, _) in zip(some, answers, strict=True) if code in _GONE]
        return [
            articles.gone(ident, mark.first(ident), mark.account(ident), now)
            for ident in gone
            if mark.is_withdrawn(ident, low)
        ]

    def _learn(self, idents: Sequence[str], mark: Mark) -> None:
        """Remember watched articles that were read before too many others to be known still."""
        for raw in self._heads([ident for ident in idents if articles.is_ident(ident)]):
            with suppress(ValueError):
                head = articles.read(raw)
                mark.take(head, head.number(self._group))

    def _heads(self, names: Sequence[object]) -> Iterator[bytes]:
        """Yield the headers of those of some articles, by numbers or ids, that are there."""
        for at in range(0, len(names), PORTION):
            commands = [f"HEAD {name}" for name in names[at : at + PORTION]]
            for code, _ in self._link.ask_each(commands):
                if code == 221:
                    yield self._link.block(MAX_BYTES)[0]

    def _flag(self) -> str:
        """Return what the group's flag keeps from it, or ""."""
        code, _ = self._link.ask(f"LIST ACTIVE {self._group}")
        if code != 215:
            return ""
        line = self._link.block(MAX_BYTES)[0].split()
        flag = line[3].decode("ascii", "replace") if len(line) > 3 else "y"
        if flag == "y":
            return ""
        how = (
            "is moderated, so that a person passes each article"
            if flag == "m"
            else (f"has the flag {flag}, so that nobody may post")
        )
        return f"{self._group} {how}: ctlinnd changegroup {self._group} y"

    def _vouching(self) -> str:
        """Return what is missing in the group's last articles so that they count, or ""."""
        low, high = self._select()
        numbers = range(max(low, high - LOOKED_AT + 1), high + 1)
        found = list(self._heads(numbers))
        if not found or any(articles.names_account(raw) for raw in found):
            return ""
        return (
            f"{self._link.where} names no account in the last articles of {self._group}, so that"
            " nobody can play there: set addinjectionpostingaccount: true in inn.conf"
        )

    def _post(self, post: Post) -> None:
        self._link.need(self._link.ask("POST"), 340)
        lines = self._article(post).split(b"\r\n")
        # A line that is a dot ends the article, so a first dot is doubled (RFC 3977, 3.1.1).
        stuffed = b"\r\n".join(b"." + line if line.startswith(b".") else line for line in lines)
        self._link.send(stuffed.removesuffix(b"\r\n") + b"\r\n.\r\n")
        code, text = self._link.answer()
        # A server may refuse an article because it has it already.
        if code == 240 or self._link.ask(f"STAT {post.message_id}")[0] == 223:
            return
        sentence = f"{self._link.where} did not take the article: {code} {text}."
        # 441 is said of a bad article, and also of a group that is not there, or of a quota.
        raise PostDeferred(sentence) if code == 441 else ChannelDown(sentence)

    def _article(self, post: Post) -> bytes:
        envelope = Envelope(
            league=self._league,
            address=self._address,
            date=post.date,
            message_id=post.message_id,
            thread=[post.root],
            automatic="auto-generated",
        )
        title = ("Re: " if post.root else "") + post.title
        return article(envelope, title, post.body, newsgroups=self._group)
