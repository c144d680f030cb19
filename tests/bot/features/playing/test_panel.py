"""The private panel: what it asks, what it previews, and what it says when it is out of date."""

import itertools
import re
from collections.abc import Iterator
from dataclasses import replace
from types import SimpleNamespace
from typing import Any, cast
from unittest.mock import AsyncMock

import discord
import pytest
from discord import ui

from bot.core.core import Core
from bot.core.play import Play
from bot.core.table.errors import Refused
from bot.core.table.history import History
from bot.core.table.position import Position
from bot.core.table.snapshot import Snapshot
from bot.features.plans.service import Plans
from bot.features.playing.messages import panel_message
from bot.features.playing.spending import Spending, rest_in_words
from bot.i18n.language import ENGLISH
from bot.messages import picking
from bot.messages.builder import lines_on_phone
from bot.messages.click import Click
from bot.messages.menus import Menu
from bot.messages.picking import OPENED_AT_MOST, MenuItem, Pick, preview_of, regions
from bot.messages.pictures import Perspective, picture
from engines import GAMES
from engines.bunny.field import SPACES
from engines.game import Action, Buttons, Choice, Happened, Orders, Response, Words, foresee, is_whole, legal_actions, part_of
from tests.bot import service
from tests.bot.kit import World, buttons, labels, press, reply, selects
from tests.bot.seated import SETUP_RANDOM, Seated, all_that_is_public, open_table, user_of, walked
from tests.bot.service import some
from tests.bot.settings_panels import switch
from tests.bot.ways import by_way
from tests.engines.bunny import cards
from tests.engines.pucks.tables import two

BOUNCERS = GAMES["bouncers"]


@pytest.fixture
async def table(world: World) -> Seated:
    return await open_table(world, "bouncers", world.ann, world.ben)


async def at_pucks(world: World, *others: Any) -> Seated:
    return await open_table(world, "pucks", world.ann, *(others or (world.ben,)), seats=2, options=SETUP_RANDOM)


# --- what it asks ---------------------------------------------------------------------------------------------------------
async def test_the_panel_asks_the_games_own_question_and_says_briefly_what_is_picked(world: World, table: Seated) -> None:
    state = (await table.snapshot()).playing.state
    panel = await world.ann.click(table.board(), label="Move")
    assert "**Which piece bounces?**" in world.text(panel)
    assert "Back" not in labels(panel)
    await world.ann.click(reply(panel), label="b2")
    assert world.text(panel).endswith(f"**{part_of(BOUNCERS, Words).prompt(state, 0, ('b2',))}**"), "the question says it"
    await world.ann.click(reply(panel), label="b3")
    assert f"**{part_of(BOUNCERS, Words).prompt(state, 0, ('b2', 'b3'))}**\n-# b2 → b3" in world.text(panel)
    assert world.picture(panel).alt.startswith("Picked: b2 → b3. Marked: a4, c4. Bouncers, 8×8.")
    await press(world.ann, reply(panel), "Back", "Back")
    assert "**Which piece bounces?**" in world.text(panel)


async def test_symbols_of_choices_are_on_their_buttons(world: World, monkeypatch: pytest.MonkeyPatch, table: Seated) -> None:
    choices = type(BOUNCERS).choices

    def with_symbols(game: Any, state: Any, seat: int, prefix: Action = ()) -> list[Choice]:
        return [replace(choice, symbol="⬆️") for choice in choices(game, state, seat, prefix)]

    monkeypatch.setattr(type(BOUNCERS), "choices", with_symbols)
    panel = await world.ann.click(table.board(), label="Move")
    assert {one.get("emoji", {}).get("name") for one in raw_buttons(panel)} == {"⬆️"}


def raw_buttons(message: Any) -> Iterator[dict[str, Any]]:
    rows = [row for container in reply(message).components for row in dict(container)["components"]]
    return (item for row in rows for item in row.get("components", []) if item["type"] == 2)


def offered_in(panel: Any) -> list[tuple[str, ...]]:
    """The tokens picked by the buttons of a panel."""
    read = [Click.read(one.custom_id or "") for one in buttons(reply(panel))]
    return [click.tokens for click in read if click is not None and click.verb == "pick"]


async def test_a_verb_gives_way_to_what_may_follow_if_there_is_room(world: World) -> None:
    table = await open_table(world, "bunny", world.ann, world.ben)
    (awaited,) = await table.awaited()
    opened = await awaited.click(table.board(), label="Move")
    assert ("enter",) not in offered_in(opened)


