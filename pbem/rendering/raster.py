"""A picture's SVG as PNG, which mail programs show; the same bytes for the same SVG."""

import re
from collections.abc import Sequence
from functools import lru_cache
from io import BytesIO
from itertools import product
from pathlib import Path

from PIL import Image, ImageColor
from resvg_py import svg_to_bytes

from engine.pictures import PAPER

WIDTH = 520
"""The width of a picture in pixels: sharp on a telephone, where it is shown smaller."""
COLOURS = 16
"""So a picture has about 10 KB, instead of 20 to 30 (decision 0012)."""
_FONT = "Source Sans Pro"
_FONT_FILE = str(Path(__file__).with_name("SourceSansPro-Regular.ttf"))
_SHEET = re.compile(
    r'<svg (?P<more>[^>]*?) viewBox="0 0 (?P<wide>\d+) (?P<high>\d+)" width="\d+" height="\d+"'
    r'(?P<style>[^>]*)>(?P<tiles>(?:<svg x="\d+" (?:(?!<svg).)*</svg>)+)</svg>',
    re.DOTALL,
)
# Without the ground, which is the first colour of every palette.
_COLOUR = re.compile(rf'"(#(?!{PAPER[1:]}")[0-9a-f]{{3,6}})"')
_TILE = re.compile(
    r'<svg x="(\d+)" y="(\d+)" width="(\d+)" height="(\d+)" viewBox="[^"]*">(.*?)</svg>', re.DOTALL
)


@lru_cache(maxsize=128)
def png(svg: str) -> bytes:
    """Return an SVG as PNG, on its dark ground, with our own font alone. Raises ValueError.

    A diagram needs few colours, and they save two thirds of the bytes. An SVG that is all tiles,
    `<svg x="0" y="48" width="210" height="19" viewBox="0 48 210 19">`, is drawn tile by tile:
    drawing costs as much as the area times the number of parts, and tiles that were drawn before
    come from a cache.
    """
    sheet = _SHEET.fullmatch(svg)
    written = BytesIO()
    (_whole(svg) if sheet is None else _tiled(sheet)).save(written, "PNG")
    return written.getvalue()


def _whole(svg: str) -> Image.Image:
    """Return a picture drawn in one piece; pale colours of large areas under words are kept."""
    return _drawn(svg).quantize(COLOURS, Image.Quantize.MAXCOVERAGE, dither=Image.Dither.NONE)


def _tiled(sheet: re.Match[str]) -> Image.Image:
    """Return a sheet's tiles drawn side by side, each on whole pixels."""
    scale = WIDTH / int(sheet["wide"])
    # Sorted: the order of a set differs from process to process, and so would the bytes.
    colours = tuple(sorted(set(_COLOUR.findall(sheet[0]))))
    # One pixel of the ground, made as large as the sheet, has the palette of all tiles.
    whole = _palette(colours).resize((WIDTH, round(int(sheet["high"]) * scale)))
    for *place, parts in _TILE.findall(sheet["tiles"]):
        x, y, wide, high = map(int, place)
        # Edges are rounded and not sizes, so that tiles meet without a gap.
        left, top, right, bottom = (round(edge * scale) for edge in (x, y, x + wide, y + high))
        size = right - left, bottom - top
        shown = [f"{pixels / scale:.4f}" for pixels in (left, top, *size)]
        box = f'viewBox="{" ".join(shown)}" preserveAspectRatio="none"'
        head = f'<svg {sheet["more"]} width="{size[0]}" height="{size[1]}" {box}{sheet["style"]}>'
        whole.paste(_tile(f"{head}{parts}</svg>", colours), (left, top))
    return whole


@lru_cache(maxsize=256)
def _tile(svg: str, colours: Sequence[str]) -> Image.Image:
    return _drawn(svg, None).quantize(palette=_palette(colours), dither=Image.Dither.NONE)


@lru_cache(maxsize=8)
def _palette(colours: Sequence[str]) -> Image.Image:
    """Return a pixel of the ground, with a palette of colours, each in some steps from it."""
    full = [ImageColor.getrgb(colour) for colour in colours]
    steps = range(1, max((COLOURS - 1) // max(len(full), 1), 1) + 1)
    ground = ImageColor.getrgb(PAPER)
    mixed = [*ground]
    for step, colour in product(steps, full):
        pairs = zip(ground, colour, strict=True)
        mixed += [low + (part - low) * step // len(steps) for low, part in pairs]
    made = Image.new("P", (1, 1), 0)
    made.putpalette(mixed)
    return made


def _drawn(svg: str, width: int | None = WIDTH) -> Image.Image:
    drawn = svg_to_bytes(
        svg_string=svg,
        width=width,
        background=PAPER,
        font_files=[_FONT_FILE],
        font_family=_FONT,
        sans_serif_family=_FONT,
        skip_system_fonts=True,  # or the bytes would depend on the machine's fonts
    )
    # MAXCOVERAGE makes palettes of RGB alone, and the ground leaves nothing transparent.
    return Image.open(BytesIO(bytes(drawn))).convert("RGB")
