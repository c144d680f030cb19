"""Plans of players, as they are stored. A plan is known to its owner alone."""

from dataclasses import dataclass

from storage.schema.strict import STRICT


@STRICT
@dataclass(frozen=True)
class Reply:
    """A conditional move: "If they play …, I play …", and the plan for the position after both.

    Attributes:
        theirs: the action that it answers, as tokens.
        mine: the action that is played then.
        then: the replies to what may be played after that.
    """

    theirs: tuple[str, ...]
    mine: tuple[str, ...]
    then: tuple["Reply", ...] = ()


@dataclass(frozen=True, kw_only=True)
class Plan:
    """A player's plan at a table. The key is (table_id, user_id): it stays theirs when another person takes the seat.

    Attributes:
        seat: the seat that it was planned for.
        revision: how often it has changed, by its owner or by the game.
        replies: conditional moves, for what may be played next: they are about the position of the board as it is now.
        orders: standing orders, as tokens, in their order.
    """

    table_id: int
    user_id: int
    seat: int
    revision: int = 0
    replies: tuple[Reply, ...] = ()
    orders: tuple[tuple[str, ...], ...] = ()

    @property
    def idle(self) -> bool:
        """Whether nothing is planned."""
        return not self.replies and not self.orders
