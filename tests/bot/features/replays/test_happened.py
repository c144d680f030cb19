"""*What happened?*: everything since one’s own last turn, privately, as an animation and in words."""

from typing import Any

import pytest
from simcord.actors import MemberActor

from bot.core.table.since import since_acted, standing
from bot.features.replays import messages as replays
from bot.features.replays.messages import Past
from bot.i18n.language import ENGLISH
from bot.interactions.reply import Reply
from bot.messages.board import WHAT_HAPPENED
from bot.messages.click import Click
from bot.messages.players import MARKS
from bot.messages.story import whole, words
from engines import GAMES
from engines.text import Text
from renderers.replay import Replay
from tests.bot.forging import forged
from tests.bot.kit import World, buttons, reply
from tests.bot.seated import Seated, all_that_is_seen, open_table
from tests.bot.unsaid import unsaid
from tests.bot.ways import by_way

pytestmark = pytest.mark.slow

LABEL = str(WHAT_HAPPENED)


@pytest.fixture
def drawn(no_pictures_at_hand: None, monkeypatch: pytest.MonkeyPatch) -> list[Past]:
    """The animations drawn rather than cached; the cache starts empty."""
    made: list[Past] = []
    draw = replays._animation

    async def noted(past: Past) -> Replay:
        made.append(past)
        return await draw(past)

    monkeypatch.setattr(replays, "_animation", noted)
    return made


async def rounds(table: Seated, turns: int) -> None:
    for _ in range(turns):
        (member,) = await table.awaited()
        await table.type(member, await table.random_action(member))


@pytest.mark.parametrize("world", [3], indirect=True)
async def test_it_shows_an_animation_and_the_words_of_all_that_was_done_since(world: World) -> None:
    table = await open_table(world, "trampoline", world.ann, world.ben, world.cleo, seats=3)
    await rounds(table, 5)
    (member,) = await table.awaited()
    assert member is world.cleo
    shown = reply(await member.click(table.board(), label=LABEL))
    assert shown.ephemeral
    assert not unsaid(world.text(shown), "Since your last turn", "Ann", "Ben")
    (picture,) = world.pictures(shown)
    assert picture.frames == 3, "the board after her turn, and what each of the two others did"


async def test_spectators_see_the_last_round(world: World) -> None:
    table = await open_table(world, "trampoline", world.ann, world.ben, seats=2)
    await rounds(table, 3)
    shown = reply(await world.cleo.click(table.board(), label=LABEL))
    assert "The last round" in world.text(shown)
    assert world.pictures(shown)[0].frames == 2


async def test_if_nothing_has_happened_it_says_so(world: World) -> None:
    table = await open_table(world, "bouncers", world.ann, world.ben)
    assert LABEL not in [one.label for one in buttons(table.board())], "it is offered only where there is something"
    earlier = await forged(world.ben, table.board(), Click("happened", table.table_id))  # boards of earlier versions have it
    assert "the game has just begun, and Ann is up" in world.text(earlier)
    await rounds(table, 1)
    shown = await world.ann.click(table.board(), label=LABEL)
    assert "Nothing since your turn: Ben is up." in world.text(shown)
    assert world.pictures(shown) == []


@pytest.mark.parametrize("world", [4], indirect=True)
@pytest.mark.parametrize("game", GAMES)
async def test_in_every_game_players_and_others_see_an_animation_with_words_beside_it(world: World, game: str) -> None:
    chosen: dict[str, Any] = {"options": "setup:random"} if game == "pucks" else {}
    if GAMES[game].seats[-1] > 2:
        chosen["seats"] = 2
    table = await open_table(world, game, world.ann, world.ben, **chosen)
    enough = 4 if game == "trampoline" else 6  # a lucky guest is down soon
    while (history := (await table.snapshot()).playing).version < enough or not since_acted(history, history.to_act[0]):
        (member, *_) = await table.awaited()
        await table.type(member, await table.random_action(member))
    await table.show_all()
    (member, *_) = await table.awaited()
    for person, title in ((member, "Since your last turn"), (world.cleo, "The last round")):
        shown = reply(await person.click(table.board(), label=LABEL))
        assert title in world.text(shown)
        assert world.pictures(shown)[0].frames >= 2
        assert len(world.text(shown).split(title)[1].strip()) > 10, "and words"
    await by_way(member, world.channel, "resign")
    await member.click(world.last(viewer=member), label="Resign")
    for person in (world.ann, world.ben, world.cleo):
        more = reply(await person.click(table.board(), label="More"))
        shown = reply(await person.click(more, label=LABEL))
        assert not unsaid(world.text(shown), "How it ended", "resigned")
        assert world.pictures(shown)[0].frames >= 2


