"""Looking back on games in Discord: replays and logs, proofs, results, leaderboards."""

import math
import re
from dataclasses import replace
from typing import Any

import pytest
from PIL import Image, ImageSequence
from simcord.actors import MemberActor
from simcord.results import InteractionResult

from bot.features.verify.logbook import Log, read_log
from engines import GAMES
from engines.chance import seed_hash
from engines.game import Event, View
from renderers import RENDERERS
from renderers.replay import Limits
from renderers.scene import Scene
from storage import queries
from storage.schema.records import Ending, Result, Table
from tests.bot.kit import World, button, buttons, reply
from tests.bot.present import present
from tests.bot.seated import open_table
from tests.bot.unsaid import unsaid
from tests.bot.ways import by_way

pytestmark = pytest.mark.slow


@pytest.fixture(autouse=True)
def unhurried(monkeypatch: pytest.MonkeyPatch) -> None:
    """A replay isn’t thinned to save drawing time."""
    monkeypatch.setattr("bot.features.replays.messages.LIMITS", Limits(seconds=math.inf))


async def opened(world: World, game: str = "bouncers", **options: Any) -> None:
    """Ann has opened a table for two, and Ben has joined."""
    seats = {} if GAMES[game].seats[-1] == 2 else {"seats": 2}
    shown = await world.ann.slash(world.channel, "open", game=game, **seats, **options)
    await world.ben.click(reply(shown), label="Join")


async def finished(world: World, loser: MemberActor | None = None, **options: Any) -> None:
    """Ann and Ben have moved once; then Ben, or the given loser, has resigned."""
    await opened(world, **options)
    number = max([int(n) for m in world.messages() for n in re.findall(r"Bouncers #(\d+)", world.text(m))])
    await world.ann.slash(world.channel, "move", action="b2 b3", game=str(number))
    await world.ben.slash(world.channel, "move", action="b7 b6", game=str(number))
    asked = await by_way(loser or world.ben, world.channel, "resign", game=str(number))
    await (loser or world.ben).click(reply(asked), label="Resign")


def log_of(world: World, answer: InteractionResult) -> Log:
    """The log attached to an answer, parsed."""
    message = present(answer.followups[-1] if answer.followups else answer.response)
    (attachment,) = [file for file in message.attachments if file.filename.endswith(".txt")]
    content = present(world.env.backend.cdn.get(attachment.url))
    return read_log(content.decode())


async def table(world: World, number: int = 1) -> Table:
    return (await world.client.core.snapshot(number)).table


async def test_a_running_game_is_replayed_to_its_player_alone(world: World) -> None:
    await opened(world)
    await world.ann.slash(world.channel, "move", action="b2 b3")
    answer = await world.ben.slash(world.channel, "replay")
    assert answer.ephemeral
    picture = world.picture(answer)
    assert (picture.image.format, picture.frames) == ("GIF", 2)
    assert picture.alt.startswith("Bouncers as an animation of 2 pictures. The last one: ")
    assert "The game so far, as you see it." in world.text(answer)
    log = log_of(world, answer)
    assert log.lines == ("red b2-b3",)
    assert log.history is None
    assert log.hash == seed_hash((await table(world)).seed or b"")


async def test_a_finished_game_is_replayed_whole_to_anybody(world: World) -> None:
    await finished(world)
    answer = await world.cleo.slash(world.channel, "replay")
    assert answer.ephemeral
    assert world.picture(answer).frames == 4
    assert not unsaid(world.text(answer), "The whole game.", "Ann wins")
    log = log_of(world, answer)
    assert log.history is not None
    assert (log.lines, log.names) == (("red b2-b3", "blue b7-b6", "blue resigns"), ("Ann", "Ben"))
    assert log.table.seed == (await table(world)).seed


async def test_a_replay_can_be_shown_to_everybody_as_everybody_may_see_it(world: World) -> None:
    await opened(world)
    answer = await world.ann.slash(world.channel, "replay", public=True)
    assert not answer.ephemeral
    assert "The game so far, as everybody sees it." in world.text(answer)


