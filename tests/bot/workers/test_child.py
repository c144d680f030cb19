"""How a child process answers a call."""

import pickle
from typing import Any

from bot.workers.child import carry_out


class Unreadable(Exception):
    """Can be pickled, but not unpickled."""

    def __init__(self, first: str, second: str) -> None:
        super().__init__(first + second)


def refuse() -> None:
    raise Unreadable("no ", "way")


def answered(function: Any, *values: Any) -> Any:
    return pickle.loads(carry_out(pickle.dumps((function, values))))


def test_a_result_is_told_from_an_error() -> None:
    assert answered(int, "7") == (True, 7)
    done, error = answered(int, "seven")
    assert done is False
    assert isinstance(error, ValueError)
    assert "In the process:" in error.__notes__[0]


def test_an_error_that_cannot_be_read_again_is_told_in_words() -> None:
    done, error = answered(refuse)
    assert done is False
    assert type(error) is RuntimeError
    assert "no way" in str(error)
    assert "In the process:" in error.__notes__[0]


def test_a_call_that_cannot_be_read_is_an_error() -> None:
    done, error = pickle.loads(carry_out(b"nothing"))
    assert done is False
    assert isinstance(error, pickle.UnpicklingError)
