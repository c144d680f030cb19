"""Sharing the end of a game: a card and a line, previewed privately, posted once and only where allowed."""

import asyncio
import re
from collections.abc import Iterator
from typing import Any
from unittest import mock

import discord
import pytest
from simcord.backend.models import Overwrite
from simcord.enums import OverwriteType

from bot.core.jobs import Outbox
from bot.core.table.snapshot import User
from bot.features.reviews.service import Reviews
from bot.features.settings.moderation import Moderation
from bot.features.sharing.messages import LINE_LIMIT, SQUARES_AT_MOST, share_line
from bot.i18n.language import language
from bot.messages.click import Click
from engines.game import legal_actions
from storage.schema.records import Ending
from tests.bot.forging import forged
from tests.bot.i18n.speaking import the_server_speaks
from tests.bot.kit import Message, World, a_member, buttons, reply
from tests.bot.pseudo import PSEUDO, disguised
from tests.bot.scripted import Scripted, scripted
from tests.bot.seated import Seated, core_of, open_table
from tests.bot.unsaid import unsaid
from tests.bot.ways import by_way

A, B, C, D = ("b2", "b3"), ("b7", "b6"), ("c2", "c3"), ("c7", "c6")
ENGLISH = language("en")


@pytest.fixture
def thinker() -> Iterator[type[Scripted]]:
    """A scripted thinker about Bouncers: Ann is behind after her second move, and far ahead after Ben’s."""
    stands = [(0.5, 0.5), (0.5, 0.5), (0.6, 0.4), (0.3, 0.7), (0.8, 0.2)]
    with scripted(lost={C: 0.3, B: 0.12}, stands=stands) as told:
        yield told


def labels(message: Any) -> list[str]:
    return [one.label for one in buttons(message)]


def shared(world: World, channel: Any = None, **more: Any) -> list[Message]:
    """The public messages that people have shared."""
    return [message for message in world.messages(channel, **more) if "Shared by" in world.text(message)]


def told(world: World, member: Any) -> list[str]:
    """Somebody’s private messages."""
    return [world.text(message) for message in world.messages(viewer=member) if message.flags.ephemeral]


def posted(message: Message, words: str = "Posted here: ") -> str:
    """The answer to whoever has posted this message."""
    assert isinstance(message, discord.Message)
    return f"{words}{message.jump_url}"


async def resigned(world: World, *moves: tuple[str, ...], **options: Any) -> Seated:
    """A game that Ben resigns to Ann after these moves."""
    table = await open_table(world, "bouncers", world.ann, world.ben, **options)
    for number, action in enumerate(moves):
        await table.type(table.people[number % 2], action)
    await resign(world, table, world.ben)
    return table


async def resign(world: World, table: Seated, member: Any) -> None:
    await member.click(reply(await by_way(member, table.channel, "resign", game=str(table.table_id))), label="Resign")


def ended(world: World, table: Seated) -> Message:
    """The last board of a finished game."""
    return [message for message in world.messages(table.channel) if "Share" in labels(message)][-1]


def line_in(text: str) -> str:
    """The line to copy in a private answer."""
    (line,) = re.findall(r"```\n(.*)\n```", text)
    return line


async def posted_by(world: World, table: Seated, member: Any) -> Any:
    """The preview of a card that somebody has then posted."""
    shown = await member.click(ended(world, table), label="Share")
    await member.click(reply(shown), label="Post here")
    await world.pass_time(3)
    return shown


async def review(world: World, table: Seated) -> None:
    await world.ann.click(ended(world, table), label="Review")
    await world.pass_time(3)


async def test_share_privately_shows_the_card_and_a_line_to_copy(world: World) -> None:
    table = await resigned(world, A, B, C, D)
    before = len(world.messages())
    shown = await world.cleo.click(ended(world, table), label="Share")
    assert shown.ephemeral
    assert line_in(world.text(shown)) == "🏆 🔴 Ann 16–16 🔵 Ben · Bouncers #1"
    assert labels(reply(shown)) == ["Post here", "Review"]
    assert "After a *Review* the card also shows the win chances" in world.text(shown)
    card = world.picture(shown)
    assert card.image.width == 1024
    assert card.alt.startswith("Bouncers #1\nAnn wins!\nAnn: 16.\nBen: 16.\n")
    assert "Win chances" not in card.alt
    await world.pass_time(60)
    assert len([one for one in world.messages()[before:] if "Shared by" in world.text(one)]) == 0


