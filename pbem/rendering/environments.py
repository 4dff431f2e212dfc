"""Environments: how templates are read, and how facts are made harmless in them."""

from collections.abc import Callable
from contextlib import suppress
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

from engine.i18n import Said
from pbem.i18n.catalogue import SOURCE, Catalogue
from pbem.rendering.kit import Kit, shown
from pbem.system_files import own_folder

Finalize = Callable[[object], str]
"""Makes a fact harmless words; what a template has made stays as it is."""


class Compiled(BytecodeCache):
    """The templates that this process has compiled: each system would compile all of them anew."""

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
    "undefined": StrictUndefined,
    "autoescape": True,
    "trim_blocks": True,
    "lstrip_blocks": True,
    "auto_reload": False,
}


class Loader(FileSystemLoader):
    """Loads templates in the words of a catalogue.

    `SYSTEM/NAME.j2` is looked for among ours first. Otherwise it is what stands in `any/NAME.j2`,
    and behind it what the system's own package says.
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
    """Return what makes harmless words that are not escaped as HTML after that.

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
