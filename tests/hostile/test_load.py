"""What one letter may cost and cause: processor time, answers, bytes, letters to others."""

import time

import pytest

from pbem.routing import router
from tests.support.harness import League, Person, skies
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
    found = [text[text.index("How the fight may go on".upper()) :][:400] for text in (first, again)]
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
