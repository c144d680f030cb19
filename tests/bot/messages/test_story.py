"""The story of a board in words: each event once, in order or counted; what affects a reader is always there."""

import re
from dataclasses import replace
from types import SimpleNamespace
from typing import cast

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bot.core.table.snapshot import Snapshot
from bot.i18n.language import language
from bot.messages.board import news_of
from bot.messages.builder import ALT_LIMIT
from bot.messages.story import (
    ALONE,
    ASKED,
    CHARACTERS,
    FOLDED,
    LINES,
    PRIVATE,
    ROWS,
    SPARE,
    WIDTH,
    Length,
    alt_text,
    whole,
    words,
)
from engines.game import Event, deed
from engines.pucks.board.views import CardsDrawn
from engines.steps import Tally
from engines.text import Text, plain, say, say_n, seat_name
from storage.schema.records import Status

MARKS = ("●", "■", "▲", "◆")
ENGLISH, GERMAN = language("en"), language("de")
WHO = ("Ann", "Ben", "Cleo", "Dev")

FOLD = re.compile(r"… and (\d+) more: (?:\*What happened\?\*|`/replay` shows them all)$")
WHOLE = whole(3400)


def phrase(
    seat: int, did: str, *, major: bool = False, affects: tuple[int, ...] = (), decisive: bool = False, routine: bool = False
) -> Event:
    return deed("test", seat, plain(did), major=major, affects=affects, decisive=decisive, routine=routine)


def sentence(seat: int | None, words: str, *, major: bool = False, affects: tuple[int, ...] = ()) -> Event:
    return Event("test", seat, plain(words), major=major, affects=affects)


def story(*events: Event, length: Length = FOLDED, readers: tuple[int, ...] = ()) -> str:
    return words(events, ENGLISH, WHO, MARKS, length, readers)


def things(number: int) -> Text:
    return say_n("does {n} thing", "does {n} things", number)


def tallied(seat: int, did: str, number: int = 1) -> Event:
    return deed("test", seat, plain(did), tally=Tally(things, number))


rows = st.lists(
    st.tuples(
        st.none() | st.integers(0, 3), st.booleans(), st.booleans(), st.integers(1, 130), st.sets(st.integers(0, 3)).map(sorted)
    ),
    max_size=60,
)
Row = tuple[int | None, bool, bool, int, list[int]]


