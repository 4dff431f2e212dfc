"""Who takes part in a fight of Starfarer, where they stand, and their tasks, naively."""

from __future__ import annotations

from collections.abc import Callable

from tests.oracle.starfarer import wounds
from tests.oracle.starfarer.areas import AREAS, Json
from tests.oracle.starfarer.filing import limbs_of, weapon_of

Die = Callable[[int, str], int]  # (sides, what it is for) -> what it shows

MEDIUM = (10, 20, 45, 80, 125, 180, 250, 320)
LONG = (30, 100, 300, 1000, 3000, 10_000, 30_000, 100_000)


class People:
    """Everybody of one fight, without what they do."""

    def __init__(self, setup: Json, die: Die) -> None:
        """Line everybody up in setup order."""
        self.die = die
        self.options: Json = setup.get("options") or {}
        self.field: int = setup["field"]
        self.bodies: dict[str, Json] = {
            character["name"]: wounds.fresh(character, team["name"])
            for team in setup["teams"]
            for character in team["characters"]
        }
        self.round = 1
        self.over = False
        self.winner: str | None = None
        self.quiet = 0
        self.shots = 0  # to-hit rolls in this round
        self.refused: list[Json] = []

    def active(self) -> list[Json]:
        """In setup order."""
        return [body for body in self.bodies.values() if body["fate"] == "active"]

    def present(self) -> list[Json]:
        """The active and the unconscious, in setup order."""
        return [b for b in self.bodies.values() if b["fate"] in ("active", "unconscious")]

    def active_foes(self, body: Json) -> list[Json]:
        """All active members of other teams."""
        return [foe for foe in self.active() if foe["team"] != body["team"]]

    def nearest(self, body: Json) -> Json | None:
        """SF-9: of equals the first in setup order."""
        return min(self.active_foes(body), key=lambda foe: distance(body, foe), default=None)

    def object_of(self, body: Json, action: Json) -> Json | None:
        """Whom an action is about, None where nobody who is present."""
        if action["do"] == "move":
            name = action["toward"]
        else:
            name = action.get("at") or (body["name"] if action["do"] == "treat" else "nearest")
        if name == "nearest":
            return self.nearest(body)
        found = self.bodies[name]
        return found if found in self.present() else None

    def holds(self, body: Json, condition: str) -> bool:
        """SF-9."""
        if condition == "hurt":
            worst = max(wounds.worst_level(body, area) for area in AREAS)
            return worst >= 2 or body["shock"] >= 2 * body["basic_shock"]
        if condition == "bleeding":
            return any(body["bleeding"].values())
        engaged = any(distance(body, foe) <= reach(foe) for foe in self.active_foes(body))
        return engaged if condition == "engaged" else not engaged

    def is_disabled(self, body: Json, action: Json) -> bool:
        """SF-28: a limb that it uses is."""
        return any(
            limb in body["failed"] or wounds.worst_level(body, limb) == 6
            for limb in limbs_of(body, action)
        )

    def too_far(self, body: Json, action: Json, target: Json) -> str | None:
        """The last three of SF-44."""
        if action["do"] == "attack":
            weapon = weapon_of(body, action)
            assert weapon is not None
            if weapon["mode"] == "melee":
                far = distance(body, target) > (weapon.get("reach") or 1)
                return "out of reach" if far else None
            return None if bracket(body, target, weapon) else "out of range"
        if action["do"] != "treat":
            return None
        if distance(body, target) > 1:
            return "out of reach"
        area = action["area"]
        if area == "shock":
            return None if wounds.has_deadly_shock(target) else "nothing to treat"
        if target["bleeding"][area] or wounds.has_mortal_wound(target, area):
            return None
        return "nothing to treat"

    # ---- tasks -------------------------------------------------------------------------

    def roll(self, traits: list[int], ease: int, what: str) -> tuple[bool, int, int]:
        """SF-1 and SF-2: whether it succeeded, the LOS or LOF, and the roll."""
        chance = sum(max(trait, 0) for trait in traits) * max(ease, 0)
        roll = self.die(100, what)
        if roll <= chance and roll <= 95:
            return True, (chance - roll) // 10, roll
        return False, max((roll - chance) // 10, 0), roll

    def task(self, body: Json, limbs: list[str], names: list[str], ease: int) -> tuple[bool, int]:
        """SF-26: a task of traits and skills, each with the penalty of wounds and shock."""
        success, level, _ = self.roll(self.lowered(body, limbs, names), ease, "task")
        return success, level

    def lowered(self, body: Json, limbs: list[str], names: list[str]) -> list[int]:
        """Traits, and skills behind a star, after the penalty."""
        found = [
            body["skills"].get(name[1:]) or 0 if name[0] == "*" else body["traits"][name]
            for name in names
        ]
        return [figure - wounds.penalty(body, limbs) for figure in found]

    def limbs_work(self, body: Json, action: Json) -> bool:
        """SF-28: the disability checks of an action."""
        for limb in limbs_of(body, action):
            level = wounds.worst_level(body, limb)
            if level < 3 or limb in body["passed"]:
                continue
            traits = [body["traits"]["endurance"], body["traits"]["willpower"]]
            if not self.roll(traits, 5 - wounds.modifier(level), "limb")[0]:
                body["failed"].append(limb)
                return False
            body["passed"].append(limb)
        return True


def distance(one: Json, other: Json) -> int:
    """SF-9."""
    return abs(int(one["at"]) - int(other["at"]))


def reach(body: Json) -> int:
    """SF-9: the greatest reach of its melee weapons, at least 1."""
    melee = [weapon for weapon in body["weapons"] if weapon["mode"] == "melee"]
    return max([weapon.get("reach") or 1 for weapon in melee], default=1)


def bracket(body: Json, target: Json, weapon: Json) -> str | None:
    """SF-12: the range bracket, None where it does not shoot so far."""
    far = distance(body, target)
    if target["fate"] == "active" and far <= reach(target):
        return "close"
    rating = weapon["range"]
    if far <= rating:
        return "point blank"
    if far <= 5 * rating:
        return "short"
    if far <= MEDIUM[rating - 1]:
        return "medium"
    if far <= LONG[rating - 1]:
        return "long"
    if weapon.get("extreme") and 2 * far <= 3 * LONG[rating - 1]:
        return "extreme"
    return None
