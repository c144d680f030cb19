"""BOUNCE, Bounce Bunny Bounce and Puck Bumpers in Discord, from `/play` to the end."""

import random
import re
from collections.abc import Callable

import pytest
from simcord.actors import MemberActor

from bot.core.table.history import History
from bot.messages.click import Click
from engines import GAMES
from engines.bunny import BunnyState
from engines.bunny.field import card_on
from engines.bunny.story import card_name
from engines.game import Action
from storage.schema.records import Status
from tests.bot.kit import World, buttons, reply
from tests.bot.seated import SETUP_RANDOM, Seated, all_that_is_public, all_that_is_seen, open_table, pings, walked
from tests.bot.ways import by_way, in_words

pytestmark = pytest.mark.slow
AFTER = ["Rematch", "Share", "Replay", "Review", "More"]


async def test_bounce_is_played_alone_with_one_button_on_one_message(world: World) -> None:
    table = await open_table(world, "trampoline", world.ann, seats=1)
    board = table.board()
    assert len(world.messages()) == 2, "the table's message and the first board: nobody had to press Start"
    assert [b.label for b in buttons(board)] == ["Roll 3 dice", "More", "Watch"]
    rolls = 0
    while not await table.over():
        before, messages = world.watch.count(), len(world.messages())
        await world.ann.click(table.board(), custom_id=buttons(table.board())[0].custom_id)
        rolls += 1
        if not await table.over():
            assert len(world.messages()) == messages, "the turn's message is edited"
            assert world.watch.count() - before == 2, "one answer, one edit"
    end = world.last()
    assert "Ann wins!" in world.text(end) or "Nobody wins." in world.text(end)
    assert rolls == (await table.snapshot()).table.version
    assert not any(world.pinged(message) for message in world.messages()[2:])


@pytest.mark.parametrize("seats", [3, 4])
async def test_bounce_is_played_by_several_with_one_click_and_one_ping_a_turn(world: World, seats: int) -> None:
    people = [world.ann, world.ben, world.cleo, world.join("Dev")][:seats]
    table = await open_table(world, "trampoline", *people, seats=4)
    if seats == 3:
        await world.ann.click(world.last(), label="Start")
    turns = 0
    while not await table.over():
        (member,) = await table.awaited()
        assert world.pinged(table.board()) == {member.id}
        board = table.board()
        version = (await table.snapshot()).table.version
        if turns % 5 == 0:
            refused = await people[people.index(member) - 1].click(board, custom_id=buttons(board)[0].custom_id)
            assert refused.ephemeral
            assert "not your turn" in world.text(refused)
        before = world.watch.count()
        if turns % 3 == 2:
            await table.type(member, ("roll",))
        else:
            await member.click(board, custom_id=buttons(board)[0].custom_id)
        snapshot = await table.snapshot()
        assert snapshot.table.version == version + 1
        assert table.board().id != board.id or snapshot.awaited == (snapshot.person(member.id),)
        announced = bool(world.pinged(world.last()))
        assert announced is not await table.over()
        assert world.watch.count() - before == 3 + announced, "the answer, the board, the fold, and one more to announce a turn"
        turns += 1
        assert turns < 300
    assert "wins!**" in world.text(world.last())
    replayed = (await table.snapshot()).playing.worth_replaying
    assert [b.label for b in buttons(world.last())] == [
        label for label in AFTER if label != "Review" and (label != "Replay" or replayed)
    ]


async def test_a_click_twice_on_the_first_board_plays_once(world: World) -> None:
    table = await open_table(world, "trampoline", world.ann, seats=1)
    board = table.board()
    roll = buttons(board)[0].custom_id
    async with world.at_once():
        await world.ann.click(board, custom_id=roll)
        await world.ann.click(board, custom_id=roll)
    assert (await table.snapshot()).table.version == 1


def shortcut(table: Seated, action: tuple[str, ...]) -> str | None:
    """The board's button that plays an action at once, if any."""
    for one in buttons(table.board()):
        click = Click.read(one.custom_id or "")
        if click is not None and click.verb == "act" and click.tokens == action:
            return one.custom_id
    return None


def worth(state: BunnyState) -> float:
    """A state's worth for an early end: Carrots won, and a Bunny on the field to win more."""
    return 10 * sum(state.carrots) + sum(space is not None for space in state.bunnies)


