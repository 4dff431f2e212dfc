"""Print random scenarios, one a line: `python -m tests.oracle.starfarer FIRST COUNT`.

Each of them is followed by one that is broken in some way. `pbem replay --batch` reads them, and so
can a second implementation in whatever language.
"""

import json
import sys
from random import Random

from tests.oracle.starfarer.author import author
from tests.oracle.starfarer.broken import BREAKS, broken_by

first, count = map(int, sys.argv[1:])
kinds = sorted(BREAKS)
for number in range(first, first + count):
    scenario = author(Random(number)).scenario()
    print(json.dumps(scenario))
    print(json.dumps(broken_by(kinds[number % len(kinds)], Random(number), scenario)))
