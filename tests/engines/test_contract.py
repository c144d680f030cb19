"""Every registered game, in every variant and with every number of players, keeps the contract of `engines.game`."""

import json
import random
import re
from dataclasses import FrozenInstanceError, fields, is_dataclass
from enum import Enum
from importlib import resources
from itertools import islice
from typing import Any

import pytest

from engines import GAMES
from engines.chance import Fair
from engines.game import Choice, Game, IllegalAction, IncompleteAction, MalformedAction, legal_actions
from engines.text import Text
from tests.engines.contract_games import Case, every_case, every_game, played, random_action, still_in
from tests.engines.playthrough import FOLDER, file_name, playthrough, playthroughs

OTHER_SEED = bytes(range(32, 64))


def everybody(case: Case) -> list[int | None]:
    return [None, *range(case.seats)]


# --- the registry -----------------------------------------------------------------------------------------------------------


def test_there_are_games():
    assert GAMES


def test_every_folder_beside_the_contract_is_a_game_of_that_id():
    folders = {entry.name for entry in resources.files("engines").iterdir() if (entry / "__init__.py").is_file()}
    assert folders == set(GAMES)


@pytest.mark.parametrize("game_id", GAMES)
def test_a_game_is_registered_under_its_own_id_and_says_what_it_is(game_id):
    game = GAMES[game_id]
    assert game.id == game_id
    assert re.fullmatch(r"[a-z]+", game_id)
    assert game.title
    assert isinstance(game.summary, Text)
    assert len(game.seats) >= 1
    assert 1 <= game.seats[0] <= game.seats[-1] <= 6
    assert game.variants
    assert len(set(game.variants)) == len(game.variants)
    assert list(game.variant_titles) == list(game.variants)
    assert all(isinstance(title, Text) and title for title in game.variant_titles.values())
    assert all(isinstance(option.title, Text) and len(set(option.values)) >= 2 for option in game.options.values())


@every_game
def test_a_game_that_does_not_exist_cannot_be_started(game):
    for seats in (game.seats[0] - 1, game.seats[-1] + 1):
        with pytest.raises(ValueError):
            game.start(seats)
    with pytest.raises(ValueError):
        game.start(game.seats[0], "no-such-variant")
    with pytest.raises(ValueError):
        game.start(game.seats[0], no_such_option="yes")
    for name in game.options:
        with pytest.raises(ValueError):
            game.start(game.seats[0], **{name: "no-such-value"})


@every_game
def test_the_first_variant_and_the_first_value_of_each_option_are_the_defaults(game):
    defaults = {name: option.values[0] for name, option in game.options.items()}
    seats = game.seats[0]
    plainly = game.start(seats, chance=Fair(OTHER_SEED))
    assert plainly == game.start(seats, game.variants[0], Fair(OTHER_SEED), **defaults)


@every_game
def test_a_game_has_a_rules_page_that_discord_can_show(game):
    page = (resources.files(f"engines.{game.id}") / "rules.md").read_text(encoding="utf-8")
    assert page.startswith(f"# {game.title}\n")
    assert len(page) > 500
    assert not re.search(r"^\s*\|", page, re.MULTILINE), "Discord shows no tables"
    assert not re.search(r"^#{4,}", page, re.MULTILINE), "Discord has three sizes of headings"
    if len(game.variants) > 1:
        assert [variant for variant in game.variants if f"`{variant}`" not in page] == []


# --- games from the beginning to the end ------------------------------------------------------------------------------------


@every_case
@pytest.mark.parametrize("leaving", [False, True], ids=["staying", "leaving"])
def test_a_random_game_comes_to_an_end_with_a_result(case, leaving):
    end = played(case, leaving).end
    outcome = case.game.outcome(end)
    assert outcome is not None
    assert list(outcome.winners) == sorted(set(outcome.winners) & set(range(case.seats)))
    assert isinstance(outcome.reason, Text)
    assert outcome.reason


