"""Events: what is told, and to whom; most words are put together only when somebody reads them."""

import pickle
from dataclasses import replace

from engines.steps import Event, Saying, deed, later
from engines.text import Text, say, seat_name

asked: list[int] = []


def counted(card: str, n: int) -> Text:
    """Words that count how often they were asked for."""
    asked.append(n)
    return say("plays {card} for the {n}th time", card=card, n=n)


def test_a_phrase_is_told_as_a_sentence_about_its_seat():
    event = deed("card", 1, say("plays Take 3"))
    assert (event.phrase, event.text) == ("plays Take 3", "Blue plays Take 3.")
    assert isinstance(event.text, Text)
    assert event.text.render(name={1: "Ben"}.get) == "Ben plays Take 3."


def test_a_sentence_with_a_subject_of_its_own_has_no_phrase():
    event = Event("shuffle", None, say("The pile is shuffled."))
    assert (event.phrase, event.text) == (None, "The pile is shuffled.")


def test_words_are_put_together_when_they_are_read_and_not_before():
    asked.clear()
    event = replace(deed("card", 0, later(counted, "Slush", 7)), major=True)
    assert event == deed("card", 0, later(counted, "Slush", 7), major=True)
    assert event != deed("card", 0, later(counted, "Slush", 8), major=True)
    assert asked == []
    assert event.text == "Red plays Slush for the 7th time."
    assert asked == [7]
    assert event.phrase == "plays Slush for the 7th time"


def test_an_event_can_be_kept_and_says_the_same_afterwards():
    event = deed("card", 2, later(counted, seat_name(0), 4))
    kept = pickle.loads(pickle.dumps(event))
    assert kept == event
    assert kept.text.render(name={0: "Ann", 2: "Cem"}.get) == "Cem plays Ann for the 4th time."


def test_words_for_one_seat_are_known_to_no_other():
    event = Event("spied", 1, Saying(counted, ("Stop", 1)), private_to=1)
    assert [event.known_to(seat) for seat in (None, 0, 1)] == [False, False, True]
