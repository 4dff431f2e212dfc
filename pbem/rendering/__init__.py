"""A letter's words: the only module that opens a template; no player's text breaks out of it.

Each letter is written once, in `letters/<kind>.j2`, as a script (`layout.py`), which is laid out as
text and as HTML, so both parts of a letter always say the same. What everybody may read is in
`posts/<kind>.j2`, with macros for BBCode and Markdown. For a reader of another language the
templates themselves are translated, when they are read (decision 0007).
"""

import re
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from types import CodeType
from typing import Any

from jinja2 import (
    BytecodeCache,
    Environment,
    FileSystemLoader,
    StrictUndefined,
    Template,
    TemplateNotFound,
    pass_context,
)
from jinja2.bccache import Bucket
from jinja2.runtime import Context
from markupsafe import Markup

from engine import registry
from engine.i18n import Said
from pbem.channels.mail.mime_writer import visible
from pbem.channels.markup import PostFormat, bbcode, markdown
from pbem.host.package_data import own_folder, own_folders
from pbem.i18n import message_catalogue
from pbem.i18n.message_catalogue import SOURCE, Catalogue
from pbem.rendering.filters import against, flow, in_words, own_first, percent, picker
from pbem.rendering.letter_script import (
    CELL,
    HOME,
    Html,
    Kit,
    Piece,
    height,
    mailto,
    opening,
    shown,
    text,
)
from pbem.rendering.pdf import pdf

_CUT = Markup("\f")
"""Marks where a post may be split; no player's text holds one."""
_ATTACHED = re.compile(r'<p[^>]*><img src="cid:[^>]*></p>')
_ESCAPED = {"bbcode": bbcode, "markdown": markdown}
"""How each format of posts makes a player's text harmless."""
_TOKEN = re.compile(r" ?\[[^\]]*\]")
"""What marks a subject, so that a reply is known again."""
LARGEST = 90_000
"""The most bytes of a letter's HTML: Gmail cuts it at 102 kB."""
_BLANKS = re.compile(r"\n{3,}")
_TRAILING = re.compile(r"[ \t]+$", re.M)


@dataclass(frozen=True, slots=True)
class LeagueFacts:
    """What every letter may say of the league; `credits` are each system's, by its key.

    `systems` are those that new personas may be enlisted in, the usual one first, and `titles` what
    they are called. It `heals` all between games, or leaves that to the moderator.
    """

    name: str
    address: str
    credits: Mapping[str, str]
    systems: tuple[str, ...] = ()
    titles: tuple[str, ...] = ()
    heals: bool = True


@dataclass(frozen=True, slots=True)
class Page:
    """A letter's words; `svgs` are the pictures that its HTML shows.

    The HTML is `cut` where it would be too long for mail programs; it says that the text is
    attached.
    """

    subject: str
    text: str
    html: str
    svgs: Sequence[str] = ()
    cut: bool = False


@dataclass(frozen=True, slots=True)
class Notice:
    """A post's words; it may be split between its blocks."""

    title: str
    blocks: tuple[str, ...]


Finalize = Callable[[object], str]
"""Makes a fact harmless words; what a template has made stays as it is."""


class Compiled(BytecodeCache):
    """The templates that this process has compiled, so that systems need not compile them again.

    They are kept in no file, so nobody can put other code in their place.
    """

    def __init__(self) -> None:
        self._code: dict[tuple[str, str], CodeType | None] = {}

    def load_bytecode(self, bucket: Bucket) -> None:
        """Find what any environment has made of the same words."""
        bucket.code = self._code.get((bucket.key, bucket.checksum))

    def dump_bytecode(self, bucket: Bucket) -> None:
        """Keep what was compiled."""
        self._code[bucket.key, bucket.checksum] = bucket.code


