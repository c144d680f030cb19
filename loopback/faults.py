"""The faults that calls to Discord can meet, and the rules that say which calls meet them."""

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import Any, Final

from loopback.limits import Kind
from loopback.model import Refusal


class Route(StrEnum):
    """What a call asks of Discord."""

    REPLY = "callback: reply"
    UPDATE = "callback: update"
    DEFER = "callback: defer"
    DEFER_UPDATE = "callback: defer an update"
    CHOICES = "callback: suggestions"
    MODAL = "callback: form"
    FOLLOW_UP = "follow-up"
    EDIT_ANSWER = "edit the answer"
    DELETE_ANSWER = "delete the answer"
    READ_ANSWER = "read the answer"
    SEND = "send"
    SEND_DIRECT = "send directly"
    EDIT = "edit"
    DELETE = "delete"
    HISTORY = "history"
    THREAD = "open a thread"
    PRIVATE_THREAD = "open a private thread"
    ADD_MEMBER = "add to a thread"
    OPEN_DIRECT = "open a conversation"
    REGISTER = "register commands"
    LOG_IN = "log in"
    OTHER = "other"


class Fault(StrEnum):
    """What goes wrong with a call."""

    SHORT_LIMIT = "429, 0.2 s"
    LONG_LIMIT = "429, 90 s"
    ERROR = "500"
    UNAVAILABLE = "503"
    SILENCE = "time-out"
    RESET_BEFORE = "reset before effect"
    RESET_AFTER = "reset after effect"
    FORBIDDEN = "403"
    NOT_FOUND = "404"
    BAD_REQUEST = "400"


CALLBACKS: Final = {4: Route.REPLY, 5: Route.DEFER, 6: Route.DEFER_UPDATE, 7: Route.UPDATE, 8: Route.CHOICES, 9: Route.MODAL}
_ROUTES: Final = (
    (Route.FOLLOW_UP, "POST", r"/webhooks/[^/]+/[^/]+"),
    (Route.EDIT_ANSWER, "PATCH", r"/webhooks/[^/]+/[^/]+/messages/[^/]+"),
    (Route.DELETE_ANSWER, "DELETE", r"/webhooks/[^/]+/[^/]+/messages/[^/]+"),
    (Route.READ_ANSWER, "GET", r"/webhooks/[^/]+/[^/]+/messages/[^/]+"),
    (Route.SEND, "POST", r"/channels/\d+/messages"),
    (Route.EDIT, "PATCH", r"/channels/\d+/messages/\d+"),
    (Route.DELETE, "DELETE", r"/channels/\d+/messages/\d+"),
    (Route.HISTORY, "GET", r"/channels/\d+/messages(/\d+)?"),
    (Route.THREAD, "POST", r"/channels/\d+/messages/\d+/threads"),
    (Route.PRIVATE_THREAD, "POST", r"/channels/\d+/threads"),
    (Route.ADD_MEMBER, "PUT", r"/channels/\d+/thread-members/\d+"),
    (Route.OPEN_DIRECT, "POST", r"/users/@me/channels"),
    (Route.REGISTER, "PUT", r"/applications/\d+(/guilds/\d+)?/commands"),
    (Route.LOG_IN, "GET", r"/(users|oauth2/applications)/@me"),
)


def route_of(method: str, path: str, body: Any) -> Route:
    """Return what a call asks for. Only the server can tell direct messages from other messages."""
    if method == "POST" and re.fullmatch(r"/interactions/\d+/[^/]+/callback", path):
        return CALLBACKS.get(int(body.get("type", 0)), Route.OTHER)
    return next((route for route, verb, form in _ROUTES if verb == method and re.fullmatch(form, path)), Route.OTHER)


_KINDS: Final = {
    **{Route[kind.name]: kind for kind in Kind if kind.name in Route.__members__}, Route.PRIVATE_THREAD: Kind.THREAD,
    Route.FOLLOW_UP: Kind.FOLLOWUP, Route.EDIT_ANSWER: Kind.EDIT_REPLY, Route.DELETE_ANSWER: Kind.DELETE_REPLY,
}  # fmt: skip


def kind_of(method: str, path: str, body: Any) -> Kind:
    """Return what a call does, as far as limits are concerned."""
    return _KINDS.get(route_of(method, path, body), Kind.OTHER)


@dataclass(frozen=True)
class Call:
    """A call by the bot. `process` is the process that made it, or None if the request does not name one."""

    route: Route
    method: str
    path: str
    body: Any
    at: float
    process: int | None = None


@dataclass
class Rule:
    """Makes calls to `route` for which `where` holds go wrong: the first `times` or, if None, all. `met` counts them."""

    route: Route
    fault: Fault
    times: int | None = None
    where: Callable[[Call], bool] = lambda _: True
    met: int = 0

    def meets(self, call: Call) -> bool:
        """Whether this call goes wrong. If it does, it is counted."""
        if call.route is not self.route or self.met == self.times or not self.where(call):
            return False
        self.met += 1
        return True


_GONE: Final[Mapping[Route, tuple[int, str]]] = {
    **dict.fromkeys(CALLBACKS.values(), (10062, "Unknown interaction")),
    **dict.fromkeys((Route.FOLLOW_UP, Route.EDIT_ANSWER, Route.DELETE_ANSWER, Route.READ_ANSWER), (10015, "Unknown Webhook")),
    **dict.fromkeys((Route.EDIT, Route.DELETE, Route.THREAD), (10008, "Unknown Message")),
    **dict.fromkeys((Route.ADD_MEMBER, Route.OPEN_DIRECT), (10013, "Unknown User")),
    Route.REGISTER: (10002, "Unknown Application"),
}
_REFUSED: Final[Mapping[Fault, tuple[int, int, str, float | None]]] = {
    Fault.SHORT_LIMIT: (429, 0, "You are being rate limited.", 0.2),
    Fault.LONG_LIMIT: (429, 0, "You are being rate limited.", 90.0),
    Fault.ERROR: (500, 0, "500: Internal Server Error", None),
    Fault.UNAVAILABLE: (503, 0, "upstream connect error", None),
    Fault.FORBIDDEN: (403, 50013, "Missing Permissions", None),
    Fault.BAD_REQUEST: (400, 50035, "Invalid Form Body", None),
}


def refusal(fault: Fault, route: Route) -> Refusal | None:
    """Return what Discord answers to a call with this fault, or None if the fault is in the connection."""
    if fault is Fault.NOT_FOUND:
        return Refusal(404, *_GONE.get(route, (10003, "Unknown Channel")))
    if fault is Fault.FORBIDDEN and route in (Route.SEND_DIRECT, Route.OPEN_DIRECT):
        return Refusal(403, 50007, "Cannot send messages to this user")
    if fault not in _REFUSED:
        return None
    status, code, words, retry_after = _REFUSED[fault]
    return Refusal(status, code, words, retry_after=retry_after)
