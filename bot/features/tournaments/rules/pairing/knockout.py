"""Knockout: a seeded bracket, in which whoever loses a match is out.

A match has a number of games, with the seats swapped each time. If it is level, one more game follows, with seats by lot, and
then the lots decide. The bracket follows from the players and the games, and is not stored.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from fractions import Fraction

from bot.features.tournaments.rules.rounds import Ending, Round, RoundGame
from engines.chance import draw_lots


@dataclass(frozen=True, slots=True)
class Rules:
    """The length of a match: how many games begin together, and how many `extra` ones follow one by one while it is level."""

    games: int = 2
    extra: int = 1


@dataclass(frozen=True, slots=True)
class Match:
    """A match of the bracket.

    Attributes:
        number: its round, and its place in the round counted from the top, both from 1.
        players: the upper and the lower player. None stands for the opponent in a bye, or for a player who is not known yet.
        winner: the player who goes on, or None while the match is open.
    """

    number: tuple[int, int]
    players: tuple[int | None, int | None]
    games: tuple[RoundGame, ...] = ()
    winner: int | None = None

    def lots(self, key: bytes, purpose: str) -> tuple[int, ...]:
        """Return the places (0 is the upper) in an order drawn by lot, which stays the same if a newcomer replaces a player."""
        return draw_lots(key, ":".join((purpose, *map(str, self.number))), (0, 1))

    @property
    def loser(self) -> int | None:
        """The player who is out, or None while the match is open or if it is a bye."""
        if self.winner is None:
            return None
        upper, lower = self.players
        return lower if self.winner == upper else upper


def seed_places(players: Sequence[int]) -> tuple[int | None, ...]:
    """Return the first round from top to bottom, so that the best meet as late as possible. They also get any byes (None)."""
    seeds = [0]
    while len(seeds) < len(players):
        seeds = [each for seed in seeds for each in (seed, 2 * len(seeds) - 1 - seed)]
    return tuple(players[seed] if seed < len(players) else None for seed in seeds)


def bracket(
    players: Sequence[int], rounds: Sequence[Round], key: bytes, rules: Rules = Rules()
) -> tuple[tuple[Match, ...], ...]:
    """Return the matches of every round up to the final, as far as they are known. The players are given by seeding."""
    places = seed_places(players)
    stages: list[tuple[Match, ...]] = []
    while len(places) > 1:
        games = rounds[len(stages)].games if len(stages) < len(rounds) else ()
        pairs = enumerate(zip(places[::2], places[1::2], strict=True), 1)
        empty = [Match((len(stages) + 1, place), pair) for place, pair in pairs]
        matches = tuple(_decide(match, games, key, rules) for match in empty)
        stages.append(matches)
        places = tuple(match.winner for match in matches)
    return tuple(stages)


def _decide(match: Match, games: Sequence[RoundGame], key: bytes, rules: Rules) -> Match:
    """Return the match with its games and its winner, as far as they are known."""
    upper, lower = match.players
    if upper is None or lower is None:
        is_bye = match.number[0] == 1
        return replace(match, winner=(lower if upper is None else upper) if is_bye else None)
    own = tuple(game for game in games if set(game.seats) == {upper, lower})
    return replace(match, games=own, winner=_winner(replace(match, games=own), upper, lower, key, rules))


def _winner(match: Match, upper: int, lower: int, key: bytes, rules: Rules) -> int | None:
    for game in match.games:
        if game.ending is Ending.FORFEITED:
            return upper if game.score(upper, lower) else lower
    if len(match.games) < rules.games or not all(game.is_over for game in match.games):
        return None
    lead = sum((game.points(upper) - game.points(lower) for game in match.games), Fraction(0))
    if lead:
        return upper if lead > 0 else lower
    return (upper, lower)[match.lots(key, "match")[0]] if len(match.games) >= rules.games + rules.extra else None


def games_due(match: Match, key: bytes, rules: Rules = Rules()) -> tuple[RoundGame, ...]:
    """Return those of a match's games that have to begin now: the first games, or one more if the match is level."""
    upper, lower = match.players
    if upper is None or lower is None or match.winner is not None or not all(game.is_over for game in match.games):
        return ()
    orders = ((upper, lower), (lower, upper))
    if not match.games:
        return tuple(RoundGame(orders[number % 2]) for number in range(rules.games))
    first = match.lots(key, "seats")[0]
    return (RoundGame(orders[(first + len(match.games)) % 2]),)


def pair_knockout(players: Sequence[int], rounds: Sequence[Round], key: bytes, rules: Rules = Rules()) -> Round:
    """Return the next round, with the first games of each match, and the byes. All previous rounds must be decided."""
    matches = bracket(players, rounds, key, rules)[len(rounds)]
    return Round(
        tuple(game for match in matches for game in games_due(match, key, rules)),
        tuple(match.winner for match in matches if match.winner is not None and not match.games),
    )
