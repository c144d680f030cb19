"""Planning ahead in Discord: the private panel, what becomes of a plan, and what others learn of it."""

import random
from collections.abc import Sequence

import pytest
from simcord.actors import MemberActor

from bot.features.plans.service import Plans
from bot.messages.click import Click
from engines import GAMES
from engines.game import Action, action_words, legal_actions
from tests.bot.forging import forged
from tests.bot.kit import Message, World, buttons, labels, press, reply, select, selects
from tests.bot.seated import Seated, all_that_is_public, all_that_is_seen, open_table, pings, user_of
from tests.bot.service import some
from tests.bot.ways import by_way, in_words
from tests.marks import quick_first

pytestmark = pytest.mark.slow

BOUNCERS = GAMES["bouncers"]

OPENING = (("b2", "b3"), ("b7", "b6"), ("c2", "c3"), ("c7", "c6"), ("d2", "d3"), ("d7", "d6"), ("e2", "e3"))
"""Moves of both sides that can follow one another."""


@pytest.fixture
async def table(world: World) -> Seated:
    """Ann has made the first move, and Ben is awaited."""
    table = await open_table(world, "bouncers", world.ann, world.ben)
    await table.type(world.ann, OPENING[0])
    return table


async def add(member: MemberActor, panel: Message, theirs: Action, mine: Action) -> None:
    """Pick both moves in the panel to their ends, and keep the reply. What has no alternative picks itself."""
    for action in (theirs, mine):
        for square in action:
            found = [one.label for one in buttons(panel) if one.label.split(",")[0] == square]
            if found:
                await member.click(panel, label=found[0])
        if "That’s it" in labels(panel):
            await member.click(panel, label="That’s it")
    await member.click(panel, label="Save")


async def planned(table: Seated, *chain: tuple[Action, Action]) -> Message:
    """The panel in which Ann has added replies that follow one another."""
    panel = reply(await by_way(table.world.ann, table.channel, "plan"))
    for number, (theirs, mine) in enumerate(chain):
        if number:
            await table.world.ann.click(panel, label="And after that …")
        await add(table.world.ann, panel, theirs, mine)
    return panel


def chain(length: int) -> list[tuple[Action, Action]]:
    return [(OPENING[n], OPENING[n + 1]) for n in range(1, 2 * length, 2)]


# --- making a plan --------------------------------------------------------------------------------------------------------
async def test_a_reply_is_picked_on_the_board_played_forward_and_confirmed_by_name(world: World, table: Seated) -> None:
    panel = reply(await by_way(world.ann, table.channel, "plan"))
    world.says(panel, "**If Ben plays …**", "Only you see this")
    assert labels(panel) == ["a7", "b7", "c7", "d7", "e7", "f7", "g7", "h7"], "Ben’s pieces"
    present = world.picture(panel).png
    await press(world.ann, panel, "b7", "b6")
    assert "**If Ben plays b7 → b6 …**" in world.text(panel)
    await press(world.ann, panel, "That’s it")
    assert "**If Ben plays “b7 → b6”, you play …**" in world.text(panel)
    assert world.picture(panel).png != present
    assert "b6" in world.picture(panel).alt, "the board as it will be"
    await press(world.ann, panel, "c2")
    assert "**If Ben plays “b7 → b6”, you play c2 …**" in world.text(panel)
    await press(world.ann, panel, "c3", "That’s it")
    world.says(panel, "**If Ben plays “b7 → b6”, you play “c2 → c3”.**", "**Ben** bounces b7 → b6.", "**Ann** bounces c2 → c3.")
    assert labels(panel) == ["Save", "Back"]
    assert (await table.snapshot()).plan_of(0).replies == (), "nothing is kept before it is confirmed"
    await press(world.ann, panel, "Save")
    assert "Saved: if Ben plays “b7 → b6”, you play “c2 → c3”." in world.text(panel)
    (kept,) = (await table.snapshot()).plan_of(0).replies
    assert (kept.theirs, kept.mine, kept.then) == (("b7", "b6"), ("c2", "c3"), ())


async def test_going_on_from_a_reply_takes_one_click(world: World, table: Seated) -> None:
    panel = await planned(table, *chain(1))
    await press(world.ann, panel, "And after that …")
    assert "-# after “b7 → b6”, “c2 → c3”\n**If Ben plays …**" in world.text(panel)
    assert "c3" in world.picture(panel).alt
    await add(world.ann, panel, OPENING[3], OPENING[4])
    (first,) = (await table.snapshot()).plan_of(0).replies
    assert [one.theirs for one in first.then] == [("c7", "c6")]
    assert "- if “b7 → b6”: “c2 → c3” · **then if “c7 → c6”: “d2 → d3”**" in world.text(panel)


