"""Doubts: which orders of a letter the words around them call off, condition or only quote."""

import re
from collections.abc import Sequence

from engine.i18n import Said, say
from engine.orders.lines import SENTENCE_ENDS, clean
from pbem.handlers import lookup
from pbem.intake import contact_details
from pbem.routing.line_tests import LineTests

WORDS = say(
    "the words next to it may mean that it is no order now; if it is one, send it without them"
)
TAKEN_BACK = say(
    "a line below it seems to take something back; send the orders that count, and no others"
)
UNTICKED = say("its box has no tick, or it is crossed out; send it alone if you want it")
SIGNED = say("it stands below your farewell, where a signature begins; put it above")


def _any(*phrases: str) -> str:
    """Return a pattern for any of some phrases, which `/` parts; `~` stands for any ending."""
    return rf"(?:{'|'.join(phrases)})(?!\w)".replace("/", "|").replace("~", r"\w*")


_BY_THE_WAY = (
    r"(?:(?:oh|ah|u[hm]|er|hm+|äh+|ach|ups|oops|sorry|ok(?:ay)?|please|pls|bitte|and|but|or|no|nein)"
    r"[,.!]*\s+)*"
)
_UNENDED = _any(
    "to/would/should/could/might/must/will/shall/can/cannot/may/not/never/ever/really",
    r"\w+n't/i/i'd/i'll/be/been/n?or/n?either/if/unless/when/until/before/than/with/of/otherwise",
    "the/an?/my/your/his/her/their/between/about/like/said/says/sent/ordered/wrote/writes/does",
    "did",
    "no more/anything but/take back/replace",
    "surely/certainly",
    "zu/würden?/sollten?/könnten?/müssten?/hätten?/muss/musst/wird/werde/kann/darf/ob/solle/wohl",
    "nicht/nie/niemals/keinen?/keinesfalls/auf keinen fall/oder/entweder/weder/wenn/falls/bis",
    "bevor/sonst/mit/von/der/das/eine?n?/meine?n?/deine?n?/seine?n?/mich/dich/dir/sich/uns/euch",
    "sagte/schrieb/befahl/schickte/bedeutet/heißt/funktioniert/bei/zwischen/über/sicher",
)
_LEADS_ON = re.compile(
    rf"(?:.*\W)?{_UNENDED}|(?:\S+\s+){{3,}}{_any('is/are/have/think/ist/sind/ich/du')}"
)
"""A line whose sentence hardly ends with it."""
_PLAIN_LEAD = re.compile(
    r"(?:(?:for|in|on|my|the|so|now|and|then|für|im|den|die|und|dann)\s+)*"
    r"(?:(?:this|next|diese[rn]?|nächste[rn]?) (?:turn|round|runde|zug),?\s*)?"
    r"(?:(?:i|we)(?:'d| would) like(?: to)?|(?:i|we) want(?: to)?|(?:i|we)(?:'ll| will)"
    r"|(?:ich )?(?:möchte|will|würde)(?: ich)?(?: gerne?)?)?"
    r"|(?:(?:yes|ok|ja),? )?"
    r"(?:(?:it|that) was me|(?:das|es) (?:war|bin) ich|ich (?:war|bin) (?:es|das))"
)
"""A line that only leads to the orders below it, or confirms that its writer wants to join; each
turn that it names is the next one then."""
_CONDITION = _any(
    "if/when/whenever/unless/once(?! more| again)/as soon as/in case/as long as/until/while",
    "after/before/only if/only when/should (?:he|she|it|they)/provided/assuming/given/falls",
    "wenn/sobald/solange/nachdem/bevor/sofern/sollte (?:er|sie|es)",
)
_NOT_NOW = _any(
    "maybe/perhaps/not/do not/don't/dont/never/under no/later/next turn/next round",
    "nie/niemals/auf keinen fall/keinesfalls/bitte nicht/vielleicht/nicht/noch nicht/später",
    "nächste runde/nächster zug",
)
_CONDITIONS = re.compile(
    rf"(?:(?:and|but|or|und|aber|oder|only|nur|then|dann)\s+)*(?:{_CONDITION}|{_NOT_NOW}).*"
)
_QUOTING = re.compile(
    r"\b"
    + _any(
        r"not/never/no/\w+n't/dont/cancel~/ignor~/forget/disregard/delete/remove/undo/instead",
        "old/was/were/previous~/earlier/last/draft/example/said/says/wrote/writes/asked/sent",
        "suggests?/suggested/thinks/options?/choices?/possib~/could/would/might/should/may/maybe",
        "perhaps/later/tomorrow/next turn/next round/plan/alternative~/backup/wish~/joke/copy",
        "decided/rules?/rulebook/mistake~/his/her/their/your/enem~/opponent~/ideas?/quote",
        "history/log",
        "ago/done/already/revoked?/stop/skip/otherwise/else/fallback/emergency/contact",
        "nicht/nie/niemals/keine?n?/streich~/ignorier~/vergiss/lösch~/statt/alte~/waren?/vorher~",
        "früher~/letzte~/entwurf/beispiel/sagte?/schrieb/schreibt/schlägt/meint/option~/möglich~",
        "könnten?/würden?/sollten?/vielleicht/später/morgen/vorschlag~/nächste~ runde",
        "nächste~ zug/witz/kopie/regel~/seine?/ihre?/deine?/gegner~/feind~/idee/zitat/gestrichen",
        "zurück/erledigt/vor (?:zwei|drei)/sonst/notfall/kontakt",
    )
)
"""What a line with a colon holds that only quotes the orders below it, or calls them off."""
_EXAMPLE = re.compile(r"(?:for )?e\.?g|for example|z\. ?b|zum beispiel")
_CLOCK = re.compile(r".*\b\d{1,2}[:.]\d\d(?: ?[ap]m)?\W*")
_FOLLOWING = re.compile(
    rf"{_BY_THE_WAY}(?:ignore|disregard|skip|forget|cancel|ignorier\w*|vergiss|streich\w*)\s+"
    r"(?:(?:the|all|das|den|die) )*"
    rf"{_any('following/next/this/these/below/folgende~/nächste~/dies~/hier')}.*"
)
_GOES_ON = re.compile(
    r"(?:(?:but|and|und|aber|only|nur)\s+)*"
    + _any(
        "or/by/is/was/came/kam/would/will/but/said/says/do/does/which/because/instead/until/of",
        "at/to/with",
        "from/into/as/than/only/not/whatever/maybe/perhaps/that's/echoed/crackled",
        "hallte/oder/ist/war/wäre/wird/aber/weil/statt/bis/von/mit/zu/als/sondern/nicht/nur",
        _CONDITION,
    )
    + ".*"
)
_FRAGMENT = re.compile(rf"(?:(?:but|aber) )?(?:{_CONDITION}|{_any('or/oder')})(?: \S+){{0,5}}")
_SPEECH = re.compile(
    r"(?:\S+ ){0,3}"
    + _any(
        "said/cried/shouted/whispered/yelled/screamed/replied/asked",
        "sagte/rief/schrie/flüsterte/brüllte/fragte",
    )
    + ".*"
)
_OTHER_LETTER = r"(?!.*\b(?:letter|e-?mail|mail|brief)\b)"
_BACK = re.compile(
    _BY_THE_WAY
    + _any(
        "no,? ?wait/wait,? (?:no|i)/no,? (?:sorry|actually|rather)/rather not/better not",
        "(?:scratch|strike|scrap) (?:that|this|it)/never ?mind/correction/i (?:mean|meant)",
        "(?:ignore|disregard|forget|cancel|delete|undo|skip) (?:that|this|it|all|everything"
        "/(?:(?:the|my|those|these) )*(?:above|last|previous|first|second|orders?|lines?))"
        + _OTHER_LETTER,
        "(?:just |only )?(?:kidding|joking|a joke)/jk/lol/ha(?:ha)+,? no/not really",
        "instead(?! of)",
        "(?:a )?typo/tippfehler/haha~/ha! as if/as if/not that/do(?: not|n't) (?:do|carry|send)",
        "change of plan/i(?:'ve)? changed my mind/on second thoughts?/i(?:'d| would) rather",
        "(?:warte|halt|moment),? nein/nein,? (?:warte|halt|doch|lieber)/warte,? ich/doch nicht",
        "lieber (?:doch|nicht|so|das|erst|mal|gleich)/quatsch/korrektur/stattdessen",
        "(?:vergiss|streich\\w?|ignorier\\w?) (?:das|es|alles|den|die|obige~)" + _OTHER_LETTER,
        "(?:das |es )?(?:bitte )?(?:wieder )?(?:streichen|löschen|vergessen)/ich meinte?",
        "gestrichen",
        "(?:das )?nicht (?:ausführen|machen|tun)/das nehme ich zurück/das hättest du",
        "(?:das war |war )?(?:nur |bloß |kleiner |ein )*(?:spaß|witz|scherz)",
    )
    + r".*|.*\b"
    + _any(
        r"(?:instead|by mistake|stattdessen|versehentlich|aus versehen|doch nicht)\W*$",
        r"(?:wrong|falsche[rsn]?) (?:line|game|order|one|zeile|partie|befehl)\b.*",
    )
)
_MOST_LINES = 100
"""Below so many lines of a letter's own words no order is doubted, because that is slow."""
_LOUD = re.compile(r"\W*[A-Z]{2,}\b")
_TICKED = re.compile(r"\W*(?:\[[xX✓✔]\]|\([xX]\)|[☑✅✔☒])")
_EMPTY = re.compile(r"\W{0,3}(?:\[ ?\]|\( ?\)|[☐⬜□❏❑○])")
_CROSSED = re.compile(r"^\W*[❌✖✗✘❎🚫⛔]|[❌✖✗✘❎🚫⛔]\W*$")
_THANKS = re.compile(r"thank|best\b.?$|cheers", re.I)
_POSTSCRIPT = re.compile(r"p\.? ?s\b", re.I)


