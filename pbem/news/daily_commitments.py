"""The commitments of each day, posted for everybody, so that all players see the same ones."""

from datetime import datetime

from pbem.games import commitments
from pbem.games.reports.reports import Reports
from pbem.storage import Pledge

POSTED = "pledges_told"
"""The key in the database for the highest game number whose commitment the channels have."""


def post_due(reports: Reports, now: datetime) -> None:
    """Post the commitments of the days that are over, if there are any; no number is skipped."""
    store, day = reports.store, reports.settings.league.day
    last = int(store.meta(POSTED) or 0)
    if not reports.posts.channels or store.newest(Pledge) == last:
        return
    # Only days that are over, so that nothing is added to a post that others have read.
    found = [one for one in commitments.pledges(store, id__gt=last) if day(one.made) < day(now)]
    if not found:
        return
    ident = f"commitments-{found[-1].id}"
    with store.transaction():
        listed = [commitments.facts(one) for one in found]
        reports.posts.write("commitments", now, ident=ident, thread=ident, listed=listed)
        store.set_meta(POSTED, str(found[-1].id))
