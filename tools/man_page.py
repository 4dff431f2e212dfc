"""The manual page of the program, written from its commands into docs/pbem.1."""

from collections.abc import Iterator
from pathlib import Path

import click

from pbem.cli import program

PAGE = Path(__file__).parent.parent / "docs/pbem.1"


def _plain(text: str) -> str:
    """Return a text without signs that roff obeys."""
    text = text.replace("\\", "\\e").replace("-", "\\-").replace("\n", " ")
    return f"\\&{text}" if text.startswith((".", "'")) else text


def _options(context: click.Context) -> Iterator[str]:
    """Yield the lines about the options of a command."""
    for parameter in context.command.get_params(context):
        names, purpose = parameter.get_help_record(context) or ("", "")
        if purpose:
            yield from (".TP", f".B {_plain(names)}", _plain(purpose))


def _command(context: click.Context) -> Iterator[str]:
    """Yield the lines about a command."""
    usage = " ".join(context.command.collect_usage_pieces(context))
    yield from (".SS", _plain(f"{context.command_path} {usage}"))
    for paragraph in (context.command.help or "").split("\n\n"):
        yield from (".PP", _plain(paragraph))
    yield from _options(context)


def page() -> str:
    """Return the page as roff."""
    top = click.Context(program, info_name="pbem")
    lines = ['.TH PBEM 1 "" "" "User Commands"', ".SH NAME", _plain(f"pbem - {program.help}")]
    usage = " ".join(program.collect_usage_pieces(top))
    lines += [".SH SYNOPSIS", f".B pbem {_plain(usage)}", ".SH OPTIONS", *_options(top)]
    lines.append(".SH COMMANDS")
    for name in program.list_commands(top):
        if (command := program.get_command(top, name)) is not None:
            lines += _command(click.Context(command, parent=top, info_name=name))
    return "\n".join((*lines, *_STATUS, ""))


_STATUS = (
    ".SH EXIT STATUS",
    *(".TP", ".B 0", "Done."),
    *(".TP", ".B 1", "What was checked is wrong."),
    *(".TP", ".B 2", "It could not be done; one line on standard error says why."),
    *(".TP", ".B 75", "pbem run may work later, as with a full disk."),
    *(".TP", ".B 130", "It was interrupted."),
)


if __name__ == "__main__":
    PAGE.write_text(page(), encoding="utf-8")
