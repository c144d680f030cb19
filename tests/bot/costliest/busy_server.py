"""A server with thousands of finished games, and people who played them."""

from typing import Any, Final

from simcord.actors import MemberActor
from simcord.results import InteractionResult

from tests.bot.costliest.walk import Walk, chapter, verbs_of
from tests.bot.kit import a_chief, reply
from tests.bot.large import GAMES_OVER, many_games_over, many_people
from tests.bot.seated import open_table
from tests.bot.settings_panels import act, action_click, fill, form_click, send, verb_of
from tests.bot.ways import by_way

BUSY: Final = f"a server with {GAMES_OVER:,} finished games, all of them by the same people"
GAMES_FORGOTTEN: Final = 200
FORGOTTEN: Final = f"somebody with {GAMES_FORGOTTEN} finished games, all of whose boards are brought up to date"
TYPED: Final = "a hundred characters"


@chapter(
    {
        BUSY: "games; today; /games; /stats; Stats; /replay game …; "
        "/analyse table …; /settings; settings; settings-back; /server-settings; server; server-back; server-tables; "
        "server-table; server-close; server-close-yes; server-remove; server-remove-yes",
        "all that can be chosen": "settings-form; settings-save; settings-do; server-form; server-save; server-do; /rules",
        TYPED: "settings-zone; server-zone; /rules page …",
    }
)
async def a_busy_server(walk: Walk) -> None:
    """Ann and Ben have played thousands of games, and are in a dozen now."""
    world, ann, ben = walk.world, walk.world.ann, walk.world.ben
    chief, news = a_chief(world), world.guild.create_text_channel("news")
    table = await open_table(world, "bouncers", ann, ben)
    await ben.click(reply(await by_way(ben, world.channel, "resign")), label="Resign")
    await many_games_over(world, table.table_id)
    await many_people(world, "bouncers", ann.id, ben.id)
    for number in range(12):
        await open_table(world, "bouncers", world.join(f"Host {number}"), ann if number % 2 else ben)
    await walk.by_way(ann, "today")
    for command in ("games", "stats"):
        await walk.slash(ann, command)
    await walk.on(ben, "Stats", ann)
    await walk.by_way(ann, "leaderboard", game="bouncers")
    shown = await walk.slash(ann, "games")
    if "games" in verbs_of(shown):
        await walk.press(ann, shown, "games")
    for command, option in (("replay", "game"), ("analyse", "table")):
        await walk.type(ann, command, option, "9" * 100)
    await server_settings(walk, chief)
    await fill(world, chief, "server-settings", "today", channel=news)
    await world.pass_time(86_460)
    await walk.press(ann, world.last(news), "today", "games")
    await settings(walk)


async def settings(walk: Walk) -> None:
    ann = walk.world.ann
    for text in ("E" * 100, "e", ""):
        await walk.type(ann, "rules", "page", text, game="pucks")
    await walk.slash(ann, "rules", game="pucks", page="9")
    for section, given in OWN.items():
        await filled(walk, ann, "settings", section, given)
    shown = await filled(walk, ann, "settings", "quiet-hours", {"begin": "22:00", "until": "7:00", "zone": "Munhcen"})
    await walk.press(ann, shown, "settings-back")
    shown = await filled(walk, ann, "settings", "quiet-hours", {"begin": "22:00", "until": "7:00", "zone": "USA"})
    shown = await walk.press(ann, shown, "settings-zone")
    for section, action in (("quiet-hours", "none"), ("vacation", "end"), ("data", "export")):
        shown = await walk.slash(ann, "settings")
        shown = await walk.note("settings-do", ann.click(reply(shown), custom_id=action_click("settings", section, action)))
    await walk.press(ann, shown, "settings")


OWN: Final[dict[str, dict[str, Any]]] = {
    "reminders": {"when": ["remind_half", "remind_late", "remind_next"], "notify": "channel"},
    "quiet-hours": {"begin": "22:00", "until": "7:00", "zone": "Europe/Berlin"},
    "vacation": {"days": "14"},
    "pictures": {"high_contrast": "high-contrast", "boards": ["preview", "turn_board", "practise_openly"]},
    "language": {"language": "de"},
}


async def filled(walk: Walk, who: MemberActor, panel: str, section: str, given: dict[str, Any]) -> InteractionResult:
    """Open a panel and a section's form, and submit it filled in."""
    shown = await walk.slash(who, panel)
    verb = verb_of(panel)
    asked = await walk.note(f"{verb}-form", who.click(reply(shown), custom_id=form_click(panel, section)))
    sent: InteractionResult = await walk.note(f"{verb}-save", send(walk.world, who, asked, **given))
    return sent


async def server_settings(walk: Walk, chief: MemberActor) -> None:
    world = walk.world
    channels = [world.channel, *(world.guild.create_text_channel(f"games-{number}") for number in range(24))]
    post = {"channel": world.channel, "hour": 3, "zone": "Europe/Berlin"}
    chosen: dict[str, dict[str, Any]] = {
        "channels": {"channels": channels},
        "new-tables": {"threads": "no", "clock": "86400", "most_tables": 100, "absent": "computer", "old_boards": "keep"},
        "language": {"language": "en"},
        "daily": post,
        "today": post,
        "matching": {"channel": world.channel},
    }
    for section, given in chosen.items():
        await filled(walk, chief, "server-settings", section, given)
    asked = await filled(walk, chief, "server-settings", "daily", {"zone": "Munhcen"})
    await walk.press(chief, asked, "server-back")
    asked = await filled(walk, chief, "server-settings", "daily", {"zone": "USA"})
    await walk.press(chief, asked, "server-zone")
    shown = await walk.slash(chief, "server-settings")
    await walk.note("server-do", chief.click(reply(shown), custom_id=action_click("server-settings", "daily", "off")))
    shown = await walk.slash(chief, "server-settings")
    shown = await walk.note("server-do", chief.click(reply(shown), custom_id=action_click("server-settings", "tables", "pick")))
    shown = await walk.press(chief, shown, "server-table", "server-remove", "server-remove-yes", "server-tables")
    await walk.press(chief, shown, "server-table", "server-close", "server-close-yes", "server-tables", "server")


@chapter({FORGOTTEN: "forget-me"})
async def somebody_who_is_forgotten(walk: Walk) -> None:
    """Ann, who has played with Ben, has her data deleted."""
    world = walk.world
    table = await open_table(world, "bouncers", world.ann, world.ben)
    await world.ben.click(reply(await by_way(world.ben, world.channel, "resign")), label="Resign")
    await many_games_over(world, table.table_id, GAMES_FORGOTTEN)
    await walk.press(world.ann, await act(world, world.ann, "settings", "data", "forget"), "forget-me")
