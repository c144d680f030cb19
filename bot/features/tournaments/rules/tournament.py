"""A tournament: its players, its rounds, and the changes to it, each of which returns a new tournament."""

from collections.abc import Collection, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction

from bot.features.tournaments.rules.formats import Field, Format
from bot.features.tournaments.rules.rounds import Round, RoundGame
from bot.features.tournaments.rules.scores import Scores


@dataclass(frozen=True, slots=True)
class Entry:
    """A player of a tournament, and how many rounds had begun when they entered."""

    player: int
    missed: int = 0
    has_left: bool = False


@dataclass(frozen=True, slots=True)
class Tournament:
    """A tournament: its players by seeding, with latecomers last, the key of its lots, and the rounds that have begun."""

    format: Format
    entries: tuple[Entry, ...]
    key: bytes
    rounds: tuple[Round, ...] = ()

    @property
    def players(self) -> tuple[int, ...]:
        """All players, in the order of the entries."""
        return tuple(entry.player for entry in self.entries)

    @property
    def active(self) -> tuple[int, ...]:
        """The players who have not left."""
        return tuple(entry.player for entry in self.entries if not entry.has_left)

    @property
    def length(self) -> int:
        """The number of rounds, which follows from the players at the start. Late entries do not prolong the tournament."""
        if self.format.system.at_once and self.rounds:
            return len(self.rounds)
        return self.format.system.rounds(sum(not entry.missed for entry in self.entries))

    @property
    def part_over(self) -> Fraction:
        """The fraction of the tournament that is over, by its rounds, or by its games if they all begin at once."""
        games = [game for each in self.rounds for game in each.games]
        if self.format.system.at_once and games:
            return Fraction(sum(game.is_over for game in games), len(games))
        return Fraction(len(self.rounds), self.length)

    @property
    def annulled_players(self) -> tuple[int, ...]:
        """The players whose games count for nobody, because they left before playing the fraction that `Format` requires."""
        annulled = []
        for left in (entry.player for entry in self.entries if entry.has_left):
            games = [game for each in self.rounds for game in each.games if left in game.seats]
            if sum(game.is_over and game.is_meeting for game in games) < self.format.stays_from * len(games):
                annulled.append(left)
        return tuple(annulled)

    @property
    def scores(self) -> Scores:
        """The points, and everything that tie-breaks need."""
        late_points = self.format.late_points or Fraction(0)
        given = {entry.player: late_points * entry.missed for entry in self.entries}
        scores = Scores.of(self.rounds, given, self.key, self.annulled_players)
        own = self.format.system.points(self.players, self.rounds, self.key)
        return scores if own is None else replace(scores, points=own)

    @property
    def games_due(self) -> tuple[RoundGame, ...]:
        """The games that must be added to the last round (`add_games_due`) once its other games are over."""
        return self.format.system.games_due(self.players, self.rounds, self.key) if self.rounds else ()

    @property
    def is_round_over(self) -> bool:
        """Whether all games that have begun are over, and this round needs no more games."""
        return all(game.is_over for each in self.rounds for game in each.games) and not self.games_due

    @property
    def is_over(self) -> bool:
        """Whether all rounds are over, or too few players are left for another game."""
        last = len(self.rounds) >= self.length or not self.format.system.can_pair(len(self.active))
        return last and self.is_round_over

    def pair(self, absent: Collection[int] = (), forced: Sequence[Sequence[int]] = ()) -> "Tournament":
        """Return the tournament with its next round, or with all rounds if they begin at once.

        Players who are `absent` get nothing for the round. The `forced` games are paired by hand, in seat order, where a player
        on their own gets a bye. Raises ValueError if the last round is not over, if the tournament is over, or if a forced game
        is impossible.
        """
        system = self.format.system
        if self.is_over or not self.is_round_over:
            raise ValueError("there is no round to be paired")
        present = self.active if system.at_once else tuple(player for player in self.active if player not in absent)
        named = [player for seats in forced for player in seats]
        if len(set(named)) < len(named) or not set(named) <= set(present):
            raise ValueError("each game by hand needs players who are there and have no other game")
        if any(len(seats) != 1 and not system.smallest <= len(seats) <= system.largest for seats in forced):
            raise ValueError("a game by hand has as many players as any other, or one who gets a bye")
        if forced and not system.by_hand:
            raise ValueError("this format has no games by hand")
        points = self.scores.points
        field = Field(self.players, present, points, self.rounds, self.key, tuple(tuple(seats) for seats in forced))
        return _forfeit_games(replace(self, rounds=(*self.rounds, *system.pair(field))))

    def add_games_due(self) -> "Tournament":
        """Return the tournament with the games added that are due (`games_due`)."""
        if not self.games_due:
            return self
        last = self.rounds[-1]
        longer = replace(last, games=(*last.games, *self.games_due))
        return _forfeit_games(replace(self, rounds=(*self.rounds[:-1], longer)))

    def settle(self, number: int, index: int, game: RoundGame) -> "Tournament":
        """Return the tournament with a game in a new state. Its round, and its place in the round, are numbered from 0."""
        each = self.rounds[number]
        if set(each.games[index].seats) != set(game.seats):
            raise ValueError("a result is of the players of the game")
        games = (*each.games[:index], game, *each.games[index + 1 :])
        return replace(self, rounds=(*self.rounds[:number], replace(each, games=games), *self.rounds[number + 1 :]))

    def enter(self, player: int) -> "Tournament":
        """Return the tournament with one more player, who plays from the next round on. Raises ValueError if they cannot."""
        if player in self.players or not self.format.admits(len(self.entries), self.part_over if self.rounds else Fraction(0)):
            raise ValueError("this player cannot enter")
        system = self.format.system
        late = system.late_round(self.active, self.rounds, player) if self.rounds else None
        entry = Entry(player, missed=0 if late else len(self.rounds))
        return replace(self, entries=(*self.entries, entry), rounds=(*self.rounds, late) if late else self.rounds)

    def withdraw(self, player: int) -> "Tournament":
        """Return the tournament without a player, who loses their open two-player games but keeps their other seats."""
        return _forfeit_games(self._mark(player, has_left=True))

    def come_back(self, player: int) -> "Tournament":
        """Return the tournament with a player who had left, and who is paired again from the next round on."""
        return self._mark(player, has_left=False)

    def substitute(self, player: int, newcomer: int) -> "Tournament":
        """Return the tournament with a newcomer who takes over a player's place, games and results."""
        if player not in self.players or newcomer in self.players:
            raise ValueError("a newcomer takes the place of a player of the event")

        def names(players: Sequence[int]) -> tuple[int, ...]:
            return tuple(newcomer if each == player else each for each in players)

        return replace(
            self,
            entries=tuple(Entry(newcomer, each.missed) if each.player == player else each for each in self.entries),
            rounds=tuple(
                Round(tuple(replace(game, seats=names(game.seats)) for game in each.games), names(each.byes), names(each.rests))
                for each in self.rounds
            ),
        )

    def _mark(self, player: int, *, has_left: bool) -> "Tournament":
        if player not in self.players:
            raise ValueError("this player is not in the event")
        entries = (replace(entry, has_left=has_left) if entry.player == player else entry for entry in self.entries)
        return replace(self, entries=tuple(entries))


def start(chosen: Format, players: Sequence[int], key: bytes) -> Tournament:
    """Return a tournament before its first round, with players by seeding. Raises ValueError for too few or too many."""
    if not chosen.fewest <= len(players) <= chosen.most or len(set(players)) < len(players):
        raise ValueError(f"this format is for {chosen.fewest} to {chosen.most} players")
    return Tournament(chosen, tuple(Entry(player) for player in players), key)


def _forfeit_games(event: Tournament) -> Tournament:
    """Return the tournament with open two-player games lost by players who have left. If both have, the lower seed loses."""
    gone = [entry.player for entry in event.entries if entry.has_left]

    def forfeit(game: RoundGame) -> RoundGame:
        leavers = [player for player in gone if player in game.seats]
        return game.forfeit(leavers[-1]) if leavers and not game.is_over and len(game.seats) == 2 else game

    return replace(event, rounds=tuple(replace(each, games=tuple(map(forfeit, each.games))) for each in event.rounds))
