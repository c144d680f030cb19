"""House rules: typed with `/play` or chosen in a panel with a preview, and told wherever the table is shown."""

from collections.abc import Sequence
from typing import Any

import pytest
from simcord.actors import MemberActor

from engines import GAMES
from engines.game import editable_text
from tests.bot.kit import Select, World, buttons, labels, reply, selects, texts
from tests.bot.ways import in_words

pytestmark = pytest.mark.slow

GAME = GAMES["pucks"]


async def opened(world: World, **options: Any) -> Any:
    """Ann opens a table of Puck Bumpers, for two unless stated otherwise."""
    return await world.ann.slash(world.channel, "open", **({"game": "pucks", "seats": 2} | options))


async def panel(world: World, **options: Any) -> Any:
    """Ann opens a table and its panel of house rules."""
    await opened(world, **options)
    return await world.ann.click(world.messages()[0], label="House rules")


def menu(message: Any, name: str) -> Select:
    (found,) = [one for one in selects(message) if one.custom_id.endswith(f"|{name}")]
    return found


async def choose(world: World, who: MemberActor, shown: Any, name: str, values: Sequence[str]) -> Any:
    message = reply(shown)
    return await who.select(message, list(values), custom_id=menu(message, name).custom_id)


def lobby(world: World) -> str:
    return world.text(world.messages()[0])


async def test_the_opener_chooses_house_rules_in_a_panel_of_their_own_with_a_picture(world: World) -> None:
    shown = await panel(world)
    assert shown.ephemeral
    assert "it’s the standard game" in world.text(shown)
    before = world.picture(shown)
    shown = await choose(world, world.ann, shown, "colours", ["2"])
    assert "two colours each" in world.text(shown)
    assert world.picture(shown).png != before.png
    assert "two colours each" in lobby(world)
    assert "not rated" in lobby(world)


async def test_a_game_without_house_rules_has_no_such_button(world: World) -> None:
    await world.ann.slash(world.channel, "open", game="bouncers")
    assert "House rules" not in labels(world.messages()[0])


async def test_everybody_can_read_the_house_rules_and_only_the_opener_changes_them(world: World) -> None:
    await opened(world, options="colours:2")
    shown = await world.ben.click(world.messages()[0], label="House rules")
    world.says(shown, "two colours each", "Ann sets the house rules")
    assert selects(shown) == []
    assert world.pictures(shown) != []


async def test_once_somebody_has_joined_the_rules_are_fixed_and_the_panel_says_so(world: World) -> None:
    shown = await panel(world, seats=3)
    await world.ben.click(world.messages()[0], label="Join")
    shown = await choose(world, world.ann, shown, "colours", ["2"])
    assert "fixed once somebody else has joined" in world.text(shown)
    assert selects(shown) == []
    assert "two colours" not in lobby(world)


async def test_nobody_joins_without_having_read_what_is_played(world: World) -> None:
    shown = await panel(world, seats=3)
    (join,) = [one for one in buttons(world.messages()[0]) if one.label == "Join"]
    await choose(world, world.ann, shown, "colours", ["2"])
    assert join.custom_id not in [one.custom_id for one in buttons(world.messages()[0])]


async def test_the_number_of_seats_is_changed_in_the_panel_too(world: World) -> None:
    shown = await panel(world, seats=6)
    shown = await choose(world, world.ann, shown, "colours", ["2"])
    assert "two or three players" in world.text(shown)
    (seats,) = [one for one in selects(shown) if "house-seats" in one.custom_id]
    shown = await world.ann.select(reply(shown), ["3"], custom_id=seats.custom_id)
    shown = await choose(world, world.ann, shown, "colours", ["2"])
    assert "two colours each" in lobby(world)
    assert "2 seats open" in lobby(world)


async def test_done_leaves_the_chosen_rules(world: World) -> None:
    shown = await panel(world, options="colours:2")
    done = await world.ann.click(reply(shown), label="Done")
    assert "two colours each" in world.text(done)
    assert selects(done) == []


async def test_the_panel_of_a_game_that_has_begun_only_says_what_is_played(world: World) -> None:
    shown = await panel(world, options="colours:2")
    await world.ben.click(world.messages()[0], label="Join")
    shown = await choose(world, world.ann, shown, "colours", ["1"])
    assert "begun" in world.text(shown)


async def test_the_head_of_the_board_tells_the_house_rules_shortly(world: World) -> None:
    await opened(world, options="colours:2")
    await world.ben.click(world.messages()[0], label="Join")
    assert "two colours each" in texts(world.last())[0].splitlines()[0]


