"""Fuzz a target for some seconds: `python -m tests.fuzz reading 600`; status 1 with a crasher."""

import sys
from hashlib import sha256
from pathlib import Path
from tempfile import TemporaryDirectory

import atheris

_ROOMS = ["engine", "pbem.intake", "pbem.handlers"]
_SLOW = ["engine.orders.line_shapes", "engine.orders.wrapped_lines"]
"""Their inner loops run so often that watching them leaves time for nothing else."""

with atheris.instrument_imports(include=_ROOMS, exclude=_SLOW):
    from tests.fuzz.targets import TARGETS, seeds

HERE = Path(__file__).parent


def main(name: str, seconds: str) -> None:
    """Fuzz until the time is over or something is raised; crashers are kept next to the seeds."""
    kept = HERE / name
    kept.mkdir(exist_ok=True)
    with TemporaryDirectory() as folder:
        for seed in seeds(name):
            (Path(folder) / sha256(seed).hexdigest()[:16]).write_bytes(seed)
        options = [f"-max_total_time={seconds}", "-max_len=20000", "-timeout=10"]
        arguments = [sys.argv[0], *options, f"-artifact_prefix={kept}/", folder, str(kept)]
        atheris.Setup(arguments, TARGETS[name])
        atheris.Fuzz()


if __name__ == "__main__":
    main(sys.argv[1], sys.argv[2] if len(sys.argv) > 2 else "600")
