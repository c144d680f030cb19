"""What people do late in long games."""

from dataclasses import replace
from typing import Final

from simcord.actors import MemberActor

from bot.core.pings import WINDOW
from bot.core.table.history import History
from bot.features.plans.service import Plans
from bot.features.plans.tree import MOST_REPLIES
from bot.messages.click import Click
from engines.game import Action, Orders, part_of
from tests.bot.costliest.walk import Walk, chapter, verbs_of
from tests.bot.kit import Message, reply
from tests.bot.large import play_long
from tests.bot.scripted import scripted
from tests.bot.seated import SETUP_RANDOM, Seated, open_table, user_of, walked
from tests.bot.service import HOUR
from tests.bot.ways import by_way

LONG_BOUNCERS: Final = "a game of Bouncers on 100 squares after hundreds of moves"
LONG_PUCKS: Final = "a game of Puck Bumpers with six players after hundreds of actions"
LONG_BUNNY: Final = "a long game of Bounce Bunny Bounce"
DEEP_PLAN: Final = f"a plan of {MOST_REPLIES - 1} replies, each after the other"


async def others_turn(table: Seated) -> tuple[MemberActor, MemberActor]:
    """The two people at a table: first the one to act."""
    (me,) = await table.awaited()
    return me, next(one for one in table.people if one is not me)


@chapter(
    {
        LONG_BOUNCERS: "move; pick; back; act; typed; words; board; happened; more; rules; rules-page; watch; watch-for; hint; "
        "undo; undo-yes; undo-no; draw; draw-yes; draw-no; draw-back; substitute-yes; substitute-no; nudge; hand-over; resign; "
        "resign-yes; never-mind; substitute; seat-to; /move; /move action …; /board; /watch; "
        "What happened?"
    }
)
async def a_long_game_of_bouncers(walk: Walk) -> None:
    world, (ann, ben, cleo) = walk.world, (walk.world.ann, walk.world.ben, walk.world.cleo)
    with scripted():
        table = await open_table(world, "bouncers", ann, ben, variant="10x10-20", options="rated:no")
        await play_long(table)
        me, other = await others_turn(table)
        await walk.press(other, table.board(), "more", "words")
        await walk.press(other, table.board(), "happened")
        await walk.on(other, "What happened?", table.board())
        await walk.press(cleo, table.board(), "watch", "watch-for")
        await walk.press(me, table.board(), "more", "board")
        await walk.press(me, table.board(), "more", "rules", "rules-page")
        await walk.slash(me, "board")
        await walk.by_way(me, "hint")
        panel = await walk.press(me, table.board(), "move")
        await walk.press(me, panel, "hint")
        panel = await walk.press(me, table.board(), "move", "pick", "back")
        await walk.wander(me, panel, "pick", "act")
        me, other = await others_turn(table)
        await walk.type(me, "move", "action", "a")
        await walk.slash(me, "move", action=" ".join(await table.random_action(me)))
        me, other = await others_turn(table)
        await walk.forge(me, table.board(), Click("typed", table.table_id, tokens=await table.random_action(me)))
        for answer in ("undo-no", "undo-yes"):
            await world.pass_time(WINDOW)
            await walk.press(me, table.board(), "more", "undo")
            await walk.press(other, question(walk, answer), answer)
        await walk.by_way(other, "undo")
        await world.pass_time(13 * HOUR)
        await walk.forge(other, table.board(), Click("nudge", table.table_id))
    for answer in ("substitute-no", "substitute-yes"):
        await world.pass_time(WINDOW)
        asked = await walk.press(ben, table.board(), "more", "substitute")
        await walk.choose(ben, asked, "seat-to", cleo)
        await walk.press(cleo, question(walk, answer), answer)
    await world.pass_time(WINDOW)
    await walk.forge(cleo, table.board(), Click("hand-over", table.table_id, tokens=(str(ben.id), str(cleo.id))))
    await walk.press(ben, question(walk, "substitute-yes"), "substitute-yes")
    me, other = await others_turn(table)
    await table.act(me, await table.random_action(me))
    await table.show_all()
    me, other = await others_turn(table)
    await world.pass_time(13 * HOUR)
    await walk.by_way(other, "nudge")
    await walk.slash(world.join("Dee"), "watch", what="turn")
    await walk.by_way(me, "draw")
    await walk.press(other, question(walk, "draw-no"), "draw-no")
    await walk.press(me, await walk.by_way(me, "resign"), "never-mind")
    await world.pass_time(WINDOW)
    await walk.press(me, table.board(), "more", "draw")
    await walk.press(me, table.board(), "more", "draw-back")
    await walk.press(me, table.board(), "more", "draw")
    await walk.press(other, question(walk, "draw-yes"), "draw-yes")
    table = await open_table(world, "bouncers", ann, ben, variant="10x10-20")
    await play_long(table)
    await walk.press(ann, table.board(), "more", "resign", "resign-yes")


def question(walk: Walk, verb: str) -> Message:
    """The newest message in the channel with a button for a verb."""
    return next(message for message in reversed(walk.world.messages()) if verb in verbs_of(message))


