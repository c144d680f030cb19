"""The emojis of the bot's application, as the loopback Discord keeps them."""

import base64
from collections.abc import Callable
from typing import Any, Final

from loopback.model import Refusal

HEAVIEST: Final = 256 * 1024
"""The greatest size of a picture, in bytes."""


class ApplicationEmojis:
    """The emojis of an application. `snowflake` makes ids."""

    def __init__(self, snowflake: Callable[[], int]) -> None:
        self._snowflake = snowflake
        self.all: dict[str, dict[str, Any]] = {}

    def listed(self) -> dict[str, Any]:
        """All of them, as Discord lists them."""
        return {"items": list(self.all.values())}

    def create(self, body: dict[str, Any]) -> dict[str, Any]:
        """Keep another one. Its name is unique and has 2 to 32 characters; its picture is a PNG file that is not too large."""
        name, image = body["name"], base64.b64decode(body["image"].removeprefix("data:image/png;base64,"))
        if name in self.all or not 2 <= len(name) <= 32 or not image.startswith(b"\x89PNG") or len(image) > HEAVIEST:
            raise Refusal(400, 50035, "Invalid Form Body")
        self.all[name] = {"id": str(self._snowflake()), "name": name, "animated": False, "available": True}
        return self.all[name]
