"""The folder where the demo's letters are kept, to be read afterwards."""

from pathlib import Path

from pbem.demo.league import DemoFailed
from pbem.demo.letter import ShownLetter
from pbem.demo.page import Card, index, plain_page

MARKER = ".pbem-demo"
INDEX = "index.html"


class LetterArchive:
    """The files of one run of the demo; a list of them in the folder shows which are ours."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self._cards: list[Card] = []
        try:
            folder.mkdir(parents=True, exist_ok=True)
            self._clear()
        except OSError as error:
            why = f"{folder} can't be written ({error.strerror}); name another --out"
            raise DemoFailed(why) from None

    def _clear(self) -> None:
        """Remove what an earlier run wrote, and nothing else."""
        marker = self.folder / MARKER
        names = marker.read_text("utf-8").splitlines() if marker.is_file() else []
        for name in names:
            # The list may have been edited, so nothing outside of the folder is removed.
            if Path(name).name == name:
                (self.folder / name).unlink(missing_ok=True)
        marker.write_text("", "utf-8")

    def save(self, name: str, data: bytes | str) -> Path:
        """Write a file. Raises DemoFailed if a file that is not ours has this name."""
        path = self.folder / name
        if path.exists():
            raise DemoFailed(f"{path} is there already, and not the demo's; name another --out")
        # Listed before it is written, so that the next run removes it even after a crash.
        with (self.folder / MARKER).open("a", encoding="utf-8") as marker:
            marker.write(f"{name}\n")
        path.write_bytes(data.encode() if isinstance(data, str) else data)
        return path

    def add(self, letter: ShownLetter, *, to_referee: bool) -> Card:
        """Keep a letter as it was sent, as text, and as HTML."""
        number = len(self._cards) + 1
        stem = f"{number:03}-{'to' if to_referee else 'from'}-referee"
        card = Card(number, stem, to_referee, letter)
        self.save(f"{stem}.eml", letter.raw)
        self.save(f"{stem}.txt", letter.text)
        self.save(f"{stem}.html", letter.html or plain_page(letter))
        self._cards.append(card)
        return card

    def count(self, *, to_referee: bool) -> int:
        """Return how many letters went one way."""
        return sum(card.to_referee == to_referee for card in self._cards)

    def finish(self, findings: list[str]) -> Path:
        """Write the page that leads to all letters."""
        return self.save(INDEX, index(self._cards, findings))
