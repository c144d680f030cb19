"""A value with some fields changed is what `dataclasses.replace` makes of it."""

import dataclasses
from typing import Any

import pytest

from engines.chance import Fair
from engines.values import latest, replace
from tests.engines.contract_games import CASES, every_case, played


@dataclasses.dataclass(frozen=True, slots=True)
class Point:
    x: int
    y: int = 7


@dataclasses.dataclass(frozen=True, slots=True)
class Named(Point):
    name: str = "here"


@dataclasses.dataclass(frozen=True)
class Loose:
    x: int


@every_case
def test_states_are_changed_as_dataclasses_are(case):
    for state in played(case).some_states(5):
        names = [field.name for field in dataclasses.fields(state)]
        assert replace(state) == state
        assert replace(state) is not state
        for name in names:
            changed = replace(state, **{name: "changed"})
            assert [getattr(changed, other) for other in names] == [
                "changed" if other == name else getattr(state, other) for other in names
            ]
            assert type(changed) is type(state)


def test_fields_of_a_base_class_are_fields_too() -> None:
    named = replace(Named(1, name="there"), y=8)
    assert (named, hash(named)) == (Named(1, 8, "there"), hash(Named(1, 8, "there")))


@pytest.mark.parametrize("value", [Point(1), Loose(1), CASES[0].start()], ids=lambda value: type(value).__name__)
def test_a_field_that_is_not_there_is_a_mistake(value: Any) -> None:
    with pytest.raises(TypeError):
        replace(value, colour="red")


def test_what_has_no_slots_or_is_checked_when_it_is_made_is_made_in_the_ordinary_way() -> None:
    assert replace(Loose(1), x=2) == Loose(2)
    stream = Fair(bytes(32))
    assert replace(stream, block=3) == Fair(bytes(32), 3)
    with pytest.raises(ValueError):
        replace(stream, seed=b"short")


def test_an_answer_is_remembered_for_the_very_same_objects_until_others_are_asked_about() -> None:
    asked: list[str] = []

    @latest
    def joined(first: list[int], word: str) -> int:
        """How many."""
        asked.append(word)
        return len(first)

    numbers, twins = [1, 2], [1, 2]
    assert [joined(numbers, "a"), joined(numbers, "a"), joined(twins, "a"), joined(twins, "b")] == [2, 2, 2, 2]
    assert asked == ["a", "a", "b"]
    assert joined(numbers, "b") == 2
    assert joined([], word="b") == 0
    assert joined(numbers, word="b") == 2
    del asked[-2:]
    joined.cache_clear()
    assert joined([*numbers, 3], "b") == 3
    assert (len(asked), joined.__doc__) == (5, "How many.")
