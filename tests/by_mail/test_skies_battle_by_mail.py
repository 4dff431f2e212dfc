"""A battle of Black Skies, four elements a side, by real mail to its end; and how it looks."""

import base64
import json
import os
import re
import subprocess
from email.message import EmailMessage
from html import escape, unescape
from io import BytesIO
from pathlib import Path

import pytest
from PIL import Image, ImageChops, ImageStat

from pbem.rendering.raster import WIDTH
from tests.games.test_pictures import shown
from tests.rendering.test_letters_in_chromium import QUIET, chromium
from tests.servers.host import MailHost
from tests.support.players import (
    MailProgram,
    is_last_report,
    join_the_league,
    mail_program,
    plain,
    words,
)
from tests.support.program import ROOT, Running, pbem, running, sections, write_league
from tests.support.snapshot import FOLDER, matches

HAWKS = (
    "SQUADRON Hawks WITH Red: 2 Black Tiger SKILL 2; Gold: 2 Gadfly SKILL 3 SPEED 8;"
    " Amber: 2 Grey Fox SKILL 2; Ruby: 1 Ironclad SKILL 3"
)
KITES = (
    "SQUADRON Kites WITH Blue: 2 Black Tiger SKILL 2; Grey: 2 Gadfly SKILL 3 SPEED 8;"
    " Teal: 2 Grey Fox SKILL 2; Navy: 1 Ironclad SKILL 3"
)
FIRST = {
    "Ann": "Red: STEADY\nGold: ACCELERATE 2; TARGETS Grey\nAmber: STEADY\nRuby: SMOOTH LEFT",
    "Bob": "Blue: STEADY\nGrey: BREAK LEFT; HOLD FIRE\nTeal: ACCELERATE 1\nNavy: STEADY",
}
KEPT = ("G1-0001.svg", "G1-0003.svg", "G1-film.svg")
"""The maps that are kept as snapshots: the first turn, a crowded one, and the whole battle."""
PHONE = 320
ALIKE = 12
"""How much two drawings of one picture may differ on average, of 255 shades of grey: a film has
many thin lines, which programs make smaller in their own ways."""


def hunt(*elements: str) -> str:
    """Standing orders under which elements turn to the enemy."""
    rules = [
        line
        for name in elements
        for line in (
            f"IF ENEMY LEFT: {name}: SMOOTH LEFT",
            f"IF ENEMY RIGHT: {name}: SMOOTH RIGHT",
            f"IF ENEMY BEHIND: {name}: BREAK LEFT",
            f"IF TURN >= 1: {name}: STEADY",
        )
    ]
    return "\n".join(["STANDING", *rules, "END"])


ORDERS = {"Ann": hunt("Red", "Gold", "Amber", "Ruby"), "Bob": hunt("Blue", "Grey", "Teal", "Navy")}


@pytest.fixture
def config(tmp_path: Path, mail_servers: MailHost) -> Path:
    return write_league(tmp_path, sections(mail_servers))


@pytest.fixture
def fixed(tmp_path: Path) -> str:
    """Where Python looks for code first, with secrets that are the same each time."""
    folder = tmp_path / "fixed"
    folder.mkdir()
    (folder / "sitecustomize.py").write_text(
        "import hashlib, secrets\n"
        "secrets.token_bytes = lambda count=32: hashlib.sha256(b'secret 13').digest()[:count]\n"
    )
    return f"{folder}:{ROOT}"


def play(ann: MailProgram, bob: MailProgram) -> None:
    """Enlist, challenge, play a turn by hand, and leave the rest to standing orders."""
    for person, squadron in ((ann, HAWKS), (bob, KITES)):
        join_the_league(person)
        assert "is on the list" in words(person.ask(squadron))
    ann.ask("CHALLENGE Kites WITH Hawks FIRST me")
    bob.next()
    bob.reply("ACCEPT 1")
    for person in (ann, bob):
        assert "Turn 1 of 20" in words(person.next())
    turn(ann, bob, FIRST)
    turn(ann, bob, ORDERS)
    while not is_last_report(ann.last):
        turn(ann, bob, {"Ann": "READY", "Bob": "READY"})


def turn(ann: MailProgram, bob: MailProgram, orders: dict[str, str]) -> None:
    """Answer the last report for both, and wait for the next of each."""
    assert "##" in plain(ann.ask(orders["Ann"]))
    bob.reply(orders["Bob"])
    for person in (bob, ann):
        person.next()


