"""A letter's words: the one room that opens a template, and sees that no player's text breaks out.

Each letter is written once, in `letters/<kind>.j2`, through a kit of macros that has a body for
text and one for HTML, so that both parts of a letter always say the same. What is told to all
stands in `posts/<kind>.j2`, with further bodies for BBCode and Markdown. For a reader of another
language the templates themselves are translated, when they are read (decision 0007).
"""

import hashlib
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from urllib.parse import quote

from jinja2 import Environment, FileSystemLoader, StrictUndefined, Template, pass_context
from jinja2.runtime import Context
from markupsafe import Markup, escape

from engine.library import RULESETS
from engine.said import Said
from engine.tongue import GRAMMARS
from pbem import catalogue
from pbem.catalogue import SOURCE, Catalogue
from pbem.columns import columns, wrap
from pbem.letters import visible
from pbem.markup import Look, bbcode, markdown

Finalize = Callable[[Context, Any], Markup]

_CUT = Markup("\f")
"""Stands in a post where it may be parted; no player's text holds one."""
_BLANKS = re.compile(r"\n{3,}")
_TRAILING = re.compile(r"[ \t]+$", re.M)


@dataclass(frozen=True, slots=True)
class LeagueFacts:
    """What every letter may say of the league; `credits` are each system's, by its key."""

    name: str
    address: str
    marker: str
    credits: Mapping[str, str]


@dataclass(frozen=True, slots=True)
class Page:
    """A letter's words."""

    subject: str
    text: str
    html: str


@dataclass(frozen=True, slots=True)
class Notice:
    """A post's words; between its blocks it may be parted."""

    title: str
    blocks: tuple[str, ...]


class Press:
    """The league's templates, ready to be filled in."""

    def __init__(self, league: LeagueFacts, templates: Path) -> None:
        self._league, self._templates = league, templates
        self.languages = catalogue.languages(templates / "locale")
        self._catalogues: dict[str, Catalogue] = {}
        self._made: dict[tuple[str, str, str, str], Environment] = {}
        for kit in ("text", "html"):
            self._kit(kit, SOURCE)

    def page(
        self, kind: str, system: str | None = None, language: str = SOURCE, **facts: Any
    ) -> Page:
        """Fill in a kind of letter; raises UndefinedError for a fact that is missing."""
        facts["system"] = system
        made = self._kit("text", language, system=system)
        other = self._kit("html", language, system=system)
        written = made.get_template(f"letters/{kind}.j2")
        subject = " ".join(_block(written, "subject", facts).split())
        facts["subject"] = subject
        text = _framed(made, written, facts)
        html = _framed(other, other.get_template(written.name or ""), facts)
        return Page(subject, _tidy(text) + "\n", html)

    def post(
        self,
        kind: str,
        look: Look,
        system: str | None = None,
        language: str = SOURCE,
        **facts: Any,
    ) -> Notice:
        """Fill in a kind of post for all to read; raises UndefinedError for a missing fact."""
        made, facts["system"] = self._kit(look.format, language, look.flavour, system), system
        written = self._kit("text", language, "", system).get_template(f"posts/{kind}.j2")
        title = " ".join(_block(written, "subject", facts).split())
        body = Markup(_block(made.get_template(written.name or ""), "body", facts))
        kit: Any = made.globals["kit"]
        blocks = map(_tidy, str(kit.post(title, body)).split(_CUT))
        return Notice(title, tuple(block for block in blocks if block))

    def say(self, said: str, language: str) -> str:
        """Say what the program says in a language."""
        return self._loader(language).words.say(said) if isinstance(said, Said) else said

    def language_named(self, written: str) -> str | None:
        """Give the language of a code, or of a name such as Deutsch or German."""
        return catalogue.named(written, self.languages)

    def _kit(
        self, kit: str, language: str, flavour: str = "", system: str | None = None
    ) -> Environment:
        """Give the templates with a kit in a language, which are read once.

        Those of another language know a system's order words.
        """
        key = (kit, language, flavour, "" if language == SOURCE else system or "")
        if key not in self._made:
            made = _environment(self._league, self._loader(language), *key[:3])
            made.filters |= _in_words(self._catalogues[language], key[3])
            made.globals["kit"] = made.get_template(f"kit/{kit}.j2").module
            self._made[key] = made
        return self._made[key]

    def _loader(self, language: str) -> "_Loader":
        if language not in self._catalogues:
            read = catalogue.read(self._templates / "locale", language)
            self._catalogues[language] = read
        return _Loader(self._templates, self._catalogues[language])


