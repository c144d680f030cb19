"""What people do before a game begins."""

from typing import Final

from bot.core.pings import WINDOW
from bot.messages.click import Click
from tests.bot.costliest.walk import Walk, chapter, message_of, verbs_of
from tests.bot.kit import a_chief, reply, selects
from tests.bot.large import LONGEST_NAME
from tests.bot.seated import Seated, open_table
from tests.bot.ways import by_way

FULL_LOBBY: Final = "a table of Puck Bumpers for six people with the longest names"
HOUSE: Final = "house rules of Puck Bumpers with every option chosen"


@chapter(
    {
        FULL_LOBBY: "join; accept; decline; leave; start; fair; word; add-word; lobby; computers; add-computer; "
        "remove-computer; use-threads; practise; practise-openly; call-off; call-off-now; call_off-yes; call_off-no; "
        "/play; /help; /call-off; Challenge to a game; challenge",
        HOUSE: "house; house-set; house-parts; house-seats; house-edit; house-code; house-done; /play options …; "
        "/play variant …",
    }
)
async def lobbies(walk: Walk) -> None:
    """Ann opens tables, and people with long names join them."""
    world, ann, ben = walk.world, walk.world.ann, walk.world.ben
    people = [world.join(f"{LONGEST_NAME[:-1]}{number}") for number in range(5)]
    chief = a_chief(world)
    opened = await walk.slash(chief, "open", game="pucks", seats=6)
    await walk.press(chief, opened.followups[-1], "use-threads")
    await chief.slash(world.channel, "server-settings tables", threads=False)
    invited = await walk.slash(ann, "open", game="pucks", seats=6, opponent=ben, opponent2=people[0], options="setup:random")
    await walk.press(ben, reply(invited), "decline")
    await walk.press(people[0], reply(invited), "accept")
    await walk.slash(people[1], "games")
    lobby = reply(await walk.slash(ann, "open", game="pucks", seats=6, options="setup:random"))
    await walk.type(ann, "play", "options", "setup:random to-win:3 ", game="pucks")
    await walk.type(ann, "play", "variant", "s", game="pucks")
    house = await walk.press(ann, lobby, "house")
    for number in range(len(selects(message_of(house)))):
        menu = selects(message_of(house))[number]
        await walk.menu(ann, house, menu)
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
    await calling_off(walk)
    await practising(walk)


async def calling_off(walk: Walk) -> None:
    """A game is called off, at first not; one against a computer at once."""
    world, ann, ben = walk.world, walk.world.ann, walk.world.ben
    for answer in ("call_off-no", "call_off-yes"):
        await world.pass_time(WINDOW)
        table = await open_table(world, "bouncers", ann, ben)
        await walk.press(ann, table.board(), "more", "call-off")
        await walk.press(ben, next(one for one in reversed(world.messages()) if answer in verbs_of(one)), answer)
    await world.pass_time(WINDOW)
    await by_way(walk, ann, "call-off", game=str((await open_table(world, "bouncers", ann, ben)).table_id))
    await walk.slash(world.cleo, "open", game="pucks", computer="hard", options="setup:random", seats=2)
    (newest, *_) = await world.client.core.tables(guild_id=world.guild.id)
    alone = Seated(world, newest.id, [world.cleo], world.channel)
    await walk.press(world.cleo, alone.board(), "more", "call-off", "call-off-now")


async def practising(walk: Walk) -> None:
    """Somebody practises openly, and then each game against a computer."""
    member = walk.world.join("Learner")
    await walk.press(member, await walk.slash(member, "help"), "practise", "practise-openly", "practise")
