"""Appendix F on a board: nominations, endorsements and the medal, all in a battle's thread."""

from pbem.maintenance.rebuild import rebuild
from pbem.storage import Endorsement, Nomination
from tests.by_board.conftest import Duel
from tests.by_board.test_duel import posts, to_the_end
from tests.by_mail.test_campaign import STORY, member
from tests.support.board_league import Poster, to


def witnesses(fight: Duel) -> list[Poster]:
    """Three players of other pilots, with accounts on the board, after the duel."""
    to_the_end(fight)
    people = [member(fight.league, name, f"{name} One") for name in ("Cid", "Dee", "Eve")]
    found = [Poster(fight.league, one, fight.server, one.name.lower()) for one in people]
    for one in found:
        one.link()
    return found


def medals(fight: Duel) -> int:
    """How many medals have been given."""
    return fight.league.store.count(Nomination.select().where(Nomination.state == "given"))


def test_two_endorsements_in_the_thread_award_the_medal(fight: Duel) -> None:
    cid, dee, eve = witnesses(fight)
    before = len(posts(fight))
    cid.post(f"NOMINATE Hawk\n{STORY}")
    [made] = posts(fight)[before:]
    assert "He stayed when he could have run." in made
    dee.post("ENDORSE 1")
    assert "1 of the 2 endorsements" in " ".join(posts(fight)[-1].split())
    assert medals(fight) == 0
    eve.post("ENDORSE 1")
    assert "[C14]" in posts(fight)[-1]
    assert medals(fight) == 1
    # The posts are all the answer that there is.
    assert len(posts(fight)) == before + 3
    assert to(fight.server, "dee") == []


def test_who_may_not_is_told_why_and_counts_nothing(fight: Duel) -> None:
    cid, dee, _ = witnesses(fight)
    cid.post(f"NOMINATE Hawk\n{STORY}")
    dee.post("ENDORSE 1")
    for poster, why in (
        (cid, "that is your own nomination"),
        (dee, "you have endorsed nomination 1 already"),
        (fight.ann, "Hawk is your own pilot"),
    ):
        poster.post("ENDORSE 1")
        assert why in " ".join(posts(fight)[-1].split())
    fight.server.post("zoe", "ENDORSE 1")
    assert medals(fight) == 0
    assert fight.league.store.count(Endorsement.select()) == 1


def test_by_mail_and_on_the_board_are_counted_together(fight: Duel) -> None:
    cid, dee, eve = witnesses(fight)
    cid.person.ask(f"NOMINATE Hawk IN 1\n{STORY}\nEND\nKEY {cid.person.key}")
    dee.post("ENDORSE 1")
    eve.person.ask(f"ENDORSE 1\nKEY {eve.person.key}")
    assert medals(fight) == 1


def test_a_replay_gives_the_same_medal_and_the_same_posts(fight: Duel) -> None:
    cid, dee, eve = witnesses(fight)
    cid.post(f"NOMINATE Hawk\n{STORY}")
    for poster in (dee, eve):
        poster.post("ENDORSE 1")
    assert medals(fight) == 1
    assert rebuild(fight.league.settings, fight.league.folder / "new.db") == []
