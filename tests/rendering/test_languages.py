"""Letters in other languages: nothing is missing, nothing is left over, and all of it fits."""

import ast
import re
from collections import Counter
from collections.abc import Iterator
from string import Formatter

import pytest

from pbem.i18n.message_catalogue import SOURCE, languages, parted
from tests.rendering.test_letter_templates import PRESS, TEMPLATES
from tools.messages import LOCALE, ROOT, entries, in_code, left_over, missing

OTHERS = [language for language in languages(LOCALE) if language != SOURCE]
_FACT = re.compile(r"\b[a-z_]+(?:\.[a-z_]+)+")
_OWN = re.compile(r"\b(?:kit|loop)\.[a-z_]+")


@pytest.mark.parametrize("language", OTHERS)
def test_every_message_is_translated(language: str) -> None:
    assert missing(language) == {}


@pytest.mark.parametrize("language", OTHERS)
def test_nothing_is_translated_in_vain(language: str) -> None:
    assert left_over(language) == []


@pytest.mark.parametrize("language", OTHERS)
def test_no_translation_is_doubtful_or_given_twice(language: str) -> None:
    found = entries(language)
    assert [entry.id for _, entry in found if entry.fuzzy or not entry.string] == []
    assert [key for key, times in Counter(e.id for _, e in found).items() if times > 1] == []


def facts(message: str) -> set[str]:
    """Return what a template's line looks at, except the kit's own names."""
    literals = re.sub(r'"[^"]*"', "", message)
    inside = " ".join(re.findall(r"\{[{%](.*?)[%}]\}", literals)) or literals
    return set(_FACT.findall(_OWN.sub("", re.sub(r"\.\w+\(", "(", inside))))


def printed(message: str) -> set[str]:
    """Return what a template's line fills in, and does not only decide by."""
    return facts(re.sub(r"\{% (?:el)?if .*?%\}| if .*?(?= else|\}\})", "", message))


def fields(message: str) -> set[str]:
    """Return the parts that are filled into what the program says."""
    return {name for _, name, _, _ in Formatter().parse(message) if name}


@pytest.mark.parametrize("language", OTHERS)
def test_translations_fill_in_what_the_english_does(language: str) -> None:
    expected = {message for message, _ in in_code()}
    for _, entry in entries(language):
        source, target = str(entry.id), str(entry.string)
        assert set(re.findall(r"%\(\w+\)s", source)) >= set(re.findall(r"%\(\w+\)s", target))
        if source in expected:
            assert fields(target) == fields(source), source
        else:
            assert printed(source) <= facts(target) <= facts(source), source


@pytest.mark.parametrize("language", OTHERS)
def test_every_template_can_be_read_in_every_language(language: str) -> None:
    made = PRESS.letters(language)
    names = [str(path.relative_to(TEMPLATES)) for path in TEMPLATES.rglob("*.j2")]
    assert all(made.get_template(name) for name in names if not name.startswith("kit/"))


def test_a_line_is_parted_into_what_it_says_and_its_layout() -> None:
    for path in TEMPLATES.rglob("*.j2"):
        for line in path.read_text("utf-8").split("\n"):
            assert "".join(parted(line)) == line
    assert parted('{{ kit.heading("The sheets") }}')[1] == "The sheets"
    assert parted("{% call kit.para() %}Dear {{ player.name }}.{% endcall %}")[1] == (
        "Dear {{ player.name }}."
    )


SPOKEN = {"Refusal", "Answer", "UnreadableOrder", "AmbiguousOrder"}


def _unsaid(node: ast.AST) -> Iterator[str]:
    """Return the sentences that a call passes to a player as plain English."""
    if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id in SPOKEN:
        found = [*node.args, *(key.value for key in node.keywords if key.arg != "reason")]
        plain = (part for part in found if isinstance(part, ast.JoinedStr | ast.Constant))
        yield from (
            ast.unparse(part) for part in plain if re.search("[a-z] [a-z]", ast.unparse(part))
        )


def test_whatever_a_player_is_told_is_said() -> None:
    files = [*(ROOT / "engine").rglob("*.py"), *(ROOT / "pbem").rglob("*.py")]
    nodes = (node for file in files for node in ast.walk(ast.parse(file.read_text("utf-8"))))
    assert [sentence for node in nodes for sentence in _unsaid(node)] == []
