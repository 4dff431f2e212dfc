"""What one letter may cost and cause: processor time, answers, bytes, letters to others."""

import time

import pytest

from engine.blackskies.design_text import read_design
from engine.errors import OrderError
from engine.i18n import Said, translated
from engine.orders.reading import read_for
from engine.registry import RULESETS
from pbem.routing import router
from tests.support.harness import League, Person, duel, skies
from tests.support.players import words
from tests.support.processor_time import quiet

BOUND = 0.5 * 2
"""Half a second of processor time, and as much again for machines that do other work."""


def squadron(name: str, count: int) -> str:
    """Return a squadron of so many elements."""
    wings = (f"{name[0]}E{n}: 2 Gadfly SKILL 2" for n in range(1, count + 1))
    return f"{name} WITH " + "; ".join(wings)


@pytest.fixture
def ann(league: League, monkeypatch: pytest.MonkeyPatch) -> Person:
    """A player with as large a battle as there is, whose letters are measured."""
    taken: list[float] = []
    real = router.handle

    def timed(*given: object) -> object:
        began = time.process_time()
        try:
            return real(*given)  # type: ignore[arg-type]
        finally:
            taken.append(quiet(time.process_time() - began))

    monkeypatch.setattr(router, "handle", timed)
    ann, _ = skies(league, squadron("Ayes", 8), squadron("Bees", 8))
    ann.taken = taken  # type: ignore[attr-defined]
    return ann


def caused(ann: Person, text: str) -> tuple[float, list[bytes]]:
    """Return the processor time of a letter, and the letters that it caused."""
    before, taken = len(ann.league.post.letters), ann.taken  # type: ignore[attr-defined]
    ann.league.work()
    taken.clear()
    ann.reply(text, ann.last_about("[G1-"))
    ann.league.work()
    return sum(taken), [raw for _, raw in ann.league.post.letters[before:]]


RULES = "\n".join(f"IF TURN >= 1 AND TURN <= 90: AE{1 + n % 8}: STEADY" for n in range(190))


@pytest.mark.parametrize(
    "text",
    [
        "PREVIEW\nAE1: STEADY",
        "PREVIEW\n" + "\n".join(f"AE{1 + n % 8}: STEADY" for n in range(200)),
        f"PREVIEW\nSTANDING\n{RULES}\nEND",
        "PREVIEW\n" + "\n".join("GAME 1 FOR Ayes\nAE1: STEADY" for _ in range(50)),
        "PRACTICE WITH Ayes AGAINST sharp",
        "\n".join(f"MAP 1 STEP {n}" for n in range(200)),
        "\n".join(["MAP", "HISTORY", "RECEIPTS", "REPORT"] * 50),
        "\n".join(
            f"{word} {n}" for n in range(50) for word in ("SHEET", "HELP", "RULES", "REPORT")
        ),
    ],
    ids=["preview", "queue", "rules", "parts", "practice", "pictures", "accounts", "questions"],
)
def test_hostile_no_letter_takes_more_than_half_a_second(ann: Person, text: str) -> None:
    taken, _ = caused(ann, text)
    assert taken < BOUND


def test_hostile_practice_against_the_strongest_runs_on_by_what_its_turns_cost(
    ann: Person,
) -> None:
    caused(ann, "PRACTICE WITH Ayes AGAINST sharp")
    game = ann.league.game
    standing = "\n".join(f"IF TURN >= 1: AE{n}: STEADY" for n in range(1, 9))
    taken, _ = caused(ann, f"GAME {game.id}\nSTANDING\n{standing}\nEND")
    assert taken < BOUND
    assert ann.league.game.steps > game.steps


def test_hostile_a_preview_is_the_same_however_fast_the_machine_is(ann: Person) -> None:
    first = words(ann.ask("PREVIEW\nAE1: STEADY", ann.last_about("[G1-")))
    again = words(ann.ask("PREVIEW\nAE1: STEADY", ann.last_about("[G1-")))
    found = [text[text.index("How it may go on".upper()) :][:400] for text in (first, again)]
    assert found[0] == found[1]


def test_hostile_the_same_question_is_answered_once(ann: Person) -> None:
    _, [answer] = caused(ann, "\n".join(["HELP"] * 200))
    assert len(answer) < 100_000
    assert "questions that stood there more than once: 199" in words(ann.last)


def test_hostile_an_answer_answers_so_many_questions_and_says_what_it_left_out(
    ann: Person,
) -> None:
    _, letters = caused(ann, "\n".join(f"SHEET Nobody{n}" for n in range(100)))
    assert len(letters) == 1
    assert len(letters[0]) < 100_000
    assert "orders that were left out: 80" in words(ann.last)


def test_hostile_a_letter_brings_its_writer_five_others_at_most(
    league: League, ann: Person
) -> None:
    caused(ann, "PRACTICE WITH Ayes AGAINST easy")
    standing = "\n".join(f"IF TURN >= 1: AE{n}: STEADY" for n in range(1, 9))
    for _ in range(4):
        caused(ann, f"GAME 2\nSTANDING\n{standing}\nEND")
    assert league.game.steps > 3
    _, letters = caused(ann, "\n".join(f"MAP 2 STEP {n}" for n in range(200)))
    assert len(letters) <= league.settings.limits.answers_a_letter + 1


