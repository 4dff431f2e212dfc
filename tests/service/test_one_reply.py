"""How much of the program one ordinary reply passes, so that its path stays short."""

from tools.reply_cost import trace

CALLS, FILES = 1150, 40
"""Issue 12 asks for at most 1,200 calls and 40 files (docs/decisions/0026-one-reply.md). Alone it
takes some 1,070; what other tests have left in the process adds up to 30."""


def test_one_reply_passes_few_files() -> None:
    found = trace()
    assert found.ours.total() <= CALLS
    assert len(found.files) <= FILES, found.files