class Doubts:
    """The doubts about the orders in a letter's lines."""

    def __init__(self, lines: Sequence[str], tests: LineTests) -> None:
        self._lines, self._tests = lines, tests
        self._said = [clean(line).lower().lstrip("(-. ") for line in lines]
        # Some programs put a blank line between any two, which parts nothing then.
        self._spread = not any(a and b for a, b in zip(self._said, self._said[1:], strict=False))
        self._back = self._last_taking_back()
        self._ticks = any(map(_TICKED.match, lines))
        self._signed = self._below_farewell()
        self._called_off = -1

    def why(self, order: str, first: int, end: int) -> Said | None:
        """Return why an order, which begins at a line and ends above another, may not be one.

        Return None where nothing speaks against it, or where the line is no order at all.
        """
        why = self._why(order, first, end) if first < _MOST_LINES else None
        if why is None or not self._tests.is_meant(order):
            return None
        if why is WORDS:
            # The words may concern each of the orders right below them.
            self._called_off = end
        return why

    def _why(self, order: str, first: int, end: int) -> Said | None:
        line = self._lines[first]
        if first < self._back:
            return TAKEN_BACK
        if _CROSSED.search(line) or (self._ticks and _EMPTY.match(line)):
            return UNTICKED
        if first in self._signed:
            return SIGNED
        if self._tests.leaves(order) and self._touches_words(first, end):
            return WORDS
        return WORDS if self._is_led_to(first) or self._goes_on(first, end) else None

    def _last_taking_back(self) -> int:
        """Return the last line that takes something back, above any text for others; else -1."""
        found = [n for n, said in enumerate(self._said) if _BACK.fullmatch(said)]
        texts = (n for n, line in enumerate(self._lines) if found and self._tests.has_text(line))
        text = next(texts, len(self._lines))
        return max((n for n in found if n < text), default=-1)

    def _below_farewell(self) -> range:
        """Return the lines below a farewell that stands below orders, up to a postscript."""
        farewells = (
            n
            for n, line in enumerate(self._lines)
            if contact_details.is_farewell(line) and not _THANKS.match(line.strip())
        )
        first = next(farewells, 0)
        if not any(map(self._tests.reader.is_order, self._lines[:first])):
            return range(0)
        below = range(first + 1, len(self._lines))
        end = next((n for n in below if _POSTSCRIPT.match(self._lines[n])), below.stop)
        return range(below.start, end)

    def _is_led_to(self, first: int) -> bool:
        """Return whether the words above an order, or above those right above it, concern it."""
        n = next((n for n in range(first - 1, -1, -1) if self._said[n]), None)
        if n is None:
            return False
        said, written = self._said[n], self._lines[n].rstrip()
        colon, near = written.endswith(":"), self._spread or n == first - 1
        if near and n + 1 == self._called_off:
            return True
        if _PLAIN_LEAD.fullmatch(said.rstrip(" ,:-")):
            return False
        found = _FOLLOWING.fullmatch(said) or (colon and _QUOTING.search(said))
        if near and not found:
            found = _EXAMPLE.fullmatch(said) or _CLOCK.fullmatch(said)
        if (near or colon) and not found and not written.endswith(SENTENCE_ENDS):
            found = _LEADS_ON.fullmatch(said.rstrip(" ,:-")) or _CONDITIONS.fullmatch(said)
        # Where orders begin with names, any words with a colon may be one.
        return bool(found) and (colon or not self._tests.is_orderly(self._lines[n]))

    def _goes_on(self, first: int, end: int) -> bool:
        """Return whether the words right below an order go on with its sentence."""
        if self._spread:
            end = next((n for n in range(end, len(self._lines)) if self._said[n]), end)
        if end == len(self._lines) or not self._said[end]:
            return False
        said, written = self._said[end], self._lines[end].strip()
        # A rule that is not whole begins something new.
        if written.endswith(":") or _LOUD.match(written):
            return False
        small = written.lstrip("(-–—….\"' ")[:1].islower()
        found: object = small and self._is_within(first)
        if not found and (said.startswith(("or ", "oder ")) or not written.endswith("?")):
            found = small and _GOES_ON.fullmatch(said)
            found = found or _FRAGMENT.fullmatch(said) or _SPEECH.fullmatch(said)
        if not found or self._tests.has_text(self._lines[first]):
            return False
        return not self._tests.is_orderly(self._lines[end])

    def _touches_words(self, first: int, end: int) -> bool:
        """Return whether other words stand right above or below an order, and could concern it."""
        if self._spread:
            return False
        above, below = self._lines[first - 1 : first], self._lines[end : end + 1]
        ends = (*SENTENCE_ENDS, ":")
        unended = [line.strip() for line in above if not line.rstrip().endswith(ends)]
        words = [line for line in (*unended, *map(str.strip, below)) if line]
        heads = (_LOUD.match(line) or lookup.PILOT_HEAD.fullmatch(line) for line in words)
        return any(
            not (head or self._tests.is_orderly(line))
            for head, line in zip(heads, words, strict=True)
        )

    def _is_within(self, first: int) -> bool:
        """Return whether a sentence that has not ended stands right above a line."""
        above = self._lines[first - 1].strip() if first and not self._spread else ""
        return above[:1].isupper() and above[-1:].isalpha() and not self._tests.is_order(above)
