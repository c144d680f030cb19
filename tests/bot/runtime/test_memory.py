"""Memory is given back to the system, where the C library can do that."""

import ctypes
import platform
from pathlib import Path

import pytest

from bot.runtime.memory import give_back

PIECE = 10_000
PIECES = 3_000


def resident() -> int:
    """The bytes of this process that are in memory."""
    return int(Path("/proc/self/statm").read_text(encoding="ascii").split()[1]) * 4096


@pytest.mark.skipif(platform.libc_ver()[0] != "glibc", reason="only glibc can do it")
def test_memory_between_what_stays_is_given_back() -> None:
    pieces = [b"1" * PIECE for _ in range(PIECES)]
    del pieces[:-1]
    before = resident()
    give_back()
    assert before - resident() > PIECE * PIECES / 4


def test_another_c_library_keeps_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(ctypes, "CDLL", lambda _name: object())
    give_back()
