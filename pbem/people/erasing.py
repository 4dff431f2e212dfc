"""Erasing a person: everything that is their own goes, and nothing that is somebody else's.

Rows show whose they are: by the player's number, by an address, and by `authorship`, which records
whose words a letter to others, a post or a newsletter carries. Texts are searched only for whole
addresses and a distinctive name (pbem.people.personal_identifiers). Letters that answer one with
the person's words are also searched for quotes from it. In everything else that others wrote, the
name and the addresses are replaced, and their own words stay.
"""

import hashlib
import json
from collections.abc import Iterator
from itertools import chain, count

from engine import registry
from engine.orders.reading import read_for
from pbem import tokens_and_keys
from pbem.intake import Limits, Reading, read_letter
from pbem.intake.addresses import mailbox_of
from pbem.mime_writer import plain_text, title
from pbem.outgoing.outbox import issue_name, post_name
from pbem.people import newsletter_redaction
from pbem.people.personal_identifiers import Pieces, Traces
from pbem.people.redacting import redacted, redacted_page
from pbem.storage import Letter, Player, Store
from pbem.storage.store import SENT
from pbem.text.lookalikes import columns

GONE = "none"
"""How an erased player gets letters: not at all."""
UNCLEAN = "unclean"
"""The key in the database that says that erased bytes may still be in the database's file."""
OWING = "erasing"
"""The key in the database that says that letters wait which must be dropped once sent."""
_HANDLED = ("filed", "answered", "discarded")


def erase(store: Store, player: Player) -> None:
    """Erase a person, and leave a pseudonym with the battles; within one transaction.

    Their letters, stories, citations and editorials go, and so does what was made from them for
    others: letters in and out, posts, newsletters. Orders and SALT lines stay, because the dice
    depend on them.
    """
    addresses = store.addresses_of(player)
    others = [one.name for one in store.players.all() if one.id != player.id]
    # A guest has its player's own name, which must not count as somebody else's.
    others += [row.name for row in store.personas.all() if not row.is_guest]
    traces = Traces(player.name, addresses, others)
    name = _free_pseudonym(store, player.id)
    # First, because old letters show whether the name may be searched for at all.
    traces = _forget_letters(store, player, addresses, traces, name)
    _forget_mail(store, player, addresses, traces)
    _forget_published(store, player, traces, name)
    _redact_words(store, player, traces, name)
    for place in store.places.all(player=player.id):
        # Steps that were logged keep their SALT lines; those to come need none. The fingerprint
        # that is left of the words says nothing about anybody.
        words = {**json.loads(place.words), "salts": []}
        store.places.change(place.id, thread="", words=json.dumps(words))
    for address in addresses:
        store.forget_tallies_of(address)
        store.subscriptions.remove(address=address)
        # A ban stays in force, but no longer shows the address.
        store.bans.change_all(
            {"address": address}, address=tokens_and_keys.veiled(store.secret, address)
        )
    _remove_rows(store, player.id)
    pseudonym(store, player)
    _rename_rulings(store, player, traces)
    store.set_meta(UNCLEAN, "1")


def _remove_rows(store: Store, player: int) -> None:
    """Remove what a person left in tables of things that belong to one player."""
    for table in (
        store.tokens,
        store.further,
        store.blocks,
        store.watches,
        store.leaves,
        store.turnouts,
        store.bounces,
        store.stories,
        store.subscriptions,
        store.editorials,
        store.blueprints,
        store.public_letters,
    ):
        table.remove(player=player)
    store.blocks.remove(other=player)
    store.nominations.remove(player=player, state="open")
    # A medal that was awarded stays with its pilot, without the citation.
    store.nominations.change_all({"player": player}, citation="")


def pseudonym(store: Store, player: Player) -> None:
    """Put a pseudonym in place of a person's name and address, and stop letters to them."""
    name = _free_pseudonym(store, player.id)
    for row in store.personas.all(player=player.id):
        if row.is_guest:
            store.personas.change(row.id, name=name)
    store.players.change(
        player.id,
        name=name,
        **columns(name),
        address=f"former-{player.id}@erased.invalid",
        confirmed=False,
        key_serial=player.key_serial + 1,  # makes all earlier tokens invalid
        mail=GONE,
        language="",
        zone="",
        heard=player.joined,
    )


