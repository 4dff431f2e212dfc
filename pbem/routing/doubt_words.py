"""The words next to an order that call it off, condition it or only quote it, as patterns."""

import re


def _any_of(*phrases: str) -> str:
    """Return a pattern for any of some phrases, which `/` parts; `~` stands for any ending."""
    return rf"(?:{'|'.join(phrases)})(?!\w)".replace("/", "|").replace("~", r"\w*")


BY_THE_WAY = (
    r"(?:(?:oh|ah|u[hm]|er|hm+|äh+|ach|ups|oops|sorry|ok(?:ay)?|please|pls|bitte|and|but|or|no|nein|lol"
    r"|rofl|h[aei]h[aei]\w*)[,.!]*\s+)*"
)
UNENDED = _any_of(
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
LEADS_ON = re.compile(
    rf"(?:.*\W)?{UNENDED}|(?:\S+\s+){{3,}}"
    + _any_of("is/are/was/were/have/think/ist/sind/war/waren/ich/du")
)
"""A line whose sentence hardly ends with it."""
PLAIN_LEAD = re.compile(
    r"(?:(?:for|in|on|my|the|so|now|and|then|für|im|den|die|und|dann)\s+)*"
    r"(?:(?:this|next|diese[rn]?|nächste[rn]?) (?:turn|round|runde|zug),?\s*)?"
    r"(?:(?:i|we)(?:'d| would) like(?: to)?|(?:i|we) want(?: to)?|(?:i|we)(?:'ll| will)"
    r"|(?:ich )?(?:möchte|will|würde)(?: ich)?(?: gerne?)?"
    r"|(?:(?:my|mein) )?(?:(?:first|next|erster|nächster) )?"
    r"(?:order|move|command|turn|befehl|zug)s? (?:is|are|ist|sind|lautet|lauten)"
    r"|to (?:begin|start) with)?"
    r"|(?:so )?(?:i|we)(?:'ll| will|'m| am)? (?:go|going) (?:with|for)"
    r"|(?:also )?ich (?:nehme|wähle)"
    r"|(?:(?:yes|ok|ja),? )?"
    r"(?:(?:it|that) was me|(?:das|es) (?:war|bin) ich|ich (?:war|bin) (?:es|das))"
)
"""A line that only leads to the orders below it, or confirms that its writer wants to join; each
turn that it names is the next one then."""
CONDITION = _any_of(
    "if/when/whenever/unless/once(?! more| again)/as soon as/in case/as long as/until/while",
    "after(?! that)/before/only if/only when/should (?:he|she|it|they)/provided/assuming/given",
    "falls/wenn/sobald/solange/nachdem/bevor/sofern/sollte (?:er|sie|es)",
)
NOT_NOW = _any_of(
    "maybe/perhaps/not/do not/don't/dont/never/under no/later/next turn/next round",
    "nie/niemals/auf keinen fall/keinesfalls/bitte nicht/vielleicht/nicht/noch nicht/später",
    "nächste runde/nächster zug",
)
CONDITIONS = re.compile(
    rf"(?:(?:and|but|or|und|aber|oder|only|nur|then|dann)\s+)*(?:{CONDITION}|{NOT_NOW}).*"
)
QUOTING = re.compile(
    r"\b"
    + _any_of(
        r"not/never/no/\w+n't/dont/cancel~/ignor~/forget/disregard/delete/remove/undo/instead",
        "old/was/were/previous~/earlier/last/draft/example/said/says/wrote/writes/asked/sent",
        "suggests?/suggested/thinks/options?/choices?/possib~/could/would/might/should/may/maybe",
        "perhaps/later/tomorrow/next turn/next round/plan/alternative~/backup/wish~/joke/copy",
        "decided/rules?/rulebook/mistake~/his/her/their/your/enem~/opponent~/ideas?/quote",
        "history/log",
        "postpone~/verschieb~/types/typed/tippte?/tells/ruft/rief/befiehlt/befahl/ago/done/already",
        "revoked?/stop/skip/otherwise/else/fallback/emergency/contact",
        "nicht/nie/niemals/keine?n?/streich~/ignorier~/vergiss/lösch~/statt/alte~/waren?/vorher~",
        "früher~/letzte~/entwurf/beispiel/sagte?/schrieb/schreibt/schlägt/meint/option~/möglich~",
        "könnten?/würden?/sollten?/vielleicht/später/morgen/vorschlag~/nächste~ runde",
        "nächste~ zug/witz/kopie/regel~/seine?/ihre?/deine?/gegner~/feind~/idee/zitat/gestrichen",
        "zurück/erledigt/vor (?:zwei|drei)/sonst/notfall/kontakt",
        "(?:he|she|they)(?: will|'ll)/(?:er|sie) (?:wird|werden)",
    )
)
"""What a line with a colon holds that only quotes the orders below it, or calls them off."""
ANEW = re.compile(
    r"(?:.*[,;.!–-] )?"
    + _any_of(
        "here(?:'s| is| are| comes?| goes| we)/hier (?:ist|sind|kommt|kommen)",
        "plan for (?:turn|round)/plan für (?:zug|runde)",
        "(?:could|can|would|will) you(?: please)? (?:do|carry out|take)",
        "(?:könntest|kannst|würdest) du(?: bitte)?",
        "(?:i bet (?:that )?)?(?:you|he|she|they|nobody) (?:(?:did|do|does|will|wo)(?: not|n't)? )?"
        "(?:never )?(?:expect(?:ed|s)?|see|saw|sees|guess(?:ed)?) (?:this|that)",
        "(?:ich wette,? )?damit (?:hast|hat|haben|rechne~)",
        # What stands before it is no longer what is meant.
        r"(?:but|aber|trotzdem|dennoch|anyway)\W*$",
    )
    + ".*"
)
"""A line with a colon that leads to new orders, whatever else it tells."""
ORDERING = re.compile(r"\b" + _any_of("orders?/moves?/turns?/round/befehle?/züge?/runde"))
BETWEEN = re.compile(r"(?:.*(?:->|=>|→).*|(?!orders?\b|befehle?\b)\w+ (?:to|an) \w+):")
"""A line that names who speaks to whom, such as `Bob -> me:`."""
_NAMED = r"[^\W\d_a-zß-ÿ][\w'’-]*"
_SMALL = r"[^\W\d_A-ZÄÖÜ]{2,}"
_WHOSE = r"(?i:my|our|your|his|her|their|the|an?|(?:[mds]?ein|ihr|unser)e?|der|die|das)"
_OF = rf"{_WHOSE}(?: [\w'’-]+)??"
_BY_NAME = rf"(?!{_WHOSE} ){_NAMED}(?: {_NAMED})?|(?i:s?he|er|sie|jemand|some(?:body|one))"
TELLS = re.compile(
    # Nouns have capitals in German, so that a small word behind one is a verb.
    rf"(?P<who>{_OF} [\w'’-]+|{_BY_NAME}) (?P<says>{_SMALL}(?:[^\W_s]s|ed))(?: [^:]{{1,40}})?:"
    rf"|(?P<wer>{_OF} {_NAMED}|{_BY_NAME}) (?P<sagt>{_SMALL}te?)(?: [^:]{{1,40}})?:"
)
"""A line with a colon in which somebody else does something, such as `My wife thinks:`."""
OWN_ACT = re.compile(
    r"\b"
    + _any_of(
        "(?:order/move/turn/action/card/step/plan/command/instruction/answer/reply/reaction"
        "/decision/choice/tactic/maneuver/manoeuvre/idea/change/correction/detail/pilot/ship"
        "/fighter/piece/team/squad(?:ron)?/wing/group/crew/unit/captain/leader/element/thing)s?",
        "befehl~/zug~/züge/antwort~/entscheidung~/aktion~/reaktion~/pilot~/schiff~/jäger~/staffel~",
        "trupp~/gruppe~",
        "^(?:i/we/ich/wir/wie/as/just/alle?s?/everything/what/this/that/here/there/then/now/so/dann/jetzt/nun/hier/da/es/damit/it)$",
    ),
    re.I,
)
"""Who or what does it there if it is no stranger, or the head of a list in the plural."""
PRESENTS = re.compile(
    r"(?:follow|come|go|read|look|begin|start|stand|do)e?s|folgt|kommt|geht|gilt|lautet|steht|heißt"
    r"|beginnt|macht|tut"
)
"""A verb by which a line only leads to what stands below it."""
CHOICE = re.compile(
    r"(?:options?|choice|variante?|alternative|idea|idee|plan|vorschlag) (?:\d{1,2}|[a-d])\W*"
)
"""A heading of one of several choices, such as `Option 1`."""
EXAMPLE = re.compile(r"(?:for )?e\.?g|for example|z\. ?b|zum beispiel")
CLOCK = re.compile(r".*\b\d{1,2}[:.]\d\d(?: ?[ap]m)?\W*")
FOLLOWING = re.compile(
    rf"{BY_THE_WAY}(?:ignore|disregard|skip|forget|cancel|ignorier\w*|vergiss|streich\w*)\s+"
    r"(?:(?:the|all|das|den|die) )*"
    rf"{_any_of('following/next/this/these/below/folgende~/nächste~/dies~/hier')}.*"
)
GOES_ON = re.compile(
    r"(?:(?:but|and|und|aber|only|nur)\s+)*"
    + _any_of(
        "or/by/is/was/came/kam/would/will/but/said/says/do/does/which/because/instead/until/of",
        "at/to/with",
        "from/into/as/than/only/not/whatever/maybe/perhaps/that's/echoed/crackled",
        "hallte/oder/ist/war/wäre/wird/aber/weil/statt/bis/von/mit/zu/als/sondern/nicht/nur",
        CONDITION,
    )
    + ".*"
)
FRAGMENT = re.compile(rf"(?:(?:but|aber) )?(?:{CONDITION}|{_any_of('or/oder')})(?: [^\s,]+){{0,5}}")
"""What goes on with the order above it; behind a comma it would have a sentence of its own."""
SPEECH = re.compile(
    r"(?:\S+ ){0,3}"
    + _any_of(
        "said/cried/shouted/whispered/yelled/screamed/replied/asked",
        "sagte/rief/schrie/flüsterte/brüllte/fragte",
    )
    + ".*"
)
OTHER_LETTER = r"(?!.*\b(?:letter|e-?mail|mail|brief)\b)"
BACK = re.compile(
    rf"\^.*|{BY_THE_WAY}"
    + _any_of(
        r"no(?:pe)?\W*$/nah\W*$/ne(?:e|in)?\W*$/nö\W*$/nee?,? (?:doch|lieber)",
        "no,? ?wait/wait,? (?:no|i)/no,? (?:sorry|actually|rather)/rather not/better not",
        "(?:scratch|strike|scrap) (?:that|this|it)/never ?mind/correction/i (?:mean|meant)",
        "(?:ignore|disregard|forget|cancel|delete|undo|skip) (?:that|this|it|all|everything"
        "/(?:(?:the|my|those|these) )*(?:above|last|previous|first|second|orders?|lines?))"
        + OTHER_LETTER,
        "(?:just |only )?(?:kidding|joking|a joke)/jk/lol(?:,? jk|\\W*$)/ha(?:ha)+,? no/not really",
        "instead(?! of)",
        "(?:a )?typo/tippfehler/vertippt/verschrieben/verklickt/vertan/haha~/ha! as if/as if",
        "not that/do(?: not|n't) (?:do|carry|send)",
        "change of plan/i(?:'ve)? changed my mind/on second thoughts?/i(?:'d| would) rather",
        "(?:warte|halt|moment),? nein/nein,? (?:warte|halt|doch|lieber)/warte,? ich/doch nicht",
        "lieber (?:doch|nicht|so|das|erst|mal|gleich)/quatsch/korrektur/stattdessen",
        "(?:vergiss|streich\\w?|ignorier\\w?) (?:das|es|alles|den|die|obige~)" + OTHER_LETTER,
        "(?:das |es )?(?:bitte )?(?:wieder )?(?:streichen|löschen|vergessen)/ich meinte?",
        "gestrichen",
        "(?:das )?nicht (?:ausführen|machen|tun)/das nehme ich zurück/das hättest du",
        "(?:das war |war )?(?:nur |bloß |kleiner |ein )*(?:spaß|witz|scherz)",
    )
    + r".*|.*\b"
    + _any_of(
        r"(?:instead|by mistake|stattdessen|versehentlich|aus versehen|doch nicht)\W*$",
        r"(?:wrong|falsche[rsn]?) (?:line|game|order|one|button|key|zeile|partie|befehl)\b.*",
    )
)
CORRECTS = re.compile(
    r"(?:(?:oh|ah|u[hm]|er|hm+|äh+|ach|ups|oops|sorry|ok(?:ay)?|but|aber|wait|warte|halt|stopp?)\W+)*"
    r"(?:(?:no(?:pe)?|nah|ne(?:e|in)?|nö)\s*[,.!:;–-]+|edit:|correction:|korrektur:"
    r"|(?:(?:actually|eigentlich|rather|instead|lieber|doch),? )*"
    r"(?:(?:make|mach) (?:that|it|das)(?: lieber)?|actually|eigentlich|rather|instead|lieber|doch)"
    r",?:?)\s+(?P<order>\S.*)"
)
"""A line that puts an order, if it holds one, in the place of another: `No, SCAN`."""
STARRED = re.compile(r"\s*(?:\*\w[^*]*|[^*]*\w\*\s*)")
"""A line with the star by which people correct a word above it."""
CLOSES = re.compile(
    _any_of("please/pls/bitte/thanks/thank you/thx/danke/that's (?:all|it)/das (?:war|ist|wär)'?s?")
    + ".*"
)
"""What people put below their orders, and no rest of a sentence."""
LOUD = re.compile(r"\W*[A-ZÄÖÜ]{2,}\b")
SHOUTED = re.compile(r"\b[A-ZÄÖÜ]{2,}\b")
"""A word in capitals, such as that of an order."""
JOINS = re.compile(r"(?:or|and|but|oder|und|aber)\b(?!.*[.!?:]$).*")
"""A line that goes on with a sentence, and does not end it."""
TICKED = re.compile(r"\W*(?:\[[xX✓✔]\]|\([xX]\)|[☑✅✔☒])")
EMPTY = re.compile(r"\W{0,3}(?:\[ ?\]|\( ?\)|[☐⬜□❏❑○])")
NEGATED = re.compile(r"\s*(?:!|0\s*[.):])\s*\w")
"""A line of none: `! FIRE` is no FIRE to who programs, and so may be `0. FIRE`."""
MINUS, PLUS = re.compile(r"\s*-\s*\w"), re.compile(r"\s*\+\s*\w")
"""What is taken away where something else is added: `-FIRE` above `+SCAN`."""
CROSSED = re.compile(r"^\W*[❌✖✗✘❎🚫⛔]|[❌✖✗✘❎🚫⛔]\W*$")
THANKS = re.compile(r"thank|thx|danke|have fun|viel spaß|best\b.?$|cheers", re.I)
POSTSCRIPT = re.compile(r"p\.? ?s\b", re.I)
