"""A scenario's set-up made into a battle, or a sentence that names the field that is wrong."""

from engine import fields
from engine.cortex.model import Battle, Obstacle, Site, Spotter, Team, Vessel, VesselSheet
from engine.cortex.setup_fields import (
    crew,
    die,
    die_or_none,
    listed,
    name_of,
    number,
    number_or,
    weapons,
)
from engine.cortex.tables import (
    AREA,
    CONDITIONS,
    KINDS,
    LIMITS,
    MOST_VESSELS,
    OPTIONS,
    PERSONAL,
    RANGES,
    SCALES,
    SIZES,
    TEAMS,
    UPLINKS,
    USUAL,
    VECTORS,
)
from engine.errors import SetupError
from engine.fields import Data
from engine.seats import Seat

_SETUP = "setup"


def setup(value: object) -> Battle:
    """Return the battle of a set-up in the replay format; raise SetupError that names the field."""
    data = fields.an_object(value, _SETUP)
    options = _options(data)
    atmosphere = fields.truth(data, "atmosphere", _SETUP)
    if atmosphere and "atmosphere" not in options:
        raise SetupError(f"{_SETUP}.atmosphere: it needs the option atmosphere (CX-1)")
    found = fields.a_list(data, "teams", _SETUP)
    if len(found) != TEAMS:
        raise SetupError(f"{_SETUP}.teams: a battle has two teams")
    (first, vessels), (second, others) = (
        _team(one, n, f"{_SETUP}.teams[{n}]") for n, one in enumerate(found)
    )
    fields.unique(
        (team.name, f"{_SETUP}.teams[{n}].name") for n, team in enumerate((first, second))
    )
    sheets = {sheet.name: sheet for sheet, _ in (*vessels, *others)}
    obstacles = [
        _obstacle(one, f"{_SETUP}.obstacles[{n}]")
        for n, one in enumerate(listed(data, "obstacles", _SETUP))
    ]
    sites = [
        _site(one, f"{_SETUP}.sites[{n}]") for n, one in enumerate(listed(data, "sites", _SETUP))
    ]
    spotters = [
        spotter for n, one in enumerate(found) for spotter in _spotters(one, n, (first, second)[n])
    ]
    _check_names((first, second), [name for name, _ in obstacles], [name for name, _ in sites])
    _check_against(obstacles, sheets)
    return Battle(
        options=options,
        atmosphere=atmosphere,
        good=fields.one_of_or_first(data, "conditions", CONDITIONS, _SETUP) == CONDITIONS[0],
        teams=(first, second),
        sheets=sheets,
        vessels={sheet.name: vessel for sheet, vessel in (*vessels, *others)},
        spotters={one.name: one for one in spotters},
        obstacles=dict(obstacles),
        sites=dict(sites),
        ranges=_ranges(data, first, second, atmosphere),
        advantages={},
        orders={},
        # Random obstacles are rolled in a step of their own, before any orders (CX-27).
        ready=all(one.size for _, one in obstacles),
    )


def _options(data: Data) -> frozenset[str]:
    if data.get("options") is None:
        return USUAL
    given = fields.a_list(data, "options", _SETUP)
    options = frozenset(
        str(fields.one_of(one, OPTIONS, f"{_SETUP}.options[{n}]")) for n, one in enumerate(given)
    )
    if {"crew1", "crew2"} <= options:
        raise SetupError(f"{_SETUP}.options: crew1 and crew2 exclude each other (CX-1)")
    return options


def _team(value: object, team: int, where: str) -> tuple[Team, list[tuple[VesselSheet, Vessel]]]:
    data = fields.an_object(value, where)
    name = name_of(data, where)
    given = fields.a_list(data, "vessels", where)
    if not 1 <= len(given) <= MOST_VESSELS:
        raise SetupError(f"{where}.vessels: a team has 1 to {MOST_VESSELS} vessels")
    vessels = [_vessel(one, team, n, name, f"{where}.vessels[{n}]") for n, one in enumerate(given)]
    spotters = tuple(
        name_of(fields.an_object(one, f"{where}.spotters[{n}]"), f"{where}.spotters[{n}]")
        for n, one in enumerate(listed(data, "spotters", where))
    )
    return Team(name, tuple(sheet.name for sheet, _ in vessels), spotters), vessels


def _vessel(
    value: object, team: int, number_in_team: int, team_name: str, where: str
) -> tuple[VesselSheet, Vessel]:
    data = fields.an_object(value, where)
    scale = fields.one_of(data.get("scale"), SCALES, f"{where}.scale")
    armour = fields.an_object(
        {} if data.get("armour") is None else data["armour"], f"{where}.armour"
    )
    armed = weapons(data, scale, where)
    sheet = VesselSheet(
        name=name_of(data, where),
        team=team,
        # One number that sorts both teams, the first one first (CX-17).
        place=team * MOST_VESSELS + number_in_team,
        seat=_seat(data, team_name),
        scale=scale,
        strength=die(data, "str", where),
        agility=die(data, "agi", where),
        vitality=die(data, "vit", where),
        alertness=die(data, "alt", where),
        gunnery=die_or_none(data, "gunnery", where),
        lp=number(data, "lp", where),
        stun_armour=number_or(0, armour, "stun", f"{where}.armour", "armour"),
        wound_armour=number_or(0, armour, "wound", f"{where}.armour", "armour"),
        ftl=fields.truth(data, "ftl", where),
        fixed=fields.truth(data, "fixed", where),
        altitude=None if data.get("altitude") is None else number(data, "altitude", where),
        crew=crew(data, where),
        weapons=tuple(weapon for weapon, _ in armed),
        kind=_word(data, "kind"),
    )
    guns = {weapon.name: count for weapon, count in armed}
    return sheet, Vessel(speed=number(data, "speed", where), guns=guns, aim={}, next={})


