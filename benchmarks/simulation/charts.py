"""Charts as plain SVG, made of the few shapes that every browser draws."""

from collections.abc import Iterator, Mapping
from html import escape

WIDTH = 640
_LABEL, _VALUE, _LINE = 160, 60, 22

_FRAME = (
    '<svg xmlns="http://www.w3.org/2000/svg" width="{width}" height="{height}"'
    ' viewBox="0 0 {width} {height}" font-family="sans-serif" font-size="13">\n'
    '<rect width="{width}" height="{height}" fill="#ffffff"/>\n{body}</svg>\n'
)
_TITLE = '<text x="8" y="{y}" font-size="15" font-weight="bold">{text}</text>\n'
_BAR = (
    '<text x="{label}" y="{y}" text-anchor="end">{text}</text>\n'
    '<rect x="{x}" y="{top}" width="{long:.1f}" height="16" fill="#2a6f97"/>\n'
    '<text x="{end:.1f}" y="{y}">{value:.1f}</text>\n'
)


def bars(charts: Mapping[str, Mapping[str, float]]) -> str:
    """Return charts of bars, one below the other, each with its title; values are in percent."""
    lines = sum(len(chart) + 2 for chart in charts.values())
    body = "".join(_charts(charts))
    return _FRAME.format(width=WIDTH, height=lines * _LINE, body=body)


def _charts(charts: Mapping[str, Mapping[str, float]]) -> Iterator[str]:
    y = _LINE
    for title, chart in charts.items():
        yield _TITLE.format(y=y, text=escape(title))
        # The longest bar fills the width; 1 is for a chart in which all values are 0.
        most = max([*chart.values(), 1])
        for text, value in chart.items():
            y += _LINE
            yield _bar(y, text, value, value / most)
        y += 2 * _LINE


def _bar(y: int, text: str, value: float, share: float) -> str:
    long = share * (WIDTH - _LABEL - _VALUE)
    return _BAR.format(
        label=_LABEL - 8,
        x=_LABEL,
        y=y,
        top=y - 13,
        text=escape(text),
        long=long,
        end=_LABEL + long + 6,
        value=value,
    )
