"""Forged letters: none has an effect, and the answers tell the forger nothing.

Ann (Hawk) and Bob (Kestrel) fight, Mona is the moderator, Cid is a player who looks on, and Eve
is nobody. The forger knows all that could ever leak: addresses, tokens, keys, old letters.
"""

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from itertools import count

import pytest

from pbem.intake import tokens_and_keys
from pbem.people import tokens
from pbem.storage import KeptWords, Letter, Player, Token
from tests.support.harness import League, Person, duel, open_league
from tests.support.players import REFEREE, address_of, parsed, words

_NUMBERS = count(1)
_LETTERS = {"letter", "outgoing"}
_BOOKKEEPING = {*_LETTERS, "question", "token", "tally", "round", "meta"}
"""Tables about letters; all others are about people, pilots and games."""
COPIES = 3
"""How often each forgery comes in one day, each time under another Message-ID."""

ANN, BOB, CID, EVE, MONA = (address_of(name) for name in ("Ann", "Bob", "Cid", "Eve", "Mona"))
FORGED = "SURRENDER\nSALT forged\nDRAW 1\nRESIGN Hawk\nADDRESS eve@league.example"
SECRETS = (ANN, BOB, CID, MONA, "Hawk", "Kestrel", "SURRENDER", "forged", "quoted above")


@dataclass
class Scene:
    """A league in which somebody could wish to write in another's name."""

    league: League
    ann: Person
    bob: Person
    cid: Person
    mona: Person
    replayed: bytes
    expired: str
    exits: str

    def turn(self, person: Person) -> tuple[str, str]:
        """Return the reply address and the subject of a person's report of the turn."""
        report = person.last_about("[G")
        return str(report["Reply-To"]), f"Re: {report['Subject']}"

    def welcome(self, person: Person) -> tuple[str, str]:
        """Return the reply address and the subject of a person's welcome."""
        return str(person.last_about("Welcome")["Reply-To"]), "Re: Welcome"


def raw(
    text: str,
    sender: str | Sequence[str],
    to: tuple[str, str] = (REFEREE, "Hello"),
    **fields: str,
) -> bytes:
    """Write a letter byte by byte, as no mail program would."""
    senders = [sender] if isinstance(sender, str) else sender
    head = [f"From: {one}" for one in senders]
    head += [f"To: {to[0]}", f"Subject: {to[1]}", f"Message-ID: <{next(_NUMBERS)}@forged.example>"]
    head += [f"{name.replace('_', '-')}: {value}" for name, value in fields.items()]
    return "\r\n".join([*head, "", *text.splitlines(), ""]).encode()


def parts(kind: str, *bodies: tuple[str, str]) -> str:
    """Write the parts of a multipart letter whose boundary is b."""
    return "".join(f"--b\nContent-Type: {each}\n\n{body}\n" for each, body in bodies) + "--b--\n"


def set_scene(league: League) -> Scene:
    """Join people and play up to their second turn."""
    ann, bob = duel(league)
    cid, mona = league.person("Cid"), league.person("Mona")
    for person in (cid, mona):
        person.join()
    ann.ask("SUBSCRIBE newsletter", ann.last_about("Welcome"))
    league.service.ports.newsletter.want()
    league.work()
    exits = str(ann.last_about("newsletter")["List-Unsubscribe"])
    first = ann.last_about("[G")
    replayed = ann.reply("SALT first\nSTANDING\nELSE: SCAN\nEND", first).as_bytes()
    bob.reply("STANDING\nELSE: SCAN\nEND", bob.last_about("[G"))
    league.work()
    for person in (ann, bob):
        person.new()
    [old] = league.store.all(
        Token.select()
        .where(
            Token.kind == "game",
            Token.turn == 1,
            Token.player.in_(Player.select(Player.id).where(Player.name == "Ann Example")),
        )
        .order_by(Token.token)
    )[:1]
    expired = tokens_and_keys.token(league.store.secret, 1, "an old one")
    tokens.remember(
        league.store,
        token=expired, player=old.player_id, kind="league", game=None, turn=0, place=None,
        expires=league.now,
    )  # fmt: skip
    found = re.search(r"mailto:([^?>]+)", exits)
    assert found is not None
    return Scene(league, ann, bob, cid, mona, replayed, expired, found[1])


