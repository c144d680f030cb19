"""The clicks from the board to the played action, including opening the panel and *Play*, in every game."""

import functools
from collections.abc import Callable

import pytest
from simcord.actors import MemberActor

from bot.core.table.history import History
from engines.game import Action, Buttons, is_whole, legal_actions, part_of
from tests.bot.kit import Message, World, buttons, reply
from tests.bot.seated import SETUP_RANDOM, Seated, open_table, walked
from tests.bot.service import some

pytestmark = pytest.mark.slow


async def clicks(table: Seated, member: MemberActor, action: Action) -> int:
    """The clicks for an action picked in a panel opened on the board."""
    panel = await member.click(table.board(), label="Move")
    return 1 + await table.press(member, reply(panel), action)


async def played_until(table: Seated, wanted: Callable[[History, int], bool]) -> MemberActor:
    """Play on without Discord until the position is as wanted. Returns the player to act."""

    def chosen(history: History) -> tuple[int, Action] | None:
        seat = history.to_act[0]
        return None if wanted(history, seat) else (seat, walked(history, seat, table.dice))

    await table.act_on(chosen)
    await table.show_all()
    return (await table.awaited())[0]


async def test_bouncers_takes_four_clicks_for_a_step_and_one_for_each_further_step(world: World) -> None:
    table = await open_table(world, "bouncers", world.ann, world.ben)
    assert await clicks(table, world.ann, ("b2", "b3")) == 4
    for steps in (1, 2, 3):
        member = await played_until(table, functools.partial(has_action_of, length=steps + 1))
        snapshot = await table.snapshot()
        action = some(any_of(snapshot.playing, snapshot.own_seat(member.id), steps + 1))
        assert await clicks(table, member, action) <= 3 + steps


def has_action_of(history: History, seat: int, length: int) -> bool:
    return any_of(history, seat, length) is not None


def any_of(history: History, seat: int, length: int) -> Action | None:
    """An action of so many tokens."""
    return next((action for action in legal_actions(history.game, history.state, seat) if len(action) == length), None)


async def test_bounce_takes_one_click(world: World) -> None:
    table = await open_table(world, "trampoline", world.ann, world.ben, seats=2)
    await world.ann.click(table.board(), label="Roll 3 dice")
    assert (await table.snapshot()).table.version == 1


BUNNY = {"move": 3, "shock": 3, "spy": 4, "swap": 6}
"""The most clicks for each question of Bounce Bunny Bounce."""


async def test_bunny_takes_three_clicks_at_most_and_a_swap_two_for_each_card(world: World) -> None:
    seen: set[str] = set()
    while seen < set(BUNNY):
        await clicked_in_a_game_of_bunny(await open_table(world, "bunny", world.ann, world.ben), seen)


async def clicked_in_a_game_of_bunny(table: Seated, seen: set[str]) -> None:
    """Count the clicks for each new question, until the game is over or all have been seen."""

    def chosen(history: History) -> tuple[int, Action] | None:
        if history.outcome is not None or history.state.phase not in seen:
            return None
        seat = history.to_act[0]
        return seat, walked(history, seat, table.dice)

    while seen < set(BUNNY):
        await table.act_on(chosen)
        await table.show_all()
        history = (await table.snapshot()).playing
        if history.outcome is not None:
            return
        (member,) = await table.awaited()
        action = await table.random_action(member)
        assert await clicks(table, member, action) <= BUNNY[history.state.phase], (history.state.phase, action)
        seen.add(history.state.phase)


async def at_pucks(world: World) -> Seated:
    return await open_table(world, "pucks", world.ann, world.ben, seats=2, options=SETUP_RANDOM)


def a_piece(history: History, seat: int) -> Action | None:
    """A move of a piece that has more than one way to go."""
    for piece in history.game.choices(history.state, seat):
        ways = history.game.choices(history.state, seat, (piece.token,)) if piece.token[0] in "pim" else []
        if len(ways) > 1 and ways[0].final:
            return (piece.token, ways[0].token)
    return None


def a_card_with_two_choices(history: History, seat: int) -> Action | None:
    """A card that needs two choices."""
    hand = {choice.token for choice in history.game.choices(history.state, seat, ("play",))}
    for held in sorted(hand & {"twist", "swap"}):
        first = history.game.choices(history.state, seat, ("play", held))[0].token
        second = history.game.choices(history.state, seat, ("play", held, first))[0].token
        return ("play", held, first, second)
    return None


async def test_a_turn_of_puck_bumpers_stays_in_one_panel(world: World) -> None:
    """Four clicks for a piece, six for a card with two choices, and one less for each action after the first.

    Where there are many pieces and cards, the cards are behind a button: the board stays in sight on a phone.
    """
    table = await at_pucks(world)
    member = await played_until(
        table,
        lambda history, seat: (
            history.state.phase == "act"
            and history.state.allowed - history.state.taken >= 3
            and a_card_with_two_choices(history, seat) is not None
            and a_piece(history, seat) is not None
        ),
    )
    panel = reply(await member.click(table.board(), label="Move"))
    assert await pressed(table, member, panel, a_piece) <= 3, "four with Move"
    assert await pressed(table, member, panel, a_piece) <= 3
    assert await pressed(table, member, panel, a_card_with_two_choices) <= 5


