"""Best moves of Bounce Bunny Bounce judged again by the slow reading of the rules, which shares no code with the miner.

The best move and another one are played on to the end of the game, in the same layouts of the unknown cards. Both sides play
plainly: to a Carrot where the way is known, against the other's way, around known loops, and otherwise anywhere.
"""

from collections.abc import Sequence
from math import sqrt
from random import Random
from statistics import fmean, stdev

from engines.game import legal_actions
from opponents.puzzles.puzzle import Goal, Proof, Puzzle
from tests.engines.bunny.slow import STEP, Place, Table, at, name

GAMES = 1_000
"""The layouts in which two moves are compared."""
SURE = 1.96
"""The standard errors on each side of a mean that leave the true value out in one of twenty."""
Action = tuple[str, ...]


class Race:
    """A game that is played to its end, and what each seat knows of the field."""

    def __init__(self, table: Table, unknown: frozenset[Place], rng: Random) -> None:
        self.table, self.rng = table, rng
        self.dark = [set(unknown), set(unknown)]

    def copy(self, rng: Random) -> "Race":
        table = Table.__new__(Table)
        table.__dict__.update(self.table.__dict__)
        table.cards, table.up = dict(table.cards), set(table.up)
        table.bunnies, table.shocks, table.carrots = list(table.bunnies), list(table.shocks), list(table.carrots)
        return Race(table, frozenset(self.dark[0]), rng)

    def result(self, seat: int) -> float:
        """Play to the end. Returns the seat's share."""
        while not self.table.over():
            self.play(self.choose())
        mine, theirs = self.table.carrots[seat], self.table.carrots[1 - seat]
        return (1 + (mine > theirs) - (mine < theirs)) / 2

    def play(self, action: Action) -> None:
        """Play an action, and note who has seen what."""
        table, word, seat = self.table, action[0], self.table.chooser
        if word == "spy":
            self.dark[seat].discard(at(action[1]))
        elif word == "swap":
            both = {at(action[1]), at(action[2])}
            for known in self.dark:
                if len(known & both) == 1:
                    known ^= both
        elif word != "pass":
            seen, _ = self.way(self.first(1 - seat if word == "shock" else seat, action[-1]))
            for known in self.dark:
                known.difference_update(seen)
        table.play(action)

    # --- ways ------------------------------------------------------------------------------------------------------------

    def first(self, seat: int, token: str) -> Place:
        """The place that a Bunny comes to first, by a direction or on a column."""
        where = self.table.bunnies[seat]
        return ("abcdefg".index(token), 0) if where is None else self.table.ahead(where, token)

    def tokens(self, seat: int) -> list[str]:
        where, other = self.table.bunnies[seat], self.table.bunnies[1 - seat]
        if where is None:
            return [name((column, 0))[0] for column in range(7) if (column, 0) in self.table.cards and (column, 0) != other]
        return [direction for direction in STEP if self.table.ahead(where, direction)]

    def way(self, here: Place | None) -> tuple[list[Place], Place | None]:
        """The places shown by a Bunny that comes to one, and where it stops, if anywhere."""
        seen: list[Place] = []
        while here is not None and here not in seen:
            seen.append(here)
            card = self.table.cards[here]
            if card not in STEP:
                return seen, here
            here = self.table.ahead(here, card)
        return seen, None

    def known_end(self, seat: int, mover: int, token: str) -> str:
        """The card that a way ends on as far as a seat knows: "unknown", or "none" if it goes in a circle."""
        seen, end = self.way(self.first(mover, token))
        if self.dark[seat].intersection(seen):
            return "unknown"
        return "none" if end is None else str(self.table.cards[end])

    # --- choosing --------------------------------------------------------------------------------------------------------

    def choose(self) -> Action:
        table, seat = self.table, self.table.chooser
        if table.phase == "move":
            token = self.hop(seat)
            return ("enter", token) if table.bunnies[seat] is None else (token,)
        if table.phase == "shock":
            return self.shock(seat)
        around = [self.first(seat, token) for token in self.tokens(seat)]
        if table.phase == "spy":
            hidden = sorted(self.dark[seat] - table.up) or sorted(set(table.cards) - table.up)
            return ("spy", name(self.rng.choice([place for place in around if place in hidden] or hidden)))
        free = [place for place in sorted(table.cards) if place not in table.bunnies]
        carrots = [place for place in free if table.cards[place] == "carrot"]
        near = [place for place in around if place in free and place not in carrots]
        one, two = (self.rng.choice(carrots), self.rng.choice(near)) if carrots and near else self.rng.sample(free, 2)
        return ("swap", name(one), name(two))

    def hop(self, seat: int) -> str:
        ends = {token: self.known_end(seat, seat, token) for token in self.tokens(seat)}
        for wanted in ({"carrot"}, {*ends.values()} - {"none"}, {"none"}):
            if tokens := [token for token, end in ends.items() if end in wanted]:
                return self.rng.choice(tokens)
        raise AssertionError("there is no way to go")

    def shock(self, seat: int) -> Action:
        other = 1 - seat
        threat = any(self.known_end(other, other, token) == "carrot" for token in self.tokens(other))
        away = [token for token in self.tokens(other) if self.known_end(seat, other, token) != "carrot"]
        return ("shock", self.rng.choice(away)) if threat and away else ("pass",)


def differences(puzzle: Puzzle, other: Action, games: int = GAMES) -> list[float]:
    """By how much the best move does better than another one, layout by layout."""
    position = puzzle.line.start.game.position(puzzle.line.start.state)
    table, rng = Table(position), Random(f"{puzzle.text} {other}")
    unknown = sorted(place for place in table.cards if place not in table.up and place not in table.bunnies)
    start, found = Race(table, frozenset(unknown), rng), []
    for _ in range(games):
        laid, luck = start.copy(rng), rng.random()
        cards = [table.cards[place] for place in unknown]
        rng.shuffle(cards)
        laid.table.cards.update(zip(unknown, cards, strict=True))
        shares = []
        for action in (puzzle.own[0], other):
            race = laid.copy(Random(luck))
            race.play(action)
            shares.append(race.result(puzzle.seat))
        found.append(shares[0] - shares[1])
    return found


def nearest(puzzle: Puzzle) -> Action:
    return min(puzzle.losses, key=lambda loss: loss[1])[0]


def lower_bound(found: Sequence[float]) -> float:
    """The least that the mean of differences is likely to be, with 95 % confidence on both sides."""
    return fmean(found) - SURE * stdev(found) / sqrt(len(found))


def prove(puzzle: Puzzle, games: int = GAMES) -> None:
    """Fail unless the moves are legal, and the best one is surely better than each other one."""
    assert (puzzle.goal, puzzle.proof) == (Goal.BEST, Proof.SAMPLED)
    start = puzzle.line.start
    legal = set(legal_actions(start.game, start.state, puzzle.seat))
    wrong = {action for action, _ in puzzle.losses}
    (best,) = puzzle.own
    assert len(legal) >= 3
    assert best in legal - wrong
    assert wrong < legal
    for action in sorted(wrong):
        assert lower_bound(differences(puzzle, action, games)) > 0, f"{action} may be as good"
