"""The systems that come with the program, for tests that hold something ready for each of them.

The games of `installed_games` are in RULESETS too.
"""

from engine.registry import PACKAGES, RULESETS
from engine.ruleset import AnyRuleset

OURS: dict[str, AnyRuleset] = {
    key: rules for key, rules in RULESETS.items() if PACKAGES[key].startswith("engine.")
}