async def pressed(table: Seated, member: MemberActor, panel: Message, kind: Callable[[History, int], Action | None]) -> int:
    """The clicks for an action of a kind in an open panel."""
    snapshot = await table.snapshot()
    action = some(kind(snapshot.playing, snapshot.own_seat(member.id)))
    return await table.press(member, panel, action)


async def test_drawing_playing_and_ending_take_four_clicks_together(world: World) -> None:
    table = await at_pucks(world)
    panel = reply(await world.ann.click(table.board(), label="Draw 1 card"))
    snapshot = await table.snapshot()
    action = some(a_piece(snapshot.playing, 0))
    assert await table.press(world.ann, panel, action, play="close") == 3
    assert await table.awaited() == [world.ben]


async def at_a_turn_of(world: World, actions: int) -> tuple[Seated, MemberActor]:
    """A table of Puck Bumpers before a draw that begins a turn of so many actions, and its player."""
    table, take = await at_pucks(world), ("play", f"take-{actions}")

    def chosen(history: History) -> tuple[int, Action] | None:
        (seat, *_), state = history.to_act, history.state
        if state.phase == "draw" and state.table.action_rule == actions:
            return None
        if state.table.action_rule != actions and is_whole(history.game, state, seat, take):
            return seat, take
        action = walked(history, seat, table.dice)
        while action[0] in {"play", "discard"} and action[1].startswith("take-"):
            action = walked(history, seat, table.dice)
        return seat, action

    await table.act_on(chosen)
    await table.show_all()
    return table, (await table.awaited())[0]


def a_way_of(piece: str, taken: int) -> Callable[[History, int], Action | None]:
    """A move of a piece, in another direction each time if there are several."""

    def a_way(history: History, seat: int) -> Action | None:
        ways = history.game.choices(history.state, seat, (piece,))
        return (piece, ways[taken % len(ways)].token) if ways else None

    return a_way


@pytest.mark.parametrize(("actions", "most"), [(3, 8), (6, 14)])
async def test_a_turn_with_one_piece_takes_two_clicks_for_each_further_action(world: World, actions: int, most: int) -> None:
    table, member = await at_a_turn_of(world, actions)
    panel = reply(await member.click(table.board(), custom_id=buttons(table.board())[0].custom_id))
    count = 1
    for taken in range(actions - 1):
        count += await pressed(table, member, panel, a_way_of("m1", taken))
    snapshot = await table.snapshot()
    last = some(a_way_of("m1", actions)(snapshot.playing, snapshot.own_seat(member.id)))
    count += await table.press(member, panel, last, play="close")
    assert (await table.snapshot()).playing.state.phase != "act", "the turn is over, but for cards to discard"
    assert count <= most


async def test_a_turn_of_six_actions_with_two_pieces_ends_with_its_rest(world: World) -> None:
    """Drawing, three clicks for a piece, four for another, two for going on with it, and two for the rest with the end."""
    table, member = await at_a_turn_of(world, 6)
    panel = reply(await member.click(table.board(), custom_id=buttons(table.board())[0].custom_id))
    assert await pressed(table, member, panel, a_way_of("m1", 0)) == 3
    assert await pressed(table, member, panel, a_way_of("m2", 0)) == 4
    assert await pressed(table, member, panel, a_way_of("m2", 0)) <= 2
    version = (await table.snapshot()).table.version
    await member.click(panel, label="Spend the rest")
    assert (await table.snapshot()).table.version == version, "it is a question"
    await member.click(panel, label="Play and end the turn")
    assert (await table.snapshot()).table.version == version + 4, "three actions, and the end of the turn"
    assert (await table.snapshot()).playing.state.phase != "act"


async def test_a_card_alone_takes_six_clicks_with_two_choices(world: World) -> None:
    table = await at_pucks(world)
    member = await played_until(
        table, lambda history, seat: history.state.phase == "act" and a_card_with_two_choices(history, seat) is not None
    )
    snapshot = await table.snapshot()
    action = some(a_card_with_two_choices(snapshot.playing, snapshot.own_seat(member.id)))
    assert await clicks(table, member, action) <= 6


async def test_all_pieces_are_placed_by_one_click_each(world: World) -> None:
    table = await open_table(world, "pucks", world.ann, world.ben, seats=2)
    for member in (world.ann, world.ben):
        await member.click(table.board(), label=(await auto(table)))
    assert (await table.snapshot()).playing.state.phase == "draw"


async def auto(table: Seated) -> str:
    """The label of the button that places all pieces."""
    history = (await table.snapshot()).playing
    (shortcut,) = part_of(history.game, Buttons).shortcuts(history.view(None))
    assert shortcut.action == ("auto",)
    return str(shortcut.label)
