"""The areas of a body, in the order of the tables."""

from typing import Any

Json = dict[str, Any]

AREAS = ("head", "chest", "abdomen", "right arm", "left arm", "right leg", "left leg")