async def play_any_way(table: Seated, action: Action, turn: int) -> None:
    """Play by a button under the board, in the panel, or by typing, in turn."""
    (member,) = await table.awaited()
    quick = shortcut(table, action)
    if quick is not None and turn % 3 == 0:
        version = (await table.snapshot()).table.version
        shown = await member.click(table.board(), custom_id=quick)
        if (await table.snapshot()).table.version == version:  # what is certain is shown before it is played
            await table.press(member, reply(shown), action)
    elif turn % 3 == 1:
        await table.pick(member, action)
    else:
        await table.type(member, action)


async def test_bunny_is_played_to_its_end_with_buttons_panels_and_typed_moves(world: World) -> None:
    table = await open_table(world, "bunny", world.ann, world.ben)
    for turn in range(100):
        snapshot = await table.snapshot()
        if snapshot.table.status is not Status.PLAYING:
            break
        (member,) = await table.awaited()
        await play_any_way(table, await table.best_action(member, worth), turn)
        assert (await table.snapshot()).table.version == snapshot.table.version + 1
    assert "Three carrots!" in world.text(world.last())
    assert [b.label for b in buttons(world.last())] == AFTER


async def until(table: Seated, wanted: Callable[[BunnyState], bool]) -> tuple[MemberActor, Action]:
    """Play on without Discord until an action leads to what is `wanted`. Returns whose, and the action.

    Avoids actions that end the game if possible.
    """
    found: list[Action] = []

    def chosen(history: History) -> tuple[int, Action] | None:
        (seat,) = history.to_act
        goes_on: Action | None = None
        for action in [walked(history, seat, table.dice) for _ in range(12)]:
            state = history.game.play(history.state, seat, action).state
            if wanted(state):
                found.append(action)
                return None
            goes_on = action if history.game.outcome(state) is None else goes_on
        return seat, goes_on or action

    await table.act_on(chosen)
    await table.show_all()
    (member,) = await table.awaited()
    return member, found[0]


def towards_a_carrot(state: BunnyState) -> list[str]:
    """The directions in which a shock gives the other Bunny a Carrot that does not win."""
    if state.phase != "shock" or max(state.carrots) > 1:
        return []
    return [one.token for one in GAMES["bunny"].choices(state, state.to_choose, ("shock",)) if "carrot" in one.label]


async def test_a_preview_says_whom_it_befalls(world: World) -> None:
    table = await open_table(world, "bunny", world.ann, world.ben)
    member, action = await until(table, lambda state: bool(towards_a_carrot(state)))
    await table.type(member, action)
    other = world.ben if member is world.ann else world.ann
    shock = ("shock", towards_a_carrot((await table.snapshot()).playing.state)[0])
    panel = await member.click(table.board(), label="Move")
    pressed = next(one for one in buttons(panel) if (click := Click.read(one.custom_id or "")) and click.tokens == shock)
    await member.click(reply(panel), custom_id=pressed.custom_id)
    assert f"**Shock {other.name.title()} {shock[1]}?**" in world.text(panel)
    assert f"{other.name.title()} takes a carrot" in world.text(panel).replace("**", "")


async def test_what_a_spy_saw_goes_to_its_player_and_to_nobody_else(world: World) -> None:
    table = await open_table(world, "bunny", world.ann, world.ben)
    spy, action = await until(table, lambda state: state.phase == "spy" and state.to_choose == state.turn)
    other = world.ben if spy is world.ann else world.ann
    await table.type(spy, action)
    assert f"<@{spy.id}>, which card do you peek at?" in world.text(table.board())
    refused = await by_way(spy, world.channel, "hand")
    assert "No secrets just now" in world.text(refused)
    space = (await table.choices(spy, ("spy",)))[0].token
    card = card_on((await table.snapshot()).playing.state.field, space)
    secret = f"peeks at {space}: {card_name(card)}."
    panel = await table.pick(spy, ("spy", space))
    assert secret in world.text(panel)
    assert world.text(panel).count(f"peeks at {space}") == 1, "once is enough"
    assert "You peeked" not in world.text(panel)
    hand = await by_way(spy, world.channel, "hand")
    assert reply(hand).ephemeral
    assert f"You peeked: {card_name(card)} on {space}." in world.text(hand)
    assert f"peeks at {space}." in world.text(table.board())
    for answer in (
        await by_way(other, world.channel, "hand"),
        await other.slash(world.channel, "board"),
        await in_words(other, table.board()),
        await other.click(table.board(), label="My secrets"),
        await world.cleo.slash(world.channel, "board"),
        await in_words(world.cleo, table.board()),
    ):
        assert reply(answer).ephemeral
        assert not re.search(r"peeks at \w+: ", all_that_is_seen(world, answer))
    assert "Spy" not in str(await other.autocomplete(world.channel, "move", "action", ""))
    assert not re.search(r"peeks at \w+: ", all_that_is_public(world))
    while (await table.snapshot()).playing.state.spied != (None, None):
        (member,) = await table.awaited()
        await table.type(member, await table.best_action(member, lambda state: GAMES["bunny"].outcome(state) is None))
    gone = await by_way(spy, world.channel, "hand")
    assert "No secrets just now" in world.text(gone), "remembering is part of the game"
    assert not re.search(r"peeks at \w+: ", all_that_is_public(world))