async def test_the_cards_stand_behind_one_button_where_the_board_would_be_pushed_out_of_sight(world: World) -> None:
    table = await at_pucks(world)
    opened = await world.ann.click(table.board(), label="Draw 1 card")
    first = await table.choices(world.ann)
    assert "play" in [choice.token for choice in first], "with six cards, one can nearly always be played"
    cards = await table.choices(world.ann, ("play",))
    assert len(first) - 1 + len(cards) > OPENED_AT_MOST
    assert ("play",) in offered_in(opened)
    assert len(offered_in(opened)) <= OPENED_AT_MOST
    panel = reply(opened)
    await world.ann.click(panel, label="Play a card")
    assert offered_in(opened) == [("play", card.token) for card in cards]
    open_ended = next(card for card in cards if not card.final)
    await world.ann.click(panel, custom_id=Click("pick", 1, 1, 0, ("play", open_ended.token)).custom_id)
    await world.ann.click(panel, label="Back")
    assert offered_in(opened) == [("play", card.token) for card in cards]
    await world.ann.click(panel, label="Back")
    assert ("play",) in offered_in(opened)


@pytest.mark.parametrize(
    ("first", "cards", "opened"),
    [("m1 p1", 2, True), ("m1 p1", 3, False), ("end", 3, True), ("draw", 3, True)],
    ids=["two cards beside pieces", "three cards beside pieces", "cards at the end", "cards before the draw"],
)
def test_beside_pieces_more_than_two_cards_stand_behind_one_button(first: str, cards: int, opened: bool) -> None:
    held = [Choice(f"card-{number}", "a card", final=True) for number in range(cards)]
    tokens = [Choice(token, token, final=token in {"end", "draw"}) for token in [*first.split(), "play"]]
    after = {(): tokens, ("play",): held}
    items = picking.Picker(0, lambda prefix: after.get(prefix, ()), verbs=("play",)).pick(()).items
    assert (("play",) not in [item.tokens for item in items]) == opened


# --- before it plays ------------------------------------------------------------------------------------------------------
async def test_a_last_step_is_shown_before_it_is_played(world: World, table: Seated) -> None:
    await table.act(world.ann, ("b2", "b3"))
    await table.act(world.ben, ("b7", "b6"))
    await table.show_all()
    action = await whole(table)
    panel = await world.ann.click(table.board(), label="Move")
    while found := picks(panel, action):
        await world.ann.click(reply(panel), custom_id=found[-1])
    assert (await table.snapshot()).table.version == 2, "nothing is played yet"
    assert labels(panel) == ["Play", "Back"]
    assert "**a1 → b2 → a3 → a4 → b5?**" in world.text(panel)
    assert "bounces" not in world.text(panel), "the question has said all there is to tell"
    seen = world.picture(panel)
    state = (await table.snapshot()).playing.state
    after = some(foresee(BOUNCERS, state, 0, action))
    assert seen.alt[:200] in BOUNCERS.describe(BOUNCERS.view(after.state, 0)).render(name=["Ann", "Ben"].__getitem__)
    await world.ann.click(reply(panel), label="Play")
    assert (await table.snapshot()).table.version == 3


async def whole(table: Seated) -> Action:
    """An action that cannot go on."""
    history = (await table.snapshot()).playing
    (seat,) = history.to_act
    actions = legal_actions(history.game, history.state, seat)
    return next(action for action in actions if not history.game.choices(history.state, seat, action))


def picks(panel: Any, action: Action) -> list[str]:
    """The buttons that lead towards an action."""
    read = [(one.custom_id or "", Click.read(one.custom_id or "")) for one in buttons(panel)]
    return [name for name, click in read if click and click.verb == "pick" and click.tokens == action[: len(click.tokens)]]


async def test_without_previews_the_last_pick_plays(world: World, table: Seated) -> None:
    await switch(world, world.ann, preview=False)
    await table.act(world.ann, ("b2", "b3"))
    await table.act(world.ben, ("b7", "b6"))
    await table.show_all()
    action = await whole(table)
    panel = await world.ann.click(table.board(), label="Move")
    while (await table.snapshot()).table.version == 2 and picks(panel, action):
        await world.ann.click(reply(panel), custom_id=picks(panel, action)[-1])
    assert (await table.snapshot()).table.version == 3
    assert "**Bounce " not in world.text(panel)


def all_is_certain(monkeypatch: pytest.MonkeyPatch) -> None:
    """Make the result of every action certain, dice and all."""
    monkeypatch.setattr(picking, "foresee", lambda game, state, seat, action: game.play(state, seat, action))


