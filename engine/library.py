"""The one list of rule systems."""

from typing import Any

from engine.blackskies.rules import BLACKSKIES
from engine.ruleset import Ruleset
from engine.starpilot.rules import STARPILOT

RULESETS: dict[str, Ruleset[Any, Any]] = {rules.key: rules for rules in (STARPILOT, BLACKSKIES)}
