"""Whether a mail server answers at its port with TLS, or plainly first, as the settings say."""

import socket
import ssl
from contextlib import suppress

TIMEOUT = 4.0
"""Seconds for each of two attempts: a wrong setting is reported within ten."""

_USUAL = {("imap", "tls"): 993, ("imap", "starttls"): 143, ("smtp", "tls"): 465}
_USUAL |= {("imap", "none"): 143, ("smtp", "none"): 25}
_SUBMISSION = 587
"""The usual ports."""


def fault(kind: str, host: str, port: int, tls: str, timeout: float = TIMEOUT) -> str:
    """Return what is wrong with a server's name, port and `tls`, with what to change, or ""."""
    try:
        return mismatch(kind, host, port, tls, timeout)
    except OSError as error:
        reason = error.strerror or str(error) or "no answer"
        return f"{host}:{port} does not answer ({reason}); are host and port right?"


def mismatch(kind: str, host: str, port: int, tls: str, timeout: float = TIMEOUT) -> str:
    """Return why a server's port and `tls` do not fit, with what to change, or "".

    Nothing is sent but the beginning of TLS, so this needs no password. Whether the certificate is
    good is not looked at here. Raise OSError where nothing answers.
    """
    where = f"{host}:{port}"
    if tls == "tls":
        return "" if _answers_tls(host, port, timeout) else _plainly(kind, where)
    return "" if _greets(host, port, timeout) else _by_tls(kind, where, host, port, timeout)


def _plainly(kind: str, where: str) -> str:
    return (
        f'{where} does not begin with TLS, and [{kind}] tls = "tls" needs that: set tls ='
        f' "starttls"{_port(kind, "starttls")}, or port = {usual(kind, "tls")}'
    )


def _by_tls(kind: str, where: str, host: str, port: int, timeout: float) -> str:
    if _answers_tls(host, port, timeout):
        return (
            f'{where} begins with TLS at once: set [{kind}] tls = "tls"{_port(kind, "tls")}, or'
            f" port = {usual(kind, 'starttls')}"
        )
    return f"{where} takes connections and says nothing; are host and port right?"


def usual(kind: str, tls: str) -> int:
    """Return the usual port for IMAP or SMTP with a kind of TLS."""
    return _USUAL.get((kind, tls), _SUBMISSION)


def _port(kind: str, tls: str) -> str:
    return f" (usual at port {usual(kind, tls)})"


def _answers_tls(host: str, port: int, timeout: float) -> bool:
    """Return whether a server takes part in TLS from the first byte."""
    context = ssl.create_default_context()
    # Only whether the server speaks TLS: the login reports a certificate that is not good.
    context.check_hostname, context.verify_mode = False, ssl.CERT_NONE
    with socket.create_connection((host, port), timeout) as plain:
        try:
            with context.wrap_socket(plain, server_hostname=host):
                return True
        except (ssl.SSLError, TimeoutError, ConnectionError):
            return False


def _greets(host: str, port: int, timeout: float) -> bool:
    """Return whether a server speaks first, without TLS."""
    with socket.create_connection((host, port), timeout) as plain:
        # Servers for IMAP and SMTP greet first. One that waits for TLS says nothing.
        plain.settimeout(timeout)
        with suppress(TimeoutError, ConnectionError):
            return bool(plain.recv(1))
    return False
