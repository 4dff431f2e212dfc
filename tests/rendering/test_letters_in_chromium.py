"""HTML letters in a browser: nothing is wider than a telephone, and nothing overlaps its frame."""

import json
import re
import subprocess
from html import escape, unescape
from pathlib import Path
from shutil import which

import pytest

from tests.rendering.test_letter_templates import SAMPLES, filled
from tests.servers.required import unmet

WIDTHS = (320, 800)
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
LOOK = """
<script>
onload = () => {
  const found = {};
  for (const frame of document.querySelectorAll("iframe")) {
    const page = frame.contentDocument, wide = frame.clientWidth;
    const out = [...page.body.querySelectorAll("*")].filter(
      (part) => part.getBoundingClientRect().right > wide + 0.5);
    found[frame.name] = out.slice(0, 3).map((part) => part.outerHTML.slice(0, 120));
  }
  const told = document.createElement("pre");
  told.id = "found";
  told.textContent = JSON.stringify(found);
  document.body.replaceChildren(told);
};
</script>
"""


def chromium() -> str:
    found = which("chromium") or which("chromium-browser") or which("google-chrome")
    if not found:
        unmet("not installed: chromium")
    return found


@pytest.mark.services
@pytest.mark.parametrize("language", ["en", "de"])
@pytest.mark.parametrize("width", WIDTHS)
def test_no_letter_is_wider_than_the_screen(width: int, language: str, tmp_path: Path) -> None:
    frames = "\n".join(
        f'<iframe name="{name}" width="{width}" height="600" style="border:0"'
        f' srcdoc="{escape(filled(*sample, language).html)}"></iframe>'
        for name, sample in SAMPLES.items()
    )
    file = tmp_path / "letters.html"
    file.write_text(f"<!DOCTYPE html><html><head><meta charset=utf-8>{LOOK}</head><body>{frames}")
    command = [
        chromium(),
        *QUIET,
        f"--user-data-dir={tmp_path}/user",
        "--dump-dom",
        f"file://{file}",
    ]
    shown = subprocess.run(command, capture_output=True, text=True, timeout=120, check=True).stdout
    told = re.search(r'<pre id="found">(.*?)</pre>', shown, re.DOTALL)
    assert told is not None, shown[:500]
    found = json.loads(unescape(told[1]))
    assert set(found) == set(SAMPLES)
    assert {name: parts for name, parts in found.items() if parts} == {}
