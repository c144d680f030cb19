"""The courses of lessons, one for each game. Every lesson is a real position with one decision in it.

`lesson.py` defines lessons and has the engine judge actions. Each game's lessons are data in a module of their own. Nothing in
this package knows about Discord.
"""

from collections.abc import Mapping
from typing import Final

from bot.features.lessons.courses import bouncers, bunny, pucks, trampoline
from bot.features.lessons.courses.lesson import Course

COURSES: Final[Mapping[str, Course]] = {
    course.game.id: course for course in (bouncers.COURSE, bunny.COURSE, trampoline.COURSE, pucks.COURSE)
}

__all__ = ["COURSES", "Course"]
