"""The command that tests each part of a league."""

from collections.abc import Iterator

import click

from pbem.commands.common import JSON, command, config, print_json
from pbem.maintenance import checkup, roundtrip
from pbem.settings.load import load


@command
@click.option("--send", is_flag=True, help="also send test letters to ourselves")
@click.option(
    "--wait",
    type=float,
    default=120.0,
    metavar="SECONDS",
    help="how long to wait for them (default: 120)",
)
@JSON
def check(send: bool, wait: float, as_json: bool) -> int:
    """Test each part, and say what is wrong and how to fix it."""
    failed = 0
    # Printed one by one, since a server that does not answer takes a while.
    for finding in _findings(send, wait):
        failed += not finding.ok
        if as_json:
            print_json({"part": finding.part, "ok": finding.ok, "text": finding.text})
        else:
            sign = "WRONG" if not finding.ok else "WARN " if finding.warns else "ok   "
            print(f"{sign}  {finding.part}: {finding.text}")
    return 1 if failed else 0


def _findings(send: bool, wait: float) -> Iterator[checkup.Finding]:
    sound = True
    for finding in checkup.check(config()):
        sound = sound and finding.ok
        yield finding
    # A letter comes back only where all parts work; the faults are named already.
    if send and sound:
        yield from roundtrip.check(load(config()), wait)
