"""The course of a finished game: the steps that make up a review, which are called looks, their order, and the summary.

The first looks estimate each seat's chances after each entry. The others judge people's choices, except for actions that were
taken back and those without a legal alternative. In a long game, the entries are spread evenly, and only those choices are
looked at around which the chances changed most.
"""

from bisect import bisect_left
from collections import Counter
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, Final

from bot.core.table.history import History, HistoryEntry
from bot.core.table.imagining import memory_of
from engines.game import Action, foresee
from opponents import Memory
from opponents.reviewing import Praise, Slip, accuracy_of, accuracy_of_game, luck_of, only_way, slip_of, tension
from storage.schema.records import Choice, EntryKind, Review

MOST_STANDINGS: Final = 160
"""The most entries after which a review estimates the chances."""

MOST_CHOICES: Final = 80

TURNING_POINTS: Final = 3
"""The most turning points shown for each player."""

SWING_FROM: Final = 0.1
"""The smallest rise in the winners' chances that counts as the moment when the game turned."""


@dataclass(frozen=True, slots=True)
class Moment:
    """A log entry in force, with the number of such entries before it and the state before it."""

    place: int
    before: Any
    logged: HistoryEntry

    @property
    def number(self) -> int:
        """The number of the entry."""
        return self.logged.entry.number

    @property
    def seat(self) -> int:
        """The seat that made the entry."""
        return self.logged.entry.seat

    @property
    def action(self) -> Action:
        """The action that was played."""
        return self.logged.entry.tokens


@dataclass(frozen=True, slots=True)
class Look:
    """A single step of a review, which judges the choice made with an entry or estimates each seat's chances after it."""

    number: int
    choice: bool


@dataclass(frozen=True, slots=True)
class Marked:
    """A choice that stands out, the chance to win that it `lost` (0 to 1), and how it compares with the best action."""

    moment: Moment
    mark: Slip | Praise
    lost: float
    found: Choice


@dataclass(frozen=True, slots=True)
class Swing:
    """The number of actions after which the winners were ahead, and the entry that turned the game, if it is known."""

    place: int
    moment: Moment | None


@dataclass(frozen=True, slots=True)
class Account:
    """A summary of a player's game: their accuracy, slips and luck, as far as their choices were looked at.

    The accuracy is that of `accuracy_of_game`, from 0 to 1. The luck is the total effect of chance on the player's chance to
    win, or None if it is unknown.
    """

    looked_at: int
    accuracy: float | None
    slips: Mapping[Slip, int]
    luck: float | None


