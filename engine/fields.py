"""Fields of data from outside: each is checked, and SetupError names the field that is wrong."""

from collections.abc import Collection, Iterable, Mapping, Sequence
from typing import Any

from engine.errors import SetupError

Data = dict[str, Any]


def an_object(value: object, where: str) -> Data:
    """Return an object; raise SetupError."""
    if not isinstance(value, dict):
        raise SetupError(f"{where}: an object is needed")
    return value


def a_list(value: Data, key: str, where: str) -> list[object]:
    """Return the list under a key; raise SetupError."""
    found = value.get(key)
    if not isinstance(found, list):
        raise SetupError(f"{where}.{key}: a list is needed")
    return found


def some(value: Data, key: str, where: str) -> list[object]:
    """Return the list under a key, empty where there is none; raise SetupError."""
    return [] if value.get(key) is None else a_list(value, key, where)


def by_name(value: Data, key: str, where: str) -> Data:
    """Return the values by name under a key, none where the key is missing; raise SetupError."""
    found = an_object({} if value.get(key) is None else value[key], f"{where}.{key}")
    # In the replay format `null` counts as a missing key.
    given = {name: one for name, one in found.items() if one is not None}
    if not all(name.strip() for name in given):
        raise SetupError(f"{where}.{key}: a name must not be blank")
    return given


def named(value: Data, key: str, where: str) -> dict[str, Data]:
    """Return the objects by name under a key, none where it is missing; raise SetupError."""
    given = by_name(value, key, where)
    return {name: an_object(one, f"{where}.{key}.{name}") for name, one in given.items()}


def text(value: Data, key: str, where: str) -> str:
    """Return a text that is not blank; raise SetupError."""
    found = value.get(key)
    if not isinstance(found, str) or not found.strip():
        raise SetupError(f"{where}.{key}: a text that is not blank is needed")
    return found


def text_or_none(value: Mapping[str, object], key: str, where: str) -> str | None:
    """Return a text that is not blank, None where the key is missing; raise SetupError."""
    found = value.get(key)
    if found is not None and not (isinstance(found, str) and found.strip()):
        raise SetupError(f"{where}.{key}: a text that is not blank is needed")
    return found


def whole_or_none(value: Mapping[str, object], key: str, where: str) -> int | None:
    """Return a whole number, None where the key is missing; raise SetupError."""
    found = value.get(key)
    # Not isinstance: True is an int, and a JSON `true` is not a number.
    if found is not None and type(found) is not int:
        raise SetupError(f"{where}.{key}: a whole number is needed")
    return found


def truth(value: Mapping[str, object], key: str, where: str) -> bool:
    """Return whether something is so, False where the key is missing; raise SetupError."""
    found = value.get(key)
    if found is not None and type(found) is not bool:
        raise SetupError(f"{where}.{key}: true or false is needed")
    return bool(found)


def number(value: Data, key: str, low: int, high: int, where: str) -> int:
    """Return a whole number from low to high; raise SetupError."""
    return whole(value.get(key), low, high, f"{where}.{key}")


def number_or(otherwise: int, value: Data, key: str, limits: tuple[int, int], where: str) -> int:
    """Return a whole number within limits, or `otherwise` where the key is missing.

    Raise SetupError.
    """
    return otherwise if value.get(key) is None else number(value, key, *limits, where)


def whole(found: object, low: int, high: int, where: str) -> int:
    """Return the value if it is a whole number from low to high; raise SetupError."""
    if type(found) is not int or not low <= found <= high:
        raise SetupError(f"{where}: {found!r} is not a whole number from {low} to {high}")
    return found


def one_of(found: Any, known: Collection[Any], where: str) -> Any:
    """Return the value if it is one of those known; raise SetupError."""
    # By type first: 1.0 and true equal 1, and a list can't be looked up among dictionary keys.
    if type(found) not in (str, int) or found not in known:
        raise SetupError(f"{where}: {found!r} is none of {', '.join(map(str, known))}")
    return found


def one_of_or_first(value: Data, key: str, known: Sequence[str], where: str) -> str:
    """Return the text under a key if it is known, or the first known text if the key is missing.

    Raise SetupError.
    """
    found = value.get(key)
    return known[0] if found is None else str(one_of(found, known, f"{where}.{key}"))


def different(found: list[Any], where: str) -> None:
    """Raise SetupError if anything occurs twice in a list."""
    # No set: what stands in a list from outside may be an object, which has no hash.
    twice = next((one for n, one in enumerate(found) if one in found[:n]), None)
    if twice is not None:
        raise SetupError(f"{where}: {twice!r} stands there twice")


def unique(names: Iterable[tuple[str, str]]) -> None:
    """Raise SetupError if one of the names occurs twice; each comes with the field it stands in."""
    seen: set[str] = set()
    for name, where in names:
        if name in seen:
            raise SetupError(f"{where}: {name!r} stands there twice")
        seen.add(name)
