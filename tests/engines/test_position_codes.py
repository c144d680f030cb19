"""Codes as people type them: whatever is wrong with one is said in a sentence."""

import json
import random
import re
from contextlib import suppress
from functools import cache, partial
from pathlib import Path
from string import printable
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engines import EARLIER, GAMES, rules_of
from engines.chance import Scripted
from engines.game import IllegalAction, Packed
from engines.packing import Unpackable, json_number, packed_number, packed_position
from engines.position_codes import (
    LETTERS,
    LONGEST,
    KnownPosition,
    Line,
    NoCode,
    WrongCode,
    code_of_number,
    follow,
    in_words,
    line_text,
    position_code,
    read_line,
)
from engines.text import Text
from tests.engines.contract_games import Case, played

CASES = tuple(Case(game.id, game.variants[0], game.seats[-1]) for game in GAMES.values())
GAMES_AND_EARLIER = (*GAMES.values(), *EARLIER)
WRITTEN = json.loads((Path(__file__).parent / "written_codes.json").read_text(encoding="utf-8"))

BEGINNINGS = f"Codes begin with one of these: {', '.join(f'{game_id}1' for game_id in GAMES)}."


@cache
def samples() -> tuple[tuple[Any, Any, str], ...]:
    return tuple((case.game, state, position_code(case.game, state)) for case in CASES for state in played(case).some_states(4))


def error_about(text: str) -> str:
    with pytest.raises(WrongCode) as caught:
        read_line(text)
    (message,) = caught.value.args
    assert isinstance(message, Text)
    return message


@pytest.mark.parametrize("written", WRITTEN, ids=lambda written: written["code"][:12])
def test_a_code_that_was_written_once_can_be_read_for_ever(written):
    """Never write these anew. A packing that reads another position from one of them needs a new version of the format."""
    read = read_line(written["code"]).start
    assert read.game.position(read.state) == written["position"]
    assert read.game.rules == written["rules"]
    assert read.knower == written["knower"]


@pytest.mark.parametrize("game", GAMES_AND_EARLIER, ids=lambda game: f"{game.id}-{game.rules}")
def test_every_packing_has_codes_that_were_written_once(game):
    known = {(read_line(written["code"]).start.game.id, written["rules"]) for written in WRITTEN}
    assert (game.id, game.rules) in known or not isinstance(game, Packed)


def test_small_letters_look_alikes_and_a_frame_do_not_matter():
    for game, state, code in samples():
        letters = code.removeprefix(f"{game.id}1")
        alike = f"{game.id}1{letters.replace('0', 'O').replace('1', 'l')}"
        other = f"{game.id}1{letters.replace('0', 'o').replace('1', 'I')}"
        for typed in (code.lower(), code.upper(), f" `{code}`\n", alike, other):
            assert read_line(typed) == Line(KnownPosition(game, state)), typed


@pytest.mark.slow
def test_a_wrong_letter_is_always_found():
    for game, _, code in samples():
        first = len(game.id) + 1
        for place in range(first, len(code)):
            for letter in set(LETTERS) - {code[place]}:
                assert "typo" in error_about(code[:place] + letter + code[place + 1 :])


def test_two_neighbours_that_were_exchanged_are_always_found():
    for game, _, code in samples():
        for place in range(len(game.id) + 1, len(code) - 1):
            if code[place] != code[place + 1]:
                assert "typo" in error_about(code[:place] + code[place + 1] + code[place] + code[place + 2 :])


def test_a_missing_part_is_found():
    for _, _, code in samples():
        for size in range(len(code)):
            assert error_about(code[:size])


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", f"“” isn’t a position code. {BEGINNINGS}"),
        ("hello", f"“hello” isn’t a position code. {BEGINNINGS}"),
        ("chess1ABC", f"“chess1ABC” isn’t a position code. {BEGINNINGS}"),
        ("bouncers ABC", f"“bouncers” isn’t a position code. {BEGINNINGS}"),
        ("bouncers7ABC", "This code uses format 7, which isn’t supported here."),
        ("bouncers1AB*C", "“*”, letter 3 after the game, can’t be in a code."),
        ("bouncers1ABUC", "“U”, letter 3 after the game, can’t be in a code."),
        ("bouncers1ABC", "There’s a typo in this code, or part of it is missing: the last four letters don’t match."),
        ("bouncers1" + "A" * LONGEST, "That’s too long for a code: the limit is 2000 characters."),
    ],
)  # fmt: skip
def test_what_is_wrong_with_a_code_is_said(text, message):
    assert error_about(text) == message


