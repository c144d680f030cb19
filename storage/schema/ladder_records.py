"""The rows of ladders as values. See `records`."""

from dataclasses import dataclass


@dataclass(frozen=True, kw_only=True)
class Ladder:
    """The ladder of a game on a server. The key is (guild_id, game).

    Attributes:
        season: the season that it is in, as the number of quarters of a year since the year 0.
        looked_at: until when the falls of idle players are in its order.
    """

    guild_id: int
    game: str
    season: int
    looked_at: float


@dataclass(frozen=True, kw_only=True)
class LadderPlace:
    """A person's place on a ladder. The key is (guild_id, game, user_id).

    Attributes:
        name: their name when they last did something there.
        place: the order of the places, the lowest number first. One that is left out is that of a person who was forgotten.
        played_at: when their last game on it ended, or else when they joined.
        won, lost: how many of its games they have won and lost in this season.
    """

    guild_id: int
    game: str
    user_id: int
    name: str
    place: int
    played_at: float
    won: int = 0
    lost: int = 0


@dataclass(frozen=True, kw_only=True)
class LadderBadge:
    """That a person was among the first three of a ladder when a season ended. The key is (guild_id, game, season, place)."""

    guild_id: int
    game: str
    season: int
    place: int
    user_id: int
    name: str
