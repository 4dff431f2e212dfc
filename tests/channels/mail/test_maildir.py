"""What only a Maildir has: files that move and vanish, and numbers kept in a file."""

import os
import socket
import stat
from collections.abc import Callable, Sequence
from contextlib import closing
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest

from pbem.channels.mail.mailbox import Arrival, MailboxDown
from pbem.channels.mail.maildir import MaildirMailbox, MaildirTransport, deliver, make_maildir

RAW = b"Subject: x\n\nFIRE\n"


@pytest.fixture
def path(tmp_path: Path) -> Path:
    make_maildir(tmp_path / "mail")
    return tmp_path / "mail"


def opened(path: Path) -> MaildirMailbox:
    box = MaildirMailbox(path)
    box.connect()
    return box


def drain(box: MaildirMailbox, known: Sequence[Arrival] = ()) -> list[Arrival]:
    places = {one.place for one in known}
    return [each for batch in box.arrivals(places.intersection) for each in batch]


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


def test_letters_that_were_there_before_come_by_age(path: Path) -> None:
    for name, age in (("b", 100), ("a", 300), ("c", 200)):
        (path / "new" / name).write_bytes(name.encode())
        os.utime(path / "new" / name, (age, age))
    assert [each.raw for each in drain(opened(path))] == [b"b", b"c", b"a"]


def test_a_letter_that_a_mail_program_has_touched_keeps_its_place(path: Path) -> None:
    deliver(path, RAW)
    before = drain(opened(path))
    [file] = (path / "new").iterdir()
    seen = file.rename(path / "cur" / f"{file.name}:2,S")
    assert drain(opened(path)) == before
    seen.rename(path / "cur" / f"{file.name}:2,FS")
    box = opened(path)
    assert drain(box) == before
    box.file([before[0].place])
    assert [each.name for each in (path / ".Processed" / "cur").iterdir()] == [f"{file.name}:2,FS"]


def test_a_filed_letter_lies_where_mail_programs_look(path: Path) -> None:
    deliver(path, RAW)
    box = opened(path)
    [only] = drain(box)
    box.file([only.place])
    [file] = (path / ".Processed" / "cur").iterdir()
    assert (file.read_bytes(), file.name[-3:]) == (RAW, ":2,")
    assert (path / ".Processed" / "maildirfolder").exists()


def test_fault_04_a_name_that_is_used_again_hides_no_letter(path: Path) -> None:
    """As after the Maildir was put back from a copy: what lies there counts, not its name."""
    file = path / "new" / "1.a"
    file.write_bytes(RAW)
    [first] = drain(opened(path))
    file.write_bytes(RAW.replace(b"FIRE", b"SCAN"))
    [second] = drain(opened(path), [first])
    assert second.raw.endswith(b"SCAN\r\n")
    box = opened(path)
    assert drain(box, [first, second]) == []
    box.file([first.place])
    assert file.exists()
    box.file([second.place])
    assert not file.exists()


def odd_folder(entry: Path) -> None:
    entry.mkdir()


def odd_fifo(entry: Path) -> None:
    os.mkfifo(entry)


def odd_dangling_link(entry: Path) -> None:
    entry.symlink_to("nowhere")


def odd_link_to_a_folder(entry: Path) -> None:
    entry.symlink_to("/")


def odd_socket(entry: Path) -> None:
    with closing(socket.socket(socket.AF_UNIX)) as made:
        made.bind(str(entry))


ODD = [odd_folder, odd_fifo, odd_dangling_link, odd_link_to_a_folder, odd_socket]


@pytest.mark.parametrize("make", ODD)
def test_one_odd_entry_stops_nothing_and_is_told(path: Path, make: Callable[[Path], None]) -> None:
    deliver(path, RAW)
    make(path / "new" / "100.odd")
    box = opened(path)
    [only] = drain(box)
    assert list(box.withheld.values()) == ["new/100.odd: it is no file"]
    box.file([only.place])
    assert len(list((path / ".Processed" / "cur").iterdir())) == 1
    assert not box.wait(0)
    (path / "new" / "100.odd").rename(path / "odd")
    assert drain(box) == []
    assert box.withheld == {}


def test_a_file_that_cannot_be_read_is_told_and_tried_again(
    path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("1.a", "2.b"):
        (path / "new" / name).write_bytes(RAW)
    whole = Path.open

    def refusing(file: Path, *given: Any) -> Any:
        if file.name == "1.a":
            raise PermissionError(13, "Permission denied")  # which root is never told
        return whole(file, *given)

    box = opened(path)
    with monkeypatch.context() as patched:
        patched.setattr(Path, "open", refusing)
        assert len(drain(box)) == 1
        assert list(box.withheld.values()) == ["new/1.a: Permission denied"]
        assert drain(box) == []
    [only] = drain(box)
    assert (only.raw, box.withheld) == (RAW.replace(b"\n", b"\r\n"), {})


def test_a_letter_that_a_mail_program_moves_meanwhile_is_read_next_time(path: Path) -> None:
    for number in range(101):
        (path / "new" / f"{number:03}.a").write_bytes(RAW)
    box = opened(path)
    batches = box.arrivals(lambda places: set())
    assert len(next(batches)) == 100
    [last] = {*(path / "new").iterdir()} - {path / "new" / f"{n:03}.a" for n in range(100)}
    last.rename(path / "cur" / f"{last.name}:2,S")
    assert list(batches) == []
    assert box.withheld == {}
    assert len(drain(box)) == 1


def test_a_letter_that_cannot_be_moved_does_not_keep_others_from_it(path: Path) -> None:
    for name in ("1.a", "2.b"):
        (path / "new" / name).write_bytes(RAW + name.encode())
    box = opened(path)
    found = drain(box)
    (path / ".Processed" / "cur" / "1.a:2,").mkdir()
    box.file([one.place for one in found])
    assert [file.name for file in (path / "new").iterdir()] == ["1.a"]


def test_a_name_of_any_bytes_is_a_name(path: Path) -> None:
    Path(os.fsdecode(os.fsencode(path) + b"/new/1.\xff\x1b[31m")).write_bytes(RAW)
    [only] = drain(opened(path))
    assert only.place.isascii()


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
