"""Panels: private messages in which a person does something at a table step by step. A newer panel outdates older ones.

Whether a message is a panel can be told by its buttons. After a restart, the first panel that is clicked on counts as the
newest.
"""

from typing import Final

from bot.messages.builder import MessageBuilder
from bot.messages.click import Click

_VERBS: Final = {
    "move": ("pick", "choose", "page", "back", "act", "close", "hint", "rest", "spend"),
    "plan": ("plan-go", "plan-page", "plan-if", "plan-stop", "plan-then", "plan-so", "plan-keep", "plan-drop", "plan-clear"),
    "orders": ("order", "order-choose", "order-page", "order-back", "order-keep", "order-drop"),
    "house": ("house-set", "house-parts", "house-seats", "house-edit", "house-code", "house-done"),
    "analysis": (
        "analysis-pick", "analysis-play", "analysis-branches", "analysis-choose", "analysis-advice", "analysis-share",
        "analysis-draw", "post-analysis", "analysis",
    ),
    "puzzle": ("puzzle-at", "puzzle-pick", "puzzle-play", "puzzle-give-up", "puzzle-analyse", "puzzle-report", "daily-post"),
    "slip": ("slip-at", "slip-pick", "slip-play", "slip-show"),
    "ladder": ("ladder-join", "ladder-leave", "ladder-challenge"),
    "event": ("event-leave-yes", "event-manage", "event-do", "event-player", "event-remove", "event-result"),
    "seek": ("seek-set", "seek-avoid", "seek-wait", "seek-stop"),
    "computers": ("add-computer", "remove-computer"),
}  # fmt: skip
KINDS: Final = {verb: kind for kind, verbs in _VERBS.items() for verb in verbs}
"""The kind of a panel, by the verbs that its buttons may have. A person may have one panel of each kind at a table."""

MOST: Final = 4096
"""The most panels that are remembered."""


class Panels:
    """The newest panel of each kind that each person has at each table."""

    def __init__(self) -> None:
        self._newest: dict[tuple[int, int, str], tuple[int, int]] = {}

    def note(self, user_id: int, message_id: int, interaction_id: int, builder: MessageBuilder) -> None:
        """Remember the panel, if it is one, that a private message shows as of this interaction."""
        for click in map(Click.read, builder.custom_ids()):
            if click is not None and (kind := KINDS.get(click.verb)) is not None:
                key = (user_id, click.table, kind)
                self._newest.pop(key, None)
                self._newest[key] = message_id, interaction_id
                while len(self._newest) > MOST:
                    del self._newest[next(iter(self._newest))]
                return

    def is_outdated(self, user_id: int, message_id: int, click: Click) -> bool:
        """Whether a click is on an older panel than the newest known. A younger one is up to date; only its answer was lost."""
        newest, shown = self._newest.get((user_id, click.table, KINDS.get(click.verb, "")), (message_id, 0))
        return newest != message_id and message_id < shown
