"""ADDRESS: a new address counts once it is confirmed from there, and reveals nothing."""

from email.message import EmailMessage

from pbem.handlers.moderator.ruling_table import by_shell
from pbem.people import players
from pbem.storage import Further, Player
from tests.support.harness import League, Person
from tests.support.players import plain, words

NEW = "nan@league.example"


def keyed(person: Person, text: str) -> EmailMessage:
    """Write with a person's key, and return the answer."""
    return person.ask(f"KEY {person.key}\n{text}")


def moved(league: League, ann: Person) -> Person:
    """Move Ann to the address of Nan, and return Nan."""
    nan = league.person("Nan")
    assert f"a letter is sent to {NEW}" in words(keyed(ann, f"ADDRESS {NEW}"))
    asked = nan.new()[-1]
    assert "Ann" not in plain(asked)
    nan.reply("Yes.", asked)
    [done] = nan.new()
    assert "This address is yours from now on" in words(done)
    return nan


def test_fault_36_an_address_is_asked_in_the_leagues_words_alone(league: League) -> None:
    name = "Buy pills from Spam"
    ann, nan = league.person("Ann"), league.person("Nan")
    ann.write(f"JOIN {name}")
    [joining] = ann.new()
    ann.ask("Yes.", joining)
    keyed(ann, f"ADDRESS {NEW}")
    for letter in (joining, nan.new()[-1]):
        assert "pills" not in letter.as_string()
        assert "pills" not in plain(letter) + letter["To"]


def test_one_has_no_more_than_five_addresses(league: League, ann: Person) -> None:
    for number in range(2, 5):
        address = f"ann{number}@league.example"
        league.store.run(Further.insert(player=1, address=address, added=league.now))
    nan = moved(league, ann)
    answer = nan.ask(f"KEY {ann.key}\nADDRESS sixth@league.example")
    assert "you have 5 addresses, the most that one may have" in words(answer)


def test_a_new_address_is_confirmed_from_there(league: League, ann: Person) -> None:
    nan = moved(league, ann)
    [letter] = ann.new()
    assert letter["Subject"].endswith("Your letters go to another address")
    assert NEW not in plain(letter)
    ann.write(f"KEY {ann.key}\nADDRESS")
    assert ann.new() == []
    assert f"letters go to {NEW}; you may also write from ann@league.example" in words(nan.new()[0])
    assert league.store.count(Player.select()) == 1


def test_nothing_counts_before_it_is_confirmed(league: League, ann: Person) -> None:
    nan = league.person("Nan")
    keyed(ann, f"ADDRESS {NEW}")
    nan.write(f"KEY {ann.key}\nADDRESS")
    assert "how to join" in nan.new()[-1]["Subject"]
    assert "letters go to ann@league.example" in words(ann.ask("ADDRESS"))


def test_the_token_of_a_new_address_proves_nothing_else(league: League, ann: Person) -> None:
    nan, eve = league.person("Nan"), league.person("Eve")
    keyed(ann, f"ADDRESS {NEW}")
    [asked] = nan.new()
    eve.reply("Yes.", asked)
    assert "how to join" in eve.new()[-1]["Subject"]
    ann.reply("ADDRESS", asked)
    assert "was not accepted" in ann.new()[-1]["Subject"]
    assert players.at(league.store, NEW) is None


def test_an_address_of_another_player_is_not_told(league: League, ann: Person) -> None:
    bob = league.person("Bob")
    bob.join()
    bob.new()
    taken, free = (
        words(keyed(ann, "ADDRESS bob@league.example")),
        words(keyed(ann, f"ADDRESS {NEW}")),
    )
    assert taken.replace("bob@", "nan@").split("Dear")[1] == free.split("Dear")[1]
    [notice] = bob.new()
    assert "It is yours, so nothing was done" in words(notice)
    assert "Ann" not in notice.as_string()
    bob.ask("ADDRESS", notice)
    assert league.store.count(Further.select()) == 0


def test_what_is_no_address(league: League, ann: Person) -> None:
    for wrong, why in (
        ("ann@league.example", "letters go to ann@league.example already"),
        ("referee@league.example", "the referee's own address"),
        ("ｂob@league.example", "is not a mail address in plain letters"),
        ("bob@league.example,eve@evil.example", "is not a mail address in plain letters"),
    ):
        assert why in words(ann.ask(f"ADDRESS {wrong}"))
    assert "is not an address of yours" in words(ann.ask("ADDRESS REMOVE bob@league.example"))
    assert {to for to, _ in league.post.letters} == {ann.address}


def test_a_day_has_its_limit(league: League, ann: Person) -> None:
    for n in range(3):
        keyed(ann, f"ADDRESS nan{n}@league.example")
    assert "as many addresses today as one may (3)" in words(keyed(ann, f"ADDRESS {NEW}"))


def test_an_address_is_chosen_and_removed(league: League, ann: Person) -> None:
    nan = moved(league, ann)
    assert "so it can't be removed" in words(nan.ask(f"ADDRESS REMOVE {NEW}"))
    assert "that is for your safety" in words(nan.ask("ADDRESS REMOVE ann@league.example"))
    ann.write(f"KEY {ann.key}\nADDRESS ann@league.example")
    assert "letters go to ann@league.example from the next one on" in words(nan.new()[0])
    assert "is forgotten" in words(keyed(ann, f"ADDRESS REMOVE {NEW}"))
    nan.reply("Yes.", nan.letters[0])
    assert "how to join" in nan.new()[-1]["Subject"]
    assert players.addresses(league.store, league.store.get(Player, 1)) == ["ann@league.example"]


def test_an_old_address_can_be_removed_after_a_week(league: League, ann: Person) -> None:
    nan = moved(league, ann)
    league.later(24 * 8)
    assert "is forgotten" in words(
        nan.ask(f"KEY {ann.key}\nADDRESS REMOVE ann@league.example", nan.letters[-1])
    )
    assert players.addresses(league.store, league.store.get(Player, 1)) == [NEW]


def test_somebody_who_waits_to_join_from_there_has_joined(league: League, ann: Person) -> None:
    nan = league.person("Nan")
    nan.write("JOIN Nan Example")
    nan.new()
    moved(league, ann)
    assert league.store.count(Player.select()) == 1


def test_who_is_banned_confirms_no_address(league: League, ann: Person) -> None:
    nan = league.person("Nan")
    keyed(ann, f"ADDRESS {NEW}")
    [asked] = nan.new()
    by_shell(league.service.ports, "BAN Ann Example", league.now)
    nan.reply("Yes.", asked)
    nan.new()
    assert players.at(league.store, NEW) is None
