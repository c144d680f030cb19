"""The computer player of BOUNCE: exactly right alone, proved against the whole tree of the game, and sound with others."""

from collections import Counter
from functools import cache
from itertools import product
from typing import Any

import pytest

from engines.chance import Scripted
from engines.game import Action, IllegalAction
from engines.trampoline import Trampoline, TrampolineState
from engines.trampoline.game import FACEPLANT, ROLL
from engines.trampoline.track import CYCLE, LAST_JUMP, Jumper, Place, dice_for, sharing
from engines.values import replace
from opponents import LEVELS, Budget, Level, opponent
from opponents.trampoline import Expectimax, Turns, alone, landings, race

GAME = Trampoline()
TWO, THREE = Place(2, "down"), Place(3, "down")
LAST = LAST_JUMP - 1


def table(*jumpers: Jumper, to_move: int = 0) -> TrampolineState:
    return TrampolineState(jumpers, to_move, sharing(jumpers, range(len(jumpers))))


def outcomes(state: TrampolineState, action: Action) -> dict[TrampolineState, float]:
    """Everything that the engine makes of an action, with each fall of its dice, and its probability."""
    seat = state.to_move
    dice, sides = (1, 2) if action == (FACEPLANT,) else (dice_for(state.tokens[seat]), 6)
    found: Counter[TrampolineState] = Counter()
    for faces in product(range(sides), repeat=dice):
        found[GAME.advance(replace(state, chance=Scripted(faces)), seat, action)] += 1
    return {after: count / sides**dice for after, count in found.items()}


@cache
def whole_tree(state: TrampolineState) -> tuple[tuple[float, ...], Action | None]:
    """By the tree of the whole game: each seat's chance to win, and the best action of the one to move."""
    outcome = GAME.outcome(state)
    if outcome is not None:
        share = 1 / max(1, len(outcome.winners))
        return tuple(share if seat in outcome.winners else 0.0 for seat in range(len(state.tokens))), None
    seat = state.to_move
    actions = {action: expected(state, action) for action in [(choice.token,) for choice in GAME.choices(state, seat)]}
    best = max(actions, key=lambda action: actions[action][seat])
    return actions[best], best


def expected(state: TrampolineState, action: Action) -> tuple[float, ...]:
    each = [(often, whole_tree(after)[0]) for after, often in outcomes(state, action).items()]
    return tuple(sum(often * chances[seat] for often, chances in each) for seat in range(len(state.tokens)))


def everywhere_alone() -> list[TrampolineState]:
    return [table(Jumper(place, jumps)) for jumps in reversed(range(1, LAST_JUMP)) for place in reversed(CYCLE[:-1])] + [
        table(Jumper())
    ]


@pytest.mark.slow
def test_alone_it_is_exactly_right_in_every_state_of_the_whole_tree() -> None:
    expert = opponent("trampoline", Level.EXPERT)
    choices = 0
    for state in everywhere_alone():
        (chance,), best = whole_tree(state)
        thought = expert.choose(state, 0)
        assert thought.action == best
        assert thought.chance_to_win == pytest.approx(chance, abs=1e-9)
        assert expert.assess(state)[0] == pytest.approx(chance, abs=1e-9)
        choices += len(GAME.choices(state, 0)) > 1
    assert choices == 2, "there are but two places for a faceplant"
    assert whole_tree(table(Jumper()))[0][0] == pytest.approx(0.94663, abs=5e-6)


@pytest.mark.slow
def test_the_table_of_a_lone_player_is_that_of_the_whole_tree() -> None:
    for state in everywhere_alone():
        assert alone(state.tokens[0]) == pytest.approx(whole_tree(state)[0][0], abs=1e-9)
    first = landings()[Jumper()]
    assert first[0] == pytest.approx(1 / 216)
    assert len(landings()) == len(everywhere_alone()) + len(CYCLE) - 1, "and tokens on the board that have not jumped yet"


@pytest.mark.parametrize("place", [TWO, THREE])
def test_the_coin_is_three_times_as_good_as_the_die_whoever_stands_where(place: Place) -> None:
    """So it is right whatever the others do: it leads where the die leads, but to nothing else, and three times as often."""
    others = [Jumper(), Jumper(None, LAST_JUMP), *(Jumper(spot, 8) for spot in CYCLE[:-1])]
    for one, two in product(others, repeat=2):
        state = table(Jumper(place, LAST), one, two)
        coin, die = outcomes(state, (FACEPLANT,)), outcomes(state, (ROLL,))
        for after, often in die.items():
            assert after.tokens[0].thrown_up or coin[after] >= 3 * often - 1e-12
        useful = sum(often for after, often in die.items() if not after.tokens[0].thrown_up)
        assert useful == pytest.approx(sum(often for after, often in coin.items() if not after.tokens[0].thrown_up) / 3)


