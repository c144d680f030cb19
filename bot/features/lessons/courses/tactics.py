"""Lessons on tactics, two at the end of a course: puzzles in which the learner, as Red, has to find the first action."""

from collections.abc import Mapping
from typing import Final

from bot.features.lessons.courses.lesson import Lesson, Simplify, Slip, begins, plays, tells, unchanged
from engines.pucks import PucksView
from engines.text import Text, say
from engines.values import replace
from opponents.puzzles.judging import Verdict, answer
from opponents.puzzles.puzzle import Puzzle, puzzle_of

PUZZLES: Final[Mapping[str, Puzzle]] = {
    "blockade": puzzle_of("bouncers", "0 1 win forced blockade,kings,ending bouncers17TCY0HB31YV003RBQ2 c2-d2"),
    "sacrifice": puzzle_of(
        "bouncers", "0 1 win forced quiet,sacrifice,blockade,ending bouncers1MVMRR1NGE5EM035JZX f3-g4, a3xb2, c3-d4"
    ),
    "certain": puzzle_of("bunny", "0 1 carrot covered quiet bunny1597WBQEYYFQX64WMZ3946BCX361M08377M6 left"),
    "own-bump": puzzle_of("bunny", "0 1 carrot covered shock,quiet bunny1661CP7YFHRCB12NZBQYH0R1DMZQC483AHV4 shock right"),
    "make-room": puzzle_of("pucks", "0 1 score exhausted stopper pucks1E4ABT5ARJZDHXFAZ0B7F0ZR05HDXD i1 left, p2 up, p2 right"),
    "several": puzzle_of(
        "pucks", "0 1 score exhausted several pucks1DE7BF88GSYFX5RASFPEP3VFHSG0055A8G p2 right, p1 down, p1 right"
    ),
}
"""The puzzle of each lesson, by the lesson's name. `/puzzle` never shows these puzzles."""


def _lesson(
    name: str, title: Text, *, text: Text, hint: Text, well: Text, slips: tuple[Slip, ...] = (), simplify: Simplify = unchanged
) -> Lesson:
    """Return the lesson made from a puzzle, with its position, its task, and its first action as the answer."""
    puzzle = PUZZLES[name]
    start = puzzle.line.start
    return Lesson(
        name=name, title=title, text=text, task=puzzle.task, way=puzzle.own[0], well=well, hint=hint,
        goal=lambda tried: answer(puzzle, (tried.action,)).verdict is not Verdict.WRONG, slips=slips, simplify=simplify,
        position=start.game.position(start.state), seat=puzzle.seat,
    )  # fmt: skip


def small_board(view: PucksView) -> PucksView:
    """Return a view of a small board, without the code of its start layout and without pieces beside it."""
    return replace(view, board="", beside=())


BOUNCERS: Final = (
    _lesson(
        "blockade", say("No way out"),
        text=say("If you can’t move, you lose. So look at what your opponent’s pieces **bounce off**: take those springs away, "
                 "or stand where the bounce would end."),
        hint=say("b2 can bounce off c2, and d3 off d4, to d2. One move puts an end to both."),
        well=say("b2 has lost its spring, and d3 can’t go to d2 any more: Blue can’t move."),
        slips=(Slip(begins("d4"), say("Then d3 has nothing to bounce off, but b2 still has c2.")),),
    ),
    _lesson(
        "sacrifice", say("Give up a piece"),
        text=say("Losing a piece costs you little if your opponent’s **reply is forced** and you know what comes next. This is "
                 "a race to the last rank, so there’s no time for anything else."),
        hint=say("Blue is about to win: e2 can bounce off f3, to d1. Take that spring away."),
        well=say("e2 has nothing to bounce off any more. Blue has only one move, a3 to b2, which captures c1. Then c3 bounces "
                 "off b2, to d4, and Blue can’t move at all."),
    ),
)  # fmt: skip

BUNNY: Final = (
    _lesson(
        "certain", say("Come what may"),
        text=say("For once, everything you remember lies face up. A plan is **certain** if it works whatever the other cards "
                 "are and whatever Blue does. A Swap is good for that: it can put a carrot where only you can reach it."),
        hint=say("A card you don’t know may send you anywhere. Which hop leads to one you know and can use?"),
        well=say("Now swap the carrot on c5 with the card on c1: your next hop to the left, past d1, takes it, and Blue can’t "
                 "get there first."),
    ),
    _lesson(
        "own-bump", say("Bump yourself"),
        text=say("A Bunny beside the field can hop in on **any** card in row 1, so getting bumped can be a shortcut. And a "
                 "Universal Shock may send the other Bunny onto your own card."),
        hint=say("From c5, no hop is sure to take a carrot. But there’s one in row 1, and you can get yourself bumped."),
        well=say("Blue has bumped you off the field. Next you hop in on a1, and that’s your third carrot: Blue can’t get there "
                 "first, whatever lies face down."),
        slips=(Slip(tells("carrot", 1), say("That would send Blue round the edge, and on to the carrot on g5.")),),
    ),
)  # fmt: skip

PUCKS: Final = (
    _lesson(
        "make-room", say("Make room"),
        text=say("To score, a puck needs **something to stop against** in line with the goal. Any piece will do, your "
                 "opponent’s included. Here you have three actions for that."),
        hint=say("Puck 2 could slide up until it stops below Blue’s puck, in line with the goal. What’s in its way?"),
        well=say("Now puck 2 slides up, stops below Blue’s puck, and slides right into the goal: that’s your three actions."),
        simplify=small_board,
        slips=(Slip(plays("i1 right"), say("There, your ice would be between puck 2 and the goal.")),),
    ),
    _lesson(
        "several", say("Two in one turn"),
        text=say("With several actions, **their order matters**: a puck in the way would be bumped on, but one that has scored "
                 "is out of everybody’s way."),
        hint=say("Puck 1 could slide down to Blue’s meeple, in line with the goal. Puck 2 is in its way."),
        well=say("Next, puck 1 slides down, stops above Blue’s meeple, and slides right into the goal, too."),
        simplify=small_board,
        slips=(Slip(plays("p1 down"), say("Puck 1 would hit puck 2 and bump it on.")),),
    ),
)  # fmt: skip