@pytest.fixture(scope="module")
def scene(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Scene]:
    folder = tmp_path_factory.mktemp("forgeries")
    league = {"deadline_hours": 9_000, "token_days": 900, "turns_per_letter": 4, "moderator": MONA}
    with open_league(folder, limits={"letters_a_day": 1000}, **league) as league:
        yield set_scene(league)


Forgery = Callable[[Scene], bytes]

SPOOFED: dict[str, Forgery] = {
    "Ann's address and nothing else": lambda s: raw(FORGED, f"Ann Example <{ANN}>"),
    "results of authentication that the forger wrote": lambda s: raw(
        FORGED,
        ANN,
        Authentication_Results=f"league.example; spf=pass; dkim=pass; dmarc=pass header.from={ANN}",
        ARC_Authentication_Results="i=1; league.example; dmarc=pass",
        Received_SPF="pass",
    ),
    "the rival's own token under Ann's address": lambda s: raw(FORGED, ANN, s.turn(s.bob)),
    "another player's token under Ann's address": lambda s: raw(FORGED, ANN, s.welcome(s.cid)),
    "a token in the subject that is guessed": lambda s: raw(
        FORGED, ANN, (REFEREE, "Re: [G1-T2 abcdefghijklmnop] Hawk against Kestrel")
    ),
    "a token in the address that is guessed": lambda s: raw(
        FORGED, ANN, (f"referee+{'a' * 16}@league.example", "Hello")
    ),
    "a token that has expired": lambda s: raw(
        FORGED, ANN, (f"referee+{s.expired}@league.example", "Hello")
    ),
    "the key of the forger": lambda s: raw(f"KEY {s.cid.key}\n{FORGED}", ANN),
    "a hundred guessed keys": lambda s: raw(
        "".join(f"KEY {a}{b}a-bcd-efg\n" for a in "abcdefghij" for b in "klmnopqrst") + FORGED, ANN
    ),
    "the threads of true letters": lambda s: raw(
        FORGED, ANN, In_Reply_To=s.ann.last["Message-ID"], References=s.ann.last["Message-ID"]
    ),
    "a redirected answer": lambda s: raw(
        FORGED, ANN, Reply_To=EVE, Sender=EVE, Return_Path=f"<{EVE}>"
    ),
    "the exit of the newsletter for orders": lambda s: raw(FORGED, ANN, (s.exits, "Hello")),
    "an end of the newsletter without its token": lambda s: raw("UNSUBSCRIBE newsletter", ANN),
    "a farewell": lambda s: raw("LEAVE LEAGUE", ANN, (REFEREE, "Re: Do you want to leave?")),
    "a salt": lambda s: raw("SALT evil", ANN),
    "the moderator's address": lambda s: raw("GM FORFEIT 1 Hawk\nGM BAN Hawk", MONA),
    "the moderator's address and the forger's key": lambda s: raw(
        f"KEY {s.cid.key}\nGM FORFEIT 1 Hawk", MONA, s.welcome(s.cid)
    ),
    "formats": lambda s: raw(
        "{{ 7 * 7 }} %s%n ${jndi:ldap://x} {player.address} =cmd|'/c calc'!A1", ANN,
        (REFEREE, "{{ secret }} {0.__class__}"),
    ),
    "more than is read": lambda s: raw(FORGED + "\n" + 200_000 * "forged\n", ANN),
}  # fmt: skip
"""Under the address of a player: at most its owner gets a note, once a day."""

