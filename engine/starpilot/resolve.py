"""A pilot's turn from order to events; only this module and `damage` roll dice in a battle."""

from collections.abc import Callable, Mapping, Sequence

from engine.dice import Dice
from engine.errors import IllegalOrder
from engine.events import Event, Play
from engine.seats import REFEREE, Seat
from engine.starpilot import events as ev
from engine.starpilot.apply import apply, pay, score, victory
from engine.starpilot.damage import land_all
from engine.starpilot.legal import REASONS, chance, refusal, target, threats
from engine.starpilot.model import (
    Battle,
    Order,
    Weapon,
    active,
    at_edge,
    holds_lock,
    is_duel,
    mates,
    opponents,
    pair_of,
    to_move,
)
from engine.starpilot.tables import (
    EXTREME,
    HP_CAPTURE,
    HP_DRIVE_OFF,
    HP_ESCAPE,
    HP_KILL,
    NEAR,
    QUIET_TURNS_A_PILOT,
    STOPS,
    STOPS_LOCKS,
    ejection_chance,
)

Resolution = tuple[Battle, tuple[Event, ...]]


def resolve(battle: Battle, orders: Mapping[Seat, Sequence[Order]], dice: Dice) -> Resolution:
    """Return the battle after one step, and its events, which `apply` folds to the same battle.

    A step is the initiative (no orders), one pilot's turn, or the referee's ruling. Orders of
    several seats are taken in order of the seats' names, whichever arrived first. Raise
    IllegalOrder with its reason code where an order is not legal now.
    """
    play = Play(battle, dice, apply)
    if not orders:
        _initiative(play)
    # By name, so that the same letters give the same dice in whatever order they arrived.
    for seat in sorted(orders):
        for order in orders[seat]:
            if seat == REFEREE:
                _rule(play, order)
            else:
                _take_turn(play, seat, order)
    return play.battle, tuple(play.events)


def _initiative(play: Play[Battle]) -> None:
    """Decide who starts: each team rolls d100, the lower starts, ties roll again; or as agreed
    (SP-9)."""
    if play.battle.over:
        raise IllegalOrder(REASONS["over"], reason="over")
    if play.battle.turn is not None:
        raise IllegalOrder("a step needs an order", reason="not your turn")
    # The step is taken all the same, so that every game's log begins alike; no die is drawn.
    if play.battle.agreed is not None:
        play.record(ev.Begun(play.battle.agreed))
        return
    first, second = play.battle.teams
    while True:
        one = play.dice.roll(100, f"initiative {first.name}")
        other = play.dice.roll(100, f"initiative {second.name}")
        if one != other:
            break
        play.record(ev.Tied(one))
    play.record(ev.Begun(first.name if one < other else second.name, (one, other)))


def _take_turn(play: Play[Battle], name: str, order: Order) -> None:
    """Take one pilot's turn in the steps of SP-11."""
    reason = refusal(play.battle, name, order)
    if reason is not None:
        raise IllegalOrder(REASONS[reason], reason=reason)
    # Noted before the command, which may change the range (SP-11, step 1).
    edge = at_edge(play.battle, name)
    command(play, name, order)
    # Who left in this turn has neither locks nor shots any more (SP-27).
    if play.battle.pilots[name].fate == "active":
        _fade(play, name)
        land_all(play, name)
    # After the shots have landed, because one that lands ends the quiet turns (SP-28c).
    play.record(ev.Acted(name, edge and order.command != "ESCAPE"))
    _close(play)


def command(play: Play[Battle], name: str, order: Order) -> None:
    """Carry out what a pilot commands, without the rest of its turn (SP-11, step 3)."""
    # An order may name nobody where there is only one to mean; from here on it names them.
    named = Order(order.command, target(play.battle, name, order))
    _COMMANDS[order.command](play, name, named)


