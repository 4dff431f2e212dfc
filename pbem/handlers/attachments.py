"""What goes along with an answer to be printed: the player's own persona sheets."""

from collections.abc import Sequence
from typing import Any

from pbem.handlers.request import Request
from pbem.letters import Attachment

MOST = 8
"""How many sheets go along with one letter, at most."""
_PAPER = 25_000
"""What it costs to print one, in units of a Budget; where a letter has cost too much, none does."""


def papers(request: Request, answers: Sequence[dict[str, Any]]) -> list[Attachment]:
    """Give the persona sheets among the blocks of answers, as PDF."""
    found = [
        block
        for answer in answers
        for block in answer["blocks"]
        if block["kind"] == "sheet" and block["own"] and not answer["tried"]
    ]
    outbox = request.ports.outbox
    return [
        paper
        for block in found[:MOST]
        if request.budget.take(_PAPER)
        for paper in outbox.paper(
            request.player, "persona", block["sheet"]["name"], block["system"], block=block
        )
    ]
