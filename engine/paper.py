"""What all pictures share: a dark ground, which suits a letter in light and in dark, and widths.

A picture can't know how its letter is shown, and a white one glares in a dark letter.
"""

PAPER, INK, PALE, SHADE = "#16212c", "#f1f4f7", "#8796a5", "#2f4050"
"""The ground, words and signs on it, thin lines, and areas."""
SIDES = ("#7fbcff", "#ffab66", "#a8db7a", "#e6a3ee")
"""The colours of the sides, of which there are two to four; no meaning depends on them alone."""
_NARROW, _WIDE = "fijlrtI.,:;'|!()[] -", "mwMWO@Q&%"


def wide(words: str, size: int) -> int:
    """Return about how wide words are in a font of a size, without asking the font."""
    parts = (26 if c in _NARROW else 86 if c in _WIDE or ord(c) > 0x2E7F else 56 for c in words)
    return size * sum(parts) // 100


def fitting(words: str, size: int, space: int, least: int) -> int:
    """Return the largest font size, of at least `least`, in which words fit into a space."""
    while size > least and wide(words, size) > space:
        size -= 1
    return size


def folded(words: str, size: int, space: int) -> list[str]:
    """Return words in as many lines as they need in a space; a long word is cut into pieces."""
    lines = [""]
    for word in words.split():
        longer = f"{lines[-1]} {word}".strip()
        if wide(longer, size) <= space:
            lines[-1] = longer
            continue
        lines += [word] if lines[-1] else []
        lines[-1] = lines[-1] or word
        while wide(lines[-1], size) > space:
            most = next(
                n for n in range(len(lines[-1]), 0, -1) if wide(lines[-1][:n], size) <= space
            )
            lines[-1:] = [lines[-1][:most], lines[-1][most:]]
    return lines
