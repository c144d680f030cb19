"""What one of this bot's messages or calls is, judging by its looks."""

import re
from enum import StrEnum
from typing import Any, Final

from simcord.components import walk_components

from loopback.faults import Call, Route


class Nature(StrEnum):
    LOBBY = "lobby"
    BOARD = "board"
    NOTICE = "notice"
    REPLAY = "replay"


def nature(components: list[Any], content: str = "") -> Nature:
    """What a message with these components is.

    A board without buttons still has a picture or words, unless it is folded: then it begins with its number. An invitation has
    a poster where the lobby message has none. A plain message is known by its first button's mark and verb.
    """
    if content:
        return _announces(components)
    items = list(walk_components(components))
    texts = [str(item["content"]) for item in items if item.get("content")]
    shown = [str(one["media"]) for item in items for one in item.get("items") or []]
    if texts and re.match(r"### .* #\d+", texts[0]):
        return Nature.LOBBY
    if texts and re.match(r"-# #\d+ · ", texts[0]):
        return Nature.BOARD
    if any("sb|accept|" in str(item.get("custom_id")) for item in items):
        return Nature.NOTICE
    if not shown:
        return Nature.BOARD if any("I couldn’t draw the picture" in text for text in texts) else Nature.NOTICE
    return Nature.REPLAY if any(".gif" in media for media in shown) else Nature.BOARD


def _announces(components: list[Any]) -> Nature:
    """What a plain message is or will become. Unlike a board, a reminder has a second button, which leads to the board."""
    items = list(walk_components(components))
    if any(item.get("url") for item in items):
        return Nature.NOTICE
    for item in items:
        if found := _MARKED.match(str(item.get("custom_id"))):
            return Nature.LOBBY if int(found[2]) < OF_NONCES else Nature.BOARD if found[1] in _TURNS else Nature.NOTICE
    return Nature.NOTICE


MARKS_FROM, OF_NONCES = 1 << 29, 1 << 30
"""The smallest mark of a message, and the smallest made from a nonce: those of lobbies are smaller."""
_MARKED: Final = re.compile(r"sb\|([a-z-]+)\|\d+\|\d+\|(\d{9,10})\|")
_TURNS: Final = frozenset({"act", "move", "hand"})


def announces(call: Call) -> bool:
    """Whether a call creates a message that pings, or turns it into a layout."""
    if call.route is Route.SEND:
        return bool(call.body.get("content"))
    return call.route is Route.EDIT and lays_out(call)


def lays_out(call: Call) -> bool:
    """Whether a call turns a plain message into a layout, whose container gets the message's mark."""
    container = (call.body.get("components") or [{}])[0]
    return "content" in call.body and bool(container.get("id", 0) >= MARKS_FROM)
