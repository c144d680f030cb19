"""In every game choices, legal actions, notation and errors agree with what can be played."""

import random
import re
from itertools import islice
from typing import Any

import pytest

from engines.game import (
    Buttons,
    Choice,
    Game,
    IllegalAction,
    IncompleteAction,
    MalformedAction,
    Quick,
    Words,
    check,
    follows_choices,
    foresee,
    is_whole,
    legal_actions,
    may_act,
    part_of,
    passive_action,
    walk_choices,
)
from engines.text import Text
from tests.engines.contract_games import CASES, every_case, every_game, marked, played, random_action


def assert_good_choices(game: Game[Any, Any], offered: list[Choice]) -> None:
    tokens = [choice.token for choice in offered]
    assert len(set(tokens)) == len(tokens)
    for choice in offered:
        assert game.token_pattern.fullmatch(choice.token)
        assert choice.token == choice.token.lower()
        assert not re.search(r"\s", choice.token)
        assert choice.label
        assert isinstance(choice.label, Text) or choice.label == choice.token


@every_case
def test_every_action_that_is_walked_from_the_choices_can_be_played(case):
    game, dice = case.game, random.Random(str(case))
    for state in played(case).some_states(8)[:-1]:
        for seat in may_act(game, state):
            action = random_action(game, state, seat, dice)
            for length in range(len(action) + 1):
                assert_good_choices(game, game.choices(state, seat, action[:length]))
            game.play(state, seat, action)
            game.play(state, seat, list(action))


@every_case
def test_the_beginning_of_an_action_can_be_written_down(case):
    game, dice = case.game, random.Random(str(case))
    for state in played(case).some_states(8)[:-1]:
        for seat in may_act(game, state):
            action = random_action(game, state, seat, dice)
            for length in range(1, len(action) + 1):
                assert action[0] in part_of(game, Words).notate(state, seat, action[:length])


@pytest.mark.slow
@every_game
def test_verbs_are_words_of_the_game_that_are_never_an_action_by_themselves(game):
    cases = [case for case in CASES if case.game is game]
    offered = {
        (choice.token, choice.final)
        for case in cases
        for state in played(case).some_states(40)
        for seat in may_act(game, state)
        for choice in game.choices(state, seat)
    }
    assert {token for token, _ in offered} >= set(game.verbs)
    assert not {token for token, final in offered if final} & set(game.verbs)


