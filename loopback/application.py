"""The bot's application, as the loopback Discord keeps it: what its owner and the bot itself write in its profile."""

from collections.abc import Mapping
from typing import Any, Final

from loopback.model import Person, Refusal

LONGEST_DESCRIPTION: Final = 400
TAGS_AT_MOST, LONGEST_TAG = 5, 20
SCOPES: Final = frozenset({"applications.commands", "bot"})
MAY_CHANGE: Final = frozenset({"description", "tags", "integration_types_config", "custom_install_url", "icon", "cover_image"})
MADE: Final[Mapping[str, Any]] = {
    "0": {"oauth2_install_params": {"scopes": ["applications.commands"], "permissions": "0"}},
    "1": {"oauth2_install_params": {"scopes": ["applications.commands"], "permissions": "0"}},
}
"""How an application that was just made is installed: on servers and by people, and its commands alone."""


class Application:
    """An application of an owner. `profile`: its fields, as Discord gives them."""

    def __init__(self, bot: Person) -> None:
        self.profile: dict[str, Any] = {
            "id": str(bot.id), "name": bot.name, "icon": None, "description": "", "bot_public": True, "flags": 0,
            "bot_require_code_grant": False, "verify_key": "", "owner": Person(1, "Owner").user(), "team": None, "summary": "",
            "integration_types_config": dict(MADE),
        }  # fmt: skip

    def edit(self, body: Mapping[str, Any]) -> dict[str, Any]:
        """Change fields of it. What a field had before is gone: it is not added to. Raises Refusal."""
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
            self.profile["integration_types_config"] = {
                kind: _given_back(one) for kind, one in body["integration_types_config"].items()
            }
        return self.profile

    def _can_be_installed_so(self, config: Mapping[str, Any]) -> bool:
        """Whether an application may have this as one of its ways to be installed. A private one has no link at all."""
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


def _given_back(config: Mapping[str, Any]) -> dict[str, Any]:
    """A way to be installed as Discord gives it back: permissions are text."""
    params = config.get("oauth2_install_params")
    return {} if params is None else {"oauth2_install_params": {**params, "permissions": str(params.get("permissions") or 0)}}
