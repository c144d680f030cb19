"""Odd names and long texts: every message is shown as intended, and fits."""

import json
import re
from dataclasses import replace

import discord
import pytest
from discord import ui

from bot.core.table.history import NO_ENTRIES
from bot.features.playing.messages import panel_message
from bot.i18n.language import ENGLISH
from bot.messages.board import board_in_words
from bot.messages.builder import TEXT_LIMIT, MessageBuilder, Picture, button, clip_markdown, escape, plain_words
from bot.messages.picking import pick
from bot.messages.pictures import Perspective
from bot.messages.players import CIRCLES, MARKS
from engines.bouncers import Bouncers
from engines.game import Choice
from engines.pucks.board.state import with_hand
from engines.pucks.board.views import Phase
from engines.text import is_visible, say, seat_name
from tests.bot.kit import World, reply
from tests.bot.seated import SETUP_RANDOM, open_table, pings, walked
from tests.bot.ways import by_way, in_words

pytestmark = pytest.mark.slow

NAMES = {
    "**bold** __line__": r"\*\*bold\*\* \_\_line\_\_",
    "||hidden|| `code`": r"\|\|hidden\|\| \`code\`",
    "# Head": r"\# Head",
    "-# small": r"\-# small",
    "> quoted": r"\> quoted",
    "~~gone~~ *": r"\~\~gone\~\~ \*",
    "@everyone": "@\u200beveryone",
    "<@123456789012345678>": "\\<@\u200b123456789012345678>",
    "<#123456789012345678> <t:1:R>": r"\<#123456789012345678> \<t:1:R>",
    "[win](https://bad.example)": "\\[win](https:\u200b//bad.example)",
    "https://bad.example/*": "https:\u200b//bad.example/\\*",
    "two\nlines": "two lines",
    "\u202eback to responder": "back to responder",
    "😀" * 32: "😀" * 32,
    "1. list": r"1\. list",
    "12.": r"12\.",
    "2.5 - 1. x": "2.5 - 1. x",
    "- list": r"\- list",
    "+ list": r"\+ list",
    "* list": r"\* list",
    ">>> quoted": r"\>>> quoted",
    "### Head": r"\### Head",
    "\u3164\u2800": "…",
    " \u2003 ": "…",
}
"""Names, and the markup that shows them as they are."""


@pytest.mark.parametrize(("name", "written"), NAMES.items())
def test_a_name_is_shown_as_it_is(name: str, written: str) -> None:
    assert escape(name) == written


@pytest.mark.parametrize("name", [name for name in NAMES if is_visible(name)])
async def test_a_name_breaks_no_message_and_pings_nobody(world: World, name: str) -> None:
    odd = world.guild.add_member(world.env.create_user("odd", global_name=name))
    table = await open_table(world, "bouncers", odd, world.ben)
    said = [await table.type(odd, ("b2", "b3")), await world.ben.slash(world.channel, "board")]
    said.append(await world.ben.slash(world.channel, "games"))
    said.append(await in_words(world.ben, table.board()))
    said.append(await odd.slash(world.channel, "move", action="b7"))
    said.append(await by_way(world.ben, world.channel, "undo"))
    await by_way(odd, world.channel, "undo")
    await by_way(odd, world.channel, "draw")
    await world.pass_time(13 * 3600)
    await by_way(odd, world.channel, "nudge")
    await by_way(world.ben, world.channel, "substitute", newcomer=odd)
    await odd.slash(world.channel, "stats")
    await by_way(world.ben, world.channel, "resign")
    await odd.click(reply(await by_way(odd, world.channel, "resign")), label="Resign")
    everything = "\n".join([*map(world.text, said), *map(world.text, world.messages())])
    written = escape(name)
    assert f"**{written}** bounces b2 → b3." in everything
    assert f"{written} resigned." in everything
    assert name not in everything.replace(written, "") or written == name
    assert set(pings(world)) == {odd.id, world.ben.id}


async def test_the_openers_name_is_shown_as_it_is_in_refusals(world: World) -> None:
    odd = world.guild.add_member(world.env.create_user("odd", global_name="1. *Odd*"))
    await odd.slash(world.channel, "open", game="pucks", seats=3)
    shown = await world.ben.click(world.messages()[0], label="House rules")
    assert r"1\. \*Odd\* sets the house rules" in world.text(shown)
    await world.ben.click(world.messages()[0], label="Join")
    refused = await world.ben.click(world.messages()[0], label="Start")
    assert r"Only 1\. \*Odd\*, who opened this table, can start the game." in world.text(refused)


INVISIBLE = ("\u3164", "\u2800", "\u115f\u200b", "\uffa0\ufe0f")