@chapter({DEEP_PLAN: "plan; plan-go; plan-page; plan-if; plan-stop; plan-then; plan-so; plan-keep; plan-drop; plan-clear"})
async def a_large_plan(walk: Walk) -> None:
    world = walk.world
    table = await open_table(world, "bouncers", world.ann, world.ben, variant="10x10-20")
    await play_long(table, 40)
    _, planner = await others_turn(table)
    await plan(table, planner)
    shown = await walk.by_way(planner, "plan")
    panel = await walk.wander(planner, shown, "plan-page", "plan-go", "plan")
    panel = await walk.press(planner, panel, "plan-go")
    await walk.wander(planner, panel, "plan-if", "plan-then", "plan-stop", "plan-so", "plan-keep", "plan", "plan-go")
    await walk.press(planner, await walk.by_way(planner, "plan"), "plan-go", "plan-drop", "plan-clear", "plan-clear")


async def plan(table: Seated, member: MemberActor) -> None:
    """Plan all possible replies but one, one after another."""
    snapshot = await table.snapshot()
    history, seat = snapshot.playing, snapshot.own_seat(member.id)
    there, revision = replace(history, first=history.state, log=type(history.log)()), snapshot.plan_of(seat).revision
    path: tuple[int, ...] = ()
    while len(path) < MOST_REPLIES - 1:
        theirs, answered = after_some_action(there, 1 - seat, seat, table)
        mine, following = after_some_action(answered, seat, 1 - seat, table)
        planned = await table.core.service(Plans).add_reply(table.table_id, user_of(member), revision, path, theirs, mine)
        revision, path, there = planned.plan.revision, (*path, 0), following


def after_some_action(history: History, seat: int, following: int, table: Seated) -> tuple[Action, History]:
    """An action after which seat `following` is to act, and the history after it."""
    while True:
        action = walked(history, seat, table.dice)
        after = history.game.play(history.state, seat, action).state
        if history.game.to_act(after) == (following,):
            return action, replace(history, first=after)


@chapter(
    {
        LONG_PUCKS: "My hand; hand; orders; order; order-choose; order-page; order-back; order-keep; order-drop; close; rest; "
        "spend; relieve; computer-yes; computer-no; /move action …"
    }
)
async def a_long_game_of_pucks(walk: Walk) -> None:
    world = walk.world
    people = [world.ann, world.ben, world.cleo, *(world.join(f"P{number}") for number in range(3))]
    table = await open_table(world, "pucks", *people, seats=6, options=SETUP_RANDOM)
    await play_long(table)
    for member in people:
        await walk.by_way(member, "hand")
        await walk.on(member, "My hand", table.board())
        await walk.press(member, table.board(), "hand")
        await walk.press(member, table.board(), "more", "words")
        await walk.press(member, table.board(), "happened")
        await walk.type(member, "move", "action", "p")
    member = people[1]
    panel = await walk.press(member, table.board(), "more", "orders")
    await walk.wander(member, panel, "order", "order-back", "order-keep", "orders", "order-drop")
    snapshot = await table.snapshot()
    history, seat, game = snapshot.playing, snapshot.own_seat(member.id), part_of(snapshot.playing.game, Orders)
    (*_, first) = game.order_choices(history.state, seat)
    here = Click("order-choose", table.table_id, snapshot.plan_of(seat).revision, tokens=(first.token,))
    (*_, last) = game.order_choices(history.state, seat, here.tokens)
    await walk.forge(member, panel, here, last.token)
    await walk.forge(member, panel, replace(here, verb="order-page", page=1))
    await spending(walk, table)
    await leaving(walk, table)


async def spending(walk: Walk, table: Seated) -> None:
    """End a turn of several actions with a button, and spend the rest of another."""
    for verbs in (("close",), ("rest", "spend")):
        for _ in range(60):
            member = (await table.awaited())[0]
            panel = await walk.press(member, table.board(), "move")
            for _ in range(4):
                if verbs[0] in verbs_of(panel) or "pick" not in verbs_of(panel):
                    break
                panel = await walk.press(member, panel, "pick")
            if verbs[0] in verbs_of(panel):
                break
            (member, *_) = await table.awaited()
            await table.act(member, await table.random_action(member))
            await table.show_all()
        await walk.press(member, panel, *verbs)


async def leaving(walk: Walk, table: Seated) -> None:
    """Somebody leaves, and the others let a computer take over."""
    (leaver, one, *others), world = table.people, walk.world
    await leaver.click(reply(await by_way(leaver, table.channel, "resign")), label="Resign")
    for answer in ("computer-no", "computer-yes"):
        await world.pass_time(WINDOW)
        await walk.forge(one, table.board(), Click("relieve", table.table_id, tokens=(str(leaver.id), "easy")))
        await walk.press(others[0], question(walk, answer), answer)


@chapter({LONG_BUNNY: "choose; page"})
async def a_long_game_of_bunny(walk: Walk) -> None:
    world = walk.world
    table = await open_table(world, "bunny", world.ann, world.ben)
    await play_long(table)
    for member in table.people:
        await walk.press(member, table.board(), "more", "words")
        await walk.press(member, table.board(), "happened")
    (member,) = await table.awaited()
    panel = await walk.press(member, table.board(), "move")
    snapshot = await table.snapshot()
    choices = snapshot.playing.game.choices(snapshot.playing.state, snapshot.own_seat(member.id))
    here = Click("choose", table.table_id, snapshot.table.version)
    await walk.forge(member, panel, here, choices[-1].token)
    await walk.forge(member, panel, replace(here, verb="page", page=1))
