"""What can be wrong with an order or a set-up; every text is fit to be mailed to a player.

EngineError
  SetupError            a battle that can't begin; names the field
  DiceError             listed dice that run out, are left over or can't be shown
  OrderError            an order that is not taken
    UnreadableOrder     not an order, or only nearly one
      ForeignOrder      a text of another form, perhaps another system's
    AmbiguousOrder      more than one thing it might mean
    IllegalOrder        understood, but against the rules now
"""

from collections.abc import Sequence


class EngineError(Exception):
    """Anything the engine refuses."""


class SetupError(EngineError):
    """A set-up that the rules do not allow; the text begins with the field's name."""


class DiceError(EngineError):
    """Dice that run out, hold a number their die can't show, or are left over."""


class OrderError(EngineError):
    """An order that is not taken; `reason` is a short code, `hint` is what may have been meant."""

    def __init__(self, text: str, *, reason: str = "", hint: str = "") -> None:
        super().__init__(text)
        self.reason = reason
        self.hint = hint


class UnreadableOrder(OrderError):
    """A line that is not an order, or only nearly one."""


class ForeignOrder(UnreadableOrder):
    """A text that does not have the expected form; it may be meant for another system."""


class AmbiguousOrder(OrderError):
    """A line that might mean more than one thing: one of `meant`."""

    def __init__(
        self, text: str, *, meant: Sequence[str], reason: str = "", hint: str = ""
    ) -> None:
        super().__init__(text, reason=reason, hint=hint)
        self.meant = tuple(meant)


class IllegalOrder(OrderError):
    """An order that was understood and is against the rules at this moment."""