async def test_an_outsider_learns_nothing_of_the_house_rules_of_a_private_table(world: World) -> None:
    await opened(world, opponent=world.ben, private=True, options="colours:2")
    public = world.messages()[0]
    assert "two colours" not in world.text(public)
    answer = await world.cleo.click(public, label="House rules")
    assert "two colours" not in world.text(answer)
    assert world.pictures(answer) == []


async def test_a_table_with_house_rules_is_listed_and_rules_lead_to_its_variant(world: World) -> None:
    await opened(world, variant="old-school", options="colours:2")
    assert "#1" in world.text(await world.ben.slash(world.channel, "games"))
    rules = await world.ben.click(world.messages()[0], label="Rules")
    assert "Old school" in world.text(rules)


@pytest.mark.parametrize("options", ["colours:2,order:shuffled", "colours:2, order:shuffled", "  colours:2   order:shuffled "])
async def test_options_are_typed_with_commas_or_spaces(world: World, options: str) -> None:
    await opened(world, options=options)
    assert "two colours each" in lobby(world)
    assert "random seats" in lobby(world)


CODE = "B.K/GeKB"
MISTYPED = "B.X/GeKB"


async def written(world: World, shown: Any, code: str) -> Any:
    """Ann presses the button for her own board, and types a code."""
    asked = await world.ann.click(reply(shown), label="My own board …")
    assert asked._interaction.modal is not None
    return await world.ann.submit_modal(asked, {"code": code})


def prefilled(asked: Any) -> str:
    """The text in a form when it opens."""

    def values(node: Any) -> list[str]:
        inner = [*node.get("components", []), *([node["component"]] if "component" in node else [])]
        return ([node["value"]] if isinstance(node.get("value"), str) else []) + [one for part in inner for one in values(part)]

    return "".join(values(asked._interaction.modal))


async def test_a_code_is_read_back_and_its_board_is_shown_everywhere(world: World) -> None:
    shown = await panel(world)
    usual = world.picture(shown).png
    poster = world.picture(world.messages()[0]).png
    shown = await written(world, shown, " B . K / GeKB ")
    world.says(shown, f"board {CODE}", f"```\n{CODE}\n```")
    assert world.picture(shown).png != usual
    assert f"board {CODE}" in lobby(world)
    assert world.picture(world.messages()[0]).png != poster
    await world.ben.click(world.messages()[0], label="Join")
    assert CODE in texts(world.last())[0]
    words = await in_words(world.ben, world.last())
    assert CODE in world.text(words)


async def test_the_code_of_the_usual_board_is_there_to_be_changed(world: World) -> None:
    shown = await panel(world, seats=6)
    code = editable_text(GAME, "board", "standard", 6, {})
    assert f"```\n{code}\n```" in world.text(shown)
    asked = await world.ann.click(reply(shown), label="My own board …")
    assert prefilled(asked) == code
    again = await world.ann.submit_modal(asked, {"code": code})
    assert code in lobby(world)
    assert "start spaces" not in world.text(again)


async def test_a_wrong_place_is_named_and_what_was_typed_is_kept(world: World) -> None:
    shown = await written(world, await panel(world), MISTYPED)
    world.says(shown, "row 1, place 3", f"```\n{MISTYPED}\n```")
    assert "· board" not in lobby(world)
    asked = await world.ann.click(reply(shown), label="My own board …")
    assert prefilled(asked) == MISTYPED
    mended = await world.ann.submit_modal(asked, {"code": CODE})
    assert f"board {CODE}" in world.text(mended)
    assert "row 1" not in world.text(mended)


@pytest.mark.parametrize("typed", ["`@everyone` ```x```", "G" * 200, "/" * 200, "<@1>**", "\u202eKG"])
async def test_whatever_is_typed_for_a_code_is_answered_and_changes_nothing(world: World, typed: str) -> None:
    shown = await written(world, await panel(world), typed)
    assert "My own board …" in labels(shown)
    assert "· board" not in lobby(world)
    await world.ann.click(reply(shown), label="My own board …")


async def test_the_dice_deal_a_shuffled_board_and_the_preview_knows_none_of_its_mats(world: World) -> None:
    shown = await panel(world)
    shown = await choose(world, world.ann, shown, "board", ["shuffled"])
    assert "a shuffled board" in world.text(shown)
    assert "```" not in world.text(shown)
    await world.ben.slash(world.channel, "open", game="pucks", seats=2, options="board:shuffled")
    other = await world.cleo.click(world.messages()[1], label="House rules")
    assert world.picture(shown).png == world.picture(other).png, "whatever their seeds are"
    await world.ben.click(world.messages()[0], label="Join")
    words = await in_words(world.ben, world.last())
    assert "?" not in world.text(words)


