"""What holds for every computer opponent, whatever it plays."""

from random import Random

import pytest

from engines import GAMES
from engines.chance import Fair
from engines.game import passive_action
from opponents import LEVELS, Level, Thought, shares
from opponents.contract import Loss, judgement, sampled_judgement, sampled_loss, sure_loss
from opponents.dice import Dice

SEED = bytes(32)


def test_the_levels_are_in_order() -> None:
    assert [str(level) for level in LEVELS] == ["easy", "medium", "hard", "expert"]
    assert Level("hard") is Level.HARD


def test_imagined_dice_are_fair_and_repeatable() -> None:
    dice = Dice(Random("a"))
    drawn = [dice.randbelow(6)[0] for _ in range(600)]
    again = Dice(Random("a"))
    assert drawn == [again.randbelow(6)[0] for _ in range(600)]
    assert set(drawn) == set(range(6))
    with pytest.raises(TypeError):
        dice.to_json()


def test_the_share_of_a_game() -> None:
    game = GAMES["bouncers"]
    state = game.start(2, None, Fair(SEED))
    assert shares(game, state) is None
    assert shares(game, game.withdraw(state, 1).state) == (1.0, 0.0)


def test_a_loss_is_sure_from_two_standard_errors_on() -> None:
    assert sure_loss([0.1] * 8) == pytest.approx(0.1), "in every world the same"
    assert sure_loss([0.0] * 8) == 0
    assert sure_loss([-0.2] * 8) == 0, "what does better gives nothing away"
    assert sure_loss([1.0, -1.0] * 50 + [0.5] * 4) == 0, "0.02 on average, with an error of 0.1"
    assert sure_loss([1.0, 0.0] * 50) == pytest.approx(0.5), "with an error of 0.05"
    assert sure_loss([0.9]) == 0, "one world tells nothing"


def test_a_sampled_loss_is_sure_up_to_two_standard_errors() -> None:
    assert sampled_loss([0.25] * 8) == Loss(0.25, 0.25)
    found = sampled_loss([1.0, 0.0] * 50)
    assert found.mean == pytest.approx(0.5)
    assert found.least == pytest.approx(0.4, abs=0.001)
    assert sampled_loss([0.9]).least < 0, "one world tells nothing"


@pytest.mark.parametrize(("chance", "lost"), [(0.3, 0.2), (0.9, 0.3), (0.0, 1.0), (0.5, 0.0)])
def test_a_judgement_has_the_loss_that_it_is_given(chance: float, lost: float) -> None:
    best, played = Thought(("a",), 0.7), Thought(("b",), chance)
    found = judgement(best, played, lost)
    assert found.lost == pytest.approx(lost)
    assert found.best.action == (("a",) if lost else ("b",)), "without a loss it is as good as any"
    assert 0 <= found.played.chance_to_win <= found.best.chance_to_win <= 1


def test_an_action_that_seems_better_but_not_surely_is_a_doubt() -> None:
    best, played = Thought(("a",), 0.7), Thought(("b",), 0.4)
    sure = sampled_judgement(best, played, [0.25] * 8)
    assert (sure.best.action, sure.lost, sure.doubt) == (("a",), 0.25, None)
    unsure = sampled_judgement(best, played, [0.9, -0.5])
    assert (unsure.best, unsure.lost) == (played, 0)
    assert unsure.doubt is not None
    assert unsure.doubt.action == ("a",)
    assert unsure.doubt.chance_to_win == pytest.approx(0.6)
    better = sampled_judgement(best, played, [0.5, -0.9])
    assert (better.best, better.doubt) == (played, None)


@pytest.mark.parametrize("samples", [10, 100, 1000])
def test_of_two_equal_actions_one_is_hardly_ever_worse(samples: int) -> None:
    rng = Random(samples)
    named = sum(sure_loss([rng.choice((-1.0, 0.0, 1.0)) for _ in range(samples)]) > 0 for _ in range(200))
    assert named <= 14, "one in forty, by chance"


def test_quiet_play_is_play_without_words() -> None:
    for game in GAMES.values():
        state = game.start(game.seats[-1], None, Fair(SEED))
        rng = Random(1)
        for _ in range(60):
            if not (seats := game.to_act(state)):
                break
            action = passive_action(game, state, seats[0], rng)
            step = game.play(state, seats[0], action)
            quiet = game.advance(state, seats[0], action)
            assert quiet == step.state
            assert quiet.chance == step.state.chance
            state = step.state
