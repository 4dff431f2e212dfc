"""What a player wrote in a letter that repeats ours without quote marks (decision 0028)."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

from pbem.intake.our_words import Copied, OurWords, squeezed
from pbem.intake.quote_headers import QUOTED, has_marker
from pbem.intake.quotes import OURS, own_text, quote_marks
from pbem.intake.reading import Reading

LONG = 16
"""So many letters and digits are ours wherever they stand; fewer must go on where others ended."""
TAIL = 12
"""By so many letters and digits the end of a line of ours is known that a program has changed."""
MOST_SHORT = 5
"""So many short lines are searched together."""
MOST_CHOICES = 3
"""So many choices, with what explains them, may be copied together."""
BROKEN_LINK = re.compile(r"<(?:https?|mailto):[^<>\s]{20,}\n[^<>\s]{1,500}>")
TYPED = re.compile(r"^[\s*+•·–—|>-]*[^\w\s*+•·–—|>-]|[~❌✖✗✘❎🚫⛔]\W*$")
"""What only a player puts around a printed order, such as a box, or what crosses it out."""
MARKED = 2
"""So many lines of ours besides the marker show that it heads this letter and no other."""


@dataclass(frozen=True, slots=True)
class NewText:
    """A player's own text; `amid` are printed orders that stand among our own lines."""

    text: str
    amid: tuple[str, ...] = ()


@dataclass(slots=True)
class Run:
    """Lines that repeat words of ours one after the other; a player's lines may be between them.

    `ends` are the places in our words where they may end, and `size` is how much they repeat.
    `loose` runs are never done: they have only the end of a changed line above them, or are a list.
    A run is `begun` by a printed order before which the player has typed something.
    """

    ends: list[int]
    size: int
    members: list[int] = field(default_factory=list)
    loose: bool = False
    begun: bool = False


def new_text(reading: Reading, texts: Sequence[str], is_order: Callable[[str], bool]) -> NewText:
    """Return what a player wrote; `texts` are ours, `is_order` tells whether a line is an order.

    Lines that repeat ours are quotes, with or without marks, unless all that they repeat in a row
    are orders: then the player has copied what we print to be copied.
    """
    if not texts or not reading.whole:
        return NewText(reading.text)
    whole = BROKEN_LINK.sub(lambda link: link[0].replace("\n", ""), reading.whole)
    letter = Echoes(whole.split("\n"), OurWords(texts, is_order))
    text = own_text("\n".join(letter.shown()))
    # The text as read has the lines of both its forms; it is better where the words are the same.
    if squeezed(text) == squeezed(reading.text) and not letter.copied:
        text = reading.text
    return NewText(text, tuple(letter.amid))


