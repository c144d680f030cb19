"""Who reads what in which language, in Discord: private words in a person's, public ones in the server's."""

import random
from collections.abc import Iterator, Mapping
from typing import Any

import discord
import pytest
from simcord.actors import MemberActor
from simcord.components import walk_components
from simcord.results import InteractionResult

from bot.i18n.language import languages
from bot.messages.click import Click
from engines import GAMES
from renderers import draw, lettering
from renderers.scene import Scene
from tests.bot.kit import World, buttons, reply, selects
from tests.bot.limits import GALLERY, TEXT, Kind
from tests.bot.pseudo import PSEUDO, Pseudo, leftovers
from tests.bot.seated import Seated, open_table, sessions_of, small_table
from tests.engines.contract_games import Case, every_case, played


def speaks(monkeypatch: pytest.MonkeyPatch, world: World, member: MemberActor, locale: str) -> None:
    """From now on somebody's Discord is set to another language."""
    emit = world.env.backend.emit

    def translated(event: str, payload: Mapping[str, Any]) -> None:
        if event == "INTERACTION_CREATE" and int(payload["member"]["user"]["id"]) == member.id:
            payload = {**payload, "locale": locale}
        emit(event, payload)

    monkeypatch.setattr(world.env.backend, "emit", translated)


async def the_server_speaks(world: World, code: str) -> None:
    await sessions_of(world).users.change_server(world.guild.id, language=code)


async def press(member: MemberActor, message: Any, verb: str) -> InteractionResult:
    """Press the first button of a message that means this, whatever it is called."""
    wanted = next((custom_id for custom_id, click in clicks(message).items() if click.verb == verb), None)
    assert wanted is not None, f"there is no button for {verb}"
    return await member.click(message, custom_id=wanted)


def clicks(message: Any) -> dict[str, Click]:
    """What the buttons of a message mean, by their custom ids."""
    pressed = ((one.custom_id or "", Click.read(one.custom_id or "")) for one in buttons(message) if not one.disabled)
    return {custom_id: click for custom_id, click in pressed if click is not None}


async def seated(world: World, game: str, **options: Any) -> Seated:
    """Ann has opened a table and Ben has joined."""
    table = await open_table(world, game, world.ann, **options)
    lobbies = [m for m in world.messages() if any(c.verb == "join" and c.table == table.table_id for c in clicks(m).values())]
    await press(world.ben, lobbies[-1], "join")
    table.people = (world.ann, world.ben)
    return table


async def bouncers(world: World) -> Seated:
    return await seated(world, "bouncers")


# --- users and servers ----------------------------------------------------------------------------------------------


