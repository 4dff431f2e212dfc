"""What holds for each letter of a person: issue 26, 3.1, and decision 0037."""

import re
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import strategies as st

from pbem.storage import KeptWords, Story
from tests.by_mail.test_ask_do_not_guess import everything, replied, seen_by_others
from tests.channels.test_channels import connect
from tests.support.each_system import FORCES, SYSTEMS, filed, first_reports
from tests.support.harness import League, Person, open_league
from tests.support.random_letters import FAREWELL, Line, clear_letters, letters
from tests.support.trial_counts import MANY, tries

pytestmark = pytest.mark.timeout(3600 if MANY else 300)
FORMS = ("quoted", "quoted", "bare", "gmail", "html", "outlook")
READ = ("READ, BUT NOT DONE YET", "GELESEN, ABER NOCH NICHT")


@contextmanager
def at_the_report(system: str, language: str) -> Iterator[tuple[League, Person, Person]]:
    """Bring Ann and Bob to the first report of a battle, in a league of their own."""
    with TemporaryDirectory() as folder, open_league(Path(folder), systems=SYSTEMS) as league:
        yield league, *first_reports(league, system, language)


def sent(ann: Person, lines: list[Line], form: str) -> str:
    """Let Ann reply to her first report; return all that she gets for it."""
    text = "\n".join(line.text for line in lines)
    ann.new()
    ann.send(replied(ann, ann.last_about("[G1-T1"), text, form))
    return "\n".join(map(everything, ann.new()))


def theirs(system: str) -> str:
    """Return the name of Bob's persona."""
    return FORCES[system][1].split()[1]


def may_be_done(lines: list[Line]) -> list[str]:
    """Return what may be on file after a letter: nothing that stands beside words."""
    ordering = [n for n, line in enumerate(lines) if line.part in ("orders", "league", "asked")]
    words = [n for n, line in enumerate(lines) if line.part == "words"]
    if not ordering or any(ordering[0] < n < ordering[-1] for n in words):
        return []
    found = list[str]()
    for n, line in enumerate(lines):
        paragraph = {n}
        for step in (-1, 1):
            at = n
            # What is quoted, or for others, parts paragraphs too.
            while 0 <= at < len(lines) and lines[at].part not in ("blank", "quote", "text"):
                paragraph.add(at)
                at += step
        leaves = line.text in FAREWELL and words
        if line.part == "orders" and not leaves and paragraph.isdisjoint(words):
            found += [one.removeprefix("IF ") for one in line.orders]
    return found


any_system = st.sampled_from(
    [(system, language) for system in SYSTEMS for language in ("en", "de")]
)
any_letter = any_system.flatmap(
    lambda one: st.tuples(st.just(one), letters(*one, theirs(one[0])), st.sampled_from(FORMS))
)
clear_letter = any_system.flatmap(
    lambda one: st.tuples(st.just(one), clear_letters(*one, theirs(one[0])), st.sampled_from(FORMS))
)
Written = tuple[tuple[str, str], list[Line], str]


def tried(many: int, few: int) -> settings:
    """Return how often a law is tried, with the same letters each time."""
    return settings(
        max_examples=tries(many, few),
        derandomize=True,
        deadline=None,
        # To make a letter shorter takes minutes, and these are short.
        phases=[Phase.generate],
        suppress_health_check=list(HealthCheck),
    )


@tried(2_000, 100)
@given(written=any_letter)
def test_law_what_a_letter_does_and_where_its_words_go(written: Written) -> None:
    where, lines, form = written
    with at_the_report(*where) as (league, ann, bob):
        bob.new()
        answer = sent(ann, lines, form)
        others = "\n".join(map(everything, bob.new()))
        told = others + "\n".join(
            one.text for one in league.store.all(Story.select().order_by(Story.id))
        )
        on_file = filed(league)
        kept = "\n".join(
            one.text for one in league.store.all(KeptWords.select().order_by(KeptWords.id))
        )
    assert answer, "every letter of a person is answered"
    done = [*on_file["queue"], *on_file["rules"]]
    assert [one for one in done if one not in may_be_done(lines)] == [], "no order beside words"
    words = [line.tag for line in lines if line.part == "words"]
    assert [tag for tag in words if tag in told] == [], "nothing unmarked is shown"
    missing = [tag for tag in words if tag not in answer]
    # An answer repeats few lines, and counts those that it keeps besides.
    assert [tag for tag in missing if tag not in kept] == [], "nothing vanishes"
    assert not missing or re.search(r"\d (?:more|weitere)", answer), "what is kept is counted"
    marked = [line.tag for line in lines if line.part == "text" and line.tag]
    assert [tag for tag in marked if tag not in told and tag not in answer] == []


@tried(1_000, 60)
@given(written=clear_letter)
def test_law_pure_orders_are_done_at_once(written: Written) -> None:
    where, lines, form = written
    with at_the_report(*where) as (league, ann, _):
        answer = sent(ann, lines, form)
        on_file = filed(league)
    assert not any(heading in answer for heading in READ), "clear orders are not asked about"
    wanted = [one for line in lines for one in line.orders]
    done = [*on_file["queue"], *(f"IF {one}" for one in on_file["rules"])]
    assert [one for one in wanted if one not in done] == []


@tried(300, 8)
@given(written=any_letter)
def test_law_nothing_unmarked_is_shown_to_others(written: Written) -> None:
    where, lines, form = written
    with at_the_report(*where) as (league, ann, bob):
        league.person("Cleo").join()
        league.person("Cleo").ask("WATCH 1\nSUBSCRIBE newsletter")
        sent(ann, lines, form)
        connect(league, {"paste": {"kind": "folder", "path": "paste"}})
        shown = seen_by_others(league, bob, where[0])
    assert [line.tag for line in lines if line.part == "words" and line.tag in shown] == []
