"""Every position of every game has a code, and every line; a code holds what its seat knows, and no dice."""

import random
from itertools import pairwise

import pytest

from engines.chance import UNSEEDED, Fair
from engines.game import Packed, foresee, may_act, resample
from engines.packing import packed_number
from engines.position_codes import LETTERS, KnownPosition, Line, follow, in_words, line_text, position_code, read_line
from tests.engines.contract_games import OTHER_SEED, Case, every_case, everybody, played, random_action

LENGTHS = {"bouncers": 150, "bunny": 60, "trampoline": 40, "pucks": 260}
"""More letters than the code of any position of a random game has."""


@every_case
@pytest.mark.parametrize("leaving", [False, True])
def test_every_position_can_be_read_back_from_its_code(case, leaving):
    for state in played(case, leaving).some_states(12):
        code = position_code(case.game, state)
        read = read_line(code)
        assert read == Line(KnownPosition(case.game, state))
        assert read.start.state.chance == UNSEEDED
        assert case.game.position(read.start.state) == case.game.position(state)


@every_case
def test_a_code_has_only_letters_and_digits_and_is_short_enough_for_a_message(case):
    game_id = case.game.id
    for state in played(case).some_states(12):
        code = position_code(case.game, state)
        assert code.startswith(f"{game_id}1")
        assert set(code.removeprefix(f"{game_id}1")) <= set(LETTERS)
        assert len(code) <= LENGTHS.get(game_id, 2000)


@every_case
@pytest.mark.parametrize("leaving", [False, True])
def test_the_packing_of_a_game_leaves_out_no_position(case, leaving):
    game = case.game
    for state in played(case, leaving).some_states(25) if isinstance(game, Packed) else ():
        packed_number(game.position(state), game.pack, game.unpack)


@every_case
def test_from_a_code_a_game_goes_on_as_it_did_until_something_is_drawn(case):
    for turn in played(case).some_turns(12):
        read = read_line(position_code(case.game, turn.before)).start
        if turn.step.state.chance == turn.before.chance:
            assert case.game.play(read.state, turn.seat, turn.action) == turn.step


@pytest.mark.slow
@every_case
def test_the_code_of_what_a_seat_knows_is_the_same_for_all_positions_that_it_cannot_tell_apart(case):
    game = case.game
    for number, state in enumerate(played(case).some_states(5)):
        for knower in everybody(case):
            code = position_code(game, state, knower)
            for draw in range(3):
                other = resample(game, state, knower, Fair(OTHER_SEED, 1000 * number + 50 * draw))
                assert position_code(game, other, knower) == code


@pytest.mark.slow
@every_case
def test_from_the_code_of_what_a_seat_knows_it_sees_what_it_saw(case):
    game = case.game
    for state in played(case).some_states(5):
        for knower in everybody(case):
            read = read_line(position_code(game, state, knower)).start
            assert read.knower == (knower if game.secret else "all")
            assert game.view(read.state, knower) == game.view(state, knower)
            assert position_code(game, read.state, read.knower) == position_code(game, state, knower)
            assert read.view == (game.view(state, knower) if game.secret else game.view(state))


@every_case
def test_every_line_can_be_read_back_from_its_text(case):
    """Lines of random actions, some of them out of turn, each to its first draw or its eighth action."""
    for number, state in enumerate(played(case).some_states(6)):
        line = random_line(case, state, random.Random(f"{case} {number}"))
        text = line_text(line)
        assert read_line(text) == line
        assert str(in_words(line)[-1]) == str(case.game.describe(line.end.view))
        for before, after in pairwise((line.start.state, *(step.state for step in line.steps))):
            assert before.chance == after.chance or not case.game.chance


def random_line(case: Case, state: object, dice: random.Random) -> Line:
    game, line = case.game, Line(KnownPosition(case.game, state))
    while len(line.actions) == len(line.steps) < 8 and may_act(game, line.end.state):
        awaited = may_act(game, line.end.state) if dice.random() < 0.3 else game.to_act(line.end.state)
        seat = dice.choice(awaited)
        line = follow(line, seat, random_action(game, line.end.state, seat, dice))
    return line


@every_case
def test_a_line_ends_with_the_first_action_whose_result_nobody_can_know(case):
    for turn in played(case).some_turns(12):
        assert turn.action is not None
        line = follow(Line(KnownPosition(case.game, turn.before)), turn.seat, turn.action)
        assert bool(line.steps) == (foresee(case.game, turn.before, turn.seat, turn.action) is not None)
