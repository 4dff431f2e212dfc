"""What only a Maildir has: files that move and vanish, and numbers kept in a file."""

import os
import stat
from datetime import UTC, datetime
from pathlib import Path

import pytest

from pbem.mail.mailbox import Arrival, Cursor, MailboxDown
from pbem.mail.maildir import UID_FILE, MaildirMailbox, MaildirTransport, deliver, make_maildir

RAW = b"Subject: x\n\nFIRE\n"


@pytest.fixture
def path(tmp_path: Path) -> Path:
    make_maildir(tmp_path / "mail")
    return tmp_path / "mail"


def opened(path: Path) -> MaildirMailbox:
    box = MaildirMailbox(path)
    box.connect()
    return box


def drain(box: MaildirMailbox, after: Cursor | None = None) -> list[Arrival]:
    return [each for batch in box.arrivals(after) for each in batch]


def test_what_the_transport_delivers_the_mailbox_reads_with_its_envelope(tmp_path: Path) -> None:
    MaildirTransport(tmp_path / "post").send("a+t@x", "b@y", b"Subject: x\r\n\r\nFIRE\r\n")
    [only] = drain(opened(tmp_path / "post"))
    envelope = b"Return-Path: <a+t@x>\r\nX-Envelope-To: b@y\r\n"
    assert only.raw == envelope + b"Subject: x\r\n\r\nFIRE\r\n"
    [file] = (tmp_path / "post" / "new").iterdir()
    assert b"\r" not in file.read_bytes()
    assert not list((tmp_path / "post" / "tmp").iterdir())


def test_the_time_of_a_letter_is_that_of_its_file(path: Path) -> None:
    deliver(path, RAW)
    [file] = (path / "new").iterdir()
    os.utime(file, (1_800_000_000, 1_800_000_000))
    [only] = drain(opened(path))
    assert only.received == datetime.fromtimestamp(1_800_000_000, UTC)


def test_letters_that_were_there_before_are_numbered_by_age(path: Path) -> None:
    for name, age in (("b", 100), ("a", 300), ("c", 200)):
        (path / "new" / name).write_bytes(name.encode())
        os.utime(path / "new" / name, (age, age))
    assert [each.raw for each in drain(opened(path))] == [b"b", b"c", b"a"]


def test_a_letter_that_a_mail_program_has_touched_keeps_its_number(path: Path) -> None:
    deliver(path, RAW)
    before = drain(opened(path))
    [file] = (path / "new").iterdir()
    seen = file.rename(path / "cur" / f"{file.name}:2,S")
    assert drain(opened(path)) == before
    seen.rename(path / "cur" / f"{file.name}:2,FS")
    box = opened(path)
    assert drain(box) == before
    box.file(before[0].uidvalidity, [before[0].uid])
    assert [each.name for each in (path / ".Processed" / "cur").iterdir()] == [f"{file.name}:2,FS"]


def test_a_filed_letter_lies_where_mail_programs_look(path: Path) -> None:
    deliver(path, RAW)
    box = opened(path)
    [only] = drain(box)
    box.file(only.uidvalidity, [only.uid])
    [file] = (path / ".Processed" / "cur").iterdir()
    assert (file.read_bytes(), file.name[-3:]) == (RAW, ":2,")
    assert (path / ".Processed" / "maildirfolder").exists()


@pytest.mark.parametrize("spoilt", [None, "", "rubbish", "1 2\n", "1 5 9\nno number\n"])
def test_when_the_numbers_are_lost_all_letters_are_new(path: Path, spoilt: str | None) -> None:
    deliver(path, RAW)
    [before] = drain(opened(path))
    list_file = path / UID_FILE
    list_file.unlink()
    if spoilt is not None:
        list_file.write_text(spoilt)
    box = opened(path)
    box._numbers.uidvalidity += 1  # the clock has gone on since
    [after] = drain(box, Cursor(before.uidvalidity, before.uid))
    assert after.raw == before.raw


def test_numbers_are_kept_when_letters_go_one_by_one(path: Path) -> None:
    for _ in range(3):
        deliver(path, RAW)
    box = opened(path)
    first, second, third = drain(box)
    box.file(first.uidvalidity, [second.uid])
    assert opened(path).uids() == (first.uidvalidity, {first.uid, third.uid})
    deliver(path, RAW)
    assert max(opened(path).uids()[1]) == third.uid + 1


def test_hidden_files_are_no_letters(path: Path) -> None:
    (path / "new" / ".nfs0001").write_bytes(b"")
    assert drain(opened(path)) == []


def test_no_maildir_is_a_mailbox_that_is_down_for_now(tmp_path: Path) -> None:
    with pytest.raises(MailboxDown, match="There is no Maildir at /") as down:
        MaildirMailbox(tmp_path / "none").connect()
    assert down.value.retry
    assert not (tmp_path / "none").exists()


def test_a_file_is_no_maildir(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    with pytest.raises(MailboxDown, match="cannot be used: Not a directory"):
        MaildirMailbox(tmp_path / "file").connect()


def test_a_maildir_that_vanishes_while_waited_for_is_down(path: Path) -> None:
    box = opened(path)
    (path / "new").rmdir()
    with pytest.raises(MailboxDown, match="no Maildir"):
        box.wait(5)


def test_letters_are_for_their_owner_only(tmp_path: Path) -> None:
    make_maildir(tmp_path / "mail")
    assert stat.S_IMODE((tmp_path / "mail" / "new").stat().st_mode) == 0o700


def test_a_header_without_an_end_is_cut(path: Path) -> None:
    deliver(path, b"Subject: " + b"x" * 2_000_000)
    [only] = drain(opened(path))
    assert (only.truncated, only.size, len(only.raw)) == (True, 2_000_009, 102_400)
