"""Nobody borrows a name: one name space for players, pilots, squadrons and the league's words."""

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.dice import SeededDice
from engine.names import fold
from engine.registry import RULESETS
from pbem.handlers.names import taken_names
from pbem.handlers.names.reserved_names import reserved
from pbem.handlers.order_table import ORDERS
from pbem.handlers.request import Refusal
from pbem.people import erasing, personas, players
from pbem.people.lookalikes import columns, fault, looks, skeleton
from pbem.storage import Block, Persona, Player
from tests.support import our_systems
from tests.support.harness import League, duel
from tests.support.players import HAWK, KESTREL, REFEREE, words

OWL = "ENLIST {} FOR league WEAPONS 12 PILOTING 12 SENSORS 12 SHIP Wright 1903S"
CYRILLIC_KESTREL = "K\u0435strel"
BORROWED = (
    ("Kestrel", "KestreI"),
    ("Kestrel", "kestrel"),
    ("Kestrel", "K\u00e9strel"),
    ("Kestrel", CYRILLIC_KESTREL),
    ("Kestrel", "Kes trel."),
    ("Kestrel", "\uff2bestrel"),
    ("Morse", "Rnorse"),
    ("Ida", "lda"),
    ("Bat", "\u0412\u0410\u0422"),
    ("Hawk0", "HawkO"),
    ("Ax", "\u0391\u03a7"),
    ("paypal", "\u0440\u0430\u0443\u0440\u04301"),
)
DIFFERENT = (
    ("Hail", "Hall"),
    ("Ross", "Rob"),
    ("Red 1", "Red 11"),
    ("\u0414\u043e\u043c", "\u0414\u0430\u043c"),
)
REAL = (
    "Ada Example", "\u00d8yvind", "M\u00fcller", "Nguy\u1ec5n Th\u1ecb", "\u0410\u043d\u043d\u0430",
    "\u30cf\u30af\u9df9", "Hawk \u9df9", "\uae40\ucca0\uc218", "\u05e2\u05d3\u05d4", "O'Neil",
    "\u0939\u093f\u0928\u094d\u0926\u0940", "Jean-Luc", "Fire Hawk", "The Tell", "Red Baron 2",
    "a", "The", "Death & Glory", "Ada_1",
)  # fmt: skip
UNSEEN = (
    "\u3164", "Ada\u200b", "Ada\u202e", "A\u034fda", "\u2800", "Ada\ufe0f", "Ada\U000e0041",
    "\u115f",
)  # fmt: skip
IMITATIONS = (CYRILLIC_KESTREL, "\u0410nna", "F\u03bfx", "\u0251da", "\u13aada", "Ada\u0663\u0032")
NO_NAMES = ("", "   ", "123", "\u0663", "Ada\U0001f600", "A\u0337\u0322\u031b\u0300", "!!!")
OURS = (
    "referee", "The Referee", "REFEREE", "Moderator Max", "GM", "admin", "R\u0435feree",
    "Schiedsrichter",
    "Avalon League", "Avalon  league", REFEREE, "league.example", "StarPilot", "Black Skies",
    "blackskies",
    "Former player 3", "former player", "Former Player l", "Former player 3b", "House Finch",
    "house kites", "House of Cards", "everybody", "Me", "them", "none", "niemand", "mich", "FIRE",
    "Feuer", "launch", "Rakete", "TELL", "Sage", "leave league", "Liga verlassen", "with", "TO",
    "AS",
    "sonst", "standing", "steady", "Nachbrenner",
)  # fmt: skip


class TestSkeletons:
    @pytest.mark.parametrize(("one", "other"), BORROWED)
    def test_hostile_names_that_look_alike_are_one(self, one: str, other: str) -> None:
        pairs = zip(looks(one), looks(other), strict=True)
        assert any(mine == theirs for mine, theirs in pairs)

    @pytest.mark.parametrize(("one", "other"), DIFFERENT)
    def test_names_that_differ_are_two(self, one: str, other: str) -> None:
        assert not any(a == b for a, b in zip(looks(one), looks(other), strict=True))

    @given(st.text(max_size=20))
    def test_hostile_skeletons_stay_as_they_are(self, text: str) -> None:
        assert skeleton(skeleton(text)) == skeleton(text)

    @given(st.text(max_size=20))
    def test_hostile_case_and_spaces_make_no_other_name(self, text: str) -> None:
        assert looks(text).small == looks(f" {text}  ").small
        if fold(text.swapcase()) == fold(text):
            assert looks(text.swapcase()).small == looks(text).small

    @pytest.mark.parametrize("name", REAL)
    def test_real_names_of_the_world_are_taken(self, name: str, league: League) -> None:
        assert fault(name) is None
        assert taken_names.wrong(league.service.ports, name, None) is None

    @pytest.mark.parametrize("name", UNSEEN)
    def test_hostile_names_with_what_cannot_be_seen(self, name: str) -> None:
        assert "cannot be seen" in str(fault(name))

    @pytest.mark.parametrize("name", IMITATIONS + NO_NAMES)
    def test_hostile_names_that_imitate_or_are_none(self, name: str) -> None:
        assert fault(name) is not None