@every_case
def test_the_legal_actions_are_those_that_the_choices_lead_to(case):
    game = case.game
    has_own_way = isinstance(game, Quick) and game.legal_actions(case.start(), 0) is not None
    for state in played(case).some_states(8):
        for seat in range(case.seats):
            listed = list(islice(legal_actions(game, state, seat), 400 if has_own_way else 20))
            assert len(set(listed)) == len(listed)
            assert bool(listed) == (seat in may_act(game, state))
            if has_own_way:
                assert listed == list(islice(walk_choices(game, state, seat), 400))
            for action in listed[:: max(1, len(listed) // 4)]:
                game.play(state, seat, action)


@pytest.mark.slow
@pytest.mark.parametrize("case", marked(case for case in CASES if isinstance(case.game, Quick)))
def test_a_quick_way_to_see_that_an_action_is_whole_sees_what_the_choices_say(case):
    game, dice = case.game, random.Random(str(case))
    found = set()
    for state in played(case).some_states(12):
        for seat in range(case.seats):
            for action in islice(walk_choices(game, state, seat), 0, 60, 3):
                tokens = [token for other in islice(walk_choices(game, state, seat), 20) for token in other]
                index = dice.randrange(len(action))
                other = (*action[:index], dice.choice(tokens), *action[index + 1 :])
                for tried in (action, action[:-1], (*action, dice.choice(tokens)), other, action[1:], ("?!",), ()):
                    whole = is_whole(game, state, seat, tried)
                    assert whole == follows_choices(game, state, seat, tried), tried
                    assert not any(is_whole(game, state, absent, tried) for absent in (-1, case.seats))
                    found.add(whole)
    assert found == {True, False}


@every_case
def test_a_wrong_token_is_named_with_what_is_possible_in_its_place(case):
    game, dice = case.game, random.Random(str(case))
    for state in played(case).some_states(6)[:-1]:
        for seat in may_act(game, state):
            action = random_action(game, state, seat, dice)
            for index in range(len(action)):
                possible = tuple(game.choices(state, seat, action[:index]))
                tokens = {choice.token for choice in possible}
                elsewhere = {token for token in (*action, "a1", "roll", "left") if game.token_pattern.fullmatch(token)} - tokens
                for wrong in ("?!", *sorted(elsewhere)[:2]):
                    tried = (*action[:index], wrong, *action[index + 1 :])
                    with pytest.raises(IllegalAction) as caught:
                        game.play(state, seat, tried)
                    error = caught.value
                    assert isinstance(error, MalformedAction) == (wrong == "?!")
                    assert (error.action, error.index, error.token, error.possible) == (tried, index, wrong, possible)
                    assert isinstance(error.message, Text)
                    reason = None if wrong == "?!" else part_of(game, Words).why_not(state, seat, tried, index)
                    assert error.message.startswith(reason) if reason else wrong in error.message
                    assert game.choices(state, seat, tried[: index + 1]) == []


@every_case
def test_an_action_that_stops_too_early_says_what_is_missing(case):
    game, dice = case.game, random.Random(str(case))
    for state in played(case).some_states(6)[:-1]:
        for seat in may_act(game, state):
            action, offered = random_action(game, state, seat, dice), game.choices(state, seat)
            for index, token in enumerate(action):
                with pytest.raises(IncompleteAction) as caught:
                    game.play(state, seat, action[:index])
                assert (caught.value.index, caught.value.token, caught.value.possible) == (index, None, tuple(offered))
                if next(choice for choice in offered if choice.token == token).final:
                    break
                offered = game.choices(state, seat, action[: index + 1])


@every_case
def test_an_action_that_goes_on_too_long_is_refused_where_it_should_have_ended(case):
    game, dice = case.game, random.Random(str(case))
    for state in played(case).some_states(6)[:-1]:
        seat = game.to_act(state)[0]
        action = random_action(game, state, seat, dice)
        while offered := game.choices(state, seat, action):
            action = (*action, offered[0].token)
        with pytest.raises(IllegalAction) as caught:
            game.play(state, seat, (*action, action[0]))
        assert (caught.value.index, caught.value.possible) == (len(action), ())


@every_case
def test_a_seat_that_may_not_act_is_told_so(case):
    game = case.game
    for turn in (*played(case).some_turns(6), played(case).turns[-1]):
        for state in (turn.before, turn.step.state):
            for seat in set(range(case.seats)) - set(may_act(game, state)):
                with pytest.raises(IllegalAction) as caught:
                    game.play(state, seat, turn.action or ())
                assert (caught.value.index, caught.value.possible) == (0, ())


@every_case
def test_nobody_sits_beyond_the_last_seat(case):
    first = played(case).turns[0]
    for nobody in (-1, 99):
        assert case.game.choices(first.before, nobody) == []
        with pytest.raises(IllegalAction, match=f"There is no seat {nobody}"):
            case.game.play(first.before, nobody, first.action)


@every_case
def test_whoever_is_away_gets_a_legal_action_which_depends_on_nothing_but_the_generator(case):
    game = case.game
    for number, state in enumerate(played(case).some_states(40)):
        for seat in may_act(game, state):
            action = passive_action(game, state, seat, random.Random(number))
            assert is_whole(game, state, seat, action)
            game.play(state, seat, action)
            assert passive_action(game, state, seat, random.Random(number)) == action


@every_case
def test_a_passive_action_is_taken_wherever_there_is_one(case):
    game = case.game
    for number, state in enumerate(played(case).some_states(40)):
        for seat in may_act(game, state):
            offered = {choice.token for choice in game.choices(state, seat)}
            passive = [token for token in game.passive_tokens if token in offered]
            if passive:
                assert passive_action(game, state, seat, random.Random(number))[0] == passive[0]


@every_case
def test_nothing_is_done_for_a_seat_that_may_not_act(case):
    game = case.game
    for state in played(case).some_states(6):
        for seat in set(range(case.seats)) - set(may_act(game, state)):
            with pytest.raises(IllegalAction):
                passive_action(game, state, seat, random.Random(0))


@every_case
def test_an_action_may_be_given_as_a_list(case):
    game = case.game
    for turn in played(case).some_turns(6):
        assert turn.action is not None
        assert game.play(turn.before, turn.seat, list(turn.action)).state == turn.step.state
        for length in range(len(turn.action)):
            prefix = turn.action[:length]
            assert game.choices(turn.before, turn.seat, list(prefix)) == game.choices(turn.before, turn.seat, prefix)


@every_case
def test_what_is_written_is_read_back_as_the_same_action(case):
    game = case.game
    for turn in played(case).some_turns(60):
        assert turn.action is not None
        written = part_of(game, Words).notate(turn.before, turn.seat, turn.action)
        assert part_of(game, Words).parse(turn.before, turn.seat, written) == turn.action
        assert part_of(game, Words).parse(turn.before, turn.seat, " ".join(turn.action)) == turn.action
        assert part_of(game, Words).parse(turn.before, turn.seat, f"  {'  '.join(turn.action).upper()} ") == turn.action


@every_case
def test_buttons_under_the_board_are_legal_actions_of_awaited_seats(case):
    game = case.game
    for state in played(case).some_states(40):
        shortcuts = part_of(game, Buttons).shortcuts(game.view(state))
        assert len(shortcuts) <= 5
        assert len({shortcut.action for shortcut in shortcuts}) == len(shortcuts)
        for shortcut in shortcuts:
            assert isinstance(shortcut.label, Text)
            assert shortcut.label
            for seat in game.to_act(state):
                check(game, state, seat, shortcut.action)
        if not game.to_act(state):
            assert shortcuts == ()


@every_case
def test_what_goes_on_from_the_last_action_can_go_on_and_the_rest_of_a_turn_can_be_played_to_its_end(case):
    game = case.game
    buttons = part_of(game, Buttons)
    for turn in played(case).some_turns(60):
        state, seat = turn.step.state, turn.seat
        assert turn.action is not None
        begun = buttons.following(state, seat, turn.action)
        assert not begun or game.choices(state, seat, begun)
        for action in buttons.rest(state, seat):
            assert seat in game.to_act(state)
            check(game, state, seat, action)
            step = foresee(game, state, seat, action)
            assert step is not None
            assert not any(event.major for event in step.events)
            state = step.state
