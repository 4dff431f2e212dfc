"""Replies as mail programs write them, with orders in the new words and others in the quote."""

import textwrap
from dataclasses import dataclass
from email.message import EmailMessage
from email.policy import SMTP
from random import Random

from tests.support.mail_programs.pages import folded, marked, paragraphs, reply_page, shown
from tests.support.mail_programs.programs import PROGRAMS, Program
from tests.support.mail_programs.typed_words import (
    BANNERS,
    CHARSETS,
    DISCLAIMERS,
    FAREWELLS,
    GERMAN,
    GREETINGS,
    ORDERS,
    RULES,
    SIGNATURES,
    STORIES,
)

PREFIXES = ("Re:", "RE:", "Re:", "AW:", "Antw:", "SV:", "Odp:", "Re: Re:")


@dataclass(frozen=True)
class Report:
    """A letter of ours that somebody answers, and who wrote it."""

    text: str
    markup: str
    subject: str
    reply_to: str
    message_id: str
    name: str = "Avalon League"
    address: str = "referee@league.example"


@dataclass(frozen=True)
class Reply:
    """A letter, what it orders and tells, all that was typed, and its shape in words."""

    raw: bytes
    queue: tuple[str, ...]
    rules: tuple[str, ...]
    story: str
    typed: str
    shape: str


@dataclass(frozen=True)
class _Parts:
    """What a reply is made of: lines above, below and amid the quote, and the quote itself."""

    head: str
    quoted: list[str]
    markup: str
    above: list[str]
    amid: list[str]
    below: list[str]


