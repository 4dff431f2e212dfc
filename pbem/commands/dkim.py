"""`pbem dkim`: the key that signs letters, and its record for DNS."""

import os

from pbem.channels.mail.signing import EXTRA
from pbem.commands.common import Args, UsageError, config, show
from pbem.settings import Settings
from pbem.settings.load import load


def dkim(args: Args) -> None:
    """Print the record that must be published, after making a key if that is wanted."""
    settings = load(config(args))
    if args.new:
        _make(settings)
    signer = settings.signer()
    if signer is None:
        raise UsageError('[dkim] is missing in league.toml; write [dkim] and selector = "league1"')
    facts = {"name": signer.name, "type": "TXT", "value": signer.record, "zone": signer.zone_line}
    show(args, facts)


def _make(settings: Settings) -> None:
    """Write a new key where the settings expect it; an existing one stays."""
    if settings.dkim is None:
        return
    path = settings.path(settings.dkim.key_file)
    try:
        # Imported here: leagues that do not sign need no cryptography (an extra).
        from pbem.channels.mail.dkim import new_key

        # No key is overwritten, and no other user can open the file before its mode is set.
        handle = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    except ImportError:
        raise UsageError(f"[dkim] {EXTRA}") from None
    except FileExistsError:
        raise UsageError(f"{path} is there already, and is not changed") from None
    except OSError as error:
        raise UsageError(f"{path} can't be written ({error.strerror})") from None
    with os.fdopen(handle, "w", encoding="ascii") as file:
        file.write(new_key())
