"""A position becomes a number, and the number the same position again."""

import json
import random
from collections import Counter
from collections.abc import Mapping
from contextlib import suppress
from itertools import product
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engines.packing import MOST_JSON, Reader, Unpackable, Writer, json_number, json_position, packed_number, packed_position

CARDS = Counter({"stop": 3, "spy": 1, "swap": 2})
LISTS = ("counters", "kings")
SEATS = ("red", "blue", "green")


PLACES = ((None, None), (1, "up"), (1, "down"))
SQUARES = ("a1", "b1", "c1", "d1")
BUNNIES = (None, "a1", "b2")


def write(position: Mapping[str, Any], writer: Writer) -> None:
    writer.number(position["most"], 1, 9)
    writer.number(position["taken"], 0, position["most"])
    writer.small(position["extra"])
    writer.choice(position["phase"], ("move", None, "draw"))
    writer.choice((position["spot"], position["facing"]), PLACES)
    writer.split([position[key] for key in LISTS], SQUARES)
    writer.order(position["winning"], SEATS)
    writer.spell(position["board"], "BGK./", 12)
    writer.words(position["action"], 20)
    writer.number(len(position["players"]), 1, 3)
    for player in position["players"]:
        writer.rarely("left" in player)
        if writer.rarely("jumps" in player):
            writer.small(player["jumps"])
    for seat in (0, 1):
        writer.which(BUNNIES.index(position["bunnies"][seat]), (4, 2, 1))
    pool = Counter(CARDS)
    for space in ("a1", "b1"):
        writer.draw(position["field"][space], pool)
    writer.draws(position["hand"], pool)
    if writer.rarely(position["rule"] != 1):
        writer.number(position["rule"], 2, 9)


def read(reader: Reader) -> dict[str, Any]:
    position: dict[str, Any] = {"most": (most := reader.number(1, 9)), "taken": reader.number(0, most), "extra": reader.small()}
    position["phase"] = reader.choice(("move", None, "draw"))
    position["spot"], position["facing"] = reader.choice(PLACES)
    position.update(zip(LISTS, reader.split(2, SQUARES), strict=True))
    position |= {"winning": reader.order(SEATS), "board": reader.spell("BGK./", 12), "action": reader.words(20), "players": []}
    for _ in range(reader.number(1, 3)):
        position["players"].append(player := dict[str, Any]())
        if reader.rarely():
            player["left"] = True
        if reader.rarely():
            player["jumps"] = reader.small()
    position["bunnies"] = [BUNNIES[reader.which((4, 2, 1))] for _ in (0, 1)]
    pool = Counter(CARDS)
    position["field"] = {space: reader.draw(pool) for space in ("a1", "b1")}
    position["hand"] = reader.draws(pool)
    position["rule"] = reader.number(2, 9) if reader.rarely() else 1
    return position


def some_position(dice: random.Random) -> dict[str, object]:
    most, deck = dice.randint(1, 9), dice.sample(sorted(CARDS.elements()), 6)
    spot = dice.choice([(None, None), (1, "up"), (1, "down")])
    places = [dice.choice(("counters", "kings", None)) for _ in range(4)]
    players = [{"left": True}, {"jumps": dice.randint(0, 1023)}, {}]
    return {
        "most": most, "taken": dice.randint(0, most), "extra": dice.choice((0, 1, 7, 8, 1023)),
        "phase": dice.choice(("move", None, "draw")), "spot": spot[0], "facing": spot[1],
        **{key: [s for s, p in zip(("a1", "b1", "c1", "d1"), places, strict=True) if p == key] for key in LISTS},
        "winning": dice.sample(SEATS, dice.randint(0, 3)), "board": "".join(dice.choices("BGK./", k=dice.randint(0, 12))),
        "action": ["play", "take-3"][: dice.randint(1, 2)], "players": dice.sample(players, dice.randint(1, 3)),
        "bunnies": dice.choices((None, "a1", "b2"), k=2), "field": {"a1": deck[0], "b1": deck[1]},
        "hand": deck[2 : dice.randint(2, 6)], "rule": dice.choice((1, 1, 2, 9)),
    }  # fmt: skip


@given(st.integers())
def test_every_field_is_read_as_it_was_written(seed):
    position = some_position(random.Random(seed))
    assert packed_position(packed_number(position, write, read), read) == position


@given(st.integers(min_value=0, max_value=1 << 300))
def test_any_number_is_a_position_or_refused(number):
    try:
        position = packed_position(number, read)
    except Unpackable:
        return
    assert packed_number(position, write, read) == number