SHAPE: dict[str, Any] = {
    "bytecode_cache": Compiled(),
    "optimized": False,  # or what a system's filters make of constants would be compiled in
    "undefined": StrictUndefined,  # a missing fact raises, instead of a gap in a letter
    "autoescape": True,
    "trim_blocks": True,
    "lstrip_blocks": True,
    "auto_reload": False,  # or each letter would ask whether a template's file has changed
}


class Loader(FileSystemLoader):
    """Loads templates in the words of a catalogue.

    `SYSTEM/NAME.j2` is looked for among ours first. Otherwise it is what stands in `any/NAME.j2`,
    and after it what the system's own package says.
    """

    def __init__(self, templates: Path, words: Catalogue) -> None:
        super().__init__(templates)
        self.words = words

    def get_source(self, environment: Environment, template: str) -> Any:
        """Return a template's source, translated."""
        source, *rest = self._found(environment, template)
        return self.words.template(source), *rest

    def _found(self, environment: Environment, template: str) -> Any:
        system, _, name = template.partition("/")
        with suppress(TemplateNotFound):
            return super().get_source(environment, template)
        words, *rest = super().get_source(environment, f"any/{name}")
        for folder in own_folder(system, "templates"):
            with suppress(TemplateNotFound):
                # Of two macros of one name the later counts, so a system says only what it can say
                # better than what fits any.
                own, *rest = FileSystemLoader(folder).get_source(environment, name)
                words += own
        return words, *rest


class Letters(Environment):
    """The templates of letters in one language; they write scripts."""

    def __init__(self, loader: Loader) -> None:
        in_words = spoken(shown, loader.words)
        super().__init__(loader=loader, finalize=finished(in_words), **SHAPE)
        self.globals["kit"] = self.kit = Kit(in_words)

    def getattr(self, obj: object, attribute: str) -> object:
        """Return a part of a fact; a mapping's own key goes before its methods."""
        # Jinja would find dict.items before a fact called "items".
        if type(obj) is dict and attribute in obj:
            return obj[attribute]
        return super().getattr(obj, attribute)


def block(template: Template, name: str, facts: dict[str, object]) -> str:
    """Return a block of a template, rendered; no facts of one letter are kept for the next."""
    given = {**template.environment.globals, **facts}
    context = Context(template.environment, given, template.name, template.blocks)
    return "".join(template.blocks[name](context))


def line(template: Template, facts: dict[str, object]) -> str:
    """Return a template's subject."""
    return " ".join(block(template, "subject", facts).split())


def finished(finalize: Finalize) -> Callable[[Context, object], Markup]:
    """Return a finalizer whose harmless words are marked, so that Jinja does not escape them.

    It takes the context only because Jinja would otherwise escape constants before they come here.
    """

    @pass_context
    def harmless(_: Context, value: object) -> Markup:
        return value if type(value) is Markup else Markup(finalize(value))

    return harmless


def spoken(finalize: Finalize, words: Catalogue) -> Finalize:
    """Return a finalizer that also translates what the program says; English needs none."""
    if words.language == SOURCE:
        return finalize
    return lambda value: finalize(words.say(value) if isinstance(value, Said) else value)


