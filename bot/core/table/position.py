"""A position: what can be shown, or played from, whether at a table or not."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, ClassVar

from bot.core.table.history import History, public_view
from engines.game import Action, Game, View
from engines.text import SEAT_COLOURS


@dataclass(frozen=True, slots=True)
class Ended:
    """The result of a game: who won, whether it is a draw, and each rating before and after if the game was rated."""

    winners: tuple[int, ...]
    drawn: bool
    ratings: tuple[tuple[int, int] | None, ...]


@dataclass(frozen=True, kw_only=True)
class Position:
    """A position that can be shown, or played from. There need not be a table behind it.

    Attributes:
        names: the players' names by seat (see `Snapshot.names`).
        file: how the names of the position's picture files begin.
        computers: the seats of computers.
        moved: the seat that has just acted and its action, or None if the newest entry is not an action.
        table: the number of the table behind it, or None.
        kind: the label of its pictures in the metrics.
        hand_first: whether a text puts what only its reader knows before the description of the board.
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
        """Return the position that a game has reached."""
        file, who = f"{history.game.id}-{table or 0}-{history.version}", tuple(names[: history.seats])
        return cls(
            game=history.game, state=history.state, names=who, file=file, moved=history.moved, table=table, **more
        )  # fmt: skip

    def view(self, seat: int | None) -> View:
        """Return what a seat knows of the position, or a spectator if None. In a game without secrets, all share one view."""
        whose = seat if self.game.secret else None
        if whose not in self._views:
            self._views[whose] = public_view(self.game, self.state) if whose is None else self.game.view(self.state, whose)
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
        """Return the newest action if this seat has played it and nothing has happened since, or an empty one."""
        return self.moved[1] if self.moved is not None and self.moved[0] == seat else ()

    def file_name(self, what: str = "") -> str:
        """Return the name of the file with a picture of the position, or of something else about it (`what`)."""
        return f"{self.file}{what}.png"


@dataclass(frozen=True)
class LinePosition:
    """The position at the end of `history`, which is a line that is not played at any table."""

    history: History

    @property
    def seat(self) -> int | None:
        """The seat that acts next, or None at the end of the game."""
        return next(iter(self.history.to_act), None)

    @cached_property
    def position(self) -> Position:
        """The position itself, in which players are named by their colours."""
        return Position.of(self.history, SEAT_COLOURS)
