"""The table of commands: each with its function, its purpose and its options."""

from collections.abc import Callable
from typing import Any

from engine.registry import RULESETS
from pbem.commands import (
    backup,
    gm,
    health,
    league,
    letters,
    lists,
    newsletter,
    person,
    queues,
    rule_systems,
    without_league,
)
from pbem.commands.common import Args

Option = tuple[tuple[str, ...], dict[str, Any]]
"""What argparse is told of an option: its names, and all else."""

_JSON: Option = (("--json",), {"action": "store_true", "help": "for another program to read"})

_BY: Option = (
    ("--player",),
    {"metavar": "WHO", "help": "only one player's: an address, a name, a pilot or a number"},
)


_ALL = "; retry without one tries all of them"


def _kept(noun: str, *acts: str, more: str = "") -> tuple[Option, ...]:
    """Return the options of a command about what waits for the moderator, one by one."""
    act: Option = (("act",), {"choices": ("list", "show", *acts)})
    number = {"type": int, "nargs": "?", "metavar": "N", "help": f"a {noun}'s number{more}"}
    reason = {"default": "", "help": f"why a {noun} is dropped"}
    return act, (("number",), number), (("--reason",), reason), _JSON


COMMANDS: tuple[tuple[str, Callable[[Args], int | None], str, tuple[Option, ...]], ...] = (
    (
        "init",
        league.init,
        "make a new league's folder: league.toml, password files, database",
        (
            (("dir",), {"metavar": "DIR", "help": "the folder, which is made"}),
            (("--name",), {"help": "the league's name"}),
            (("--address",), {"help": "the address that players write to"}),
            (
                ("--set",),
                {
                    "action": "append",
                    "default": [],
                    "metavar": "SECTION.KEY=VALUE",
                    "help": "a setting, such as imap.host=mail.league.example",
                },
            ),
            (
                ("--yes",),
                {"action": "store_true", "help": "ask nothing: the example's values"},
            ),
        ),
    ),
    (
        "check",
        league.check,
        "test each part, and say what is wrong and how to fix it",
        (
            (("--send",), {"action": "store_true", "help": "also send test letters to ourselves"}),
            (
                ("--wait",),
                {
                    "type": float,
                    "default": 120.0,
                    "metavar": "SECONDS",
                    "help": "how long to wait for them (default: 120)",
                },
            ),
            _JSON,
        ),
    ),
    ("run", league.run, "run the daemon until it is stopped", ()),
    ("once", league.once, "read, answer, play and send all that is due, then end", (_JSON,)),
    (
        "status",
        league.status,
        "show what goes on: battles and who is late, challenges, players, what waits for you",
        (_JSON,),
    ),
    ("players", lists.players, "list the players, those first who wrote last", (_JSON,)),
    (
        "games",
        lists.games,
        "list the battles that run, with who is late",
        ((("--all",), {"action": "store_true", "help": "those that are over, too"}), _BY, _JSON),
    ),
    (
        "letters",
        lists.letters,
        "list the letters that came and went",
        (
            _BY,
            (
                ("--since",),
                {
                    "default": "7d",
                    "metavar": "WHEN",
                    "help": "today, yesterday, 36h, 3d or a day like 2026-11-20 (default: 7d)",
                },
            ),
            _JSON,
        ),
    ),
    ("audit", league.audit, "list what may be cheating, a line for each pair of players", (_JSON,)),
    ("health", health.health, "show what is wrong; status 1 if there is any trouble", (_JSON,)),
    (
        "game",
        league.game,
        "show the state of a battle",
        (
            (("game",), {"metavar": "GAME", "help": "its number, or the name of somebody in it"}),
            (("--export",), {"action": "store_true", "help": "print a finished battle as a file"}),
            (("--pictures",), {"metavar": "DIR", "help": "draw each turn as everybody may see it"}),
            _JSON,
        ),
    ),
    (
        "gm",
        gm.gm,
        "make a ruling as the moderator, such as EXTEND 12 48h, PAUSE ALL, FORFEIT 12 Hawk",
        (
            (("ruling",), {"nargs": "+", "metavar": "WORD", "help": gm.EXAMPLES}),
            (("--reason",), {"default": "", "help": "why, for the players to read"}),
        ),
    ),
    (
        "person",
        person.person,
        "show all that is stored about a person, or erase it",
        (
            (("act",), {"choices": ("show", "erase")}),
            (("who",), {"metavar": "WHO", "help": "an address, a name, a pilot or a number"}),
            (("--yes",), {"action": "store_true", "help": "ask nothing"}),
            _JSON,
        ),
    ),
    (
        "backup",
        backup.backup,
        "write a backup; the daemon may run",
        (
            (("dir",), {"nargs": "?", "metavar": "DIR", "help": "default: [backup] path"}),
            (
                ("--rotate",),
                {"action": "store_true", "help": "by a timer: later ones may replace this one"},
            ),
            _JSON,
        ),
    ),
    (
        "restore",
        backup.restore,
        "restore a backup; the old database is kept next to it",
        (
            (("file",), {"metavar": "FILE", "help": "what pbem backup has written"}),
            (("--force",), {"action": "store_true", "help": "even if the league is not empty"}),
            _JSON,
        ),
    ),
    (
        "move",
        backup.move,
        "copy another database into the league's, such as sqlite:///league.db",
        ((("source",), {"metavar": "URL", "help": "the old database"}), _JSON),
    ),
    (
        "fsck",
        backup.fsck,
        "check the database, and each battle against its log; status 1 if anything is wrong",
        (_JSON,),
    ),
    (
        "rebuild",
        backup.rebuild,
        "replay all letters of the league into a new database, and compare",
        ((("file",), {"metavar": "NEW.db", "help": "a new file"}), _JSON),
    ),
    (
        "explain",
        letters.explain,
        "show which row of the tables took a letter, and why",
        (
            (
                ("letter",),
                {
                    "metavar": "FILE|-|N",
                    "help": "a letter's file, - for standard input, or a number",
                },
            ),
            _JSON,
        ),
    ),
    (
        "shunted",
        letters.shunted,
        "list, show, retry or drop the letters whose handling failed",
        _kept("letter", "retry", "drop"),
    ),
    (
        "held",
        letters.held,
        "list, show, release or drop the letters that their players were asked about",
        _kept("letter", "release", "drop"),
    ),
    (
        "outbox",
        queues.outbox,
        "list, show, retry or drop the letters that could not be sent",
        _kept("letter", "retry", "drop", more=_ALL),
    ),
    (
        "posts",
        queues.posts,
        "list, show, retry or drop the posts that boards refused",
        _kept("post", "retry", "drop", more=_ALL),
    ),
    (
        "newsletter",
        newsletter.newsletter,
        "show the state of the newsletter, print an issue, or order one",
        (
            (("number",), {"nargs": "?", "type": int, "metavar": "N", "help": "print issue N"}),
            (("--preview",), {"action": "store_true", "help": "print what one would say now"}),
            (("--now",), {"action": "store_true", "help": "send one now"}),
            (("--html",), {"action": "store_true", "help": "as HTML"}),
            _JSON,
        ),
    ),
    (
        "replay",
        without_league.replay,
        "replay a scenario of any system, also of one that no league can play yet",
        (
            (("file",), {"nargs": "?", "metavar": "FILE|-"}),
            (("--batch",), {"action": "store_true", "help": "one scenario per line on stdin"}),
        ),
    ),
    (
        "read",
        without_league.read,
        "show what letters are, and which orders are in them",
        ((("file",), {"nargs": "+", "metavar": "FILE", "help": "letters as they came"}),),
    ),
    (
        "dice",
        without_league.dice,
        "print the rolls of a step",
        (
            (("--secret",), {"required": True, "metavar": "HEX"}),
            (("--game",), {"required": True, "metavar": "ID"}),
            (("--system",), {"default": next(iter(RULESETS)), "metavar": "SYSTEM"}),
            (("--rules",), {"default": 1, "type": int, "metavar": "VERSION"}),
            (("--terms",), {"default": "{}", "metavar": "JSON", "help": "of the commitment"}),
            (("--setup",), {"default": "", "metavar": "HEX", "help": "its fingerprint"}),
            (("--house",), {"default": "", "metavar": "STRENGTH", "help": "of bots"}),
            (("--before",), {"default": "{}", "metavar": "JSON", "help": "words before the game"}),
            (("--words",), {"default": "{}", "metavar": "JSON", "help": "the latest, by seats"}),
            (("--step",), {"required": True, "type": int, "metavar": "N"}),
            (("--orders",), {"default": "[]", "metavar": "JSON", "help": "pairs: seat, order"}),
            (("--proxied",), {"default": "[]", "metavar": "JSON", "help": "seats under PROXY"}),
            (("--sides",), {"default": 100, "type": int, "metavar": "S"}),
            (("--count",), {"default": 1, "type": int, "metavar": "C"}),
            (
                ("--show",),
                {
                    "default": "rolls",
                    "choices": ("rolls", "digest", "commitment"),
                    "help": "the step's rolls or digest, or the commitment",
                },
            ),
        ),
    ),
    (
        "verify",
        without_league.verify,
        "check the dice of a finished battle",
        (
            (
                ("file",),
                {"nargs": "?", "metavar": "FILE", "help": "what pbem game N --export printed"},
            ),
            (
                ("--print-script",),
                {
                    "nargs": "?",
                    "const": next(iter(RULESETS)),
                    "choices": sorted(RULESETS),
                    "metavar": "SYSTEM",
                    "help": "the same check as one file, for those without pbem",
                },
            ),
        ),
    ),
    (
        "system",
        rule_systems.system,
        "list the rule systems, check one by the laws, write a new one, or print an example",
        (
            (("act",), {"choices": ("list", "check", "new", "example")}),
            (("name",), {"nargs": "?", "metavar": "KEY"}),
            (("--games",), {"type": int, "default": 20, "metavar": "N", "help": "games a law"}),
            (
                ("--seconds",),
                {
                    "type": int,
                    "default": 60,
                    "metavar": "N",
                    "help": "about how long, in all; longer for more of the games (default: 60)",
                },
            ),
            _JSON,
        ),
    ),
    (
        "demo",
        without_league.demo,
        "play a whole duel by mail on embedded servers",
        (
            (
                ("--out",),
                {"default": "demo-letters", "metavar": "DIR", "help": "where the letters go"},
            ),
            (
                ("--play",),
                {
                    "nargs": "?",
                    "const": "",
                    "metavar": "KEY",
                    "help": "write one side's letters yourself, or all of a game of a system",
                },
            ),
        ),
    ),
)