class Writer:
    """Somebody who answers a report with one mail program after the other."""

    def __init__(
        self, dice: Random, report: Report, me: str, mine: str, german: bool = False
    ) -> None:
        self.dice, self.report, self.me, self.mine, self.german = dice, report, me, mine, german
        self.number = 0

    def reply(self, name: str, language: str) -> Reply:
        """Return a reply by a mail program in a language."""
        program, dice = PROGRAMS[name], self.dice
        self.number += 1
        orders = dice.sample(ORDERS, dice.randrange(1, 5))
        rules = [dice.choice(RULES)] if self._now_and_then(0.3) else []
        story = STORIES.get(language, STORIES["en"]) if self._now_and_then(0.3) else ""
        typed = self._typed(orders, rules, story, language)
        # An answer to one's own letter, in which older orders stand above the report.
        older = dice.sample([each for each in ORDERS if each not in orders], 2)
        own = self._now_and_then(0.25)
        below = program.below and not own
        place = dice.choice(("above", "above", "below", "between")) if below else "above"
        paged = bool(program.html) and self._now_and_then(0.75)
        parts = self._parts(program, language, typed, place, older if own else [], paged)
        text, page = self._text(program, parts), self._page(program, parts) if paged else ""
        if paged and self._now_and_then(0.2):
            text = ""
        raw = self._letter(program, language, text, page)
        shape = " ".join((name, language, place, *["own"] * own, *["html"] * paged))
        return Reply(raw, tuple(orders), tuple(rules), story, "\n".join(typed), shape)

    def _now_and_then(self, chance: float) -> bool:
        return self.dice.random() < chance

    def _typed(self, orders: list[str], rules: list[str], story: str, language: str) -> list[str]:
        dice = self.dice
        style = dice.choice(
            ("{0}", "{0}", "{1}", "{0}.", "{2}", "{3}. {0}", "- {0}", "{3}、{0}。", "\u200e{0}")
        )
        if ("、" in style and language[:2] not in ("zh", "ja")) or (
            "\u200e" in style and language not in ("he", "ar", "fa")
        ):
            style = "{0}"
        lines = []
        for number, order in enumerate(orders, 1):
            word = GERMAN[order] if self.german and self._now_and_then(0.7) else order
            lines.append(style.format(word, word.lower(), word.title(), number))
        if self._now_and_then(0.2):
            lines = [each for line in lines for each in (line, "")]
        lines += rules
        if story:
            lines = [story, "", *lines] if self._now_and_then(0.5) else [*lines, "", story]
        if self._now_and_then(0.3):
            lines = [dice.choice(GREETINGS.get(language, GREETINGS["en"])), "", *lines]
        if self._now_and_then(0.3):
            farewell = dice.choice(FAREWELLS.get(language, FAREWELLS["en"]))
            lines += ["", *farewell.split("\n")]
        return lines

    def _parts(
        self,
        program: Program,
        language: str,
        typed: list[str],
        place: str,
        older: list[str],
        paged: bool,
    ) -> _Parts:
        dice, markup = self.dice, self.report.markup
        head = self._head(program, language, bool(older))
        banner = dice.choice(BANNERS) if self._now_and_then(0.1) else ""
        markup = paragraphs([banner]) * bool(banner) + markup
        quoted = shown(markup, dice) if paged and self._now_and_then(0.6) else self.report.text
        lines = quoted.split("\n")
        if older:
            words = [GERMAN[each] if self.german else each for each in older]
            nested = self._head(program, language, False)
            lines = [*words, "", *nested.split("\n"), "", *marked(lines, program.mark)]
            markup = reply_page(program.html or "div", words, nested, markup, [])
        ending = self._ending(program, language, place)
        tail = ["", *dice.choice(DISCLAIMERS).split("\n")] if self._now_and_then(0.15) else []
        if place == "above":
            return _Parts(head, lines, markup, typed + ending, [], tail)
        if place == "below":
            return _Parts(head, lines, markup, [], [], typed + ending + tail)
        return _Parts(head, lines, markup, [], typed, ending + tail)

    def _ending(self, program: Program, language: str, place: str) -> list[str]:
        """Return a signature and what a telephone adds."""
        dice = self.dice
        sign = dice.choice((*SIGNATURES, "", "", "", "")) if place != "between" else ""
        footer = dice.choice(program.footers)
        if program.by_language and language in program.by_language and self._now_and_then(0.6):
            footer = program.by_language[language]
        return [line for part in (sign, footer) if part for line in ("", *part.split("\n"))]

    def _head(self, program: Program, language: str, own: bool) -> str:
        """Return the heading of a quote of ours, or of one's own letter."""
        report = self.report
        name = report.address if self._now_and_then(0.1) else report.name
        names = (name, report.address, self.me, self.mine)
        head = program.heads[language].replace("{s}", report.subject)
        for field, value in zip("nawb", (*names[2:], *names[:2]) if own else names, strict=True):
            head = head.replace(f"{{{field}}}", value)
        return head

    def _text(self, program: Program, parts: _Parts) -> str:
        mark, quoted, heads = program.mark, parts.quoted, parts.head.split("\n")
        above, amid, below = (
            folded(lines, program.wrap, program.flowed)
            for lines in (parts.above, parts.amid, parts.below)
        )
        if program.wrap and not mark.strip():
            quoted = folded(quoted, program.wrap, False)
        elif len(heads) == 1 and len(parts.head) > 76 and self._now_and_then(0.7):
            heads = textwrap.wrap(parts.head, 76, break_on_hyphens=False)
        if program.quoted_head:
            quoted, heads = [*heads, "", *quoted], []
        body = marked(quoted, mark)
        if amid:
            blank = [at for at, line in enumerate(quoted) if not line and at > 5] or [len(quoted)]
            split = self.dice.choice(blank)
            body = [*body[:split], "", *amid, "", *body[split + 1 :]]
        gap = [] if mark and self._now_and_then(0.3) else [""]
        lines = [*above, *[""] * bool(above), *heads, *gap, *body, *[""] * bool(below), *below]
        return "\n".join([*lines, ""])

    def _page(self, program: Program, parts: _Parts) -> str:
        if not parts.amid:
            return reply_page(program.html, parts.above, parts.head, parts.markup, parts.below)
        half = len(parts.quoted) // 2
        first, rest = paragraphs(parts.quoted[:half]), paragraphs(parts.quoted[half:])
        amid, below = paragraphs(["", *parts.amid, ""]), paragraphs(parts.below)
        page = reply_page(program.html, [], parts.head, first, [])
        return f"{page}{amid}<blockquote type=cite>{rest}</blockquote>{below}"

    def _letter(self, program: Program, language: str, text: str, page: str) -> bytes:
        letter, report = EmailMessage(policy=SMTP), self.report
        letter["From"] = f"{self.me} <{self.mine}>"
        letter["To"] = report.reply_to
        letter["Subject"] = f"{self.dice.choice(PREFIXES)} {report.subject}"
        letter["Date"] = "Tue, 03 Nov 2026 09:00:00 +0000"
        letter["Message-ID"] = f"<{self.number}.{self.dice.randrange(10**9)}@home.example>"
        letter["In-Reply-To"] = letter["References"] = report.message_id
        if program.mailer:
            letter["X-Mailer"] = program.mailer
        charset = self._charset(language, text + page)
        cte = self.dice.choice(("quoted-printable", "base64", "8bit"))
        encode = {"charset": charset, "cte": "7bit" if charset == "iso-2022-jp" else cte}
        if text:
            letter.set_content(text, **_fitting(text, encode))
            if program.flowed:
                letter.set_param("format", "flowed")
        if text and page:
            letter.add_alternative(page, subtype="html", **_fitting(page, encode))
        elif page:
            letter.set_content(page, subtype="html", **_fitting(page, encode))
        self._wrap_up(letter)
        return letter.as_bytes()

    def _charset(self, language: str, words: str) -> str:
        """Return UTF-8, or a charset of the language that has all that is in the letter."""
        older = CHARSETS.get(language, ())
        fitting = [name for name in older if words.encode(name, "ignore").decode(name) == words]
        return self.dice.choice(fitting) if fitting and self._now_and_then(0.6) else "utf-8"

    def _wrap_up(self, letter: EmailMessage) -> None:
        """Add what some programs and servers add to a letter: files, cards, signatures, notices."""
        match self.dice.randrange(12):
            case 0:
                card = "BEGIN:VCARD\nVERSION:2.1\nN:Example;Bob\nEND:VCARD\n"
                letter.add_attachment(card, subtype="vcard", filename="bob.vcf")
            case 1:
                letter.add_attachment(b"\x89PNG", "image", "png", filename="image001.png")
            case 2:
                letter.make_mixed()
                letter.set_type("multipart/signed")
                key = b"0" * 40
                letter.add_attachment(key, "application", "pkcs7-signature", filename="smime.p7s")
            case 3:
                letter.make_mixed()
                notice = EmailMessage(policy=SMTP)
                notice.set_content(f"{self.dice.choice(DISCLAIMERS)}\n")
                del notice["MIME-Version"]
                letter.attach(notice)


def _fitting(text: str, encode: dict[str, str]) -> dict[str, str]:
    """Return how a text is encoded: lines that are too long for 8bit are not sent so."""
    long = max(len(line.encode()) for line in text.split("\n")) > 900
    return encode | {"cte": "quoted-printable"} if long and "bit" in encode["cte"] else encode
