"""Appendix F in public: a nomination, its endorsements and the medal are posts, also by mail."""

import pytest

from pbem.storage import Nomination, Player, Post
from tests.by_mail.test_campaign import STORY, end, fought, member
from tests.support.board_folders import boards, posted, said
from tests.support.harness import League, Person, duel
from tests.support.players import words

ORDER = f"NOMINATE Hawk IN 1\n{STORY}"


def witnesses(league: League) -> tuple[Person, ...]:
    return tuple(member(league, name, f"{name} One") for name in ("Cid", "Dee", "Eve"))


def after_a_duel(league: League) -> tuple[Person, ...]:
    """Three witnesses of a duel whose thread stands on a board."""
    boards(league)
    end(*duel(league))
    return witnesses(league)


def heroism(league: League, channel: str = "forum") -> list[str]:
    """What a board has got about nominations, each as its ident and its thread."""
    found = league.store.all(Post.select().where(Post.channel == channel).order_by(Post.id))
    return [f"{one.ident} {one.thread}" for one in found if one.ident.startswith("nomination")]


def test_a_nomination_its_endorsement_and_the_medal_stand_in_the_battles_thread(
    league: League,
) -> None:
    cid, dee, eve = after_a_duel(league)
    cid.ask(ORDER)
    dee.ask("ENDORSE 1")
    eve.ask("ENDORSE 1")
    threads = ["nomination-1 G1", "nomination-1-1 G1", "nomination-1-given G1"]
    assert heroism(league) == heroism(league, "paste") == threads
    made, endorsed, given = posted(league)[-3:]
    assert "He stayed when he could have run." in made.body
    assert "It has 0 of the 2 endorsements" in said(made)
    assert "ENDORSE 1" in made.body
    assert "It has 1 of the 2 endorsements" in said(endorsed)
    assert "He stayed" not in endorsed.body
    assert "Hawk, for what was done in game 1" in said(given)
    assert "[C14]" in given.body
    # Nobody is named who has only written by mail.
    for post in (made, endorsed, given):
        assert not any(name in post.body for name in ("Cid", "Dee", "Eve", "@"))


def test_where_a_battle_has_no_thread_the_channels_own_takes_it(league: League) -> None:
    fought(league)
    cid, dee, _ = witnesses(league)
    boards(league)
    cid.ask(ORDER)
    dee.ask("ENDORSE 1")
    assert heroism(league) == ["nomination-1 honours", "nomination-1-1 honours"]
    first, then = league.store.all(
        Post.select().where(Post.channel == "forum", Post.thread == "honours").order_by(Post.id)
    )
    assert (first.title, then.title) == ("Medals for heroism", "Nomination 1: Hawk")


@pytest.mark.parametrize(("who", "order"), [
    ("Cid", "ENDORSE 1"),
    ("Dee", "ENDORSE 1"),
    ("Dee", ORDER),
])  # fmt: skip
def test_what_is_refused_is_no_post(who: str, order: str, league: League) -> None:
    people = after_a_duel(league)
    people[0].ask(ORDER)
    people[1].ask("ENDORSE 1")
    before = heroism(league)
    answer = next(one for one in people if one.name == who).ask(order)
    assert "could not be done" in words(answer)
    assert heroism(league) == before


def test_the_battle_of_a_report_needs_no_number(league: League) -> None:
    boards(league)
    ann, bob = duel(league)
    end(ann, bob)
    bob.ask(f"NOMINATE Hawk\n{STORY}", bob.last_about("[G1-"))
    [made] = league.store.all(Nomination.select().order_by(Nomination.id))
    assert made.game_id == 1


def test_whoever_is_erased_takes_the_citation_along(league: League) -> None:
    cid, dee, _ = after_a_duel(league)
    cid.ask(ORDER)
    dee.ask("ENDORSE 1")
    cid.ask("LEAVE LEAGUE")
    cid.ask("YES")
    league.work()
    assert (
        league.store.first(Player.select().where(Player.name == "Cid Example").order_by(Player.id))
        is None
    )
    found = league.store.all(Post.select().where(Post.channel == "forum").order_by(Post.id))
    assert not any("He stayed" in one.body for one in found)
    # What others said stays as it was.
    assert "It has 1 of the 2" in said(next(one for one in found if one.ident == "nomination-1-1"))