async def four_at_pucks(world: World, options: str = SETUP_RANDOM) -> Seated:
    return await open_table(world, "pucks", world.ann, world.ben, world.cleo, world.join("Dev"), seats=4, options=options)


async def test_pieces_placed_at_random_let_the_game_begin_with_the_first_draw(world: World) -> None:
    table = await four_at_pucks(world)
    board = table.board()
    assert world.pinged(board) == {world.ann.id}
    assert [b.label for b in buttons(board)] == ["Draw 1 card", "Move", "Hand", "More", "Watch"]
    before = world.watch.count()
    drawn = await world.ann.click(board, label="Draw 1 card")
    assert drawn.ephemeral
    assert re.search(r"draws [A-Z]", world.text(drawn))
    assert not re.search(r"draws [A-Z]", all_that_is_public(world))
    assert "**Ann** draws 1 card." in world.text(table.board())
    assert table.board().id == board.id, "it is still the same turn"
    assert world.watch.count() - before == 2


async def test_in_a_draft_each_places_a_piece_or_leaves_all_to_chance(world: World) -> None:
    table = await four_at_pucks(world, "")
    assert (await table.awaited())[0] is world.ann
    place = (await table.choices(world.ann, ("place", "p1")))[0].token
    panel = await table.pick(world.ann, ("place", "p1", place))
    assert f"**Ann** places puck 1 on {place}." in world.text(panel)
    told = len(world.messages())
    for member in (table.people[3], world.cleo, world.ben, world.ann):
        assert await table.awaited() == [member], "placing goes round to the right"
        assert world.pinged(table.board()) == {member.id}
        assert "Your time’s up" in world.text(table.board())
        await member.click(table.board(), label="Place all at random")
    assert await table.awaited() == [world.ann], "who placed the last piece draws the first card: that is one turn"
    assert len(world.messages()) == told + 3, "a message a turn, however many pieces were placed in it"
    snapshot = await table.snapshot()
    assert (snapshot.playing.state.phase, snapshot.playing.version) == ("draw", 5)
    assert len(world.text(table.board()).splitlines()) < 20


async def test_several_actions_in_a_turn_edit_one_message_and_ping_once(world: World) -> None:
    table = await four_at_pucks(world)

    def chosen(history: History) -> tuple[int, Action] | None:
        (seat,) = history.to_act
        if history.state.phase == "draw" and history.state.table.action_rule >= 3:
            return None
        takes = [c.token for c in history.game.choices(history.state, seat, ("play",)) if c.token.startswith("take-")]
        return seat, ("play", max(takes)) if takes else walked(history, seat, table.dice)

    await table.act_on(chosen)
    (member,) = await table.awaited()
    turn = (await table.snapshot()).table.turn
    await table.show_all()
    board, since = table.board(), len(world.watch.calls)
    assert world.pinged(board) == {member.id}
    actions = 0
    while (await table.snapshot()).table.turn == turn:
        before = world.watch.count()
        assert table.board().id == board.id
        await table.type(member, await table.random_action(member))
        actions += 1
        announced = table.board().id != board.id
        assert world.watch.count() - before <= 3 + announced, (
            "one call more for the ping of the next turn, and for nothing else"
        )
    assert actions > 3
    assert pings(world, since) == [user.id for user in await table.awaited()]


async def out_of_turn(table: Seated, card: str) -> MemberActor:
    """Play on without Discord until somebody who is not awaited can play this card. Returns them."""
    able: list[int] = []

    def chosen(history: History) -> tuple[int, Action] | None:
        offered = {
            seat: history.game.choices(history.state, seat, ("play",)) for seat in range(4) if seat not in history.to_act
        }
        able.extend(seat for seat, cards in offered.items() if card in [choice.token for choice in cards])
        if able:
            return None
        action: Action = ("play", card)
        while action in (("play", card), ("discard", card)):
            action = walked(history, history.to_act[0], table.dice)
        return history.to_act[0], action

    await table.act_on(chosen)
    await table.show_all()
    return table.people[able[0]]