async def test_a_person_with_a_german_client_is_answered_in_german_while_the_board_stays_english(
    world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    speaks(monkeypatch, world, world.ann, "de")
    await bouncers(world)
    assert "The game has begun." in world.text(world.messages()[0])
    assert f"<@{world.ann.id}>: your turn" in world.text(world.last())
    panel = await world.ann.click(world.last(), label="Move")
    assert "Was tust du?" in world.text(panel)
    assert "Ann, zieht nach oben: 16 Steine auf a1" in world.picture(panel).alt
    await world.ann.click(reply(panel), label="b2")
    assert "Du hast `b2` gewählt." in world.text(panel)
    assert "Zurück" in [one.label for one in buttons(panel)]
    answer = await world.ann.slash(world.channel, "move", action="z9")
    assert "„z9“ ist kein Wort dieses Spiels" in world.text(answer)
    answer = await world.ann.slash(world.channel, "move", action="b2 b3")
    assert "Ann zieht b2-b3." in world.text(answer)
    assert "Ann plays b2-b3." in world.text(world.last())
    assert "Bouncers, 8×8, 16 pieces each." in world.picture(world.last()).alt
    refused = await world.ann.click(world.last(), label="Move")
    assert "Du bist nicht dran; am Zug: Ben." in world.text(refused)


async def test_a_german_server_has_german_boards_and_its_people_their_own_languages(world: World) -> None:
    await the_server_speaks(world, "de")
    await bouncers(world)
    lobby, board = world.messages()
    assert "Dame auf Sprungfedern" in world.text(lobby)
    assert "Das Spiel hat begonnen." in world.text(lobby)
    assert f"<@{world.ann.id}>: am Zug, Frist <t:" in world.text(board)
    assert [one.label for one in buttons(board)] == ["Ziehen", "Stand in Worten", "Mehr"]
    assert "Ann ist am Zug." in world.picture(board).alt
    answer = await world.ann.slash(world.channel, "move", action="b2 b3")
    assert "Ann plays b2-b3." in world.text(answer)
    assert "Ann zieht b2-b3." in world.text(world.last())
    words = await world.cleo.click(world.last(), label="Stand in Worten")
    assert "Ben is to move." in world.text(words)


async def test_a_server_is_set_to_german_by_its_command(world: World) -> None:
    keeper = world.guild.add_member(
        world.env.create_user("keeper"), roles=[world.guild.create_role("keepers", permissions=discord.Permissions(32))]
    )
    answer = await keeper.slash(world.channel, "server-settings language", language="de")
    assert "Language: Deutsch" in world.text(answer)
    await bouncers(world)
    assert "am Zug" in world.text(world.last())


async def test_what_a_person_has_chosen_counts_more_than_their_client(world: World, monkeypatch: pytest.MonkeyPatch) -> None:
    speaks(monkeypatch, world, world.ann, "de")
    assert "Sprache: wie dein Discord" in world.text(await world.ann.slash(world.channel, "settings show"))
    answer = await world.ann.slash(world.channel, "settings language", language="en")
    assert "Sprache: English" in world.text(answer), "the answer is still in the language of the question"
    assert "Language: English" in world.text(await world.ann.slash(world.channel, "settings show"))
    await world.ben.slash(world.channel, "settings language", language="de")
    assert "Sprache: Deutsch" in world.text(await world.ben.slash(world.channel, "settings show"))


async def test_autocomplete_speaks_the_language_of_who_types(world: World) -> None:
    await world.ann.slash(world.channel, "settings language", language="de")
    table = await open_table(world, "trampoline", world.ann, seats=1)
    for member, title in ((world.ann, "8×8, je 16 Steine"), (world.ben, "8×8, 16 pieces each")):
        offered = await member.autocomplete(world.channel, "play", "variant", "16", game="bouncers")
        assert offered[0]["name"] == title
    offered = await world.ann.autocomplete(table.channel, "move", "action", "")
    assert offered[0]["name"] == "roll – 3 Würfel werfen"


async def test_rules_are_read_in_the_own_language(world: World) -> None:
    await world.ann.slash(world.channel, "settings language", language="de")
    shown = await world.ann.slash(world.channel, "rules", game="bouncers")
    assert "Dame auf Sprungfedern, für zwei Personen." in world.text(shown)
    assert world.picture(shown).alt == "Ein Spielbrett von Bouncers zu Beginn."
    shown = await world.ben.slash(world.channel, "rules", game="bouncers")
    assert "Checkers on springs, for two players." in world.text(shown)


async def test_a_direct_message_is_in_the_language_that_its_reader_has_chosen(world: World) -> None:
    await world.ann.slash(world.channel, "settings language", language="de")
    await world.ann.slash(world.channel, "settings reminders", where="direct")
    await world.ben.slash(world.channel, "settings reminders", where="direct")
    table = await bouncers(world)
    before = len(world.watch.calls)
    await world.pass_time(13 * 3600)
    assert any("wartet auf dich; dein Zug endet <t:" in text for text in said(world, before))
    await table.type(world.ann, ("b2", "b3"))
    before = len(world.watch.calls)
    await world.pass_time(13 * 3600)
    assert any("waits for you; your turn ends <t:" in text for text in said(world, before))


async def test_somebody_forgotten_is_called_so_in_each_readers_language(world: World) -> None:
    table = await bouncers(world)
    await world.ben.slash(world.channel, "settings language", language="de")
    asked = await world.ann.slash(world.channel, "settings forget-me")
    await world.ann.click(reply(asked), label="Forget me")
    shown = await world.ben.slash(world.channel, "board", game=str(table.table_id))
    assert "Jemand von früher" in world.text(shown)
    shown = await world.cleo.slash(world.channel, "board", game=str(table.table_id))
    assert "a former player" in world.text(shown)


# --- nothing is left in English ---------------------------------------------------------------------------------------


def said(world: World, since: int = 0) -> Iterator[str]:
    """Everything that was sent to Discord for people to read: texts, labels, alt texts, names of threads, suggestions."""
    for call in world.watch.calls[since:]:
        body = call.body if isinstance(call.body, dict) else {}
        if call.kind is Kind.CHOICES:
            yield from (choice["name"] for choice in body["data"]["choices"])
        if call.kind is Kind.THREAD:
            yield body["name"]
        message = call.message
        yield message.get("content") or ""
        for item in walk_components(message.get("components") or []):
            yield from (item[key] for key in ("label", "placeholder") if item.get(key))
            yield from (option["label"] for option in item.get("options") or [])
            if item.get("type") == TEXT:
                yield item["content"]
            if item.get("type") == GALLERY:
                yield from (shown["description"] for shown in item["items"])


NAMES = ("Ann", "Ben", "Cleo", "Bounce Club", "English", "Deutsch", "Esperanto", "Europe/Berlin")


def untranslated(world: World, *same: str) -> dict[str, list[str]]:
    """The texts in which something is left in English, with what it is."""
    found = {text: leftovers(text, (*NAMES, *same)) for text in said(world)}
    return {text: words for text, words in found.items() if words}


@pytest.fixture
def disguised(monkeypatch: pytest.MonkeyPatch) -> None:
    """The pseudo language is among those of the bot."""
    known = {**languages(), PSEUDO.code: PSEUDO}
    monkeypatch.setattr("bot.i18n.language.languages", lambda: known)


async def test_english_that_is_left_is_found(world: World) -> None:
    await bouncers(world)
    assert any("pieces" in words for words in untranslated(world).values())


async def everybody_disguised(world: World) -> None:
    """Server and people have chosen the pseudo language."""
    await the_server_speaks(world, PSEUDO.code)
    for member in (world.ann, world.ben, world.cleo):
        await sessions_of(world).users.change(member.id, language=PSEUDO.code)


async def play_in_panel(table: Seated, member: MemberActor, dice: random.Random) -> None:
    """Open the panel and press anything in it until something has been played; not every panel leads there."""
    version = (await table.snapshot()).table.version
    opens = {click.verb for click in clicks(table.board()).values()}
    panel = await press(member, table.board(), "move" if "move" in opens else "act")
    for _ in range(20):
        if (await table.snapshot()).table.version != version or panel.response is None:
            return
        if menus := selects(panel):
            await member.select(reply(panel), [dice.choice(list(menus[0].options.values()))], custom_id=menus[0].custom_id)
        elif pressed := list(clicks(panel)):
            await member.click(reply(panel), custom_id=dice.choice(pressed))


@pytest.mark.usefixtures("disguised")
@pytest.mark.parametrize("game", GAMES)
async def test_a_game_is_played_without_a_word_of_english(world: World, game: str) -> None:
    await everybody_disguised(world)
    dice = random.Random(game)
    table = await seated(world, game, **small_table(game))
    words: set[str] = set()
    for turn in range(8):
        if await table.over():
            break
        member = (await table.awaited())[0]
        action = await table.random_action(member)
        for length in range(len(action)):
            words |= {choice.token for choice in await table.choices(member, action[:length])}
        await member.autocomplete(table.channel, "move", "action", " ".join(action[: turn % 2]))
        if turn % 2:
            await table.type(member, action)
        else:
            await play_in_panel(table, member, dice)
    for member in (world.ann, world.cleo):
        await press(member, world.last(), "words")
        await member.slash(table.channel, "board", game=str(table.table_id))
        await member.slash(table.channel, "hand", game=str(table.table_id))
    for member in (world.ann, world.ben):  # an error names what is possible instead, in the words of the game's notation
        words |= {choice.token for choice in await table.choices(member, ())}
    await world.ann.slash(table.channel, "move", action="what ever")
    await world.ben.slash(table.channel, "move", action="what ever")
    assert len(list(said(world))) > 100
    assert untranslated(world, *words, "what", "ever") == {}


@pytest.mark.usefixtures("disguised")
async def test_everything_about_a_table_is_said_without_a_word_of_english(world: World) -> None:
    await everybody_disguised(world)
    ann, ben, cleo, here = world.ann, world.ben, world.cleo, world.channel
    await ann.slash(here, "play", game="bouncers", opponent=ben, private=True)
    await press(cleo, world.messages()[0], "accept")
    await press(ben, world.messages()[0], "decline")
    await press(ann, world.messages()[0], "leave")
    for wrong in ({"seats": 5}, {"variant": "9x9"}, {"options": "colour:red"}, {"options": "what"}, {"opponent": ann}):
        await ann.slash(here, "play", **({"game": "bouncers"} | wrong))
    table = await seated(world, "bouncers", clock="1d", thread=True)
    here = table.channel
    for member in (ann, cleo):
        for command in ("games", "draw", "undo", "nudge", "watch", "hand", "resign", "board", "verify", "rematch", "stats"):
            await member.slash(here, command)
    await cleo.slash(here, "watch", what="turn")
    await ann.slash(here, "move", action="b2 b3")
    await press(cleo, table.board(), "more")
    await press(ann, table.board(), "more")
    await ann.slash(here, "undo")
    await press(ben, world.last(here), "undo-no")
    await ann.slash(here, "undo")
    await press(ben, world.last(here), "undo-yes")
    await ann.slash(here, "substitute", newcomer=cleo)
    await press(cleo, world.last(here), "substitute-no")
    await world.pass_time(13 * 3600)
    await ben.slash(here, "nudge")
    await world.pass_time(13 * 3600)
    await ann.slash(here, "play", game="bouncers")
    await cleo.slash(world.channel, "replay", game=str(table.table_id))
    await cleo.slash(world.channel, "verify", game=str(table.table_id))
    await ann.slash(here, "rematch", game=str(table.table_id))
    await ben.slash(world.channel, "games")
    assert len(list(said(world))) > 100
    assert untranslated(world, "what", "colour", "red", "9x9") == {}


@pytest.mark.usefixtures("disguised")
async def test_settings_rules_and_records_are_shown_without_a_word_of_english(world: World) -> None:
    await everybody_disguised(world)
    ann, ben, here = world.ann, world.ben, world.channel
    keeper = world.guild.add_member(
        world.env.create_user("keeper"), roles=[world.guild.create_role("keepers", permissions=discord.Permissions(32))]
    )
    await sessions_of(world).users.change(keeper.id, language=PSEUDO.code)
    await ann.slash(here, "help")
    for game in GAMES:
        await ann.slash(here, "rules", game=game)
    command: str
    options: dict[str, Any]
    for command, options in (
        ("show", {}),
        ("reminders", {"half": False, "where": "direct"}),
        ("quiet-hours", {"begin": "22:30", "end": "7", "zone": "Europe/Berlin"}),
        ("quiet-hours", {"begin": "soon", "end": "later"}),
        ("quiet-hours", {"begin": "1"}),
        ("palette", {"palette": "high-contrast"}),
        ("vacation", {"days": 2}),
        ("vacation", {"days": 3}),
        ("vacation", {"days": 0}),
        ("vacation", {"days": 0}),
        ("forget-me", {}),
    ):
        await ann.slash(here, f"settings {command}", **options)
    for command, options in (
        ("show", {}),
        ("tables", {"threads": False, "clock": "3d", "most": 3}),
        ("channel", {"channel": here}),
    ):
        await keeper.slash(here, f"server-settings {command}", **options)
    for _ in range(5):
        table = await seated(world, "bouncers")
        asked = await ben.slash(here, "resign", game=str(table.table_id))
        await press(ben, reply(asked), "resign-yes")
    await ann.slash(here, "leaderboard", game="bunny")
    await ann.slash(here, "leaderboard", game="bouncers")
    await ann.slash(here, "stats")
    await keeper.slash(here, "server-settings close-table", game="3")
    await keeper.slash(here, "server-settings close-table", game="x")
    assert len(list(said(world))) > 60
    assert untranslated(world, "keeper", "soon", "later") == {}


# --- pictures ---------------------------------------------------------------------------------------------------------


@every_case
def test_nothing_is_written_in_a_picture_that_is_english_for_every_reader(case: Case, monkeypatch: pytest.MonkeyPatch) -> None:
    lay_out, written = lettering._laid_out, []

    def noted(text: str, *how: Any) -> Any:
        written.append(text)
        return lay_out(text, *how)

    monkeypatch.setattr(lettering, "_laid_out", noted)
    # A language of its own for each case: what was drawn for another one is kept, and would not be drawn again.
    words = Pseudo()
    same: set[str] = set()
    for turn in played(case).some_turns(4):
        offered = tuple(case.game.choices(turn.before, turn.seat))
        view = case.game.view(turn.before, turn.seat)
        draw(case.game_id, view, Scene(names=("",) * case.seats, events=turn.step.events, options=offered, translate=words))
        same |= {choice.token for choice in offered}
        draw(
            case.game_id,
            case.game.view(turn.step.state),
            Scene(names=("Ann",) * case.seats, events=turn.step.events, translate=words),
        )
        assert [text for text in written if leftovers(text, ("Ann", *same))] == []
    assert written
