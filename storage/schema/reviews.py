"""The review of a finished game as far as it has come, as it is stored. All of it can be computed again."""

from dataclasses import dataclass

from storage.schema.strict import STRICT


@STRICT
@dataclass(frozen=True)
class Standing:
    """How everybody stood after an entry of the log.

    Attributes:
        number: the number of the entry; 0: at the start.
        chances: how likely each seat was to win, 0 to 1; empty: it could not be found out.
    """

    number: int
    chances: tuple[float, ...] = ()


@STRICT
@dataclass(frozen=True)
class Choice:
    """A player's action, compared with the best one.

    Attributes:
        number: the number of its entry.
        best: how likely its seat was to win with the best action, 0 to 1; None: it could not be found out.
        played: the same with the action that was played, before anything was drawn.
        line: what the best action is, and how the game could have gone on: seats and actions.
    """

    number: int
    best: float | None = None
    played: float | None = None
    line: tuple[tuple[int, tuple[str, ...]], ...] = ()

    @property
    def lost(self) -> float | None:
        """How much of the chance to win it gave away, 0 to 1; None: it could not be found out."""
        return None if self.best is None or self.played is None else max(0.0, self.best - self.played)


@dataclass(frozen=True, kw_only=True)
class Review:
    """The review of a game, as far as it has come. The key is `table_id`.

    Attributes:
        reviewer: the version of what finds it out.
        version: how many entries the game's log had when it was begun.
        asked_at: when it was first asked for, in seconds since the epoch.
        done: whether all of it is there.
        standings: how everybody stood, in the order in which it was looked at.
        choices: what the choices were worth, in that order.
    """

    table_id: int
    reviewer: int
    version: int
    asked_at: float
    done: bool = False
    standings: tuple[Standing, ...] = ()
    choices: tuple[Choice, ...] = ()
