"""Letters put together at random: orders, sentences, greetings, quotes and texts for others."""

from typing import Literal, NamedTuple

from hypothesis import strategies as st

ORDERS = {
    ("starpilot", "en"): {
        "SCAN": ["SCAN"],
        "target": ["TARGET"],
        "Fire.": ["FIRE"],
        "JINK": ["JINK"],
        "Protect!": ["PROTECT"],
        "IF LOCKED: FIRE": ["IF FIRE"],
        "SURRENDER": ["SURRENDER"],
    },
    ("starpilot", "de"): {
        "SUCHEN": ["SCAN"],
        "ziel": ["TARGET"],
        "Feuer.": ["FIRE"],
        "Dogfight": ["DOGFIGHT"],
        "ERGEBEN": ["SURRENDER"],
    },
    ("blackskies", "en"): {
        "Red: STEADY": ["Red: STEADY"],
        "gold: accelerate 2; hold fire": ["Gold: ACCELERATE 2; HOLD FIRE"],
    },
    ("blackskies", "de"): {
        "Red: GERADEAUS": ["Red: STEADY"],
        "Gold: geradeaus": ["Gold: STEADY"],
    },
    ("cortex", "en"): {
        "Lance: CLOSE ON Raider, FIRE Talon AT Raider": [
            "Lance: CLOSE ON Raider, FIRE Talon AT Raider"
        ],
        "citadel: hold": ["Citadel: HOLD"],
        "Citadel: FIRE 6 Railgun AT Fort": ["Citadel: FIRE 6 Railgun AT Fort"],
    },
    ("cortex", "de"): {
        "Lance: NÄHERN AN Raider": ["Lance: CLOSE ON Raider"],
        "Citadel: halten": ["Citadel: HOLD"],
    },
    ("starfarer", "en"): {
        "Kitai: ATTACK nearest": ["Kitai: ATTACK nearest"],
        "Bo: hold": ["Bo: HOLD"],
        "Kitai: EVADE": ["Kitai: EVADE"],
    },
    ("starfarer", "de"): {
        "Kitai: ANGREIFEN nächsten": ["Kitai: ATTACK nearest"],
        "Bo: ABWARTEN": ["Bo: HOLD"],
    },
}
"""Orders of each system and language, and what is on file once they are done."""
FAREWELL = {"SURRENDER", "ERGEBEN"}
"""Orders that leave a battle: done at once only in a letter without any other words."""
SENTENCES = [
    "My son is in hospital, so I may be slow this week, {}.",
    "Don't let the other one read this, but {} is my plan",
    "standing orders: scan, then {}, then launch",
    "hold your horses, that was the cat {}",
    "Not this one, {}:",
    "Only if {},",
    "or {}",
    "Ich bin nächste Woche {} im Urlaub.",
    "Das bitte nicht, {}",
    "Je serai absent {} la semaine prochaine.",
    "Pas ça, plutôt {}",
    "Estoy {} en el hospital",
    "Sono {} in vacanza fino a lunedì!",
    "Ik ben {} ziek vandaag.",
    "Jag är {} sjuk idag.",
    "Jestem {} chory w tym tygodniu",
    "Я {} в больнице на этой неделе.",
    "私は{}病気です。",
    "我{}住院了",
    "أنا {} مريض اليوم",
    "{} ?",
    "1. {} first",
    "- {} and so on",
    "[ ] {}",
    "PRIVATE: {}",
    "Warning: {} is a trap.",
    "Tel. +49 170 1234567 {}",
    "Hawk {} dives out of the sun and laughs.",
    "| {} | a box |",
    "    {} set in",
    "*{}*",
    "From: {}",
    "https://{}.example/",
]
"""What people write besides orders, in eleven languages, each with room for a rare word."""
LEAGUE = ["TIMEZONE Europe/Oslo", "WATCH 1", "MAIL digest", "SALT zqsalt"]
ASKED = ["STATUS", "HELP fire", "SHEET", "GAMES"]
HELLO = ["Hello referee,", "Hi,", "Hallo zusammen,", "Dear Bob,"]
BYE = ["Best wishes", "Viele Grüße", "Cheers,", "Thanks"]
NAMES = ["Ann", "Ann Example", "A."]
FOOTERS = [
    ["Sent from my iPhone"],
    ["Von meinem iPhone gesendet"],
    ["-- ", "Ann Example", "Tel. 1"],
]
MARKS = ["STORY", "Story:", "TELL {theirs}", "PRESS"]