@pytest.mark.slow
async def test_after_a_review_it_has_curve_turning_point_and_accuracy(world: World, thinker: type[Scripted]) -> None:
    table = await resigned(world, A, B, C, D)
    shown = await world.ann.click(ended(world, table), label="Share")
    plain = world.picture(shown)
    await review(world, table)
    shown = await world.ann.click(ended(world, table), label="Share")
    card = world.picture(shown)
    assert card.image.height > plain.image.height
    assert "The game turned at move 4. Ben bounces c7 → c6." in card.alt
    assert re.search(r"Ann: 16, accuracy \d+%\.", card.alt)
    assert "At the start: Ann 50%, Ben 50%.\nBefore move 4: Ann 30%, Ben 70%.\nAfter move 4: Ann 80%, Ben 20%." in card.alt
    assert line_in(world.text(shown)) == "🏆 🔴 Ann 16–16 🔵 Ben · Bouncers #1 · ⬜⬜🟥🟦🟥🟥 · turned at move 4"
    assert "After a *Review*" not in world.text(shown)


@pytest.mark.slow
async def test_in_a_game_of_luck_it_tells_the_roll_that_turned_the_game(world: World) -> None:
    table = await open_table(world, "trampoline", world.ann, world.ben, seats=2)
    for member in (world.ann, world.ben):
        await table.type(member, ("roll",))
    await resign(world, table, world.ben)
    with scripted("trampoline", stands=[(0.5, 0.5), (0.4, 0.6), (0.9, 0.1)]):
        await by_way(world.ann, world.channel, "review", game=str(table.table_id))
        await world.pass_time(3)
    snapshot = await table.snapshot()
    last = [event for event in snapshot.playing.log[1].events if event.seat == 1][-1]
    told = ENGLISH(last.text, snapshot.names)  # the roll, or whom it bumped
    card = world.picture(await world.ann.click(ended(world, table), label="Share"))
    assert f"The game turned at move 2. {told}" in card.alt
    assert "Review" not in labels(ended(world, table)), "it isn’t offered where there was nothing to decide"
    text = world.text(await by_way(world.ann, world.channel, "review", game=str(table.table_id)))
    assert text.count("nothing to decide") == 1
    assert "This game was all luck" in text
    assert "**Ann**" not in text, "there are no figures"


async def test_a_draw_by_consent_has_a_card_too(world: World) -> None:
    table = await open_table(world, "bouncers", world.ann, world.ben)
    await table.type(world.ann, A)
    await by_way(world.ann, world.channel, "draw")
    await by_way(world.ben, world.channel, "draw")
    shown = await world.ben.click(ended(world, table), label="Share")
    assert line_in(world.text(shown)) == "🤝 🔴 Ann 16–16 🔵 Ben · Bouncers #1"
    assert "It’s a draw!" in world.picture(shown).alt


@pytest.mark.slow
async def test_games_of_three_and_against_a_computer_have_cards_too(world: World) -> None:
    table = await open_table(world, "trampoline", world.ann, world.ben, world.cleo, seats=3)
    while awaited := await table.awaited():
        snapshot = await table.snapshot()
        seat = snapshot.playing.to_act[0]
        action = next(iter(legal_actions(snapshot.playing.game, snapshot.playing.state, seat)))
        await table.type(awaited[0], action)
    snapshot = await table.snapshot()
    assert snapshot.table.outcome is not None
    line = share_line(snapshot, None, ENGLISH)
    assert line.startswith("🏆 ")
    first = snapshot.table.outcome.winners[0]
    assert line[2] == "🔴🔵🟢"[first], "the winner stands first"
    assert all(name in line for name in ("Ann", "Ben", "Cleo"))
    shown = await world.cleo.click(ended(world, table), label="Share")
    assert line_in(world.text(shown)) == line
    await world.ann.slash(world.channel, "open", game="bouncers", computer="easy")
    tables = await world.client.core.tables(guild_id=world.guild.id)
    alone = Seated(world, max(one.id for one in tables), [world.ann], world.channel)
    await resign(world, alone, world.ann)
    snapshot = await alone.snapshot()
    (computer,) = snapshot.computers
    line = share_line(snapshot, None, ENGLISH)
    assert f"{'🔴🔵'[computer]}🤖 {snapshot.names[computer]}" in line
    assert line.startswith(f"🏆 {'🔴🔵'[computer]}🤖")


@pytest.mark.slow
async def test_a_player_whose_time_is_up_has_lost_on_the_card(world: World) -> None:
    table = await open_table(world, "bouncers", world.ann, world.ben, clock="1h")
    await table.type(world.ann, A)
    for _ in range(12):
        if (await table.snapshot()).outcome() is not None:
            break
        await world.pass_time(3601)
        if world.ann in await table.awaited():
            state = (await table.snapshot()).playing
            await table.type(world.ann, next(iter(legal_actions(state.game, state.state, 0))))
    assert (await table.snapshot()).worth_sharing
    shown = await world.ann.click(ended(world, table), label="Share")
    assert line_in(world.text(shown)).startswith("🏆 🔴 Ann ")
    assert "Ann wins!" in world.picture(shown).alt