def _seat(data: Data, team: str) -> Seat:
    """Return whose a vessel or spotter is: the league's key `seat`, else the team."""
    seat = _word(data, "seat")
    # A name with a bar in front is reserved for the referee's seat.
    return Seat(seat if seat and not seat.startswith("|") else team)


def _word(data: Data, key: str) -> str:
    """Return what the league says under a key of its own, "" where that is nothing."""
    found = data.get(key)
    return found if isinstance(found, str) and found.strip() else ""


def _spotters(value: object, number_of_team: int, team: Team) -> list[Spotter]:
    where = f"{_SETUP}.teams[{number_of_team}]"
    found = []
    given = fields.some(fields.an_object(value, where), "spotters", where)
    for n, (one, name) in enumerate(zip(given, team.spotters, strict=True)):
        at = f"{where}.spotters[{n}]"
        data = fields.an_object(one, at)
        spotter = Spotter(
            name=name,
            team=number_of_team,
            seat=_seat(data, team.name),
            alertness=die(data, "alt", at),
            gunnery=die_or_none(data, "gunnery", at),
            lp=number(data, "lp", at),
            designator=fields.truth(data, "designator", at),
            uplink=fields.one_of_or_first(data, "uplink", UPLINKS, at),
            scope=fields.truth(data, "scope", at),
        )
        found.append(spotter)
    return found


def _obstacle(value: object, where: str) -> tuple[str, Obstacle]:
    data = fields.an_object(value, where)
    name = name_of(data, where)
    turn = None if data.get("turn") is None else number(data, "turn", where)
    against = fields.text_or_none(data, "against", where)
    if (turn is None) != (against is None):
        missing = "turn" if turn is None else "against"
        raise SetupError(f"{where}.{missing}: turn and against stand together")
    if fields.truth(data, "random", where):
        return name, Obstacle(turn=turn, against=against)
    return name, Obstacle(
        size=fields.one_of(data.get("size"), SIZES, f"{where}.size"),
        speed=number(data, "speed", where),
        vector=fields.one_of(data.get("vector"), VECTORS, f"{where}.vector"),
        turn=turn,
        against=against,
    )


def _site(value: object, where: str) -> tuple[str, Site]:
    data = fields.an_object(value, where)
    kind = fields.one_of(data.get("kind"), KINDS, f"{where}.kind")
    # LP and armour of a set-up count for an area only (CX-67).
    *_, lp, armour = KINDS[kind]
    if kind == AREA:
        lp, armour = number(data, "lp", where), number_or(0, data, "armour", where)
    return name_of(data, where), Site(kind, lp, armour, number_or(0, data, "population", where))


def _check_names(teams: tuple[Team, Team], obstacles: list[str], sites: list[str]) -> None:
    """Raise SetupError where two things are called the same."""
    names: list[tuple[str, str]] = []
    for key in ("vessels", "spotters"):
        for number_of_team, team in enumerate(teams):
            at = f"{_SETUP}.teams[{number_of_team}].{key}"
            names += [(name, f"{at}[{n}].name") for n, name in enumerate(getattr(team, key))]
    names += [(name, f"{_SETUP}.sites[{n}].name") for n, name in enumerate(sites)]
    names += [(name, f"{_SETUP}.obstacles[{n}].name") for n, name in enumerate(obstacles)]
    fields.unique(names)


def _check_against(obstacles: list[tuple[str, Obstacle]], sheets: dict[str, VesselSheet]) -> None:
    """Raise SetupError where an obstacle strikes at nobody, or at a person."""
    for n, (_, obstacle) in enumerate(obstacles):
        if obstacle.against is None:
            continue
        sheet = sheets.get(obstacle.against)
        if sheet is None or sheet.scale == PERSONAL:
            raise SetupError(
                f"{_SETUP}.obstacles[{n}].against: {obstacle.against!r} is not a craft"
            )


def _ranges(data: Data, first: Team, second: Team, atmosphere: bool) -> dict[str, int]:
    # One range for all pairs; `ranges` names the exceptions.
    usual = _range(data.get("range"), atmosphere, f"{_SETUP}.range")
    ranges = {f"{one}|{other}": usual for one in first.vessels for other in second.vessels}
    for key, found in fields.by_name(data, "ranges", _SETUP).items():
        if key not in ranges:
            raise SetupError(f"{_SETUP}.ranges.{key}: it names no pair, the first team's first")
        ranges[key] = _range(found, atmosphere, f"{_SETUP}.ranges.{key}")
    return ranges


def _range(found: object, atmosphere: bool, where: str) -> int:
    if atmosphere:
        return fields.whole(found, *LIMITS["feet"], where)
    return RANGES.index(fields.one_of(found, RANGES, where))