STOLEN: dict[str, Forgery] = {
    "Ann's token": lambda s: raw(FORGED, EVE, s.turn(s.ann)),
    "Ann's key": lambda s: raw(f"KEY {s.ann.key}\n{FORGED}", EVE),
    "a copy of all that Ann wrote": lambda s: s.replayed.replace(ANN.encode(), EVE.encode()),
    "Ann's name": lambda s: raw(FORGED, f'"Ann Example <{ANN}>" <{EVE}>', s.turn(s.ann)),
    "Ann's name in encoded words": lambda s: raw(
        FORGED, f"=?utf-8?q?{ANN.replace('@', '=40')}?= <{EVE}>", s.turn(s.ann)
    ),
    "Ann as the sender": lambda s: raw(FORGED, EVE, s.turn(s.ann), Sender=ANN),
    "Ann as who resent it": lambda s: raw(
        FORGED, EVE, s.turn(s.ann), Resent_From=ANN, Resent_Sender=ANN, X_Original_From=ANN
    ),
    "Ann's envelope": lambda s: raw(
        FORGED, EVE, s.turn(s.ann), Return_Path=f"<{ANN}>", X_Envelope_From=ANN
    ),
    "Ann in other alphabets": lambda s: raw(FORGED, "аnn@league.example", s.turn(s.ann)),
    "Ann at a longer domain": lambda s: raw(
        FORGED, f"{ANN}.evil.example", s.turn(s.ann)
    ),
    "Ann's address in encoded words": lambda s: raw(
        FORGED, "<=?utf-8?q?ann?=@league.example>", s.turn(s.ann)
    ),
    "Ann with a tag": lambda s: raw(FORGED, "ann+x@league.example", s.turn(s.ann)),
    "the moderator's key": lambda s: raw(f"KEY {s.mona.key}\nGM DRAW 1", EVE, s.turn(s.ann)),
    "a header in the subject": lambda s: raw(
        FORGED, EVE, (s.turn(s.ann)[0], f"=?utf-8?q?x=0D=0AFrom:_{ANN.replace('@', '=40')}?=")
    ),
    "a header in the name": lambda s: raw(
        FORGED, f"=?utf-8?q?x=0D=0AFrom:_{ANN.replace('@', '=40')}=0D=0A?= <{EVE}>", s.turn(s.ann)
    ),
    "orders of the moderator": lambda s: raw("GM FORFEIT 1 Hawk", EVE),
    "an exit of the newsletter": lambda s: raw(FORGED, EVE, (s.exits, "Hello")),
}  # fmt: skip
"""Under an address of no player: at most the fixed text for strangers, once a day."""

TOO_MUCH = ("a bomb of parts", "a header without end")
"""These may be a player's own, so the player learns that nothing in them was read."""
SENSELESS: dict[str, Forgery] = {
    "two senders, hers the first": lambda s: raw(FORGED, [ANN, EVE], s.turn(s.ann)),
    "two senders, hers the last": lambda s: raw(FORGED, [EVE, ANN], s.turn(s.ann)),
    "two addresses": lambda s: raw(FORGED, f"{EVE}, {ANN}", s.turn(s.ann)),
    "two addresses, folded": lambda s: raw(FORGED, f"{EVE},\r\n {ANN}", s.turn(s.ann)),
    "a sender behind a lone CR": lambda s: raw(FORGED, f"{EVE}\rFrom: {ANN}", s.turn(s.ann)),
    "an address behind an address": lambda s: raw(FORGED, f"{ANN})<{EVE}>", s.turn(s.ann)),
    "an address before an address": lambda s: raw(FORGED, f"{ANN} <{EVE}>", s.turn(s.ann)),
    "an address in a comment": lambda s: raw(FORGED, f"{EVE} ({ANN})", s.turn(s.ann)),
    "a group": lambda s: raw(FORGED, f"Pilots: {ANN};", s.turn(s.ann)),
    "a route": lambda s: raw(FORGED, f"<@evil.example:{ANN}>", s.turn(s.ann)),
    "a letter turned about": lambda s: raw(FORGED, f"\u202e{ANN}\u202c", s.turn(s.ann)),
    "no sender": lambda s: raw(FORGED, "", s.turn(s.ann)),
    "the league itself": lambda s: raw(FORGED, REFEREE, s.turn(s.ann)),
    "a vacation": lambda s: raw(FORGED, ANN, s.turn(s.ann), Auto_Submitted="auto-replied"),
    "a bounce that names Ann": lambda s: raw(
        parts(
            "report",
            ("text/plain", FORGED),
            (
                "message/delivery-status",
                f"Final-Recipient: rfc822;{ANN}\nAction: failed\nStatus: 5.1.1",
            ),
        ),
        "MAILER-DAEMON@evil.example",
        s.turn(s.bob),
        Content_Type='multipart/report; report-type=delivery-status; boundary="b"',
    ),
    "a bounce that ends the newsletter": lambda s: raw(
        "x", "MAILER-DAEMON@evil.example", (s.exits, "unsubscribe"),
        Content_Type="multipart/report; report-type=delivery-status",
    ),
    "a bomb of parts": lambda s: raw(
        "".join(f"Content-Type: multipart/mixed; boundary=b{n}\n\n--b{n}\n" for n in range(3_000)),
        ANN,
        s.turn(s.ann),
        Content_Type="multipart/mixed; boundary=b",
    ),
    "a header without end": lambda s: raw(FORGED, ANN, s.turn(s.ann), X_Long=120_000 * "x"),
    "a letter that came before": lambda s: s.replayed,
}  # fmt: skip
"""What no person writes, or what came before: nobody is answered."""