def _free_pseudonym(store: Store, number: int) -> str:
    """Return a pseudonym that nobody has: erasing must not fail because a name is taken.

    Nobody can choose one (pbem.handlers.reserved_names); if one is taken nevertheless, the next is
    used.
    """
    plain = f"Former player {number}"
    for name in chain([plain], (f"{plain}{'b' * n}" for n in count(1))):
        known = columns(name)
        players = [store.players.find(**{key: value}) for key, value in known.items()]
        pilots = [store.personas.find(**{key: value}) for key, value in known.items()]
        if not any(pilots) and all(one is None or one.id == number for one in players):
            return name
    raise AssertionError("there is always a next one")


def _rename_rulings(store: Store, player: Player, traces: Traces) -> None:
    """Put the pseudonym into the rulings from the shell that name the person."""
    name = store.players.get(player.id).name
    for row in store.rounds.all():
        if row.ruling and traces.are_in(row.ruling):
            store.rounds.change(row.id, ruling=traces.replaced(row.ruling, name))


def _forget_letters(
    store: Store, player: Player, addresses: list[str], traces: Traces, name: str
) -> Traces:
    """Drop a person's letters, and those of others that quote them; redact those that name them.

    Each letter is read once. Return what is still searched for: if others used the name before this
    person joined, it is a phrase of theirs, and not a name.
    """
    mine = {row.id for row in store.letters.all(player=player.id)}
    mailboxes = {mailbox_of(address) for address in addresses}
    carrying = {row.what for row in store.authorships.all(player=player.id)}
    pieces = Pieces(_written(store, player))
    own, quoting, naming = list[int](), list[int](), list[int]()
    is_phrase = False
    for row in store.letters.each():
        if row.id in mine:
            own.append(row.id)
        elif row.content:
            reading = read_letter(row.content, Limits())
            whole = _all_of(row, reading)
            answered = {*reading.in_reply_to, *reading.references}
            # Not all letters of theirs have their number: some came before they joined.
            if reading.sender and mailbox_of(reading.sender) in mailboxes:
                own.append(row.id)
            elif carrying & answered and pieces.are_in(reading.whole):
                # A letter that is still to be handled must keep its orders.
                quoting += [row.id] if row.state in _HANDLED else []
            elif row.state in _HANDLED and traces.are_in(whole):
                naming.append(row.id)
            is_phrase = is_phrase or (row.received < player.joined and traces.name_is_in(whole))
    # Known only after all letters were read, so nothing is redacted before.
    if is_phrase:
        traces = traces.of_addresses()
    for number in own:
        # A Message-ID names the host of its writer's program, and may hold the address.
        erased = f"<{number}@erased.invalid>"
        store.letters.change(number, message_id=erased, reason="", error="", checked="")
    for number in own + quoting:
        store.letters.change(number, content=b"")
    for number in naming:
        _redact(store, number, traces, name)
    return traces


def _redact(store: Store, number: int, traces: Traces, name: str) -> None:
    """Redact a person in another's letter; drop its words if that fails."""
    row = store.letters.get(number)
    clean = redacted(row.content, traces, name)
    if clean == row.content:
        return
    left = _all_of(row._replace(content=clean), read_letter(clean, Limits()))
    # In a form that can't be redacted the name may be left, so all the words go.
    if not clean or traces.are_in(left):
        store.letters.change(number, content=b"")
        return
    # `pbem fsck` compares each letter with its SHA-256.
    store.letters.change(number, content=clean, sha256=hashlib.sha256(clean).hexdigest())


def _redact_words(store: Store, player: Player, traces: Traces, name: str) -> None:
    """Redact a person in others' published words, and in the notes about letters."""
    for letter in store.letters.each():
        if traces.are_in(f"{letter.reason}\n{letter.error}"):
            store.letters.change(
                letter.id,
                reason=traces.replaced(letter.reason, name),
                error=traces.replaced(letter.error, name),
            )
    for table, words in (
        (store.stories, "text"),
        (store.editorials, "text"),
        (store.public_letters, "text"),
        (store.nominations, "citation"),
    ):
        for row in table.all():
            text = getattr(row, words)
            if row.player_id != player.id and traces.are_in(text):
                table.change(row.id, **{words: traces.replaced(text, name)})


