"""The personas' table: wherever a record is written, the columns that it is ranked by are too."""

from collections.abc import Mapping
from typing import Any

from pbem.storage.ranks import ranked
from pbem.storage.records import Persona
from pbem.storage.repository import Repository


class Personas(Repository[Persona]):
    """The personas, each with the columns that it is ranked by."""

    def _insert(self, values: Mapping[str, Any], ending: str = "") -> Any:
        given = (values[key] for key in ("system", "name", "side", "folded", "record"))
        return super()._insert({**values, **ranked(*given)}, ending)

    def change_all(self, fits: Mapping[str, Any], **values: Any) -> int:
        """Change some values of all rows that fit, and return how many these are."""
        if "record" not in values:
            return super().change_all(fits, **values)
        found = self.all(**fits)
        for row in found:
            new = row._replace(**values)
            columns = ranked(new.system, new.name, new.side, new.folded, new.record)
            super().change_all({"id": row.id}, **values, **columns)
        return len(found)