class Echoes:
    """The lines of a letter, compared with our words."""

    def __init__(self, lines: Sequence[str], ours: OurWords) -> None:
        self.lines, self.ours = lines, ours
        self.marks = quote_marks(lines)
        self.words = [
            squeezed(QUOTED.sub("", line) if mark else line)
            for line, mark in zip(lines, self.marks, strict=True)
        ]
        self.written = [at for at, words in enumerate(self.words) if words]
        self.runs: dict[int, Run] = {}
        self.find_runs()
        self.marked = list(lines)
        self.amid: list[str] = []
        self.copied = False
        self.sort()

    def find_runs(self) -> None:
        """Find the lines that repeat our words."""
        run: Run | None = None
        for place, at in enumerate(self.written):
            run = self.run_at(at, place, run)

    def run_at(self, at: int, place: int, run: Run | None) -> Run | None:
        """Return the run that goes on below a line, and note the line's own."""
        words, below = self.words[at], self.below(place)
        # What stands below such an order, once it has ended, is not its rest.
        if run is not None and run.begun and any(map(self.ours.ends_line, run.ends)):
            run = None
        goes_on = [] if run is None else self.going_on(run, words, below)
        if run is not None and goes_on:
            if self.is_freed(at, run, goes_on[0] - len(words)):
                run = Run(goes_on, 0)
            run.ends, run.size = goes_on, run.size + len(words)
            self.note(at, run)
        elif starts := self.places(words, place, run):
            run = Run([start + len(words) for start in starts], len(words))
            self.note(at, run)
            self.extend_up(run, place)
        # Only its end is ours, as where somebody typed in front of a quoted line.
        elif len(words) >= LONG and (tails := self.ours.places(words[-TAIL:])):
            ends = [tail + TAIL for tail in tails]
            above = self.paragraph(at)
            orders = [end for end in ends if self.ours.is_begun(above, end)]
            run = Run(orders or ends, 0, loose=not orders, begun=bool(orders))
        return run

    def paragraph(self, at: int) -> list[str]:
        """Return the words of the player's lines right above one, and its own."""
        first = at
        while (
            first
            and self.words[first - 1]
            and first - 1 not in self.runs
            and not self.marks[first - 1]
        ):
            first -= 1
        return self.words[max(first, at - MOST_SHORT) : at + 1]

    def below(self, place: int) -> str:
        """Return the words of the line below one, by its number among the lines with words."""
        return self.words[self.written[place + 1]] if place + 1 < len(self.written) else ""

    def places(self, words: str, place: int, run: Run | None) -> list[int]:
        """Return where a line is in our words, a short one together with those below it.

        A short line is the player's where the line below it goes on in our words without it.
        """
        if len(words) < LONG and words not in self.ours.explained:
            below = self.below(place)
            if run is not None and any(self.ours.words.startswith(below, end) for end in run.ends):
                return []
            for at in self.written[place + 1 : place + MOST_SHORT]:
                words += self.words[at]
                if len(words) >= LONG:
                    break
            else:
                return []
        return self.ours.places(words)

    def going_on(self, run: Run, words: str, below: str) -> list[int]:
        """Return where words end that go on where a run has ended.

        A few words do only if the line below goes on too, or if they end a line of ours that does
        not stand below: a player may have typed the same word there.
        """

        def stands_below(at: int) -> bool:
            return bool(below) and self.ours.words.startswith(below, at)

        starts = [at for at in run.ends if self.ours.words.startswith(words, at)]
        return [
            end
            for start in starts
            for end in [start + len(words)]
            if len(words) >= LONG
            or stands_below(end)
            or (self.ours.ends_line(end) and not (below.startswith(words) and stands_below(start)))
        ]

    def is_freed(self, at: int, run: Run, start: int) -> bool:
        """Return whether a player has removed the mark before a line of a marked quote."""
        above = bool(run.members) and self.marks[run.members[-1]]
        return above and not self.marks[at] and self.ours.begins_line(start)

    def extend_up(self, run: Run, place: int) -> None:
        """Add the short lines above a run's first line that are ours too."""
        for at in reversed(self.written[:place]):
            words = self.words[at]
            if at in self.runs:
                break
            starts = [end - run.size - len(words) for end in run.ends]
            kept = [
                end
                for end, start in zip(run.ends, starts, strict=True)
                if start >= 0 and self.ours.words.startswith(words, start)
            ]
            if not kept:
                break
            run.ends, run.size = kept, run.size + len(words)
            run.members.insert(0, at)
            self.runs[at] = run

    def note(self, at: int, run: Run) -> None:
        """Add a line to a run."""
        run.members.append(at)
        self.runs[at] = run

    def sort(self) -> None:
        """Mark the lines that are quotes, and those that are orders without what explains them."""
        runs = list({id(run): run for run in self.runs.values()}.values())
        orders = {id(run): self.orders(run) for run in runs}
        bare = [at for at, run in self.runs.items() if not self.marks[at]]
        quotes = [at for at in bare if orders[id(self.runs[at])] is None]
        first, last = min(quotes, default=0), max(quotes, default=0)
        for at in bare:
            run = self.runs[at]
            found = orders[id(run)]
            amid = run.loose or first < run.members[0] <= run.members[-1] < last
            self.mark(at, run, None if found is None else found[at], amid)
        # What is right below a marked line of ours, and is none, is not a wrapped rest of it.
        for at in self.runs:
            if self.marks[at] and at + 1 < len(self.lines) and not self.marks[at + 1]:
                self.marked[at + 1] = f"\n{self.marked[at + 1]}"

    def shown(self) -> list[str]:
        """Return the marked lines, without those whose words went to an order's last line."""
        return [line for at, line in enumerate(self.marked) if line or at not in self.runs]

    def mark(self, at: int, run: Run, order: str | None, amid: bool) -> None:
        """Mark one line: a quote where `order` is None, else an order, or "" if it has none.

        Where quotes are above and below it, nobody knows whether it is an order or a quote's rest.
        """
        line = self.lines[at]
        if order is not None and not amid:
            self.copied = self.copied or order != line
            self.marked[at] = order
        elif order is not None or not has_marker(line) or len(run.members) > MARKED:
            self.amid += order.split("\n") if order else []
            self.marked[at] = f"{OURS} {line}"

    def orders(self, run: Run) -> dict[int, str] | None:
        """Return the orders of a run, by the line in which each ends; None if it is a quote.

        It is one as soon as it repeats anything but orders.
        """
        as_they_are = {member: self.lines[member] for member in run.members}
        for end in run.ends:
            copies = self.ours.copies(end - run.size, end)
            if copies:
                # A part of an order is one that the player has changed.
                whole = all(copy.whole for copy in copies)
                # Nobody orders a whole list of choices.
                run.loose |= sum(copy.explained for copy in copies) > MOST_CHOICES
                typed = any(map(TYPED.search, as_they_are.values()))
                given = as_they_are if typed or not whole else None
                return given or self.by_line(run, end - run.size, copies)
        lines = list(as_they_are.values())
        # What we have only cited is the player's: who struggles often sends the same line again.
        if any(self.ours.cites(end - run.size, end) for end in run.ends):
            return as_they_are
        # A player may repeat an order that we have only named, even wrapped.
        cited = any(self.ours.in_one_line(end - run.size, end) for end in run.ends)
        if all(map(self.ours.is_order, lines)) or (cited and self.ours.is_order(" ".join(lines))):
            return as_they_are
        return None

    def by_line(self, run: Run, at: int, copies: Sequence[Copied]) -> dict[int, str]:
        """Return orders that a run repeats from a place on, by the line in which each ends."""
        found: dict[int, str] = {}
        for member in run.members:
            first, at = at, at + len(self.words[member])
            found[member] = "\n".join(copy.text for copy in copies if first < copy.end <= at)
        return found