class Renderer:
    """The league's templates, ready to be filled in, in every language that has a catalogue."""

    def __init__(self, league: LeagueFacts, templates: Path) -> None:
        """Open a league's templates; each is compiled when it is first used."""
        self._league, self._templates = league, templates
        self.languages = message_catalogue.languages(templates / "locale")
        self._loaders: dict[str, Loader] = {}
        self._letters: dict[tuple[str, str], Letters] = {}
        self._boards: dict[tuple[PostFormat, str, str], Environment] = {}

    @cached_property
    def _html(self) -> Html:
        return Html(_pieces(self._templates))

    def page(
        self, kind: str, system: str | None = None, language: str = SOURCE, **facts: object
    ) -> Page:
        """Return a letter of a kind; raise UndefinedError for a missing fact."""
        subject, script = self._script(kind, system, language, facts)
        html = self._html.page(self._html.body(script), language, subject, opening(script))
        over = len(html.encode()) - LARGEST
        if over <= 0:
            return Page(subject, text(script), html)
        rest = self._html.body(str(self.letters(language, system).kit.rest()))
        body = self._html.body(script)
        room = len(body.encode()) - over - len(rest.encode()) - 1
        shown = f"{self._html.beginning(script, room)}\n{rest}"
        html = self._html.page(shown, language, subject, opening(script))
        return Page(subject, text(script), html, cut=True)

    def block(self, facts: Mapping[str, object], system: str | None, language: str) -> str:
        """Return the words of a part of an answer, such as a page of the rules."""
        parts: Any = self.letters(language, system).get_template("parts/order_answers.j2").module
        return text(str(parts.shown(facts, system)))

    def section(self, kind: str, language: str = SOURCE, **facts: object) -> Page:
        """Return a post of a kind as a part of letters, without their frame."""
        written = self.letters(language).get_template(f"posts/{kind}.j2")
        script = block(written, "body", facts)
        return Page(line(written, facts), text(script), self._html.body(script))

    def around(self, part: Page, kind: str, language: str = SOURCE, **facts: object) -> Page:
        """Return a letter of a kind around a section, which is laid out once for many letters."""
        subject, script = self._script(kind, None, language, facts)
        before, _, behind = script.partition(_CUT)
        words = "\n".join((text(before), part.text, text(behind)))
        shared = part.html.replace(HOME, mailto(self._home(facts), subject))
        html = "\n".join((self._html.body(before), shared, self._html.body(behind)))
        return Page(
            subject, words, self._html.page(html, language, subject, opening(before) or subject)
        )

    def alone(self, part: Page, language: str = SOURCE) -> str:
        """Return the HTML of a section as a page of its own."""
        shown = part.html.replace(HOME, mailto(self._league.address, self._league.name))
        # Pictures go with letters; without one there is only what the text says.
        shown = _ATTACHED.sub("", shown)
        titled = self._html.body(str(self.letters(language).kit.title(part.subject)))
        return self._html.page(f"{titled}\n{shown}", language, part.subject, part.subject)

    def _script(
        self, kind: str, system: str | None, language: str, facts: dict[str, Any]
    ) -> tuple[str, str]:
        """Return the subject and the script of a letter of a kind.

        A reader without a player's name is a stranger, and the foot of the letter offers no help.
        It says how to get what a letter has left out because an `earlier` one showed it.
        """
        made, facts["system"] = self.letters(language, system), system
        written = made.get_template(f"letters/{kind}.j2")
        facts["subject"] = subject = line(written, facts)
        known = bool(facts.get("player", {}).get("name"))
        title = _TOKEN.sub("", subject).strip()
        left_out = facts["game"]["number"] if facts.get("earlier") else 0
        body = Markup(block(written, "body", facts))
        script = str(made.kit.frame(body, known, title, left_out))
        return subject, script.replace(HOME, mailto(self._home(facts), subject))

    def _home(self, facts: Mapping[str, Any]) -> str:
        """Return the address that replies to a letter go to."""
        return str(facts.get("reply", {}).get("address") or self._league.address)

    def post(
        self,
        kind: str,
        post_format: PostFormat,
        system: str | None = None,
        language: str = SOURCE,
        folder: str = "posts",
        **facts: object,
    ) -> Notice:
        """Return a post of a kind, whose template is in a folder.

        Raise UndefinedError for a missing fact.
        """
        facts["system"] = system
        written = self.letters(language, system).get_template(f"{folder}/{kind}.j2")
        title = line(written, facts)
        # As plain text a post is laid out as letters are (decision 0010).
        if post_format.format == "text":
            return Notice(title, (text(block(written, "body", facts)).strip(),))
        made = self._board(post_format, language, system)
        body = Markup(block(made.get_template(written.name or ""), "body", facts))
        kit: Any = made.globals["kit"]
        blocks = map(_tidy, str(kit.post(title, body)).split(_CUT))
        return Notice(title, tuple(block for block in blocks if block))

    def pdf_page(self, kind: str, system: str, language: str = SOURCE, **facts: object) -> bytes:
        """Return a page to print; raise UndefinedError for a missing fact."""
        written = self.letters(language, system).get_template(f"pdf/{kind}.j2")
        facts["subject"] = title = line(written, facts)
        return pdf(block(written, "body", facts), title)

    def say(self, said: str, language: str) -> str:
        """Return a text of the program in a language."""
        return self._loader(language).words.say(said) if isinstance(said, Said) else said

    def word(self, word: str, language: str) -> str:
        """Return a single word in a language."""
        return self._loader(language).words.word(word)

    def language_named(self, written: str) -> str | None:
        """Return the language meant by a code, or by a name such as Deutsch or German, or None."""
        return message_catalogue.named(written, self.languages)

    def letters(self, language: str, system: str | None = None) -> Letters:
        """Return the templates of letters in a language; each set is read once.

        Those of another language know a system's order words.
        """
        # Orders are written in English, so only other languages differ by system.
        key = (language, "" if language == SOURCE else system or "")
        if key not in self._letters:
            made = Letters(self._loader(language))
            self._furnish(made, *key)
            words: Any = made.get_template("kit/letter.j2").module
            made.kit.frame, made.kit.rest = words.frame, words.rest
            made.kit.chances = words.chances
            self._letters[key] = made
        return self._letters[key]

    def _board(self, post_format: PostFormat, language: str, system: str | None) -> Environment:
        """Return the templates of a board's format in a language; each set is read once."""
        key = (post_format, language, "" if language == SOURCE else system or "")
        if key not in self._boards:
            loader, escaped = self._loader(language), _ESCAPED[post_format.format]
            harmless = spoken(lambda fact: escaped(visible(str(fact))), loader.words)
            made = Environment(loader=loader, finalize=finished(harmless), **SHAPE)
            self._furnish(made, *key[1:])
            made.globals |= {"folds": post_format.folds, "headed": post_format.headed}
            made.globals["kit"] = made.get_template(f"kit/{post_format.format}.j2").module
            self._boards[key] = made
        return self._boards[key]

    def _furnish(self, made: Environment, language: str, system: str) -> None:
        """Add to an environment what all templates may use."""
        made.filters |= {"mailto": mailto, "flow": flow, "against": against, "height": height}
        made.filters |= {"own_first": own_first, "percent": percent}
        made.filters |= in_words(self._loader(language).words, system)
        made.globals |= {"league": self._league, "language": language, "picker": picker}
        say, nouns = self._loader(language).words.say, registry.nouns(self._league.systems)
        played, careers = self._league.systems, registry.campaigns()
        made.globals["matches"] = [key for key in played if key in registry.matches()]
        enlisting = (key for key in played if key in careers)
        made.globals["recruits"] = next(enlisting, "")
        made.globals["nouns"] = {name: say(word) for name, word in nouns._asdict().items()}
        made.globals |= {"cut": _CUT, "cell": Markup(CELL)}

    def _loader(self, language: str) -> Loader:
        if language not in self._loaders:
            read = message_catalogue.read(
                (*own_folders("locale"), self._templates / "locale"), language
            )
            self._loaders[language] = Loader(self._templates, read)
        return self._loaders[language]


def _pieces(templates: Path) -> dict[str, Piece]:
    """Return the pieces of HTML, each split at the places for words."""
    # Each macro is filled in with a mark for every argument, and cut where the marks then stand.
    plain = Environment(loader=FileSystemLoader(templates), **SHAPE)
    macros = vars(plain.get_template("kit/html.j2").module)
    return {
        name: str(macro(*[_CUT] * len(macro.arguments))).strip().split(_CUT)
        for name, macro in macros.items()
        if not name.startswith("_")
    }


def _tidy(text: str) -> str:
    """Return a text without repeated blank lines and without spaces at ends of lines."""
    return _BLANKS.sub("\n\n", _TRAILING.sub("", text)).strip()
