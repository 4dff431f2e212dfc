"""HTML letters in a browser: nothing is wider than a telephone, and axe finds no fault."""

import json
import re
import subprocess
from collections.abc import Mapping
from html import escape, unescape
from importlib.resources import files
from pathlib import Path
from shutil import which

import pytest

from tests.rendering.test_letter_templates import SAMPLES, filled
from tests.servers.required import unmet

WIDTHS = (320, 360, 1280)
TEXTS = (16, 32)
"""The usual size of text, and 200 % of it, in pixels."""
QUIET = (
    "--headless",
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--hide-scrollbars",
)
DARK = "--blink-settings=preferredColorScheme=0"
LOOK = """
<script>
onload = async () => {
  const found = {};
  for (const frame of document.querySelectorAll("iframe"))
    found[frame.name] = await look(frame.contentDocument, frame.clientWidth, frame.contentWindow);
  const told = document.createElement("pre");
  told.id = "found";
  told.textContent = JSON.stringify(found);
  document.body.replaceChildren(told);
};
</script>
"""
WIDE = """
<script>
const look = (page, wide) => {
  page.querySelector("[role=main]").style.fontSize = "%dpx";
  const parts = [page.documentElement, ...page.body.querySelectorAll("*")].filter((part) =>
    part.getBoundingClientRect().right > wide + 0.5 || part.scrollWidth > wide);
  return parts.slice(0, 3).map((part) => part.outerHTML.slice(0, 120));
};
</script>
"""
AXE = """
<script type="text/plain" id="axe">%s</script>
<script>
const look = async (page, wide, view) => {
  const script = page.createElement("script");
  script.textContent = document.getElementById("axe").textContent;
  page.head.append(script);
  const { violations } = await view.axe.run(page);
  return violations.map((fault) => fault.id + ": " + fault.nodes[0].html.slice(0, 120));
};
</script>
"""

# axe takes the canvas to be white, so in the dark it can't measure a contrast.
OWN_COLOURS = """
<script>
const look = (page, wide, view) => {
  const own = view.getComputedStyle(page.body), none = "rgba(0, 0, 0, 0)";
  const parts = [...page.body.querySelectorAll("*")].filter((part) => {
    const style = view.getComputedStyle(part);
    const coloured = style.color !== own.color || style.backgroundColor !== none;
    return part.innerText && (coloured || style.opacity !== "1");
  });
  return parts.slice(0, 3).map((part) => part.outerHTML.slice(0, 120));
};
</script>
"""


def chromium() -> str:
    found = which("chromium") or which("chromium-browser") or which("google-chrome")
    if not found:
        unmet("not installed: chromium")
    return found


def axe() -> str:
    """Return the script of axe-core, which lies in a package of that name."""
    script = files("axe_core_python").joinpath("axe.min.js").read_text("utf-8")
    return script.replace("</script", "<\\/script")


def looked_at(
    pages: Mapping[str, str], width: int, look: str, folder: Path, *more: str
) -> dict[str, list[str]]:
    """Return what a script finds in each page, those with nothing left out."""
    frames = "\n".join(
        f'<iframe name="{name}" width="{width}" height="600" style="border:0"'
        f' srcdoc="{escape(page)}"></iframe>'
        for name, page in pages.items()
    )
    file = folder / "letters.html"
    file.write_text(
        f"<!DOCTYPE html><html><head><meta charset=utf-8>{look}{LOOK}</head><body>{frames}"
    )
    command = [
        chromium(),
        *QUIET,
        *more,
        f"--user-data-dir={folder}/user",
        # Or the page would be printed before a script that waits has ended.
        "--virtual-time-budget=600000",
        "--dump-dom",
        f"file://{file}",
    ]
    shown = subprocess.run(command, capture_output=True, text=True, timeout=240, check=True).stdout
    told = re.search(r'<pre id="found">(.*?)</pre>', shown, re.DOTALL)
    assert told is not None, shown[:500]
    found: dict[str, list[str]] = json.loads(unescape(told[1]))
    assert set(found) == set(pages)
    return {name: parts for name, parts in found.items() if parts}


def letters(language: str) -> dict[str, str]:
    return {name: filled(*sample, language).html for name, sample in SAMPLES.items()}


@pytest.mark.services
@pytest.mark.timeout(300)
@pytest.mark.parametrize("language", ["en", "de"])
@pytest.mark.parametrize("size", TEXTS)
@pytest.mark.parametrize("width", WIDTHS)
def test_no_letter_scrolls_sideways(width: int, size: int, language: str, tmp_path: Path) -> None:
    assert looked_at(letters(language), width, WIDE % size, tmp_path) == {}


@pytest.mark.services
def test_what_is_too_wide_is_noticed(tmp_path: Path) -> None:
    pages = {"wide": '<main role="main"><p style="white-space:nowrap">' + "word " * 99}
    assert list(looked_at(pages, 320, WIDE % 16, tmp_path)) == ["wide"]


@pytest.mark.services
@pytest.mark.timeout(300)
@pytest.mark.parametrize("language", ["en", "de"])
def test_axe_finds_nothing(language: str, tmp_path: Path) -> None:
    assert looked_at(letters(language), 360, AXE % axe(), tmp_path) == {}


@pytest.mark.services
def test_axe_sees_pale_words(tmp_path: Path) -> None:
    pale = filled(*SAMPLES["turn"]).html.replace("a{color:inherit}", "a{color:#ccc}")
    found = looked_at({"turn": pale}, 360, AXE % axe(), tmp_path)
    assert found["turn"][0].startswith("color-contrast: ")


@pytest.mark.services
@pytest.mark.parametrize("scheme", [(), (DARK,)], ids=["light", "dark"])
def test_all_words_have_the_colours_of_the_mail_program(
    scheme: tuple[str, ...], tmp_path: Path
) -> None:
    assert looked_at(letters("de"), 360, OWN_COLOURS, tmp_path, *scheme) == {}
    pale = {"turn": filled(*SAMPLES["turn"]).html.replace("a{color:inherit}", "")}
    assert list(looked_at(pale, 360, OWN_COLOURS, tmp_path, *scheme)) == ["turn"]