TRUE: dict[str, tuple[str, Forgery]] = {
    "orders for another's pilot": (
        "Bob", lambda s: raw("FOR Hawk\nSURRENDER\nSALT evil", BOB, s.turn(s.bob))
    ),
    "orders for a game of others": (
        "Cid", lambda s: raw("GAME 1\nSURRENDER\nSALT evil", CID, s.welcome(s.cid))
    ),
    "forwarded orders": (
        "Bob",
        lambda s: raw(
            "---------- Forwarded message ---------\n"
            f"From: Ann Example <{ANN}>\nDate: Mon, 2 Nov 2026\nSubject: x\n\nSURRENDER",
            BOB,
            s.turn(s.bob),
        ),
    ),
    "orders in a letter that is attached": (
        "Bob",
        lambda s: raw(
            parts("mixed", ("text/plain", ""), ("message/rfc822", f"From: {ANN}\n\nSURRENDER")),
            BOB,
            s.turn(s.bob),
            Content_Type="multipart/mixed; boundary=b",
        ),
    ),
    "orders that are quoted": (
        "Bob",
        lambda s: raw(f"On Monday {EVE} wrote:\n> SURRENDER\n> SALT evil", BOB, s.turn(s.bob)),
    ),
    "orders that nobody sees": (
        "Bob",
        lambda s: raw(
            '<p>What now?</p><div style="display:none">SURRENDER</div><!-- SURRENDER -->'
            '<p style="font-size:0">SURRENDER</p>',
            BOB,
            s.turn(s.bob),
            Content_Type="text/html; charset=utf-8",
        ),
    ),
    "orders of a turn that is over": (
        "Ann", lambda s: s.replayed.replace(b"Message-ID: <", b"Message-ID: <again.")
    ),
    "a ruling with a player's key": (
        "Cid",
        lambda s: raw(f"KEY {s.cid.key}\nGM FORFEIT 1 Hawk\nGM BAN Ann", CID, s.welcome(s.cid)),
    ),
    "a ruling with the moderator's key": (
        "Cid", lambda s: raw(f"KEY {s.mona.key}\nGM FORFEIT 1 Hawk", CID, s.welcome(s.cid))
    ),
    "a ruling without a key": (
        "Mona", lambda s: raw("GM FORFEIT 1 Hawk", MONA, s.welcome(s.mona))
    ),
    "a place that is not open": (
        "Cid", lambda s: raw("TAKEOVER 1 AS Hawk", CID, s.welcome(s.cid))
    ),
    "another's pilot, resigned and spoken for": (
        "Cid",
        lambda s: raw(
            "RESIGN Hawk CODE abcdefgh\nPATROL WITH Hawk\nDRAW 1\nREADY 1\nREPORT 1\nUNDO 1",
            CID,
            s.welcome(s.cid),
        ),
    ),
    "words under another's name": (
        "Cid", lambda s: raw("PRESS AS Hawk\nI give up.\nEND", CID, s.welcome(s.cid))
    ),
}  # fmt: skip
"""True letters of players who want what they may not have, or who were tricked into sending it."""


def books(league: League) -> dict[str, list[object]]:
    """Return every row about people, pilots and games, except when players last wrote."""
    run = league.store.database.execute_sql
    names = [name for (name,) in run("SELECT name FROM sqlite_master WHERE type = 'table'")]
    rows = {name: list(run(f"SELECT * FROM {name}")) for name in {*names} - _BOOKKEEPING}
    heard = [row[0] for row in run("SELECT name FROM pragma_table_info('player')")].index("heard")
    rows["player"] = [row[:heard] + row[heard + 1 :] for row in rows["player"]]
    return rows