async def test_back_leads_through_all_decisions_to_the_plan(world: World, table: Seated) -> None:
    panel = await planned(table, *chain(1))
    await press(world.ann, panel, "Current board", "Add a reply", "c7", "c6", "That’s it", "d2")
    seen = []
    while "Back" in labels(panel):
        await press(world.ann, panel, "Back")
        seen.append(next(line for line in world.text(panel).splitlines() if line.startswith("**If ") or "planned" in line))
    assert seen == [
        "**If Ben plays “c7 → c6”, you play …**", "**If Ben plays c7 …**",
        "**If Ben plays …**", "**You’ve planned 1 reply:**",
    ]  # fmt: skip


async def test_another_reply_to_the_same_move_replaces_the_first_and_says_so(world: World, table: Seated) -> None:
    panel = await planned(table, *chain(2))
    await press(world.ann, panel, "Current board", "Add a reply", "b7", "b6", "That’s it")
    assert "Your reply so far is “c2 → c3”. A new one replaces it." in world.text(panel)
    await press(world.ann, panel, "d2", "d3", "That’s it")
    assert "This replaces your reply “c2 → c3” and the one after it." in world.text(panel)
    await press(world.ann, panel, "Save")
    (only,) = (await table.snapshot()).plan_of(0).replies
    assert (only.mine, only.then) == (("d2", "d3"), ())


async def test_the_same_reply_again_changes_nothing(world: World, table: Seated) -> None:
    panel = await planned(table, *chain(2))
    before = (await table.snapshot()).plan_of(0)
    await press(world.ann, panel, "Current board", "Add a reply", "b7", "b6", "That’s it", "c2", "c3", "That’s it")
    assert "That’s in your plan already." in world.text(panel)
    assert (await table.snapshot()).plan_of(0) == before


async def test_a_reply_can_be_gone_to_changed_and_removed_with_what_follows(world: World, table: Seated) -> None:
    panel = await planned(table, *chain(3))
    assert list(select(panel).options) == ["If b7 → b6: c2 → c3", "If c7 → c6: d2 → d3", "If d7 → d6: e2 → e3"]
    await world.ann.select(panel, ["2"])
    world.says(panel, "**then if “c7 → c6”: “d2 → d3”**", "After your reply “d2 → d3”, it’s Ben’s turn.")
    await press(world.ann, panel, "Another reply")
    assert "**If Ben plays “c7 → c6”, you play …**" in world.text(panel)
    await press(world.ann, panel, "e2", "e3", "That’s it", "Save")
    assert "- if “b7 → b6”: “c2 → c3” · **then if “c7 → c6”: “e2 → e3”**" in world.text(panel)
    await world.ann.select(panel, ["1"])
    await press(world.ann, panel, "Remove it and the one after it")
    assert (await table.snapshot()).plan_of(0).replies == ()
    assert "Removed 2 replies." in world.text(panel)


async def test_everything_is_cleared_only_when_it_is_meant(world: World, table: Seated) -> None:
    panel = await planned(table, *chain(2))
    await press(world.ann, panel, "Clear all")
    assert "Clear all 2 planned replies?" in world.text(panel)
    await press(world.ann, panel, "Back")
    assert len((await table.snapshot()).plan_of(0).replies) == 1
    await press(world.ann, panel, "Clear all", "Clear all")
    assert (await table.snapshot()).plan_of(0).replies == ()