class TestReservedNames:
    @pytest.mark.parametrize("name", OURS)
    def test_hostile_names_of_the_league_itself(self, name: str, league: League) -> None:
        assert reserved(name, league.settings.league) is not None

    @pytest.mark.parametrize(("title", "is_kept"), [("Avalon", True), ("Orion", False)])
    def test_hostile_names_that_hold_the_leagues_own(
        self, title: str, is_kept: bool, league: League
    ) -> None:
        """A title of six letters or more is kept also within a name; five are too common."""
        ours = replace(league.settings.league, name=title)
        assert (reserved(f"My {title} 7", ours) is not None) is is_kept

    def test_hostile_names_are_no_order_of_any_language(self, league: League) -> None:
        ours = league.settings.league
        for order in ORDERS:
            assert reserved(order.word, ours) is not None, order.word
        for rules in RULESETS.values():
            for translation in rules.translations.values():
                for command, others in translation.commands.items():
                    for word in (command, *others):
                        assert reserved(word.title(), ours) is not None, word

    def test_hostile_names_of_house_pilots_of_every_system(self, league: League) -> None:
        for rules in our_systems.OURS.values():
            assert rules.campaign is not None
            for fleet in rules.campaign.fleets.values():
                for throw in range(20):
                    dice = SeededDice(b"house", "names", throw, b"")
                    name = rules.campaign.sparring(fleet[0].persona, dice).name
                    assert reserved(name, league.settings.league) is not None, name


class TestTakenNames:
    def test_hostile_names_of_players_are_not_for_others_pilots(self, league: League) -> None:
        ann, eve = league.person("Ann"), league.person("Eve")
        ann.join()
        eve.join()
        for name in ("Ann Example", "ann EXAMPLE", "Ann ExampIe", "AnnExample"):
            assert "taken" in words(eve.ask(OWL.format(name))), name
        assert "flies for" in words(ann.ask(OWL.format("Ann Example")))

    def test_hostile_names_of_pilots_are_not_for_new_players(self, league: League) -> None:
        duel(league)
        eve = league.person("Eve")
        eve.write("JOIN KestreI")
        [answer] = eve.new()
        assert "so like a name that is taken" in words(answer)
        assert "KestreI" not in words(answer)
        assert league.store.first(Player.select().where(Player.address == eve.address)) is None

    def test_hostile_names_of_squadrons_elements_and_designs(self, league: League) -> None:
        ann, eve = league.person("Ann"), league.person("Eve")
        ann.join()
        eve.join()
        ann.ask(KESTREL)
        text = words(eve.ask("SQUADRON KestreI WITH Red: 1 Gadfly SKILL 2"))
        assert "KestreI looks like Kestrel, a name that is taken" in text
        text = words(eve.ask("SQUADRON Ayes WITH Kestre1: 1 Gadfly SKILL 2"))
        assert "Kestre1 looks like Kestrel" in text
        text = words(eve.ask("SQUADRON Ayes WITH Rose: 1 Gadfly SKILL 2; R0se: 1 Gadfly SKILL 2"))
        assert "Rose and R0se look alike" in text
        assert "Kestre1 looks like" in words(eve.ask("DESIGN Kestre1: HEAVY, Rocket Pod"))
        assert "Gadfly and GadfIy look alike" in words(eve.ask("DESIGN GadfIy: HEAVY, Rocket Pod"))
        assert "a word of the orders" in words(eve.ask("DESIGN Steady: HEAVY, Rocket Pod"))
        text = words(eve.ask("SQUADRON Ayes WITH Red: 1 Gadfly SKILL 2"))
        assert "Ayes is on the list" in text
        assert "on the list" in words(ann.ask("SQUADRON Bees WITH Red: 1 Gadfly SKILL 2"))

    def test_hostile_names_of_pilots_that_are_gone_stay_taken(self, league: League) -> None:
        ann, eve = league.person("Ann"), league.person("Eve")
        ann.join()
        eve.join()
        ann.ask(HAWK)
        ann.reply("LEAVE LEAGUE", ann.ask("LEAVE LEAGUE"))
        league.work()
        assert "the name Hawk is taken" in words(eve.ask(OWL.format("Hawk")))

    def test_hostile_names_are_refused_in_german_too(self, league: League) -> None:
        duel(league)
        eve = league.person("Eve")
        eve.join()
        eve.ask("LANGUAGE de")
        text = words(eve.ask(OWL.format("KestreI")))
        assert "KestreI sieht aus wie Kestrel, und der Name ist vergeben" in text
        assert "er ist ein Befehlswort" in words(eve.ask(OWL.format("Feuer")))

    def test_hostile_names_are_looked_up_by_an_index(self, league: League) -> None:
        if not league.settings.store_url().startswith("sqlite"):
            pytest.skip("EXPLAIN QUERY PLAN is SQLite's")
        for table in ("player", "persona"):
            for column in ("folded", "skeleton", "shape"):
                query = f'EXPLAIN QUERY PLAN SELECT * FROM "{table}" WHERE "{column}" = ?'
                [plan] = league.store.execute_sql(query, ["x"]).fetchall()
                assert "USING INDEX" in plan[-1], (table, column)


