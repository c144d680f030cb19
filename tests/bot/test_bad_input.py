"""Whatever is typed or clicked gets a clear answer and causes no error on our side."""

from collections.abc import Iterator
from typing import Any

import discord
import pytest
from discord import app_commands
from hypothesis import given
from hypothesis import strategies as st
from simcord import actors
from simcord.backend.errors import SetupError

from bot.commands import COMMANDS
from bot.core.table.errors import Refused
from bot.features.settings import own_panel, server_panel
from bot.features.settings.own_panel import _minutes
from bot.features.settings.sections import Section
from bot.interactions.context import NAME_LIMIT, person
from bot.interactions.tables import table_number
from bot.messages.click import Click
from bot.messages.form import TextField
from engines.text import ECHOED_AT_MOST, echoed
from tests.bot.kit import World, a_chief
from tests.bot.seated import open_table
from tests.bot.settings_panels import forged_form, form
from tests.bot.ways import by_way

HUGE = "9" * 20
NASTY = (
    "", " ", HUGE, "-1", "0", "#", "##1", "9" * 5000, "٣", "²", "1e9", "NaN", "\0", "a\0b", "x" * 6000, "😀" * 101, "\ud7ff",
    "\u202eesrever", "{game}", "%s", "@everyone", "<@1>", "```", "|" * 50, "sb|move|1|1|0|",
    "../../etc/passwd", "'; DROP TABLE tables; --",
    "\n\n\n", "b2 " * 300, "order:" + "y" * 3000, "a:b:c", ":", "22:30:00", "25:00", "9" * 5000 + ":00", "00:" + "0" * 5000,
)  # fmt: skip

WENT_WRONG = "went wrong"
FEWEST = {
    "play": {"game": "bouncers"}, "move": {"action": "b2 b3"}, "rules": {"game": "bunny"}, "learn": {"game": "bunny"},
    "leaderboard": {"game": "bunny"},
}  # fmt: skip


def leaves(command: Any, before: str = "") -> Iterator[tuple[str, Any]]:
    """Commands that can be called, with their full names."""
    name = f"{before}{command.name}"
    if isinstance(command, app_commands.Group):
        for child in command.commands:
            yield from leaves(child, f"{name} ")
    else:
        yield name, command


OPTIONS = [
    (name, leaf, option) for command in COMMANDS for name, leaf in leaves(command) for option in leaf.parameters
]  # fmt: skip
TEXTS = [
    (name, option.display_name)
    for name, leaf, option in OPTIONS
    if option.type is discord.AppCommandOptionType.string and not leaf.default_permissions
]
OFFERED = [(name, option.display_name) for name, _, option in OPTIONS if option.autocomplete]


@pytest.mark.slow
@pytest.mark.parametrize(("name", "option"), TEXTS, ids=" ".join)
async def test_every_text_option_takes_anything(world: World, name: str, option: str) -> None:
    await open_table(world, "bouncers", world.ann, world.ben)
    required: dict[str, Any] = {"newcomer": world.cleo} if name == "substitute" else {}
    for nasty in NASTY:
        try:
            answer = await by_way(world.ann, world.channel, name, **{**FEWEST.get(name, {}), **required, option: nasty})
        except SetupError:
            continue  # what Discord itself does not let through
        told = world.text(answer)
        assert WENT_WRONG not in told, (nasty[:40], told)
        assert told or world.pictures(answer)
        assert len(told) < 4000


PANELS: dict[str, tuple[Section[Any], ...]] = {
    "settings": own_panel.PANEL.sections,
    "server-settings": server_panel.PANEL.sections,
}
LINES = [
    (name, section.name, index)
    for name, sections in PANELS.items()
    for section in sections
    for index, setting in enumerate(section.settings)
    if isinstance(setting.field, TextField)
]


@pytest.mark.slow
@pytest.mark.parametrize(("panel", "section", "index"), LINES)
async def test_every_line_of_a_form_takes_anything(world: World, panel: str, section: str, index: int) -> None:
    chief = a_chief(world)
    for nasty in NASTY:

        def change(data: dict[str, Any], nasty: str = nasty) -> None:
            data["components"][index]["component"]["value"] = nasty

        told = await forged_form(world, chief, await form(world, chief, panel, section), change)
        assert WENT_WRONG not in told, (nasty[:40], told)
        assert told
        assert len(told) < 4000


@pytest.mark.slow
@pytest.mark.parametrize(("name", "option"), OFFERED, ids=" ".join)
async def test_while_typing_anything_there_are_only_offers_that_discord_takes(world: World, name: str, option: str) -> None:
    await open_table(world, "bouncers", world.ann, world.ben)
    chief = a_chief(world)
    for nasty in NASTY:
        offered = await chief.autocomplete(world.channel, name, option, nasty)
        assert len(offered) <= 25
        assert all(0 < len(choice["name"]) <= 100 and 0 < len(choice["value"]) <= 100 for choice in offered)


async def test_a_move_being_typed_for_a_table_that_is_not_there_is_offered_nothing(world: World) -> None:
    await open_table(world, "bouncers", world.ann, world.ben)
    for number in ("7", "#7", HUGE, "x", "-1"):
        assert await world.ann.autocomplete(world.channel, "move", "action", "", game=number) == []


