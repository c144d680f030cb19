"""The commands that were removed, and what replaces them, for `/help`, outdated clients, and docs/playing.md.

Half of these commands did what a button beside the board does; a private board (`/board`) has these buttons, too. Others became
part of a command that newcomers try first: `/play`, `/games`, `/rules`, `/puzzle`, `/stats`, `/replay`. So did commands whose
names mean something else in other bots, such as `/verify` and `/draw`.
"""

from collections.abc import Mapping
from types import MappingProxyType
from typing import Final, TypeVar

from engines.text import Text, say

T = TypeVar("T")


def by_full_names(groups: Mapping[str, Mapping[str, T]]) -> Mapping[str, T]:
    """Return the values of all groups by the full names of their commands: a group's name, and then the command's own."""
    return MappingProxyType(
        {f"{group} {name}".strip(): value for group, named in groups.items() for name, value in named.items()}
    )


FORMER: Final[Mapping[str, Text]] = by_full_names({
    "": {
        "hand": say("`/board`, then the button of your cards; it’s under the board in the channel, too."),
        "hint": say("`/board`, then *Hint*; *Move* has it, too."),
        "plan": say("`/board`, then *Plan ahead* or *Orders*; *More* under the board has them, too."),
        "draw": say("`/board`, then *Offer a draw* or *Accept the draw*; *More* under the board has them, too."),
        "undo": say("`/board`, then *Undo*; *More* under the board has it, too."),
        "call-off": say("`/board`, then *Call off*; *More* under the board has it, too."),
        "substitute": say("`/board`, then *Substitute*; *More* under the board has it, too."),
        "resign": say("`/board`, then *Resign*; *More* under the board has it, too."),
        "nudge": say("`/board`, then *Nudge*; *More* under the board has it, too."),
        "rematch": say("*Rematch* under the finished board; `/board` finds that again."),
        "today": say("`/games`, then *What’s on today*."),
        "learn": say("`/rules`, then *Learn*."),
        "daily": say("`/puzzle`, then *Today’s puzzle*."),
        "leaderboard": say("`/stats`, then *Leaderboard*."),
        "review": say("`/replay`, then *Review*; it’s under the finished board, too."),
        "verify": say("`/replay`, then *Verify*; *More* under the board has it, too."),
    },
    "event": {
        "list": say("`/event show`, with no event chosen."),
    },
    "settings": {
        "show": say("`/settings` shows all of them."),
        "reminders": say("`/settings`, then *Reminders*."),
        "quiet-hours": say("`/settings`, then *Quiet hours*."),
        "vacation": say("`/settings`, then *Vacation*."),
        "palette": say("`/settings`, then *Boards and pictures*."),
        "preview": say("`/settings`, then *Boards and pictures*."),
        "turn-board": say("`/settings`, then *Boards and pictures*."),
        "language": say("`/settings`, then *Language*."),
        "export": say("`/settings`, then *Your data*."),
        "forget-me": say("`/settings`, then *Your data*."),
    },
    "server-settings": {
        "show": say("`/server-settings` shows all of them."),
        "channel": say("`/server-settings`, then *Channels for games*."),
        "tables": say("`/server-settings`, then *New tables*."),
        "old-boards": say("`/server-settings`, then *New tables*."),
        "language": say("`/server-settings`, then *Language*."),
        "daily": say("`/server-settings`, then *Daily puzzle*."),
        "today": say("`/server-settings`, then *What’s on*."),
        "match": say("`/server-settings`, then *Matching*."),
        "close-table": say("`/server-settings`, then *Tables*."),
        "remove-seat": say("`/server-settings`, then *Tables*."),
    },
})  # fmt: skip
"""What replaces each removed command, by the command's full name."""


def instead_of(name: str) -> Text | None:
    """Return what a user of a removed command is told, or None if there never was such a command."""
    return None if name not in FORMER else say("There’s no `/{name}` any more. Instead: {way}", name=name, way=FORMER[name])