def _all_of(row: Letter, reading: Reading) -> str:
    """Return a letter as it came, followed by its decoded words."""
    return f"{row.content.decode('utf-8', 'replace')}\n{reading.subject}\n{reading.whole}"


def _written(store: Store, player: Player) -> Iterator[str]:
    """Yield the lines that a person wrote, without orders, which many people write alike."""
    for text in _published(store, player):
        yield from text.splitlines()
    for letter in store.letters.all(player=player.id):
        yield from _own_lines(letter)


def _own_lines(letter: Letter) -> list[str]:
    """Return the lines of a letter that every system reads as story and not as orders."""
    if not letter.content:
        return []
    text = read_letter(letter.content, Limits()).text
    read = [read_for(rules, None, None, text) for rules in registry.RULESETS.values()]
    lines = [{*written.story, *written.private} for written in read]
    return sorted(set.intersection(*lines))


def _forget_mail(store: Store, player: Player, addresses: list[str], traces: Traces) -> None:
    """Drop all letters to a person, and the words of others' that carry theirs or name them.

    What waits to be sent to others is still sent, and dropped then.
    """
    store.outbox.remove(player=player.id)
    mailboxes = {mailbox_of(address) for address in addresses}
    # Letters to strangers have no player: this person was one before joining.
    for (recipient,) in set(store.outbox.values("recipient")):
        if recipient and mailbox_of(recipient) in mailboxes:
            store.outbox.remove(recipient=recipient)
    carrying = {row.what for row in store.authorships.all(player=player.id)}
    for row in store.outbox.each():
        theirs = row.message_id in carrying
        if not row.content or not (
            theirs or traces.are_in(f"{title(row.content)}\n{plain_text(row.content)}")
        ):
            continue
        if row.state in SENT:
            store.outbox.change(row.id, content=b"")
            continue
        store.set_meta(OWING, "1")
        # `forget_sent` finds by this what must be dropped once it is sent.
        if not theirs:
            store.authorships.insert(what=row.message_id, player=player.id)


def forget_sent(store: Store) -> None:
    """Drop the words of letters that carry an erased person's words and have been sent by now."""
    waiting = False
    for player in store.players.all(mail=GONE, confirmed=False):
        for row in store.authorships.all(player=player.id):
            letter = store.outbox.find(message_id=row.what)
            if letter is not None and letter.content and letter.state in SENT:
                store.outbox.change(letter.id, content=b"")
                store.set_meta(UNCLEAN, "1")
            waiting = waiting or (letter is not None and letter.state not in SENT)
    store.set_meta(OWING, "1" if waiting else "")


def _published(store: Store, player: Player) -> list[str]:
    """Return what a person wrote that newsletters print."""
    return [
        *(one.text for one in store.stories.all(player=player.id)),
        *(one.citation for one in store.nominations.all(player=player.id)),
        *(one.text for one in store.editorials.all(player=player.id)),
    ]


def _forget_published(store: Store, player: Player, traces: Traces, name: str) -> None:
    """Drop posts with a person's words, and cut only the words out of newsletters.

    What waits is not posted any more. A newsletter from which they can't be cut is dropped as a
    whole; if it is going out, that ends there. Where the person is named, a pseudonym is put in.
    """
    carrying = {row.what for row in store.authorships.all(player=player.id)}
    texts = _published(store, player)
    for issue in store.issues.each():
        carries = issue_name(issue.id) in carrying
        page = (
            newsletter_redaction.without(issue.page, texts)
            if issue.page and carries
            else issue.page
        )
        if page:
            store.issues.change(issue.id, page=redacted_page(page, traces, name))
        elif issue.page:
            store.issues.change(issue.id, page="", done=True)
    for post in store.posts.each():
        theirs = post_name(post.channel, post.ident) in carrying
        if theirs and post.state == "queued":
            store.posts.remove(id=post.id)
        elif theirs:
            store.posts.change(post.id, body="", title="", error="")
        elif traces.are_in(f"{post.title}\n{post.body}\n{post.error}"):
            store.posts.change(
                post.id,
                title=traces.replaced(post.title, name),
                body=traces.replaced(post.body, name),
                error=traces.replaced(post.error, name),
            )
