"""A design as a player writes it, on one line or as a form: read, or all its faults listed."""

import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from itertools import groupby

from engine.blackskies.design import Design, Weapon, spent, weight_of
from engine.blackskies.league_catalogue import USUAL, Catalogue
from engine.blackskies.persona_record import is_flyable, read_name
from engine.blackskies.tables import MOST_SHIELDS, THRUSTERS, WEIGHTS
from engine.errors import UnreadableOrder
from engine.i18n import Said, listed, say
from engine.names import closest, fold, match_name
from engine.orders.line_shapes import LONGEST, clean

FORM = say("DESIGN Wolf: MEDIUM, REAR SIDE, 2 Laser Cannon, ARMOUR 1, SHIELDS 0")
_LABELS = ("weight", "thrusters", "weapons", "armour", "shields")
_ALSO = {"thruster": "thrusters", "weapon": "weapons", "armor": "armour", "shield": "shields"}
_ADJECTIVES = {"light": say("light"), "medium": say("medium"), "heavy": say("heavy")}
_SPOKEN = {
    "weight": say("WEIGHT"),
    "thrusters": say("THRUSTERS"),
    "armour": say("ARMOUR"),
    "shields": say("SHIELDS"),
    "light": say("LIGHT"),
    "medium": say("MEDIUM"),
    "heavy": say("HEAVY"),
    "rear": say("REAR"),
    "side": say("SIDE"),
    "forward": say("FORWARD"),
}
_NOTHING = ("", "-", "--", "none", "no")
_HEAD = re.compile(r"([^:\n]*)[:\n]?(.*)", re.S)
_PART = re.compile(r"[,;\n]")
_WORD = re.compile(r"(?:[\s/&+]|\band\b)+", re.I)
_GAP = re.compile(r" ?[:=] ?")
_AND = re.compile(r" (?:and|&|\+) ", re.I)
_MOST_CLAUSES, _MOST_FAULTS = 40, 8
"""A design of more parts is not looked at, and further faults are not listed: a letter of a
thousand lines cost over a second, and was answered by a sentence that nobody could translate."""
_GUNS = re.compile(r"(?:(\d{1,3})(?: ?[x*])? )?(.+?)(?: [x*] ?(\d{1,3}))?", re.I)


def read_design(text: str, known: Catalogue = USUAL) -> Design:
    """Return the design in a player's text, with weapons of a catalogue.

    Raise UnreadableOrder, which lists every fault; its hint is the order as it was probably meant,
    or else an example.
    """
    match = _HEAD.fullmatch(text)
    assert match is not None
    name, parts = clean(match[1]), [clean(part[:LONGEST]) for part in _PART.split(match[2])]
    clauses = list(filter(None, parts))
    if len(clauses) > _MOST_CLAUSES:
        text = say("a design has {most} parts at most", most=_MOST_CLAUSES)
        raise UnreadableOrder(text, hint=FORM)
    # Read twice: as it was written, for the faults, and as it was probably meant, for the hint.
    draft, meant = _Draft(known.weapons), _Draft(known.weapons)
    mended = [draft.take(clause) for clause in clauses]
    for clause in mended:
        meant.take(clause)
    misnamed = list(_wrong_name(name, known))
    sound = not (misnamed or meant.faults or any(meant.unsound()))
    if sound and not draft.faults:
        return meant.design(name)
    found = [*draft.faults, *misnamed, *meant.unsound(with_rest=bool(draft.faults))]
    faults = list(dict.fromkeys(found))[:_MOST_FAULTS]
    raise UnreadableOrder(listed(faults), hint=written(meant.design(name)) if sound else FORM)


def written(design: Design) -> str:
    """Return the order that makes a design, on one line."""
    counts = [(len(list(group)), name) for name, group in groupby(w.name for w in design.weapons)]
    parts = (
        design.weight.upper(),
        " ".join(design.thrusters).upper(),
        *(f"{count} {name}" if count > 1 else name for count, name in counts),
        f"ARMOUR {design.armour}",
        f"SHIELDS {design.shields}",
    )
    return f"DESIGN {design.name}: {', '.join(filter(None, parts))}"


