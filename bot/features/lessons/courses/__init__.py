"""Learning a game by playing: a few lessons each, every one a real position with one decision in it.

`lesson.py` defines lessons and has the engine judge actions; each game has its lessons, as data, in its own module. Nothing
here knows Discord.
"""

from collections.abc import Mapping
from typing import Final

from bot.features.lessons.courses import bouncers, bunny, pucks, trampoline
from bot.features.lessons.courses.lesson import Course

COURSES: Final[Mapping[str, Course]] = {
    course.game.id: course for course in (bouncers.COURSE, bunny.COURSE, trampoline.COURSE, pucks.COURSE)
}

__all__ = ["COURSES", "Course"]
