"""Compare the engine with the naive referee: `python -m tests.oracle.cortex 20000 --seed 1`.

Says how many of so many random scenarios differ, and prints the smallest of those that do, made
smaller still. With `--drill officers` all begin with that drill. With `--print` the scenarios are
printed instead, one a line, for another program.
"""

import argparse
import json
import sys
from random import Random

from tests.oracle.cortex.author import author
from tests.oracle.cortex.drills import DRILLS
from tests.oracle.cortex.shrinking import difference, shown, shrunk

parser = argparse.ArgumentParser(prog="python -m tests.oracle.cortex", description=__doc__)
parser.add_argument("count", type=int, help="how many scenarios")
parser.add_argument("--seed", default="0", help="other scenarios for each seed")
parser.add_argument("--print", action="store_true", help="print them and compare nothing")
known = {drill.__name__: drill for drill in DRILLS}
parser.add_argument("--drill", choices=known, help="how all scenarios begin")
chosen = parser.parse_args()

differing = []
for number in range(chosen.count):
    scenario = author(Random(f"{chosen.seed} {number}"), known.get(chosen.drill))
    if chosen.print:
        print(json.dumps(scenario))
    elif difference(scenario):
        differing.append(scenario)
if not chosen.print:
    print(f"{chosen.count} scenarios, {len(differing)} of them differ")
    for smallest in sorted(map(json.dumps, differing), key=len)[:1]:
        print(shown(shrunk(json.loads(smallest))))
sys.exit(1 if differing else 0)