def takes(line: str) -> bool:
    """Return whether a line below DESIGN and a name belongs to the form, or nearly does."""
    word = _GAP.sub(" ", line).partition(" ")[0].lower()
    return word in (*_LABELS, *_ALSO) or closest(word, _LABELS) is not None


def _wrong_name(name: str, known: Catalogue) -> Iterator[Said | str]:
    """Yield what is wrong with a design's name."""
    try:
        read_name(name)
    except UnreadableOrder as error:
        yield error.args[0] if name else say("it has no name")
        return
    if fold(name) in map(fold, known.designs):
        yield say("{name} is in the catalogue; yours needs a name of its own", name=name)
    elif not is_flyable(name):
        yield say("{name} would be misread in a squadron; take another name", name=name)


class _Draft:
    """A design as far as it has been read, and the faults found on the way."""

    def __init__(self, arms: Mapping[str, Weapon]) -> None:
        self.arms = arms
        self.faults: list[Said] = []
        self.weights: list[str] = []
        self.thrusters: list[str] = []
        self.guns: list[Weapon] = []
        self.levels: dict[str, list[int]] = {"armour": [], "shields": []}

    def take(self, clause: str) -> str:
        """Read a clause (a line, or the text between commas); return it as it was
        probably meant."""
        label, value = _labelled(clause)
        if value.lower() in _NOTHING:
            return clause
        if label in self.levels:
            return self._level(clause, label, value)
        words = [word for word in _WORD.split(value.lower()) if word]
        if label in ("", "weight") and value.lower() in WEIGHTS:
            self.weights.append(value.lower())
        elif label in ("", "thrusters") and set(words) <= {*THRUSTERS, "none"}:
            self.thrusters += [w for w in words if w not in (*self.thrusters, "none")]
        elif label in ("", "weapons") and self._fit(value):
            pass
        elif label in ("weight", "thrusters"):
            return self._no_word(label, words)
        else:
            return self._no_weapon(value)
        return clause

    def _level(self, clause: str, label: str, value: str) -> str:
        if not re.fullmatch(r"[0-9]{1,3}", value):
            self.faults.append(say("{clause}: a figure is needed there", clause=clause))
        else:
            self.levels[label].append(int(value))
        return clause

    def _fit(self, value: str) -> bool:
        """Add weapons, each perhaps with its number; return whether all of them are known."""
        # The whole first: a weapon's own name may hold an `and`.
        every = [value] if match_name(value, list(self.arms)) else _AND.split(value)
        found = [self._several(one) for one in every]
        self.guns += [gun for guns in found if guns for gun in guns] if all(found) else []
        return all(found)

    def _several(self, value: str) -> list[Weapon]:
        """Return as many weapons of a kind as a text names; none where the kind is not known."""
        whole, match = match_name(value, list(self.arms)), _GUNS.fullmatch(value)
        if whole or match is None:
            return [self.arms[whole]] if whole else []
        names = list(self.arms)
        # The whole word first: a weapon's name may end with an s itself.
        name = match_name(match[2], names) or match_name(match[2].removesuffix("s"), names)
        return [self.arms[name]] * int(match[1] or match[3] or 1) if name else []

    def _no_word(self, label: str, words: Sequence[str]) -> str:
        """Add a fault for an unknown weight or thruster; return the clause as it was probably
        meant."""
        known = tuple(WEIGHTS) if label == "weight" else THRUSTERS
        better = " ".join(word if word in known else closest(word, known) or "?" for word in words)
        value, better = (f"{label} {one}".upper() for one in (" ".join(words), better))
        # With one word that is like none of them, all are listed instead of a guess.
        if "?" in better:
            all_ = [_SPOKEN[one] for one in known]
            self.faults.append(
                say("{value} is unknown; there are {known}", value=value, known=all_)
            )
            return value
        self.faults.append(say("{value} (did you mean {meant}?)", value=value, meant=better))
        return better

    def _no_weapon(self, value: str) -> str:
        """Add a fault for an unknown part; return the clause as it was probably meant."""
        match = _GUNS.fullmatch(value)
        name = match[2] if match else value
        count = f"{match[1] or match[3]} " if match and (match[1] or match[3]) else ""
        first, _, rest = value.partition(" ")
        label = closest(first.rstrip(":="), _LABELS)
        # Some write an arc behind a weapon, but its arcs are its own (BS-6).
        begun = next((arm for arm in self.arms if fold(name).startswith(fold(arm))), None)
        meant = closest(name, self.arms)
        better = f"{count}{meant}" if meant else closest(value, (*WEIGHTS, *THRUSTERS)) or ""
        better = better or (f"{label.upper()} {rest}" if label else "")
        if better:
            text = say("{value} (did you mean {meant}?)", value=value, meant=better)
        elif begun:
            better = f"{count}{begun}"
            text = say("{value}: {weapon} has its arcs by itself", value=value, weapon=begun)
        else:
            weapons = list(self.arms)
            text = say("{value} is not a weapon; there are {weapons}", value=value, weapons=weapons)
        self.faults.append(text)
        return better or value

    def unsound(self, with_rest: bool = False) -> Iterator[Said]:
        """Yield what breaks BS-4 or BS-5, or is missing.

        With `with_rest`, yield what is left of the hardpoints too.
        """
        for label, levels in self.levels.items():
            if len(set(levels)) > 1:
                yield say("{label} stands there twice", label=_SPOKEN[label])
        if len(set(self.weights)) > 1:
            yield say("a fighter has one weight, not {weights}", weights=self.weights)
        if not self.weights:
            yield say("its weight is missing: LIGHT, MEDIUM or HEAVY")
        else:
            yield from _too_much(self.design(""), with_rest)

    def design(self, name: str) -> Design:
        """Return the design that was read; it needs a weight."""
        # What is not written is 0; of two different figures `unsound` tells.
        armour, shields = (levels[-1] if levels else 0 for levels in self.levels.values())
        weapons, thrusters = tuple(self.guns), tuple(self.thrusters)
        return Design(name, self.weights[-1], thrusters, weapons, armour, shields)


