"""A DNS server on the loopback interface that knows the records it is given, and counts
questions."""

import socket
import threading
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field

import dns.flags
import dns.message
import dns.rcode
import dns.rrset


@dataclass
class Names:
    """The TXT records of a running server, by name; a name with None gets no answer."""

    address: str
    records: dict[str, str | None]
    asked: list[str] = field(default_factory=list)


@contextmanager
def name_server(records: Mapping[str, str | None]) -> Iterator[Names]:
    """Run a server over UDP (RFC 1035)."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as ear:
        ear.bind(("127.0.0.1", 0))
        host, port = ear.getsockname()
        names = Names(f"{host}:{port}", dict(records))
        thread = threading.Thread(target=_serve, args=(ear, names))
        thread.start()
        try:
            yield names
        finally:
            with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as last:
                last.sendto(b"", (host, port))
            thread.join()


def _serve(ear: socket.socket, names: Names) -> None:
    while True:
        data, who = ear.recvfrom(65535)
        if not data:
            return
        question = dns.message.from_wire(data)
        name = question.question[0].name.to_text().rstrip(".")
        names.asked.append(name)
        answer = dns.message.make_response(question)
        answer.flags |= dns.flags.RA
        if name not in names.records:
            answer.set_rcode(dns.rcode.NXDOMAIN)
        elif (text := names.records[name]) is None:
            answer.set_rcode(dns.rcode.SERVFAIL)
        else:
            parts = (text[at : at + 200] for at in range(0, len(text), 200))
            shown = " ".join(f'"{part}"' for part in parts)
            answer.answer.append(dns.rrset.from_text(f"{name}.", 60, "IN", "TXT", shown))
        ear.sendto(answer.to_wire(), who)
