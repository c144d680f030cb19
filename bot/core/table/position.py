"""A position: what can be shown or played from, whether or not it stands at a table."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, ClassVar

from bot.core.table.history import History
from engines.game import Action, Game, View


@dataclass(frozen=True, slots=True)
class Ended:
    """The result of a game that is over.

    Attributes:
        winners: the seats that won.
        drawn: whether several people share the win that nobody has.
        changes: the rating of each player before and after the game, or None; empty if the game was not rated.
    """

    winners: tuple[int, ...]
    drawn: bool
    changes: tuple[tuple[int, int] | None, ...]


@dataclass(frozen=True, kw_only=True)
class Position:
    """What can be shown or played from. No table need be behind it.

    Attributes:
        game: the rules.
        state: the state of the game.
        names: the players' names by seat; see `Snapshot.names`.
        file: the name of the files with its pictures, without their endings.
        computers: the seats of computers.
        moved: the seat that has just acted, and its action; None if something else happened last, or nothing.
        ended: the result; None while the game goes on, and if it has none.
        table: the number of the table behind it; None if there is none.
    """

    game: Game[Any, Any]
    state: Any
    names: tuple[str, ...]
    file: str
    computers: tuple[int, ...] = ()
    moved: tuple[int, Action] | None = None
    ended: Ended | None = None
    table: int | None = None

    kind: ClassVar[str] = "board"
    """What its pictures count as in the metrics."""

    @classmethod
    def of(
        cls,
        history: History,
        names: Sequence[str],
        *,
        computers: tuple[int, ...] = (),
        ended: Ended | None = None,
        table: int | None = None,
    ) -> "Position":
        """The position that a game has reached."""
        return cls(
            game=history.game, state=history.state, names=tuple(names[: history.seats]), computers=computers, ended=ended,
            file=f"{history.game.id}-{table or 0}-{history.version}", moved=history.moved, table=table,
        )  # fmt: skip

    @cached_property
    def public(self) -> View:
        """What a spectator knows of it."""
        view: View = self.game.view(self.state, None)
        return view

    def view(self, seat: int | None) -> View:
        """What a seat, or a spectator (None), knows of it."""
        return self.public if seat is None else self.game.view(self.state, seat)

    @property
    def variant(self) -> str:
        """The id of the variant."""
        return self.public.variant

    @property
    def colours(self) -> int:
        """How many colours each player plays."""
        return self.public.colours

    def last_action_of(self, seat: int) -> Action:
        """The newest action, if this seat has played it and nothing has happened since; else empty."""
        return self.moved[1] if self.moved is not None and self.moved[0] == seat else ()
