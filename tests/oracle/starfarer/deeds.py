"""What the characters of a fight of Starfarer do, and what that does, naively: SF-8 to SF-37."""

from __future__ import annotations

from tests.oracle.starfarer import wounds
from tests.oracle.starfarer.areas import Json
from tests.oracle.starfarer.filing import arms_of, limbs_of, weapon_of
from tests.oracle.starfarer.people import People, bracket, distance

EASE = {"close": 5, "point blank": 7, "short": 6, "medium": 5, "long": 4, "extreme": 2}


class Deeds(People):
    """Everybody of one fight, with what they do."""

    def hindrance(self, body: Json, action: Json, done: list[str]) -> str | None:
        """SF-44: why an action is not carried out; `if` where one does not hold (SF-8)."""
        do = action["do"]
        if action.get("if") is not None and not self.holds(body, action["if"]):
            return "if"
        if do in done and do not in ("attack", "hold"):
            return "twice"
        target = None
        if do in ("attack", "aim", "treat") or (do == "move" and action.get("toward")):
            target = self.object_of(body, action)
            if target is None:
                return "bad target"
        if do in ("attack", "aim"):
            assert target is not None
            if action.get("within") is not None and distance(body, target) > action["within"]:
                return "if"
            if target["fate"] == "unconscious" and not action.get("finish"):
                return "down"
        if do in ("evade", "drop") and body["prone"]:
            return "prone"
        if do == "rise" and not body["prone"]:
            return "not prone"
        if self.is_disabled(body, action):
            return "disabled"
        return None if target is None else self.too_far(body, action, target)

    def carry_out(self, body: Json, action: Json, count: int) -> None:
        """One action, which may be one of several (SF-11)."""
        do = action["do"]
        aim = body["aim"]
        if do not in ("aim", "hold"):
            body["aim"] = None
        if not self.limbs_work(body, action):
            return
        if do == "attack":
            self.attack(body, action, count, aim)
        elif do == "aim":
            target = self.object_of(body, action)
            assert target is not None
            body["aim"] = target["name"]
        elif do in ("evade", "parry"):
            self.defend(body, action, count)
        elif do == "treat":
            self.treat(body, action, count)
        elif do == "move":
            self.move(body, action)
        elif do in ("drop", "rise"):
            body["prone"] = do == "drop"
        elif do == "yield":
            self.out(body, "surrendered")

    def defend(self, body: Json, action: Json, count: int) -> None:
        """SF-15: evade or parry."""
        ease, names = 5 - (count - 1), ["agility", "*evade"]
        if action["do"] == "parry":
            weapon = weapon_of(body, action)
            assert weapon is not None
            names = ["agility", "*" + weapon["skill"]]
            ease -= self.is_other_hand(body, action)
        success, los = self.task(body, limbs_of(body, action), names, ease)
        body[action["do"]] = 1 + los if success else 0

    def is_other_hand(self, body: Json, action: Json) -> bool:
        """SF-14: a one-handed weapon in the hand that is not its own."""
        arms = arms_of(body, action)
        return len(arms) == 1 and arms != [body["hand"] + " arm"]

    def treat(self, body: Json, action: Json, count: int) -> None:
        """SF-36."""
        patient, area = self.object_of(body, action), action["area"]
        assert patient is not None
        names = ["*first aid", "dexterity"]
        success, los = self.task(body, limbs_of(body, action), names, 5 - (count - 1))
        if not success:
            return
        if area == "shock":
            patient["steadied"].append("shock")
            return
        if wounds.has_mortal_wound(patient, area):
            patient["steadied"].append(area)
        wounds.stop_bleeding(patient, area, 1 + los)

    def move(self, body: Json, action: Json) -> None:
        """SF-37."""
        agility = max(self.lowered(body, limbs_of(body, action), ["agility"])[0], 0)
        metres = agility // 2 if body["prone"] else 2 * agility
        if action.get("toward") is None:
            way = action["to"] - body["at"]
            length = abs(way)
        else:
            goal = self.object_of(body, action)
            assert goal is not None
            way = goal["at"] - body["at"]
            length = max(abs(way) - 1, 0)
        length = min(length, metres)
        body["at"] += length if way > 0 else -length
        if not 0 <= body["at"] <= self.field:
            self.out(body, "left")

    def out(self, body: Json, fate: str) -> None:
        """Whoever dies, yields or leaves."""
        body["fate"] = fate
        body["ap"] = body["evade"] = body["parry"] = 0
        body["aim"] = body["wakes"] = None
        if fate == "left":
            body["at"] = None

    # ---- attacks -------------------------------------------------------------------------

    def attack(self, body: Json, action: Json, count: int, aim: str | None) -> None:
        """SF-12 to SF-18, after the disability checks of the attacker."""
        target, weapon = self.object_of(body, action), weapon_of(body, action)
        assert target is not None
        assert weapon is not None
        melee = weapon["mode"] == "melee"
        self.abort(target, melee)
        ease = 5 - (count - 1) - self.is_other_hand(body, action)
        if melee:
            names = ["*" + weapon["skill"], "agility"]
            ease += target["prone"] - body["prone"] - max(target["evade"], target["parry"])
        else:
            names = ["dexterity", "*" + weapon["skill"]]
            name = bracket(body, target, weapon)
            assert name is not None
            ease += EASE[name] - 5 - target["evade"] + (aim == target["name"])
            if target["prone"] and name not in ("close", "point blank"):
                ease -= 1
        traits = self.lowered(body, limbs_of(body, action), names)
        success, los, roll = self.roll(traits, ease, "to hit")
        self.shots += 1
        if success:
            self.hit(target, weapon, wounds.LOCATIONS[roll % 10], los)

    def abort(self, body: Json, melee: bool) -> None:
        """SF-16: the target of an attack gives up its next phase for a defence."""
        if body["fate"] != "active" or body["plan"]["abort"] is None:
            return
        if body["ap"] < 10 or body["evade"] or body["parry"]:
            return
        do = "parry" if melee and body["plan"]["abort"] == "parry" else "evade"
        action = {"do": do}
        if (do == "evade" and body["prone"]) or self.is_disabled(body, action):
            return
        body["aim"] = None
        body["ap"] -= 10
        body["plan"]["next"] += 1
        if self.limbs_work(body, action):
            self.defend(body, action, 1)
        self.declare(body)

    def hit(self, body: Json, weapon: Json, area: str, los: int) -> None:
        """SF-19 to SF-21, SF-27 and SF-29 to SF-31."""
        blow_through = bool(self.options.get("blow_through"))
        applied = wounds.applied_damage(body, weapon, area, los, blow_through)
        if applied == 0:
            return
        shock, damage = wounds.shock_and_wound(body, weapon, area, applied)
        body["aim"] = None
        body["steadied"] = [what for what in body["steadied"] if what not in (area, "shock")]
        before = wounds.shock_level(body)
        body["shock"] += shock
        gently = bool(self.options.get("blunt") and weapon.get("blunt"))
        level = self.wound(body, area, wounds.level_of(body, damage), "X", gently)
        mortal = 5 * wounds.step(body) + 1
        if area in wounds.VITAL and damage > 2 * mortal:
            self.out(body, "dead")
        self.die_of_shock(body)
        if body["fate"] != "active":
            return
        grave = level >= (4 if area in wounds.VITAL else 5)
        if not (grave or shock >= body["stun"] or wounds.shock_level(body) > before):
            return
        lof = self.shock_check(body, wounds.modifier(level))
        if lof is not None and lof >= 4 and level < 6:
            self.wound(body, area, level + 1, "/", gently)

    def wound(self, body: Json, area: str, level: int, sign: str, gently: bool) -> int:
        """SF-23 and SF-35: mark it, let it bleed, and return the level that it counts as."""
        marked = wounds.mark(body, area, level, sign)
        if marked is None:
            return 6
        wounds.bleed(body, area, marked, gently)
        return marked

    def die_of_shock(self, body: Json) -> None:
        """SF-34."""
        if body["shock"] > 12 * body["basic_shock"]:
            self.out(body, "dead")

    def shock_check(self, body: Json, modifier: int) -> int | None:
        """SF-30: return the LOF of a failure."""
        success, lof = self.keep_awake(body, modifier)
        if success:
            return None
        body["fate"], body["prone"], body["plan"] = "unconscious", True, None
        body["ap"] = body["evade"] = body["parry"] = 0
        body["aim"] = None
        body["wakes"] = self.round + lof
        return lof

    def keep_awake(self, body: Json, modifier: int) -> tuple[bool, int]:
        """The profile of SF-30."""
        traits = [body["traits"]["endurance"], body["traits"]["willpower"]]
        worst = max(modifier, wounds.shock_modifier(body))
        success, level, _ = self.roll(traits, 8 - worst, "shock")
        return success, level