def test_rules_that_are_not_known_are_named():
    number = json_number(GAMES["bouncers"].position(GAMES["bouncers"].start(2)))
    code = code_of_number("bouncers", number * 32 * 64 * 2 + 9 * 2)
    assert error_about(code) == "This code is for version 9 of the Bouncers rules, which isn’t supported here."


def test_a_position_that_the_rules_cannot_have_is_refused_with_the_reason():
    position = GAMES["bouncers"].position(GAMES["bouncers"].start(2)) | {"red": ["a1"], "blue": ["a1"]}
    assert error_about(forged("bouncers", position)) == "Bouncers has no such position: There are two pieces on a1."


def test_a_position_that_is_refused_in_words_for_programmers_is_refused_without_them():
    pucks = GAMES["pucks"]
    position = pucks.position(pucks.start(2)) | {"phase": "dance"}
    assert error_about(forged("pucks", position)) == "Puck Bumpers has no such position."


@pytest.mark.parametrize("seat", [1, 2, 31])
def test_a_game_without_secrets_has_no_codes_of_what_a_seat_knows(seat):
    state = GAMES["trampoline"].start(2)
    assert "no such position" in error_about(forged("trampoline", GAMES["trampoline"].position(state), seat=seat))


def test_a_seat_that_is_not_there_knows_nothing():
    state = GAMES["bunny"].start(2)
    assert "no such position" in error_about(forged("bunny", GAMES["bunny"].position(state), seat=4))


def forged(game_id: str, position: dict[str, Any], seat: int = 0) -> str:
    """A code with the right check letters, whatever it holds."""
    return code_of_number(game_id, ((json_number(position) * 32 + seat) * 64 + GAMES[game_id].rules) * 2)


def test_a_position_that_is_too_long_for_a_message_has_no_code():
    class Endless(type(GAMES["trampoline"])):  # type: ignore[misc]
        def position(self, state: Any, secret: bool = False) -> dict[str, Any]:
            return {"noise": random.Random(1).randbytes(3000).hex()}

    with pytest.raises(NoCode):
        position_code(Endless(), GAMES["trampoline"].start(2))


def test_a_line_is_a_code_and_moves_in_the_notation_of_the_game():
    game = GAMES["bouncers"]
    line = Line(KnownPosition(game, game.start(2)))
    for seat, action in ((0, ("b2", "b3")), (1, ("g7", "g6"))):
        line = follow(line, seat, action)
    assert line_text(line) == f"{position_code(game, game.start(2))} b2-b3, g7-g6"
    assert read_line(f"{line_text(line)},") == line
    assert line.end.state == game.play(line.steps[0].state, 1, ("g7", "g6")).state
    assert [str(words) for words in in_words(line)[:3]] == [
        "Bouncers, 8×8, 16 pieces each, 2 players, rules version 1.", "Red bounces b2 → b3.", "Blue bounces g7 → g6.",
    ]  # fmt: skip


def test_a_move_out_of_turn_names_its_player():
    pucks = GAMES["pucks"]
    for turn in played(Case("pucks", "standard", 3)).turns:
        if turn.action is not None and pucks.to_act(turn.before) != (turn.seat,):
            text = line_text(follow(Line(KnownPosition(pucks, turn.before)), turn.seat, turn.action))
            assert text.split(" ", 1)[1].startswith(f"{('red', 'blue', 'green')[turn.seat]}: ")
            return
    pytest.fail("nobody moved out of turn")


@pytest.mark.parametrize(
    ("moves", "message"),
    [
        ("b2-b3, b3-b4", "Move 2 of the line, “b3-b4”, isn’t possible: "),
        ("purple: b2-b3", "Move 1 of the line, “purple: b2-b3”, isn’t possible: "),
        ("grey: b2-b3", "Nobody can make move 1 of the line: “grey: b2-b3”."),
        ("b2-b3 g7-g6", "Move 1 of the line, “b2-b3 g7-g6”, isn’t possible: "),
        ("💥", "Move 1 of the line, “💥”, isn’t possible: "),
    ],
)
def test_what_is_wrong_with_a_move_is_said(moves, message):
    game = GAMES["bouncers"]
    assert error_about(f"{position_code(game, game.start(2))} {moves}").startswith(message)


def test_nothing_follows_a_roll_in_a_line():
    game = GAMES["trampoline"]
    line = follow(Line(KnownPosition(game, game.start(2, chance=Scripted.dice(1, 1, 1)))), 0, ("roll",))
    assert read_line(line_text(line)).steps == ()
    assert str(in_words(line)[1]) == "Next, Red rolls, draws or turns something up: Roll 3 dice."
    with pytest.raises(WrongCode) as caught:
        follow(line, 1, ("roll",))
    assert caught.value.args[0] == "The line has to end after move 1, where something is rolled, drawn or turned up."