@pytest.mark.parametrize("card", ["quick-draw", "sweep"])
async def test_a_card_is_played_out_of_turn_from_the_hand_and_told_in_one_line(world: World, card: str) -> None:
    table = await four_at_pucks(world)
    member = await out_of_turn(table, card)
    awaited = await table.awaited()
    snapshot = await table.snapshot()
    opened = await member.click(table.board(), label="Hand")
    assert opened.ephemeral
    title = {"quick-draw": "Quick Draw", "sweep": "Clean Sweep"}[card]
    assert title in all_that_is_seen(world, opened), "its button, and the words of the picture"
    messages, since = len(world.messages()), len(world.watch.calls)
    await table.press(member, reply(opened), ("play", card))
    after = await table.snapshot()
    assert (after.table.version, await table.awaited()) == (snapshot.table.version + 1, awaited)
    assert len(world.messages()) == messages
    news = world.text(table.board())
    if "What happened?" in news:  # a long turn, of which the board tells a part
        news = world.text(await member.click(table.board(), label="What happened?"))
    assert sum(title in line for line in news.splitlines()) == 1
    assert pings(world, since) == [], "nobody else is waited for now"
    assert not re.search(r"draws [A-Z]", all_that_is_public(world))


async def test_a_whistle_undoes_the_last_action_of_another(world: World) -> None:
    table = await four_at_pucks(world)
    member = await out_of_turn(table, "whistle")
    hand = await by_way(member, world.channel, "hand")
    assert "Whistle" in all_that_is_seen(world, hand)
    await table.type(member, ("play", "whistle"))
    assert "plays Whistle" in world.text(table.board())
    assert " is undone" in world.text(table.board())
    assert pings(world)[-1] == (await table.awaited())[0].id


async def test_the_only_card_that_can_be_played_is_not_played_before_its_player_says_so(world: World) -> None:
    table = await four_at_pucks(world)
    member = await out_of_turn(table, "whistle")
    assert [card.token for card in await table.choices(member, ("play",))] == ["whistle"]
    version = (await table.snapshot()).table.version
    hand = await member.click(table.board(), label="Hand")
    assert "Whistle" in all_that_is_seen(world, hand)
    assert (await table.snapshot()).table.version == version
    clicks = await table.press(member, reply(hand), ("play", "whistle"))
    assert 1 <= clicks <= 2, "the card's own button, and Play if it is shown first"
    assert "plays Whistle" in world.text(hand)


def keen(history: History, seat: int, dice: random.Random) -> Action:
    """A puck into a goal if possible, or else some action, rarely a card."""
    game, state = history.game, history.state
    first = game.choices(state, seat)
    for puck in first:
        for way in game.choices(state, seat, (puck.token,)) if puck.token in {"p1", "p2", "p3", "p4"} else ():
            step = game.play(state, seat, (puck.token, way.token))
            if any(event.kind == "score" for event in step.events):
                return (puck.token, way.token)
    while True:
        action = walked(history, seat, dice)
        if action[0] != "play" or len(first) == 1 or dice.random() < 0.3:
            return action


@pytest.mark.parametrize("world", [7], indirect=True)
async def test_a_game_of_four_at_pucks_is_played_to_its_end(world: World) -> None:
    table = await four_at_pucks(world)
    last: list[tuple[int, Action]] = []

    def chosen(history: History) -> tuple[int, Action] | None:
        """The next action, unless it is time for a stretch in Discord, or the action would decide the game."""
        seat = table.dice.choice(history.to_act)
        action = keen(history, seat, table.dice)
        after = history.game.play(history.state, seat, action).state
        if history.version % 300 == 299 or history.game.outcome(after) is not None or len(history.game.to_act(after)) != 1:
            last[:] = [(seat, action)]
            return None
        return seat, action

    stretches = 0
    while not await table.over():
        await table.act_on(chosen)
        await table.show_all()
        seat, action = last[0]
        member = table.people[seat]
        await (table.pick(member, action) if stretches % 2 else table.type(member, action))
        stretches += 1
    assert stretches >= 3
    assert "All 4 pucks are in!" in world.text(world.last())
    assert [b.label for b in buttons(world.last())] == AFTER
