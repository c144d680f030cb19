"""A position: what can be shown or played from, at a table or not."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, ClassVar

from bot.core.table.history import History
from engines.game import Action, Game, View
from engines.text import SEAT_COLOURS


@dataclass(frozen=True, slots=True)
class Ended:
    """The result of a game: who won, whether it is a draw, and each rating before and after, if it was rated."""

    winners: tuple[int, ...]
    drawn: bool
    ratings: tuple[tuple[int, int] | None, ...]


@dataclass(frozen=True, kw_only=True)
class Position:
    """What can be shown or played from. No table need be behind it.

    Attributes:
        names: the players' names by seat; see `Snapshot.names`.
        file: how the names of its picture files begin.
        computers: the seats of computers.
        moved: the seat that has just acted and its action, or None if something else happened last, or nothing.
        table: the number of the table behind it, or None.
        kind: what its pictures count as in the metrics.
        hand_first: whether what only its reader knows comes before the board where both are told in words.
    """

    game: Game[Any, Any]
    state: Any
    names: tuple[str, ...]
    file: str
    computers: tuple[int, ...] = ()
    moved: tuple[int, Action] | None = None
    ended: Ended | None = None
    table: int | None = None
    _views: dict[int | None, View] = field(default_factory=dict, init=False, repr=False, compare=False)

    kind: ClassVar[str] = "board"
    hand_first: ClassVar[bool] = False

    @classmethod
    def of(cls, history: History, names: Sequence[str], table: int | None = None, **more: Any) -> "Position":
        """The position that a game has reached."""
        file, who = f"{history.game.id}-{table or 0}-{history.version}", tuple(names[: history.seats])
        return cls(
            game=history.game, state=history.state, names=who, file=file, moved=history.moved, table=table, **more
        )  # fmt: skip

    def view(self, seat: int | None) -> View:
        """What a seat, or a spectator (None), knows of it. Without secrets that is one view for all."""
        whose = seat if self.game.secret else None
        if whose not in self._views:
            self._views[whose] = self.game.view(self.state, whose)
        return self._views[whose]

    @property
    def variant(self) -> str:
        """The id of the variant."""
        return self.view(None).variant

    @property
    def colours(self) -> int:
        """How many colours each player plays."""
        return self.view(None).colours

    def last_action_of(self, seat: int) -> Action:
        """The newest action, if this seat has played it and nothing has happened since; else empty."""
        return self.moved[1] if self.moved is not None and self.moved[0] == seat else ()

    def file_name(self, what: str = "") -> str:
        """The name of the file with a picture of it, or of something else about it."""
        return f"{self.file}{what}.png"


@dataclass(frozen=True)
class LinePosition:
    """The position at the end of `history`, a line that is played at no table."""

    history: History

    @property
    def seat(self) -> int | None:
        """The seat that acts next, or None at the end of the game."""
        return next(iter(self.history.to_act), None)

    @cached_property
    def position(self) -> Position:
        """The position itself. Players are called by their colours."""
        return Position.of(self.history, SEAT_COLOURS)