def made(number: int, row: Row) -> Event:
    seat, is_phrase, major, length, affected = row
    text, affects = f"e{number}x" + " word" * (length // 5), tuple(affected)
    if is_phrase and seat is not None:
        return phrase(seat, text, major=major, affects=affects)
    return sentence(seat, f"{text}.", major=major, affects=affects)


def numbers(shown: str) -> list[int]:
    return [int(number) for number in re.findall(r"e(\d+)x", shown)]


@pytest.mark.slow
@given(
    rows, st.sampled_from([FOLDED, WHOLE, Length(rows=3), Length(lines=1, rows=1, characters=60)]), st.sets(st.integers(0, 3))
)
def test_every_event_is_told_once_in_the_order_of_time_or_counted(rows: list[Row], length: Length, readers: set[int]) -> None:
    told_of = [made(n, row) for n, row in enumerate(rows)]
    shown = story(*told_of, length=length, readers=tuple(readers))
    found = numbers(shown)
    assert found == sorted(set(found)), "nothing is told twice, and nothing out of its order"
    fold = FOLD.search(shown)
    assert len(found) + (0 if fold is None else int(fold[1])) == len(told_of), "what is not told is counted"
    assert len(shown) <= length.characters + SPARE, "it has room"
    assert len(shown.splitlines()) <= length.lines


@given(rows, st.sets(st.integers(0, 3), min_size=1))
def test_what_affects_a_reader_is_in_the_three_lines(rows: list[Row], readers: set[int]) -> None:
    told_of = [made(n, row) for n, row in enumerate(rows)]
    shown = story(*told_of, readers=tuple(readers))
    owed = {n for n, event in enumerate(told_of) if readers & set(event.affects)}
    if sum(len(told_of[n].text) + 40 for n in owed) < CHARACTERS:
        assert owed <= set(numbers(shown))
    else:
        assert set(numbers(shown)) <= owed, "only for these there is room"
    assert len(shown.splitlines()) <= LINES


@pytest.mark.slow
@given(rows, st.sets(st.integers(0, 3)))
def test_folded_events_matter_less_or_are_older_than_told_ones(rows: list[Row], readers: set[int]) -> None:
    told_of = [made(n, row) for n, row in enumerate(rows)]
    shown = set(numbers(story(*told_of, readers=tuple(readers))))

    def worth(number: int) -> tuple[bool, bool, bool, int]:
        event = told_of[number]
        affected = bool(readers & set(event.affects))
        return affected, affected or event.major, event.seat in readers, number

    folded = set(range(len(told_of))) - shown
    assert not shown or not folded or min(map(worth, shown)) > max(map(worth, folded))


@given(rows)
def test_other_events_take_no_more_rows_than_there_are(rows: list[Row]) -> None:
    told_of = [made(n, row) for n, row in enumerate(rows)]
    shown = story(*told_of)
    assert len(numbers(shown)) <= 1 or len(shown) <= ROWS * WIDTH + 10 * len(told_of) + 60


@given(rows)
def test_consecutive_events_of_a_player_are_one_paragraph_of_a_recap(rows: list[Row]) -> None:
    told_of = [made(n, (seat, is_phrase, major, 5, affected)) for n, (seat, is_phrase, major, _, affected) in enumerate(rows)]
    paragraphs = [p for p in re.split(r"\n(?!\d+\. )", story(*told_of, length=WHOLE)) if p]
    runs: list[tuple[int | None, list[int]]] = []
    for n, event in enumerate(told_of):
        if not runs or event.seat not in {None, runs[-1][0]}:
            runs.append((event.seat, []))
        runs[-1][1].append(n)
    if not FOLD.search(paragraphs[-1] if paragraphs else ""):
        assert len(paragraphs) == len(runs)
        for paragraph, (seat, told) in zip(paragraphs, runs, strict=True):
            assert numbers(paragraph) == told
            assert seat is None or paragraph.startswith(MARKS[seat])


def test_a_turn_is_told_in_one_breath_and_in_the_order_of_time() -> None:
    assert story(
        phrase(0, "slides puck 1 up"),
        phrase(0, "scores puck 1: 2 of 4", major=True),
        phrase(0, "plays **Take 3**"),
        phrase(0, "ends the turn"),
    ) == "● **Ann** slides puck 1 up • **scores puck 1: 2 of 4** • plays **Take 3** • ends the turn."  # fmt: skip


def test_a_long_turn_is_told_step_by_step_where_nothing_else_tells_it() -> None:
    turn = [
        phrase(1, "slides puck 1 up"),
        phrase(1, "scores puck 1: 2 of 4", major=True),
        phrase(1, "draws"),
        phrase(1, "ends"),
    ]
    own = phrase(0, "draws a card")
    assert story(own, *turn, phrase(0, "wins"), length=PRIVATE) == (
        "● **Ann** draws a card.\n"
        "■ **Ben**\n1. slides puck 1 up\n2. **scores puck 1: 2 of 4**\n3. draws\n4. ends\n"
        "● **Ann** wins."
    )  # fmt: skip
    assert story(own, *turn[:3], length=PRIVATE).endswith("■ **Ben** slides puck 1 up • **scores puck 1: 2 of 4** • draws.")
    longer = [phrase(1, f"slides puck {n} up, bumping puck 2 to the edge of mat d") for n in range(20)]
    assert re.search(r"\n\d+\. slides puck 19 .*\n… and \d+ more: \*What happened\?\*$", story(*longer, length=PRIVATE))


def test_the_numbers_of_a_long_turn_are_those_of_its_steps_in_the_picture() -> None:
    own = [phrase(0, "slides puck 1 up"), phrase(0, "slides puck 1 up")]
    slides = [phrase(1, f"slides puck {n} up") for n in range(3)]
    scores, ends = phrase(1, "scores puck 1: 2 of 4", major=True), phrase(1, "ends the turn", routine=True)
    turn = [phrase(1, "draws 1 card", routine=True), slides[0], scores, *slides[1:], slides[0], ends]
    drawn = [*own, *turn]
    steps = {number for number, event in enumerate(drawn) if (event.phrase or "").startswith("slides")}
    numbered = [(event, range(n := sum(one < at for one in steps) + 1, n + (at in steps))) for at, event in enumerate(drawn)]
    told = words(turn, ENGLISH, WHO, MARKS, PRIVATE, numbered=numbered)
    assert told == (
        "■ **Ben**\n3. slides puck 0 up • **scores puck 1: 2 of 4**\n4. slides puck 1 up\n5. slides puck 2 up\n"
        "6. slides puck 0 up"
    ), "the routine of a turn is not told, and what is no step stands with its step"
    assert "draws 1 card" in words(turn, ENGLISH, WHO, MARKS, whole(3400), numbered=numbered), "in a recap it is"
    assert words([turn[0], ends], ENGLISH, WHO, MARKS, PRIVATE) == "■ **Ben** draws 1 card • ends the turn."


def test_an_event_of_several_steps_has_all_their_numbers() -> None:
    hops = [phrase(1, f"bounces a{n} → b{n}") for n in range(4)]
    numbered = list(zip(hops, [range(4, 5), range(5, 8), range(8, 9), range(9, 9)], strict=True))
    assert words(hops, ENGLISH, WHO, MARKS, PRIVATE, numbered=numbered) == (
        "■ **Ben**\n4\\. bounces a0 → b0\n5–7\\. bounces a1 → b1\n8\\. bounces a2 → b2 • bounces a3 → b3"
    ), "no list, whose items would be counted on"


def test_an_event_not_in_the_picture_takes_no_numbers() -> None:
    hops = [phrase(1, f"bounces a{n} → b{n}") for n in range(3)]
    numbered = list(zip(hops, [range(4, 5), range(5, 6), range(6, 7)], strict=True))
    told = words([*hops, phrase(1, "looks at a card")], ENGLISH, WHO, MARKS, PRIVATE, numbered=numbered)
    assert told == ("■ **Ben**\n4. bounces a0 → b0\n5. bounces a1 → b1\n6. bounces a2 → b2 • looks at a card")


def test_each_player_has_a_line_and_the_oldest_is_first() -> None:
    assert story(phrase(1, "rolls 3"), phrase(1, "jumps to 5"), phrase(2, "rolls 6"), phrase(1, "rolls 1")) == (
        "■ **Ben** rolls 3 • jumps to 5.\n▲ **Cleo** rolls 6.\n■ **Ben** rolls 1."
    )


def test_more_than_three_players_share_three_lines() -> None:
    assert story(*(phrase(seat, f"rolls {seat + 1}") for seat in range(4)), phrase(0, "rolls 6 + 6 + 6")) == (
        "● **Ann** rolls 1. ■ **Ben** rolls 2.\n▲ **Cleo** rolls 3. ◆ **Dev** rolls 4.\n● **Ann** rolls 6 + 6 + 6."
    )


def test_a_decisive_event_has_a_line_of_its_own() -> None:
    assert story(
        phrase(0, "slides puck 4 up"),
        phrase(0, "scores puck 4: 4 of 4", decisive=True),
        phrase(0, "wins unless somebody whistles", decisive=True),
    ) == "● **Ann** slides puck 4 up.\n● **Ann** **scores puck 4: 4 of 4** • **wins unless somebody whistles**."  # fmt: skip
    many = [phrase(n % 3, f"does {n}") for n in range(8)]
    told = story(*many, phrase(2, "wins", decisive=True)).splitlines()
    assert len(told) == LINES
    assert told[-1] == "▲ **Cleo** **wins**."


def test_a_single_leftover_event_is_told_and_not_counted() -> None:
    rolls = [phrase(0, f"rolls {n}, " + "x" * 70) for n in range(3)]
    assert FOLD.search(story(*rolls)) is None, "two rows each: six"
    assert FOLD.search(story(phrase(1, "rolls 6"), *rolls)) is None, "a seventh instead of a count"
    assert FOLD.search(story(phrase(1, "rolls 6" + "x" * 50), *rolls)), "two rows more"
    assert FOLD.search(story(phrase(1, "rolls 6"), phrase(2, "rolls 5"), *rolls)), "two events"


def test_an_event_without_a_phrase_is_told_as_a_sentence() -> None:
    assert story(sentence(0, "Ann has run out of time."), sentence(0, "Ann leaves the game.")) == (
        "● Ann has run out of time. Ann leaves the game."
    )
    assert story(phrase(0, "hops to c4"), sentence(None, "The field is full."), phrase(0, "takes a Carrot!", major=True)) == (
        "● **Ann** hops to c4. The field is full. **Ann** **takes a Carrot!**"
    )
    assert story(sentence(None, "A new day.")) == "A new day."


def test_equal_events_in_a_row_are_told_once_with_their_number() -> None:
    passing = phrase(0, "lets Ben be")  # the engine makes such an event once
    assert story(passing) == "● **Ann** lets Ben be."
    assert story(passing, passing) == "● **Ann** lets Ben be (×2)."
    draws = [phrase(0, "draws 2 cards", routine=True), phrase(0, "draws 2 cards", affects=(1,))]
    assert story(*draws, phrase(0, "scores", major=True), *draws[:1]) == (
        "● **Ann** draws 2 cards (×2) • **scores** • draws 2 cards."
    )
    assert story(*[phrase(0, "scores", major=True)] * 3) == "● **Ann** **scores** (×3)."
    assert story(phrase(0, "rolls 6"), phrase(1, "rolls 6")) == "● **Ann** rolls 6.\n■ **Ben** rolls 6."
    shuffled = sentence(None, "The deck is shuffled.")
    assert story(shuffled, shuffled) == "The deck is shuffled. (×2)"


@given(st.lists(st.tuples(st.integers(0, 1), st.sampled_from("abc"), st.booleans()), max_size=40), st.integers(0, 300))
def test_equal_events_are_each_told_or_counted(made_of: list[tuple[int, str, bool]], characters: int) -> None:
    told_of = [phrase(seat, f"e{letter}x", major=major) for seat, letter, major in made_of]
    shown = story(*told_of, length=Length(characters=characters))
    told = re.findall(r"e(\w)x(?:\*\*)?(?: \(×(\d+)\))?", shown)
    fold = FOLD.search(shown)
    number = sum(int(times or 1) for _, times in told)
    assert number + (0 if fold is None else int(fold[1])) == len(told_of)
    letters = iter(letter for _, letter, _ in made_of)
    assert all(letter in letters for letter, times in told for _ in range(int(times or 1))), "in the order of time"


def test_events_without_words_are_left_out() -> None:
    assert story() == ""
    assert story(sentence(0, "")) == ""


def test_events_with_a_tally_are_one_fact_a_player_in_the_place_of_the_last() -> None:
    dealt = [tallied(n % 2, f"places piece {n}") for n in range(8)]
    assert story(*dealt) == "● **Ann** does 4 things.\n■ **Ben** does 4 things."
    assert story(*dealt, length=WHOLE) == story(*dealt), "in a recap, too"
    assert story(phrase(0, "rolls 1"), *dealt[:3], phrase(1, "rolls 2")) == (
        "● **Ann** rolls 1.\n■ **Ben** places piece 1.\n● **Ann** does 2 things. ■ **Ben** rolls 2."
    )


def test_a_single_event_with_a_tally_keeps_its_own_words() -> None:
    assert story(tallied(0, "places puck 1 on c7")) == "● **Ann** places puck 1 on c7."
    assert story(tallied(0, "leaves it to chance", 0)) == "● **Ann** leaves it to chance."
    assert story(tallied(0, "leaves it to chance", 0), tallied(0, "places puck 1 on c7")) == "● **Ann** places puck 1 on c7."
    assert story(tallied(0, "leaves it to chance", 0), tallied(0, "places 7", 7)) == "● **Ann** places 7."
    assert story(tallied(0, "places puck 1"), tallied(0, "places 7", 7)) == "● **Ann** does 8 things."


def test_the_place_where_the_rest_is_told_is_named_where_it_is() -> None:
    many = [phrase(0, f"does {n}, " + "x" * 70) for n in range(90)]
    assert story(*many).endswith("more: *What happened?*")
    assert story(*many, length=WHOLE).endswith("more: `/replay` shows them all")
    assert re.search(r"… and \d+ more$", story(*many, length=ALONE))


def test_a_bold_phrase_has_no_bold_in_it() -> None:
    assert story(phrase(0, "plays **Ban**", major=True)) == "● **Ann** **plays Ban**."


def test_a_long_story_is_folded_on_the_side_of_what_is_old_and_small() -> None:
    long = [phrase(n % 3, f"slides puck {n} up, bumping Ben’s puck 2 to the edge of mat d") for n in range(30)]
    long[4] = phrase(1, "wins a goal", major=True)
    long[2] = phrase(0, "bumps Dev", affects=(3,))
    shown = story(*long, readers=(3,))
    assert "bumps Dev" in shown
    assert "**wins a goal**" in shown
    assert "puck 29" in shown
    assert "puck 0 " not in shown
    assert FOLD.search(shown)
    assert len(shown) < ROWS * WIDTH + 120


def test_a_solo_story_always_tells_goals_and_captures_while_its_player_is_asked() -> None:
    long = [phrase(1, f"scores puck {n} past three bumpers and the edge of mat d", major=True) for n in range(8)]
    long += [phrase(1, f"slides puck {n} up") for n in range(6)]
    shown = story(*long, length=ASKED)
    assert all(f"scores puck {n} " in shown for n in range(8))
    assert shown.endswith("… and 6 more: *What happened?*")


def test_the_routine_of_a_turn_makes_room_for_everything_else() -> None:
    long = [phrase(0, f"plays card {n} of the many") for n in range(6)]
    long += [phrase(0, "draws 1 card", routine=True) for _ in range(30)]
    shown = story(*long)
    assert all(f"card {n} " in shown for n in range(6))
    assert 1 <= shown.count("draws 1 card") < 30


def test_among_equals_what_a_reader_did_is_folded_last() -> None:
    rolls = [phrase(seat, f"rolls {seat} and flies{' far' * 20}") for seat in range(4)]
    assert "rolls 0" not in story(*rolls)
    assert "rolls 0" in story(*rolls, readers=(0,))


def test_it_is_told_in_the_readers_language() -> None:
    long = [phrase(0, f"does {n}, " + "x" * 70) for n in range(20)]
    assert "weitere: *Was ist passiert?*" in words(long, GERMAN, WHO, MARKS)
    resigned = Event("test", 1, say("{who} resigns.", who=seat_name(1)))
    assert "Ben" in words([resigned], GERMAN, WHO, MARKS)


def test_names_are_the_players_own_and_the_story_never_grows_past_a_message() -> None:
    names = tuple(f"{letter}\\_" * 50 for letter in "ABCD")
    told_of = [phrase(n % 4, "z" * 120, major=True, affects=(0,)) for n in range(60)]
    shown = words(told_of, ENGLISH, names, MARKS, readers=(0,))
    assert len(shown) < CHARACTERS + 100
    assert FOLD.search(shown)


def test_a_description_begins_with_what_happened() -> None:
    happened = [phrase(0, "rolls 3"), phrase(0, "lands **softly**", major=True), phrase(0, "rolls 4")]
    assert alt_text(happened, "The board.", ENGLISH, WHO) == "Ann lands softly. The board."
    assert alt_text(happened[:1], "The board.", ENGLISH, WHO) == "Ann rolls 3. The board."
    assert alt_text([], "The board.", ENGLISH, WHO) == "The board."


def test_a_description_begins_with_what_affects_the_reader() -> None:
    happened = [phrase(0, "bumps Ben", affects=(1,)), phrase(0, "scores", major=True), phrase(0, "rolls 4")]
    assert alt_text(happened, "The board.", ENGLISH, WHO, readers=(1,)) == "Ann bumps Ben. The board."
    assert alt_text(happened, "The board.", ENGLISH, WHO, readers=(2,)) == "Ann scores. The board."
    dealt = [tallied(n % 2, f"places piece {n}") for n in range(8)]
    assert alt_text(dealt, "The board.", ENGLISH, WHO) == "Ann does 4 things. Ben does 4 things. The board."


@pytest.mark.parametrize("length", [10, 1000, 1024, 5000])
def test_a_description_is_never_longer_than_discord_takes(length: int) -> None:
    assert len(alt_text([phrase(0, "rolls 3")], "x" * length, ENGLISH, WHO)) <= ALT_LIMIT


@pytest.mark.parametrize("room", [0, 13, 14, 25, 26, 27, 100])
def test_a_description_says_no_more_than_there_is_room_for(room: int) -> None:
    board = "b" * (ALT_LIMIT - room)
    shown = alt_text([phrase(0, "rolls 3"), phrase(0, "rolls 4")], board, ENGLISH, WHO)
    assert shown.endswith(board)
    assert len(shown) <= ALT_LIMIT
    assert shown.count("rolls") == (0 if room < 13 else 1 if room < 26 else 2)


@pytest.mark.parametrize(("status", "told"), [(Status.PLAYING, 2), (Status.FINISHED, 1)])
def test_unsettled_events_are_no_news_once_the_game_is_over(status: Status, told: int) -> None:
    events = (phrase(0, "scores puck 4: 4 of 4", decisive=True), replace(phrase(0, "wins unless …"), pending=True))
    assert len(news_of(events, cast("Snapshot", SimpleNamespace(table=SimpleNamespace(status=status))))) == told


def test_an_event_is_told_once_to_the_player_who_knows_more_of_it() -> None:
    public = replace(phrase(0, "draws 1 card"), detail=CardsDrawn(1))
    private = replace(phrase(0, "draws Slush"), detail=CardsDrawn(1, ("slush",)), private_to=0)
    table = cast("Snapshot", SimpleNamespace(table=SimpleNamespace(status=Status.PLAYING)))
    assert news_of((public, private), table) == (private,)
    assert news_of((public,), table) == (public,)
