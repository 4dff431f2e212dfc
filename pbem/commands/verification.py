"""The command that checks the dice of a finished battle."""

import click

from engine.registry import RULESETS
from pbem.commands.common import UsageError, command, read_file
from pbem.games import export as exports
from pbem.games.checking_script import has_script, script


@command
@click.argument("file", metavar="[FILE]", required=False)
@click.option(
    "--print-script",
    is_flag=False,
    flag_value=next(iter(RULESETS)),
    type=click.Choice(sorted(RULESETS)),
    metavar="[SYSTEM]",
    help="the same check as one file, for those without pbem",
)
def verify(file: str | None, print_script: str | None) -> int:
    """Check the dice of a finished battle.

    FILE is what `pbem game N --export` has printed.
    """
    if print_script:
        if not has_script(print_script):
            raise UsageError(f"verify: {print_script} has no checking script")
        print(script(print_script), end="")
        return 0
    if file is None:
        raise UsageError("verify: name the export of a finished battle, or --print-script")
    text = read_file(file).decode("utf-8", "replace")
    ok = True
    for finding in exports.verify(text):
        ok = ok and finding.ok
        print(f"{'ok   ' if finding.ok else 'WRONG'}  {finding.text}")
    print("All of it agrees." if ok else "It does not agree.")
    return 0 if ok else 1
