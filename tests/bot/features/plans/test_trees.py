"""Trees of replies over random games: plans lead to exactly what is played by hand."""

import random
from collections.abc import Mapping
from dataclasses import replace

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from bot.core.table.history import History
from bot.core.table.snapshot import Tree, size
from bot.features.plans.answering import with_answers
from bot.features.plans.tree import MOST_REPLIES, along, below, played_forward, with_reply, without
from engines.game import Action
from storage.schema.records import Entry, EntryKind, Plan, Reply
from tests.engines.contract_games import CASES, Case, random_action

PLANNABLE = [case for case in CASES if case.game.conditional]


def begun(case: Case) -> History:
    return History(case.game, case.seats, case.start(), start="0" * 64)


def planned_by(history: History, seat: int, dice: random.Random, most: int = MOST_REPLIES) -> Tree:
    """A random tree of legal replies for a waiting seat."""
    tree: Tree = ()
    paths: list[tuple[int, ...]] = [()]
    game = history.game
    for _ in range(dice.randint(1, most)):
        path = dice.choice(paths)
        state = played_forward(history, seat, along(tree, path))
        others = [other for other in game.to_act(state) if other != seat]
        if not others:
            continue
        theirs = random_action(game, state, others[0], dice)
        after = game.play(state, others[0], theirs).state
        if seat in game.to_act(after):
            tree = with_reply(tree, path, theirs, random_action(game, after, seat, dice))
            paths = list(all_paths(tree))
    return tree


def all_paths(tree: Tree, before: tuple[int, ...] = ()) -> list[tuple[int, ...]]:
    """The paths to everything in a tree, starting with the empty one."""
    return [before, *(path for n, reply in enumerate(tree) for path in all_paths(reply.then, (*before, n)))]


def entry(history: History, seat: int, action: Action) -> Entry:
    return Entry(
        table_id=1, number=history.version + 1, kind=EntryKind.PLAY, seat=seat, tokens=action, user_id=seat + 1, at=7.0
    )


def moved(history: History, tree: Tree, dice: random.Random) -> tuple[int, Action]:
    """An action played by hand, usually one that the other has foreseen."""
    seat = history.to_act[0]
    foreseen = [reply.theirs for reply in tree]
    if foreseen and dice.random() < 0.8:
        return seat, dice.choice(foreseen)
    return seat, random_action(history.game, history.state, seat, dice)


@pytest.mark.slow
@settings(max_examples=150, deadline=None, suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large])
@given(case=st.sampled_from(PLANNABLE), dice=st.randoms(use_true_random=False), clicks=st.integers(1, 12))
def test_a_game_with_plans_equals_the_game_played_by_hand(case: Case, dice: random.Random, clicks: int) -> None:
    history = by_hand = begun(case)
    plans: Mapping[int, Plan] = {}
    fired = 0
    for _ in range(clicks):
        if history.outcome is not None:
            break
        waiting = 1 - history.to_act[0]
        before = plans.get(waiting, Plan(table_id=1, user_id=waiting + 1, seat=waiting))
        if not before.replies:
            before = replace(before, replies=planned_by(history, waiting, dice, 15))
        seat, action = moved(history, before.replies, dice)
        expected = next((reply for reply in before.replies if reply.theirs == action), None)
        history, plans = with_answers(history.with_new_entry(entry(history, seat, action)), {waiting: before})
        fired += expected is not None
        by_hand = by_hand.with_new_entry(entry(by_hand, seat, action))
        if expected is not None:
            by_hand = by_hand.with_new_entry(entry(by_hand, waiting, expected.mine))
        assert plans[waiting].replies == (() if expected is None else expected.then)
        assert (history.version, history.state, history.to_act, history.link) == (
            by_hand.version, by_hand.state, by_hand.to_act, by_hand.link,
        )  # fmt: skip
    assert sum(logged.entry.fired for logged in history.log) == fired
    assert [replace(logged.entry, fired=False) for logged in history.log] == [logged.entry for logged in by_hand.log]
    assert [logged.events for logged in history.log] == [logged.events for logged in by_hand.log]


@settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large])
@given(case=st.sampled_from(PLANNABLE), dice=st.randoms(use_true_random=False))
def test_every_part_of_a_tree_can_be_found_replaced_and_removed(case: Case, dice: random.Random) -> None:
    history = begun(case)
    tree = planned_by(history, 1, dice, 20)
    paths = all_paths(tree)
    assert len(paths) == size(tree) + 1 <= MOST_REPLIES + 1
    for path in paths[1:]:
        reply = along(tree, path)[-1]
        assert below(tree, path) == reply.then
        assert size(without(tree, path)) == size(tree) - 1 - size(reply.then)
        assert with_reply(tree, path[:-1], reply.theirs, reply.mine) == tree
        other = ("another", "answer")
        changed = with_reply(tree, path[:-1], reply.theirs, other)
        assert along(changed, path)[-1] == Reply(reply.theirs, other)
        assert without(changed, path) == without(tree, path)
    assert without(tree, ()) == ()
