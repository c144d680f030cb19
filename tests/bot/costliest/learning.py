"""Lessons, puzzles and the puzzle of the day."""

from typing import Final

from bot.features.lessons.courses import COURSES
from tests.bot.costliest.walk import Walk, chapter, verbs_of
from tests.bot.daily_posts import open_posts
from tests.bot.kit import a_chief
from tests.bot.settings_panels import fill

LESSONS: Final = "every lesson of every game"
PUZZLES: Final = "a puzzle of several moves, and one of each game"


@chapter({LESSONS: "learn; learn-pick; learn-act; learn-skip; learn-anew"})
async def lessons(walk: Walk) -> None:
    for game, course in COURSES.items():
        panel = await walk.by_way(walk.world.ann, "learn", game=game)
        await walk.wander(walk.world.ann, panel, "learn-act", "learn-pick")
        for _ in course.lessons:
            for verb in ("learn-pick", "learn-pick", "learn-act"):
                if verb in verbs_of(panel):
                    panel = await walk.press(walk.world.ann, panel, verb)
            panel = await walk.by_way(walk.world.ann, "learn", game=game)
            if "learn-skip" in verbs_of(panel):
                panel = await walk.press(walk.world.ann, panel, "learn-skip")
        await walk.press(walk.world.ann, await walk.by_way(walk.world.ann, "learn", game=game), "learn")
        await walk.press(walk.world.ann, await walk.by_way(walk.world.ann, "learn", game=game), "learn-anew")


@chapter(
    {
        PUZZLES: "puzzle; puzzle-at; puzzle-pick; puzzle-play; puzzle-give-up; puzzle-analyse; puzzle-report; daily; "
        "daily-post; daily-table; /puzzle"
    }
)
async def puzzles(walk: Walk) -> None:
    world, ann = walk.world, walk.world.ann
    await fill(world, a_chief(world), "server-settings", "daily", channel=world.channel, hour=1)
    await world.pass_time(3600)
    for member in (ann, world.ben, world.cleo):
        panel = await walk.press(member, open_posts(world)[-1], "daily")
        panel = await walk.by_way(member, "daily")
        await walk.wander(member, panel, "puzzle-play", "puzzle-pick")
        panel = await walk.by_way(member, "daily")
        if "puzzle-give-up" in verbs_of(panel):
            panel = await walk.press(member, panel, "puzzle-give-up", "puzzle-give-up")
        await walk.press(member, panel, "daily-post")
        await walk.press(member, await walk.by_way(member, "daily"), "daily-table", "daily-table", "daily")
    for game in ("bouncers", "pucks", "bunny"):
        panel = await walk.slash(ann, "puzzle", game=game)
        panel = await walk.press(ann, panel, "puzzle-pick")
        for _ in range(6):
            for verb in ("puzzle-play", "puzzle-pick"):
                if verb in verbs_of(panel):
                    panel = await walk.press(ann, panel, verb)
                    break
        panel = await walk.slash(ann, "puzzle", game=game)
        panel = await walk.press(ann, panel, "puzzle-give-up", "puzzle-give-up")
        await walk.press(ann, panel, "puzzle-report")
        await walk.press(ann, panel, "puzzle-analyse", "puzzle-at")
        await walk.press(ann, panel, "puzzle")