@given(st.text())
def test_any_text_names_a_table_or_is_refused(text: str) -> None:
    try:
        number = table_number(text)
    except Refused:
        return
    assert 0 <= number < 2**63


@pytest.mark.parametrize("number", [HUGE, "9" * 5000, "-1", "1.0", "٣", "", "#"])
def test_numbers_that_no_table_can_have_are_refused_in_few_words(number: str) -> None:
    with pytest.raises(Refused, match="isn’t the number of a game") as error:
        table_number(number)
    assert len(str(error.value.text)) < 150


@given(st.text())
def test_any_text_is_a_time_of_day_or_refused(text: str) -> None:
    try:
        minutes = _minutes(text)
    except Refused:
        return
    assert 0 <= minutes < 24 * 60


TIMES = {
    1350: ("22:30", "22.30", "2230", " 22:30 ", "22.30 Uhr", "22:30 Uhr", "22 Uhr 30", "22h30", "10:30 pm", "10.30PM",
           "10:30 p.m.", "1030pm"),
    1320: ("22", "22 Uhr", "22h", "10pm", "10 P.M."),
    420: ("7", "07", "7:00", "700", "0700", "7am", "7 a.m.", "7 uhr"),
    425: ("07:05", "7.05", "705"),
    0: ("0", "0:00", "24", "24:00", "12am", "12:00 AM"),
    720: ("12", "12pm", "12:00"),
    1439: ("23:59", "11:59pm"),
}  # fmt: skip
"""Times of day as people write them, by their minutes since midnight."""


@pytest.mark.parametrize(("minutes", "typed"), [(minutes, typed) for minutes, many in TIMES.items() for typed in many])
def test_times_of_day_are_taken_as_people_write_them(minutes: int, typed: str) -> None:
    assert _minutes(typed) == minutes


@pytest.mark.parametrize(
    "typed",
    ["25", "24:01", "25:99", "7:60", "7:", "7:5", "225 0", "0am", "13pm", "22:30pm", "pm", "Uhr", ":30", "12345", "9" * 5000,
     "9" * 5000 + ":00", "7:" + "0" * 5000, "٧", "-1", "late"],
)  # fmt: skip
def test_what_is_no_time_of_day_is_refused(typed: str) -> None:
    with pytest.raises(Refused, match="isn’t a time"):
        _minutes(typed)


@given(st.text(max_size=120))
def test_any_custom_id_is_a_click_of_ours_or_none(text: str) -> None:
    for custom_id in ("", "sb|", "sb|move|{}|0|0|", "sb|move|1|{}|0|", "sb|page|1|1|{}|", "sb|move|1|1|0|"):
        click = Click.read(custom_id.replace("{}", text) if "{}" in custom_id else custom_id + text)
        if click is not None:
            assert all(0 <= number < 2**63 for number in (click.table, click.version, click.page))


@pytest.mark.parametrize(
    "custom_id", [f"sb|move|{HUGE}|0|0|", f"sb|move|1|{HUGE}|0|", "sb|move|-1|0|0|", f"sb|move|{'9' * 90}|0|0|"]
)
def test_a_click_with_an_impossible_number_is_none_of_ours(custom_id: str) -> None:
    assert Click.read(custom_id) is None


@given(st.text(max_size=300))
def test_what_is_repeated_in_an_error_is_short_and_on_one_line(text: str) -> None:
    shown = str(echoed(text))
    assert len(shown) <= ECHOED_AT_MOST
    assert shown.isprintable()


@given(st.text(max_size=300))
def test_a_name_that_is_kept_has_nothing_that_a_database_refuses(text: str) -> None:
    class Member:
        id = 1
        display_name = text

    name = person(Member()).name  # type: ignore[arg-type]
    assert 0 < len(name) <= NAME_LIMIT
    assert not {"\0", "\n"} & set(name)


@pytest.mark.slow
async def test_clicks_with_forged_ids_and_values_do_no_harm(world: World) -> None:
    table = await open_table(world, "bunny", world.ann, world.ben)
    board = table.board()
    before = len(world.messages())
    for custom_id in (
        f"sb|move|{HUGE}|0|0|", "sb|move|999999999999999999|0|0|", "sb|pick|1|0|0|\0", "sb|page|1|0|999999999999999999|",
        "sb|act|1|0|0|" + "z" * 60, "sb|typed|1|0|0|" + "\0" * 20, "sb|rules|0|0|0|\0", "sb|nonsense|1|0|0|", "sb||||||",
        "sb|replay|1|0|0|x",
        "sb|draw-yes|1|0|0|", "sb|undo-yes|1|999999999999999999|0|", "sb|substitute-yes|1|0|0|", "sb|choose|1|0|0|" + "😀" * 20,
    ):  # fmt: skip
        told = await forged(world, board, custom_id)
        assert WENT_WRONG not in told, custom_id
        if HUGE in custom_id or "nonsense" in custom_id:
            assert "This button is too old for me." in told
    assert len(world.messages()) == before


async def forged(world: World, message: discord.Message, custom_id: str) -> str:
    """Ann sends a click that the message does not offer, as a hostile client can. Returns the answer."""
    stored = actors._visible_message(world.ann, message)
    data = {"custom_id": custom_id, "component_type": 2}
    result = await actors._component_interaction(world.ann, stored, data)
    answer = result.followups[-1] if result.followups else result.response
    return "" if answer is None else world.text(answer)