@pytest.mark.parametrize("how", [Ending.CLOSED, Ending.ABANDONED, Ending.DESERTED])
async def test_an_aborted_game_has_no_card(world: World, how: Ending) -> None:
    table = await open_table(world, "bouncers", world.ann, world.ben)
    await table.type(world.ann, A)
    if how is Ending.CLOSED:
        await core_of(world).service(Moderation).close(table.table_id, world.guild.id, User(world.cleo.id, "Cleo"))
        assert not (await table.snapshot()).worth_sharing
        await world.settle()
        assert "Share" not in labels(world.last())
        told = await forged(world.ann, world.messages()[0], Click("post-card", table.table_id))
        assert "This game has no result to share." in world.text(told)
        await world.pass_time(60)
        assert shared(world) == []
        return
    await resign(world, table, world.ben)
    snapshot = await table.snapshot()
    assert snapshot.worth_sharing
    broken = mock.Mock(wraps=snapshot.table, outcome=mock.Mock(how=how))
    object.__setattr__(snapshot, "table", broken)
    assert not snapshot.worth_sharing


async def test_post_here_posts_card_and_line_in_one_message_and_once(world: World) -> None:
    table = await resigned(world, A, B, C, D)
    shown = await posted_by(world, table, world.ann)
    assert "Copy and share:" in world.text(shown), "the line can still be copied"
    (message,) = shared(world)
    assert posted(message) in told(world, world.ann)
    assert not unsaid(world.text(message), "🏆 🔴 Ann 16–16 🔵 Ben · Bouncers #1", f"Shared by <@{world.ann.id}>")
    assert "Post here" not in labels(message)
    assert (world.pinged(message), world.picture(message).png) == (set(), world.picture(shown).png)
    await posted_by(world, table, world.ben)
    assert posted(message, "It’s here already: ") in told(world, world.ben)
    await world.restart()
    await world.pass_time(600)
    assert shared(world) == [message]
    replay = await world.cleo.click(message, label="Replay")
    assert replay.ephemeral
    assert world.picture(replay).frames > 1


@pytest.mark.slow
async def test_a_card_that_may_have_been_posted_is_not_posted_again(world: World) -> None:
    table = await resigned(world, A, B)
    shown = await world.ann.click(ended(world, table), label="Share")
    world.env.inject_error("POST", f"/channels/{world.channel.id}/messages", status=500, times=None)
    await world.ann.click(reply(shown), label="Post here")
    await world.pass_time(3)
    assert "I’ll post it as soon as Discord lets me." in told(world, world.ann)
    world.env.backend.faults.clear()
    await world.pass_time(3600)
    assert len(shared(world)) == 1


@pytest.mark.slow
async def test_a_card_that_was_posted_without_a_review_can_be_posted_with_it(world: World, thinker: type[Scripted]) -> None:
    table = await resigned(world, A, B, C, D)
    await posted_by(world, table, world.ann)
    await review(world, table)
    for _ in range(2):
        await posted_by(world, table, world.ann)
    without, with_review = shared(world)
    assert "turned at move" not in world.text(without)
    assert "turned at move 4" in world.text(with_review)
    assert "accuracy" in world.picture(with_review).alt


async def test_without_permission_to_post_the_line_can_be_copied(world: World) -> None:
    table = await resigned(world, A, B)
    shown = await world.ann.click(ended(world, table), label="Share")
    silenced = discord.Permissions(send_messages=True).value
    overwrite = Overwrite(target_id=world.ann.id, type=OverwriteType.MEMBER, deny=silenced)
    world.env.backend.set_overwrite(world.channel.id, overwrite)
    assert "You can’t post in this channel." in world.text(await world.ann.click(reply(shown), label="Post here"))
    again = await world.ann.click(ended(world, table), label="Share")
    assert "You can’t post in this channel." in world.text(again)
    assert line_in(world.text(again))
    assert "Post here" not in labels(reply(again))
    await world.pass_time(60)
    assert shared(world) == []