async def test_a_plan_of_forty_replies_is_full_and_says_so(world: World, table: Seated) -> None:
    state = (await table.snapshot()).playing.state
    theirs = list(legal_actions(BOUNCERS, state, 1))
    plans, ann = table.core.service(Plans), user_of(world.ann)
    with world.env._bot_scope():
        made = 0
        for action in theirs:
            if made == 40:
                break
            after = BOUNCERS.play(state, 1, action).state
            mine = next(legal_actions(BOUNCERS, after, 0))
            plan = (await table.snapshot()).plan_of(0)
            node = await plans.add_reply(table.table_id, ann, plan.revision, (), action, mine)
            made += 1
            after = BOUNCERS.play(after, 0, mine).state
            for second in list(legal_actions(BOUNCERS, after, 1))[:2]:
                if made == 40:
                    break
                onward = next(legal_actions(BOUNCERS, BOUNCERS.play(after, 1, second).state, 0))
                path = (len(node.plan.replies) - 1,)
                node = await plans.add_reply(table.table_id, ann, node.plan.revision, path, second, onward)
                made += 1
    assert made == 40
    panel = reply(await by_way(world.ann, table.channel, "plan"))
    assert "You’ve planned 40 replies:" in world.text(panel)
    await world.ann.click(panel, label="Next")
    assert "40" in select(panel).options.values()
    await world.ann.select(panel, ["40"])
    assert "There’s no room for more than 40 replies." in world.text(panel)
    adding = next(one for one in buttons(panel) if one.label == "And after that …")
    assert adding.disabled
    await press(world.ann, panel, "Another reply")
    while "Save" not in labels(panel):
        await press(world.ann, panel, "That’s it" if "That’s it" in labels(panel) else buttons(panel)[-2].label)
    await press(world.ann, panel, "Save")
    assert "You’ve planned" not in world.text(panel)
    assert "Saved: if Ben plays" in world.text(panel)
    await press(world.ann, panel, "Remove", "Add a reply")
    assert "**If Ben plays …**" in world.text(panel)


# --- where it is offered --------------------------------------------------------------------------------------------------
async def test_planning_is_offered_after_a_move_in_more_and_where_there_is_nothing_to_do(world: World) -> None:
    table = await open_table(world, "bouncers", world.ann, world.ben)
    answered = await table.type(world.ann, OPENING[0])
    assert labels(answered) == ["Plan ahead"]
    assert "Plan ahead" in labels(await world.ann.click(table.board(), label="More"))
    waiting = await world.ann.click(table.board(), label="Move")
    assert waiting.ephemeral
    assert "Nothing to do for now. Waiting for Ben." in world.text(waiting)
    assert labels(waiting) == ["Plan ahead"]
    await world.ann.click(reply(waiting), label="Plan ahead")
    assert "**If Ben plays …**" in world.text(waiting)
    await add(world.ann, reply(waiting), OPENING[1], OPENING[2])
    assert "You’ve planned 1 reply." in world.text(await world.ann.click(table.board(), label="Move"))
    assert "Plan ahead" not in labels(await world.cleo.click(table.board(), label="More"))
    typed = await table.type(world.ann, OPENING[2])
    assert "It’s not your turn yet" in world.text(typed)


async def test_nothing_is_planned_on_ones_own_turn(world: World, table: Seated) -> None:
    panel = reply(await by_way(world.ben, table.channel, "plan"))
    assert "It’s your turn: move first, then plan ahead." in world.text(panel)
    assert labels(panel) == ["Move"]
    await world.ben.click(panel, label="Move")
    assert "Which piece bounces?" in world.text(panel)


async def test_where_dice_decide_nothing_can_be_planned(world: World) -> None:
    table = await open_table(world, "trampoline", world.ann, world.ben, seats=2)
    answer = await by_way(world.ben, table.channel, "plan")
    assert answer.ephemeral
    assert "you can’t plan ahead" in world.text(answer)
    assert "Plan ahead" not in labels(await world.ann.click(table.board(), label="More"))


async def test_with_several_games_the_bot_asks_which(world: World, table: Seated) -> None:
    await open_table(world, "bouncers", world.ann, world.cleo)
    asked = await world.ann.slash(world.channel, "board")
    await press(world.ann, reply(asked), "#1 Bouncers: Ann, Ben", "Plan ahead")
    assert "**If Ben plays …**" in world.text(asked)


# --- what becomes of it ---------------------------------------------------------------------------------------------------
async def test_a_reply_is_played_with_the_move_that_it_answers(world: World, table: Seated) -> None:
    await planned(table, *chain(1))
    calls = world.watch.count()
    before = table.board()
    panel = await table.pick(world.ben, OPENING[1])
    snapshot = await table.snapshot()
    assert [logged.notation for logged in snapshot.playing.log] == ["b2-b3", "b7-b6", "c2-c3"]
    assert snapshot.playing.to_act == (1,)
    for message in (panel, table.board()):
        world.says(message, "**Ben** bounces b7 → b6.", "**Ann** bounces c2 → c3.")
    assert "Ann had planned that reply. It’s your turn again." in world.text(panel)
    assert f"<@{world.ben.id}>, which piece bounces?" in world.text(table.board())
    assert table.board().id != before.id, "the board before keeps its story"
    assert pings(world, calls) == [], "Ben is looking at his panel, and nobody else is asked"
    assert {"a7", "b6", "h7"} <= set(labels(panel)), "he can go on at once"


