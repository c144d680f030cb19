"""The comparison of hidden hands finds each of these leaks."""

from dataclasses import replace
from pathlib import Path

import pytest

from engines.game import Action, Choice, Step
from engines.pucks import FirstPucks, Pucks, PucksView
from engines.pucks.board.state import State, is_quick
from engines.pucks.play.turns import may_end
from engines.text import Text, say
from tests.bot.observing.deals import pair
from tests.bot.observing.pairs import Leak, Lockstep, Side, compare

pytestmark = [pytest.mark.slow, pytest.mark.usefixtures("pictures_as_drawn_from")]
PAIRS = range(50)
"""How many pairs to try for a leak. Each leak shows in some of them."""


class AskedForWhistles(Pucks):
    """Of those who may answer a win, only those who hold a whistle are asked."""

    def to_act(self, state: State) -> tuple[int, ...]:
        asked = super().to_act(state)
        holders = tuple(seat for seat in asked if "whistle" in state.hands[seat])
        return holders or asked if state.winning else asked


class EndsUnlessFree(Pucks):
    """A turn ends by itself unless its player holds a quick play card."""

    def _play(self, state: State, seat: int, action: Action) -> Step[State]:
        step = super()._play(state, seat, action)
        after = step.state
        free = any(map(is_quick, after.hands[after.to_move]))
        if action == ("end",) or not may_end(after) or free:
            return step
        ended = super()._play(after, after.to_move, ("end",))
        return Step(ended.state, (*step.events, *ended.events))


class MovesForTheAbsentByTheHand(Pucks):
    """What is played for the absent depends on their hand."""

    def absent_choices(self, state: State, seat: int, prefix: Action, offered: list[Choice]) -> list[Choice]:
        offered = super().absent_choices(state, seat, prefix, offered)
        return offered[::-1] if any(map(is_quick, state.hands[seat])) else offered


class ShownInTheView(Pucks):
    """A last action is answerable only if somebody holds the card for it."""

    def view(self, state: State, seat: int | None = None) -> PucksView:
        view = super().view(state, seat)
        return view if any("whistle" in hand for hand in state.hands) else replace(view, answerable=None)


class ShownInOrders(Pucks):
    """Orders for a card are only offered while somebody else holds it."""

    def order_choices(self, state: State, seat: int, prefix: Action = ()) -> list[Choice]:
        others = {card for other in state.live if other != seat for card in state.hands[other]}
        offered = super().order_choices(state, seat, prefix)
        return [choice for choice in offered if prefix or choice.token == "pass" or choice.token in others]


class ToldInErrors(Pucks):
    """An error message reveals that nobody holds the card."""

    def why_not(self, state: State, seat: int, action: Action, index: int) -> Text | None:
        if action[index] == "whistle" and not any("whistle" in hand for hand in state.hands):
            return say("Nobody has a Whistle.")
        return super().why_not(state, seat, action, index)


class LeftForAllToSee(Pucks):
    """Whoever leaves shows their hand."""

    def withdraw(self, state: State, seat: int) -> Step[State]:
        step = super().withdraw(state, seat)
        return Step(replace(step.state, discard=(*step.state.discard, *state.hands[seat])), step.events)


class NextByTheHand(Pucks):
    """The turn order considers whether somebody can reverse it."""

    def view(self, state: State, seat: int | None = None) -> PucksView:
        self.turns = any("u-turn" in hand for hand in state.hands)
        return super().view(state, seat)

    def next_seats(self, view: PucksView) -> tuple[int, ...]:
        order = super().next_seats(view)
        return order[::-1] if self.turns else order


@pytest.mark.parametrize(("rules", "first"), [
    (FirstPucks, 0),
    (AskedForWhistles, 21),
    (EndsUnlessFree, 0),
    (MovesForTheAbsentByTheHand, 9),
    (ShownInTheView, 1),
    (ShownInOrders, 1),
    (ToldInErrors, 18),
    (LeftForAllToSee, 1),
    (NextByTheHand, 5),
])  # fmt: skip
async def test_rules_that_look_into_hands_are_found_out(tmp_path: Path, rules: type[Pucks], first: int) -> None:
    """To be quick, it starts with the pair that currently shows the leak."""
    with pytest.raises(Leak):
        await compare(tmp_path, rules, [*PAIRS[first:], *PAIRS[:first]])


async def all_compared(sides: tuple[Side, Side]) -> None:
    for number in PAIRS:
        await Lockstep(sides, pair(Pucks(), number)).run()


@pytest.mark.parametrize("what", ["moment", "watcher"])
async def test_a_bot_that_tells_it_by_its_clock_or_by_whom_it_pings_is_found_out(tmp_path: Path, what: str) -> None:
    sides = (await Side.opened(tmp_path / "here", Pucks), await Side.opened(tmp_path / "there", Pucks))
    if what == "moment":
        sides[1].clock.pass_(1.0)
    else:
        sides[1].watched_by = None
    with pytest.raises(Leak):
        await all_compared(sides)
    for side in sides:
        await side.store.close()
