"""Interactions: each takes one callback within three seconds, and follow-ups within fifteen minutes."""

from collections.abc import Mapping
from typing import Any, Final

from loopback.limits import EPHEMERAL
from loopback.model import LOADING, Interaction, Message, Refusal
from loopback.state import Discord, Files, is_private

ANSWER_WITHIN: Final = 3.0
"""Seconds that a bot has for its callback. After that, people read that the application did not respond."""
TOKEN_LIFETIME: Final = 15 * 60.0
"""Seconds for which follow-ups to an interaction are accepted."""
REPLY, DEFER, DEFER_UPDATE, UPDATE, CHOICES, MODAL = 4, 5, 6, 7, 8, 9
_ALLOWED: Final = {2: {REPLY, DEFER, MODAL}, 3: {REPLY, DEFER, DEFER_UPDATE, UPDATE, MODAL}, 4: {CHOICES},
                   5: {REPLY, DEFER, DEFER_UPDATE, UPDATE}}  # fmt: skip
"""The types of callback that are allowed for commands, clicks, autocomplete, and submitted forms."""


def callback(discord: Discord, interaction_id: int, token: str, body: Mapping[str, Any], files: Files) -> dict[str, Any]:
    """Accept the one callback to an interaction. Raises Refusal if it comes too late or is not the first."""
    found = discord.interactions.get(token)
    if found is None or found.id != interaction_id:
        raise Refusal(404, 10062, "Unknown interaction")
    if found.callback is not None:
        raise Refusal(400, 40060, "Interaction has already been acknowledged.")
    if discord.now() - found.made > ANSWER_WITHIN:
        raise Refusal(404, 10062, "Unknown interaction")
    kind, data = int(body["type"]), body.get("data") or {}
    if kind not in _ALLOWED[found.kind]:
        raise Refusal(400, 50035, f"Invalid Form Body: an interaction of type {found.kind} is not answered by {kind}")
    _carry_out(discord, found, kind, data, files)
    found.callback, found.waited = kind, discord.now() - found.made
    message = found.original if kind in (REPLY, DEFER, UPDATE) else None
    told: dict[str, Any] = {"id": str(found.id), "type": found.kind}
    if message is None:
        return {"interaction": told}
    told |= {"response_message_id": str(message.id), "response_message_loading": message.loading,
             "response_message_ephemeral": message.private}  # fmt: skip
    return {"interaction": told, "resource": {"type": kind, "message": message.payload(discord.base)}}


def _carry_out(discord: Discord, found: Interaction, kind: int, data: Mapping[str, Any], files: Files) -> None:
    if kind == REPLY:
        found.original = _post(discord, found, data, files)
    elif kind == DEFER:
        found.original = _post(discord, found, {"flags": data.get("flags", 0)}, {}, LOADING)
    elif kind in (DEFER_UPDATE, UPDATE):
        if found.message is None:
            raise Refusal(400, 50035, "Invalid Form Body: there is no message to update")
        found.original = found.message
        if kind == UPDATE:
            discord.fill(found.message, data, files)
    elif kind == CHOICES:
        found.choices = list(data.get("choices") or [])
    else:
        found.modal = dict(data)


def _post(discord: Discord, found: Interaction, data: Mapping[str, Any], files: Files, flags: int = 0) -> Message:
    flags |= int(data.get("flags") or 0)
    seen_by = found.by.id if is_private(data) else None
    message = discord.post(found.channel_id, data, files, seen_by=seen_by, flags=flags)
    message.answers = found
    return message


def _followed(discord: Discord, token: str) -> Interaction:
    """Return the interaction with this token. Raises Refusal if it has not been answered, or if the token has expired."""
    found = discord.interactions.get(token)
    if found is None or found.callback is None:
        raise Refusal(404, 10015, "Unknown Webhook")
    if discord.now() - found.made > TOKEN_LIFETIME:
        raise Refusal(401, 50027, "Invalid Webhook Token")
    return found


def follow_up(discord: Discord, token: str, body: Mapping[str, Any], files: Files) -> dict[str, Any]:
    """Post a follow-up. After a deferral, the first one replaces the placeholder, and is as private as that was."""
    found = _followed(discord, token)
    if found.original is not None and found.original.loading:
        return _fill(discord, found.original, body, files)
    message = _post(discord, found, body, files)
    found.followups.append(message)
    return message.payload(discord.base)


def _fill(discord: Discord, message: Message, body: Mapping[str, Any], files: Files) -> dict[str, Any]:
    private = message.flags & EPHEMERAL
    discord.fill(message, body, files)
    message.flags = (message.flags & ~(LOADING | EPHEMERAL)) | private
    return message.payload(discord.base)


def _answer(found: Interaction, which: str) -> Message:
    """Return the message that answered an interaction, or one of its follow-ups. Raises Refusal if there is no such message."""
    known = [found.original] if which == "@original" else [one for one in found.followups if str(one.id) == which]
    if not known or known[0] is None or known[0].deleted:
        raise Refusal(404, 10008, "Unknown Message")
    return known[0]


def read(discord: Discord, token: str, which: str) -> dict[str, Any]:
    """Return an answer in Discord's form."""
    return _answer(_followed(discord, token), which).payload(discord.base)


def edit(discord: Discord, token: str, which: str, body: Mapping[str, Any], files: Files) -> dict[str, Any]:
    """Change an answer, or fill in one that was deferred."""
    return _fill(discord, _answer(_followed(discord, token), which), body, files)


def delete(discord: Discord, token: str, which: str) -> None:
    """Delete an answer."""
    _answer(_followed(discord, token), which).deleted = True
