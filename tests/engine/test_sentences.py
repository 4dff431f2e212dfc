"""Sentences that keep their parts: English everywhere, and translatable."""

import json

from hypothesis import given
from hypothesis import strategies as st

from engine.errors import IllegalOrder
from engine.i18n import Said, either, packed, say, spoken, translated, unpacked

GERMAN = {
    "no pilot is called {name}": "kein Pilot heißt {name}",
    "{text}, and {more}": "{more}, und {text}",
    "open are {options}": "offen sind {options}",
    "beams": "Strahlen",
    "shields": "Schilde",
    "{some} or {last}": "{some} oder {last}",
}


def german(said: Said) -> str:
    return translated(said, lambda message: GERMAN.get(message, message))


def test_a_sentence_is_its_english_text() -> None:
    sentence = say("no pilot is called {name}", name="Hawk")
    assert sentence == "no pilot is called Hawk"
    assert isinstance(str(sentence), Said)
    assert json.dumps({"text": sentence}) == '{"text": "no pilot is called Hawk"}'


def test_it_is_said_anew_with_its_parts_in_any_order() -> None:
    inner = say("no pilot is called {name}", name="Hawk")
    sentence = say("{text}, and {more}", text=inner, more=say("open are {options}", options=[1, 2]))
    assert sentence == "no pilot is called Hawk, and open are 1, 2"
    assert german(sentence) == "offen sind 1, 2, und kein Pilot heißt Hawk"


def test_lists_of_words_are_translated_word_by_word() -> None:
    sentence = say("open are {options}", options=spoken(["beams", "shields"]))
    assert sentence == "open are beams, shields"
    assert german(sentence) == "offen sind Strahlen, Schilde"


def test_a_choice_is_said_with_or() -> None:
    sentence = either(["Kestrel", "Merlin", "Kite"])
    assert sentence == "Kestrel, Merlin or Kite"
    assert isinstance(sentence, Said)
    assert german(sentence) == "Kestrel, Merlin oder Kite"


def test_an_error_hands_its_sentence_on() -> None:
    assert isinstance(str(IllegalOrder(say("open are {options}", options=[3]))), Said)


@given(st.text())
def test_what_a_player_wrote_is_never_taken_for_a_message(written: str) -> None:
    sentence = say("no pilot is called {name}", name=written)
    assert sentence == "no pilot is called " + written
    assert german(sentence) == "kein Pilot heißt " + written


def test_a_sentence_is_kept_with_its_parts() -> None:
    sentence = say(
        "{who} has {what}", who="Hawk", what=[say("a beam"), "x", 3, say("{n} of it", n=2)]
    )
    kept = json.loads(json.dumps(packed(sentence)))
    assert unpacked(kept) == sentence
    assert translated(unpacked(kept), lambda text: f"<{text}>") == translated(
        sentence, lambda text: f"<{text}>"
    )
    assert unpacked(json.loads(json.dumps(packed("plain")))) == "plain"
