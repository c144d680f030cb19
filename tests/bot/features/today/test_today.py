"""*What’s on today*: games at public tables, those that ended since yesterday, and the best at the puzzles."""

import itertools
from collections.abc import Iterator
from typing import Any

import pytest
from typing_extensions import override

from bot.messages.pictures import CACHE
from bot.workers.drawing import Threads, drawing_in
from storage.store import Store
from tests.bot.daily_posts import dailies, solve
from tests.bot.damage import damage_beside
from tests.bot.i18n.speaking import speaks
from tests.bot.kit import World, a_chief, buttons, reply
from tests.bot.seated import all_that_is_seen, core_of, open_table
from tests.bot.service import DAY
from tests.bot.settings_panels import act, close_table, fill
from tests.bot.today import resigned
from tests.bot.unsaid import unsaid
from tests.bot.ways import by_way


@pytest.fixture(autouse=True)
def known() -> Iterator[None]:
    """Each day has its puzzle."""
    with dailies():
        yield


async def today(world: World, member: Any = None) -> Any:
    """The answer to *What’s on today*."""
    return reply(await by_way(member or world.cleo, world.channel, "today"))


def lines(world: World, message: Any, heading: str) -> list[str]:
    """The lines below a heading."""
    found = world.text(message).splitlines()
    at = next(number for number, line in enumerate(found) if heading in line)
    return list(itertools.takewhile(lambda line: line.startswith("**#"), found[at + 1 :]))


async def test_if_nothing_is_on_it_invites(world: World) -> None:
    shown = await today(world)
    assert shown.ephemeral
    assert "Nothing’s on right now." in world.text(shown)
    assert world.pictures(shown) == []
    assert [one.label for one in buttons(shown)] == ["Today’s puzzle"]
    assert "Daily bounce #1" in world.text(await world.cleo.click(shown, label="Today’s puzzle"))


@pytest.mark.slow
async def test_running_games_are_listed_with_place_and_turn_latest_first(world: World) -> None:
    first = await open_table(world, "bouncers", world.ann, world.ben)
    await world.pass_time(60)
    second = await open_table(world, "trampoline", world.ben, world.cleo, seats=2)
    shown = await today(world)
    assert "**2 games are on**" in world.text(shown)
    assert [line[:4] for line in lines(world, shown, "games are on")] == ["**#2", "**#1"]
    await world.pass_time(60)
    await first.type(world.ann, ("b2", "b3"))
    shown = await today(world)
    lead, other = lines(world, shown, "games are on")
    board = first.board()
    assert lead == (
        f"**#1 Bouncers** https://discord.com/channels/{world.guild.id}/{world.channel.id}/{board.id}: "
        "🔴 Ann, 🔵 Ben. Waiting for Ben"
    )
    assert "BOUNCE" in other
    (picture,) = world.pictures(shown)
    assert picture.alt.startswith("Bouncers #1 with Ann, Ben. It’s Ben’s turn. BOUNCE #2 with Ben, Cleo. ")
    assert (picture.image.width, second.table_id) == (1024, 2)


async def test_awaited_players_read_what_they_are_asked(world: World) -> None:
    await open_table(world, "bouncers", world.ann, world.ben)
    assert "Waiting for Ann" in world.text(await today(world))
    assert "Waiting for Ann" not in world.text(await today(world, world.ann))


@pytest.mark.slow
async def test_ended_games_are_listed_with_winner_ratings_and_board(world: World) -> None:
    table = await open_table(world, "bouncers", world.ann, world.ben)
    await table.type(world.ann, ("b2", "b3"))
    await table.type(world.ben, ("b7", "b6"))
    await resigned(table, world.ben)
    shown = await today(world)
    (line,) = lines(world, shown, "Ended since yesterday")
    assert line.startswith(f"**#1 Bouncers** https://discord.com/channels/{world.guild.id}/")
    assert "Ann wins! 🔴 Ann 1000 → 10" in line
    assert "🔵 Ben 1000 → 9" in line
    assert "(+" in line
    assert "(−" in line
    assert world.picture(shown).alt == "Bouncers #1 with Ann, Ben. Ann wins!"
    assert "Nothing’s on right now." in world.text(shown)
    await world.pass_time(DAY + 60)
    assert "Ended" not in world.text(await today(world))


@pytest.mark.slow
async def test_five_ended_and_four_running_games_are_listed_and_the_rest_counted(world: World) -> None:
    for number in range(7):
        await resigned(await open_table(world, "bouncers", world.ann, world.join(f"P{number}"), clock="none"), world.ann)
    for number in range(6):
        await open_table(world, "trampoline", world.ben, world.join(f"Q{number}"), seats=2)
    shown = await today(world)
    assert len(lines(world, shown, "**6 games are on**")) == 4
    assert "and 2 more: " in world.text(shown)
    assert len(lines(world, shown, "Ended since yesterday")) == 5
    assert world.text(shown).count("Bouncers") == 5
    assert "and 2 more\n" in f"{world.text(shown)}\n"
    assert "Bouncers" not in world.picture(shown).alt, "there are four that are running"


async def test_private_tables_and_those_in_quarantine_are_not_in_it(world: World) -> None:
    private = await open_table(world, "bouncers", world.ann, private=True, opponent=world.ben)
    lobby = next(message for message in world.messages(private.channel) if buttons(message))
    await world.ben.click(lobby, label="Accept")
    broken = await open_table(world, "trampoline", world.ann, world.ben, seats=2)
    ended = await resigned(await open_table(world, "bouncers", world.ann, world.ben), world.ben)
    path = core_of(world).store.address.path
    assert path is not None
    await damage_beside(path, f"UPDATE tables SET offers = 'null' WHERE id IN ({broken.table_id}, {ended.table_id})")
    for _ in range(2):
        for member in (world.cleo, world.ann):
            shown = await today(world, member)
            assert world.pictures(shown) == []
            assert "#" not in world.text(shown).replace("###", "")
    assert (await private.snapshot()).table.private


