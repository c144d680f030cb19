"""The players in texts: their marks, which look like the pieces on the boards, their names, and whose turn it is."""

from collections.abc import Mapping, Sequence
from typing import Final, overload

from typing_extensions import override

from bot.core.table.errors import Refused
from bot.core.table.position import Position
from bot.core.table.snapshot import FORMER_PLAYER, Snapshot
from bot.messages.builder import escape, escape_name, plain_name
from engines import GAMES
from engines.steps import colours_of
from engines.text import Text, echoed, join, plain, say, say_n, seat_name
from storage.schema.records import Departure, Level

MEDALS: Final = ("🥇", "🥈", "🥉")
"""The signs for the first three places."""

LEVEL_WORDS: Final[Mapping[Level, Text]] = {
    Level.EASY: say("easy"),
    Level.MEDIUM: say("medium"),
    Level.HARD: say("hard"),
    Level.EXPERT: say("expert"),
}
"""The levels as words within a sentence."""

CIRCLES: Final = ("🔴", "🔵", "🟢", "🟡", "🟣", "🟠")
"""Standard emoji in the colours of the seats, used until the bot's own emojis are known, and in words pasted elsewhere."""
SQUARES: Final = ("🟥", "🟦", "🟩", "🟨", "🟪", "🟧")
"""The same colours for a row of emoji that shows who was ahead at each point of a game."""
COMPUTER_MARK: Final = "🤖"
"""The standard emoji for a computer."""


class SeatMarks(Sequence[str]):
    """The marks of seats and computers in this process: the bot's own emojis, or standard emoji until these are known."""

    def __init__(self) -> None:
        self._marks: tuple[str, ...] = CIRCLES
        self.computer = COMPUTER_MARK

    def show_as(self, marks: Sequence[str], computer: str = "") -> None:
        """Use these marks from now on, or standard emoji in place of empty ones."""
        self._marks = tuple(marks) or CIRCLES
        self.computer = computer or COMPUTER_MARK

    @overload
    def __getitem__(self, index: int) -> str: ...
    @overload
    def __getitem__(self, index: slice) -> tuple[str, ...]: ...
    @override
    def __getitem__(self, index: int | slice) -> str | tuple[str, ...]:
        return self._marks[index]

    @override
    def __len__(self) -> int:
        return len(self._marks)


MARKS: Final = SeatMarks()
"""The marks in use, for Markdown texts. In labels and names, an emoji of the bot's own would show as its code."""


def ordinal(number: int) -> Text:
    """Put a number into words as a place: "2nd"."""
    last = 0 if 10 < number % 100 < 14 else number % 10
    match last:
        case 1:
            return say("{n}st", n=number)
        case 2:
            return say("{n}nd", n=number)
        case 3:
            return say("{n}rd", n=number)
        case _:
            return say("{n}th", n=number)


def names(played: Position | Snapshot) -> tuple[str, ...]:
    """Return the players' names, escaped for Markdown."""
    return tuple(escape(name) for name in played.names)


def plain_names(snapshot: Snapshot) -> tuple[str, ...]:
    """Return the players' names for a lock screen."""
    return tuple(plain_name(name) for name in snapshot.names)


def marks(played: Position | Snapshot) -> tuple[str, ...]:
    """Return the players' marks: one for each colour that a player plays, and one more for a computer."""
    seats, computers = len(played.names), played.computers
    return tuple(
        "".join(MARKS[colour] for colour in colours_of(seat, seats, played.colours))
        + (MARKS.computer if seat in computers else "")
        for seat in range(seats)
    )


def names_with_levels(snapshot: Snapshot, names: Sequence[str]) -> tuple[str, ...]:
    """Return the players' names, with the levels of computers unless luck alone decides the game: "Pogo (computer, hard)"."""
    luck = GAMES[snapshot.table.game].luck_alone
    called: list[str] = []
    for player, name in zip(snapshot.players, names, strict=True):
        if player.computer is None:
            called.append(name)
        elif luck:
            called.append(say("{name} (computer)", name=plain(name)))
        else:
            called.append(say("{name} (computer, {level})", name=plain(name), level=LEVEL_WORDS[player.computer]))
    return tuple(called)


def thinking_text(snapshot: Snapshot) -> Text:
    """Return the note under a board that computers are thinking, by seat. Once they have played, the note goes."""
    seats = snapshot.playing.to_act
    return say_n("{who} is thinking …", "{who} are thinking …", len(seats), who=_listed(seats))


def turn_text(snapshot: Snapshot) -> Text:
    """Return the note that says whose turn it is, by seat. It is for private messages, which are not updated."""
    seats = snapshot.playing.to_act
    return say_n("It’s {who}’s turn.", "It’s their turn: {who}.", len(seats), who=_listed(seats))


def _listed(seats: Sequence[int]) -> Text:
    return join([seat_name(seat) for seat in seats], ", ")


def former_name(departure: Departure) -> str:
    """Return the name of a player who has left the game, escaped for Markdown."""
    return FORMER_PLAYER if departure.user_id < 0 else escape_name(departure.name)


LEVEL_LABELS: Final[Mapping[Level, Text]] = {
    Level.EASY: say("Easy"),
    Level.MEDIUM: say("Medium"),
    Level.HARD: say("Hard"),
    Level.EXPERT: say("Expert"),
}
"""The levels as labels of buttons."""


def read_level(named: str) -> Level:
    """Return the level called `named`. Raises Refused if there is none."""
    try:
        return Level(named)
    except ValueError:
        raise Refused(say("There’s no level “{level}”. Pick from: {levels}.", level=echoed(named),
                          levels=", ".join(Level))) from None  # fmt: skip