class TestWhoIsMeant:
    def both(self, league: League) -> None:
        """Write into the database what no letter can bring there: a pilot with a player's name."""
        with league.store.transaction():
            row = personas.named(league.store, "Kestrel")
            assert row is not None
            name = "Ann Example"
            league.store.run(Persona.update(name=name, **columns(name)).where(Persona.id == row.id))

    @pytest.mark.parametrize(
        "order", ["TELL ANN EXAMPLE\nHello!", "BLOCK ann example", "UNBLOCK ann example"]
    )
    def test_hostile_names_of_two_are_asked_about(self, league: League, order: str) -> None:
        duel(league)
        self.both(league)
        eve = league.person("Eve")
        eve.join()
        text = words(eve.ask(order))
        assert "is the name of several; whom do you mean?" in text
        assert "Hawk" in text
        assert league.store.count(Block.select()) == 0

    def test_hostile_names_of_two_bring_no_ban(self, league: League) -> None:
        duel(league)
        self.both(league)
        for ruling in ("BAN ann example", "MERGE ann example INTO Bob Example"):
            with pytest.raises(Refusal, match="several"):
                league.rule(ruling)
        assert not any(
            player.banned for player in league.store.all(Player.select().order_by(Player.id))
        )

    def test_hostile_names_that_only_look_alike_are_asked_about(self, league: League) -> None:
        ann, bob = duel(league)
        text = words(ann.ask("TELL KestreI\nHello!"))
        assert "did you mean Kestrel?" in text
        assert not any("A letter from" in each["Subject"] for each in bob.new())

    def test_hostile_names_that_hold_two_names_are_asked_about(self, league: League) -> None:
        ann, _ = duel(league)
        eve = league.person("Eve")
        eve.join()
        assert "flies for" in words(eve.ask(OWL.format("Kestrel AS Hawk")))
        assert "which is meant?" in words(ann.ask("TELL Kestrel AS Hawk\nMeet me."))
        assert "goes to the player" in words(ann.ask('TELL "Kestrel AS Hawk"\nMeet me.'))
        cid = league.person("Cid")
        cid.join()
        assert "flies for" in words(cid.ask(OWL.format("Hawk and Kestrel")))
        text = words(ann.ask("TEAM CHALLENGE Hawk and Kestrel WITH Hawk"))
        assert "which is meant?" in text


class TestUnconfirmedNames:
    def test_hostile_names_of_who_has_not_confirmed_are_free(self, league: League) -> None:
        eve, ann = league.person("Eve"), league.person("Ann")
        eve.write("JOIN Ann Example")
        [asked] = eve.new()
        ann.join()
        [told] = [eve.ask("Yes, that was me.", asked)]
        assert "please choose another name" in told["Subject"]
        assert players.named(league.store, "Ann Example").address == ann.address  # type: ignore[union-attr]
        welcome = eve.ask("JOIN Eve Other", told)
        assert "Welcome" in welcome["Subject"]
        assert players.named(league.store, "Eve Other") is not None

    def test_hostile_names_are_replaced_by_a_later_join(self, league: League) -> None:
        ann = league.person("Ann")
        ann.write("JOIN Mallory")
        [asked] = ann.new()
        ann.write("JOIN Ann Example")
        ann.new()
        assert "Welcome" in ann.ask("Yes.", asked)["Subject"]
        assert league.store.get(Player, 1).name == "Ann Example"
        assert players.named(league.store, "Mallory") is None

    def test_hostile_names_of_a_later_join_are_checked(self, league: League) -> None:
        ann = league.person("Ann")
        ann.write("JOIN Ann Example")
        ann.new()
        ann.write("JOIN Moderator")
        ann.new()
        assert league.store.get(Player, 1).name == "Ann Example"


class TestPseudonyms:
    def test_hostile_names_of_former_players_are_refused(self, league: League) -> None:
        eve = league.person("Eve")
        eve.write("JOIN Former player 1")
        [letter] = eve.new()
        assert "such names stand for players who have left" in words(letter)

    def test_hostile_names_do_not_keep_anybody_from_being_erased(self, league: League) -> None:
        ann, _ = duel(league)
        league.store.create(
            Player,
            name="Former player 1",
            **columns("Former player 1"),
            address="eve@x.example",
            confirmed=True,
            joined=league.now,
            heard=league.now,
        )
        ann.reply("LEAVE LEAGUE", ann.ask("LEAVE LEAGUE"))
        league.work()
        gone = league.store.get(Player, 1)
        assert gone.mail == erasing.GONE
        assert gone.name == "Former player 1b"