async def test_cards_are_left_out_one_by_one_or_in_sets(world: World) -> None:
    shown = await panel(world)
    shown = await choose(world, world.ann, shown, "without 0", ["mats", "whistle"])
    assert "without all cards that move mats, Whistle" in world.text(shown)
    shown = await choose(world, world.ann, shown, "without 1", ["draw-4"])
    assert "without all cards that move mats, Draw 4, Whistle" in lobby(world)
    shown = await choose(world, world.ann, shown, "without 0", [])
    assert "without Draw 4" in lobby(world)
    shown = await choose(world, world.ann, shown, "without 1", [])
    assert "without" not in lobby(world)


async def test_fewer_pucks_win(world: World) -> None:
    shown = await panel(world)
    await choose(world, world.ann, shown, "to-win", ["2"])
    assert "2 pucks to win" in lobby(world)


async def test_options_that_the_variant_lacks_are_not_offered(world: World) -> None:
    shown = await panel(world, variant="old-school")
    assert not any("without" in one.custom_id or "to-win" in one.custom_id for one in selects(shown))
    assert any("board" in one.custom_id for one in selects(shown))


async def test_a_board_too_small_for_all_says_so_and_is_fine_for_fewer(world: World) -> None:
    shown = await written(world, await panel(world, seats=6), CODE)
    assert "too small for 6 players" in world.text(shown)
    (seats,) = [one for one in selects(shown) if "house-seats" in one.custom_id]
    shown = await world.ann.select(reply(shown), ["2"], custom_id=seats.custom_id)
    await written(world, shown, CODE)
    assert CODE in lobby(world)


async def test_how_house_rules_work_is_a_page_of_the_rules(world: World) -> None:
    shown = await panel(world)
    page = await world.ann.click(reply(shown), label="How they work")
    assert "House rules" in world.text(page)


@pytest.mark.parametrize(
    "typed",
    ["board:B.K/GeKB", "board: B.K/GeKB", "board:B.K / GeKB order:shuffled", "order:shuffled board:B.K/\tGe K B"],
)
async def test_spaces_and_commas_do_not_break_a_code(world: World, typed: str) -> None:
    await opened(world, options=typed)
    assert f"board {CODE}" in lobby(world)


async def test_cards_may_be_typed_with_commas(world: World) -> None:
    await opened(world, options="without:mats,whistle order:shuffled")
    assert "without all cards that move mats, Whistle" in lobby(world)


async def test_a_table_for_anybody_has_as_many_seats_as_its_board_has_room_for(world: World) -> None:
    await world.ann.slash(world.channel, "open", game="pucks", options=f"board:{CODE}")
    assert "one seat open" in lobby(world)


async def test_a_menu_shows_what_is_chosen_even_after_an_impossible_choice(world: World) -> None:
    shown = await panel(world, seats=6)
    before = menu(shown, "colours").custom_id
    refused = await choose(world, world.ann, shown, "colours", ["2"])
    assert menu(refused, "colours").custom_id != before, "or Discord would go on showing the choice"
    assert (
        menu(refused, "colours").custom_id
        != menu(await choose(world, world.ann, refused, "to-win", ["2"]), "colours").custom_id
    )


async def test_the_invitation_has_the_house_rules(world: World) -> None:
    shown = await panel(world, opponent=world.ben, options="colours:2")
    invitation = world.messages()[1]
    assert "House rules, not rated: two colours each" in world.text(invitation)
    await choose(world, world.ann, shown, "colours", ["1"])
    refused = await world.ben.click(invitation, label="Accept")
    assert "have changed since" in world.text(refused)
    await world.ben.click(world.messages()[0], label="Accept")
    assert "The game has begun" in lobby(world)


@pytest.mark.parametrize("board", ["standard", "shuffled", "B.K/GeKB"])
async def test_the_command_board_tells_everybody_the_code_of_the_layout_at_the_start(world: World, board: str) -> None:
    await opened(world, options=f"setup:random board:{board}")
    await world.ben.click(world.messages()[0], label="Join")
    code = (await world.client.core.snapshot(1)).playing.state.house.board or "BGsK/GeBGw/KsGnB"
    assert board in {code, "standard", "shuffled"}
    for member in (world.ann, world.cleo):
        shown = await member.slash(world.channel, "board", game="1")
        assert f"Start layout: `{code}`." in world.text(shown)
