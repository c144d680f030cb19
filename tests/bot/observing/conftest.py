"""What the tests of hidden hands have in common."""

from collections.abc import Hashable
from hashlib import sha256

import pytest

from bot.messages.pictures import CACHE


@pytest.fixture
def pictures_as_drawn_from(monkeypatch: pytest.MonkeyPatch) -> None:
    """A picture is what it is drawn from, which is quicker: if that is the same, so is the picture."""

    async def drawn_from(key: Hashable, *_: object, **__: object) -> bytes:
        return sha256(repr(key).encode()).digest()

    monkeypatch.setattr(CACHE, "picture", drawn_from)
