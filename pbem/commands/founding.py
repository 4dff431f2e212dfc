"""The command that founds a league."""

import sys
from pathlib import Path

import click

from pbem.commands.common import UsageError, called, command
from pbem.maintenance import founding


@command
@click.argument("folder", metavar="DIR", type=click.Path(path_type=Path))
@click.option("--name", help="the league's name")
@click.option("--address", help="the address that players write to")
@click.option(
    "--set",
    "settings",
    multiple=True,
    metavar="SECTION.KEY=VALUE",
    help="a setting, such as imap.host=mail.league.example",
)
@click.option("--yes", is_flag=True, help="ask nothing: the example's values")
def init(
    folder: Path, name: str | None, address: str | None, settings: tuple[str, ...], yes: bool
) -> None:
    """Make a new league's folder.

    In it are league.toml, files for passwords, and the database.
    """
    given = _pairs(settings)
    flags = {"league.name": name, "league.address": address}
    given |= {key: value for key, value in flags.items() if value is not None}
    if sys.stdin.isatty() and not yes:
        # Before the questions, so that nobody answers twelve of them for nothing.
        founding.free(folder)
        given = _answers(given)
    lacking = founding.missing(given)
    if lacking and not yes:
        more = " ".join(f"--set {key}=VALUE" for key in lacking)
        raise UsageError(
            f"init: nobody is there to answer questions; say also {more}, or --yes to take the"
            " example's values"
        )
    file = founding.found_league(folder, given)
    secrets = " and ".join(str(folder / file) for file in founding.PASSWORDS)
    print(f"{file} is written, and the database is made. Next:")
    if lacking:
        print(f"  0. set {', '.join(lacking)} in {file.name}: they are the example's")
    print(f"  1. write the passwords into {secrets}, and look through {file.name}")
    print(f"  2. {called()} --config {file} check")
    print(f"  3. {called()} --config {file} run")


def _answers(given: dict[str, str]) -> dict[str, str]:
    print("An empty answer takes the value in brackets.")
    try:
        return founding.ask(given, input, print)
    except EOFError:
        raise UsageError("init: the questions were not answered; nothing was written") from None


def _pairs(settings: tuple[str, ...]) -> dict[str, str]:
    for setting in settings:
        if "=" not in setting:
            raise UsageError(f"--set {setting}: write it as SECTION.KEY=VALUE")
    return dict(setting.split("=", 1) for setting in settings)
