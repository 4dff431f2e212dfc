"""Letters passed to the host's own mail server through its sendmail command."""

import shutil
import subprocess
from collections.abc import Sequence

from pbem.channels.mail.transport import (
    Deferred,
    Rejected,
    TransportDown,
    TransportFault,
    check_envelope,
)

_BAD_LETTER, _BAD_ADDRESS, _MISUSED = (65,), (67, 68), (64, 77, 78, 126, 127)


class SendmailTransport:
    """Pipes each letter into `command -oi -f sender -- recipient`, and reads its exit status."""

    def __init__(self, command: Sequence[str] = ("/usr/sbin/sendmail",), timeout: float = 60):
        self._command = list(command)
        self._timeout = timeout

    def send(self, sender: str, recipient: str, raw: bytes) -> None:
        """Send one letter, with LF. Raises Deferred, Rejected or TransportDown (sysexits.h)."""
        check_envelope(sender, recipient)
        # -oi: a line with a single dot does not end the letter; --: the address is not an option.
        words = [*self._command, "-oi", "-f", sender or "<>", "--", recipient]
        try:
            done = self._run(words, raw.replace(b"\r\n", b"\n"))
        except subprocess.TimeoutExpired as error:
            raise Deferred(f"{self._command[0]} did not end; the letter may have gone.") from error
        except OSError as error:
            raise TransportDown(f"{self._command[0]} cannot be run: {error.strerror}.") from error
        if done.returncode:
            raise self._fault(done.returncode, done.stderr, recipient)

    def program(self) -> str:
        """Return the program's file. Raise TransportDown where there is none that can be run."""
        found = shutil.which(self._command[0])
        if found is None:
            raise TransportDown(
                f"[maildir] sendmail: {self._command[0]} is no program that can be run here; name"
                " that of your mail server, such as /usr/sbin/sendmail."
            )
        return found

    def close(self) -> None:
        """Do nothing: no process is kept."""

    def _run(self, words: Sequence[str], raw: bytes) -> subprocess.CompletedProcess[bytes]:
        return subprocess.run(
            words, input=raw, capture_output=True, timeout=self._timeout, check=False
        )

    def _fault(self, status: int, stderr: bytes, recipient: str) -> TransportFault:
        words = " ".join(stderr.decode("utf-8", "replace").split()) or f"exit status {status}"
        sentence = f"{self._command[0]} did not take the letter for {recipient}: {words}."
        if status in _MISUSED:
            return TransportDown(sentence)
        if status in _BAD_LETTER + _BAD_ADDRESS:
            return Rejected(sentence, 550, bad_address=status in _BAD_ADDRESS)
        return Deferred(sentence)