@pytest.mark.long
def test_a_battle_of_four_elements_a_side(
    mail_servers: MailHost, config: Path, fixed: str, tmp_path: Path
) -> None:
    with (
        running(config, PYTHONPATH=fixed) as daemon,
        mail_program(mail_servers, "Ann") as ann,
        mail_program(mail_servers, "Bob") as bob,
    ):
        play(ann, bob)
        stops(daemon)
    for person in (ann, bob):
        assert "is over" in person.last["Subject"]
        [film] = shown(person.last)
        assert len(film) < 60_000
    album = tmp_path / "album"
    written = pbem("--config", config, "game", 1, "--pictures", album)
    assert written.returncode == 0, written.stderr
    for name in KEPT:
        assert matches(f"skies/{name}", (album / name).read_text("utf-8") + "\n")
    assert looks_as_it_did("skies/film.png", film)
    assert_shown_on_a_telephone(ann.last, tmp_path)


def stops(daemon: Running) -> None:
    daemon.stop()
    assert daemon.process.returncode == 0, daemon.log.read_text()
    assert "Traceback" not in daemon.log.read_text()


def looks_as_it_did(name: str, picture: bytes) -> bool:
    """Compare a picture as a telephone shows it with what was looked at, in greys."""
    now, path = small(picture), FOLDER / name
    if os.environ.get("PBEM_SNAPSHOTS") == "write":
        now.quantize(8).save(path)
    return apart(now, Image.open(path).convert("L")) < ALIKE


def small(picture: bytes, wide: int = PHONE) -> Image.Image:
    """Return a picture in greys, as wide as a telephone."""
    image = Image.open(BytesIO(picture)).convert("L")
    return image.resize((wide, image.height * wide // image.width), Image.Resampling.LANCZOS)


def apart(one: Image.Image, other: Image.Image) -> float:
    """Return by how many shades two pictures of one size differ, on average."""
    assert one.size == other.size
    return float(ImageStat.Stat(ImageChops.difference(one, other)).mean[0])


LOOK = """<!DOCTYPE html><meta charset="utf-8"><body style="margin:0">
<iframe width="320" height="HIGH" style="border:0" srcdoc="LETTER"></iframe>
<script>
onload = () => {
  const page = document.querySelector("iframe").contentDocument;
  for (const part of page.querySelectorAll("h2, p, ul, table, div"))
    if (!part.querySelector("img")) part.remove();
  const found = [...page.images].map((image) => {
    const box = image.getBoundingClientRect();
    return [image.alt, image.naturalWidth, box.x, box.y, box.width, box.height];
  });
  const told = document.createElement("pre");
  told.id = "found";
  told.textContent = JSON.stringify(found);
  document.body.append(told);
};
</script>"""
HIGH = 2000


def assert_shown_on_a_telephone(letter: EmailMessage, folder: Path) -> None:
    """Open a letter in Chromium, as wide as a telephone, and look at its pictures there."""
    page, screen = folder / "letter.html", folder / "letter.png"
    page.write_text(
        LOOK.replace("HIGH", str(HIGH)).replace("LETTER", escape(with_pictures(letter)))
    )
    common = [chromium(), *QUIET, f"--user-data-dir={folder}/user", f"--window-size=640,{HIGH}"]
    looks = [
        subprocess.run(
            [*common, *more, page.as_uri()], capture_output=True, timeout=120, check=True
        )
        for more in ((f"--screenshot={screen}",), ("--dump-dom",))
    ]
    text = re.search(r'<pre id="found">(.*?)</pre>', looks[1].stdout.decode(), re.DOTALL)
    assert text is not None
    found = json.loads(unescape(text[1]))
    seen = Image.open(screen).convert("L")
    for (alt, natural, x, y, wide, high), picture in zip(found, shown(letter), strict=True):
        assert natural == WIDTH
        assert re.fullmatch(
            r"The battle in small maps, with the fighters left: at the end .*\.", alt
        )
        assert x >= 0
        assert x + wide <= PHONE
        box = (round(x), round(y), round(x) + round(wide), round(y) + round(high))
        expected = small(picture, round(wide)).resize((round(wide), round(high)))
        assert apart(seen.crop(box), expected) < ALIKE


def with_pictures(letter: EmailMessage) -> str:
    """Return a letter's HTML with its pictures in it."""
    html = letter.get_body(("html",))
    assert html is not None
    text = str(html.get_content())
    for part in letter.walk():
        if part["Content-ID"]:
            data = base64.b64encode(part.get_content()).decode()
            text = text.replace(f"cid:{part['Content-ID'][1:-1]}", f"data:image/png;base64,{data}")
    return text
