"""A picture's SVG as PNG, which is what mail programs show; the same bytes for the same SVG."""

from functools import lru_cache
from io import BytesIO

from font_source_sans_pro import font_files_ttf
from PIL import Image
from resvg_py import svg_to_bytes

WIDTH = 520
"""How wide a picture is, in pixels: sharp on a telephone, where it is shown smaller."""
COLOURS = 16
_FONT = "Source Sans Pro"


@lru_cache(maxsize=128)
def png(svg: str) -> bytes:
    """Draw an SVG with the font that comes along and no other; raises ValueError.

    Few colours do for a diagram, and make a third of the bytes; they are chosen so that pale ones
    are kept, such as those of large parts that words stand on.
    """
    drawn = svg_to_bytes(
        svg_string=svg,
        width=WIDTH,
        font_files=[font_files_ttf["SourceSansPro"]],
        font_family=_FONT,
        sans_serif_family=_FONT,
        skip_system_fonts=True,
    )
    whole = Image.open(BytesIO(bytes(drawn))).convert("RGB")
    method, plain = Image.Quantize.MAXCOVERAGE, Image.Dither.NONE
    few = whole.quantize(COLOURS, method, kmeans=1, dither=plain)
    written = BytesIO()
    few.save(written, "PNG")
    return written.getvalue()
