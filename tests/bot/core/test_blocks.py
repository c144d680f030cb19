"""Sequences in blocks are what tuples of the same items would be, and sharing blocks mixes nothing up."""

import random

import pytest

from bot.core.table.block_list import SIZE, Blocks

LENGTHS = [0, 1, SIZE - 1, SIZE, SIZE + 1, 2 * SIZE, 3 * SIZE - 1, 3 * SIZE + 7]


@pytest.mark.parametrize("length", LENGTHS)
def test_they_are_read_like_a_tuple(length: int) -> None:
    items, dice = tuple(range(length)), random.Random(length)
    blocks = Blocks(items)
    assert (len(blocks), tuple(blocks), tuple(reversed(blocks))) == (length, items, items[::-1])
    assert blocks == items
    assert items == blocks
    assert hash(blocks) == hash(items)
    assert blocks.last == (items[-1] if items else None)
    assert [blocks[i] for i in range(-length, length)] == [items[i] for i in range(-length, length)]
    for _ in range(50):
        begin, end = (dice.choice([None, dice.randint(-length - 3, length + 3)]) for _ in range(2))
        part = slice(begin, end, dice.choice([None, 2, -1]))
        assert blocks[part] == items[part]
    for index in (length, -length - 1):
        with pytest.raises(IndexError):
            blocks[index]


@pytest.mark.parametrize("length", LENGTHS)
def test_adding_or_replacing_an_item_leaves_the_original_unchanged(length: int) -> None:
    items: tuple[object, ...] = tuple(range(length))
    blocks = Blocks(items)
    one, other = blocks.with_one_more("one"), blocks.with_one_more("other")
    assert one.with_one_more("two") == (*items, "one", "two")
    assert [tuple(found) for found in (one, other, blocks)] == [(*items, "one"), (*items, "other"), items]
    for index in {0, length - 1, -1, length // 2} & set(range(-length, length)):
        changed: list[object] = list(items)
        changed[index] = "else"
        assert blocks.with_one_else(index, "else") == tuple(changed)
    assert blocks == items
    with pytest.raises(IndexError):
        blocks.with_one_else(length, "else")


@pytest.mark.parametrize("length", LENGTHS)
def test_the_first_items_are_a_prefix(length: int) -> None:
    blocks = Blocks(range(length))
    for count in {*LENGTHS, length}:
        assert blocks.first(count) == tuple(range(length))[:count]
        assert blocks.first(count).with_one_more(-1) == (*range(min(count, length)), -1)


def test_they_grow_item_by_item_and_compare_by_their_items() -> None:
    blocks: Blocks[int] = Blocks()
    for number in range(5 * SIZE):
        blocks = blocks.with_one_more(number)
        assert blocks == tuple(range(number + 1))
        assert blocks != tuple(range(number))
        assert blocks != list(range(number + 1))
    assert blocks.with_one_else(SIZE, -1) != blocks