async def test_a_private_game_is_shared_by_its_people_alone_and_in_its_thread_alone(world: World) -> None:
    await world.ann.slash(world.channel, "open", game="bouncers", opponent=world.ben, private=True)
    await world.ben.click(world.messages()[0], label="Accept")
    (thread,) = world.channel.threads
    table = Seated(world, 1, [world.ann, world.ben], thread)
    for number, action in enumerate((A, B, C, D)):
        await table.type(table.people[number % 2], action)
    await resign(world, table, world.ben)
    public = world.messages()[0]
    for verb in ("share", "post-card", "share-review"):
        told = await forged(world.cleo, public, Click(verb, 1))
        assert "There’s no table #1 here." in world.text(told)
        assert world.pictures(told) == []
    for verb in ("share", "post-card"):
        told = await forged(world.ann, public, Click(verb, 1))
        assert "This game is private. You can share it only in its own thread." in world.text(told)
        assert world.pictures(told) == []
    await core_of(world).service(Outbox).share(1, channel=world.channel.id, version=5, user=world.ann.id, card=True)
    await world.pass_time(60)
    assert shared(world) == [], "not even if a job asks for it"
    board = [one for one in world.messages(thread, viewer=world.ann) if "Share" in labels(one)][-1]
    await world.ann.click(reply(await world.ann.click(board, label="Share")), label="Post here")
    await world.pass_time(3)
    assert len(shared(world, thread, viewer=world.ann)) == 1


ODD = ("W" * 32, "مرحبا بالعالم", "@everyone `x` ```", "👩‍👩‍👧‍👦" * 4, "\u202eevil\nname", "https://example.com/" + "x" * 12)


@pytest.mark.parametrize("game", ["bouncers", "bunny", "trampoline", "pucks"])
async def test_the_line_has_at_most_120_characters_with_any_names(world: World, game: str) -> None:
    seats = {"pucks": 6, "trampoline": 4}.get(game, 2)
    people = [world.ann, world.ben, world.cleo, *(await _more(world, seats - 3))][:seats]
    table = await open_table(world, game, *people, seats=seats)
    for member in people[1:]:
        await resign(world, table, member)
    snapshot = await table.snapshot()
    assert snapshot.worth_sharing
    with mock.patch.object(type(snapshot), "names", ODD[:seats]):
        line = share_line(snapshot, None, ENGLISH)
    assert len(line) <= LINE_LIMIT
    assert not [sign for sign in ("\n", "`", "@everyone", "\u202e", "://") if sign in line]
    assert f"#{table.table_id}" in line
    assert line.count("\u2068") == line.count("\u2069") == (1 if "مر" in line else 0)


async def test_lower_is_better_counts_are_no_scores(world: World) -> None:
    table = await open_table(world, "trampoline", world.ann, world.ben, seats=2)
    await table.type(world.ann, ("roll",))
    await resign(world, table, world.ben)
    assert share_line(await table.snapshot(), None, ENGLISH) == "🏆 🔴 Ann · 🔵 Ben · BOUNCE #1"


async def _more(world: World, count: int) -> list[Any]:
    return [a_member(world.env, world.guild, name) for name in ("Dora", "Emil", "Fred")[: max(0, count)]]


@pytest.mark.slow
async def test_a_long_curve_is_twelve_squares(world: World, thinker: type[Scripted]) -> None:
    moves = [A, B, C, D, ("d2", "d3"), ("d7", "d6"), ("e2", "e3"), ("e7", "e6"), ("f2", "f3"), ("f7", "f6"), ("g2", "g3"),
             ("g7", "g6"), ("h2", "h3"), ("h7", "h6")]  # fmt: skip
    table = await resigned(world, *moves)
    await review(world, table)
    await asyncio.sleep(0)
    await world.pass_time(30)
    snapshot = await table.snapshot()
    reviewed = await core_of(world).service(Reviews).finished_review(snapshot)
    line = share_line(snapshot, reviewed, ENGLISH)
    assert sum(line.count(square) for square in "🟥🟦⬜") == SQUARES_AT_MOST
    assert len(line) <= LINE_LIMIT


@pytest.mark.slow
async def test_card_and_line_are_in_the_language_of_their_readers(world: World, thinker: type[Scripted]) -> None:
    table = await resigned(world, A, B, C, D)
    await review(world, table)
    await the_server_speaks(world, "de")
    shown = await posted_by(world, table, world.ann)
    assert "At the start: Ann 50%" in world.picture(shown).alt
    (posted,) = [message for message in world.messages() if world.pictures(message) and "🏆" in world.text(message)]
    assert "Am Anfang: Ann 50" in world.picture(posted).alt
    assert world.picture(posted).png != world.picture(shown).png, "the winner is told in German"
    reviewed = await core_of(world).service(Reviews).finished_review(await table.snapshot())
    assert share_line(await table.snapshot(), reviewed, PSEUDO).endswith(f" · {disguised('turned at move {n}').format(n=4)}")