@pytest.mark.parametrize("how", ["called-off", "closed"])
async def test_a_game_without_a_result_is_not_told(world: World, how: str) -> None:
    table = await open_table(world, "bouncers", world.ann, world.ben)
    if how == "closed":
        await close_table(world, a_chief(world), table.table_id)
    else:
        await by_way(world.ann, world.channel, "call-off", game=str(table.table_id))
        await world.ben.click(world.last(), label="Accept")
    assert await table.over()
    assert "Nothing’s on right now." in world.text(await today(world))
    assert "Ended" not in world.text(await today(world))


async def test_a_draw_says_so_in_the_picture_and_in_words(world: World) -> None:
    table = await open_table(world, "bouncers", world.ann, world.ben)
    await by_way(world.ann, world.channel, "draw", game=str(table.table_id))
    await world.ben.click(world.last(), label="Accept")
    shown = await today(world)
    assert "It’s a draw! 🔴 Ann" in world.text(shown)
    assert world.picture(shown).alt == "Bouncers #1 with Ann, Ben. It’s a draw!"


@pytest.mark.slow
async def test_the_table_of_the_puzzles_names_the_best_of_the_week(world: World) -> None:
    for day, wrong in ((1, 0), (2, 1)):
        await solve(world, world.ann, day, wrong=wrong)
        await world.pass_time(DAY)
    for number in range(4):
        await solve(world, world.join(f"P{number}"), 3, wrong=number)
    await world.pass_time(DAY)
    shown = await today(world)
    told = world.text(shown)
    assert "**🏅 Daily bounce: Last 7 days**\n1. **Ann** · 2 days · 3 tries\n2. **P0** · 1 day · 1 try\n3. **P1**" in told
    assert "P2" not in told
    assert "5 people in all" in told
    assert "P3" in world.text(await world.cleo.click(shown, label="Standings"))


async def test_a_button_leads_to_all_games(world: World) -> None:
    await open_table(world, "bouncers", world.ann, world.ben)
    assert "**#1 Bouncers**" in world.text(await world.cleo.click(await today(world), label="All games"))


@pytest.mark.slow
async def test_the_same_boards_are_drawn_once_for_all_who_read_the_same_language(world: World) -> None:
    await open_table(world, "bouncers", world.ann, world.ben)
    CACHE.clear()
    first = await today(world)
    weight = CACHE.weight
    assert weight
    second = await today(world, world.ann)
    assert (CACHE.weight, world.picture(first).png) == (weight, world.picture(second).png)
    await fill(world, world.ben, "settings", "pictures", high_contrast="high-contrast")
    assert world.picture(await today(world, world.ben)).png != world.picture(first).png


async def test_a_failed_picture_is_replaced_by_words(world: World, no_pictures_at_hand: None) -> None:
    world.expected_errors |= {"a picture could not be drawn"}
    await open_table(world, "bouncers", world.ann, world.ben)

    class Broken(Threads):
        @override
        async def draw(self, *_: Any, **__: Any) -> Any:
            raise RuntimeError("no ink")

    with drawing_in(Broken()):
        shown = await today(world)
    assert world.pictures(shown) == []
    assert not unsaid(world.text(shown), "I couldn’t draw the picture.", "Bouncers #1 with Ann, Ben. It’s Ann’s turn.")


@pytest.mark.slow
async def test_everybody_reads_it_in_their_own_language(world: World, monkeypatch: pytest.MonkeyPatch) -> None:
    await resigned(await open_table(world, "bouncers", world.ann, world.ben), world.ben)
    await open_table(world, "trampoline", world.ann, world.ben, seats=2)
    speaks(monkeypatch, world, world.cleo, "de")
    told = all_that_is_seen(world, await today(world))
    assert not unsaid(told, "**1 Spiel läuft**", "Seit gestern zu Ende gegangen")
    for english in ("game is on", "Ended", "wins", "turn", "Waiting", "Today", "All games"):
        assert english not in told


async def test_names_break_nothing(world: World) -> None:
    name = "*_[x](http://evil)_* @everyone\n# {who}"
    first, second = world.join(name), world.join("\u202eevil")
    await resigned(await open_table(world, "bouncers", first, second), second)
    await open_table(world, "bouncers", first, second)
    told = world.text(await today(world))
    assert not [sign for sign in ("://evil", "@everyone", "\n# ", "\u202e") if sign in told]


async def test_a_forgotten_person_is_not_named(world: World) -> None:
    table = await open_table(world, "bouncers", world.ann, world.ben)
    await resigned(table, world.ben)
    await world.ben.click(reply(await act(world, world.ben, "settings", "data", "forget")), label="Forget me")
    told = all_that_is_seen(world, await today(world))
    assert "Former player" in told
    assert "Ben" not in told


@pytest.mark.slow
async def test_it_takes_few_reads_however_much_goes_on(world: World, monkeypatch: pytest.MonkeyPatch) -> None:
    for number in range(8):
        await open_table(world, "trampoline", world.ann, world.join(f"P{number}"), seats=2)
    listed = reply(await world.cleo.slash(world.channel, "games"))
    await today(world)
    reads, read = [], Store.read

    def noted(store: Any) -> Any:
        reads.append(1)
        return read(store)

    monkeypatch.setattr(Store, "read", noted)
    await world.cleo.click(listed, label="What’s on today")
    assert len(reads) == 4, "the settings, the day, the table of the puzzles, and who is waiting"