Part = Literal["orders", "words", "plain", "league", "asked", "text", "quote", "blank"]


class Line(NamedTuple):
    """A line of a letter, what it is, and what it orders or the rare word that it holds."""

    part: Part
    text: str
    orders: tuple[str, ...] = ()
    tag: str = ""


def orders(system: str, language: str) -> st.SearchStrategy[Line]:
    """Return a strategy of orders of a system, as a player writes them."""
    known = ORDERS[system, language]
    return st.sampled_from([Line("orders", text, tuple(done)) for text, done in known.items()])


def some(part: Part, texts: st.SearchStrategy[str]) -> st.SearchStrategy[Line]:
    """Return a strategy of lines of a kind."""
    return texts.map(lambda text: Line(part, text))


def letters(system: str, language: str, theirs: str) -> st.SearchStrategy[list[Line]]:
    """Return a strategy of letters, whose words are tagged: zq0y, zq1y and so on."""
    line = st.one_of(
        orders(system, language),
        orders(system, language),
        some("words", st.sampled_from(SENTENCES)),
        some("words", st.sampled_from(SENTENCES)),
        some("plain", st.sampled_from([*HELLO, *BYE, *NAMES])),
        some("league", st.sampled_from(LEAGUE)),
        some("asked", st.sampled_from(ASKED)),
        some("quote", st.sampled_from(["> {}", "> FIRE", "> > {} was it"])),
        st.just(Line("blank", "")),
        st.just(Line("blank", "")),
    )
    text = st.tuples(st.sampled_from(MARKS), st.lists(line, min_size=1, max_size=3)).map(
        lambda told: [
            Line("text", told[0].replace("{theirs}", theirs)),
            *(Line("text", one.text or "{}") for one in told[1] if one.part != "quote"),
            Line("text", "END"),
        ]
    )
    blocks = st.lists(
        st.one_of(line.map(lambda one: [one]), line.map(lambda one: [one]), text),
        min_size=1,
        max_size=9,
    )
    return blocks.map(lambda found: tagged(ordered_once([one for block in found for one in block])))


def piece(order: Line) -> str:
    """Return the piece that an order names, or all of an order that names none."""
    return order.text.casefold().partition(":")[0]


def ordered_once(lines: list[Line]) -> list[Line]:
    """Return lines without further orders for the same piece, which would go into one order."""
    found = list[Line]()
    for line in lines:
        known = [piece(one) for one in found if one.part == "orders"]
        found += [] if line.part == "orders" and piece(line) in known else [line]
    return found


def tagged(lines: list[Line]) -> list[Line]:
    """Return lines with a rare word of its own in each that has room for one."""
    return [
        one._replace(text=one.text.format(f"zq{n}y"), tag=f"zq{n}y") if "{}" in one.text else one
        for n, one in enumerate(lines)
    ]


@st.composite
def clear_letters(draw: st.DrawFn, system: str, language: str, theirs: str) -> list[Line]:
    """Return a letter of nothing but orders, with what ordinary letters have around them."""
    known = draw(st.lists(orders(system, language), min_size=1, max_size=4, unique_by=piece))
    mark = draw(st.sampled_from(["", "- ", "* ", "{}. "]))
    apart = draw(st.booleans()) and mark != "{}. "
    blank, found = Line("blank", ""), list[Line]()
    told = [
        Line("text", draw(st.sampled_from(MARKS)).replace("{theirs}", theirs)),
        Line("text", "Hawk dives, {}."),
        *draw(st.sampled_from([[], [blank, Line("text", "What now, {}?")]])),
    ]
    above, below = draw(st.booleans()), draw(st.booleans())
    if draw(st.booleans()):
        found += [Line("plain", draw(st.sampled_from(HELLO))), *[blank] * draw(st.integers(0, 2))]
    if above:
        found += [*told, Line("text", "END"), blank]
    for n, one in enumerate(known):
        found += [one._replace(text=mark.format(n + 1) + one.text), *[blank] * apart]
    if draw(st.booleans()):
        found += [blank, Line("plain", draw(st.sampled_from(BYE)))]
    if draw(st.booleans()):
        found += [Line("plain", draw(st.sampled_from(NAMES)))]
    if below and not above:
        found += [blank, *told]
    if draw(st.booleans()):
        found += [blank, *(Line("quote", one) for one in draw(st.sampled_from(FOOTERS)))]
    return tagged(found)