def heard(league: League) -> dict[str, object]:
    return {
        player.name: player.heard
        for player in league.store.all(Player.select().order_by(Player.id))
    }


def words_of_others(league: League, keep: str) -> list[str]:
    """Return the words that are kept for the next letters of all persons but one."""
    rows = league.store.all(KeptWords.select().order_by(KeptWords.id))
    names = {one.player_id: league.store.get(Player, one.player_id).name for one in rows}
    return [repr(one) for one in rows if names[one.player_id].split()[0] != keep]


def let_in(scene: Scene, *letters: bytes, keep: str = "") -> list[tuple[str, bytes]]:
    """Deliver letters on a new day, and return what goes out; the database must not change.

    Only words of the person to `keep` may be kept for the next letter.
    """
    league = scene.league
    league.later(24)
    league.work()
    before, sent, kept = (
        books(league),
        len(league.post.letters),
        league.store.count(Letter.select()),
    )
    held = words_of_others(league, keep)
    for one in letters:
        league.drop(one)
    league.work()
    after = books(league)
    assert words_of_others(league, keep) == held
    del before["kept_words"], after["kept_words"]
    assert {name for name in after if after[name] != before[name]} == set()
    assert [
        one.error
        for one in league.store.all(Letter.select().where(Letter.id > kept).order_by(Letter.id))
    ] == [""] * len(letters)
    return league.post.letters[sent:]


def copies(scene: Scene, forge: Forgery) -> list[bytes]:
    """Return a forgery several times, under different Message-IDs."""
    letter = forge(scene)
    return [letter.replace(b"Message-ID: <", b"Message-ID: <%d." % n) for n in range(COPIES)]


@pytest.mark.parametrize("forge", SPOOFED.values(), ids=SPOOFED)
def test_fault_28_a_letter_in_a_players_name_is_told_to_its_owner_alone(
    scene: Scene, forge: Forgery
) -> None:
    before = heard(scene.league)
    out = let_in(scene, *copies(scene, forge))
    assert heard(scene.league) == before
    owner = parsed(forge(scene))["From"]
    expected = (
        2 if "KEY aka-" in str(parsed(forge(scene))) else 1
    )  # that no more keys are tried, too
    assert [to for to, _ in out] == [MONA if MONA in owner else ANN] * expected
    for word in ("SURRENDER", "forged", "evil", "{{", "jndi", scene.ann.key):
        assert word not in words(parsed(out[0][1]))


@pytest.mark.parametrize("forge", STOLEN.values(), ids=STOLEN)
def test_fault_29_what_leaks_is_of_no_use_to_anybody_else(scene: Scene, forge: Forgery) -> None:
    before = heard(scene.league)
    out = let_in(scene, *copies(scene, forge))
    assert heard(scene.league) == before
    assert len({to for to, _ in out}) == len(out) <= 2
    for to, answer in out:
        owns = to in (ANN, BOB, CID, MONA)
        expected = "Somebody else wrote to your reply address" if owns else "how to join"
        assert parsed(answer)["Subject"].endswith(f" {expected}")
        shown = words(parsed(answer))
        assert not [word for word in SECRETS if word in shown]


@pytest.mark.parametrize(("name", "forge"), SENSELESS.items(), ids=SENSELESS)
def test_fault_32_what_no_person_writes_is_not_answered(
    scene: Scene, name: str, forge: Forgery
) -> None:
    before = heard(scene.league)
    found = [ANN] if name in TOO_MUCH else []
    assert [to for to, _ in let_in(scene, forge(scene))] == found
    assert heard(scene.league) == before


@pytest.mark.parametrize(("name", "forge"), TRUE.values(), ids=TRUE)
def test_fault_44_who_may_write_may_not_do_all(scene: Scene, name: str, forge: Forgery) -> None:
    [(to, answer)] = let_in(scene, forge(scene), keep=name)
    assert to == address_of(name)
    shown = words(parsed(answer))
    others = {ANN, BOB, CID, MONA} - {to}
    assert not [each for each in others if each in shown]
    keys = [each.key for each in (scene.ann, scene.bob, scene.cid, scene.mona)]
    assert not [key for key in keys if key in answer.decode().lower()]
