"""What the computer opponent of Bouncers plays and says."""

from collections.abc import Sequence
from typing import Any

import pytest

from engines.bouncers import Bouncers, State
from engines.game import check, legal_actions
from opponents import LEVELS, Budget, opponent
from opponents.bouncers.kernel import Kernel
from opponents.bouncers.paths import position_of
from opponents.contract import Thought
from tests.marks import quick_first

GAME = Bouncers()
QUICK = Budget(1_500)


def position(to_move: int, red: Sequence[str], blue: Sequence[str], variant: str = "8x8-16", **more: Any) -> State:
    """Pieces by their squares; kings have a K before theirs."""
    counters = {side: [square for square in squares if square[0] != "K"] for side, squares in (("red", red), ("blue", blue))}
    kings = {
        f"{side}_kings": [square[1:] for square in squares if square[0] == "K"]
        for side, squares in (("red", red), ("blue", blue))
    }
    return GAME.from_position({"variant": variant, "to_move": to_move, **counters, **kings, **more})


def thought(state: State, level: str = "hard") -> Thought:
    return opponent("bouncers", level).choose(state, state.to_move, QUICK, stream="a")


def why(state: State, path: str, chance: float = 0.6) -> str:
    action = tuple(path.split())
    check(GAME, state, state.to_move, action)
    return str(opponent("bouncers").reason(state, state.to_move, Thought(action, chance)))


ONE_LEFT = position(0, ["Kd4", "a1"], ["d6"])


@pytest.mark.parametrize("level", LEVELS)
@pytest.mark.parametrize("state", [ONE_LEFT, position(1, ["h1", "g6"], ["b3", "c2", "b2"], "8x8-12-terminal")])
def test_every_level_wins_where_it_can(state: State, level: str) -> None:
    found = thought(state, level)
    assert found.chance_to_win == 1
    outcome = GAME.outcome(GAME.advance(state, state.to_move, found.action))
    assert outcome is not None
    assert outcome.winners == (state.to_move,)


def test_the_leading_side_goes_after_the_other() -> None:
    near, far = position(0, ["Kd5", "Ka1"], ["Kf8"]), position(0, ["Kb2", "Ka1"], ["Kf8"])
    kernel = Kernel("8x8-16")
    values = [kernel.evaluate(position_of(state), 100) for state in (near, far)]
    assert values[0] > values[1] + 20


@pytest.mark.slow
@pytest.mark.parametrize("level", LEVELS)
def test_the_same_stream_is_the_same_thought(level: str) -> None:
    player, state = opponent("bouncers", level), GAME.start(2, "8x8-16")
    found = [player.choose(state, 0, QUICK, stream=stream) for stream in ("a", "a", "b", "c", "d", "e")]
    assert found[0] == found[1]
    assert len({thought.action for thought in found}) > 1
    assert found[0].line[0] == (0, found[0].action)


@pytest.mark.slow
@pytest.mark.parametrize("variant", quick_first(2, GAME.variants))
def test_a_judgement_compares_with_the_best(variant: str) -> None:
    player, state = opponent("bouncers", "hard"), GAME.start(2, variant)
    for action in list(GAME.legal_actions(state, 0))[::7]:
        judged = player.judge(state, 0, action, QUICK, stream="a")
        assert judged.played.action == judged.played.line[0][1] == action
        assert judged.best.chance_to_win >= judged.played.chance_to_win
        assert judged.lost == judged.best.chance_to_win - judged.played.chance_to_win
    best = player.judge(state, 0, judged.best.action, QUICK, stream="a")
    assert best.lost == 0


def test_a_win_that_is_not_the_first_one_found_is_no_worse() -> None:
    player = opponent("bouncers", "hard")
    state = position(0, ["Kd4", "Kf8"], ["d6"])
    wins = [action for action in GAME.legal_actions(state, 0) if GAME.outcome(GAME.advance(state, 0, action)) is not None]
    assert len(wins) > 1
    assert [player.judge(state, 0, action, QUICK).lost for action in wins] == [0] * len(wins)
    others = [action for action in GAME.legal_actions(state, 0) if action not in wins]
    assert all(player.judge(state, 0, action, QUICK).best.chance_to_win == 1 for action in others)


def test_the_seats_share_the_chance_to_win() -> None:
    player = opponent("bouncers", "medium")
    for state in (GAME.start(2, "8x8-16"), ONE_LEFT, position(1, ["Kd4", "a1"], ["h6"])):
        assert sum(player.assess(state, QUICK)) == pytest.approx(1)
    assert player.assess(ONE_LEFT, QUICK) == (1, 0)


