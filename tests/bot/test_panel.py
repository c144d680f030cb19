"""The private panel: what it asks, what it shows before it plays, and what it says when it is out of date."""

import itertools
from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import pytest

from bot.messages.click import Click
from bot.messages.panel import picking
from bot.messages.panel.picking import MenuItem, regions
from bot.sessions import History
from engines import GAMES
from engines.bunny.field import SPACES
from engines.game import Action, Choice, Words, foresee, legal_actions, part_of
from tests.bot.kit import World, buttons, reply, selects
from tests.bot.seated import SETUP_RANDOM, Seated, all_that_is_public, open_table, walked

BOUNCERS = GAMES["bouncers"]


async def bouncers(world: World) -> Seated:
    return await open_table(world, "bouncers", world.ann, world.ben)


async def at_pucks(world: World, *others: Any) -> Seated:
    return await open_table(world, "pucks", world.ann, *(others or (world.ben,)), seats=2, options=SETUP_RANDOM)


def labels(message: Any) -> list[str]:
    return [one.label for one in buttons(message)]


# --- what it asks ---------------------------------------------------------------------------------------------------------


async def test_the_panel_asks_the_games_own_question_and_says_shortly_what_is_picked(world: World) -> None:
    table = await bouncers(world)
    state = (await table.snapshot()).playing.state
    panel = await world.ann.click(table.board(), label="Move")
    assert "**Which piece bounces?**" in world.text(panel)
    assert "Back" not in labels(panel)
    await world.ann.click(reply(panel), label="b2")
    assert f"**{part_of(BOUNCERS, Words).prompt(state, 0, ('b2',))}** b2" in world.text(panel)
    await world.ann.click(reply(panel), label="b3")
    assert f"**{part_of(BOUNCERS, Words).prompt(state, 0, ('b2', 'b3'))}** Bounce b2-b3" in world.text(panel)
    await world.ann.click(reply(panel), label="Back")
    await world.ann.click(reply(panel), label="Back")
    assert "**Which piece bounces?**" in world.text(panel)


async def test_symbols_of_choices_are_on_their_buttons(world: World, monkeypatch: pytest.MonkeyPatch) -> None:
    table = await bouncers(world)
    choices = type(BOUNCERS).choices

    def with_symbols(game: Any, state: Any, seat: int, prefix: Action = ()) -> list[Choice]:
        return [replace(choice, symbol="⬆️") for choice in choices(game, state, seat, prefix)]

    monkeypatch.setattr(type(BOUNCERS), "choices", with_symbols)
    panel = await world.ann.click(table.board(), label="Move")
    assert {one.get("emoji", {}).get("name") for one in raw_buttons(panel)} == {"⬆️"}


def raw_buttons(message: Any) -> Iterator[dict[str, Any]]:
    rows = [row for container in reply(message).components for row in dict(container)["components"]]
    return (item for row in rows for item in row.get("components", []) if item["type"] == 2)


async def test_what_may_follow_a_verb_is_offered_in_its_place_and_back_leads_past_it(world: World) -> None:
    table = await at_pucks(world)
    opened = await world.ann.click(table.board(), label="Draw 1 card")
    first = await table.choices(world.ann)
    assert "play" in [choice.token for choice in first], "with six cards, one can nearly always be played"
    cards = await table.choices(world.ann, ("play",))
    offered = [click.tokens for one in buttons(reply(opened)) if (click := Click.read(one.custom_id or ""))]
    assert [tokens for tokens in offered if tokens[:1] == ("play",)] == [("play", card.token) for card in cards]
    assert ("play",) not in offered
    open_ended = next((card for card in cards if not card.final), None)
    if open_ended is not None:
        panel = reply(opened)
        await world.ann.click(panel, custom_id=Click("pick", 1, 1, 0, ("play", open_ended.token)).custom_id)
        await world.ann.click(panel, label="Back")
        assert next(one.custom_id for one in buttons(panel)) == Click("pick", 1, 1, 0, (first[0].token,)).custom_id


# --- before it plays ------------------------------------------------------------------------------------------------------


