"""Attachments of an answer that a player may print: their own persona sheets."""

from collections.abc import Sequence
from typing import cast

from pbem.handlers.request import OrderAnswer, Request, SheetBlock
from pbem.mime_writer import Attachment

MOST = 8
"""The most sheets that are attached to one letter."""
_SHEET_COST = 25_000
"""What one sheet costs, in units of a Budget; none is attached once the budget is used up."""


def printed_sheets(request: Request, answers: Sequence[OrderAnswer]) -> list[Attachment]:
    """Return the player's own persona sheets among the blocks of some answers, as PDF files."""
    found = [
        cast(SheetBlock, block)
        for answer in answers
        for block in answer["blocks"]
        # What a PREVIEW only tried is rolled back, so there is no such sheet.
        if block["kind"] == "sheet" and block["own"] and not answer["tried"]
    ]
    outbox = request.ports.outbox
    return [
        paper
        for block in found[:MOST]
        if request.budget.take(_SHEET_COST)
        for paper in outbox.pdf_page(
            request.player, "persona", block["sheet"]["name"], block["system"], block=block
        )
    ]