def _check(play: Play[Battle], name: str, order: Order) -> bool:
    """Roll a command's d100 against its skill, and return whether it succeeded (SP-5, SP-18)."""
    battle = play.battle
    skill = chance(battle, name, order)
    assert skill is not None
    roll = play.dice.roll(100, f"{name} {order.command}", (skill,))
    # The other commands name nobody, and what they named is ignored.
    named = order.at if order.command in ("FIRE", "LAUNCH", "TARGET", "DOGFIGHT") else None
    locked = named is not None and holds_lock(battle, name, named)
    success = roll <= skill
    # A failed try is an event as well: players see the roll, and can check it.
    play.record(ev.Tried(name, order.command, named, skill, roll, success, locked))
    return success


def _change_range(step: int) -> Callable[[Play[Battle], str, Order], None]:
    """Return CLOSE or OPEN: one step of range to every active opponent (SP-14)."""

    def move(play: Play[Battle], name: str, order: Order) -> None:
        if not _check(play, name, order):
            return
        # Ranges are kept by pair, so that each opponent may stand at another one.
        for foe in opponents(play.battle, name):
            distance = pair_of(play.battle, name, foe).range
            moved = min(max(distance + step, NEAR), EXTREME)
            if moved != distance:
                play.record(ev.Moved(name, foe, moved))

    return move


def _dogfight(play: Play[Battle], name: str, order: Order) -> None:
    """Change the Advantage from the opponent's to none, or from none to one's own (SP-15)."""
    foe = order.at
    assert foe is not None
    if _check(play, name, order):
        holder = pair_of(play.battle, name, foe).advantage
        # A DOGFIGHT with the Advantage already held is rolled and changes nothing (SP-13).
        if holder != name:
            play.record(ev.Positioned(name, foe, None if holder == foe else name))


def _defend(play: Play[Battle], name: str, order: Order) -> None:
    """ECM, JINK and PROTECT: cancel what this command stops of all shots and locks (SP-21)."""
    if not _check(play, name, order):
        return
    battle, stops = play.battle, STOPS[order.command]
    shots = [s for s in battle.shots if s.at == name and s.weapon in stops]
    locks = [k for k in battle.locks if k.on == name and order.command in STOPS_LOCKS]
    if shots or locks:
        play.record(ev.Evaded(name, tuple(shots), tuple(locks)))


def _shoot(play: Play[Battle], name: str, order: Order) -> None:
    """FIRE and LAUNCH: put a shot in flight (SP-19)."""
    foe = order.at
    assert foe is not None
    if _check(play, name, order):
        origin = pair_of(play.battle, name, foe).range
        # The range at this moment decides what the shot does when it lands (SP-20).
        weapon: Weapon = "fire" if order.command == "FIRE" else "launch"
        play.record(ev.Shooting(name, foe, weapon, origin))


def _scan(play: Play[Battle], name: str, order: Order) -> None:
    """Find every active opponent for every active teammate (SP-12)."""
    if not _check(play, name, order):
        return
    battle = play.battle
    foes = tuple(opponents(battle, name))
    for mate in mates(battle, name):
        # Each team-mate may have found some by itself, when it was hit (SP-12).
        new = tuple(foe for foe in foes if foe not in battle.pilots[mate].found)
        if new:
            play.record(ev.Located(mate, new))


def _target(play: Play[Battle], name: str, order: Order) -> None:
    """Take a lock (SP-16)."""
    assert order.at is not None
    if _check(play, name, order):
        play.record(ev.Locked(name, order.at))


def _escape(play: Play[Battle], name: str, order: Order) -> None:
    """Leave the battle (SP-23, SP-28)."""
    play.record(ev.Tried(name, "ESCAPE"))
    play.record(ev.Left(name, "escaped"))
    score(play, name, HP_ESCAPE, "escape")
    for foe in opponents(play.battle, name):
        score(play, foe, HP_DRIVE_OFF, "drive-off")


def _surrender(play: Play[Battle], name: str, order: Order) -> None:
    """Surrender to a captor (SP-25)."""
    play.record(ev.Tried(name, "SURRENDER", order.at))
    _yield(play, name, order.at)