def _too_much(made: Design, with_rest: bool) -> Iterator[Said]:
    """Yield what is more than a weight allows; with `with_rest`, also what is left of it."""
    weight, used = weight_of(made), spent(made)
    for label, level, most in (
        ("armour", made.armour, weight.armour),
        ("shields", made.shields, MOST_SHIELDS),
    ):
        if level > most:
            yield say(
                "{label} {level}: a {weight} fighter takes {most} at most",
                label=_SPOKEN[label],
                level=level,
                weight=_ADJECTIVES[made.weight],
                most=most,
            )
    facts = {"used": used, "weight": _ADJECTIVES[made.weight], "most": weight.hardpoints}
    if used > weight.hardpoints:
        yield say(
            "{parts} take {used} hardpoints, and a {weight} fighter has {most}: {over} too many",
            parts=_costs(made),
            over=used - weight.hardpoints,
            **facts,
        )
    elif with_rest:
        left = weight.hardpoints - used
        yield say("so far {used} of {most} hardpoints, {left} left", left=left, **facts)


def _costs(made: Design) -> list[str]:
    """Return what takes hardpoints, each with its number."""
    guns = Counter(weapon.name for weapon in made.weapons)
    levels = {"armour": made.armour, "shields": made.shields}
    return [f"{count} {name}" for name, count in guns.items()] + [
        say("{label} {level}", label=_SPOKEN[label], level=level)
        for label, level in levels.items()
        if level
    ]


def _labelled(clause: str) -> tuple[str, str]:
    """Return a clause's label, which stands before or after its value, and the value."""
    first, _, rest = _GAP.sub(" ", clause).partition(" ")
    head, _, last = clause.rpartition(" ")
    # Both "ARMOUR 1" and "1 armour" are natural to write.
    for word, value in ((first, rest), (last, head)):
        label = _ALSO.get(word.lower(), word.lower())
        if label in _LABELS:
            return label, value.strip()
    return "", clause