@pytest.mark.parametrize("name", INVISIBLE)
async def test_a_player_with_an_invisible_name_is_called_by_their_seat(world: World, name: str) -> None:
    odd = world.guild.add_member(world.env.create_user("odd", global_name=name))
    table = await open_table(world, "bouncers", odd, world.ben)
    said = [await table.type(odd, ("b2", "b3")), await world.ben.slash(world.channel, "board")]
    said.append(await odd.slash(world.channel, "stats"))
    await odd.click(reply(await by_way(odd, world.channel, "resign")), label="Resign")
    everything = "\n".join([*map(world.text, said), *map(world.text, world.messages())])
    assert "**Red** bounces b2 → b3." in everything
    assert "Red resigned." in everything
    assert "### Somebody’s results" in everything
    assert name not in everything


EMOJI = "<:sb_red_12345678:1234567890123456789>"


@pytest.mark.parametrize(
    "undivided",
    [EMOJI, "<a:turn:123456789>", "</settings notify:1234567890123456789>", "<@1234567890123456789>", "<t:1700000000:R>",
     "**a Carrot for Ann\\_B**", "~~Ben~~", "*What happened?*", "`c2 c3 d4`", "[the first message](https://discord.com/x)"],
)  # fmt: skip
def test_a_text_is_never_cut_within_a_unit(undivided: str) -> None:
    words = f"Before {undivided} after"
    for most in range(1, len(words)):
        shortened = clip_markdown(words, most)
        assert len(shortened) <= most
        inside = shortened.removesuffix("…").removeprefix("Before").strip()
        assert inside == "" or inside.startswith(undivided) or "Before".startswith(inside), shortened
    assert clip_markdown(words, len(words)) == words


