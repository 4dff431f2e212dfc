"""Reading letters: bytes in, a classified Reading out, without a database, a clock or a network."""

from pbem.intake.authentication_results import Results, results
from pbem.intake.classification import read_letter
from pbem.intake.letter import attached_text
from pbem.intake.mime import digest, subject_of
from pbem.intake.our_words import our_texts, squeezed
from pbem.intake.quote_headers import is_quoted
from pbem.intake.reading import CUT_MARKER, Limits, Reading
from pbem.intake.unmarked_quotes import NewText, new_text

__all__ = [
    "CUT_MARKER",
    "Limits",
    "NewText",
    "Reading",
    "Results",
    "attached_text",
    "digest",
    "is_quoted",
    "new_text",
    "our_texts",
    "read_letter",
    "results",
    "squeezed",
    "subject_of",
]
