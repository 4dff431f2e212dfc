"""Check a StarPilot battle, each line by the rules SP-4 to SP-29, without trusting its referee.
Whether commitments, pilots, orders and SALT lines are those of your letters, compare yourself."""

import hmac
import json
import sys
from argparse import ArgumentParser, FileType, Namespace
from copy import deepcopy
from hashlib import sha256

SHIPS = """Rus 0323233 Lakota 2324244 Cymru 3434255 Angela 0332233 Brandy 2342244 Catherine 3443255
Clipus 0323323 Parma 2324334 Scutum 3434345 Wright 0332323 Gagarin 2342334 Armstrong 3443345"""
STATS = ("beams", "missiles", "maneuver", "speed", "shields", "electronics", "structure")
APTITUDES = {s: ("weapons", "piloting", "sensors")[n // 2] for n, s in enumerate(STATS[:6])}
COMMANDS = ("FIRE", "LAUNCH", "DOGFIGHT JINK", "CLOSE OPEN", "PROTECT", "ECM SCAN TARGET")
STAT_OF = {command: STATS[n] for n, some in enumerate(COMMANDS) for command in some.split()}
SHOTS, AT_ONE = ("FIRE", "LAUNCH"), ("FIRE", "LAUNCH", "DOGFIGHT", "TARGET", "SURRENDER")
STOPS = {"ECM": ("LAUNCH", "TARGET"), "JINK": ("FIRE", "TARGET"), "PROTECT": SHOTS}  # SP-21
MOVES = {"CLOSE": {"far": "near", "extreme": "far"}, "OPEN": {"near": "far", "far": "extreme"}}
line = json.JSONEncoder(sort_keys=True, separators=(",", ":"), default=vars).encode
now = Namespace(cards={}, pilots={}, pairs={}, outs=2, quiet=0, fought=False, drawn=False)


def leave(me: str, how: str, by: object = None) -> None:  # SP-22, SP-23, SP-25, SP-27
    now.foes = [a if b == me else b for a, b in now.pairs if me in (a, b)]
    now.pairs = {key: pair for key, pair in now.pairs.items() if me not in key}
    now.threats = [threat for threat in now.threats if me not in threat[:2]]
    pilot, by, escaped = now.pilots[me], by or now.foes[0], how == "ESCAPE"
    pays = how == "EJECT" or (how == "SURRENDER" and len(now.pilots) == 2)
    pilot.hp_lost = pays * min(2, round(10 * float(now.cards[me]["hp"])))  # HP in tenths
    pilot.fate, pilot.hp = how.lower().rstrip("e") + "ed", pilot.hp + 3 * (now.fought and escaped)
    for foe in now.foes if now.fought else ():  # SP-28, SP-28a
        now.pilots[foe].hp += 7 if escaped else 10 if foe == by else 4
    vars(now.pilots[by])["prizes" if how == "SURRENDER" else "kills"] += now.fought and not escaped


def act(me: str, command: str, *names: str) -> None:  # SP-11
    if me == "|referee":  # SP-29
        leave(names[0], {"FORFEIT": "SURRENDER"}[command])
        return
    pilot, card, mates = now.pilots[me], now.cards[me], {key[now.turn] for key in now.pairs}
    near = {key[1 - now.turn]: pair for key, pair in now.pairs.items() if key[now.turn] == me}
    lone = next(iter(near)) if len(near) == 1 and command in AT_ONE else None
    foe = lone if not names or (command == "SURRENDER" and lone and len(mates) == 1) else names[0]
    mine = sorted((t for t in now.threats if t[1] == me), key=lambda t: t[2] == "TARGET")
    locked = {t[1]: me for t in now.threats if t[0] == me and t[2] == "TARGET"}
    reach = [at for at in near if near[at]["range"] != "extreme"]
    sure = [at for at in reach if (near[at]["advantage"] or locked.get(at)) == me]  # SP-17
    able = [c for c, s in STAT_OF.items() if pilot.stats[s] > 0 and (pilot.found or c == "SCAN")]
    aims = {c: sure if c in SHOTS else {*near} & {*pilot.found} for c in AT_ONE}
    legal = [(c, at) for c in able for at in aims.get(c, [None])]
    legal += [("ESCAPE", None)] * (not reach) + [("EJECT", None)] * bool(pilot.found and mine)
    legal = (legal or [("HOLD", None)]) + [("SURRENDER", at) for at in near]
    assert (command, foe) in (legal if near and me not in now.done else []), f"{me} can't {command}"
    stat, bonus = STAT_OF.get(command, "beams"), 30 * (command in SHOTS and foe in locked)
    chance = card["odds"] if command == "EJECT" else card["rated"][stat] * card[APTITUDES[stat]]
    if command in (*STAT_OF, "EJECT") and now.roll(f"{me} {command}") > chance + bonus:
        command = "none"
    now.threats = [t for t in now.threats if t[1] != me or t[2] not in STOPS.get(command, ())]
    for pair in [pair for pair in near.values() if pair["range"] in MOVES.get(command, ())]:
        pair.update(range=MOVES[command][pair["range"]], advantage=None)  # SP-14
    for mate in mates if command == "SCAN" else ():  # SP-12
        now.pilots[mate].found = sorted({*now.pilots[mate].found, *near})
    if command == "DOGFIGHT":  # SP-15
        near[foe]["advantage"] = None if near[foe]["advantage"] == foe else me
    elif command in ("ESCAPE", "SURRENDER", "EJECT"):
        leave(me, command, mine[0][0] if command == "EJECT" else foe)
    for by, _, kind, was in [t for t in now.threats if t[1] == me and t[3]]:  # SP-20
        full = was == "near" if kind == "FIRE" else was == "far" and near[by]["range"] != "extreme"
        for _ in range(now.cards[by]["rated"][STAT_OF[kind]] if full else 1):
            if pilot.fate == "active":  # SP-26, SP-27
                d, now.quiet = now.roll(f"damage to {me}"), -1
                pilot.stats[stat] = max(pilot.stats[(stat := STATS[min((d - 1) // 10, 6)])] - 1, -1)
                pilot.found, pilot.wounded = sorted({*pilot.found, by}), pilot.wounded or d >= 90
                if pilot.stats["structure"] == -1 or [*pilot.stats.values()].count(-1) == 2:
                    alive = now.roll(f"{me} standard ejection") <= card["odds"]
                    leave(me, "Eject" if alive else "Kill", by)
    now.threats = [t for t in now.threats if (t[1] != me if t[3] else t[0] != me)]  # steps 4, 5
    if command in (*SHOTS, "TARGET") and pilot.fate == "active":  # SP-16, SP-19
        now.threats.append((me, foe, command, near[foe]["range"] * (command in SHOTS)))
    now.done, now.quiet, now.fought = [*now.done, me], now.quiet + 1, now.fought or command in SHOTS
    now.out = now.out and not reach and command != "ESCAPE"


(parser := ArgumentParser(description=__doc__)).add_argument("export", type=FileType("rb"))
lines = parser.parse_args().export.read().decode("utf-8", "replace").split("\n")
where, seal, end, log = "the first and last lines", "", len(lines) - 5, Namespace(saved={})
now.roll = lambda why: log.rolls.append([100, next(log.dice), why]) or log.rolls[-1][1]
sys.excepthook = lambda kind, error, trace: print(f"WRONG: {where}: {str(error)!a}")
assert (end >= 0, lines[0], lines[-2:]) == (True, "[", ["]", ""]), "this is no whole export"
for n, written in enumerate(lines[1:-2], -1):
    where = f"line {n + 3} ({'head' if n < 0 else f'step {n}' if n < end else 'result'})"
    part = json.loads(written.rstrip(","))
    over, undo = now.drawn or not now.pairs, line(part.get("orders"))[:19] == '[["|referee","UNDO '
    assert n < 0 or (n == end) == over or (undo and n < end), "the battle was over, or is not yet"
    if n < 0:
        secret, game = bytes.fromhex(part["secret"]), b"pbem-dice-1\0%b\0" % part["id"].encode()
        teams, part["commitment"] = part["setup"]["teams"], sha256(secret).hexdigest()
        part.update(format="pbem-game-1", system="starpilot", version=1, secret=secret.hex())
        now.pairs = [(a["name"], b["name"]) for a in teams[0]["pilots"] for b in teams[1]["pilots"]]
        for card, team in [(card, side["name"]) for side in teams for card in side["pilots"]]:
            digits, odds = SHIPS.split(card["ship"].split()[0] + " ")[1], 25 + 15 * card["rank"]
            table = [*sorted(digits[:2], reverse=card["ship"][-1] in "BS"), *digits[2:7]]
            rated = {s: int(table[n]) + int(f"{card['mark']:06b}0"[n]) for n, s in enumerate(STATS)}
            now.cards[card["name"]] = {**card, "team": team, "rated": rated, "odds": odds}
            now.pilots[card["name"]] = pilot = Namespace(fate="active", stats={**rated}, found=[])
            vars(pilot).update(wounded=False, hp=0, hp_lost=0, kills=0, prizes=0)
        teams, first = [team["name"] for team in teams], part["setup"].get("first")
    elif n < end:
        salts = [f"SALT {salt}" for salt in part["salts"]]
        digest = sha256(line([order for _, order in part["orders"]] + salts).encode())
        key = hmac.digest(secret, game + n.to_bytes(8, "big") + digest.digest(), "sha256")
        blocks = (hmac.digest(key, i.to_bytes(8, "big"), "sha256") for i in range(2**32))
        words = (int.from_bytes(b[i : i + 4], "big") for b in blocks for i in range(0, 32, 4))
        log.dice, log.rolls = (1 + word % 100 for word in words if word < 2**32 - 96), []
        if undo:
            now = deepcopy(log.saved[(back := part["orders"][0][1].split(" UNDER ")[0])])
            log.saved = dict([*log.saved.items()][: [*log.saved].index(back) + 1])
            secret = bytes.fromhex(part["secret"]) if over else secret
            part["orders"] = [["|referee", back + f" UNDER {sha256(secret).hexdigest()}" * over]]
        assert part["orders"] or (now.turn, part["orders"], salts) == (None, [], []), "no order"
        while now.turn is None and not part["orders"]:  # SP-9
            low, high = [t != first if first else now.roll(f"initiative {t}") for t in teams]
            now.turn, first = None if low == high else int(low > high), None
        now.drawn |= [[s, o.split()[:1]] for s, o in part["orders"]] == [["|referee", ["DRAW"]]]
        for seat, order in part["orders"] if not (now.drawn or undo) else ():
            act(seat, *order.split(" ", 1))
        now.drawn = now.drawn or bool(now.pairs) * now.quiet >= 100 * len(now.pilots)  # SP-28c
        if now.done and not now.drawn and {key[now.turn] for key in now.pairs} <= {*now.done}:
            now.turn, now.done, now.out, now.outs = 1 - now.turn, [], True, now.out * (now.outs + 1)
        part.update(step=n, salts=[*part["salts"]], digest=digest.hexdigest(), rolls=log.rolls)
    else:
        for (a, b), pair in now.pairs.items():
            on = [t for t in now.threats if {a, b} == {*t[:2]}]
            pair["shots"] = [{"by": t[0], "weapon": t[2].lower(), "from": t[3]} for t in on if t[3]]
            pair["locks"] = sorted(t[0] for t in on if not t[3])
        for pilot in now.pilots.values():
            pilot.hp, pilot.hp_lost = f"{pilot.hp / 10:g}", f"{pilot.hp_lost / 10:g}"
        winner = None if now.pairs else now.cards[now.foes[0]]["team"]
        state = {"turn": None, "to_act": [], "over": True, "winner": winner, "pilots": now.pilots}
        state["pairs"] = {f"{a}|{b}": pair for (a, b), pair in now.pairs.items()}
        part.update(state=state, winner=winner, drawn=now.drawn)
    if now.outs == 2:  # SP-8, SP-24: the battle begins, or begins anew
        now.pairs = {key: {"range": "far", "advantage": None} for key in now.pairs}
        now.threats, now.done, now.out, now.outs, now.turn = [], [], True, 0, None
    log.saved[f"UNDO TO {n}"] = any(f"UNDO TO {n}" in one for one in lines) and deepcopy(now)
    seal = sha256((seal + line({k: part[k] for k in part if k != "seal"})).encode()).hexdigest()
    assert line({**part, "seal": seal}) + "," * (n < end) == written, "it should read " + line(part)
    print("agrees:", where, "- so all of it agrees" * (n == end))
sys.exit(None if __debug__ else "python3 -O checks nothing: leave out the -O")
