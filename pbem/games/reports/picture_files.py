"""A battle's pictures as files: one for each step that changed it, a film, and a page of them."""

from collections.abc import Iterator
from html import escape
from pathlib import Path

from engine.pictures import Picture
from pbem.games.reports import battle_pictures
from pbem.games.reports.battle_pictures import Viewer
from pbem.games.session import Session, game_id

_PAGE = (
    '<!DOCTYPE html>\n<html lang="{lang}">\n<head>\n<meta charset="utf-8">\n'
    '<meta name="viewport" content="width=device-width, initial-scale=1">\n'
    "<title>{title}</title>\n</head>\n"
    '<body style="max-width:640px;margin:0 auto;padding:12px;font:16px/1.5 sans-serif">\n'
    "<h1>{title}</h1>\n{figures}\n</body>\n</html>\n"
)
_FIGURE = (
    '<figure style="margin:0 0 24px"><img src="{name}" alt="{alt}"'
    ' style="width:100%"><figcaption>{name}</figcaption></figure>'
)


def write(viewer: Viewer, session: Session, folder: Path) -> list[str]:
    """Write all pictures of a battle into a folder, and return the files' names.

    Raises OSError if a file can't be written, and ValueError if the battle has no pictures.
    """
    game = game_id(session.game.id)
    found = dict(_named(viewer, session))
    if not found:
        raise ValueError(f"battle {session.game.id} has no pictures")
    folder.mkdir(parents=True, exist_ok=True)
    for name, picture in found.items():
        # Browsers show SVG, so no PNG is needed as in letters (decision 0012).
        (folder / name).write_text(picture.svg, encoding="utf-8")
    figures = "\n".join(
        _FIGURE.format(name=name, alt=escape(viewer.renderer.say(picture.alt, viewer.language)))
        for name, picture in found.items()
    )
    page = _PAGE.format(lang=viewer.language, title=game, figures=figures)
    (folder / f"{game}.html").write_text(page, encoding="utf-8")
    return [f"{game}.html", *found]


def _named(viewer: Viewer, session: Session) -> Iterator[tuple[str, Picture]]:
    """Yield the pictures with their file names, which count the steps that were taken.

    A step that shows nothing new has no picture.
    """
    game, before = game_id(session.game.id), ""
    for step, pictures in battle_pictures.stills(viewer, session).items():
        for number, picture in enumerate(pictures, 1):
            if picture.svg != before:
                more = f"-{number}" if number > 1 else ""
                # Padded, so that a folder lists the files in order; the start has number -1.
                yield f"{game}-{step + 1:04}{more}.svg", picture
            before = picture.svg
    for picture in battle_pictures.film(viewer, session):
        yield f"{game}-film.svg", picture
