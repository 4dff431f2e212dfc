"""Sixty mail programs: how each sets a quote below what its user types."""

from dataclasses import dataclass

from tests.support.mail_programs.attributions import APPLE, GMAIL, ONE_LINE, THUNDERBIRD, YAHOO
from tests.support.mail_programs.headings import (
    BLOCKS,
    OUTLOOK,
    OUTLOOK_RULED,
    OUTLOOK_WEB,
    PHONES,
)


@dataclass(frozen=True)
class Program:
    """A mail program: its headings by language, its mark, and its HTML."""

    heads: dict[str, str]
    mark: str = "> "
    html: str = ""  # the shape of its HTML, if it writes any
    footers: tuple[str, ...] = ("",)
    by_language: dict[str, str] | None = None  # the footer in its user's language
    quoted_head: bool = False  # the heading is marked like the quote
    wrap: int = 0
    flowed: bool = False
    below: bool = True  # its users answer below the quote, or within it, too
    mailer: str = ""


def _line(name: str, **more: object) -> Program:
    return Program(ONE_LINE[name], **more)  # type: ignore[arg-type]


def _block(name: str, mark: str = "", **more: object) -> Program:
    return Program(BLOCKS[name], mark, **{"below": False} | more)  # type: ignore[arg-type]


PROGRAMS = {
    "Gmail": Program(GMAIL, html="gmail"),
    "Gmail wrapped": Program(GMAIL, html="gmail", wrap=76),
    "Gmail Android": Program(GMAIL, html="gmail"),
    "Gmail text only": Program(GMAIL, wrap=78),
    "Apple Mail": Program(APPLE, html="apple", mailer="Apple Mail (2.3826)"),
    "iPhone": Program(
        APPLE,
        html="ios",
        quoted_head=True,
        by_language=PHONES,
        below=False,
        mailer="iPhone Mail (22B83)",
    ),
    "Thunderbird": Program(THUNDERBIRD, flowed=True, wrap=72),
    "Thunderbird HTML": Program(THUNDERBIRD, html="thunderbird"),
    "Thunderbird plain": Program(THUNDERBIRD, wrap=72),
    "Outlook": Program(OUTLOOK, "", "outlook", below=False),
    "Outlook 2010": Program(OUTLOOK_RULED, "", wrap=76, below=False),
    "Outlook plain marks": Program(OUTLOOK_RULED, "> ", wrap=76, quoted_head=False),
    "Outlook web": Program(OUTLOOK_WEB, "", "owa", below=False),
    "Outlook Mac": Program(OUTLOOK, "", "outlook", below=False),
    "Outlook iOS": Program(
        OUTLOOK_WEB,
        "",
        "owa",
        (
            "Get Outlook for iOS<https://aka.ms/o0ukef>",
            "Outlook für iOS beziehen<https://aka.ms/o0ukef>",
            "Télécharger Outlook pour iOS<https://aka.ms/o0ukef>",
            "Obtener Outlook para iOS<https://aka.ms/o0ukef>",
            "Outlook for iOSを入手<https://aka.ms/o0ukef>",
        ),
        below=False,
    ),
    "Outlook Android": Program(
        OUTLOOK_WEB,
        "",
        "owa",
        (
            "Get Outlook for Android<https://aka.ms/AAb9ysg>",
            "Sent from Outlook for Android<https://aka.ms/AAb9ysg>",
            "Holen Sie sich Outlook für Android<https://aka.ms/AAb9ysg>",
            "Scarica Outlook per Android<https://aka.ms/AAb9ysg>",
        ),
        below=False,
    ),
    "Windows 10 Mail": Program(
        OUTLOOK,
        "",
        "outlook",
        (
            "Sent from Mail for Windows 10",
            "Gesendet von Mail für Windows 10",
            "Gesendet von Mail<https://go.microsoft.com/fwlink/?LinkId=550986> für Windows",
            "Provenance : Courrier pour Windows 10",
            "Enviado desde Correo para Windows 10",
            "Verzonden vanuit Mail voor Windows",
        ),
        below=False,
    ),
    "Windows Live Mail": _block("live-mail", html="hr"),
    "Windows Phone": _block(
        "windows-phone",
        footers=("Sent from my Windows Phone", "Von meinem Windows Phone gesendet"),
    ),
    "Outlook Express": _block("outlook-express", "> ", below=True, wrap=76),
    "Outlook Express HTML": _block("outlook-express", html="express"),
    "Hotmail": _block("hotmail", "> ", quoted_head=True),
    "Hotmail bare": _block("hotmail", html="hotmail"),
    "Yahoo": Program(YAHOO, "", "yahoo", below=False),
    "Yahoo Android": Program(
        {
            "en": "  On Mon, Nov 2, 2026 at 1:00 PM, {n}<{a}> wrote:   ",
            "de": "  Am Mo., Nov. 2, 2026 at 13:00 schrieb {n}<{a}>:   ",
        },
        "",
        "yahoo",
        (
            "Sent from Yahoo Mail on Android",
            "Von Yahoo Mail auf Android gesendet",
            "Yahoo Mail: Search, Organize, Conquer",
        ),
        below=False,
    ),
    "GMX": _block("gmx", html="gmx"),
    "WEB.DE app": _block(
        "gmx",
        html="gmx",
        footers=(
            "--\nDiese Nachricht wurde von meinem Android Mobiltelefon mit WEB.DE Mail gesendet.",
        ),
    ),
    "T-Online": _block("t-online", html="div"),
    "Freenet": _block("freenet", html="div"),
    "Mail.ru": _line("mail.ru", html="mailru"),
    "Yandex": _line(
        "yandex",
        html="yandex",
        footers=("", "-- \nОтправлено из мобильного приложения Яндекс.Почты"),
    ),
    "QQ": _block("qq", html="qq"),
    "Foxmail": _block("foxmail", html="div"),
    "Alimail": _block("alimail", html="div"),
    "163": _line("163", mark=">", html="netease"),
    "Naver": _block("naver", html="div"),
    "Daum": _block("daum", html="div"),
    "Proton": _line(
        "proton",
        html="proton",
        footers=(
            "Sent with [Proton Mail](https://proton.me/) secure email.",
            "Sent with Proton Mail secure email.",
            "Gesendet mit [Proton Mail](https://proton.me/mail/home)",
            "Sent from Proton Mail for iOS.",
            "Envoyé avec la messagerie sécurisée [Proton Mail](https://proton.me/).",
        ),
    ),
    "Tuta": _line(
        "tuta",
        html="blockquote",
        footers=(
            "-- \nSecured with Tuta Mail: \nhttps://tuta.com/free-email",
            "-- \nSicher versendet mit Tuta Mail: \nhttps://tuta.com/free-email",
        ),
    ),
    "Zoho": _line("zoho", mark="", html="zoho", below=False),
    "Fastmail": _line("fastmail", html="fastmail"),
    "Spark": _line("spark", html="spark", footers=("", "Sent from Spark")),
    "BlueMail": _line(
        "bluemail",
        html="blockquote",
        footers=("Get BlueMail for Android", "Sent from BlueMail", "Gesendet von BlueMail"),
    ),
    "Samsung": _block(
        "samsung",
        html="samsung",
        footers=(
            "Sent from my Galaxy",
            "Von meinem Samsung Galaxy Smartphone gesendet.",
            "Von meinem Galaxy gesendet",
            "Envoyé depuis mon appareil Galaxy",
            "Sent from my Samsung Galaxy smartphone.",
            "Wysłane z telefonu Galaxy",
        ),
    ),
    "Nokia": _block("nokia", footers=("Sent from my Nokia phone", "")),
    "BlackBerry": _block(
        "blackberry",
        footers=(
            "Sent from my BlackBerry® wireless device",
            "Sent from my BlackBerry 10 smartphone.",
            "Von meinem BlackBerry 10-Smartphone gesendet.",
            "Sent via BlackBerry from T-Mobile",
        ),
    ),
    "AOL": _block("aol", html="div"),
    "Roundcube": _line("roundcube", wrap=72),
    "Roundcube HTML": _line("roundcube", html="blockquote"),
    "SquirrelMail": _line("squirrelmail", wrap=76),
    "Horde": _line("horde", wrap=76),
    "SOGo": _line("sogo", html="blockquote"),
    "Zimbra": _block("zimbra", html="hr"),
    "Zimbra marked": _block("zimbra", "> ", below=True),
    "Zimbra bars": _block("zimbra", "| "),
    "Notes": _line("notes", below=False),
    "Notes block": _block("notes-block", html="div"),
    "GroupWise": _line("groupwise", mark="", below=False),
    "GroupWise marked": _line("groupwise"),
    "Alpine": _line("alpine", wrap=72, flowed=True),
    "mutt": _line("mutt", wrap=72),
    "Gnus": _line("gnus", wrap=72),
    "Eudora": _line("eudora", mark=">", wrap=76),
    "Pegasus": _line("pegasus", wrap=72),
    "Claws": _line("claws", wrap=72),
    "Evolution": _line("evolution", html="blockquote"),
    "Evolution block": _block("evolution", html="div"),
    "KMail": _line("kmail", wrap=78),
    "The Bat!": _line("the-bat", wrap=76),
    "The Bat! initials": _line("the-bat", mark="AL> ", wrap=76),
    "K-9": _line(
        "k9",
        footers=(
            "",
            "-- \nSent from my Android device with K-9 Mail. Please excuse my brevity.",
            "-- \nDiese Nachricht wurde von meinem Android-Gerät mit K-9 Mail gesendet.",
        ),
    ),
    "FairEmail": _line("fairemail", html="blockquote"),
    "Mailspring": _line("mailspring", html="gmail"),
    "RainLoop": _line("rainloop", html="blockquote"),
    "Open-Xchange": _line("open-xchange", html="blockquote"),
    "Airmail": _line("airmail", html="apple"),
    "HEY": _line("hey", html="blockquote"),
    "Superhuman": _line(
        "superhuman",
        html="gmail",
        footers=("Sent via Superhuman ( https://sprh.mn/?vip=ann@league.example )",),
    ),
    "WP.pl": _line("wp.pl", html="blockquote"),
    "Onet": _line("onet", html="blockquote"),
    "Interia": _block("interia", html="div"),
    "Orange": _block("orange", "> ", quoted_head=True, html=""),
    "Libero": _block("libero"),
    "Seznam": _block("seznam", html="div"),
    "Centrum": _block("centrum", "> ", quoted_head=True),
    "Lark": _block("lark", html="div"),
    "Rediffmail": _block("rediff", html="div"),
    "Thunderbird forward": _block("thunderbird-forward"),
}
