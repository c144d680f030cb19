"""Fair dice can be recomputed by anybody who has the seed, and favour no result."""

import hashlib
import hmac
import json
from collections import Counter
from itertools import permutations

import pytest

from engines.chance import (
    SEED_BYTES,
    UNSEEDED,
    Chance,
    ChanceExhausted,
    Fair,
    Recorded,
    Scripted,
    chance_from_json,
    contribution,
    seed_hash,
    stream_key,
)

SEED = bytes(range(SEED_BYTES))
FIRST_BLOCKS = [  # by openssl dgst -sha256 -mac HMAC
    "90a921eb220cff2b64f9aa651285355f784ac3f96d206a8e3a2ad209d4c45354",
    "8e3e4bd9f67f31376d96e4fdae35c3b0c6043d18d4ca026ba1d7e633ddb97893",
    "315f5d63639c13919fcbda99fceec5060c58da94cf7a53690cf527003f0195b2",
    "bbd0b556716514217ba4115b62fd5c6a8261eda64cf5e59f958576a4696115a7",
]


def block(seed: bytes, number: int) -> int:
    """A block of the stream as the design describes it."""
    return int(hmac.new(seed, f"springboard:{number}".encode("ascii"), hashlib.sha256).hexdigest(), 16)


def drawn(stream: Chance, *limits: int) -> list[int]:
    values = []
    for n in limits:
        value, stream = stream.randbelow(n)
        values.append(value)
    return values


def dice(stream: Chance, number: int) -> list[int]:
    faces = []
    for _ in range(number):
        face, stream = stream.die()
        faces.append(face)
    return faces


def test_the_first_blocks_and_dice_of_a_seed_are_those_that_another_program_computes():
    assert drawn(Fair(SEED), *[2**256] * 4) == [int(each, 16) for each in FIRST_BLOCKS]
    assert dice(Fair(SEED), 8) == [1, 6, 3, 6, 3, 2, 6, 1]


@pytest.mark.parametrize("n", [1, 2, 3, 6, 7, 52, 10**9 + 7, 2**64, 2**128 + 1])
def test_each_draw_takes_the_next_block(n):
    assert drawn(Fair(SEED), *[n] * 30) == [block(SEED, number) % n for number in range(30)]


def test_a_block_past_ninety_nine_is_numbered_in_decimal():
    value, after = Fair(SEED, 1234).randbelow(1000)
    assert value == block(SEED, 1234) % 1000
    assert after == Fair(SEED, 1235)


def test_even_a_draw_without_a_choice_takes_a_block_and_leaves_the_stream_as_it_was():
    assert Fair(SEED).randbelow(1) == (0, Fair(SEED, 1))
    stream = Fair(SEED)
    assert stream.randbelow(6) == stream.randbelow(6)
    assert stream == Fair(SEED, 0)


def test_values_at_or_above_the_largest_multiple_are_turned_down():
    # Of this n only one multiple fits below 2**256, so that nearly every other block is turned down.
    n = 2**255 + 1
    good = [number for number in range(40) if block(SEED, number) < n]
    assert 0 < len(good) < 40
    stream: Chance = Fair(SEED)
    for number in good:
        value, stream = stream.randbelow(n)
        assert (value, stream) == (block(SEED, number), Fair(SEED, number + 1))


def test_the_limit_itself_is_turned_down_and_the_number_below_it_is_not():
    first, second = block(SEED, 0), block(SEED, 1)
    assert second < first
    # Below the first block itself, that block is the limit and no longer good; below one more it is the last good one.
    assert Fair(SEED).randbelow(first) == (second, Fair(SEED, 2))
    assert Fair(SEED).randbelow(first + 1) == (first, Fair(SEED, 1))


@pytest.mark.parametrize("n", [0, -1, 2**256 + 1])
def test_nothing_can_be_drawn_below_less_than_one_or_more_than_a_block_holds(n):
    with pytest.raises(ValueError, match=f"cannot draw below {n}"):
        Fair(SEED).randbelow(n)


def test_a_die_shows_one_to_six_and_a_coin_one_or_two():
    stream = Fair(SEED, 5)
    assert stream.die() == (block(SEED, 5) % 6 + 1, Fair(SEED, 6))
    assert stream.coin() == (block(SEED, 5) % 2 + 1, Fair(SEED, 6))
    assert {Fair(SEED, number).coin()[0] for number in range(60)} == {1, 2}


def test_a_stream_does_not_show_its_seed_and_another_seed_gives_other_draws():
    assert dice(Fair(SEED), 40) != dice(Fair(SEED[::-1]), 40)
    assert repr(Fair(SEED, 3)) == "Fair(seed=<hidden>, block=3)"


@pytest.mark.parametrize("length", [0, 31, 33])
def test_a_seed_has_thirty_two_bytes(length):
    with pytest.raises(ValueError, match=f"a seed has 32 bytes, not {length}"):
        Fair(bytes(length))


def test_a_shuffle_goes_from_the_last_place_down():
    items = list("abcdefgh")
    for number, i in enumerate(range(7, 0, -1)):
        j = block(SEED, number) % (i + 1)
        items[i], items[j] = items[j], items[i]
    assert Fair(SEED).shuffle("abcdefgh") == (tuple(items), Fair(SEED, 7))
    # Place 3 changes with place 0, place 2 stays, place 1 changes with place 0.
    assert Scripted([0, 2, 0]).shuffle("abcd")[0] == ("b", "d", "c", "a")


@pytest.mark.parametrize("items", ["", "a"])
def test_nothing_is_drawn_to_shuffle_what_has_one_order(items):
    assert Fair(SEED).shuffle(items) == (tuple(items), Fair(SEED))