async def test_a_last_step_is_shown_before_it_is_played(world: World) -> None:
    table = await bouncers(world)
    await table.act(world.ann, ("b2", "b3"))
    await table.act(world.ben, ("b7", "b6"))
    await table.show_all()
    action = await whole(table)
    panel = await world.ann.click(table.board(), label="Move")
    while found := picks(panel, action):
        await world.ann.click(reply(panel), custom_id=found[-1])
    assert (await table.snapshot()).table.version == 2, "nothing is played yet"
    assert labels(panel) == ["Play", "Back"]
    assert "**Bounce a1-b2-a3-a4-b5?**\n🔴 **Ann** bounces " in world.text(panel), (
        "in words alone, as it will be told to everybody"
    )
    seen = world.picture(panel)
    state = (await table.snapshot()).playing.state
    after = foresee(BOUNCERS, state, 0, action)
    assert after is not None
    assert seen.alt[:200] in BOUNCERS.describe(BOUNCERS.view(after.state, 0)).render(name=["Ann", "Ben"].__getitem__)
    await world.ann.click(reply(panel), label="Play")
    assert (await table.snapshot()).table.version == 3


async def whole(table: Seated) -> Action:
    """An action after which no further step is possible."""
    history = (await table.snapshot()).playing
    (seat,) = history.to_act
    actions = legal_actions(history.game, history.state, seat)
    return next(action for action in actions if not history.game.choices(history.state, seat, action))


def picks(panel: Any, action: Action) -> list[str]:
    """The buttons that bring an action forward."""
    read = [(one.custom_id or "", Click.read(one.custom_id or "")) for one in buttons(panel)]
    return [name for name, click in read if click and click.verb == "pick" and click.tokens == action[: len(click.tokens)]]


async def test_who_wants_no_previews_plays_with_the_click_that_says_it_all(world: World) -> None:
    table = await bouncers(world)
    await world.ann.slash(world.channel, "settings preview", on=False)
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
    """What an action leads to is known beforehand, dice and all."""
    monkeypatch.setattr(picking, "foresee", lambda game, state, seat, action: game.play(state, seat, action))


