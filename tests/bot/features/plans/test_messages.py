"""A plan played forward: its branches, their words, and clicks that always fit."""

import random
from collections.abc import Iterator
from typing import Any

import pytest
from discord import ui
from hypothesis import given, settings
from hypothesis import strategies as st

from bot.core.table.history import History
from bot.core.table.snapshot import Snapshot
from bot.features.plans.ahead import ABBREVIATED, Ahead, abbreviate, abbreviate_if_long, expand, forward
from bot.features.plans.messages import plan_message
from bot.features.plans.orders import OrdersPanel, orders_message
from bot.i18n.language import language
from bot.messages.click import LONGEST, Click
from bot.messages.pictures import Perspective
from engines import GAMES
from engines.actions import Action
from engines.game import Orders, legal_actions, part_of
from storage.schema.records import Plan, Reply, Seat, SeatStatus, Status, Table
from tests.bot.service import some

BOUNCERS = GAMES["bouncers"]


def history_of(variant: str | None = None, moves: int = 1, dice: random.Random | None = None) -> History:
    """A random game of Bouncers after so many moves, by default one by Red."""
    dice = dice or random.Random(5)
    history = History(BOUNCERS, 2, BOUNCERS.start(2, variant))
    for _ in range(moves):
        if history.to_act:
            after = some(forward(history, random_action(history, dice)))
            history = after
    return history


def random_action(history: History, dice: random.Random) -> Action:
    (seat,) = history.to_act
    return dice.choice(list(legal_actions(BOUNCERS, history.state, seat)))


def table_of(history: History, *names: str, plans: tuple[Plan, ...] = ()) -> Snapshot:
    """A table with a running game of people with these names and ids from 1."""
    table = Table(
        id=1, guild_id=1, channel_id=1, game=history.game.id, variant=history.first.variant, wanted=len(names), opened_by=1,
        status=Status.PLAYING, version=history.version, created_at=0.0,
    )  # fmt: skip
    people = tuple(
        Seat(table_id=1, place=n, user_id=n + 1, name=name, status=SeatStatus.JOINED, asked_at=0.0)
        for n, name in enumerate(names)
    )
    return Snapshot(table, people, history, plans=plans)


def ahead_of(*replies: Reply, history: History | None = None, seat: int = 0) -> Ahead:
    snapshot = table_of(history or history_of(), "Ann", "Ben")
    return Ahead.of(snapshot, seat, Plan(table_id=1, seat=seat, user_id=seat + 1, revision=3, replies=replies))


def random_reply(history: History, seat: int, dice: random.Random, depth: int) -> Reply | None:
    """A reply to some action of the other seat, with further ones after it."""
    theirs = random_action(history, dice)
    answered = forward(history, theirs)
    if answered is None or seat not in answered.to_act:
        return None
    mine = random_action(answered, dice)
    after = some(forward(answered, mine))
    return Reply(theirs, mine, random_replies(after, seat, dice, depth - 1))


def random_replies(history: History, seat: int, dice: random.Random, depth: int) -> tuple[Reply, ...]:
    if depth == 0 or not history.to_act:
        return ()
    made = (random_reply(history, seat, dice, depth) for _ in range(dice.choice([1, 1, 2, 3])))
    found = {reply.theirs: reply for reply in made if reply is not None}
    return tuple(found.values())


def all_of(replies: tuple[Reply, ...], path: tuple[int, ...] = ()) -> Iterator[tuple[tuple[int, ...], Reply]]:
    for index, reply in enumerate(replies):
        yield (*path, index), reply
        yield from all_of(reply.then, (*path, index))


@pytest.mark.slow
@settings(max_examples=40, deadline=None)
@given(st.integers(0, 10**6))
def test_the_branches_are_the_replies_of_the_tree_each_played_forward(number: int) -> None:
    dice = random.Random(number)
    history = history_of(moves=1 + 2 * dice.randrange(15), dice=dice)
    if not history.to_act:
        return
    ahead = ahead_of(*random_replies(history, 0, dice, 3), history=history)
    expected = list(all_of(ahead.plan.replies))
    assert [(branch.path, branch.reply.theirs, branch.reply.mine) for branch in ahead.replies] == [
        (path, reply.theirs, reply.mine) for path, reply in expected
    ]
    assert [branch.number for branch in ahead.branches] == list(range(len(expected) + 1))
    for branch in ahead.replies:
        parent = ahead.parent(branch)
        answered = BOUNCERS.play(parent.history.state, 1, branch.reply.theirs).state
        assert branch.history.state == BOUNCERS.play(answered, 0, branch.reply.mine).state
        assert ahead.answer(parent, branch.reply.theirs) == branch
        assert branch in ahead.after(parent)
        assert ahead.below(branch) == sum(path[: len(branch.path)] == branch.path for path, _ in expected) - 1


def test_an_illegal_reply_is_left_out_with_all_that_follows_it() -> None:
    history = history_of(moves=0)
    fair = random_replies(forward(history, ("b2", "b3")) or history, 0, random.Random(1), 2)
    wrong = Reply(("b7", "b1"), ("c2", "c3"), fair)
    ahead = ahead_of(wrong, *fair, history=forward(history, ("b2", "b3")))
    assert [branch.path[0] for branch in ahead.replies if len(branch.path) == 1] == list(range(1, len(fair) + 1))


def reply(theirs: str, mine: str, *then: Reply) -> Reply:
    return Reply(tuple(theirs.split()), tuple(mine.split()), then)


async def written(ahead: Ahead, number: int = 0, **how: Any) -> list[str]:
    """The lines of the tree in the message."""
    perspective = Perspective(seat=0, language=language("en"))
    builder = await plan_message(ahead, ahead.branch(number), perspective, **how)
    shown = [item.content for item in builder.items if hasattr(item, "content")]
    return [line for text in shown for line in text.split("\n") if line.lstrip().startswith("- ")]


