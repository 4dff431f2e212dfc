"""A daemon at work in a thread of this process."""

import threading
from collections.abc import Iterator
from contextlib import contextmanager

from pbem.service.daemon import Daemon


@contextmanager
def running(worker: Daemon) -> Iterator[Daemon]:
    """Run a daemon until the block ends."""
    runner = threading.Thread(target=worker.run)
    runner.start()
    try:
        yield worker
    finally:
        worker.stop()
        runner.join(20)
    assert not runner.is_alive()
