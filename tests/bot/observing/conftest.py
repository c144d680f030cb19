"""Fixtures for the tests of hidden hands."""

from collections.abc import Hashable
from hashlib import sha256

import pytest

from bot.messages.pictures import CACHE


@pytest.fixture
def pictures_as_drawn_from(monkeypatch: pytest.MonkeyPatch) -> None:
    """Replace pictures by the data they are drawn from, which is quicker and tells as much."""

    async def drawn_from(key: Hashable, *_: object, **__: object) -> bytes:
        return sha256(repr(key).encode()).digest()

    monkeypatch.setattr(CACHE, "picture", drawn_from)