def _yield(play: Play[Battle], name: str, captor: str | None) -> None:
    play.record(ev.Left(name, "surrendered", captor))
    if captor is not None:
        victory(play, captor, HP_CAPTURE, "prize")
    # Only in a duel does a surrender cost HP (SP-28).
    if is_duel(play.battle):
        pay(play, name)


def _eject(play: Play[Battle], name: str, order: Order) -> None:
    """Try an early ejection (SP-22)."""
    battle = play.battle
    odds = ejection_chance(battle.pilots[name].card.rank)
    roll = play.dice.roll(100, f"{name} EJECT", (odds,))
    play.record(ev.Tried(name, "EJECT", None, odds, roll, roll <= odds))
    if roll <= odds:
        # The kill goes to the earliest shot's owner, else to the earliest lock's (SP-22).
        winner = threats(battle, name)[0]
        play.record(ev.Left(name, "ejected", winner))
        victory(play, winner, HP_KILL, "kill")
        pay(play, name)


def _hold(play: Play[Battle], name: str, order: Order) -> None:
    """Pass the turn without a die (SP-28b)."""
    play.record(ev.Tried(name, "HOLD"))


_COMMANDS: dict[str, Callable[[Play[Battle], str, Order], None]] = {
    "CLOSE": _change_range(-1),
    "OPEN": _change_range(+1),
    "DOGFIGHT": _dogfight,
    "ECM": _defend,
    "JINK": _defend,
    "PROTECT": _defend,
    "FIRE": _shoot,
    "LAUNCH": _shoot,
    "SCAN": _scan,
    "TARGET": _target,
    "ESCAPE": _escape,
    "SURRENDER": _surrender,
    "EJECT": _eject,
    "HOLD": _hold,
}


def _fade(play: Play[Battle], name: str) -> None:
    """Drop the locks that the pilot held from its previous turn (SP-11, step 4)."""
    # Step 4 comes after the command, so that a lock still helps the shot of this turn (SP-11).
    stale = [k.on for k in play.battle.locks if k.by == name and not k.fresh]
    if stale:
        play.record(ev.Faded(name, tuple(stale)))


def _close(play: Play[Battle]) -> None:
    """End the battle, the team's turn, or neither (SP-11 step 6, SP-24, SP-28, SP-28c)."""
    battle = play.battle
    standing = [team.name for team in battle.teams if active(battle, team)]
    if len(standing) < 2:
        play.record(ev.Over(standing[0] if standing else None, why="alone"))
    # Only then: a last quiet turn in which a team's last pilot leaves has a winner.
    elif battle.quiet >= QUIET_TURNS_A_PILOT * len(battle.pilots):
        play.record(ev.Over(None, drawn=True, why="quiet"))
    elif battle.turn is not None and not to_move(battle):
        _pass(play)


def _pass(play: Play[Battle]) -> None:
    battle = play.battle
    # Two successive team turns at Extreme in which nobody escaped: a restart (SP-24).
    if battle.at_edge and battle.edge_before:
        play.record(ev.Restarted())
        return
    first, second = battle.teams
    play.record(ev.Passed(second.name if battle.turn == first.name else first.name))


def _rule(play: Play[Battle], order: Order) -> None:
    """End a battle by the referee's ruling: DRAW, or FORFEIT of a pilot (SP-29)."""
    battle = play.battle
    if battle.over:
        raise IllegalOrder(REASONS["over"], reason="over")
    if order.command == "DRAW":
        play.record(ev.Over(None, drawn=True, why="ruled"))
        return
    name = order.at
    if order.command != "FORFEIT" or name not in battle.pilots:
        raise IllegalOrder(REASONS["unknown command"], reason="unknown command")
    if battle.pilots[name].fate != "active":
        raise IllegalOrder(REASONS["out of the battle"], reason="out of the battle")
    play.record(ev.Tried(name, "FORFEIT"))
    # A forfeit counts as a surrender to the opponent (SP-29). Nobody is there to name one of
    # several, so it is who has the pilot in its sights, as where a pilot ejects (SP-22).
    captors = threats(battle, name) or opponents(battle, name)
    _yield(play, name, captors[0])
    _close(play)
