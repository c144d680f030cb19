"""Learning a game by playing: a few lessons each, every one a real position with one decision in it.

`lesson` defines a lesson and has the engine judge the learner's actions, `conditions` has the conditions of lessons, and each
game has its lessons, as data, in a module of its own. The package knows nothing of Discord.
"""

from collections.abc import Mapping
from typing import Final

from bot.features.lessons.courses import bouncers, bunny, pucks, trampoline
from bot.features.lessons.courses.lesson import Course

COURSES: Final[Mapping[str, Course]] = {
    course.game.id: course for course in (bouncers.COURSE, bunny.COURSE, trampoline.COURSE, pucks.COURSE)
}
"""The lessons of each game that has any, by the game's id."""

__all__ = ["COURSES", "Course"]