async def test_a_button_on_the_board_previews_a_certain_result(world: World, monkeypatch: pytest.MonkeyPatch) -> None:
    table = await open_table(world, "trampoline", world.ann, world.ben, seats=2)
    roll = buttons(table.board())[0].custom_id
    all_is_certain(monkeypatch)
    shown = await world.ann.click(table.board(), custom_id=roll)
    assert shown.ephemeral
    assert labels(reply(shown)) == ["Play", "Back"]
    assert (await table.snapshot()).table.version == 0
    await world.ann.click(reply(shown), label="Play")
    assert (await table.snapshot()).table.version == 1


async def test_alone_nobody_has_to_agree_and_nothing_is_shown_first(world: World, monkeypatch: pytest.MonkeyPatch) -> None:
    table = await open_table(world, "trampoline", world.ann, seats=1)
    all_is_certain(monkeypatch)
    await world.ann.click(table.board(), custom_id=buttons(table.board())[0].custom_id)
    assert (await table.snapshot()).table.version == 1


async def test_the_board_is_turned_only_for_those_who_want_it(world: World, table: Seated) -> None:
    await table.act(world.ann, ("b2", "b3"))
    await table.show_all()
    straight = world.picture(await world.ben.click(table.board(), label="Move")).png
    await switch(world, world.ben, turn_board=True)
    turned = world.picture(await world.ben.click(table.board(), label="Move")).png
    assert straight != turned
    await switch(world, world.ben, turn_board=False)
    assert straight == world.picture(await world.ben.click(table.board(), label="Move")).png


# --- the end of a turn ----------------------------------------------------------------------------------------------------
async def test_drawing_goes_on_into_the_panel(world: World) -> None:
    table = await at_pucks(world)
    before = world.watch.count()
    drawn = await world.ann.click(table.board(), label="Draw 1 card")
    assert drawn.ephemeral
    panel = reply(drawn)
    assert re.search(r"draws [A-Z]", world.text(panel))
    assert world.pictures(panel)
    assert {click.verb for one in buttons(panel) if (click := Click.read(one.custom_id or ""))} == {"pick"}
    assert world.watch.count() - before == 2, "one answer, one edit of the board"
    assert not re.search(r"draws [A-Z]", all_that_is_public(world))


async def test_private_news_replaces_its_public_version(world: World) -> None:
    table = await at_pucks(world)
    panel = await world.ann.click(table.board(), label="Move")
    await world.ann.click(reply(panel), label="Draw 1 card")
    assert re.search(r"draws [A-Z]", world.text(panel))
    assert "draws 1 card" not in world.text(panel)


async def test_one_click_plays_the_last_action_and_ends_the_turn(world: World, monkeypatch: pytest.MonkeyPatch) -> None:
    table = await at_pucks(world)
    drawn = await world.ann.click(table.board(), label="Draw 1 card")
    all_is_certain(monkeypatch)
    panel = reply(drawn)
    action = await a_move(table)
    while found := picks(panel, action):
        await world.ann.click(panel, custom_id=found[-1])
    assert labels(panel) == ["Play", "Play and end the turn", "Back"]
    await world.ann.click(panel, label="Play and end the turn")
    assert [member.id for member in await table.awaited()] == [world.ben.id]
    version = (await table.snapshot()).table.version
    await world.repeat_last_interaction()
    assert (await table.snapshot()).table.version == version


@pytest.mark.slow
async def test_cards_are_said_to_be_playable_only_if_one_is(core: Core) -> None:
    told: set[bool] = set()
    while told != {True, False}:
        table = replace(service.BOUNCERS, game="pucks", seats=2, options={"setup": "random"}, most_tables=500)
        started = await service.started(core, table)
        snapshot = (await core.service(Play).act(started.table.id, service.ANN, "draw")).snapshot
        game, state = snapshot.playing.game, snapshot.playing.state
        piece = game.choices(state, 0)[0].token
        picked = picking.pick(snapshot.position, 0, (piece, game.choices(state, 0, (piece,))[0].token))
        message = await panel_message(snapshot, picked, Perspective(seat=0, language=ENGLISH))
        words = [item.content for item in message.items if isinstance(item, ui.TextDisplay)]
        playable = ("play",) in [(choice.token,) for choice in game.choices(game.play(state, 0, picked.prefix).state, 0)]
        assert any("you can still play cards" in line for line in words) == playable
        told.add(playable)