async def test_the_log_alone_has_no_animation(world: World) -> None:
    await opened(world)
    answer = await world.ann.slash(world.channel, "replay", format="log")
    assert (world.pictures(answer), log_of(world, answer).names) == ([], ("Ann", "Ben"))


async def test_a_long_game_says_that_its_replay_is_thinned(world: World, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("bot.features.replays.messages.LIMITS", Limits(frames=3, seconds=math.inf))
    await opened(world)
    for member, action in ((world.ann, "b2 b3"), (world.ben, "b7 b6"), (world.ann, "c2 c3"), (world.ben, "c7 c6")):
        await member.slash(world.channel, "move", action=action)
    answer = await world.ann.slash(world.channel, "replay")
    assert "Long game: 3 of 5 positions shown." in world.text(answer)
    assert (world.picture(answer).frames, len(log_of(world, answer).lines)) == (3, 4)


async def test_without_a_name_ones_own_game_or_the_channels_newest_is_meant(world: World) -> None:
    await opened(world)
    await finished(world)
    assert "#1" in world.text(await world.ann.slash(world.channel, "replay"))
    assert "#2" in world.text(await world.cleo.slash(world.channel, "replay"))
    assert "#2" in world.text(await world.ann.slash(world.channel, "replay", game="#2"))


async def test_with_several_games_one_is_asked_which_and_the_format_is_kept(world: World) -> None:
    await opened(world)
    await opened(world)
    asked = await world.ann.slash(world.channel, "replay", format="log")
    assert "Which one?" in world.text(asked)
    await world.ann.click(reply(asked), label="#2 Bouncers: Ann, Ben")
    assert "#2" in world.text(asked)
    assert world.pictures(asked) == []
    told = await world.ann.slash(world.channel, "replay", public=True)
    assert "Pick one with the `game` option." in world.text(told)
    assert told.ephemeral


async def test_where_nothing_was_played_there_is_nothing_to_replay_or_verify(world: World) -> None:
    assert "No games in this channel yet" in world.text(await world.ann.slash(world.channel, "replay"))
    assert "There’s no game in this channel." in world.text(await by_way(world.ann, world.channel, "verify"))
    await world.ann.slash(world.channel, "open", game="bouncers")
    for command in ("replay", "verify"):
        assert "hasn’t started yet" in world.text(await by_way(world.ann, world.channel, command, game="1"))
        assert "There’s no table #7 here." in world.text(await by_way(world.ann, world.channel, command, game="7"))


async def test_games_are_offered_by_their_players_those_of_this_channel_first(world: World) -> None:
    await finished(world)
    elsewhere = world.guild.create_text_channel("elsewhere")
    shown = await world.ann.slash(elsewhere, "open", game="trampoline", opponent=world.cleo)
    await world.cleo.click(reply(shown), label="Accept")
    offered = await world.ben.autocomplete(world.channel, "replay", "game", "")
    assert [choice["name"] for choice in offered] == ["#1 Bouncers: Ann, Ben", "#2 BOUNCE: Ann, Cleo"]
    assert [choice["value"] for choice in await world.ben.autocomplete(elsewhere, "replay", "game", "cleo")] == ["2"]


async def test_a_private_table_is_only_for_those_who_sat_at_it(world: World) -> None:
    await world.ann.slash(world.channel, "open", game="bouncers", opponent=world.ben, private=True)
    await world.ben.click(world.messages()[0], label="Accept")
    for command in ("replay", "verify"):
        assert "There’s no table #1 here." in world.text(await by_way(world.cleo, world.channel, command, game="1"))
        assert "Bouncers #1" in world.text(await by_way(world.ben, world.channel, command, game="1"))
    for command in ("replay", "board"):
        assert await world.cleo.autocomplete(world.channel, command, "game", "") == []
        assert len(await world.ben.autocomplete(world.channel, command, "game", "")) == 1
    assert "No games in this channel yet" in world.text(await world.cleo.slash(world.channel, "replay"))


def frames(image: Image.Image) -> list[bytes]:
    return [frame.convert("RGB").tobytes() for frame in ImageSequence.Iterator(image)]


async def entered(world: World) -> None:
    """A game of Bounce Bunny Bounce in which both Bunnies are in and nothing is pending."""
    await opened(world, "bunny")
    for _ in range(12):
        snapshot = await world.client.core.snapshot(1)
        history, seat = snapshot.playing, snapshot.playing.to_act[0]
        if all(history.state.bunnies) or not snapshot.awaited:
            return
        action: tuple[str, ...] = ()
        while True:
            choice = history.game.choices(history.state, seat, action)[0]
            action = (*action, choice.token)
            if choice.final:
                break
        await (world.ann, world.ben)[seat].slash(world.channel, "move", action=" ".join(action))


@pytest.mark.usefixtures("no_pictures_at_hand")
async def test_a_replay_does_not_help_memory_before_the_end(world: World, monkeypatch: pytest.MonkeyPatch) -> None:
    asked_for: list[tuple[View, tuple[Event, ...]]] = []
    real, renderer = GAMES["bunny"], RENDERERS["bunny"]

    def watched(view: View, scene: Scene) -> Image.Image:
        asked_for.append((view, scene.events))
        return renderer.draw(view, scene)

    monkeypatch.setitem(RENDERERS, "bunny", replace(renderer, draw=watched))
    await entered(world)
    asked_for.clear()
    assert "remembering it is part of the game" in world.text(await world.ann.slash(world.channel, "replay"))
    snapshot = await world.client.core.snapshot(1)
    states = [snapshot.playing.first, *(step.state for step in snapshot.playing.in_force)]
    last = real.view(states[-1], None)
    # Every picture is a spectator's, and only the newest tells what happened: that is what the board shows anyway.
    assert sorted((view.seat is None, bool(events), view == last) for view, events in asked_for)[:-1] == sorted(
        (True, False, real.view(state, None) == last) for state in states[:-1]
    )
    for view, events in asked_for:
        assert view in [real.view(state, None) for state in states]
        assert all(event.private_to is None for event in events)
        assert not events or view == last


async def test_the_end_of_a_game_of_memory_reveals_every_card(world: World) -> None:
    await entered(world)
    running = await world.cleo.slash(world.channel, "replay", game="1")
    await world.ann.click(reply(await by_way(world.ann, world.channel, "resign")), label="Resign")
    over = await world.cleo.slash(world.channel, "replay", game="1")
    assert "The whole game, with everything revealed." in world.text(over)
    assert "remembering" not in world.text(over)
    assert frames(world.picture(running).image)[0] != frames(world.picture(over).image)[0]
    assert log_of(world, over).history is not None


@pytest.mark.usefixtures("no_pictures_at_hand")
async def test_a_popular_finished_game_is_drawn_once(world: World, monkeypatch: pytest.MonkeyPatch) -> None:
    drawn: list[View] = []
    renderer = RENDERERS["bouncers"]

    def watched(view: View, scene: Scene) -> Image.Image:
        drawn.append(view)
        return renderer.draw(view, scene)

    monkeypatch.setitem(RENDERERS, "bouncers", replace(renderer, draw=watched))
    await finished(world)
    drawn.clear()
    first = world.picture(await world.cleo.slash(world.channel, "replay"))
    assert len(drawn) == 4
    second = world.picture(await world.join("Dev").slash(world.channel, "replay"))
    assert (len(drawn), first) == (4, second)


async def test_a_finished_game_is_verified_with_its_seed_and_its_hash(world: World) -> None:
    await open_table(world, "bunny", world.ann, world.ben)
    await world.ben.click(reply(await by_way(world.ben, world.channel, "resign")), label="Resign")
    seed = present((await table(world)).seed)
    answer = await by_way(world.cleo, world.channel, "verify")
    assert present(answer.response).ephemeral
    text = world.text(answer)
    assert "**It all checks out.**" in text
    assert "the log’s one action follows the rules and leads to the same result: Ben resigned. **Ann wins!**" in text
    assert seed_hash(seed) not in text, "what matters is said first, in words"
    assert seed.hex() not in text
    await world.cleo.click(reply(answer), label="Seed and hashes")
    text = world.text(answer)
    assert not unsaid(text, f"SHA-256 of the seed: `{seed_hash(seed)}`", f"Seed: `{seed.hex()}`")
    assert f"printf {seed.hex()} | xxd -r -p | sha256sum" in text
    lobby = world.messages()[0]
    assert f"-# Fair dice: `{seed_hash(seed)[:16]}…`" in world.text(lobby)
    assert seed_hash(seed) not in world.text(lobby)
    assert f"/{world.channel.id}/{lobby.id})" in text
    await world.cleo.click(reply(answer), label="Back")
    assert "**It all checks out.**" in world.text(answer)
    assert button(answer, "Replay").custom_id is not None
    await world.cleo.click(reply(answer), label="Replay")
    assert "The whole game" in world.text(answer)


async def test_a_game_without_chance_is_verified_without_a_word_about_seeds(world: World) -> None:
    await finished(world)
    assert "hash" not in world.text(world.messages()[0]), "its first message tells of none"
    text = world.text(await by_way(world.cleo, world.channel, "verify"))
    assert "The log’s 3 actions follow the rules and lead to the same result: Ben resigned. **Ann wins!**" in text
    for word in ("seed", "hash", "dice", "sha256"):
        assert word not in text.lower()


async def test_the_first_player_may_be_drawn_in_a_game_without_chance(world: World) -> None:
    shown = await world.ann.slash(world.channel, "open", game="bouncers", options="order:shuffled")
    assert "Fair dice: `" in world.text(shown)
    assert "How?" in [one.label for one in buttons(shown)]
    fixed = await world.ann.slash(world.channel, "open", game="bouncers")
    assert "Fair dice" not in world.text(fixed)
    assert "How?" not in [one.label for one in buttons(fixed)]


async def test_a_running_game_keeps_its_seed_and_says_when_it_will_be_shown(world: World) -> None:
    await open_table(world, "bunny", world.ann, world.ben)
    seed = present((await table(world)).seed)
    text = world.text(await by_way(world.ann, world.channel, "verify"))
    assert seed_hash(seed) in text
    assert seed.hex() not in text
    assert "I’ll show the seed when the game is over." in text


async def test_tampering_with_a_game_is_detected(world: World) -> None:
    await finished(world)
    async with world.client.core.store.write() as writer:
        await queries.tables.change(writer, 1, outcome=Result(winners=(1,), how=Ending.RULES, reason=""))
    text = world.text(await by_way(world.ann, world.channel, "verify"))
    assert not unsaid(text, "**Something is wrong.**", "The winners on record are Ben, but in the replay: Ann.")
    assert "It all checks out" not in text


async def test_results_are_told_privately_of_oneself_or_of_somebody_else(world: World) -> None:
    assert "No rated games yet." in world.text(await world.ann.slash(world.channel, "stats"))
    await finished(world)
    await finished(world, options="rated:no")
    answer = await world.ann.slash(world.channel, "stats")
    assert answer.ephemeral
    text, picture = world.text(answer), world.picture(answer)
    assert "Ann’s results" in text
    assert picture.image.width == 1024
    assert "Bouncers: rating 1050 (provisional). 1 game: 1 won, 0 drawn, 0 lost." in picture.alt
    assert "Form, oldest first: won, won. Against Ben: 2 won, 0 drawn, 0 lost. 2 wins in a row: #2." in picture.alt
    assert "provisional for the first 10 rated games: each can change it by up to 50 points, later ones by up to 30." in text
    assert re.search(r"\[#2\]\(https:\S+\) Bouncers with Ben, not rated: \*\*won\*\*, <t:\d+:R>", text), text
    assert re.search(r"\[#1\]\(https:\S+\) Bouncers with Ben: \*\*won\*\*, <t:\d+:R>", text), text
    asked = await world.cleo.slash(world.channel, "stats", user=world.ben)
    other = world.text(asked)
    assert "Ben’s results" in other
    assert "rating 950 (provisional). 1 game: 0 won, 0 drawn, 1 lost." in world.picture(asked).alt
    assert "Bouncers with Ann: lost" in other
    none = world.text(await world.ann.slash(world.channel, "stats", game="trampoline"))
    assert "No rated games yet." in none
    assert "Last games" not in none


async def test_a_private_game_is_told_only_to_those_who_may_look_at_it(world: World) -> None:
    await world.ann.slash(world.channel, "open", game="bouncers", opponent=world.ben, private=True)
    await world.ben.click(world.messages()[0], label="Accept")
    await world.ann.slash(world.channel, "move", action="b2 b3", game="1")
    await world.ben.slash(world.channel, "move", action="b7 b6", game="1")
    await world.ben.click(reply(await by_way(world.ben, world.channel, "resign", game="1")), label="Resign")
    own = await world.ben.slash(world.channel, "stats", user=world.ann)
    assert "Form, oldest first: won. Against Ben: 1 won, 0 drawn, 0 lost." in world.picture(own).alt
    other = await world.cleo.slash(world.channel, "stats", user=world.ann)
    assert "Form" not in world.picture(other).alt
    assert "Ben" not in world.picture(other).alt + world.text(other)
    assert "1 game: 1 won" in world.picture(other).alt, "the rating itself is everybody’s to see"


async def test_a_draw_and_a_game_alone_are_told_as_what_they_are(world: World) -> None:
    await opened(world)
    await by_way(world.ann, world.channel, "draw")
    await by_way(world.ben, world.channel, "draw")
    await open_table(world, "trampoline", world.ann, seats=1)
    await world.ann.click(reply(await by_way(world.ann, world.channel, "resign", game="2")), label="Resign")
    text = world.text(await world.ann.slash(world.channel, "stats"))
    assert not unsaid(text, "Bouncers with Ben: drawn", "BOUNCE, alone: lost")


async def test_the_leaderboard_is_a_picture_with_words_for_screen_readers(world: World) -> None:
    early = await by_way(world.ann, world.channel, "leaderboard", game="bouncers")
    assert not early.ephemeral
    assert "No rankings yet: play 3 rated games of Bouncers to appear." in world.text(early)
    for number in range(1, 4):
        await finished(world)
        soon = world.text(await by_way(world.ann, world.channel, "leaderboard", game="bouncers"))
        assert (f"Ann: {number} of 3 rated games" in soon) == (number < 3)
    answer = await by_way(world.cleo, world.channel, "leaderboard", game="bouncers")
    assert not answer.ephemeral
    picture = world.picture(answer)
    assert picture.image.width == 1024
    first, second, note = picture.alt.splitlines()[1:]
    assert note == "Provisional: fewer than 10 rated games."
    assert re.fullmatch(r"1\. Ann: \d+ \(provisional\) after 3 games", first)
    assert re.fullmatch(r"2\. Ben: \d+ \(provisional\) after 3 games", second)
    assert "1st of 2" in world.picture(await world.ann.slash(world.channel, "stats")).alt


async def test_every_back_button_works_after_a_restart(world: World) -> None:
    await finished(world)
    answer = await by_way(world.ann, world.channel, "verify")
    await world.restart()
    await world.ann.click(reply(answer), label="Replay")
    assert world.picture(answer).image.format == "GIF"
    assert [one.label for one in buttons(answer)] == ["Share", "Review", "Analyse", "Verify", "Back"]
