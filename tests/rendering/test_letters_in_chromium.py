"""HTML letters in a browser: nothing is wider than a telephone, and axe finds no fault."""

import json
import re
import subprocess
from collections.abc import Mapping
from email import message_from_bytes
from email.policy import default
from html import escape, unescape
from importlib.resources import files
from pathlib import Path
from shutil import which

import pytest

from benchmarks.letters import KINDS, STANDING, fight
from pbem.storage import Outgoing
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
BATTLES = ("Black Skies, two elements", "Starfarer, two characters", "Cortex, four vessels")
DARK = "--blink-settings=preferredColorScheme=0"
LOOK = """
<script type="text/plain" id="axe">%s</script>
<script>
const found = (parts, fault) => parts.slice(0, 3).map((part) =>
  fault + ": " + part.outerHTML.slice(0, 120));

const wide = (page, frame) => {
  const main = page.querySelector("[role=main]"), usual = main.style.fontSize, faults = [];
  const parts = [page.documentElement, ...page.body.querySelectorAll("*")];
  for (const width of %s) for (const size of %s) {
    frame.width = width;
    main.style.fontSize = size + "px";
    const over = parts.filter((part) =>
      part.getBoundingClientRect().right > width + 0.5 || part.scrollWidth > width
      // What is wider than its own cell or line is cut, or lies on its neighbour.
      || (part.clientWidth && part.scrollWidth > part.clientWidth + 1));
    faults.push(...found(over, width + " pixels, text of " + size));
  }
  frame.width = %s;
  main.style.fontSize = usual;
  return faults;
};

// axe takes the canvas to be white, so in the dark it can't measure a contrast.
const coloured = (page, view) => {
  const own = view.getComputedStyle(page.body), none = "rgba(0, 0, 0, 0)";
  return found([...page.body.querySelectorAll("*")].filter((part) => {
    const style = view.getComputedStyle(part);
    const colours = style.color !== own.color || style.backgroundColor !== none;
    return part.innerText && (colours || style.opacity !== "1");
  }), "own colours");
};

const inaccessible = async (page, view) => {
  const script = page.createElement("script");
  script.textContent = document.getElementById("axe").textContent;
  page.head.append(script);
  const { violations } = await view.axe.run(page, { resultTypes: ["violations"], preload: false });
  return violations.flatMap((fault) => fault.nodes.map((node) =>
    fault.id + ": " + node.html.slice(0, 120)));
};

onload = async () => {
  const all = {};
  for (const frame of document.querySelectorAll("iframe")) {
    const page = frame.contentDocument, view = frame.contentWindow;
    all[frame.name] = [...wide(page, frame), ...coloured(page, view)];
    if (!matchMedia("(prefers-color-scheme: dark)").matches)
      all[frame.name].push(...await inaccessible(page, view));
    frame.remove();
  }
  const told = document.createElement("pre");
  told.id = "found";
  told.textContent = JSON.stringify(all);
  document.body.replaceChildren(told);
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


def looked_at(pages: Mapping[str, str], folder: Path, *more: str) -> dict[str, list[str]]:
    """Return the faults of each page, those with nothing left out; in the dark not by axe."""
    frames = "\n".join(
        f'<iframe name="{name}" width="{WIDTHS[0]}" height="600" style="border:0"'
        f' srcdoc="{escape(page)}"></iframe>'
        for name, page in pages.items()
    )
    file = folder / "letters.html"
    look = LOOK % (axe(), list(WIDTHS), list(TEXTS), WIDTHS[0])
    file.write_text(f"<!DOCTYPE html><html><head><meta charset=utf-8>{look}</head><body>{frames}")
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


def letters(language: str, folder: Path) -> dict[str, str]:
    """Return the HTML of all samples, and of each kind of letter of a battle of other systems."""
    found = {name: filled(*sample, language).html for name, sample in SAMPLES.items()}
    for battle in BATTLES:
        home = folder / battle.replace(" ", "-")
        home.mkdir()
        for member in fight(home, KINDS[battle], 1, STANDING, language):
            found |= {f"{battle}: {row.kind}": html(row) for row in member.received}
    return found


def html(row: Outgoing) -> str:
    body = message_from_bytes(row.content, policy=default).get_body(("html",))
    assert body is not None
    return str(body.get_content())


@pytest.mark.services
@pytest.mark.timeout(300)
@pytest.mark.parametrize("more", [(), (DARK,)], ids=["light", "dark"])
@pytest.mark.parametrize("language", ["en", "de"])
def test_letters_fit_and_can_be_read(language: str, more: tuple[str, ...], tmp_path: Path) -> None:
    """At 320, 360 and 1280 pixels and 200 %, light and dark."""
    assert looked_at(letters(language, tmp_path), tmp_path, *more) == {}


@pytest.mark.services
@pytest.mark.parametrize("more", [(), (DARK,)], ids=["light", "dark"])
def test_faults_are_noticed(more: tuple[str, ...], tmp_path: Path) -> None:
    sound = filled(*SAMPLES["turn"]).html
    pages = {
        "wide": '<main role="main"><p style="white-space:nowrap">' + "word " * 99,
        "cut": sound.replace(
            "<p>", '<p style="width:9px;overflow:hidden;overflow-wrap:normal">', 1
        ),
        "links": sound.replace("a{color:inherit}", ""),
        "pale": sound.replace("a{color:inherit}", "a{color:#ccc}"),
    }
    found = looked_at(pages, tmp_path, *more)
    assert list(found) == list(pages)
    assert {one.partition(":")[0] for one in found["links"]} == {"own colours"}
    assert more or any(one.startswith("color-contrast: ") for one in found["pale"])
