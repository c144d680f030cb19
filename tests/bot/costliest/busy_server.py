"""A server on which thousands of games were played, and people who have played them."""

from typing import Final

from simcord.actors import MemberActor

from tests.bot.costliest.walk import Walk, chapter, verbs_of
from tests.bot.kit import a_chief, reply
from tests.bot.large import GAMES_OVER, many_games_over, many_people
from tests.bot.seated import open_table
from tests.bot.ways import by_way

BUSY: Final = f"a server with {GAMES_OVER:,} finished games, all of them by the same people"
GAMES_FORGOTTEN: Final = 200
FORGOTTEN: Final = f"somebody with {GAMES_FORGOTTEN} finished games, all of whose boards are brought up to date"
TYPED: Final = "a hundred characters"


@chapter(
    {
        BUSY: "games; today; /games; /stats; Stats; /replay game …; "
        "/analyse table …; /settings show; /settings export; /server-settings show; /server-settings close-table; "
        "/server-settings close-table game …; /server-settings remove-seat; /server-settings remove-seat game …",
        "all that can be chosen": "/settings reminders; /settings quiet-hours; /settings vacation; /settings palette; "
        "/settings preview; /settings turn-board; /settings language; /server-settings channel; /server-settings tables; "
        "/server-settings old-boards; /server-settings daily; /server-settings match; /server-settings today; "
        "/server-settings language; /rules",
        TYPED: "/settings quiet-hours zone …; /server-settings daily zone …; /server-settings today zone …; /rules page …",
    }
)
async def a_busy_server(walk: Walk) -> None:
    """Ann and Ben have played thousands of games, and play a dozen now."""
    world, ann, ben = walk.world, walk.world.ann, walk.world.ben
    chief, news = a_chief(world), world.guild.create_text_channel("news")
    table = await open_table(world, "bouncers", ann, ben)
    await ben.click(reply(await by_way(ben, world.channel, "resign")), label="Resign")
    await many_games_over(world, table.table_id)
    await many_people(world, "bouncers", ann.id, ben.id)
    for number in range(12):
        await open_table(world, "bouncers", world.join(f"Host {number}"), ann if number % 2 else ben)
    await walk.by_way(ann, "today")
    for command in ("games", "stats", "settings show", "settings export"):
        await walk.slash(ann, command)
    await walk.on(ben, "Stats", ann)
    await walk.by_way(ann, "leaderboard", game="bouncers")
    shown = await walk.slash(ann, "games")
    if "games" in verbs_of(shown):
        await walk.press(ann, shown, "games")
    for command, option in (("replay", "game"), ("analyse", "table")):
        await walk.type(ann, command, option, "9" * 100)
    await server_settings(walk, chief)
    await chief.slash(world.channel, "server-settings today", channel=news)
    await world.pass_time(86_460)
    await walk.press(ann, world.last(news), "today", "games")
    await settings(walk)


async def settings(walk: Walk) -> None:
    """Somebody sets everything."""
    ann = walk.world.ann
    for text in ("E" * 100, "e", ""):
        await walk.type(ann, "settings quiet-hours", "zone", text)
        await walk.type(ann, "rules", "page", text, game="pucks")
    await walk.slash(ann, "settings reminders", half=True, next=True, where="channel")
    await walk.slash(ann, "settings quiet-hours", begin="22:00", end="7:00", zone="Europe/Berlin")
    await walk.slash(ann, "settings vacation", days=14)
    await walk.slash(ann, "settings palette", palette="high-contrast")
    await walk.slash(ann, "settings preview", on=True)
    await walk.slash(ann, "settings turn-board", on=True)
    await walk.slash(ann, "settings language", language="de")
    await walk.slash(ann, "settings language", language="en")
    await walk.slash(ann, "rules", game="pucks", page="9")


async def server_settings(walk: Walk, chief: MemberActor) -> None:
    """Whoever manages the server sets everything, and closes a table."""
    world = walk.world
    for text in ("E" * 100, "e", ""):
        for command in ("daily", "today"):
            await walk.type(chief, f"server-settings {command}", "zone", text)
        for command in ("close-table", "remove-seat"):
            await walk.type(chief, f"server-settings {command}", "game", text)
    games = [str(table.id) for table in await world.client.core.tables(guild_id=world.guild.id)]
    await walk.slash(chief, "server-settings show")
    await walk.slash(chief, "server-settings remove-seat", game=games[0], player=world.ann)
    await walk.slash(chief, "server-settings close-table", game=games[1])
    for command in ("daily", "today"):
        await walk.slash(chief, f"server-settings {command}", channel=world.channel, hour=3, zone="Europe/Berlin")
    await walk.slash(chief, "server-settings match", channel=world.channel)
    await walk.slash(chief, "server-settings old-boards", what="keep")
    await walk.slash(chief, "server-settings tables", most=5, threads=False)
    await walk.slash(chief, "server-settings language", language="en")
    await walk.slash(chief, "server-settings channel", channel=world.channel, allowed=True)


@chapter({FORGOTTEN: "forget-me; /settings forget-me"})
async def somebody_who_is_forgotten(walk: Walk) -> None:
    """Ann has played with Ben, and has everything deleted."""
    world = walk.world
    table = await open_table(world, "bouncers", world.ann, world.ben)
    await world.ben.click(reply(await by_way(world.ben, world.channel, "resign")), label="Resign")
    await many_games_over(world, table.table_id, GAMES_FORGOTTEN)
    await walk.press(world.ann, await walk.slash(world.ann, "settings forget-me"), "forget-me")