def test_it_resigns_when_all_is_lost_and_not_before() -> None:
    player = opponent("bouncers", "hard")
    lost = position(1, ["Ka1", "Kb1", "Kc1", "Kd1", "b2", "c2", "d2"], ["h6", "g7"])
    assert player.hopeless(lost, Thought(("h6", "h5"), 0.01))
    assert not player.hopeless(lost, Thought(("h6", "h5"), 0.1))
    start = GAME.start(2, "8x8-16")
    assert not player.hopeless(start, Thought(("a2", "b3"), 0.0))


def test_a_draw_is_right_when_kings_go_to_and_fro() -> None:
    player = opponent("bouncers", "hard")
    even = ["Ka1"], ["Kh7"]
    assert player.drawn(position(0, *even, quiet_plies=50), Thought(("a1", "a2"), 0.5))
    assert not player.drawn(position(0, *even, quiet_plies=10), Thought(("a1", "a2"), 0.5))
    assert not player.drawn(position(0, *even, quiet_plies=50), Thought(("a1", "a2"), 0.8))


def test_it_says_what_a_move_captures() -> None:
    assert why(ONE_LEFT, "d4 d5") == "It captures the last enemy piece and wins."
    alone = position(0, ["Kd4", "a1", "b2"], ["d6", "h8", "g8"])
    assert why(alone, "d4 d5") == "It captures d6, and nothing can be captured in return."
    guarded = position(0, ["Kd4", "a1", "b2"], ["d6", "Kd7", "h8"])
    assert why(guarded, "d4 d5") == "It captures d6; 1 piece can be captured in return."


def test_it_says_what_a_move_saves_and_threatens() -> None:
    kings = position(0, ["Kc3", "a1"], ["Kc5", "h8", "h7"])
    assert why(kings, "c3 d2") == "It saves c3 from being captured."
    hunter = position(0, ["Kb4", "a1"], ["d7", "h8"])
    assert why(hunter, "b4 b5") == "It threatens to capture d7, and leaves no piece exposed."


def test_pieces_that_could_be_captured_before_are_not_called_threatened() -> None:
    hunters = position(0, ["Kb4", "Kg4", "a1"], ["d7", "g6", "h8"])
    assert why(hunters, "g4 g5").startswith("It captures g6")
    assert why(hunters, "b4 b5") == "It threatens to capture d7, and leaves no piece exposed."


def test_it_says_what_can_be_captured_next_and_threatens_nothing_that_this_averts() -> None:
    raider = position(0, ["g3", "c7", "h3"], ["f7", "h7", "d7"])
    assert why(raider, "g3 f3") == "Blue can capture f3 next.", "from there it could capture f7"
    exchange = position(0, ["h3", "g4", "h4"], ["g3", "h7", "f2"])
    assert why(exchange, "g4 f5") == "Blue can capture f5 next, but you could capture 1 piece in return."
    cornered = position(0, ["h5", "h2", "f3"], ["c3", "g7", "d3"])
    assert why(cornered, "h2 g3") == "No other move exposes fewer pieces. Blue can capture f3 next."


def test_a_move_without_effect_has_no_reason() -> None:
    apart = position(0, ["a2", "a1"], ["h7", "h8"])
    assert opponent("bouncers").reason(apart, 0, Thought(("a2", "a3"), 0.5)) is None


def test_it_says_how_the_game_ends() -> None:
    state = position(0, ["a1", "g7", "g6", "b2"], ["d3", "Kh1"])
    assert why(state, "g7 g8") == "It makes a king on g8."
    assert why(state, "a1 a2", 1.0) == "It wins, whatever Blue does."
    assert why(state, "a1 a2", 0.0) == "The game is lost; this holds out longest."
    race = position(0, ["g7", "g6", "a1"], ["d3", "h2"], "8x8-12-terminal")
    assert why(race, "g7 g8") == "It reaches the last rank and wins."


def test_a_beginner_may_see_that_all_is_lost() -> None:
    state = position(0, ["a1", "b1"], ["h2", "g2", "f2", "g3", "h3"], "8x8-12-terminal")
    chances = [opponent("bouncers", "easy").choose(state, 0, stream=str(stream)).chance_to_win for stream in range(40)]
    assert min(chances) == 0
    assert max(chances) < 1


def test_two_moves_are_compared_at_the_same_depths() -> None:
    state, player = GAME.start(2, "8x8-12-terminal"), opponent("bouncers", "expert")
    for _ in range(6):
        state = GAME.advance(state, state.to_move, player.choose(state, state.to_move, QUICK, stream="a").action)
    judged = player.judge(state, state.to_move, next(iter(legal_actions(GAME, state, state.to_move))), QUICK, stream="a")
    actions = judged.best.action, judged.played.action
    there, back = (player.compare(state, state.to_move, pair, QUICK) for pair in (actions, actions[::-1]))
    assert there.mean == -back.mean
    assert there.least <= there.mean