@pytest.mark.parametrize(("game_id", "variant"), playthroughs())
def test_players_who_know_nothing_of_a_game_come_to_its_own_end_nevertheless(game_id, variant):
    case = Case(game_id, variant, max(2, GAMES[game_id].seats[0]))
    game, state, dice = case.game, case.start(), random.Random(str(case))
    for _ in range(20_000):
        if game.outcome(state) is not None:
            break
        seat = dice.choice(game.to_act(state))
        state = game.play(state, seat, random_action(game, state, seat, dice)).state
    assert game.outcome(state) is not None


@every_case
@pytest.mark.parametrize("leaving", [False, True], ids=["staying", "leaving"])
def test_somebody_is_waited_for_exactly_until_the_game_is_over(case, leaving):
    game = case.game
    for state in played(case, leaving).states:
        to_act, may_act = game.to_act(state), game.may_act(state)
        assert (game.outcome(state) is None) == bool(to_act)
        assert len(set(to_act)) == len(to_act)
        assert set(to_act) <= set(may_act) <= set(range(case.seats))
        assert not set(may_act) & set(game.view(state).out)


@every_case
def test_those_may_act_who_have_a_choice(case):
    for state in played(case).some_states(12):
        with_choices = [seat for seat in range(case.seats) if case.game.choices(state, seat)]
        assert sorted(case.game.may_act(state)) == with_choices


# --- choices and actions ----------------------------------------------------------------------------------------------------


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
        for seat in game.may_act(state):
            action = random_action(game, state, seat, dice)
            for length in range(len(action) + 1):
                assert_good_choices(game, game.choices(state, seat, action[:length]))
            game.play(state, seat, action)
            game.play(state, seat, list(action))