RED_HAS_MOVED = forward(history_of(moves=0), ("b2", "b3"))


async def test_a_line_of_replies_is_one_line_and_branches_are_indented() -> None:
    tree = (
        reply("b7 b6", "c2 c3", reply("c7 c6", "d2 d3", reply("d7 d6", "e2 e3"))),
        reply("c7 c6", "c2 c3", reply("b7 b6", "d2 d3"), reply("d7 d6", "e2 e3")),
    )
    assert await written(ahead_of(*tree, history=RED_HAS_MOVED)) == [
        "- if “b7 → b6”: “c2 → c3” · then if “c7 → c6”: “d2 → d3” · then if “d7 → d6”: “e2 → e3”",
        "- if “c7 → c6”: “c2 → c3”",
        "  - then if “b7 → b6”: “d2 → d3”",
        "  - then if “d7 → d6”: “e2 → e3”",
    ]


async def test_the_selected_reply_is_bold() -> None:
    tree = (reply("b7 b6", "c2 c3", reply("c7 c6", "d2 d3")), reply("c7 c6", "c2 c3"))
    assert await written(ahead_of(*tree, history=RED_HAS_MOVED), 2) == [
        "- if “b7 → b6”: “c2 → c3” · **then if “c7 → c6”: “d2 → d3”**",
        "- if “c7 → c6”: “c2 → c3”",
    ]


def forty() -> Ahead:
    """A plan of forty replies: two lines of twenty."""
    dice = random.Random(11)
    history = some(RED_HAS_MOVED)

    def line(now: History, length: int, first: int) -> tuple[Reply, ...]:
        if not length:
            return ()
        theirs = list(legal_actions(BOUNCERS, now.state, 1))[first]
        answered = some(forward(now, theirs))
        mine = random_action(answered, dice)
        after = some(forward(answered, mine))
        return (Reply(theirs, mine, line(after, length - 1, 0)),)

    return ahead_of(*line(history, 20, 0), *line(history, 20, 1), history=history)


async def test_forty_replies_fit_into_a_message_and_each_can_be_gone_to() -> None:
    ahead = forty()
    assert len(ahead.replies) == 40
    perspective = Perspective(seat=0, language=language("en"))
    found: list[str] = []
    for page in (0, 1):
        builder = await plan_message(ahead, ahead.branch(30), perspective, page=page)
        layout = builder.layout().to_components()
        assert len(str(layout)) > 0
        menu = next(item for row in layout[0]["components"] for item in row.get("components", []) if item["type"] == 3)
        found += [option["value"] for option in menu["options"]]
        assert len(menu["options"]) <= 25
        assert all(0 < len(option["label"]) <= 100 for option in menu["options"])
        assert all(0 < len(option.get("description") or "-") <= 100 for option in menu["options"])
    assert found == [str(number) for number in range(1, 41)]


@pytest.mark.slow
@settings(max_examples=60, deadline=None)
@given(number=st.integers(0, 10**6), variant=st.sampled_from(BOUNCERS.variants))
def test_an_action_can_be_abbreviated_and_read_back_with_what_follows(number: int, variant: str) -> None:
    dice = random.Random(number)
    history = history_of(variant, dice.randrange(60), dice)
    if not history.to_act:
        return
    action = random_action(history, dice)
    for length in range(1, len(action) + 1):
        prefix, rest = action[:length], action[length:]
        assert expand(history, (*abbreviate(prefix), *rest)) == action
        assert expand(history, (*abbreviate_if_long(prefix), *rest)) == action
    assert expand(history, abbreviate(("a1", "z9"))) is None


@pytest.mark.slow
@settings(max_examples=30, deadline=None)
@given(number=st.integers(0, 10**6), variant=st.sampled_from(BOUNCERS.variants))
def test_however_long_an_action_is_each_click_on_the_way_to_it_fits(number: int, variant: str) -> None:
    dice = random.Random(number)
    history = history_of(variant, dice.randrange(80), dice)
    if not history.to_act:
        return
    longest = max(legal_actions(BOUNCERS, history.state, history.to_act[0]), key=lambda action: len(" ".join(action)))
    for length in range(len(longest)):
        tokens = ("999999", "40", *abbreviate(longest), *abbreviate_if_long(longest[:length]), longest[length])
        click = Click("plan-then", 10**10 - 1, 99999, 99, tokens)
        assert len(click.custom_id) <= LONGEST
        assert Click.read(click.custom_id) == click


def test_no_token_of_a_game_looks_like_an_abbreviation() -> None:
    assert not any(game.token_pattern.fullmatch(ABBREVIATED + "a") for game in GAMES.values())


def test_an_order_already_given_is_not_offered_as_a_shortcut() -> None:
    game = GAMES["pucks"]
    history = History(game, 3, game.start(3, None))
    seat = next(seat for seat in range(3) if seat not in history.to_act)
    (shortcut,) = part_of(game, Orders).order_shortcuts(history.state, seat)
    for orders, offered in (((), True), ((shortcut.action,), False)):
        plan = Plan(table_id=1, seat=seat, user_id=seat + 1, revision=1, orders=orders)
        snapshot = table_of(history, "Ann", "Ben", "Cleo", plans=(plan,))
        panel = OrdersPanel(snapshot, seat, Perspective(seat=seat, language=language("en")))
        rows = [item for item in orders_message(panel).items if isinstance(item, ui.ActionRow)]
        labels = [child.label for row in rows for child in row.children if isinstance(child, ui.Button)]
        assert (str(shortcut.label) in labels) is offered