async def test_pieces_that_are_placed_are_a_line_a_player(world: World) -> None:
    table = await open_table(world, "pucks", world.ann, world.ben, world.cleo, seats=3)
    for _ in range(3):
        (member,) = await table.awaited()
        await table.type(member, ("auto",))
    for person in (world.ann, world.ben, world.cleo):
        shown = world.text(reply(await person.click(table.board(), label=LABEL)))
        assert shown.count("place") == shown.count("pieces") <= 3
        assert " on " not in shown.split("\n")[-1]


async def test_it_stands_behind_more_under_the_last_board_and_tells_the_end(world: World) -> None:
    table = await open_table(world, "bouncers", world.ann, world.ben)
    await rounds(table, 3)
    await by_way(world.ben, world.channel, "resign")
    await world.ben.click(world.last(viewer=world.ben), label="Resign")
    for member in (world.ann, world.ben, world.cleo):
        shown = await member.click(reply(await member.click(table.board(), label="More")), label=LABEL)
        assert "How it ended" in world.text(shown)
        assert world.pictures(shown)[0].frames >= 2


async def test_the_second_click_is_answered_from_the_cache(world: World, drawn: list[Past]) -> None:
    table = await open_table(world, "bouncers", world.ann, world.ben)
    await rounds(table, 3)
    first = reply(await world.ben.click(table.board(), label=LABEL))
    second = reply(await world.ben.click(table.board(), label=LABEL))
    assert [picture.png for picture in world.pictures(first)] == [picture.png for picture in world.pictures(second)]
    assert len(drawn) == 1


async def test_two_clicks_during_drawing_get_two_answers(world: World, drawn: list[Past]) -> None:
    table = await open_table(world, "bouncers", world.ann, world.ben)
    await rounds(table, 3)
    answers: list[Any] = []
    show = Reply.show

    async def noted(answer: Reply, builder: Any) -> Any:
        answers.append(builder.pictures)
        return await show(answer, builder)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(Reply, "show", noted)
        async with world.at_once():
            for _ in range(4):
                await world.ben.click(table.board(), label=LABEL)
    assert len(answers) == 4, "none of them is an error"
    assert all(answers)
    assert len(drawn) == 1


async def test_an_undone_action_is_a_line_without_a_picture(world: World) -> None:
    table = await open_table(world, "bouncers", world.ann, world.ben)
    await rounds(table, 2)
    await rounds(table, 1)
    await by_way(world.ann, world.channel, "undo")
    await world.ben.click(world.last(), label="Accept")
    shown = await world.ann.click(table.board(), label=LABEL)
    assert "takes back" in world.text(shown)
    assert world.pictures(shown)[0].frames == 2, "what Ben did, but not what was taken back"


async def test_a_hand_stays_private(world: World) -> None:
    """Nobody else is told which cards somebody has drawn."""
    table = await open_table(world, "pucks", world.ann, world.ben, seats=2, options="setup:random")
    for member in (world.ann, world.ben):
        await table.type(member, ("auto",)) if "auto" in await tokens(table, member) else None
    (drawer,) = await table.awaited()
    assert "draw" in await tokens(table, drawer)
    await table.type(drawer, ("draw",))
    snapshot = await table.snapshot()
    (secret,) = [event.text for event in snapshot.playing.log[-1].events if event.private_to is not None]
    assert isinstance(secret, Text)
    wording = secret.render(name=lambda seat: snapshot.names[seat])
    for member in (world.ann, world.ben, world.cleo):
        shown = await member.click(table.board(), label=LABEL)
        assert (wording in all_that_is_seen(world, shown)) is (member is drawer)


async def tokens(table: Seated, member: MemberActor) -> list[str]:
    """The possible first tokens of somebody’s action."""
    return [choice.token for choice in await table.choices(member)]


async def test_in_a_game_of_memory_it_shows_only_what_the_messages_did(world: World, drawn: list[Past]) -> None:
    table = await open_table(world, "bunny", world.ann, world.ben)
    while (history := (await table.snapshot()).playing).version < 5 or since_acted(history, history.to_act[0]) < 2:
        (member,) = await table.awaited()
        await table.act(member, await table.random_action(member))
    await table.show_all()
    (member,) = await table.awaited()
    shown = reply(await member.click(table.board(), label=LABEL))
    (past,) = drawn
    since = since_acted(history, history.to_act[0])
    assert (past.since, past.perspective.seat) == (since, None)
    assert world.pictures(shown)[0].frames == history.version - since + 1
    public = "\n".join(world.text(shown).split("\n")[2:])
    told = words(standing(history, since), ENGLISH, ("Ann", "Ben"), MARKS, whole(3000))
    assert public == f"### Since your last turn\n{told}"
