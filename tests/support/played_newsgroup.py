"""A newsgroup on a real INN that tests write in."""

from datetime import UTC, datetime
from email import message_from_bytes, policy
from email.utils import format_datetime
from itertools import count

from pbem.channels.newsgroup import NntpSettings
from tests.servers.inn import GROUP, USER, Inn, article
from tests.support.played_boards import Stood


class PlayedNewsgroup:
    """The group of an INN, in which players write from accounts of their own.

    `names` are accounts that give another one's name and address as their own in From.
    """

    def __init__(self, inn: Inn) -> None:
        self.inn = inn
        host, port = inn.nntp
        self.settings = NntpSettings(
            host=host, port=port, group=GROUP, tls="none", user=USER, password_file="p", play=True
        )
        self.names = dict[str, str]()
        self._numbers = count(1)
        self._forms = dict[str, tuple[str, str, dict[str, str]]]()

    def post(self, account: str, text: str, thread: str = "") -> str:
        """Post an article, and return its Message-ID."""
        place = {"References": thread} if thread else {}
        ident = self._post(account, text, place)
        self._forms[ident] = (account, ident, place)
        return ident

    def edit(self, number: str, text: str) -> None:
        """Post an article that supersedes the last form of another, and stands where it stood."""
        account, latest, place = self._forms[number]
        ident = self._post(account, text, {**place, "Supersedes": latest})
        self._forms[number] = (account, ident, place)

    def delete(self, number: str) -> None:
        """Cancel the last form of an article."""
        account, latest, _ = self._forms[number]
        self._post(account, "", {"Control": f"cancel {latest}"})

    def forge(self, text: str, thread: str) -> None:
        """Hand an article over as another server does, which names ada as its writer."""
        ident = f"<{next(self._numbers)}.forged@players.example>"
        fields = {
            "From": "Ada <ada@players.example>",
            "Message-ID": ident,
            "References": thread,
            "Path": "other.example!.POSTED!not-for-mail",
            "Injection-Info": 'other.example; posting-account="ada"',
            "Date": format_datetime(datetime.now(UTC)),
        }
        answer = self.inn.feed(ident, article(fields, text))
        assert answer.startswith("235"), answer

    def private(self, account: str, text: str) -> str:
        """Raise NotImplementedError: in a newsgroup all can read everything."""
        raise NotImplementedError

    def posts(self) -> list[Stood]:
        """Return all articles of the group, in order."""
        return [self._stood(raw) for raw in self.inn.articles()]

    def _stood(self, raw: bytes) -> Stood:
        found = message_from_bytes(raw, policy=policy.default)
        account = str(found["Injection-Info"]).partition('posting-account="')[2].partition('"')[0]
        thread = str(found["References"] or found["Message-ID"]).split()[0]
        return Stood(account, thread, str(found.get_content()))

    def _post(self, account: str, text: str, fields: dict[str, str]) -> str:
        ident = f"<{next(self._numbers)}.{account}@players.example>"
        name = self.names.get(account, account)
        named = {"From": f"{name.title()} <{name}@players.example>", "Message-ID": ident}
        answer = self.inn.post(account, article(named | fields, text))
        assert answer.startswith("240"), answer
        return ident
