"""Replies as the HTML of mail programs, and what they quote of ours as text."""

import html
import re
import textwrap
from html.parser import HTMLParser
from random import Random

_PLAIN = "<html><body>{new}<p>{line}</p><blockquote>{quote}</blockquote>{below}</body></html>"
_SHAPES = {
    "gmail": '<div dir="ltr">{new}</div><br><div class="gmail_quote gmail_quote_container">'
    '<div dir="ltr" class="gmail_attr">{line}<br></div><blockquote class="gmail_quote" '
    'style="margin:0px 0px 0px 0.8ex;border-left:1px solid rgb(204,204,204);padding-left:1ex">'
    "{quote}</blockquote></div>{below}",
    "apple": '<html><body style="overflow-wrap: break-word;">{new}'
    '<br id="lineBreakAtBeginningOfMessage"><div><br><blockquote type="cite"><div>{line}</div>'
    '<br class="Apple-interchange-newline"><div>{quote}</div></blockquote></div><br>{below}'
    "</body></html>",
    "ios": '<html><body dir="auto"><div dir="ltr">{new}</div><div dir="ltr"><br>'
    '<blockquote type="cite">{line}<br><br></blockquote></div><blockquote type="cite">'
    '<div dir="ltr">\ufeff{quote}</div></blockquote>{below}</body></html>',
    "thunderbird": '<html><body>{new}<div class="moz-cite-prefix">{line}<br></div>'
    '<blockquote type="cite" cite="mid:1@league.example">{quote}</blockquote>{below}</body></html>',
    "outlook": '<html xmlns:o="urn:schemas-microsoft-com:office:office"><body lang=EN-US link=blue>'
    "<div class=WordSection1>{paragraphs}<p class=MsoNormal><o:p>&nbsp;</o:p></p><div><div style="
    "'border:none;border-top:solid #E1E1E1 1.0pt;padding:3.0pt 0cm 0cm 0cm'><p class=MsoNormal>"
    "{block}<o:p></o:p></p></div></div>{quote}</div>{below}</body></html>",
    "owa": '<html><body dir="ltr"><div class="elementToProof">{new}</div><div id="appendonsend">'
    '</div><hr style="display:inline-block;width:98%" tabindex="-1"><div id="divRplyFwdMsg" '
    'dir="ltr"><font face="Calibri">{block}</font><div>&nbsp;</div></div><div>{quote}</div>{below}'
    "</body></html>",
    "yahoo": '<html><body><div class="ydp1-yahoo-style-wrap"><div dir="ltr">{new}</div></div>'
    '<div id="ydp2yahoo_quoted_1" class="ydp2yahoo_quoted"><div><div>{line}</div><div><br></div>'
    "<div>{quote}</div></div></div>{below}</body></html>",
    "gmx": '<html><body><div style="font-family: Verdana;"><div>{new}</div><div><br><div '
    'name="quote" style="margin:10px 5px 5px 10px; padding: 10px 0 10px 10px; border-left:2px '
    'solid #C3D9E5;"><div style="margin:0 0 10px 0;">{block}</div><div name="quoted-content">'
    "{quote}</div></div></div></div>{below}</body></html>",
    "mailru": '<HTML><BODY><div>{new}</div><br><br><blockquote style="border-left:1px solid '
    '#0857A6; margin:10px; padding:0 0 0 10px;">{line}<br>&nbsp;<div id=""><div '
    'class="js-helper js-readmsg-msg">{quote}</div></div></blockquote>{below}</BODY></HTML>',
    "qq": '<div>{new}</div><div><br></div><div><includetail><div style="font:Verdana normal 14px;'
    'color:#000;"><div style="FONT-SIZE: 12px;padding:2px 0 2px 0;">{rule}</div><div '
    'style="FONT-SIZE: 12px;background:#efefef;padding:8px;"><div>{rest}</div></div>'
    "<div>&nbsp;</div>{quote}</div></includetail></div>{below}",
    "netease": '<div style="line-height:1.7;font-size:14px">{new}<br><p>{line}</p><blockquote '
    'id="isReplyContent" style="PADDING-LEFT: 1ex; BORDER-LEFT: #ccc 1px solid">{quote}'
    "</blockquote></div>{below}",
    "proton": '<div style="font-family: Arial;">{new}</div><div class="protonmail_quote">{line}'
    '<br><blockquote class="protonmail_quote" type="cite">{quote}</blockquote><br></div>{below}',
    "zoho": '<div style="font-family: Verdana;">{new}</div><br><div class="zmail_extra_hr" '
    'style="border-top: 1px solid rgb(204, 204, 204);"><br></div><div class="zmail_extra">'
    '<div><br></div><div id="Zm-_Id_-Sgn1">{line}<br></div><br><blockquote id="blockquote_zmail" '
    'style="margin: 0px;">{quote}</blockquote></div>{below}',
    "spark": '<html><body><div name="messageBodySection"><div dir="auto">{new}</div></div><div '
    'name="messageReplySection">{line}<br><blockquote type="cite" style="border-left: thin solid '
    'grey; padding-left: 10px;">{quote}</blockquote></div>{below}</body></html>',
    "samsung": '<html><body>{new}<div><br></div><div style="font-size:100%;color:#000000" '
    'align="left" dir="auto"><!-- originalMessage --><div>{divided}</div></div><div><br></div>'
    "{quote}{below}</body></html>",
    "fastmail": '<html><body>{new}<div>{line}<br></div><blockquote type="cite" id="qt" style="">'
    "{quote}</blockquote>{below}</body></html>",
    "yandex": "<div>{new}</div><div> </div><div>{line}</div><blockquote><div>{quote}</div>"
    "</blockquote>{below}",
    "hr": '<html><body><div>{new}<br></div><hr id="zwchr"><div>{block}</div><br><div>{quote}</div>'
    "{below}</body></html>",
    "express": '<HTML><BODY>{new}<BLOCKQUOTE style="PADDING-LEFT: 5px; BORDER-LEFT: #000000 2px '
    'solid"><DIV>{divided}</DIV><DIV><BR></DIV>{quote}</BLOCKQUOTE>{below}</BODY></HTML>',
    "hotmail": "<html><body class='hmmessage'><div dir='ltr'>{new}<br><div><hr id=\"stopSpelling\">"
    "{block}<br><br>{quote}</div></div>{below}</body></html>",
    "div": "<html><body><div>{new}</div><div><br></div><div>{line}</div><div><br></div>"
    "<div>{quote}</div>{below}</body></html>",
    "blockquote": _PLAIN,
}
_MSO = "<p class=MsoNormal><span lang=EN-US>{}<o:p></o:p></span></p>\n"


