"""Why an order is refused, in words."""

from engine.i18n import say

REASONS = {
    "over": say("the battle is over"),
    "unknown unit": say("no such vessel or spotter is yours"),
    "unknown order": say("there is no such order"),
    "out of the battle": say("it is out of the battle"),
    "rule off": say("the rule for that is switched off in this battle"),
    "wrong station": say("nobody aboard can do that"),
    "in a wing": say("it flies in a wing, and its leader orders; it can only LEAVE"),
    "wrong scale": say("that is not for vessels of its size"),
    "immobile": say("it can't move"),
    "busy": say("that is more than it can do in one turn"),
    "bad wing": say("the wing is not one for that"),
    "bad target": say("that can't be aimed at, or is out of the battle"),
    "no equipment": say("a spotter needs a designator and an uplink that works"),
    "bad weapon": say("it has no such weapon for that"),
    "no drive": say("it needs an FTL drive that works, and so does its whole wing"),
    "out of range": say("the range is wrong for that"),
    "bad battery": say("only batteries fire several guns together, six at most"),
    "spent": say("no gun or missile is left for that"),
    "strafed": say("the target has just strafed it; only point defence can fire at it"),
    "no lock": say("LAUNCH needs a LOCK on that target first"),
    "no missile": say("no such missile is in flight, or not at this unit"),
    "not spotted": say("no spotter of yours has spotted that in this turn"),
}
"""The reason codes of refused orders, each in words."""
