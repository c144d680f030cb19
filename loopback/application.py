"""The bot's application: its profile and its emojis."""

import base64
from collections.abc import Callable, Mapping
from typing import Any, Final

from loopback.model import Person, Refusal

LONGEST_DESCRIPTION, TAGS_AT_MOST, LONGEST_TAG = 400, 5, 20
SCOPES: Final = frozenset({"applications.commands", "bot"})
MAY_CHANGE: Final = frozenset({"description", "tags", "integration_types_config", "custom_install_url", "icon", "cover_image"})
MADE: Final[Mapping[str, Any]] = {
    kind: {"oauth2_install_params": {"scopes": ["applications.commands"], "permissions": "0"}} for kind in "01"
}
"""The install settings of a new application: both servers and people can install it, for its commands alone."""


class Application:
    """An application. `profile` has its fields in Discord's form."""

    def __init__(self, bot: Person) -> None:
        self.profile: dict[str, Any] = {
            "id": str(bot.id), "name": bot.name, "icon": None, "description": "", "bot_public": True, "flags": 0,
            "bot_require_code_grant": False, "verify_key": "", "owner": Person(1, "Owner").user(), "team": None, "summary": "",
            "integration_types_config": dict(MADE),
        }  # fmt: skip

    def edit(self, body: Mapping[str, Any]) -> dict[str, Any]:
        """Replace fields of the profile, and return it. Raises Refusal if Discord would not accept their new values."""
        tags = body.get("tags") or []
        fine = (
            set(body) <= MAY_CHANGE
            and len(body.get("description") or "") <= LONGEST_DESCRIPTION
            and len(tags) == len(set(tags)) <= TAGS_AT_MOST
            and all(1 <= len(tag) <= LONGEST_TAG for tag in tags)
            and all(map(self._can_be_installed_so, (body.get("integration_types_config") or {}).values()))
        )
        if not fine:
            raise Refusal(400, 50035, "Invalid Form Body")
        self.profile |= body
        if "integration_types_config" in body:
            configs = {kind: one.get("oauth2_install_params") for kind, one in body["integration_types_config"].items()}
            self.profile["integration_types_config"] = {
                kind: {} if params is None
                else {"oauth2_install_params": {**params, "permissions": str(params.get("permissions") or 0)}}
                for kind, params in configs.items()
            }  # fmt: skip
        return self.profile

    def _can_be_installed_so(self, config: Mapping[str, Any]) -> bool:
        """Whether Discord allows these install settings. It allows no install link for a private application."""
        params = config.get("oauth2_install_params")
        if params is None:
            return True
        scopes, permissions = params.get("scopes") or [], int(params.get("permissions") or 0)
        return (
            self.profile["bot_public"]
            and 0 < len(scopes) == len(set(scopes))
            and set(scopes) <= SCOPES
            and (permissions == 0 or "bot" in scopes)
        )


HEAVIEST: Final = 256 * 1024
"""The largest size of an emoji's picture, in bytes."""


class ApplicationEmojis:
    """An application's emojis. `snowflake` makes their ids."""

    def __init__(self, snowflake: Callable[[], int]) -> None:
        self._snowflake = snowflake
        self.all: dict[str, dict[str, Any]] = {}

    def create(self, body: dict[str, Any]) -> dict[str, Any]:
        """Add an emoji. Raises Refusal unless its name is new and of 2 to 32 characters, and its picture a small enough PNG."""
        name, image = body["name"], base64.b64decode(body["image"].removeprefix("data:image/png;base64,"))
        if name in self.all or not 2 <= len(name) <= 32 or not image.startswith(b"\x89PNG") or len(image) > HEAVIEST:
            raise Refusal(400, 50035, "Invalid Form Body")
        self.all[name] = {"id": str(self._snowflake()), "name": name, "animated": False, "available": True}
        return self.all[name]