class _Loader(FileSystemLoader):
    """Gives templates in the words of a catalogue."""

    def __init__(self, templates: Path, words: Catalogue) -> None:
        super().__init__(templates)
        self.words = words

    def get_source(self, environment: Environment, template: str) -> Any:
        """Give a template's source, translated."""
        source, *rest = super().get_source(environment, template)
        return self.words.template(source), *rest


def _environment(
    league: LeagueFacts, loader: _Loader, kit: str, language: str, flavour: str
) -> Environment:
    made = Environment(
        loader=loader,
        undefined=StrictUndefined,
        autoescape=True,
        finalize=_spoken(_ESCAPED[kit], loader.words),
        trim_blocks=True,
        lstrip_blocks=True,
        auto_reload=False,
    )
    made.filters |= {"wrap": wrap, "columns": columns, "mailto": _mailto, "flow": _flow}
    made.globals |= {"league": league, "picker": _picker, "cut": _CUT, "flavour": flavour}
    made.globals["language"] = language
    return made


def _block(template: Template, name: str, facts: dict[str, Any]) -> str:
    return "".join(template.blocks[name](template.new_context(facts)))


def _framed(made: Environment, template: Template, facts: dict[str, Any]) -> str:
    body = Markup(_block(template, "body", facts))
    kit: Any = made.globals["kit"]
    return str(kit.frame(facts["subject"], body))


@pass_context
def _as_text(_: Context, value: object) -> Markup:
    return value if isinstance(value, Markup) else Markup(visible(str(value)))


@pass_context
def _as_html(_: Context, value: object) -> Markup:
    return value if isinstance(value, Markup) else escape(visible(str(value)))


@pass_context
def _as_bbcode(_: Context, value: object) -> Markup:
    return value if isinstance(value, Markup) else Markup(bbcode(visible(str(value))))


@pass_context
def _as_markdown(_: Context, value: object) -> Markup:
    return value if isinstance(value, Markup) else Markup(markdown(visible(str(value))))


_ESCAPED: dict[str, Finalize] = {
    "text": _as_text,
    "html": _as_html,
    "bbcode": _as_bbcode,
    "markdown": _as_markdown,
}
"""How each kit makes a player's text harmless."""


def _spoken(finalize: Finalize, words: Catalogue) -> Finalize:
    """Let what the program says be said in a catalogue's language; English costs nothing."""
    if words.language == SOURCE:
        return finalize

    @pass_context
    def said(context: Context, value: object) -> Markup:
        return finalize(context, words.say(value) if isinstance(value, Said) else value)

    return said


def _in_words(words: Catalogue, system: str) -> dict[str, Callable[[str], str]]:
    """Give the filters of a language's templates: orders, conditions and words of a system."""
    grammar = GRAMMARS.get(words.language)
    tongue = RULESETS[system].tongues.get(words.language) if system else None

    def order(text: str) -> str:
        if isinstance(text, Said) or tongue is None or grammar is None:
            return text
        return grammar.shown(text, tongue)

    def conditions(text: str) -> str:
        return grammar.conditions(text, tongue) if tongue and grammar else text

    return {"order": order, "conditions": conditions, "word": words.word}


def _tidy(text: str) -> str:
    """Take out blank lines that follow one another, and spaces at ends."""
    return _BLANKS.sub("\n\n", _TRAILING.sub("", text)).strip()


def _flow(text: str) -> Markup:
    """Write a paragraph as one line."""
    return Markup(" ".join(str(text).split()))


def _picker(*seed: object) -> Callable[[Sequence[str]], str]:
    """Give what takes one of several ways to say a thing, the same one each time for a seed."""
    digest = hashlib.sha256("\0".join(map(str, seed)).encode()).digest()
    return lambda ways: ways[int.from_bytes(digest[:4], "big") % len(ways)]


def _mailto(address: str, subject: str, body: str = "") -> str:
    """Write a link that opens a letter with its subject and first line filled in."""
    link = f"mailto:{quote(address, safe='@')}?subject={quote(subject)}"
    return f"{link}&body={quote(body)}" if body else link