async def a_move(table: Seated) -> Action:
    (member,) = await table.awaited()
    piece = (await table.choices(member))[0].token
    return (piece, (await table.choices(member, (piece,)))[0].token)


# --- many squares ---------------------------------------------------------------------------------------------------------
def offers(tokens: list[str]) -> tuple[MenuItem, ...]:
    return tuple(MenuItem((token,), Choice(token, token, final=True)) for token in tokens)


def test_more_squares_than_buttons_are_asked_for_row_by_row() -> None:
    found = regions(GAMES["bunny"], offers(list(SPACES)[:34]))
    assert [str(region.title) for region in found] == [f"Row {n}" for n in range(1, 6)]
    assert [offer.choice.token for offer in found[1].items] == [f"{column}2" for column in "abcdefg"]
    assert sum(len(region.items) for region in found) == 34


def test_few_squares_and_other_choices_are_listed_at_once() -> None:
    assert regions(GAMES["bunny"], offers(list(SPACES)[:20])) == ()
    assert regions(GAMES["bunny"], offers([*SPACES[:30], "pass"])) == ()


def test_spaces_of_mats_are_asked_for_mat_by_mat() -> None:
    spaces = [f"{mat}{number}" for mat, number in itertools.product("abcdefghijklmnop", (1, 4, 13))]
    found = regions(GAMES["pucks"], offers(spaces))
    assert [str(region.title) for region in found] == [f"Mat {mat}" for mat in "abcdefghijklmnop"]
    assert [offer.choice.token for offer in found[2].items] == ["c1", "c4", "c13"]


@pytest.mark.slow
async def test_a_swap_is_picked_by_row_and_then_by_column(world: World, monkeypatch: pytest.MonkeyPatch) -> None:
    all_is_certain(monkeypatch)
    table = await open_table(world, "bunny", world.ann, world.ben)

    def chosen(history: History) -> tuple[int, Action] | None:
        (seat,) = history.to_act
        if history.state.phase == "swap":
            return None
        return seat, walked(history, seat, table.dice)

    while (await table.snapshot()).playing.state.phase != "swap":
        await table.act_on(chosen)
    await table.show_all()
    (member,) = await table.awaited()
    assert len(await table.choices(member, ("swap",))) > 20
    panel = await member.click(table.board(), label="Move")
    rows = labels(panel)
    assert rows == [f"Row {n}" for n in range(1, len(rows) + 1)]
    assert selects(panel) == []
    assert "Which two cards do you swap? **First card: which row?**" in world.text(panel)
    await member.click(reply(panel), label="Row 2")
    assert labels(panel)[-1] == "Back"
    assert world.text(panel).endswith("**Row 2: which card?**"), "what has been picked goes without saying"
    await member.click(reply(panel), label="Back")
    assert labels(panel) == rows
    await member.click(reply(panel), label="Row 2")
    square = next(click.tokens[-1] for one in buttons(panel) if (click := Click.read(one.custom_id or "")))
    await member.click(reply(panel), custom_id=buttons(panel)[0].custom_id)
    told = world.text(panel).partition("\n-# ")[0]  # below it stands what the card is, if the player knows
    assert told.endswith(f"Which card do you swap {square} with? **Second card: which row?**")
    assert labels(panel)[:-1] == [row for row in rows if row in labels(panel)]
    assert all(len(one.custom_id or "") <= 100 for one in buttons(panel))
    second = (await table.choices(member, ("swap", square)))[0].token
    count = await table.press(member, reply(panel), ("swap", square, second))
    assert count == 3, "row, column, Play"


# --- out of date ----------------------------------------------------------------------------------------------------------
async def test_the_valid_part_of_a_pick_on_an_old_board_is_kept_but_not_played(world: World, table: Seated) -> None:
    panel = await world.ann.click(table.board(), label="Move")
    await press(world.ann, reply(panel), "g2", "g3")
    await table.act(world.ann, ("b2", "b3"))
    await table.act(world.ben, ("b7", "b6"))
    await table.show_all()
    await world.ann.click(reply(panel), label="Play")
    world.says(panel, "The board has changed since. Your pick still works", "g2 → g3")
    assert (await table.snapshot()).table.version == 2
    await world.ann.click(reply(panel), label="Play")
    assert (await table.snapshot()).table.version == 3


async def test_an_old_panel_out_of_turn_says_who_is_awaited(world: World, table: Seated) -> None:
    panel = await world.ann.click(table.board(), label="Move")
    await table.act(world.ann, ("b2", "b3"))
    await table.show_all()
    await world.ann.click(reply(panel), label="g2")
    assert "Waiting for Ben." in world.text(panel)
    assert labels(panel) == ["Plan ahead"], "there is nothing to pick"