async def test_a_line_of_replies_is_played_one_after_the_other(world: World, table: Seated) -> None:
    await planned(table, *chain(3))
    for number in (1, 3, 5):
        await table.type(world.ben, OPENING[number])
        assert (await table.snapshot()).playing.version == number + 2
    log = (await table.snapshot()).playing.log
    assert [logged.entry.tokens for logged in log] == list(OPENING)
    assert (await table.snapshot()).plan_of(0).replies == ()
    await table.type(world.ben, ("e7", "e6"))
    board = world.text(table.board())
    assert f"<@{world.ann.id}>, which piece bounces?" in board
    for words in ("**Ben** bounces b7 → b6.", "**Ann** bounces e2 → e3.", "**Ben** bounces e7 → e6."):
        assert words in board, "Ann is told all that has happened since she was last asked"


async def test_a_reply_that_wins_ends_the_game(world: World) -> None:
    table = await open_table(world, "bouncers", world.ann, world.ben, variant="8x8-12-terminal")
    *moves, theirs, mine = won_by(0, "8x8-12-terminal")
    await play_on(table, moves)
    panel = reply(await by_way(world.ann, table.channel, "plan"))
    await add(world.ann, panel, theirs, mine)
    assert "ends the game." in world.text(panel)
    (onward,) = (one for one in buttons(panel) if one.label == "And after that …")
    assert onward.disabled
    answered = await table.type(world.ben, theirs)
    assert await table.over()
    for message in (answered, world.last()):
        world.says(message, "bounces d4 → c4, capturing b4", "Ann wins!")


async def test_an_action_that_ends_the_game_cannot_be_answered(world: World) -> None:
    table = await open_table(world, "bouncers", world.ann, world.ben, variant="8x8-12-terminal")
    *moves, theirs = won_by(1, "8x8-12-terminal")
    await play_on(table, moves)
    panel = reply(await by_way(world.ann, table.channel, "plan"))
    for square in theirs:
        found = [one.label for one in buttons(panel) if one.label.split(",")[0] == square]
        if found:
            await world.ann.click(panel, label=found[0])
    state = (await table.snapshot()).playing.state
    assert f"You can’t reply to “{action_words(BOUNCERS, state, 1, theirs)}”" in world.text(panel)
    assert "**If Ben plays " in world.text(panel), "another move can be picked"
    assert "Save" not in labels(panel)


async def play_on(table: Seated, moves: Sequence[Action]) -> None:
    left = iter(moves)
    await table.act_on(lambda history: None if (move := next(left, None)) is None else (history.to_act[0], move))
    await table.show_all()


def won_by(winner: int, variant: str) -> list[Action]:
    """A game whose last move wins it for a seat."""
    for seed in range(1000):
        dice, state, moves = random.Random(seed), BOUNCERS.start(2, variant), list[Action]()
        while BOUNCERS.to_act(state):
            (seat,) = BOUNCERS.to_act(state)
            action = dice.choice(list(legal_actions(BOUNCERS, state, seat)))
            moves.append(action)
            state = BOUNCERS.play(state, seat, action).state
        outcome = BOUNCERS.outcome(state)
        if outcome is not None and outcome.winners == (winner,) and len(moves) % 2 != winner:
            return moves
    raise AssertionError("nobody wins with a move of their own")


async def test_any_other_move_ends_the_plan_and_its_owner_is_asked_as_usual(world: World, table: Seated) -> None:
    panel = await planned(table, *chain(2))
    calls = world.watch.count()
    await table.type(world.ben, ("h7", "h6"))
    assert ((await table.snapshot()).plan_of(0).replies, (await table.snapshot()).playing.to_act) == ((), (0,))
    assert pings(world, calls) == [world.ann.id]
    await world.ann.click(panel, label="Current board")
    world.says(panel, "The board has changed since.", "It’s your turn: move first, then plan ahead.")


