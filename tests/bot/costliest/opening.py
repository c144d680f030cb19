"""What people do before a game begins."""

from typing import Final

from simcord.results import InteractionResult

from bot.core.pings import WINDOW
from bot.messages.click import Click
from tests.bot.costliest.walk import Walk, chapter, message_of, verbs_of
from tests.bot.kit import a_chief, reply, selects
from tests.bot.large import LONGEST_NAME
from tests.bot.seated import Seated, open_table
from tests.bot.settings_panels import fill

FULL_LOBBY: Final = "a table of Puck Bumpers for six people with the longest names"
HOUSE: Final = "house rules of Puck Bumpers with every option chosen"


@chapter(
    {
        FULL_LOBBY: "join; accept; decline; leave; start; fair; word; add-word; lobby; computers; add-computer; "
        "remove-computer; use-threads; practise; practise-openly; call-off; call-off-now; call_off-yes; call_off-no; "
        "/play; /help; /help about …; Challenge to a game; challenge",
        HOUSE: "house; house-set; house-parts; house-seats; house-edit; house-code; house-done; "
        "setup-again; setup-open; setup-back; setup-game; setup-variant; setup-people; setup-computer; setup-players; "
        "setup-clock; setup-extras; setup-rules; setup-set; setup-parts; setup-seats; setup-edit; setup-code",
    }
)
async def lobbies(walk: Walk) -> None:
    """Ann opens tables, and people with long names join."""
    world, ann, ben = walk.world, walk.world.ann, walk.world.ben
    people = [world.join(f"{LONGEST_NAME[:-1]}{number}") for number in range(5)]
    chief = a_chief(world)
    opened = await walk.slash(chief, "open", game="pucks", seats=6)
    await walk.press(chief, opened.followups[-1], "use-threads")
    await fill(world, chief, "server-settings", "new-tables", threads="no")
    invited = await walk.slash(ann, "open", game="pucks", seats=6, opponent=ben, opponent2=people[0], options="setup:random")
    await walk.press(ben, reply(invited), "decline")
    await walk.press(people[0], reply(invited), "accept")
    await walk.slash(people[1], "games")
    for text in ("E" * 100, "e", ""):
        await walk.type(ann, "help", "about", text)
    lobby = reply(await walk.slash(ann, "open", game="pucks", seats=6, options="setup:random"))
    house = await walk.press(ann, lobby, "house")
    for number in range(len(selects(message_of(house)))):
        await walk.menu(ann, house, selects(message_of(house))[number])
    form = await walk.press(ann, house, "house-edit")
    await walk.note("house-code", ann.submit_modal(form, {"code": "x" * 200}))
    await walk.press(ann, house, "house-done")
    lobby = reply(await walk.slash(ann, "open", game="pucks", seats=6, options="setup:random"))
    panel = await walk.press(ann, lobby, "computers")
    await walk.press(ann, panel, "add-computer", "remove-computer")
    for member in people:
        await walk.press(member, lobby, "join")
        if member is people[0]:
            await walk.press(member, lobby, "leave")
            page = await walk.press(member, lobby, "fair")
            form = await walk.press(member, page, "word")
            await walk.note("add-word", member.submit_modal(form, {"word": "w" * 50}))
    small = reply(await walk.slash(ann, "open", game="trampoline", seats=4))
    await walk.press(people[0], small, "join")
    (newest, *_) = await world.client.core.tables(guild_id=world.guild.id)
    await walk.forge(people[1], small, Click("lobby", newest.id))
    await walk.press(ann, small, "start")
    await walk.press(ann, await walk.on(ann, "Challenge to a game", ben), "challenge")
    await setting_up(walk)
    await calling_off(walk)
    await practising(walk)


async def setting_up(walk: Walk) -> None:
    """Ann sets every option of a table before she opens it, and then opens it anew."""
    world, ann = walk.world, walk.world.ann
    panel = await walk.slash(ann, "play")
    panel = await walk.choose(ann, panel, "setup-game", "bouncers")
    panel = await walk.choose(ann, panel, "setup-variant", "10x10-20")
    panel = await walk.choose(ann, panel, "setup-game", "pucks")
    panel = await walk.choose(ann, panel, "setup-people", world.ben, world.cleo)
    panel = await walk.choose(ann, panel, "setup-computer", "expert")
    panel = await walk.choose(ann, panel, "setup-players", "6")
    panel = await walk.choose(ann, panel, "setup-clock", "7d")
    panel = await walk.choose(ann, panel, "setup-extras", "strict", "thread", "shuffled", "unrated")
    page = await every_option(walk, await walk.press(ann, panel, "setup-rules"), "setup")
    panel = await walk.press(ann, page, "setup-back")
    await walk.press(ann, panel, "setup-open")
    small = reply(await walk.slash(ann, "open", game="pucks", seats=2, options="setup:random"))
    await walk.press(ann, small, "setup-again", "setup-open")


async def every_option(walk: Walk, page: InteractionResult, verb: str) -> InteractionResult:
    """Choose in each menu of the house-rules page, and type a code."""
    ann = walk.world.ann
    for number in range(len(selects(message_of(page)))):
        page = await walk.menu(ann, page, selects(message_of(page))[number])
    form = await walk.press(ann, page, f"{verb}-edit")
    shown: InteractionResult = await walk.note(f"{verb}-code", ann.submit_modal(form, {"code": "x" * 200}))
    return shown


async def calling_off(walk: Walk) -> None:
    """A game is called off, after an objection; one against a computer at once."""
    world, ann, ben = walk.world, walk.world.ann, walk.world.ben
    for answer in ("call_off-no", "call_off-yes"):
        await world.pass_time(WINDOW)
        table = await open_table(world, "bouncers", ann, ben)
        await walk.press(ann, table.board(), "more", "call-off")
        await walk.press(ben, next(one for one in reversed(world.messages()) if answer in verbs_of(one)), answer)
    await world.pass_time(WINDOW)
    await walk.by_way(ann, "call-off", game=str((await open_table(world, "bouncers", ann, ben)).table_id))
    await walk.slash(world.cleo, "open", game="pucks", computer="hard", options="setup:random", seats=2)
    (newest, *_) = await world.client.core.tables(guild_id=world.guild.id)
    alone = Seated(world, newest.id, [world.cleo], world.channel)
    await walk.press(world.cleo, alone.board(), "more", "call-off", "call-off-now")


async def practising(walk: Walk) -> None:
    """Somebody practises in public, then against a computer at each game."""
    member = walk.world.join("Learner")
    await walk.press(member, await walk.slash(member, "help"), "practise", "practise-openly", "practise")
