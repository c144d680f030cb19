"""The story of a board in words: every event once, what matters most first, and what does not fit counted."""

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bot.i18n.language import language
from bot.messages.builder import ALT_LIMIT
from bot.messages.game.story import CHARACTERS, FOLDED, LINES, SPARE, WIDTH, Length, alt_text, whole, words
from engines.game import Event, deed
from engines.text import plain, say, seat_name

MARKS = ("●", "■", "▲", "◆")
ENGLISH, GERMAN = language("en"), language("de")
WHO = ("Ann", "Ben", "Cleo", "Dev")

FOLD = re.compile(r"-# and (\d+) more: (?:\*What happened\?\*|`/replay` shows them all)$")
WHOLE = whole(3400)


def phrase(seat: int, did: str, *, major: bool = False) -> Event:
    return deed("test", seat, plain(did), major=major)


def sentence(seat: int | None, words: str, *, major: bool = False) -> Event:
    return Event("test", seat, plain(words), major=major)


def story(*events: Event, length: Length = FOLDED) -> str:
    return words(events, ENGLISH, WHO, MARKS, length)


events = st.lists(
    st.tuples(st.none() | st.integers(0, 3), st.booleans(), st.booleans(), st.integers(1, 130), st.booleans()), max_size=60
)


def made(number: int, seat: int | None, is_phrase: bool, major: bool, length: int) -> Event:
    text = f"e{number}x" + "." * 0 + " word" * (length // 5)
    return phrase(seat, text, major=major) if is_phrase and seat is not None else sentence(seat, f"{text}.", major=major)


@given(events, st.sampled_from([FOLDED, WHOLE, Length(lines=3), Length(lines=1, characters=60)]))
def test_every_event_is_told_once_or_counted(rows: list[tuple[int | None, bool, bool, int, bool]], length: Length) -> None:
    told_of = [made(n, seat, is_phrase, major, size) for n, (seat, is_phrase, major, size, _) in enumerate(rows)]
    shown = story(*told_of, length=length)
    found = [int(number) for number in re.findall(r"e(\d+)x", shown)]
    assert len(found) == len(set(found)), "nothing is told twice"
    fold = FOLD.search(shown)
    assert len(found) + (0 if fold is None else int(fold[1])) == len(told_of), "what is not told is counted"
    majors = {n for n, event in enumerate(told_of) if event.major}
    if sum(len(told_of[n].text) + 40 for n in majors) < length.characters:
        assert majors <= set(found), "what matters most is never folded"
    if len(found) > 1 and not majors:
        assert len(shown) <= length.lines * (WIDTH + 8) + 60, "the rest fits"
    assert len(shown) <= length.characters + SPARE, "it has room"


@given(events)
def test_what_one_player_did_in_a_row_is_one_paragraph_in_order(rows: list[tuple[int | None, bool, bool, int, bool]]) -> None:
    told_of = [made(n, seat, is_phrase, major, 5) for n, (seat, is_phrase, major, _, _) in enumerate(rows)]
    paragraphs = [p for p in story(*told_of, length=WHOLE).split("\n") if p]
    runs: list[tuple[int | None, list[int]]] = []
    for n, event in enumerate(told_of):
        if not runs or event.seat not in {None, runs[-1][0]}:
            runs.append((event.seat, []))
        runs[-1][1].append(n)
    if not FOLD.search(paragraphs[-1] if paragraphs else ""):
        assert len(paragraphs) == len(runs)
        for paragraph, (seat, numbers) in zip(paragraphs, runs, strict=True):
            expected = sorted(numbers, key=lambda n: not told_of[n].major)
            assert [int(number) for number in re.findall(r"e(\d+)x", paragraph)] == expected
            assert seat is None or paragraph.startswith(MARKS[seat])


def test_a_turn_is_told_in_one_breath_with_what_matters_most_first() -> None:
    assert story(
        phrase(0, "slides puck 1 up: c7 → c1"),
        phrase(0, "scores puck 3: 2 of 4", major=True),
        phrase(0, "plays **Take 3**"),
        phrase(0, "ends the turn"),
    ) == "● **Ann** **scores puck 3: 2 of 4** • slides puck 1 up: c7 → c1 • plays **Take 3** • ends the turn."  # fmt: skip


def test_each_player_has_a_paragraph_and_the_oldest_is_first() -> None:
    assert story(phrase(1, "rolls 3"), phrase(1, "jumps to 5"), phrase(2, "rolls 6"), phrase(1, "rolls 1")) == (
        "■ **Ben** rolls 3 • jumps to 5.\n▲ **Cleo** rolls 6.\n■ **Ben** rolls 1."
    )


def test_what_has_no_phrase_is_told_as_a_sentence() -> None:
    assert story(sentence(0, "Ann has run out of time."), sentence(0, "Ann leaves the game.")) == (
        "● Ann has run out of time. Ann leaves the game."
    )
    assert story(phrase(0, "hops to c4"), sentence(None, "The field is full."), phrase(0, "takes a Carrot!", major=True)) == (
        "● **Ann** **takes a Carrot!** • hops to c4. The field is full."
    )
    assert story(sentence(None, "A new day.")) == "A new day."


def test_nothing_is_said_of_what_has_no_words() -> None:
    assert story() == ""
    assert story(sentence(0, "")) == ""


def test_what_happened_does_not_point_to_itself() -> None:
    many = [phrase(0, "x" * 70) for _ in range(90)]
    assert story(*many).endswith("more: *What happened?*")
    assert story(*many, length=WHOLE).endswith("more: `/replay` shows them all")


def test_a_bold_phrase_has_no_bold_in_it() -> None:
    assert story(phrase(0, "plays **Ban**", major=True)) == "● **Ann** **plays Ban**."


def test_a_long_story_is_folded_on_the_side_of_what_is_old_and_small() -> None:
    long = [phrase(n % 3, f"slides puck {n} up: c7 → c1, bumping Ben’s puck 2 to d4") for n in range(30)]
    long[4] = phrase(1, "wins a goal", major=True)
    shown = story(*long)
    assert "**wins a goal**" in shown
    assert "puck 29" in shown
    assert "puck 0 " not in shown
    fold = FOLD.search(shown)
    assert fold is not None
    assert len(shown) < LINES * WIDTH + 120


def test_it_is_told_in_the_readers_language() -> None:
    long = [phrase(0, "x" * 70) for _ in range(20)]
    assert "weitere: *Was ist passiert?*" in words(long, GERMAN, WHO, MARKS)
    resigned = Event("test", 1, say("{who} resigns.", who=seat_name(1)))
    assert "Ben" in words([resigned], GERMAN, WHO, MARKS)


def test_names_are_the_players_own_and_the_story_never_grows_past_a_message() -> None:
    names = tuple(f"{letter}\\_" * 50 for letter in "ABCD")
    told_of = [phrase(n % 4, "z" * 120, major=True) for n in range(60)]
    shown = words(told_of, ENGLISH, names, MARKS)
    assert len(shown) < CHARACTERS + 100
    assert FOLD.search(shown)


# --- descriptions --------------------------------------------------------------------------------------------------------


def test_a_description_begins_with_what_happened() -> None:
    happened = [phrase(0, "rolls 3"), phrase(0, "lands **softly**", major=True), phrase(0, "rolls 4")]
    assert alt_text(happened, "The board.", ENGLISH, WHO) == "Ann lands softly. The board."
    assert alt_text(happened[:1], "The board.", ENGLISH, WHO) == "Ann rolls 3. The board."
    assert alt_text([], "The board.", ENGLISH, WHO) == "The board."


@pytest.mark.parametrize("length", [10, 980, 1000, 1024, 5000])
def test_what_a_description_ends_with_is_never_cut_off(length: int) -> None:
    shown = alt_text([phrase(0, "rolls 3")], "x" * length, ENGLISH, WHO, "Log: 0123456789abcdef")
    assert len(shown) <= ALT_LIMIT
    assert shown.endswith(" Log: 0123456789abcdef")


@pytest.mark.parametrize("room", [0, 13, 14, 25, 26, 27, 100])
def test_it_says_no_more_than_there_is_room_for(room: int) -> None:
    board = "b" * (ALT_LIMIT - room)
    shown = alt_text([phrase(0, "rolls 3"), phrase(0, "rolls 4")], board, ENGLISH, WHO)
    assert shown.endswith(board)
    assert len(shown) <= ALT_LIMIT
    assert shown.count("rolls") == (0 if room < 13 else 1 if room < 26 else 2)
