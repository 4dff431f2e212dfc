"""Stage 2 of a turn of Cortex, naively: crews, pilots' defences and spotters."""

from __future__ import annotations

from tests.oracle.cortex.figures import Json, degree
from tests.oracle.cortex.fleet import unit_of, worst
from tests.oracle.cortex.harm import Harm

HELP = (-1, 0, 1, 2)  # CX-52, CX-57, CX-59
HELP_TO_GUNNER = (0, 0, 1, 1)  # CX-54
LOST_BY_EVADING = (-4, -2, -1, 0)  # CX-59


class Crew(Harm):
    """A fleet with people at its stations."""

    def station_roll(self, station: str, vessel: Json, steps: int = 0) -> Json:
        """Own attribute, or the vessel's Alertness, with skill and trait (CX-51)."""
        person = vessel["crew"][station]
        attribute = person["attr"] if "attr" in person else vessel["alt"]
        return self.roll(station, attribute, person["skill"], steps, person["trait"])

    def sensor_steps(self, vessel: Json) -> int:
        """CX-34."""
        return -2 if "sensors" in vessel["damaged"] else 0

    # ---- orders --------------------------------------------------------------------------

    def surrender(self, vessel: Json, _order: Json) -> None:
        """CX-21."""
        for member in unit_of(vessel):
            self.take_out(member, "surrendered")

    def check_fire(self, vessel: Json, _order: Json) -> None:
        """CX-47."""
        for member in unit_of(vessel):
            member["silent"] = True

    def shield(self, vessel: Json, order: Json) -> None:
        """CX-38."""
        for member in unit_of(vessel):
            member["shield"] = order["at"]

    def assist(self, vessel: Json, order: Json) -> None:
        """CX-52, CX-57."""
        station = order.get("station") or "commander"
        vessel["stations"].append(station)
        steps = HELP[degree(self.station_roll(station, vessel), 11)]
        if self.rule("crew2"):
            ship = worst(unit_of(vessel))
            ship["flying" if order["to"] == "pilot" else "attacks"] += steps
            return
        at, is_told = self.helped(vessel, order)
        if is_told:
            vessel["to_forward"].append((at, order["to"], steps))
        else:
            add(at["next"], order["to"], steps)

    def helped(self, vessel: Json, order: Json) -> tuple[Json, bool]:
        """CX-36, CX-52, CX-53: the vessel that is helped, and whether comms must tell it so."""
        if order.get("at") is not None:
            named: Json = self.vessels[order["at"]]
            return named, named is not vessel
        if order["to"] in ("sensors", "comms"):
            return vessel, False
        return worst(unit_of(vessel)), False

    def forward(self, vessel: Json, _order: Json) -> None:
        """CX-53."""
        vessel["stations"].append("comms")
        roll = self.station_roll("comms", vessel, vessel["now"].get("comms", 0))
        if degree(roll, 7) >= 2:
            for at, to, steps in vessel["to_forward"]:
                add(at["next"], to, steps)

    def sense(self, vessel: Json, order: Json) -> None:
        """CX-54."""
        ship = worst(unit_of(vessel))
        vessel["stations"].append("sensors")
        help_ = self.sensor_steps(vessel) + vessel["now"].get("sensors", 0)
        found = degree(self.station_roll("sensors", vessel, help_), 11)
        if order["to"] == "pilot":
            ship["defence"] += HELP[found]
        else:
            add(ship["aimed"], order["to"], HELP_TO_GUNNER[found])

    def plot(self, vessel: Json, _order: Json) -> None:
        """CX-57."""
        ship = worst(unit_of(vessel))
        vessel["stations"].append("tactical")
        roll = self.station_roll("tactical", vessel, self.sensor_steps(vessel))
        steps = HELP[degree(roll, 11)]
        ship["flying"] += steps
        ship["attacks"] += steps

    # ---- the pilot -----------------------------------------------------------------------

    def defend(self, vessel: Json, _order: Json) -> None:
        """CX-55."""
        vessel["actions"] += 1
        for member in unit_of(vessel):
            member["given"].append("defend")

    def evade(self, vessel: Json, _order: Json) -> None:
        """CX-55, CX-59."""
        unit = unit_of(vessel)
        if self.rule("crew1"):
            vessel["full"] = True
            for member in unit:
                member["given"].append("evade")
                member["defence"] += 2
                member["attacks"] -= 1
        else:
            steps = worst(unit)["flying"] - vessel["actions"]
            roll = self.pilot_roll(unit, "evade", steps)
            for member in unit:
                member["given"].append("evade")
                member["evaded"] = roll["total"]
                member["attacks"] += LOST_BY_EVADING[degree(roll, 11)]
        vessel["actions"] += 1

    def press(self, vessel: Json, order: Json) -> None:
        """CX-55, CX-59."""
        unit = unit_of(vessel)
        for member in unit:
            member["given"].append("press")
        if self.rule("crew1"):
            vessel["full"] = True
            for member in unit:
                if order["weapon"] in member["weapons"]:
                    add(member["next"], order["weapon"], 1)
        else:
            steps = worst(unit)["flying"] - vessel["actions"]
            found = degree(self.pilot_roll(unit, "press", steps), 11)
            for member in unit:
                member["attacks"] += HELP[found]
        vessel["actions"] += 1

    def jump(self, vessel: Json, _order: Json) -> None:
        """CX-21."""
        vessel["full"] = True
        vessel["actions"] += 1
        for member in unit_of(vessel):
            member["jumps"] = True

    def spot(self, spotter: Json, order: Json) -> None:
        """CX-70."""
        spotter["spotted"] = order["at"]


def add(steps: dict[str, int], what: str, more: int) -> None:
    """Bonuses and penalties are added up (CX-3)."""
    steps[what] = steps.get(what, 0) + more
