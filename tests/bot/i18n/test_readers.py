"""Who reads what in which language: private words in a person's, public ones in the server's."""

import discord
import pytest

from tests.bot.i18n.speaking import said, seated, speaks, the_server_speaks
from tests.bot.kit import World, buttons, reply
from tests.bot.seated import open_table
from tests.bot.settings_panels import act, open_panel, remind, speak

pytestmark = pytest.mark.slow


async def test_a_person_with_a_german_client_is_answered_in_german(world: World, monkeypatch: pytest.MonkeyPatch) -> None:
    speaks(monkeypatch, world, world.ann, "de")
    await seated(world, "bouncers")
    assert "The game has begun." in world.text(world.messages()[0])
    assert f"<@{world.ann.id}>, which piece bounces?" in world.text(world.last())
    panel = await world.ann.click(world.last(), label="Move")
    assert "Welcher Stein springt?" in world.text(panel)
    assert "Ann (zieht nach oben): 16 Steine auf a1" in world.picture(panel).alt
    await world.ann.click(reply(panel), label="b2")
    assert "Wohin springt b2?" in world.text(panel)
    assert "Zurück" in [one.label for one in buttons(panel)]
    answer = await world.ann.slash(world.channel, "move", action="z9")
    assert "„z9“ kennt dieses Spiel nicht" in world.text(answer)
    answer = await world.ann.slash(world.channel, "move", action="b2 b3")
    assert "**Ann** springt b2 → b3." in world.text(answer)
    assert "**Ann** bounces b2 → b3." in world.text(world.last())
    assert "Bouncers, 8×8." in world.picture(world.last()).alt
    refused = await world.ann.slash(world.channel, "move", action="b3 b4")
    assert "Du bist noch nicht dran: Ich warte auf Ben." in world.text(refused)


async def test_a_german_server_has_german_boards_and_its_people_their_own_languages(world: World) -> None:
    await the_server_speaks(world, "de")
    await seated(world, "bouncers")
    lobby, board = world.messages()
    assert "Dame auf Sprungfedern" in world.text(lobby)
    assert "Das Spiel hat begonnen." in world.text(lobby)
    assert f"<@{world.ann.id}>, welcher Stein springt? Deine Zeit läuft <t:" in world.text(board)
    assert [one.label for one in buttons(board)] == ["Ziehen", "Mehr", "Zusehen"]
    assert "Ann ist am Zug." in world.picture(board).alt
    answer = await world.ann.slash(world.channel, "move", action="b2 b3")
    assert "**Ann** bounces b2 → b3." in world.text(answer)
    assert "**Ann** springt b2 → b3." in world.text(world.last())
    more = await world.cleo.click(world.last(), label="Mehr")
    words = await world.cleo.click(reply(more), label="Board in words")
    assert "It’s Ben’s turn." in world.text(words)


async def test_a_server_is_set_to_german_by_its_command(world: World) -> None:
    keeper = world.guild.add_member(
        world.env.create_user("keeper"), roles=[world.guild.create_role("keepers", permissions=discord.Permissions(32))]
    )
    answer = await speak(world, keeper, "de", server=True)
    assert "**✅ Language · saved**\nLanguage of public messages: Deutsch" in world.text(answer)
    await seated(world, "bouncers")
    assert "welcher Stein springt?" in world.text(world.last())


async def test_what_a_person_has_chosen_counts_more_than_their_client(world: World, monkeypatch: pytest.MonkeyPatch) -> None:
    speaks(monkeypatch, world, world.ann, "de")
    assert "**Sprache**\nSprache privater Nachrichten: Wie in Discord" in world.text(await open_panel(world, world.ann))
    answer = await speak(world, world.ann, "en")
    told = "**✅ Language · saved**\nLanguage of private messages: English"
    assert told in world.text(answer), "the answer is in the new language"
    assert "**Language**\nLanguage of private messages: English" in world.text(await open_panel(world, world.ann))
    await speak(world, world.ben, "de")
    assert "Sprache privater Nachrichten: Deutsch" in world.text(await open_panel(world, world.ben))


async def test_autocomplete_speaks_the_language_of_who_types(world: World) -> None:
    await speak(world, world.ann, "de")
    table = await open_table(world, "trampoline", world.ann, seats=1)
    for member, title in ((world.ann, "4 · Weiterspringen"), (world.ben, "4 · Keep bouncing")):
        offered = await member.autocomplete(world.channel, "rules", "page", "4", game="bouncers")
        assert offered[0]["name"] == title
    offered = await world.ann.autocomplete(table.channel, "move", "action", "")
    assert offered[0]["name"] == "roll – 3 Würfel werfen"


async def test_rules_are_read_in_the_own_language(world: World) -> None:
    await speak(world, world.ann, "de")
    shown = await world.ann.slash(world.channel, "rules", game="bouncers")
    assert "Dame auf Sprungfedern, für zwei." in world.text(shown)
    assert world.picture(shown).alt == "Die Anfangsstellung von Bouncers."
    shown = await world.ben.slash(world.channel, "rules", game="bouncers")
    assert "Checkers on springs, for two." in world.text(shown)


async def test_a_direct_message_is_in_the_language_that_its_reader_has_chosen(world: World) -> None:
    await speak(world, world.ann, "de")
    await remind(world, world.ann, where="direct")
    await remind(world, world.ben, where="direct")
    table = await seated(world, "bouncers")
    before = len(world.watch.calls)
    await world.pass_time(13 * 3600)
    assert any("Deine Zeit läuft <t:" in text for text in said(world, before))
    await table.type(world.ann, ("b2", "b3"))
    before = len(world.watch.calls)
    await world.pass_time(13 * 3600)
    assert any("Your time’s up <t:" in text for text in said(world, before))


async def test_somebody_forgotten_is_called_so_in_each_readers_language(world: World) -> None:
    table = await seated(world, "bouncers")
    await speak(world, world.ben, "de")
    asked = await act(world, world.ann, "settings", "data", "forget")
    await world.ann.click(reply(asked), label="Forget me")
    shown = await world.ben.slash(world.channel, "board", game=str(table.table_id))
    assert "Jemand von früher" in world.text(shown)
    shown = await world.cleo.slash(world.channel, "board", game=str(table.table_id))
    assert "Former player" in world.text(shown)
