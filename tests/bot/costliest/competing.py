"""Tournaments, ladders, leaderboards and people seeking games."""

from typing import Final

from simcord.actors import MemberActor

from bot.core.pings import WINDOW
from bot.features.tournaments.service import Tournaments
from bot.messages.click import Click
from tests.bot.costliest.walk import Walk, chapter, verbs_of
from tests.bot.kit import Message, a_chief, reply, selects
from tests.bot.large import PEOPLE, large_tournament, many_people

EVENT: Final = "a Swiss tournament of 64 players, after six of its rounds or all"
LADDER: Final = f"a ladder with {PEOPLE} people"


@chapter(
    {
        EVENT: "event-show; event-enter; event-leave; event-leave-yes; event-manage; event-do; event-player; event-remove; "
        "event-replace; event-let-back; event-accept; event-decline; event-game; event-result; event-pair; /event show; "
        "/event create; /event show event …; event-plan-open; event-plan-name; event-plan-named; event-plan-game; "
        "event-plan-format; event-plan-variant; event-plan-start; event-plan-clock; event-plan-days; event-plan-players; "
        "event-plan-timeouts; event-plan-extras; event-plan-rules; event-plan-back; event-plan-set; event-plan-parts; "
        "event-plan-seats; event-plan-edit; event-plan-code"
    }
)
async def an_event_of_64(walk: Walk) -> None:
    """Ann plays and organises; others are asked to substitute."""
    world, ann = walk.world, walk.world.ann
    await planning(walk, a_chief(world))
    for rounds in (5, None):
        row = await large_tournament(world, "swiss", "bouncers", rounds=rounds)
        own, shown = str(row.id), reply(await ann.slash(world.channel, "help"))
        await world.pass_time(60)
        await walk.slash(ann, "event show", event=own)
        await walk.by_way(ann, "event list")
        await walk.type(ann, "event show", "event", "C")
        for page in ("mine", "table", "rules", "log"):
            await walk.forge(ann, shown, Click("event-show", tokens=(own, page)))
        if rounds is None:
            break
        await walk.forge(ann, shown, Click("event-manage", tokens=(own,)))
        for deed in ("pause", "resume", "prolong", "unpair", "cancel"):
            await walk.forge(ann, shown, Click("event-do", tokens=(own, deed)))
        await walk.forge(ann, shown, Click("event-player", tokens=(own, "2")))
        games = (await world.client.core.service(Tournaments).get(row.id)).row.rounds[-1].games
        place, winner = len((await world.client.core.service(Tournaments).get(row.id)).row.rounds) - 1, games[0].seats[0]
        await walk.forge(ann, shown, Click("event-game", tokens=(own, f"{place}-0")))
        await walk.forge(ann, shown, Click("event-result", tokens=(own, str(place), "0", str(winner))))
        await walk.forge(ann, shown, Click("event-pair", tokens=(own, "2", "3")))
        await replacing(walk, own, shown)
        await walk.forge(ann, shown, Click("event-remove", tokens=(own, "9")))
        await walk.forge(ann, shown, Click("event-let-back", tokens=(own, "9")))
        await walk.forge(ann, shown, Click("event-leave", tokens=(own,)))
        await walk.forge(ann, shown, Click("event-leave-yes", tokens=(own,)))
        await walk.forge(ann, shown, Click("event-enter", tokens=(own,)))


async def planning(walk: Walk, chief: MemberActor) -> None:
    """Somebody sets every option of a tournament before opening it."""
    panel = await walk.slash(chief, "event create", game="pucks", format="pods", name="C" * 60)
    page = await walk.press(chief, panel, "event-plan-rules")
    for number in range(len(selects(reply(page)))):
        page = await walk.menu(chief, page, selects(reply(page))[number])
    await walk.forge(chief, page, Click("event-plan-seats"), "5")
    form = await walk.press(chief, page, "event-plan-edit")
    await walk.note("event-plan-code", chief.submit_modal(form, {"code": "x" * 200}))
    panel = await walk.press(chief, page, "event-plan-back")
    panel = await walk.choose(chief, panel, "event-plan-game", "bouncers")
    panel = await walk.choose(chief, panel, "event-plan-format", "swiss")
    for kind in ("variant", "start", "clock", "days", "players", "timeouts"):
        menu = next(one for one in selects(reply(panel)) if f"event-plan-{kind}|" in one.custom_id)
        panel = await walk.menu(chief, panel, menu)
    panel = await walk.choose(chief, panel, "event-plan-extras", "rated")
    form = await walk.press(chief, panel, "event-plan-name")
    await walk.note("event-plan-named", chief.submit_modal(form, {"name": "C" * 60}))
    await walk.press(chief, panel, "event-plan-open")


async def replacing(walk: Walk, own: str, panel: Message) -> None:
    """Two people are asked to substitute: the first one declines."""
    world = walk.world
    for number, answer in ((7, "event-decline"), (8, "event-accept")):
        asked = world.join(f"Newcomer {number}")
        await world.pass_time(WINDOW)
        player = await walk.forge(world.ann, panel, Click("event-player", tokens=(own, str(number))))
        await walk.note(
            "event-replace", world.ann.select(reply(player), [asked], custom_id=selects(reply(player))[0].custom_id)
        )
        await world.pass_time(60)
        question = next(one for one in reversed(world.messages()) if answer in verbs_of(one))
        await walk.press(asked, question, answer)


@chapter(
    {
        LADDER: "ladder; ladder-join; ladder-leave; ladder-challenge; /ladder; leaderboard; post-leaderboard; /stats; seek; "
        "seek-set; seek-avoid; seek-wait; seek-stop; seek-too; /match"
    }
)
async def a_long_ladder(walk: Walk) -> None:
    world, ann, ben, cleo = walk.world, walk.world.ann, walk.world.ben, walk.world.cleo
    for game in ("bouncers", "pucks"):
        await many_people(world, game, ann.id, world.join(f"Low {game}").id)
        await walk.press(ann, await walk.by_way(ann, "leaderboard", game=game), "post-leaderboard")
        for member in (ben, cleo):
            panel = await walk.slash(member, "ladder", game=game)
            await walk.press(member, panel, "ladder-join")
        panel = await walk.slash(cleo, "ladder", game=game)
        if "ladder-challenge" in verbs_of(panel):
            await walk.press(cleo, panel, "ladder-challenge", "ladder")
            await walk.press(cleo, await walk.slash(cleo, "ladder", game=game), "ladder-challenge", "ladder-challenge")
        await walk.press(ben, await walk.slash(ben, "ladder", game=game), "ladder-leave")
        await walk.slash(ann, "stats")
        await walk.slash(ann, "stats", game=game)
    await seeking(walk)


async def seeking(walk: Walk) -> None:
    """Forty people seek a game, as do Ann and Ben."""
    world, ann, ben = walk.world, walk.world.ann, walk.world.ben
    for number in range(40):
        await world.join(f"Seeker {number}").slash(world.channel, "match", game="trampoline")
    panel = await walk.slash(ann, "match")
    for page in range(2):
        for menu in selects(reply(panel)):
            if menu.options:
                await walk.menu(ann, panel, menu)
        if not page:
            await walk.press(ann, panel, "seek")
    (people,) = (menu for menu in selects(reply(panel)) if not menu.options)
    await walk.note("seek-avoid", ann.select(reply(panel), [ben], custom_id=people.custom_id))
    await walk.press(ann, panel, "seek-wait", "seek-stop")
    message = next(one for one in reversed(world.messages()) if "seek-too" in verbs_of(one))
    await walk.press(ben, message, "seek-too")
