"""Replies in the shapes of ninety mail programs order what was typed, and nothing that is quoted.

Each goes through the whole referee. A quote holds our report, often below an older letter of the
player's own with other orders, and a gateway's banner.
"""

import json
import random
import re
from email.message import EmailMessage
from typing import Any

import pytest

from pbem.storage import Place
from tests.support.harness import League, duel
from tests.support.mail_programs.programs import PROGRAMS
from tests.support.mail_programs.replies import Reply, Report, Writer
from tests.support.mail_programs.typed_words import BANNERS, SIGNATURES
from tests.support.players import plain
from tests.support.trial_counts import MANY

pytestmark = pytest.mark.league(limits={"letters_a_day": 100_000})
EACH = 6
"""So many programs apart are those of which each short run tries one language each."""


def report(received: EmailMessage) -> Report:
    """Return a letter of ours as somebody answers it."""
    page = received.get_body(("html",))
    assert page is not None
    markup = re.sub(r"(?s)^.*?<body[^>]*>|</body>.*$", "", page.get_content())
    return Report(
        plain(received),
        markup,
        received["Subject"],
        received["Reply-To"],
        received["Message-ID"],
    )


LEAVING = ("EJECT", "ESCAPE", "SURRENDER")


def rule(held: dict[str, Any]) -> str:
    """Return a rule as it is written."""
    conditions = (f"{'NOT ' * one['denied']}{one['text']}" for one in held["conditions"])
    return f"IF {' AND '.join(conditions)}: {held['order']}"


def bare(text: str) -> str:
    """Return a text without spaces and invisible marks."""
    return re.sub(r"[\s\u200e\u200f]", "", text)


def check(league: League, sent: Reply, answer: str) -> None:
    """Compare what the referee has read with what was typed."""
    place = league.store.first(Place.select().where(Place.seat == "Kestrel").order_by(Place.id))
    assert place is not None
    sheet = json.loads(place.sheet)
    # What leaves the battle is asked about where a signature or a story stands beside it.
    staying = tuple(order for order in sent.queue if order.split()[0] not in LEAVING)
    assert tuple(sheet["queue"]) in (sent.queue, staying), sent.shape
    assert tuple(map(rule, sheet["rules"])) == sent.rules, sent.shape
    found = [line[2:] for line in answer.split("\n") if line.startswith("| ")]
    # A signature without a mark is said back, with its address hidden.
    typed = [line for line in found if "***" not in line]
    whole = bare("".join((sent.typed, *SIGNATURES, *BANNERS)))
    assert not [line for line in typed if bare(line) not in whole], sent.shape
    assert bare(sent.story) in bare("".join(found)), sent.shape


@pytest.mark.parametrize("language", ["en", "de"])
def test_every_mail_programs_reply_is_read(league: League, language: str) -> None:
    bob = duel(league)[1]
    if language == "de":
        bob.ask("LANGUAGE de")
        bob.ask("REPORT 1")
    bob.new()
    dice = random.Random(60)
    writer = Writer(dice, report(bob.last), "Bob Example", bob.address, language == "de")
    for number, (name, program) in enumerate(PROGRAMS.items()):
        heads = sorted(program.heads)
        if not MANY:
            heads = dice.sample(heads, 1 if number % EACH == (language == "de") else 0)
        for head in heads:
            sent = writer.reply(name, head)
            league.drop(sent.raw)
            league.work()
            check(league, sent, plain(bob.last))
