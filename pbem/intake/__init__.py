"""Reading letters and posts: bytes to a classified Reading, a post's source to its new words.

Without a database, a clock or a network.
"""

from pbem.intake.authentication_results import Results, results
from pbem.intake.classification import read_letter
from pbem.intake.letter import attached_text
from pbem.intake.mime import digest, subject_of
from pbem.intake.our_words import LONG_LINE, NewText, new_text
from pbem.intake.post_text import Markup, new_words, orders_unmarked
from pbem.intake.reading_result import CUT_MARKER, Limits, Reading

__all__ = [
    "CUT_MARKER",
    "LONG_LINE",
    "Limits",
    "Markup",
    "NewText",
    "Reading",
    "Results",
    "attached_text",
    "digest",
    "new_text",
    "new_words",
    "orders_unmarked",
    "read_letter",
    "results",
    "subject_of",
]