async def test_a_panel_of_a_game_that_is_over_shows_how_it_ended(world: World, table: Seated) -> None:
    panel = await world.ann.click(table.board(), label="Move")
    await world.ann.click(reply(panel), label="b2")
    asked = await by_way(world.ben, world.channel, "resign")
    await world.ben.click(reply(asked), label="Resign")
    await world.ann.click(reply(panel), label="b3")
    assert "Ann wins" in world.text(panel)
    assert buttons(panel)[0].label == "Rematch"
    assert world.pictures(panel)


# --- the hand -------------------------------------------------------------------------------------------------------------
async def test_where_nothing_is_hidden_the_hand_says_so(world: World, table: Seated) -> None:
    told = await by_way(world.ann, world.channel, "hand")
    assert "Bouncers has no secrets: everybody sees the same board." in world.text(told)


async def test_a_player_with_nothing_to_hide_is_told_that_and_shown_the_board(world: World) -> None:
    table = await open_table(world, "bunny", world.ann, world.ben)
    (awaited,) = await table.awaited()
    other = world.ben if awaited is world.ann else world.ann
    told = await other.click(table.board(), label="My secrets")
    world.says(told, "No secrets just now: you see what everybody sees.", f"Waiting for {awaited.name.title()}.")
    assert world.pictures(told)


async def test_a_hand_is_in_the_picture_and_in_its_words(world: World) -> None:
    table = await at_pucks(world)
    hand = (await table.snapshot()).playing.state.hands[0]
    for label in ("Hand", "Move"):
        shown = await world.ann.click(table.board(), label=label)
        alt = world.picture(shown).alt
        assert all(f"({card})" in alt for card in hand)
        assert "You hold" not in world.text(shown)


async def test_on_ones_own_turn_the_hand_has_its_own_picture_with_cards_to_play(world: World) -> None:
    table = await at_pucks(world)
    await world.ann.click(table.board(), label="Draw 1 card")
    version = (await table.snapshot()).table.version
    shown = await world.ann.click(table.board(), label="Hand")
    assert shown.ephemeral
    assert "Row 1" not in world.picture(shown).alt, "the board is not in it"
    assert "**What’s your move? 1 action left.**" in world.text(shown)
    cards = await table.choices(world.ann, ("play",))
    read = [click for one in buttons(shown) if (click := Click.read(one.custom_id or ""))]
    assert [click.tokens for click in read] == [*(("play", card.token) for card in cards), ()]
    open_ended = next(click for click, card in zip(read, cards, strict=False) if not card.final)
    await world.ann.click(reply(shown), custom_id=open_ended.custom_id)
    assert (await table.snapshot()).table.version == version, "a card is shown before it is played"
    assert "Back" in labels(reply(shown))
    again = await world.ann.click(table.board(), label="Hand")
    await world.ann.click(reply(again), label="Move")
    assert "Row 1" in world.picture(again).alt
    assert "You hold" not in all_that_is_public(world)


async def test_while_placing_the_hand_shows_the_cards_and_has_none_to_play(world: World) -> None:
    table = await open_table(world, "pucks", world.ann, world.ben, seats=2)
    shown = await world.ann.click(table.board(), label="Hand")
    hand = (await table.snapshot()).playing.state.hands[0]
    assert all(f"({card})" in world.picture(shown).alt for card in hand)
    assert "Row 1" not in world.picture(shown).alt
    assert labels(reply(shown)) == ["Move"]
    waiting = await world.ben.click(table.board(), label="Hand")
    assert "Row 1" in world.picture(waiting).alt, "who waits is shown the board, too"
    assert "You hold 5 cards" in world.picture(waiting).alt


@pytest.mark.slow
async def test_a_hand_that_is_too_full_is_discarded_from_its_picture(world: World) -> None:
    table = await at_pucks(world)

    def chosen(history: History) -> tuple[int, Action] | None:
        if history.state.phase == "discard":
            return None
        return history.to_act[0], walked(history, history.to_act[0], table.dice)

    await table.act_on(chosen)
    await table.show_all()
    (member,) = await table.awaited()
    shown = await member.click(table.board(), label="Hand")
    held = (await table.choices(member, ("discard",)))[0].token
    version = (await table.snapshot()).table.version
    assert await table.press(member, reply(shown), ("discard", held)) <= 2
    assert (await table.snapshot()).table.version == version + 1