def test_nothing_illegal_gets_into_a_line_and_nobody_moves_after_the_end():
    game = GAMES["bouncers"]
    with pytest.raises(IllegalAction):
        follow(Line(KnownPosition(game, game.start(2))), 1, ("b2", "b3"))
    case = Case("bouncers", "8x8-16", 2)
    assert "Nobody can make move 1" in error_about(f"{position_code(case.game, played(case).end)} a1-a2")


def is_read_or_refused(text: str) -> None:
    try:
        line = read_line(text)
    except WrongCode:
        return
    assert line_text(line)
    assert in_words(line)


@given(st.text(max_size=100) | st.text(alphabet=printable, max_size=200))
def test_any_text_is_a_code_or_refused(text):
    is_read_or_refused(text)


@given(st.sampled_from(GAMES_AND_EARLIER), st.integers(min_value=0, max_value=1 << 1500), st.integers(0, 5))
def test_any_number_with_the_right_check_letters_is_a_code_or_refused(game, number, seat):
    for is_packed in (0, 1):
        is_read_or_refused(code_of_number(game.id, ((number * 32 + seat) * 64 + game.rules) * 2 + is_packed))


@given(st.sampled_from(CASES), st.integers(0, 20), st.data())
def test_a_position_with_anything_else_in_the_place_of_a_part_is_a_position_or_refused(case, number, data):
    states = played(case).some_states(21)
    position = json.loads(json.dumps(case.game.position(states[min(number, len(states) - 1)])))
    for _ in range(data.draw(st.integers(1, 3))):
        damage(position, data)
    is_read_or_refused(forged(case.game_id, position, seat=data.draw(st.sampled_from((0, 0, 1, 2)))))


@given(st.sampled_from(CASES), st.integers(0, 20), st.data())
def test_a_position_with_anything_else_in_the_place_of_a_part_is_packed_as_it_is_or_refused(case, number, data):
    states = played(case).some_states(21)
    position = json.loads(json.dumps(case.game.position(states[min(number, len(states) - 1)])))
    for _ in range(data.draw(st.integers(1, 3))):
        damage(position, data)
    with suppress(Unpackable):
        packed = packed_number(position, case.game.pack, case.game.unpack)
        assert packed_position(packed, case.game.unpack) == position


VALUES = (
    st.none() | st.booleans() | st.integers(-3, 50) | st.integers() | st.text(max_size=4) | st.floats(allow_nan=False)
    | st.sampled_from(["a1", "red", "red p1", "swap", "net-off", "play", "pass", "carrot", "empty"])
    | st.lists(st.integers(0, 3), max_size=3) | st.dictionaries(st.text(max_size=2), st.integers(0, 3), max_size=2)
)  # fmt: skip


def damage(value: Any, data: st.DataObject) -> None:
    """Put something else into a random place of a position."""
    while True:
        if isinstance(value, dict) and value:
            key = data.draw(st.sampled_from(sorted(value)))
        elif isinstance(value, list) and value:
            key = data.draw(st.integers(0, len(value) - 1))
        else:
            return
        if isinstance(value[key], dict | list) and value[key] and data.draw(st.booleans()):
            value = value[key]
            continue
        value[key] = data.draw(VALUES)
        return


def test_the_rules_of_written_codes_are_known():
    for written in WRITTEN:
        assert rules_of(read_line(written["code"]).start.game.id, written["rules"])


PAGE = (Path(__file__).parents[2] / "docs" / "position-codes.md").read_text(encoding="utf-8")


def test_the_code_on_the_page_can_be_read():
    (code,) = re.findall(r"^```\n(\w+)\n```$", PAGE, re.MULTILINE)
    assert str(read_line(f"{code} b7-b6, c3-d3").end.view.variant) == "8x8-16"


def test_the_packing_on_the_page_packs_the_example_game():
    (source,) = re.findall(r"^```python\n(def pack\(self, position.*?)```$", PAGE, re.MULTILINE | re.DOTALL)
    names = dict[str, Any]()
    exec(
        f"from collections.abc import Mapping\nfrom typing import Any\nfrom engines.packing import Reader, Writer\n{source}",
        names,
    )
    pack, unpack = partial(names["pack"], None), partial(names["unpack"], None)
    position = {"left": 7, "last": 3, "to_move": 1, "gone": None}
    number = packed_number(position, pack, unpack)
    assert packed_position(number, unpack) == position
    assert number < 13 * 4 * 2 * 3
