"""A database whose rows are sealed in the transactions that write them."""

from collections.abc import Iterator
from contextlib import contextmanager

from pbem.storage.connection import Connection
from pbem.storage.seals import Seals


class SealedDatabase(Connection):
    """A league's database; each row that a repository writes is sealed in the same transaction."""

    seals: Seals

    @contextmanager
    def writing(self) -> Iterator[None]:
        """Write rows in the transaction that is open, or else in one that ends with their seals."""
        if self.database.in_transaction():
            yield
        else:
            with self.transaction():
                yield

    def before_commit(self) -> None:
        """Seal what was written."""
        self.seals.renew()

    def undone(self) -> None:
        """Forget what was written: otherwise the next transaction would seal it."""
        self.seals.forget()