# --- going on -------------------------------------------------------------------------------------------------------------
async def moving(world: World, actions: int = 4) -> tuple[Seated, Any]:
    """Ann's panel in a turn of so many actions, after moving a meeple that can go on the same way. Ben holds a whistle."""
    table = await at_pucks(world)
    await table.act_on(until_a_turn_of(table, actions))
    await table.show_all()
    (member,) = await table.awaited()
    panel = reply(await member.click(table.board(), custom_id=buttons(table.board())[0].custom_id))
    playing = (await table.snapshot()).playing
    ways = [("m1", choice.token) for choice in await table.choices(member, ("m1",))]
    again = next(way for way in ways if is_whole(playing.game, playing.game.play(playing.state, 0, way).state, 0, way))
    await table.press(member, panel, again)
    return table, panel


def until_a_turn_of(table: Seated, actions: int) -> Any:
    def chosen(history: History) -> tuple[int, Action] | None:
        (seat, *_), state = history.to_act, history.state
        if state.phase == "draw" and state.table.action_rule == actions and seat == 0 and "whistle" in state.hands[1]:
            return None
        takes = [("play", choice.token) for choice in history.game.choices(state, seat, ("play",))]
        if state.table.action_rule != actions and ("play", f"take-{actions}") in takes:
            return seat, ("play", f"take-{actions}")
        action = walked(history, seat, table.dice)
        while action[0] in {"play", "discard"} and action[1].startswith("take-"):
            action = walked(history, seat, table.dice)
        return seat, action

    return chosen


@pytest.mark.slow
async def test_the_panel_goes_on_with_the_piece_just_moved_or_another(world: World, monkeypatch: pytest.MonkeyPatch) -> None:
    drawn = AsyncMock(side_effect=picture)
    monkeypatch.setattr("bot.messages.panel.picture", drawn)
    table, panel = await moving(world)
    ways = [("m1", choice.token) for choice in await table.choices(world.ann, ("m1",))]
    read = [click for one in buttons(panel) if (click := Click.read(one.custom_id or ""))]
    assert [click.tokens for click in read if click.verb == "pick"][: len(ways)] == ways
    pieces = {(choice.token,) for choice in await table.choices(world.ann) if choice.token != "play"}
    assert not pieces & {click.tokens for click in read}, "all others are behind one button, so that the board stays in sight"
    assert "Keep going with **Meeple 1**, or do something else:" in world.text(panel)
    assert drawn.call_args.kwargs["whole"], "the others can be picked, so the picture shows them"
    await world.ann.click(panel, label="Another piece")
    read = [click for one in buttons(panel) if (click := Click.read(one.custom_id or ""))]
    assert pieces <= {click.tokens for click in read if click.verb == "pick"}
    assert "Keep going" not in world.text(panel)
    await world.ann.click(panel, label="Back")
    assert "Keep going with **Meeple 1**, or do something else:" in world.text(panel)
    reopened = await world.ann.click(table.board(), label="Move")
    first = [Click.read(one.custom_id or "") for one in buttons(reopened)][: len(ways)]
    assert [click.tokens for click in first if click is not None] == ways
    panel = reply(reopened)
    await world.ann.click(panel, custom_id=buttons(panel)[0].custom_id)
    assert "Play" in labels(panel)
    await world.ann.click(panel, label="Back")
    assert "Keep going with" in world.text(panel)


@pytest.mark.slow
async def test_repeating_takes_one_click_where_a_preview_would_ask_first(world: World) -> None:
    table, panel = await moving(world)
    last = (await table.snapshot()).playing.log[-1].entry.tokens
    (again,) = [label for label in labels(panel) if label.endswith(" again")]
    assert again.removesuffix(" again") in labels(panel), "it says which way"
    await world.ann.click(panel, label=again)
    snapshot = await table.snapshot()
    assert snapshot.playing.log[-1].entry.tokens == snapshot.playing.log[-2].entry.tokens == last
    await switch(world, world.ann, preview=False)
    assert not any(label.endswith(" again") for label in labels(reply(await world.ann.click(table.board(), label="Move"))))


async def test_a_panel_that_goes_on_takes_few_rows_on_a_phone(world: World) -> None:
    _, panel = await moving(world)
    (container,) = panel.components
    rows = [part["components"] for part in container["components"] if part["type"] == discord.ComponentType.action_row.value]
    first, *others = [[one["label"] for one in row] for row in rows]
    ways = {"Up", "Right", "Down", "Left"}
    assert {label.removesuffix(" again").removesuffix(": goal!") for label in first} <= ways, (
        "the picture shows where they lead"
    )
    assert list(itertools.chain(*others)) == ["Another piece", "Card", "Spend the rest"]
    assert len(others) == 1


