"""A certificate authority of our own, and the one certificate that all test servers use."""

from dataclasses import dataclass
from pathlib import Path

import trustme


@dataclass(frozen=True, slots=True)
class Certificates:
    """The authority to trust, and the key with its certificate in one file."""

    ca_file: Path
    key_and_certificate: Path


def make_certificates(folder: Path) -> Certificates:
    """Write a new authority and a certificate for the loopback names."""
    authority = trustme.CA()
    made = Certificates(folder / "ca.pem", folder / "server.pem")
    authority.cert_pem.write_to_path(made.ca_file)
    shown = authority.issue_cert("localhost", "127.0.0.1", "::1")
    shown.private_key_and_cert_chain_pem.write_to_path(made.key_and_certificate)
    made.key_and_certificate.chmod(0o600)
    return made