@pytest.mark.parametrize(
    "wrong",
    [
        {"most": 0}, {"most": 10}, {"most": "1"}, {"most": True}, {"taken": 10}, {"extra": 1024}, {"extra": -1},
        {"extra": None}, {"phase": "swap"}, {"spot": 2}, {"counters": ["e1"]}, {"counters": "a1"}, {"counters": ["b1", "a1"]},
        {"counters": ["a1"], "kings": ["a1"]},
        {"winning": ["red", "red"]}, {"winning": None}, {"board": "X"},
        {"board": "B" * 13},
        {"board": None}, {"action": ["B"]}, {"action": ["play", 3]}, {"action": []}, {"players": []}, {"players": [{}] * 4},
        {"players": [{"left": False}]}, {"players": [3]}, {"bunnies": [None]}, {"bunnies": [None] * 3},
        {"field": {"a1": "spy", "b1": "spy"}}, {"field": {"a1": "spy"}}, {"field": []}, {"hand": ["carrot"]}, {"rule": 10},
        {"rule": None}, {"strange": 1},
    ],
    ids=str,
)  # fmt: skip
def test_a_position_outside_of_its_packing_is_refused(wrong):
    with pytest.raises(Unpackable):
        packed_number({**some_position(random.Random(1)), **wrong}, write, read)


def test_a_missing_key_is_refused():
    for key in (position := some_position(random.Random(2))):
        with pytest.raises(Unpackable):
            packed_number({other: value for other, value in position.items() if other != key}, write, read)


def test_a_part_takes_as_few_digits_as_there_are_values_for_it():
    numbers = set()
    for red, blue in product(range(1, 7), repeat=2):
        writer = Writer()
        writer.number(red, 1, 6)
        writer.number(blue, 1, 6)
        numbers.add(writer.written())
    assert numbers == set(range(36))


def test_a_deck_that_was_dealt_takes_as_many_bits_as_it_needs_to_tell_the_deals_apart():
    hands = ("aabb", "abab", "abba", "baab", "baba", "bbaa")
    numbers = set()
    for hand in hands:
        writer, pool = Writer(), Counter({"a": 2, "b": 2})
        for card in hand:
            writer.draw(card, pool)
        numbers.add(writer.written())
    assert len(numbers) == len(hands)
    assert max(numbers).bit_length() == len(hands).bit_length()


def test_a_part_added_at_the_end_reads_numbers_that_were_written_before():
    def write_newer(position: Mapping[str, Any], writer: Writer) -> None:
        writer.number(position["die"], 1, 6)
        if writer.rarely("left" in position):
            writer.number(position["left"], 0, 1)
        writer.rarely(position["rule"] != 1)

    def read_newer(reader: Reader) -> dict[str, Any]:
        position = {"die": reader.number(1, 6)}
        if reader.rarely():
            position["left"] = reader.number(0, 1)
        position["rule"] = 2 if reader.rarely() else 1
        return position

    for die in range(1, 7):
        (older := Writer()).number(die, 1, 6)
        assert packed_position(older.written(), read_newer) == {"die": die, "rule": 1}
        assert packed_number({"die": die, "rule": 1}, write_newer, read_newer) == older.written()


JSON = st.recursive(
    st.none() | st.booleans() | st.integers(-(10**6), 10**6) | st.text(max_size=8),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=4), inner, max_size=4),
    max_leaves=20,
)


@pytest.mark.slow
@given(st.dictionaries(st.text(max_size=6), JSON, max_size=6))
def test_any_json_can_be_written_out(position):
    assert json_position(json_number(position)) == position


@given(st.integers(min_value=0, max_value=1 << 2000))
def test_any_number_is_json_or_refused(number):
    with suppress(Unpackable):
        assert isinstance(json_position(number), dict)


@pytest.mark.parametrize(
    "text",
    [
        "[1]",
        "3",
        "{",
        '{"a": ' + "[" * 20_000 + "]" * 20_000 + "}",
        '{"a": ' + "0" * 10_000_000 + "}",
        '{"a": 1' + "0" * 9000 + "}",
    ],
    ids=["a list", "a number", "half", "deep", "bomb", "endless number"],
)
def test_a_written_out_text_that_is_no_position_is_refused(monkeypatch, text):
    monkeypatch.setattr("engines.packing.json.dumps", lambda *_, **__: text)
    number = json_number({})
    monkeypatch.undo()
    assert number.bit_length() < 8 * MOST_JSON
    with pytest.raises(Unpackable):
        json_position(number)


def test_json_says_the_same_in_any_order():
    position = {"b": 1, "a": {"d": 2, "c": 3}}
    assert json_number(position) == json_number(json.loads(json.dumps(position, sort_keys=True)))