def test_with_others_the_search_to_the_end_is_the_whole_tree() -> None:
    """Two players at their last jump: their game ends soon enough to be looked at as a whole."""
    for one, two in product(CYCLE[11:-1:2], repeat=2):
        state = table(Jumper(one, LAST), Jumper(two, LAST))
        search = Expectimax(seconds=60)
        chances = search.chances(Turns(state.tokens, state.sharing, state.to_move), 40)
        assert chances == pytest.approx(whole_tree(state)[0], abs=1e-9)
        assert not search.races


def test_its_chances_within_the_budget_are_close_to_the_truth() -> None:
    expert, easy = opponent("trampoline", Level.EXPERT), opponent("trampoline", Level.EASY)
    for one, two in product(CYCLE[6:-1:3], repeat=2):
        state = table(Jumper(one, LAST), Jumper(two, LAST))
        exact = whole_tree(state)[0]
        assert expert.assess(state) == pytest.approx(exact, abs=0.02)
        assert easy.assess(state) == pytest.approx(exact, abs=0.25), "it sees one turn ahead"


def test_a_race_of_lone_players_is_their_game_without_bumps() -> None:
    """A token at the mat is far from one that is off the board, so they hardly ever meet."""
    near, far = Jumper(TWO, LAST), Jumper()
    chances = race(Turns((near, far), (), 0))
    assert chances[0] == pytest.approx(0.5 + 0.5 * 0)
    assert chances[1] == pytest.approx(0.5 * alone(far))
    assert race(Turns((near, Jumper(None, LAST_JUMP)), (), 0)) == (0.5, 0.0)
    assert race(Turns((near, near), (), 1)) == pytest.approx((0.25, 0.5))


@pytest.mark.parametrize(("level", "above_the_mat", "higher"), [
    ("easy", ROLL, ROLL), ("medium", FACEPLANT, ROLL), ("hard", FACEPLANT, FACEPLANT), ("expert", FACEPLANT, FACEPLANT),
])  # fmt: skip
def test_levels_differ_in_whether_they_see_the_coin(level: str, above_the_mat: str, higher: str) -> None:
    player = opponent("trampoline", level)
    other = Jumper(Place(5, "up"), 7)
    assert player.choose(table(Jumper(TWO, LAST), other), 0).action == (above_the_mat,)
    assert player.choose(table(Jumper(THREE, LAST), other), 0).action == (higher,)
    assert player.choose(table(other, Jumper(TWO, LAST)), 0).action == (ROLL,)


@pytest.mark.slow
def test_each_level_lands_as_often_as_documented() -> None:
    """The figures of docs/opponents.md."""
    worth = [round(played_by(level, table(Jumper())), 4) for level in LEVELS]
    assert worth == [0.9097, 0.9266, 0.9466, 0.9466]


def played_by(level: Level, state: TrampolineState) -> float:
    player = opponent("trampoline", level)

    @cache
    def lands(state: TrampolineState) -> float:
        if GAME.outcome(state) is not None:
            return float(state.tokens[0].landed)
        chosen = player.choose(state, 0).action
        return sum(often * lands(after) for after, often in outcomes(state, chosen).items())

    return lands(state)


def test_rolling_instead_of_the_coin_is_judged_by_its_loss() -> None:
    judgement = opponent("trampoline", Level.EXPERT).judge(table(Jumper(THREE, LAST)), 0, (ROLL,))
    assert (judgement.best.action, judgement.played.action) == ((FACEPLANT,), (ROLL,))
    assert judgement.best.chance_to_win == pytest.approx(0.75)
    assert judgement.played.chance_to_win == pytest.approx(0.25)
    assert judgement.lost == pytest.approx(0.5)


@pytest.mark.parametrize(("state", "words"), [
    (table(Jumper(THREE, LAST)), "The coin gets you down safely 75 times in 100, the die only 25."),
    (table(Jumper(Place(4, "up"), 3)), "Nothing to choose: just roll, and hope for 14."),
    (table(Jumper(Place(4, "up"), 7)), "Nothing to choose yet: just roll."),
])  # fmt: skip
def test_it_says_why(state: TrampolineState, words: str) -> None:
    player = opponent("trampoline", Level.EXPERT)
    assert player.reason(state, 0, player.choose(state, 0)) == words


def test_a_seat_that_cannot_act_is_refused() -> None:
    with pytest.raises(IllegalAction):
        opponent("trampoline").choose(table(Jumper(), Jumper()), 1)


def test_without_time_its_chances_are_still_sound() -> None:
    state: Any = table(Jumper(TWO, LAST), Jumper(Place(8, "down"), 12))
    thought = opponent("trampoline", Level.EXPERT).choose(state, 0, Budget(10**9, seconds=0.0))
    assert thought.action in {(ROLL,), (FACEPLANT,)}
    assert 0 <= thought.chance_to_win <= 1