@every_case
def test_the_legal_actions_are_those_that_the_choices_lead_to(case):
    game = case.game
    has_own_way = type(game).legal_actions is not Game.legal_actions
    for state in played(case).some_states(8):
        for seat in range(case.seats):
            listed = list(islice(legal_actions(game, state, seat), 400 if has_own_way else 20))
            assert len(set(listed)) == len(listed)
            assert bool(listed) == (seat in game.may_act(state))
            if has_own_way:
                assert listed == list(islice(Game.legal_actions(game, state, seat), 400))
            for action in listed[:: max(1, len(listed) // 4)]:
                game.play(state, seat, action)


@every_case
def test_a_wrong_token_is_named_with_what_is_possible_in_its_place(case):
    game, dice = case.game, random.Random(str(case))
    for state in played(case).some_states(6)[:-1]:
        for seat in game.may_act(state):
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
                    assert wrong in error.message
                    assert game.choices(state, seat, tried[: index + 1]) == []


@every_case
def test_an_action_that_stops_too_early_says_what_is_missing(case):
    game, dice = case.game, random.Random(str(case))
    for state in played(case).some_states(6)[:-1]:
        for seat in game.may_act(state):
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
def test_who_may_not_act_is_told_so(case):
    game = case.game
    for turn in (*played(case).some_turns(6), played(case).turns[-1]):
        for state in (turn.before, turn.step.state):
            for seat in set(range(case.seats)) - set(game.may_act(state)):
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
        for seat in game.may_act(state):
            action = game.absent_action(state, seat, random.Random(number))
            assert game.is_whole(state, seat, action)
            game.play(state, seat, action)
            assert game.absent_action(state, seat, random.Random(number)) == action


@every_case
def test_a_passive_action_is_taken_wherever_there_is_one(case):
    game = case.game
    for number, state in enumerate(played(case).some_states(40)):
        for seat in game.may_act(state):
            offered = {choice.token for choice in game.choices(state, seat)}
            passive = [token for token in game.passive_tokens if token in offered]
            if passive:
                assert game.absent_action(state, seat, random.Random(number))[0] == passive[0]


@every_case
def test_nothing_is_done_for_a_seat_that_may_not_act(case):
    game = case.game
    for state in played(case).some_states(6):
        for seat in set(range(case.seats)) - set(game.may_act(state)):
            with pytest.raises(IllegalAction):
                game.absent_action(state, seat, random.Random(0))


@every_case
def test_an_action_may_be_given_as_a_list(case):
    game = case.game
    for turn in played(case).some_turns(6):
        assert game.play(turn.before, turn.seat, list(turn.action)).state == turn.step.state
        for length in range(len(turn.action)):
            prefix = turn.action[:length]
            assert game.choices(turn.before, turn.seat, list(prefix)) == game.choices(turn.before, turn.seat, prefix)


@every_case
def test_what_is_written_is_read_back_as_the_same_action(case):
    game = case.game
    for turn in played(case).some_turns(60):
        written = game.notate(turn.before, turn.seat, turn.action)
        assert game.parse(turn.before, turn.seat, written) == turn.action
        assert game.parse(turn.before, turn.seat, " ".join(turn.action)) == turn.action
        assert game.parse(turn.before, turn.seat, f"  {'  '.join(turn.action).upper()} ") == turn.action


@every_case
def test_buttons_under_the_board_are_legal_actions_of_who_is_waited_for(case):
    game = case.game
    for state in played(case).some_states(40):
        shortcuts = game.shortcuts(game.view(state))
        assert len(shortcuts) <= 5
        assert len({shortcut.action for shortcut in shortcuts}) == len(shortcuts)
        for shortcut in shortcuts:
            assert isinstance(shortcut.label, Text)
            assert shortcut.label
            for seat in game.to_act(state):
                game.check(state, seat, shortcut.action)
        if not game.to_act(state):
            assert shortcuts == ()


# --- states are values ------------------------------------------------------------------------------------------------------


def assert_immutable(value: object, where: str) -> None:
    """Fail for anything that could be changed from outside, however deep it lies."""
    if is_dataclass(value) and not isinstance(value, type):
        assert value.__dataclass_params__.frozen, f"{where} is a dataclass that is not frozen"
        for field in fields(value):
            assert_immutable(getattr(value, field.name), f"{where}.{field.name}")
    elif isinstance(value, tuple | frozenset):
        for number, item in enumerate(value):
            assert_immutable(item, f"{where}[{number}]")
    else:
        allowed = str | bytes | int | float | Enum | None
        assert isinstance(value, allowed), f"{where} is a {type(value).__name__}"


@every_case
@pytest.mark.parametrize("leaving", [False, True], ids=["staying", "leaving"])
def test_nothing_in_a_state_or_a_view_or_an_event_can_be_changed(case, leaving):
    game = case.game
    for state in played(case, leaving).some_states(10):
        assert_immutable(state, "state")
        hash(state)
        with pytest.raises((FrozenInstanceError, AttributeError, TypeError)):
            setattr(state, fields(state)[0].name, None)
        for seat in everybody(case):
            assert_immutable(game.view(state, seat), "view")
    for turn in played(case, leaving).turns:
        assert_immutable(turn.step.events, "events")


@every_case
def test_playing_leaves_the_state_before_as_it_was(case):
    game = case.game
    for turn in played(case).some_turns(10):
        before = game.position(turn.before, secret=True)
        again = game.play(turn.before, turn.seat, turn.action)
        assert again == turn.step
        assert game.position(turn.before, secret=True) == before
        assert game.position(again.state, secret=True) == game.position(turn.step.state, secret=True)


@every_case
@pytest.mark.parametrize("leaving", [False, True], ids=["staying", "leaving"])
def test_the_seed_and_the_log_give_the_same_game_again(case, leaving):
    game, state = case.game, case.start()
    for turn in played(case, leaving).turns:
        step = game.withdraw(state, turn.seat) if turn.action is None else game.play(state, turn.seat, turn.action)
        assert step.events == turn.step.events
        state = step.state
    assert state == played(case, leaving).end
    assert game.position(state, secret=True) == game.position(played(case, leaving).end, secret=True)


# --- positions --------------------------------------------------------------------------------------------------------------


@every_case
@pytest.mark.parametrize("leaving", [False, True], ids=["staying", "leaving"])
def test_a_position_that_is_written_is_read_back_as_the_same_state(case, leaving):
    game = case.game
    for state in played(case, leaving).some_states(25):
        written = json.loads(json.dumps(game.position(state)))
        assert "chance" not in written
        assert game.from_position(written) == state
        assert game.position(game.from_position(written)) == written


@every_case
def test_a_secret_position_carries_the_stream_on(case):
    game = case.game
    for turn in played(case).some_turns(12):
        written = json.loads(json.dumps(game.position(turn.before, secret=True)))
        read = game.from_position(written)
        assert game.position(read, secret=True) == written
        after = game.play(read, turn.seat, turn.action)
        assert after.events == turn.step.events
        assert game.position(after.state, secret=True) == game.position(turn.step.state, secret=True)


@every_case
def test_a_position_can_be_given_another_stream(case):
    game, stream = case.game, Fair(OTHER_SEED, 3)
    read = game.from_position(game.position(case.start(), secret=True), stream)
    assert game.position(read, secret=True)["chance"] == stream.to_json()


@every_game
@pytest.mark.parametrize("nonsense", [{}, {"variant": 7}, {"to_move": "me"}, {"variant": "no-such-variant", "to_move": 0}])
def test_what_is_no_position_is_refused(game, nonsense):
    with pytest.raises(ValueError) as caught:
        game.from_position(nonsense)
    assert str(caught.value)


# --- leaving ----------------------------------------------------------------------------------------------------------------


@every_case
def test_anybody_may_leave_at_any_time_but_only_once(case):
    game = case.game
    for state in played(case).some_states(8)[:-1]:
        for seat in still_in(game, state):
            step = game.withdraw(state, seat)
            assert seat in game.view(step.state).out
            assert seat not in game.may_act(step.state)
            assert step.events
            assert any(event.known_to(None) for event in step.events)
            with pytest.raises(ValueError):
                game.withdraw(step.state, seat)


@every_case
def test_if_all_but_one_leave_the_last_one_wins(case):
    game, state = case.game, case.start()
    for seat in range(case.seats - 1):
        assert game.outcome(state) is None
        state = game.withdraw(state, seat).state
    outcome = game.outcome(state)
    if case.seats > 1:
        assert outcome is not None
        assert outcome.winners == (case.seats - 1,)
    else:
        assert outcome is None
        over = game.outcome(game.withdraw(state, 0).state)
        assert over is not None
        assert over.winners == ()


# --- words ------------------------------------------------------------------------------------------------------------------


@every_case
@pytest.mark.parametrize("leaving", [False, True], ids=["staying", "leaving"])
def test_everything_that_is_said_can_be_translated(case, leaving):
    game, game_played = case.game, played(case, leaving)
    for turn in game_played.turns:
        assert turn.step.events
        for event in turn.step.events:
            assert isinstance(event.text, Text)
            assert event.text
            assert re.fullmatch(r"[a-z-]+", event.kind)
            assert event.seat in everybody(case)
            assert event.private_to in everybody(case)
    for state in game_played.some_states(10):
        for seat in everybody(case):
            view = game.view(state, seat)
            assert isinstance(game.describe(view), Text)
            assert game.describe(view)
            assert game.hand(view) is None or isinstance(game.hand(view), Text)
            assert all(isinstance(score, Text) for score in view.scores)


@every_case
def test_a_view_says_whose_it_is_and_how_the_game_stands(case):
    game = case.game
    for state in played(case).some_states(15):
        for seat in everybody(case):
            view = game.view(state, seat)
            assert view == game.view(state, seat)
            assert (view.variant, view.seats, view.seat) == (case.variant, case.seats, seat)
            assert (view.to_act, view.outcome) == (game.to_act(state), game.outcome(state))
            assert len(view.scores) == case.seats
            assert set(view.out) <= set(range(case.seats))


# --- secrets ----------------------------------------------------------------------------------------------------------------


@every_case
def test_nobody_can_tell_apart_two_states_that_differ_in_what_they_cannot_know(case):
    game = case.game
    for number, state in enumerate(played(case).some_states(8)):
        for seat in everybody(case):
            other = game.resample(state, seat, Fair(OTHER_SEED, 1000 * number))
            view = game.view(state, seat)
            assert game.view(other, seat) == view
            assert game.describe(game.view(other, seat)) == game.describe(view)
            assert game.hand(game.view(other, seat)) == game.hand(view)
            assert game.shortcuts(game.view(other)) == game.shortcuts(game.view(state))
            assert (game.outcome(other), game.to_act(other)) == (game.outcome(state), game.to_act(state))
            if seat is not None:
                assert_same_choices(game, state, other, seat, random.Random(number))


def assert_same_choices(game: Game[Any, Any], state: Any, other: Any, seat: int, dice: random.Random) -> None:
    """The same choices along a random action, and the same words about a wrong one."""
    assert game.choices(other, seat) == game.choices(state, seat)
    action = random_action(game, state, seat, dice) if game.choices(state, seat) else ()
    for length in range(1, len(action) + 1):
        assert game.choices(other, seat, action[:length]) == game.choices(state, seat, action[:length])
    messages = []
    for each in (state, other):
        with pytest.raises(IllegalAction) as caught:
            game.play(each, seat, (*action[:-1], "?!"))
        messages.append(str(caught.value))
    assert messages[0] == messages[1]


@every_game
def test_only_a_game_with_secrets_has_other_states_that_look_the_same(game):
    case = Case(game.id, game.variants[0], game.seats[-1])
    for seat in (None, 0):
        states = played(case).some_states(10)[:-1]
        others = [game.resample(state, seat, Fair(OTHER_SEED)) for state in states]
        assert (
            any(game.position(other) != game.position(state) for state, other in zip(states, others, strict=True))
            == game.secret
        )


@every_case
def test_what_is_told_to_one_is_not_told_to_all(case):
    for turn in played(case).turns:
        private = [event for event in turn.step.events if event.private_to is not None]
        assert case.game.secret or not private
        for event in private:
            for told in turn.step.events:
                if told.private_to != event.private_to:
                    assert told.text != event.text
                    assert told.detail is None or told.detail != event.detail


@every_case
def test_nothing_that_was_drawn_or_shown_to_one_alone_can_be_taken_back(case):
    game = case.game
    for turn in played(case).some_turns(40):
        stream_before, stream_after = (game.position(state, secret=True)["chance"] for state in (turn.before, turn.step.state))
        chancy = stream_before != stream_after
        private = any(event.private_to is not None for event in turn.step.events)
        reversible = game.reversible(turn.before, turn.action, turn.step)
        if chancy or private:
            assert not reversible
        elif not game.secret:
            assert reversible


@every_case
def test_when_nothing_is_hidden_any_more_all_states_look_different_that_are(case):
    game = case.game
    for state in played(case).some_states(8):
        other = game.resample(state, None, Fair(OTHER_SEED))
        shown = game.revealed(state)
        assert (shown.seat, shown.seats, shown.to_act, shown.outcome) == (
            None, case.seats, game.to_act(state), game.outcome(state),
        )  # fmt: skip
        if not game.secret:
            assert shown == game.view(state)
        elif shown == game.revealed(other):
            assert game.position(other) == game.position(state)


@every_game
def test_only_a_game_with_secrets_has_something_to_remember(game):
    assert game.secret or not game.memory


@every_case
def test_only_a_game_with_secrets_shows_anybody_more_than_everybody(case):
    game = case.game
    hands = {game.hand(game.view(state, seat)) for state in played(case).some_states(8) for seat in everybody(case)}
    assert game.secret or hands == {None}
    for state in played(case).some_states(8):
        assert game.hand(game.view(state)) is None
        if not game.secret:
            assert {game.describe(game.view(state, seat)) for seat in everybody(case)} == {game.describe(game.view(state))}


# --- golden playthroughs ----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("game_id", "variant"), playthroughs())
def test_a_game_still_goes_as_it_was_once_seen_to_go(game_id, variant):
    path = FOLDER / file_name(game_id, variant)
    assert path.exists(), f"{path.name} is missing; python -m tests.engines.playthrough --write {game_id} makes it"
    assert playthrough(game_id, variant) == path.read_text(encoding="utf-8")
    assert path.stat().st_size < 60_000


def test_there_is_no_playthrough_of_a_game_that_does_not_exist():
    known = {file_name(game_id, variant) for game_id, variant in playthroughs()}
    assert {path.name for path in FOLDER.iterdir()} <= known