class GameCourse:
    """The course of a finished game."""

    def __init__(self, history: History) -> None:
        self.history = history
        standing = history.in_force
        states = (history.first, *(logged.state for logged in standing))
        self.moments = tuple(Moment(place, states[place], logged) for place, logged in enumerate(standing))
        self._memories: dict[int | None, Memory] = {}

    @cached_property
    def numbers(self) -> tuple[int, ...]:
        """The numbers of the entries after which the chances are estimated. 0 stands for the start."""
        known = self._numbers_in_force
        if len(known) <= MOST_STANDINGS:
            return known
        return tuple(known[round(step * (len(known) - 1) / (MOST_STANDINGS - 1))] for step in range(MOST_STANDINGS))

    @property
    def is_thinned(self) -> bool:
        """Whether some of the entries are not looked at."""
        return len(self.numbers) <= len(self.moments)

    @cached_property
    def choices(self) -> tuple[Moment, ...]:
        """The choices that people have made."""
        played = (each for each in self.moments if each.logged.entry.kind is EntryKind.PLAY)
        own = (each for each in played if each.logged.entry.user_id is not None)
        return tuple(each for each in own if not only_way(self.history.game, each.before, each.seat))

    @cached_property
    def _numbers_in_force(self) -> tuple[int, ...]:
        """The numbers of the entries in force, after a 0 for the start."""
        return (0, *(moment.number for moment in self.moments))

    def place(self, number: int) -> int:
        """Return the number of entries in force up to and including this one."""
        return self._numbers_in_force.index(number)

    def moment(self, number: int) -> Moment:
        """Return the entry in force that has this number."""
        return self.moments[self.place(number) - 1]

    def state(self, place: int) -> Any:
        """Return the state after the first `place` entries in force."""
        return self.moments[place - 1].logged.state if place else self.history.first

    def open(self, moment: Moment) -> bool:
        """Whether an action's result was left to luck, because it drew or revealed something."""
        if moment.logged.entry.kind is not EntryKind.PLAY:
            return False
        return foresee(self.history.game, moment.before, moment.seat, moment.action) is None

    def memory(self, seat: int | None, place: int) -> Memory:
        """Return what a seat has seen of the first `place` entries, or what all seats together have seen if `seat` is None."""
        if seat not in self._memories:
            self._memories[seat] = memory_of(self.history, seat)
        return self._memories[seat][:place]

    def closely(self, review: Review) -> tuple[Moment, ...]:
        """Return the choices to judge once the chances are known. Usually these are all choices."""
        if len(self.choices) <= MOST_CHOICES:
            return self.choices
        chances = self._chances(review)
        telling = sorted(self.choices, key=lambda moment: (_around(chances, moment), moment.number))[:MOST_CHOICES]
        return tuple(sorted(telling, key=lambda moment: moment.number))

    def next(self, review: Review) -> Look | None:
        """Return a review's next look, or None if the review is complete."""
        stood = {standing.number for standing in review.standings}
        if (number := next((number for number in self.numbers if number not in stood), None)) is not None:
            return Look(number, choice=False)
        seen = {choice.number for choice in review.choices}
        left = next((moment.number for moment in self.closely(review) if moment.number not in seen), None)
        return None if left is None else Look(left, choice=True)

    @property
    def looks(self) -> int:
        """The total number of looks in a review."""
        return len(self.numbers) + min(len(self.choices), MOST_CHOICES)

    # --- the summary --------------------------------------------------------------------------------------------------

    def chance_after(self, review: Review, moment: Moment) -> float | None:
        """Return the chance to win that the seat of an entry had after the entry, or None if it was not estimated."""
        chances = self._chances(review).get(moment.number)
        return None if chances is None else chances[moment.seat]

    def _chances(self, review: Review) -> dict[int, tuple[float, ...]]:
        return {standing.number: standing.chances for standing in review.standings if standing.chances}

    def curve(self, review: Review) -> tuple[tuple[int, tuple[float, ...]], ...]:
        """Return how the chances to win developed, as pairs of a number of actions and the chances by seat."""
        known = self._chances(review)
        return tuple((place, known[number]) for place, number in enumerate(self._numbers_in_force) if number in known)

    def swing(self, review: Review, winners: Collection[int]) -> Swing | None:
        """Return the winners' greatest gain in chances since they were last behind, or None if it is below `SWING_FROM`."""
        along = self.curve(review)
        others = [seat for seat in range(self.history.seats) if seat not in winners]
        if not winners or not (others or self.history.seats == 1):
            return None
        chance = [sum(chances[seat] for seat in winners) for _, chances in along]
        # What is left of 1 is the chance that nobody wins, which is the opponent of a single player.
        rivals = [max([1 - sum(chances), *(chances[seat] for seat in others)]) for _, chances in along]
        best = [max(chances[seat] for seat in winners) for _, chances in along]
        behind = [index for index, (own, rival) in enumerate(zip(best, rivals, strict=True)) if own < rival]
        rises = {index: chance[index] - chance[index - 1] for index in range(max([1, *(i + 1 for i in behind)]), len(along))}
        if not rises or max(rises.values()) < SWING_FROM:
            return None
        index = max(rises, key=lambda index: (rises[index], -index))
        place = along[index][0]
        return Swing(place, self.moments[place - 1] if along[index - 1][0] == place - 1 else None)

    def marked(self, review: Review) -> tuple[Marked, ...]:
        """Return all choices that stand out, in the order of the game."""
        found = (self._marked(choice) for choice in review.choices)
        return tuple(sorted(filter(None, found), key=lambda point: point.moment.number))

    def turning_points(self, review: Review) -> tuple[Marked, ...]:
        """Return the slips that gave most away, at most `TURNING_POINTS` for each player, in the order of the game."""
        found = [point for point in self.marked(review) if isinstance(point.mark, Slip)]
        chosen: list[Marked] = []
        for seat in range(self.history.seats):
            own = [point for point in found if point.moment.seat == seat]
            chosen += sorted(own, key=lambda point: (-point.lost, point.moment.number))[:TURNING_POINTS]
        return tuple(sorted(chosen, key=lambda point: point.moment.number))

    def _marked(self, choice: Choice) -> Marked | None:
        if choice.lost is None:
            return None
        mark = slip_of(choice.lost) or next((kind for kind in Praise if kind == choice.praise), None)
        return None if mark is None else Marked(self.moment(choice.number), mark, choice.lost, choice)

    def account(self, review: Review, seat: int) -> Account:
        """Return a summary of how a seat's player did."""
        own = [choice for choice in review.choices if self.moment(choice.number).seat == seat]
        lost = [choice.lost for choice in own if choice.lost is not None]
        slips = Counter(slip for loss in lost if (slip := slip_of(loss)) is not None)
        along = sorted(self._chances(review).items())
        numbers, chances = [number for number, _ in along], [known[seat] for _, known in along]
        weighed = [
            (accuracy_of(choice.lost), _tension(numbers, chances, choice.number)) for choice in own if choice.lost is not None
        ]
        luck = self._luck(review)
        return Account(len(lost), accuracy_of_game(weighed), slips, None if luck is None else luck[seat])

    def _luck(self, review: Review) -> tuple[float, ...] | None:
        """Return each seat's luck in people's actions with an open result, or None if not all of these were looked at."""
        if not self.history.game.chance or self.is_thinned:
            return None
        chosen = {moment.number for moment in self.choices}
        lost = {choice.number: choice.lost or 0.0 for choice in review.choices}
        known, luck = self._chances(review), [0.0] * self.history.seats
        for earlier, moment in zip(self._numbers_in_force, self.moments, strict=False):
            if (
                moment.logged.entry.user_id is None
                or earlier not in known
                or moment.number not in known
                or not self.open(moment)
            ):
                continue
            if moment.number in chosen and moment.number not in lost:
                return None
            parts = luck_of(known[earlier], known[moment.number], moment.seat, lost.get(moment.number, 0.0))
            luck = [so_far + part for so_far, part in zip(luck, parts, strict=True)]
        return tuple(luck)


def _tension(numbers: Sequence[int], chances: Sequence[float], number: int) -> float:
    """Return how tense the game was for a player at an entry, given the player's chances after the entries in `numbers`."""
    if len(chances) < 2:
        return 1.0
    return tension(chances, min(max(1, bisect_left(numbers, number)), len(numbers) - 1))


def _around(chances: Mapping[int, tuple[float, ...]], moment: Moment) -> float:
    """Return how much a player's chance to win rose around one of their actions. It is negative if the chance fell."""
    numbers = sorted(chances)
    if not numbers:
        return 0.0
    after = min(bisect_left(numbers, moment.number), len(numbers) - 1)
    return chances[numbers[after]][moment.seat] - chances[numbers[max(0, after - 1)]][moment.seat]
