"""The light kernel plays by the rules of the engine."""

from random import Random

import pytest

from engines.bunny import Bunny, BunnyState
from engines.chance import Fair
from engines.game import Action, legal_actions
from opponents.bunny.kernel import CARDS, MOVING, OFF, OVER, SHOCKING, SPACE, SPYING, SWAPPING, World, number
from opponents.bunny.search import action

GAME = Bunny()
PHASES = {"move": MOVING, "swap": SWAPPING, "spy": SPYING, "shock": SHOCKING}


def assert_equal(world: World, state: BunnyState) -> None:
    assert tuple(CARDS[card] for card in world.cards) == state.field
    assert world.up == sum(1 << SPACE[space] for space in state.face_up)
    assert world.places == [OFF if space is None else SPACE[space] for space in state.bunnies]
    assert (tuple(world.shocks), tuple(world.carrots)) == (state.shocks, state.carrots)
    assert (world.turn, world.quiet, world.taken) == (state.turn, state.quiet_turns, state.carrot_taken)
    if GAME.to_act(state):
        assert (world.phase, world.chooser) == (PHASES[state.phase], state.to_choose)
    else:
        assert world.phase == OVER


def legal_moves(world: World) -> set[Action]:
    """Every action that the kernel knows in a position where a Bunny moves or a shock may be spent."""
    bunny = 1 - world.turn if world.phase == SHOCKING else world.turn
    moves = {action(world.phase, move) for move in world.movements(bunny)}
    return moves | {("pass",)} if world.phase == SHOCKING else moves


def drawn(state: BunnyState, rng: Random) -> Action:
    prefix: Action = ()
    while True:
        choice = rng.choice(GAME.choices(state, state.to_choose, prefix))
        prefix = (*prefix, choice.token)
        if choice.final:
            return prefix


@pytest.mark.parametrize("seed", range(40))
def test_the_kernel_plays_like_the_engine(seed: int) -> None:
    rng = Random(seed)
    state = GAME.start(2, None, Fair(seed.to_bytes(32, "big")))
    world = World(state)
    while GAME.to_act(state):
        if world.phase in {MOVING, SHOCKING}:
            assert legal_moves(world) == set(legal_actions(GAME, state, state.to_choose))
        if world.phase == SWAPPING:
            assert [CARDS[world.cards[space]] for space in world.swappable()]
            offered = {choice.token for choice in GAME.choices(state, state.to_choose, ("swap",))}
            assert {SPACE[token] for token in offered} == set(world.swappable())
        if world.phase == SPYING:
            offered = {choice.token for choice in GAME.choices(state, state.to_choose, ("spy",))}
            assert sum(1 << SPACE[token] for token in offered) == world.hidden_spaces()
        played = drawn(state, rng)
        state = GAME.advance(state, state.to_choose, played)
        world.play(number(played))
        assert_equal(world, state)
        assert_equal(world.copy(), state)
        assert_equal(World(state), state)
    outcome = GAME.outcome(state)
    assert outcome is not None
    assert world.result() == {(0,): 1.0, (1,): 0.0, (): 0.5}[outcome.winners]


def test_a_move_shows_which_worlds_look_different() -> None:
    """In two worlds with different face-down cards, a move is seen alike if, and only if, the engine tells it alike."""
    equal = different = 0
    for seed in range(60):
        rng = Random(seed)
        state = GAME.start(2, None, Fair(seed.to_bytes(32, "big")))
        for _ in range(rng.randrange(12)):
            if GAME.to_act(state):
                state = GAME.advance(state, state.to_choose, drawn(state, rng))
        if not GAME.to_act(state):
            continue
        other = GAME.resample(state, None, Fair(rng.randbytes(32)))
        played = drawn(state, rng)
        steps = [GAME.play(one, one.to_choose, played) for one in (state, other)]
        told = [[event.text for event in step.events] for step in steps]
        seen = [World(one).play(number(played)) for one in (state, other)]
        assert (told[0] == told[1]) == (seen[0] == seen[1])
        equal, different = equal + (seen[0] == seen[1]), different + (seen[0] != seen[1])
    assert min(equal, different) > 5
