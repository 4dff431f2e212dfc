"""Where a card takes an element; no dice are rolled here (BS-12, steps 2 to 4)."""

from typing import NamedTuple, Protocol

from engine.blackskies.space import HEADINGS, STEPS, Point
from engine.blackskies.tables import AFTERBURNER, BOOTLEGGER, INSTEAD, MOST_SPEED, Manoeuvre, burst


class Flying(Protocol):
    """What flies: an element, or a bot's guess where one may be."""

    @property
    def heading(self) -> int: ...
    @property
    def speed(self) -> int: ...
    @property
    def retrograde(self) -> bool: ...


class Course(NamedTuple):
    """How an element flies a card: its speed, its two legs' headings, and its state afterwards.

    `slowed` is the speed after the card's penalty.
    """

    speed: int
    legs: tuple[int, int]
    slowed: int
    heading: int
    retrograde: bool

    def track(self, q: int, r: int) -> tuple[Point, Point, Point]:
        """Return where a fighter begins, is half-way, and ends."""
        (q1, r1), (q2, r2) = (STEPS[leg] for leg in self.legs)
        half = q + q1 * self.speed, r + r1 * self.speed
        return (q, r), half, (half[0] + q2 * self.speed, half[1] + r2 * self.speed)


def course(
    element: Flying, acceleration: int, ordered: Manoeuvre, by: int | None, mastered: bool
) -> Course:
    """Return an element's course when the lead masters the card, or does not (BS-15 to BS-17)."""
    flown = ordered if mastered else INSTEAD[ordered.card]
    back = element.retrograde
    gain = _gain(flown, acceleration, by)
    # The engine pushes along the nose, so tail first it slows the element (BS-17).
    speed = min(max(element.speed + (-gain if back else gain), 0), MOST_SPEED)
    line = element.heading + (3 if back else 0)
    # The penalty is that of the card ordered, also where the substitute is flown (BS-15).
    slowed = max(speed - ordered.penalty, 0)
    return Course(
        speed=speed,
        legs=((line + flown.legs[0]) % HEADINGS, (line + flown.legs[1]) % HEADINGS),
        slowed=slowed,
        heading=(element.heading + flown.turn) % HEADINGS,
        # At speed 0 retrograde motion ends; a Bootlegger begins or ends it (BS-17).
        retrograde=slowed > 0 and back != (flown.card == BOOTLEGGER),
    )


def _gain(flown: Manoeuvre, acceleration: int, by: int | None) -> int:
    """Return what the engine adds to the speed along the nose."""
    if flown.option == "accelerate":
        return by or 0
    if flown.option == "decelerate":
        return -1
    return burst(acceleration) if flown.card == AFTERBURNER else 0