def test_shuffling_leaves_the_items_as_they_were():
    items = [1, 2, 3, 4]
    Fair(SEED).shuffle(items)
    assert items == [1, 2, 3, 4]


def chi_square(counts: Counter[object], kinds: int, total: int) -> float:
    expected = total / kinds
    assert len(counts) == kinds
    return sum((count - expected) ** 2 / expected for count in counts.values())


def test_dice_favour_no_face():
    # 20.5 is passed by one fair die of a thousand; the seed is fixed, so this die always passes or never.
    assert chi_square(Counter(dice(Fair(SEED), 12_000)), 6, 12_000) < 20.5


def test_shuffles_favour_no_order():
    stream: Chance = Fair(SEED)
    orders: Counter[object] = Counter()
    for _ in range(6_000):
        order, stream = stream.shuffle("abcd")
        orders[order] += 1
    assert set(orders) == set(permutations("abcd"))
    assert chi_square(orders, 24, 6_000) < 49.7


def test_a_scripted_stream_gives_the_given_values_in_turn_and_says_when_it_is_used_up():
    assert drawn(Scripted([0, 5, 1]), 6, 6, 2) == [0, 5, 1]
    assert dice(Scripted([0, 5]), 2) == dice(Scripted.dice(1, 6), 2) == [1, 6]
    assert Scripted.dice(2).coin()[0] == 2
    with pytest.raises(ChanceExhausted, match="all 1 scripted values are drawn"):
        drawn(Scripted([3]), 6, 6)


@pytest.mark.parametrize("value", [6, -1])
def test_a_scripted_value_that_does_not_fit_is_refused(value):
    with pytest.raises(ChanceExhausted, match=f"scripted value {value} at place 1 is not below 6"):
        drawn(Scripted([0, value]), 6, 6)


def test_a_scripted_stream_is_a_value_too():
    stream = Scripted([1, 2])
    assert stream.randbelow(6) == stream.randbelow(6) == (1, Scripted([1, 2], 1))
    assert hash(stream) == hash(Scripted(iter([1, 2])))


def test_the_hash_of_a_seed_is_its_sha_256():
    # by sha256sum
    assert seed_hash(SEED) == "630dcd2966c4336691125448bbb25b4ff412a49c732db2c8abc1b8581bd710dd"


def test_the_key_of_the_description_is_mixed_from_seed_and_presses() -> None:
    pressed = [contribution(1001, 9001, "lucky seven"), contribution(1002, 9002), contribution(1002, 9003)]
    assert pressed == ["1001:9001:lucky seven", "1002:9002:", "1002:9003:"]
    key = "4f31d597cd13536d50b45e36edd903ccbda6e000d59639997e56040470633d93"  # by openssl dgst -sha256 -mac HMAC
    assert stream_key(SEED, pressed).hex() == key
    assert key in (stream_key.__doc__ or "")


def test_the_key_depends_on_the_seed_and_on_all_of_every_press_and_their_order() -> None:
    pressed = ["1:2:a", "3:4:b"]
    others = [[], ["1:2:a"], ["3:4:b", "1:2:a"], ["1:2:", "3:4:b"], ["1:3:a", "3:4:b"], ["2:2:a", "3:4:b"], ["1:2:ä", "3:4:b"]]
    keys = [stream_key(SEED, pressed), stream_key(SEED[::-1], pressed), *(stream_key(SEED, other) for other in others)]
    assert len(set(keys)) == len(keys)
    assert all(Fair(key) for key in keys)


def test_a_recorded_stream_draws_the_same_and_knows_what_led_to_each_state() -> None:
    start: Chance = Recorded(Fair(SEED))
    _, once = start.randbelow(6)
    _, twice = once.die()
    _, other = once.shuffle("abc")
    assert drawn(Recorded(Fair(SEED)), 6, 6, 2**256) == drawn(Fair(SEED), 6, 6, 2**256)
    assert twice.to_json() == {**Fair(SEED, 2).to_json(), "draws": [[6, 0], [6, 5]]}
    assert [below for below, _ in other.to_json()["draws"]] == [6, 3, 2]
    assert start.to_json()["draws"] == []
    assert SEED.hex() not in repr(other)


@pytest.mark.parametrize("stream", [Fair(SEED), Fair(SEED, 99), UNSEEDED, Scripted([1, 2, 3]), Scripted([1, 2, 3], 2)])
def test_a_stream_comes_back_from_json_at_its_place(stream):
    assert chance_from_json(json.loads(json.dumps(stream.to_json()))) == stream


@pytest.mark.parametrize(
    "data",
    [
        {}, {"seed": SEED.hex()}, {"seed": 7, "block": 0}, {"seed": "00", "block": 0}, {"seed": "zz", "block": 0},
        {"seed": SEED.hex(), "block": "0"}, {"seed": SEED.hex(), "block": -1}, {"seed": SEED.hex(), "block": True},
        {"scripted": ["1"], "drawn": 0}, {"scripted": 1, "drawn": 0}, {"scripted": [1], "drawn": 0.5},
    ],
)  # fmt: skip
def test_what_is_no_stream_is_refused(data):
    with pytest.raises(ValueError):
        chance_from_json(data)


def test_the_draws_since_one_of_them_are_those_after_it():
    stream = Recorded(Scripted([1, 0, 2]))
    assert stream.since(None) == ()
    _, first = stream.randbelow(4)
    _, second = first.randbelow(2)
    _, third = second.randbelow(3)
    assert [(draw.below, draw.result) for draw in third.since(None)] == [(4, 1), (2, 0), (3, 2)]
    assert [(draw.below, draw.result) for draw in third.since(first.last)] == [(2, 0), (3, 2)]
    assert third.since(third.last) == ()