async def test_a_button_under_the_board_shows_first_what_it_is_certain_to_lead_to(
    world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
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


async def test_the_board_is_turned_only_for_those_who_want_it(world: World) -> None:
    table = await bouncers(world)
    await table.act(world.ann, ("b2", "b3"))
    await table.show_all()
    straight = world.picture(await world.ben.click(table.board(), label="Move")).png
    await world.ben.slash(world.channel, "settings turn-board", on=True)
    turned = world.picture(await world.ben.click(table.board(), label="Move")).png
    assert straight != turned
    await world.ben.slash(world.channel, "settings turn-board", on=False)
    assert straight == world.picture(await world.ben.click(table.board(), label="Move")).png


# --- the end of a turn ----------------------------------------------------------------------------------------------------


async def test_drawing_goes_on_into_the_panel(world: World) -> None:
    table = await at_pucks(world)
    before = world.watch.count()
    drawn = await world.ann.click(table.board(), label="Draw 1 card")
    assert drawn.ephemeral
    panel = reply(drawn)
    assert "You draw" in world.text(panel)
    assert world.pictures(panel)
    assert {click.verb for one in buttons(panel) if (click := Click.read(one.custom_id or ""))} == {"pick"}
    assert world.watch.count() - before == 2, "one answer, one edit of the board"
    assert "You draw" not in all_that_is_public(world)


async def test_what_the_player_alone_learns_is_not_told_beside_what_everybody_is_told_of_it(world: World) -> None:
    table = await at_pucks(world)
    panel = await world.ann.click(table.board(), label="Move")
    await world.ann.click(reply(panel), label="Draw 1 card")
    assert "You draw" in world.text(panel)
    assert "draws 1 card" not in world.text(panel)


async def test_the_last_action_is_played_with_the_end_of_the_turn_by_one_click(
    world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
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


async def a_move(table: Seated) -> Action:
    """A move of some piece."""
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


def test_few_squares_and_what_are_no_squares_are_listed_at_once() -> None:
    assert regions(GAMES["bunny"], offers(list(SPACES)[:20])) == ()
    assert regions(GAMES["bunny"], offers([*SPACES[:30], "pass"])) == ()


def test_spaces_of_mats_are_asked_for_mat_by_mat() -> None:
    spaces = [f"{mat}{number}" for mat, number in itertools.product("abcdefghijklmnop", (1, 4, 13))]
    found = regions(GAMES["pucks"], offers(spaces))
    assert [str(region.title) for region in found] == [f"Mat {mat}" for mat in "abcdefghijklmnop"]
    assert [offer.choice.token for offer in found[2].items] == ["c1", "c4", "c13"]


@pytest.mark.slow
async def test_a_swap_is_asked_for_by_row_and_column_and_the_first_square_stays_marked(
    world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
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
    await member.click(reply(panel), label="Row 2")
    assert labels(panel)[-1] == "Back"
    await member.click(reply(panel), label="Back")
    assert labels(panel) == rows
    await member.click(reply(panel), label="Row 2")
    square = next(click.tokens[-1] for one in buttons(panel) if (click := Click.read(one.custom_id or "")))
    await member.click(reply(panel), custom_id=buttons(panel)[0].custom_id)
    assert f"?** {square}" in world.text(panel)
    assert labels(panel)[:-1] == [row for row in rows if row in labels(panel)]
    assert all(len(one.custom_id or "") <= 100 for one in buttons(panel))
    second = (await table.choices(member, ("swap", square)))[0].token
    count = await table.press(member, reply(panel), ("swap", square, second))
    assert count == 3, "row, column, Play"


# --- out of date ----------------------------------------------------------------------------------------------------------


async def test_what_still_holds_of_a_pick_on_an_old_board_is_kept_but_not_played(world: World) -> None:
    table = await bouncers(world)
    panel = await world.ann.click(table.board(), label="Move")
    await world.ann.click(reply(panel), label="g2")
    await world.ann.click(reply(panel), label="g3")
    await table.act(world.ann, ("b2", "b3"))
    await table.act(world.ben, ("b7", "b6"))
    await table.show_all()
    await world.ann.click(reply(panel), label="Play")
    assert "The board has changed since. Your pick still works" in world.text(panel)
    assert "Bounce g2-g3" in world.text(panel)
    assert (await table.snapshot()).table.version == 2
    await world.ann.click(reply(panel), label="Play")
    assert (await table.snapshot()).table.version == 3


async def test_an_old_panel_out_of_turn_says_whom_the_game_waits_for(world: World) -> None:
    table = await bouncers(world)
    panel = await world.ann.click(table.board(), label="Move")
    await table.act(world.ann, ("b2", "b3"))
    await table.show_all()
    await world.ann.click(reply(panel), label="g2")
    assert "Waiting for Ben." in world.text(panel)
    assert labels(panel) == ["Plan ahead"], "there is nothing to pick"


async def test_a_panel_of_a_game_that_is_over_shows_how_it_ended(world: World) -> None:
    table = await bouncers(world)
    panel = await world.ann.click(table.board(), label="Move")
    await world.ann.click(reply(panel), label="b2")
    asked = await world.ben.slash(world.channel, "resign")
    await world.ben.click(reply(asked), label="Resign")
    await world.ann.click(reply(panel), label="b3")
    assert "Ann wins" in world.text(panel)
    assert buttons(panel) == []
    assert world.pictures(panel)


# --- the hand -------------------------------------------------------------------------------------------------------------


async def test_where_nothing_is_hidden_the_hand_says_so(world: World) -> None:
    await bouncers(world)
    told = await world.ann.slash(world.channel, "hand")
    assert "Bouncers has no secrets: everybody sees the same board." in world.text(told)


async def test_a_player_with_nothing_to_hide_is_told_that_and_shown_the_board(world: World) -> None:
    table = await open_table(world, "bunny", world.ann, world.ben)
    (awaited,) = await table.awaited()
    other = world.ben if awaited is world.ann else world.ann
    told = await other.click(table.board(), label="Hand")
    assert "No secrets just now: you see what everybody sees." in world.text(told)
    assert f"Waiting for {awaited.name.title()}." in world.text(told)
    assert world.pictures(told)


async def test_a_hand_is_in_the_picture_and_in_its_words(world: World) -> None:
    table = await at_pucks(world)
    shown = await world.ann.click(table.board(), label="Hand")
    hand = (await table.snapshot()).playing.state.hands[0]
    alt = world.picture(shown).alt
    assert all(f"`{card}`" in alt for card in hand)
    assert "You hold" not in world.text(shown)
