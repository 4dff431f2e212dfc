"""The one list of rule systems."""

from collections.abc import Collection

from engine.blackskies.rules import BLACKSKIES
from engine.campaign import Nouns
from engine.cortex.rules import CORTEX
from engine.i18n import either
from engine.ruleset import AnyReplayable, AnyRuleset
from engine.starfarer.rules import STARFARER
from engine.starpilot.rules import STARPILOT

RULESETS: dict[str, AnyRuleset] = {rules.key: rules for rules in (STARPILOT, BLACKSKIES)}

REPLAYABLE: dict[str, AnyReplayable] = {
    **RULESETS,
    STARFARER.key: STARFARER,
    CORTEX.key: CORTEX,
}
"""All systems whose scenarios can be replayed; a league plays those among RULESETS alone."""


def nouns(systems: Collection[str]) -> Nouns:
    """Return what personas are called in these systems, or in all of them if none is named."""
    campaigns = (rules.campaign for key, rules in RULESETS.items() if key in systems or not systems)
    every = dict.fromkeys(campaign.nouns for campaign in campaigns if campaign is not None)
    return Nouns(*(either(words) for words in zip(*every, strict=True)))
