"""Confidential words in other spellings, in all shapes of letters and quotes."""

import base64
import quopri
from collections.abc import Callable, Iterator

import pytest

from pbem.intake import Reading, new_text, read_letter
from pbem.people.scrub import LONGEST, Scrub, shown
from pbem.storage import Outgoing, Story
from tests.support.harness import League, Person, duel, open_league
from tests.support.players import letter, plain, words
from tests.support.trial_counts import some


@pytest.fixture(scope="module")
def still(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[League, Person]]:
    """A league in which Ann fights Bob, for tests that change nothing; and Ann."""
    with open_league(tmp_path_factory.mktemp("house")) as opened:
        yield opened, duel(opened)[0]


def token_of(person: Person) -> str:
    """Return the token of a person's last report."""
    return str(person.last_about("[G1")["Reply-To"]).partition("+")[2].partition("@")[0]


def split(text: str, sign: str) -> str:
    """Return a text with a sign in its middle."""
    return text[: len(text) // 2] + sign + text[len(text) // 2 :]


def each(text: str, form: str) -> str:
    """Return a text with each letter in a form."""
    return "".join(form.format(sign, ord(sign)) for sign in text)


def lookalikes(text: str) -> str:
    """Return a text with Cyrillic letters in the place of those that look so."""
    return text.translate(str.maketrans("aeopcyxij", "аеорсухіј"))


UNSEEN = "\u00ad\u200b\u200d\u2060\ufeff\u034f\ufe0f\u3164\u180e\u2800\u115f"
SPELLINGS: dict[str, Callable[[str], str]] = {
    **{f"unseen {ord(sign):04x}": lambda t, s=sign: split(t, s) for sign in UNSEEN},
    **{f"parted by {sign!r}": lambda t, s=sign: split(t, s) for sign in "  \t\\*.-_~/|,;:"},
    **{
        f"broken by {sign!r}": lambda t, s=sign: split(t, s)
        for sign in ("\n", "\n\n", "\n> ", " \n  ", "=\n", "**")
    },
    "on three lines": lambda t: f"{t[:4]}\n{t[4:7]}\n{t[7:]}",
    "capitals": str.upper,
    "capital first": str.title,
    "full width": lambda t: "".join(chr(ord(s) + 0xFEE0) for s in t),
    "underlined": lambda t: each(t, "{0}\u0332"),
    "spelled": lambda t: each(t, "{0} "),
    "look-alikes": lookalikes,
    "in a word": lambda t: f"secret{t}secret",
    "in italics": lambda t: f"_{t}_",
}


@pytest.mark.parametrize("spelling", SPELLINGS)
def test_hostile_secrets_are_known_however_they_are_spelled(
    still: tuple[League, Person], spelling: str
) -> None:
    league, ann = still
    scrub = Scrub(league.store, 1)
    for secret in (token_of(ann), ann.key, f"referee+{token_of(ann)}@league.example"):
        for frame in ("{}", "It is {} he said", "See:\n{}\nSo be it."):
            lines = frame.format(SPELLINGS[spelling](secret)).splitlines()
            found = [why is not None for why in scrub.secrets(lines)]
            assert any(found), (secret, lines)
            open_ = " ".join(line for line, why in zip(lines, found, strict=True) if not why)
            assert not [n for n in range(len(secret) - 5) if secret[n : n + 6] in open_]


ADDRESSES = (
    "ann@league.example", "ANN@League.Example", "ann@lea\ngue.example", "ann@league.\nexample",
    "an\u00adn@leag\u200bue.example", "ａｎｎ＠ｌｅａｇｕｅ．ｅｘａｍｐｌｅ",
    "ann+tag@league.example",
    "<mailto:ann@league.example>", "(ann@league.example)", "*ann@league.example*",
)  # fmt: skip


@pytest.mark.parametrize("spelling", ADDRESSES)
def test_hostile_secrets_a_writers_address_is_known_however_it_is_spelled(
    still: tuple[League, Person], spelling: str
) -> None:
    league, _ = still
    lines = f"Write me: {spelling} soon".splitlines()
    assert None not in Scrub(league.store, 1).secrets(lines)


@pytest.mark.parametrize(
    "text",
    [
        "Ann flew at the league, an example to all.", "Responsibilities weigh on Hawk.",
        "Red=40, Gold=25 & Grey=10; 100% of them <3", "He read \\u in the sky: 12:30, 2 x 3.",
        "Ann, league example of a pilot", "Deadbeefcafe, decade, facade and added beaded",
        "Supercalifragilisticexpialidocious, sang Hawk-and-Kestrel", "[b]Never[/b] **again** _so_",
        "Звёзды холодны, сказал он.", "Die Straße - gestern, 12-13 Uhr - war leer.",
    ],
)  # fmt: skip
def test_hostile_secrets_stories_are_told_still(still: tuple[League, Person], text: str) -> None:
    league, _ = still
    assert Scrub(league.store, 1).secrets([text, "", text]) == [None] * 3


def test_hostile_secrets_no_line_is_too_long_to_be_looked_through(
    still: tuple[League, Person],
) -> None:
    league, ann = still
    scrub = Scrub(league.store, 1)
    code = "a " * LONGEST + token_of(ann)
    assert scrub.secrets([code]) != [None]
    assert scrub.shown(f"x{token_of(ann)}x") == "***"
    assert len(shown(code)) < 100


def with_body(written: str, kind: str, encoding: str, body: bytes) -> bytes:
    """Return a letter's head with a body as a mail program makes it."""
    head = written.replace("\r", "").partition("\n\n")[0].splitlines()
    kept = [line for line in head if not line.lower().startswith(("content-", "mime-"))]
    kept += ["MIME-Version: 1.0", f"Content-Type: {kind}", f"Content-Transfer-Encoding: {encoding}"]
    return "\r\n".join(kept).encode() + b"\r\n\r\n" + body


def bodies(secret: str) -> dict[str, tuple[str, str, bytes]]:
    """Return letters' bodies that hold a secret in TELL, as programs encode them."""
    half = len(secret) // 2
    text = f"TELL Kestrel\nHear me.\nIt is {secret} he said.\nEND\n"
    broken = f"It is {secret[:half]}{{}}{secret[half:]} he said."
    html = "<html><div>TELL Kestrel</div><div>Hear me.</div><div>{}</div><div>END</div></html>"
    flowed = f"TELL Kestrel\nHear me.\nIt is {secret[:half]} \n{secret[half:]} he said.\nEND\n"
    plain_, html_ = "text/plain; charset=utf-8", "text/html; charset=utf-8"
    mixed = (
        f"--x\r\nContent-Type: {plain_}\r\n\r\n{text}\r\n--x\r\n"
        f'Content-Type: text/plain; name="{secret}.txt"\r\n'
        f'Content-Disposition: attachment; filename="{secret}.txt"\r\n\r\n{secret}\r\n--x--\r\n'
    )
    found: dict[str, tuple[str, str, bytes]] = {
        "base64": (plain_, "base64", base64.encodebytes(text.encode())),
        "quoted-printable": (plain_, "quoted-printable", quopri.encodestring(text.encode())),
        "soft break": (
            plain_,
            "quoted-printable",
            text.replace(secret, split(secret, "=\r\n")).encode(),
        ),
        "flowed": (f"{plain_}; format=flowed; delsp=yes", "8bit", flowed.encode()),
        "utf-16": ("text/plain; charset=utf-16", "base64", base64.b64encode(text.encode("utf-16"))),
        "utf-7": ("text/plain; charset=utf-7", "7bit", text.encode("utf-7")),
        "attachment": ('multipart/mixed; boundary="x"', "7bit", mixed.encode()),
    }
    for sign in (
        "<b>",
        "&shy;",
        "<wbr>",
        "&#8203;",
        "<!-- x -->",
        "<span></span>",
        "</b><i>",
        "=\r\n",
    ):
        body = html.format(broken.format(sign)).encode()
        encoding = "quoted-printable" if sign == "=\r\n" else "8bit"
        found[f"html {sign!r}"] = (html_, encoding, body)
    return found


@pytest.mark.parametrize("shape", bodies("x" * 16))
def test_hostile_secrets_no_letters_shape_hides_one(
    league: League, people: tuple[Person, Person], shape: str
) -> None:
    ann, bob = people
    bob.new()
    report = ann.last_about("[G1")
    for number, secret in enumerate((token_of(ann), ann.key, ann.address)):
        head = letter("Ann", "x", 50 + number, report["Reply-To"], f"Re: {report['Subject']}")
        kind, encoding, body = bodies(secret)[shape]
        league.drop(with_body(head.as_string(), kind, encoding, body))
    found = [words(one) + str(one["Subject"]) for one in bob.new()]
    whole = squeezed(
        " ".join(found + [row.text for row in league.store.all(Story.select().order_by(Story.id))])
    )
    assert len(found) == 3
    assert all("Hear me" in one for one in found)
    for secret in (token_of(ann), ann.key, ann.address):
        assert squeezed(secret) not in whole


def squeezed(text: str) -> str:
    return "".join(sign for sign in text.casefold() if sign.isalnum())


LABELS = {
    "Swahili": "Kutoka Imetumwa Kwa Mada", "Welsh": "Oddi Anfonwyd At Pwnc",
    "Irish": "Ó Seolta Chuig Ábhar", "Maltese": "Minn Mibgħut Lil Suġġett",
    "Icelandic": "Frá Sent Til Efni", "Georgian": "ვისგან გაგზავნილია ვის თემა",
    "Armenian": "Ումից Ուղարկված Ում Թեմա", "Hindi": "प्रेषक भेजा प्रति विषय",
    "Thai": "จาก ส่งเมื่อ ถึง เรื่อง", "Arabic": "من الإرسال إلى الموضوع",
    "Hebrew": "מאת נשלח אל נושא", "Persian": "از ارسال به موضوع", "Urdu": "منجانب ارسال بنام موضوع",
    "Amharic": "ከ ተልኳል ለ ርዕስ", "Zulu": "Kusuka Kuthunyelwe Ku Isihloko",
    "Somali": "Ka Diray Ku Mawduuc", "Tagalog": "Mula Ipinadala Para Paksa",
    "Uzbek": "Kimdan Yuborildi Kimga Mavzu", "Mongolian": "Хэнээс Илгээсэн Хэнд Гарчиг",
    "Nepali": "बाट पठाइएको लाई विषय", "Sinhala": "වෙතින් යවන වෙත මාතෘකාව",
    "Khmer": "ពី បានផ្ញើ ទៅ ប្រធានបទ", "Lao": "ຈາກ ສົ່ງ ຫາ ຫົວຂໍ້", "Latin": "A Missum Ad Res",
    "Esperanto": "De Sendita Al Temo", "Basque": "Nork Bidalia Nori Gaia",
}  # fmt: skip
SHAPES = {
    "Outlook": "{f}: League <{a}>\n{d}: {when}\n{t}: Ann <ann@league.example>\n{s}: {subject}\n",
    "bold": "*{f}:* League <{a}>\n*{d}:* {when}\n*{t}:* Ann\n*{s}:* {subject}\n",
    "names alone": "{f}: League\n{d}: 2 11 2026 12:00\n{t}: Ann Example\n{s}: {subject}\n",
    "ruled": "-----{f} {s}-----\n{f}: League\n{d}: 2 11 2026 12:00\n{t}: Ann\n{s}: {subject}\n",
    "close": "________________________________\n{f}:League\n{d}:{when}\n{t}:{a}\n{s}:{subject}\n",
    "far apart": "{f}: League <{a}>\n\n{d}: {when}\n\n{t}: Ann Example\n\n{s}: {subject}\n",
    "wrapped": "{f}: League\n <{a}>\n{d}: {when}\n{t}: Ann\n\t<{a}>\n{s}: {subject}\n",
    "two lines": "{f}: League <{a}>\n{s}: {subject}\n",
    "between rules": "---- {f}, 2/11/2026 12:00, League ----\n",
    "attribution": "{d} 2/11/2026 12:00, League <{a}> {f}:\n",
    "wrapped attribution": "{d} 2 11 2026 12:00 League\n<{a}> {f}:\n",
}


@pytest.mark.parametrize("threaded", some([False, True], 1))
@pytest.mark.parametrize("shape", SHAPES)
def test_hostile_secrets_no_heading_of_any_language_is_a_story(
    still: tuple[League, Person], shape: str, threaded: bool
) -> None:
    """What an answer's story holds next to its one line identifies nobody."""
    league, ann = still
    report = ann.last_about("[G1")
    scrub = Scrub(league.store, 1)
    for language, labels in LABELS.items():
        f, d, t, s = labels.split()
        head = SHAPES[shape].format(
            f=f, d=d, t=t, s=s, a=report["Reply-To"], when=report["Date"], subject=report["Subject"]
        )
        text = f"SCAN\nHawk grinned.\n\n{head}\n{plain(report)}"
        written = letter("Ann", text, 1, report["Reply-To"], f"Re: {report['Subject']}")
        if threaded:
            written["In-Reply-To"] = report["Message-ID"]
        lines = own_lines(league, read_letter(written.as_bytes()))
        found = [line for line, why in zip(lines, scrub.secrets(lines), strict=True) if why is None]
        story = [line for line in found if line.strip()]
        assert story[:2] == ["SCAN", "Hawk grinned."], language
        # One label without a date may be left; it reads like an order, and is shown to nobody.
        assert all(line.startswith(f"{f}: League") for line in story[2:]), (language, story)
        assert len(story) <= 3, (language, story)


def own_lines(league: League, reading: Reading) -> list[str]:
    sent = [
        league.store.first(Outgoing.select().where(Outgoing.message_id == one))
        for one in reading.in_reply_to
    ]
    ours = [row.content for row in sent if row is not None]
    return new_text(reading, ours, lambda line: False).text.splitlines()


def test_hostile_secrets_a_subject_amid_orders_takes_none_along(
    still: tuple[League, Person],
) -> None:
    league, ann = still
    report = ann.last_about("[G1")
    subject = f"Re: {report['Subject']} from {ann.address} on 2026-11-02"
    text = f"SCAN\nSALT seven\n{subject}\nHawk grinned.\n{subject}\n\n{plain(report)}"
    written = letter("Ann", text, 1, report["Reply-To"], subject)
    lines = own_lines(league, read_letter(written.as_bytes()))
    assert lines[:4] == ["SCAN", "SALT seven", subject, "Hawk grinned."]