@pytest.mark.parametrize(("count", "symbols"), [(3, True), (4, False)])
def test_the_ways_of_a_piece_stand_in_one_row_of_a_phone(count: int, symbols: bool) -> None:
    ways = [
        MenuItem(("m1", way.lower()), Choice(way.lower(), f"{way}, to the edge of mat h", final=True, symbol="⬆️", brief=way))
        for way in ("Up", "Right", "Left")[: count - 1]
    ]
    ways.append(MenuItem(("m1", "down"), Choice("down", "Down, into the goal!", final=True, symbol="⬇️", brief="Down: goal!")))
    picked = Pick(0, (), final=False, choices=(), items=(), untouched=True, going_on=tuple(ways))
    row = Menu(picked=picked, regions=(), page=0, click=Click("pick", 1, 1), label=ENGLISH).going_on()
    assert [one.label for one in row] == [way.choice.brief for way in ways]
    assert [bool(one.emoji) for one in row] == [symbols] * count, "all or none in a row"
    assert lines_on_phone(row) == 1


async def test_another_players_action_in_between_ends_the_going_on(world: World) -> None:
    table, panel = await moving(world)
    await table.act(world.ben, ("play", "whistle"))
    await table.show_all()
    version = (await table.snapshot()).table.version
    await world.ann.click(panel, label="Spend the rest")
    assert "The board has changed since." in world.text(panel)
    assert (await table.snapshot()).table.version == version
    fresh = await world.ann.click(table.board(), label="Move")
    assert "Keep going with" not in world.text(fresh)


async def test_the_rest_of_a_turn_is_not_spent_from_the_older_of_two_panels(world: World) -> None:
    table, panel = await moving(world)
    await world.ann.click(table.board(), label="Move")
    version = (await table.snapshot()).table.version
    await world.ann.click(panel, label="Spend the rest")
    assert "This panel is out of date" in world.text(panel)
    assert (await table.snapshot()).table.version == version


def is_previewed(game_id: str, state: Any, tokens: Action, *, alone: bool) -> bool:
    """Whether a whole action of the first player is shown before it is played."""
    game = GAMES[game_id]
    position = Position(game=game, state=state, names=("Ann", "Ben"), file="")
    snapshot = SimpleNamespace(position=position, present=(0, 1), is_alone=alone)
    picked = picking.Picker(0, lambda prefix: game.choices(state, 0, prefix)).pick(tokens)
    assert picked.prefix == tokens
    return preview_of(cast("Snapshot", snapshot), picked) is not None


@pytest.mark.parametrize(
    ("action", "alone", "hand", "taken", "asked"),
    [
        ("m1 up", True, ["shift"], 0, False),
        ("m1 up", False, ["shift"], 0, True),
        ("m1 up", True, ["shift"], 1, False),
        ("m1 up", True, [], 1, True),
        ("p1 up", True, ["shift"], 0, False),
        ("p1 up", False, ["shift"], 0, True),
        ("play slush", True, ["slush"], 0, True),
    ],
    ids=[
        "a step", "a step among people", "the last action of a turn that goes on", "a step that ends the turn", "a slide",
        "a slide among people", "a card",
    ],
)  # fmt: skip
def test_alone_undoable_actions_are_played_without_a_preview(
    action: str, alone: bool, hand: list[str], taken: int, asked: bool
) -> None:
    state = two(hand, pieces={"red p1": "e1", "red m1": "e10", "blue m1": "i6"}, taken=taken)
    assert is_previewed("pucks", state, tuple(action.split()), alone=alone) == asked


@pytest.mark.parametrize("alone", [True, False])
@pytest.mark.parametrize(("carrots", "wins"), [(2, True), (1, False)])
@pytest.mark.parametrize("action", ["enter b1", "right"])
def test_alone_a_winning_hop_is_played_without_a_preview(action: str, carrots: int, wins: bool, alone: bool) -> None:
    game = GAMES["bunny"]
    place = None if action == "enter b1" else "a1"
    state = cards.table({"a1": "stop", "b1": "carrot"}, bunnies=[place, None], carrots=[carrots, 0], shocks=[0, 0])
    tokens = ("enter", "b") if place is None else (action,)
    after = game.play(state, 0, tokens).state
    assert (game.outcome(after) is not None) == wins
    assert is_previewed("bunny", state, tokens, alone=alone) == (not alone or (len(tokens) > 1 and not wins))