def paragraphs(lines: list[str], shape: str = "<div>{}</div>\n", blank: str = "<br>") -> str:
    """Return lines as elements."""
    return "".join(shape.format(html.escape(line) or blank) for line in lines)


def reply_page(shape: str, typed: list[str], head: str, quote: str, after: list[str]) -> str:
    """Return a reply as the HTML of a mail program, by the shape that it writes."""
    lines = head.split("\n")
    labelled = [re.sub(r"^([^:：]{1,30}[:：])", r"<b>\1</b>", html.escape(each)) for each in lines]
    return _SHAPES[shape].format(
        new=paragraphs(typed, "<p>{}</p>\n" if shape == "thunderbird" else "<div>{}</div>\n"),
        paragraphs=paragraphs(typed, _MSO, "&nbsp;"),
        line=html.escape(head).replace("\n", "<br>"),
        block="<br>\n".join(labelled[set(lines[0]) <= set("_") :]),
        divided="</div><div>".join(labelled),
        rule=html.escape(lines[0]).replace(" ", "&nbsp;"),
        rest="</div><div>".join(labelled[1:]),
        quote=quote,
        below=paragraphs(after),
    )


class _Shown(HTMLParser):
    """A text of markup, as simple mail programs make their plain part."""

    BREAKS = frozenset(("p", "div", "tr", "br", "h1", "h2", "h3", "li", "ul", "ol", "table", "pre"))

    def __init__(self, cell: str, link: str) -> None:
        super().__init__()
        self.cell, self.link, self.out, self.href = cell, link, "", ""

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        if tag == "a":
            self.href = dict(attrs).get("href") or ""
        elif tag in ("td", "th"):
            self.out += self.cell
        elif tag in self.BREAKS:
            self.out += "\n"
        elif tag == "img":
            self.out += f"[image: {dict(attrs).get('alt') or ''}]"

    def handle_endtag(self, tag: str) -> None:
        if tag == "a":
            self.out += self.link.format(self.href)
        elif tag in ("p", "h1", "h2", "h3", "table"):
            self.out += "\n"

    def handle_data(self, data: str) -> None:
        self.out += re.sub(r"\s+", " ", data)


def shown(markup: str, dice: Random) -> str:
    """Return markup as the plain part of a reply quotes it."""
    parser = _Shown(dice.choice(("\n", " ", "\t")), dice.choice(("", " <{}>", "<{}>", " [{}]")))
    parser.feed(markup)
    lines = [line.strip() for line in parser.out.split("\n")]
    return re.sub(r"\n{3,}", "\n\n", "\n".join(lines)).strip()


def folded(lines: list[str], width: int, flowed: bool) -> list[str]:
    """Wrap lines as a mail program does; flowed lines end in a space where they go on."""
    if not width:
        return lines
    out: list[str] = []
    for line in lines:
        rows = textwrap.wrap(line, width, break_long_words=False, break_on_hyphens=False) or [""]
        if line == "-- ":
            rows = [line]
        out += [f"{row} " if flowed else row for row in rows[:-1]] + rows[-1:]
    # What looks like a quote, or like a line of a mailbox, is moved by a space (RFC 3676, 4.4).
    return [f" {row}" if flowed and row.startswith((">", "From ", " ")) else row for row in out]


def marked(lines: list[str], mark: str) -> list[str]:
    """Mark quoted lines, nested ones without a space between the marks."""
    if not mark:
        return lines
    return [f"{mark.rstrip() if line.startswith('>') else mark}{line}".rstrip() for line in lines]