async def test_a_click_on_an_old_panel_shows_the_plan_as_it_is_and_keeps_nothing(world: World, table: Seated) -> None:
    old = reply(await by_way(world.ann, table.channel, "plan"))
    await press(world.ann, old, "c7", "c6", "That’s it", "d2", "d3", "That’s it")
    new = await planned(table, *chain(1))
    await world.restart()  # after which nobody knows which panel is the newer one
    await press(world.ann, old, "Save")
    world.says(old, "Your plan has changed since. Here’s how it stands now.", "- if “b7 → b6”: “c2 → c3”")
    assert len((await table.snapshot()).plan_of(0).replies) == 1
    await table.type(world.ben, OPENING[1])
    await table.type(world.ben, ("h7", "h6"))
    await table.type(world.ann, ("h2", "h3"))
    await world.restart()
    await press(world.ann, new, "And after that …")
    assert "The board has changed since. Here’s what’s left of your plan." in world.text(new)
    assert (await table.snapshot()).plan_of(0).replies == ()


async def test_the_panel_outlives_a_restart(world: World, table: Seated) -> None:
    panel = reply(await by_way(world.ann, table.channel, "plan"))
    await press(world.ann, panel, "b7", "b6", "That’s it", "c2", "c3")
    await world.restart()
    await press(world.ann, panel, "That’s it", "Save")
    assert "- **if “b7 → b6”: “c2 → c3”**" in world.text(panel)
    await world.restart()
    await table.type(world.ben, OPENING[1])
    assert (await table.snapshot()).playing.version == 3


async def test_when_the_game_is_over_a_panel_shows_its_last_board(world: World, table: Seated) -> None:
    panel = await planned(table, *chain(1))
    await world.ben.click(reply(await by_way(world.ben, table.channel, "resign")), label="Resign")
    await press(world.ann, panel, "And after that …")
    assert "wins" in world.text(panel)
    assert buttons(panel)[0].label == "Rematch"


# --- what others learn of it ----------------------------------------------------------------------------------------------
async def test_nobody_else_learns_that_there_is_a_plan(world: World, table: Seated) -> None:
    public, version = all_that_is_public(world), (await table.snapshot()).table.version
    calls = world.watch.count()
    panel = await planned(table, *chain(2))
    await press(world.ann, panel, "Current board")
    assert all_that_is_public(world) == public
    assert (await table.snapshot()).table.version == version
    assert pings(world, calls) == []
    theirs = await by_way(world.ben, table.channel, "plan")
    assert "c2 → c3" not in all_that_is_seen(world, theirs)
    assert "c2 → c3" not in all_that_is_seen(world, await in_words(world.ben, table.board()))
    for label in ("More", "Move"):
        assert "c2 → c3" not in all_that_is_seen(world, await world.ben.click(table.board(), label=label))


@pytest.mark.parametrize("who", ["ben", "cleo"])
async def test_nobody_else_gets_anywhere_with_the_buttons_of_a_plan(world: World, who: str, table: Seated) -> None:
    panel = await planned(table, *chain(1))
    member = getattr(world, who)
    own = reply(await member.slash(table.channel, "board", game="1"))
    for one in buttons(panel):
        click = some(Click.read(one.custom_id or ""))
        answer = await forged(member, own, click)
        assert "c2 → c3" not in all_that_is_seen(world, answer)
    assert len((await table.snapshot()).plan_of(0).replies) == 1


WRONG = [
    ("plan", ()), ("plan", ("0",)), ("plan", ("0", "99")), ("plan", ("7", "0")),
    ("plan-go", ("0", "0", "99")), ("plan-if", ("0", "0", "a1")), ("plan-if", ("0", "0", "~0")),
    ("plan-stop", ("0", "0", "b7")), ("plan-stop", ("0", "0", "b7", "b6", "b5")), ("plan-then", ("0", "0")),
    ("plan-then", ("0", "0", "~ffffffffff")), ("plan-then", ("0", "0", "b7", "c2")), ("plan-so", ("0", "0", "~0", "~0")),
    ("plan-keep", ("0", "0")), ("plan-keep", ("0", "0", "~0", "c2")), ("plan-drop", ("0", "0")), ("plan-drop", ("0", "7")),
    ("plan-clear", ("0", "0", "sure")),
]  # fmt: skip


@pytest.mark.parametrize(("verb", "tokens"), quick_first(5, WRONG, several=True))
async def test_a_forged_click_is_answered_with_the_plan(world: World, verb: str, tokens: Action, table: Seated) -> None:
    panel = reply(await by_way(world.ann, table.channel, "plan"))
    await forged(world.ann, panel, Click(verb, 1, 1, 10**9, tokens))
    assert "went wrong" not in world.text(panel)
    assert "Ben plays" in world.text(panel)
    assert not selects(panel)
    assert (await table.snapshot()).plan_of(0).replies == ()