def test_one_line_that_is_too_long_for_a_message_ends_with_a_whole_emoji() -> None:
    (shown,) = MessageBuilder().text(EMOJI * 200).items
    text = shown.content  # type: ignore[attr-defined]
    assert text == EMOJI * (len(text) // len(EMOJI)) + "…"


def not_drawn(lines: int, note: str = "-# Not drawn:") -> Picture:
    """A picture that could not be drawn, with this many lines in its place."""
    return Picture("board.png", b"", "A board.", "\n".join([note, *(f"Line {n} of the board." for n in range(lines))]))


def shown(builder: MessageBuilder) -> list[str]:
    """The texts of a message, in order."""
    (container,) = builder.layout().children
    return [item.content for item in container.children if isinstance(item, discord.ui.TextDisplay)]  # type: ignore[attr-defined]


def test_words_in_place_of_a_picture_take_the_remaining_room() -> None:
    builder = MessageBuilder().text("Who plays").picture(not_drawn(1000)).text("x" * 2000).text("It’s your turn!")
    first, words, story, turn = shown(builder)
    assert (first, story, turn) == ("Who plays", "x" * 2000, "It’s your turn!")
    assert words.startswith("-# Not drawn:\nLine 0 of the board.\n")
    assert words.endswith(" of the board.\n…"), "it is cut at a line end"
    assert TEXT_LIMIT - 30 < sum(map(len, shown(builder))) <= TEXT_LIMIT
    assert shown(builder) == [first, words, story, turn], "however often the message is made"
    assert builder.files() == []


def test_without_room_for_words_the_line_that_says_why_stays() -> None:
    builder = MessageBuilder().picture(not_drawn(1000)).text("x" * 5000)
    note, story = shown(builder)
    assert note == "-# Not drawn:"
    assert len(note) + len(story) <= TEXT_LIMIT


def test_two_pictures_in_words_share_the_room() -> None:
    builder = MessageBuilder().picture(not_drawn(1000)).text("Better:").picture(not_drawn(1000))
    one, _, other = shown(builder)
    assert abs(len(one) - len(other)) < 30
    assert len(one) + len(other) > TEXT_LIMIT - 60
    short, _, long = shown(MessageBuilder().picture(not_drawn(3)).text("Better:").picture(not_drawn(1000)))
    assert short.count("\n") == 3
    assert len(long) > TEXT_LIMIT - 150


async def test_the_longest_words_about_a_board_of_six_with_the_longest_names_fit(world: World) -> None:
    people = [world.guild.add_member(world.env.create_user(f"p{n}", global_name="*" * 31 + str(n))) for n in range(6)]
    table = await open_table(world, "pucks", *people, seats=6, options=SETUP_RANDOM)
    await table.act_on(
        lambda history: None if history.version > 400 else (history.to_act[0], walked(history, history.to_act[0], table.dice))
    )
    await table.show_all()
    for member in (people[0], world.ann):
        for said in (await member.slash(world.channel, "board"), await in_words(member, table.board())):
            words = world.text(said)
            assert "…" not in words, "nothing is cut off"
            assert escape(people[5].user.global_name or "") in words
            assert MARKS[5] in words
    hand = await by_way(people[0], world.channel, "hand")
    assert "You hold" in world.picture(hand).alt


@pytest.mark.slow
async def test_a_long_list_of_tables_ends_with_a_whole_line(world: World) -> None:
    for number in range(12):
        who = [world.guild.add_member(world.env.create_user(f"q{number}{n}", global_name="*" * 30 + f"{n}")) for n in range(4)]
        await open_table(world, "trampoline", *who, seats=4)
    *lines, last = world.text(await world.ann.slash(world.channel, "games")).splitlines()
    assert last == "…"
    assert 5 < len(lines) < 12
    assert lines[0].startswith("**#12 BOUNCE**")
    assert all(re.fullmatch(r"\*\*#[0-9]+ BOUNCE\*\* .+ Waiting for .+[0-3]", line) for line in lines)


async def test_a_board_in_words_too_long_with_names_has_marks(world: World, monkeypatch: pytest.MonkeyPatch) -> None:
    people = [world.guild.add_member(world.env.create_user(f"p{n}", global_name="*" * 31 + str(n))) for n in range(6)]
    table = await open_table(world, "pucks", *people, seats=6, options=SETUP_RANDOM)
    snapshot = await table.snapshot()
    monkeypatch.setattr("bot.messages.board.TEXT_LIMIT", 2000)
    MARKS.show_as([EMOJI] * 6)
    try:
        words = board_in_words(snapshot, None, ENGLISH)
    finally:
        MARKS.show_as(())
    _, players, board = words.split("\n", 2)
    assert players.count(EMOJI) == 6
    assert EMOJI not in board
    assert all(mark in board for mark in CIRCLES)


async def test_buttons_show_names_as_they_are(world: World) -> None:
    odd = world.guild.add_member(world.env.create_user("odd", global_name="so_called"))
    table = await open_table(world, "pucks", world.ann, odd, world.ben, seats=3, options=SETUP_RANDOM)
    snapshot = await table.snapshot()
    first = snapshot.seat_of(world.ann.id)
    assert first is not None
    state = replace(snapshot.playing.state, phase=Phase.ACT, to_move=first, turn_of=first)
    state = with_hand(state, first, ("borrow",))
    shown = replace(snapshot, history=replace(snapshot.playing, first=state, log=NO_ENTRIES))
    panel = await panel_message(
        shown, pick(shown.position, first, ("play", "borrow")), Perspective(seat=first, language=ENGLISH)
    )
    labels = [item.label for row in panel.items for item in getattr(row, "children", ()) if isinstance(item, discord.ui.Button)]
    assert any("so_called" in (label or "") for label in labels), labels


async def test_suggestions_show_names_as_they_are(world: World, monkeypatch: pytest.MonkeyPatch) -> None:
    odd = world.guild.add_member(world.env.create_user("odd", global_name="so_called"))
    await open_table(world, "bouncers", world.ann, odd)
    offered = [Choice("b2", say("towards {who}", who=seat_name(1)), final=False)]
    monkeypatch.setattr(Bouncers, "choices", lambda *_: offered)
    (found,) = await world.ann.autocomplete(world.channel, "move", "action", "")
    assert found["name"] == "b2 – towards so_called …"


@pytest.mark.parametrize(
    ("written", "heard"),
    [
        ("Ann lands **softly**.", "Ann lands softly."),
        (
            "- **Board Shift** (`shift`): Move a mat.\n-# Only *you* see it.",
            "Board Shift (shift): Move a mat.\nOnly you see it.",
        ),
        ("# Ladder\n> ~~Ben~~ left.", "Ladder\nBen left."),
        (f"It’s {escape('snake_case*')}’s turn.", "It’s snake_case∗’s turn."),
        ("Puck Bumpers #42: 3 - 1, −2", "Puck Bumpers #42: 3 - 1, −2"),
        ("<@1> \\ ||x|| `", "‹@1› ∖ x ˋ"),
        ("\u202egnol\u202c is long", "gnol is long"),
    ],
)
def test_the_words_of_a_picture_are_plain(written: str, heard: str) -> None:
    assert plain_words(written) == heard
    builder = MessageBuilder().picture(Picture("a.png", b"", written))
    assert json.dumps(heard) in json.dumps([item.to_component_dict() for item in builder.items])


def rows_of(*labels: str) -> list[list[str]]:
    builder = MessageBuilder().buttons([button(label, f"sb|{number}") for number, label in enumerate(labels)])
    return [
        [part.label or "" for part in row.children if isinstance(part, ui.Button)]
        for row in builder.items
        if isinstance(row, ui.ActionRow)
    ]


def test_buttons_are_divided_into_rows_that_a_phone_breaks_as_little_as_possible() -> None:
    pieces = ["Meeple 1", "Meeple 2", "Ice 1", "Ice 2", "Puck 1", "Puck 2", "Puck 3", "Puck 4"]
    assert rows_of(*pieces) == [pieces[:4], pieces[4:]], "five of them would be two lines"
    spaces = [f"{column}1" for column in "abcdefg"]
    assert rows_of(*spaces) == [spaces[:5], spaces[5:]], "five that fit stay together"
    long = ["What happened here then?", "And what came of all of it?"]
    assert rows_of(*long) == [long], "two lines are two lines: no row more than it takes"
    many = [f"Mat {number} (goal)" for number in range(20)]
    assert [len(row) for row in rows_of(*many)] == [5, 5, 5, 5], "a message has forty parts"
