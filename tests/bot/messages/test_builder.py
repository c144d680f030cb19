"""How people call themselves, and what grows long: every message is seen as it is meant, and fits."""

import re

import pytest

from bot.messages.builder import escaped
from bot.messages.marks import MARKS
from tests.bot.kit import World, reply
from tests.bot.seated import SETUP_RANDOM, open_table, pings, walked

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
    "\u3164": "\u3164",
    " \u2003 ": "…",
}
"""Names, and what is written so that they are seen as they are."""


@pytest.mark.parametrize(("name", "written"), NAMES.items())
def test_a_name_is_shown_as_it_is(name: str, written: str) -> None:
    assert escaped(name) == written


@pytest.mark.parametrize("name", [name for name in NAMES if name.strip()])
async def test_a_name_breaks_no_message_and_pings_nobody(world: World, name: str) -> None:
    odd = world.guild.add_member(world.env.create_user("odd", global_name=name))
    table = await open_table(world, "bouncers", odd, world.ben)
    said = [await table.type(odd, ("b2", "b3")), await world.ben.slash(world.channel, "board")]
    said.append(await world.ben.slash(world.channel, "games"))
    said.append(await world.ben.click(table.board(), label="Board in words"))
    said.append(await odd.slash(world.channel, "move", action="b7"))
    said.append(await world.ben.slash(world.channel, "undo"))
    await odd.slash(world.channel, "undo")
    await odd.slash(world.channel, "draw")
    await world.pass_time(13 * 3600)
    await odd.slash(world.channel, "nudge")
    await world.ben.slash(world.channel, "substitute", newcomer=odd)
    await odd.slash(world.channel, "stats")
    await world.ben.slash(world.channel, "resign")
    await odd.click(reply(await odd.slash(world.channel, "resign")), label="Resign")
    everything = "\n".join([*map(world.text, said), *map(world.text, world.messages())])
    written = escaped(name)
    assert f"**{written}** bounces b2 → b3." in everything
    assert f"{written} resigned." in everything
    assert name not in everything.replace(written, "") or written == name
    assert set(pings(world)) == {odd.id, world.ben.id}


async def test_the_longest_words_about_a_board_of_six_with_the_longest_names_fit(world: World) -> None:
    people = [world.guild.add_member(world.env.create_user(f"p{n}", global_name="*" * 31 + str(n))) for n in range(6)]
    table = await open_table(world, "pucks", *people, seats=6, options=SETUP_RANDOM)
    await table.act_on(
        lambda history: None if history.version > 400 else (history.to_act[0], walked(history, history.to_act[0], table.dice))
    )
    await table.show_all()
    for member in (people[0], world.ann):
        for said in (
            await member.slash(world.channel, "board"),
            await member.click(table.board(), label="Board in words"),
        ):
            words = world.text(said)
            assert "…" not in words, "nothing is cut off"
            assert escaped(people[5].user.global_name or "") in words
            assert MARKS[5] in words
    hand = await people[0].slash(world.channel, "hand")
    assert "You hold" in world.picture(hand).alt


@pytest.mark.slow
async def test_a_long_list_of_tables_ends_with_a_whole_line(world: World) -> None:
    for number in range(12):
        who = [world.guild.add_member(world.env.create_user(f"q{number}{n}", global_name="*" * 30 + f"{n}")) for n in range(4)]
        await open_table(world, "trampoline", *who, seats=4)
    *lines, last = world.text(await world.ann.slash(world.channel, "games")).splitlines()
    assert last == "…"
    assert 5 < len(lines) < 12
    assert lines[0].startswith("**#12 BOUNCE (trampoline)**")
    assert all(re.fullmatch(r"\*\*#[0-9]+ BOUNCE \(trampoline\)\*\* .+ Waiting for .+[0-3]", line) for line in lines)