@pytest.mark.parametrize("alone", [True, False])
def test_alone_the_last_puck_is_scored_without_a_preview(alone: bool) -> None:
    game, tokens = GAMES["pucks"], ("p4", "left")
    pieces = {"red p4": "f14", "red m1": "b6", "blue m1": "i6"}
    state = two([], pieces=pieces, scored=["red p1", "red p2", "red p3"])
    assert game.outcome(game.play(state, 0, tokens).state) is not None
    assert is_previewed("pucks", state, tokens, alone=alone) != alone


# --- the rest of a turn -----------------------------------------------------------------------------------------------------
def test_a_long_rest_of_a_turn_is_told_a_line_a_piece() -> None:
    game, state = GAMES["pucks"], two(["whistle"], pieces={"red m1": "e6", "red m2": "e11", "blue m1": "i6"}, taken=1)
    ways = [("m1", "up"), ("m2", "left"), ("m1", "down"), ("m2", "right"), ("m1", "up")]
    position = Position(game=game, state=state, names=("Ann", "Ben"), file="")
    told = rest_in_words(position, 0, Spending(tuple(ways), (), state, None), Perspective(seat=0, language=ENGLISH))
    assert told == "Meeple 1: 3 steps\nMeeple 2: 2 steps back and forth"


@pytest.mark.slow
async def test_the_rest_of_a_turn_is_shown_first_and_then_played_and_told_as_routine(world: World) -> None:
    table, panel = await moving(world)
    before = await table.snapshot()
    rest = part_of(before.playing.game, Buttons).rest(before.playing.state, 0)
    await world.ann.click(panel, label="Spend the rest")
    world.says(panel, "**Spend your last 3 actions like this?**", "not the best")
    assert labels(panel) == ["Play", "Play and end the turn", "Back"]
    assert world.pictures(panel)
    await world.ann.click(panel, label="Back")
    assert "Keep going with" in world.text(panel)
    await world.ann.click(panel, label="Spend the rest")
    calls = world.watch.count()
    await world.ann.click(panel, label="Play")
    assert world.watch.count() - calls <= 2, "one answer, one edit of the board"
    after = await table.snapshot()
    assert [logged.entry.tokens for logged in after.playing.log[before.table.version :]] == list(rest)
    assert "no actions left. Play a card, or end your turn?" in world.text(table.board())
    await world.repeat_last_interaction()
    assert (await table.snapshot()).table.version == after.table.version


async def test_the_rest_of_a_turn_is_not_offered_before_it_has_begun_nor_when_nothing_is_left(world: World) -> None:
    table = await at_pucks(world)
    panel = reply(await world.ann.click(table.board(), label="Draw 1 card"))
    assert "Spend the rest" not in labels(panel)
    await table.press(world.ann, panel, await a_move(table))
    assert "Spend the rest" not in labels(panel)
    with pytest.raises(Refused):
        await table.core.service(Play).spend(table.table_id, user_of(world.ann), version=2)


async def test_an_order_that_answers_a_step_stops_the_others(world: World, monkeypatch: pytest.MonkeyPatch) -> None:
    table, panel = await moving(world)
    snapshot = await table.snapshot()
    order = walked_order(snapshot.playing, 1)
    await table.core.service(Plans).add_order(table.table_id, user_of(world.ben), snapshot.plan_of(1).revision, order)
    version = snapshot.table.version

    def whistle_the_second(game: Any, happened: Happened[Any], seat: int, orders: Any) -> Response:
        fires = happened.before.taken == snapshot.playing.state.taken + 1 and happened.seat == 0
        return Response(("play", "whistle") if fires else None, () if fires else orders)

    monkeypatch.setattr(type(snapshot.playing.game), "respond", whistle_the_second)
    await press(world.ann, panel, "Spend the rest", "Play and end the turn")
    log = (await table.snapshot()).playing.log[version:]
    assert [logged.entry.seat for logged in log] == [0, 0, 1], "two steps, and the whistle"
    assert (await table.snapshot()).playing.to_act == (0,)
    world.says(panel, "Whistle", "1 action left")


def walked_order(history: History, seat: int) -> Action:
    """The first order that a seat can give."""
    order: Action = ()
    while True:
        choice = part_of(history.game, Orders).order_choices(history.state, seat, order)[0]
        order = (*order, choice.token)
        if choice.final:
            return order