@pytest.mark.long
def test_hostile_a_letter_causes_so_many_letters_to_others(league: League, ann: Person) -> None:
    for n in range(30):
        name = f"P{n}"
        person = league.person(name)
        person.join()
        person.ask(f"SQUADRON {name}s WITH Red: 2 Gadfly SKILL 2; Blue: 2 Gadfly SKILL 2")
    cat = league.person("Cat")
    cat.join()
    cat.ask("SQUADRON Cats WITH Red: 2 Gadfly SKILL 2; Blue: 2 Gadfly SKILL 2")
    before = len(league.post.letters)
    cat.ask("\n".join(f"CHALLENGE P{n}s WITH Cats" for n in range(30)))
    others = [to for to, _ in league.post.letters[before:] if to != cat.address]
    assert len(others) == league.settings.limits.letters_to_others
    assert "orders that were left out: 10" in words(cat.last)


@pytest.mark.parametrize("line", ["lasr and " * 48, "zz", "Laser Canon and " * 24])
def test_hostile_1_a_design_of_a_thousand_lines_is_refused_at_once(line: str) -> None:
    """It took 1.4 s, and a German reader's sentence was nested a thousand deep."""
    began = time.process_time()
    with pytest.raises(OrderError) as raised:
        read_design("X\n" + "\n".join(f"weapons: {line}" for _ in range(980)))
    assert quiet(time.process_time() - began) < BOUND / 4
    told = raised.value.args[0]
    assert isinstance(told, Said)
    assert len(translated(told, str)) < 500


def test_hostile_1_a_design_tells_each_fault_once() -> None:
    with pytest.raises(OrderError) as raised:
        read_design("X: " + ", ".join(["2 MG", "speed 3"] * 16))
    assert str(raised.value).count("2 MG is not a weapon") == 1


def test_hostile_1_a_thousand_rules_without_a_colon_are_read_at_once() -> None:
    """An order was looked for at each place of a line before its condition was."""
    letter = "\n".join(f"IF shields hull scan and not evade low x y z {n}" for n in range(990))
    began = time.process_time()
    read_for(RULESETS["blackskies"], None, None, letter, "en")
    assert quiet(time.process_time() - began) < BOUND


@pytest.mark.parametrize(
    "line",
    [
        "DESIGN X{}: " + ", ".join(["2 MG", "speed 3"] * 16),
        "SQUADRON Ayes{} WITH A: " + "1 x " * 60 + "SKIL 2",
        "ENLIST " + "A FOR " * 40 + "{}",
    ],
)
def test_hostile_1_refusals_without_end_are_counted_and_not_told(league: League, line: str) -> None:
    """190 designs of 53 KiB were answered by 1.6 MB."""
    ann, _ = duel(league)
    answer = ann.ask("\n".join(line.format(n) for n in range(190)))
    assert len(answer.as_bytes()) < 100_000
    left_out = ("further orders that could not be done: 1", "orders that were left out: 1")
    assert any(one in words(answer) for one in left_out)


@pytest.mark.parametrize("language", ["en", "de"])
@pytest.mark.parametrize(
    "line",
    [
        "AE1: STEADY" + " " * 380 + "x",
        "AE1: " + "then " * 70,
        '"\\' * 190,
        "\N{ARABIC LIGATURE SALLALLAHOU ALAYHE WASALLAM}" * 390,
        "order: " * 55,
        "IF " + "TURN >= 1 & " * 30 + ": x",
    ],
    ids=["gaps", "then", "quotes", "ligatures", "labels", "conditions"],
)
def test_hostile_1_long_lines_that_are_no_orders_are_read_at_once(line: str, language: str) -> None:
    """Fifty lines of 380 spaces took minutes, and 150 of words that are German for nothing 2 s."""
    letter = "\n".join(f"{line}{n}" for n in range(150))  # as many as 60,000 characters hold
    began = time.process_time()
    read_for(RULESETS["blackskies"], None, None, letter, language)
    assert quiet(time.process_time() - began) < BOUND


def test_hostile_1_a_letter_of_too_many_characters_is_not_read(league: League) -> None:
    """A character may stand for eighteen letters, and is counted as these."""
    ann, _ = duel(league)
    for text in ("x" * 79 + "\n", "\N{ARABIC LIGATURE SALLALLAHOU ALAYHE WASALLAM}" * 5 + "\n"):
        answer = ann.ask(text * 760)
        assert "60000 characters" in words(answer)


def test_hostile_1_near_misses_without_end_are_counted_and_not_told(league: League) -> None:
    """990 lines that were nearly rules were answered by 1.1 MB."""
    ann, _ = duel(league)
    letter = "\n".join("IF " + "UNDETECTD AND " * 3 + f"FARR{n}: FIER" for n in range(990))
    answer = ann.ask(f"STANDING\n{letter}")
    assert len(answer.as_bytes()) < 150_000
    assert "more lines are nearly orders" in words(answer)
