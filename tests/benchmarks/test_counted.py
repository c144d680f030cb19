"""The work of an action can be counted."""

import pytest

from benchmarks.counted import measured


@pytest.mark.slow
def test_the_work_of_an_action_is_counted() -> None:
    work, functions = measured(actions=8, functions=3)
    assert 5_000 < work.functions < 100_000
    assert 5 < work.statements < 50
    assert 1 < work.transactions < work.statements
    assert 1 < work.requests < 20
    assert 0.5 < work.pictures < 10
    assert work.sent > 10_000 * work.pictures
    assert [calls for calls, _ in functions] == sorted((calls for calls, _ in functions), reverse=True)
    assert len(functions) == 3
