"""The manoeuvre cards of Black Skies, each written out, and when one may not be ordered."""

from __future__ import annotations

from typing import Any, NamedTuple

Json = dict[str, Any]


class Manoeuvre(NamedTuple):
    """A row of the table of manoeuvres."""

    thrusters: str | None
    difficulty: int
    penalty: int
    legs: tuple[int, int]  # relative to the course before the card, + is left
    turn: int


MANOEUVRES: dict[tuple[int, str | None], Manoeuvre] = {
    (1, "steady"): Manoeuvre(None, 0, 0, (0, 0), 0),
    (1, "accelerate"): Manoeuvre(None, 1, 0, (0, 0), 0),
    (1, "decelerate"): Manoeuvre(None, 1, 0, (0, 0), 0),
    (2, "break"): Manoeuvre(None, 2, 2, (1, 1), 1),
    (2, "smooth"): Manoeuvre(None, 1, 0, (0, 1), 1),
    (2, "late"): Manoeuvre(None, 2, 1, (0, 0), 1),
    (3, "break"): Manoeuvre(None, 2, 2, (-1, -1), -1),
    (3, "smooth"): Manoeuvre(None, 1, 0, (0, -1), -1),
    (3, "late"): Manoeuvre(None, 2, 1, (0, 0), -1),
    (4, None): Manoeuvre("rear", 2, 0, (0, 0), 0),
    (5, None): Manoeuvre("rear", 3, 2, (0, 1), 2),
    (6, None): Manoeuvre("rear", 3, 2, (0, -1), -2),
    (7, "left-first"): Manoeuvre("side", 3, 0, (1, -1), 0),
    (7, "right-first"): Manoeuvre("side", 3, 0, (-1, 1), 0),
    (8, None): Manoeuvre("side", 2, 0, (1, 1), 0),
    (9, None): Manoeuvre("side", 2, 0, (-1, -1), 0),
    (10, None): Manoeuvre("forward", 2, 2, (0, 0), 3),
    (11, None): Manoeuvre("forward", 3, 4, (1, 2), 3),
    (12, None): Manoeuvre("forward", 3, 4, (-1, -2), -3),
}

# BS-15: what is flown when the lead fails
SUBSTITUTES: dict[int, tuple[int, str]] = {
    **dict.fromkeys((1, 4, 7, 10), (1, "steady")),
    **dict.fromkeys((2, 5, 8, 11), (2, "smooth")),
    **dict.fromkeys((3, 6, 9, 12), (3, "smooth")),
}


def refusal_of_card(order: Json, thrusters: list[str], retrograde: bool, most: int) -> str | None:
    """Why the card may not be flown, with these thrusters and this acceleration."""
    card, option, by = order.get("card"), order.get("option"), order.get("by")
    if card is None or not 1 <= card <= 12:
        return "bad card"
    rows = [row for (number, _), row in MANOEUVRES.items() if number == card]
    if rows[0].thrusters is not None and rows[0].thrusters not in thrusters:
        return "no thrusters"
    if retrograde and card not in (1, 10):  # BS-17
        return "retrograde"
    if (card, option) not in MANOEUVRES:
        return "bad option"
    if option == "accelerate":
        return None if by is not None and 1 <= by <= most else "bad option"
    return None if by is None else "bad option"
