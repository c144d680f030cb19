"""The lessons of Bouncers, as data. The learner is Red."""

from typing import Any, Final

from bot.lessons.conditions import begins, both, ends, fails, plays, tells, wins
from bot.lessons.lesson import Condition, Course, Lesson, Slip, Trap, Tried
from engines import GAMES
from engines.actions import Choice
from engines.text import plain, say


def _board(red: str, blue: str, *, red_kings: str = "", variant: str = "8x8-16") -> dict[str, Any]:
    """Return a position with these pieces, each list with spaces between the squares. Red moves."""
    return {
        "variant": variant,
        "to_move": 0,
        "red": red.split(),
        "red_kings": red_kings.split(),
        "blue": blue.split(),
        "blue_kings": [],
    }


def _square(before: str, square: str) -> Trap:
    """Return a trap: a square that is offered after others although no piece can go there."""
    return Trap(tuple(before.split()), Choice(square, plain(square), final=True))


def _captures(count: int) -> Condition:
    """Exactly `count` pieces are captured."""

    def are_captured(tried: Tried) -> bool:
        return sum(len(event.detail.captured) for event in tried.step.events if event.kind == "move") == count

    return are_captured


_LESSONS: Final = (
    Lesson(
        name="bounce",
        title=say("Bounce"),
        text=say(
            "You’re Red and start at the bottom. A piece can’t go by itself: it bounces off **whatever is behind "
            "it**, one square, in line. And in a game you’re only ever offered what the rules allow."
        ),
        task=say("Your piece on c2 has something behind it, on c1. Bounce it off that, straight ahead."),
        position=_board("c2 c1 g4", "b8 d8 f8 g8"),
        goal=plays("c2 c3"),
        way=("c2", "c3"),
        traps=(_square("", "g4"),),
        slips=(
            Slip(
                begins("c1"),
                say("c1 can bounce as well, off the rim of the board. That comes later: take c2."),
            ),
        ),
        hint=say("Pick the piece on c2. Right behind it, on c1, is another one."),
        well=say("c1 was behind it, so it went the other way: to c3."),
    ),
    Lesson(
        name="ways",
        title=say("Five ways to go"),
        text=say(
            "A piece goes left, right, straight forward or diagonally forward, **never backward**. For each way, "
            "the square right behind it, on the opposite side, has to hold a piece: yours **or your opponent’s**. "
            "The square it goes to has to be empty. Forward is up for Red, and down for Blue."
        ),
        task=say("Bounce the piece on d3 one square diagonally forward. Only one of the two diagonals has a spring."),
        position=_board("d3 e3 h1", "e2 b8 d8 f8"),
        goal=plays("d3 c4"),
        way=("d3", "c4"),
        traps=(_square("d3", "d4"), _square("d3", "e4"), _square("d3", "d2")),
        slips=(
            Slip(plays("d3 c3"), say("That’s sideways, off e3. It’s a good bounce, but diagonally forward was asked for.")),
            Slip(fails(begins("d3")), say("That piece can bounce, too. But it’s about d3.")),
        ),
        hint=say("Look behind d3: on e2 is a blue piece. What is opposite?"),
        well=say("Blue’s piece on e2 was behind it: an enemy is a spring as good as any."),
    ),
    Lesson(
        name="rim",
        title=say("The rim is a spring"),
        text=say(
            "The rim of the board is behind a piece, too:\n"
            "- On your own **first rank**, bounce off it in all three forward ways.\n"
            "- On a **side file**, bounce off it diagonally forward, into the board."
        ),
        task=say("a4 is all alone, but it’s at the rim. Bounce it."),
        position=_board("a4 e1", "b8 d8 f8"),
        goal=plays("a4 b5"),
        way=("a4", "b5"),
        traps=(_square("a4", "a5"), _square("a4", "b4")),
        slips=(Slip(begins("e1"), say("Right, on your first rank the rim is behind you three times. But it’s about a4.")),),
        hint=say("From a side file, the rim sends you diagonally forward."),
        well=say(
            "Away from the side, diagonally forward. The rim never sends you sideways, and straight on only from "
            "your first rank."
        ),
    ),
    Lesson(
        name="chain",
        title=say("Keep bouncing"),
        text=say(
            "After a bounce, the **same piece** may bounce again, off whatever is behind it *now*. Go on as long "
            "as you can, and stop wherever you like: press *Play*. Only straight back to the square you’ve just "
            "left isn’t allowed."
        ),
        task=say("Bring b2 all the way to b5, in one move."),
        position=_board("b2 b1 c2 f1", "d8 f8 g8"),
        goal=both(begins("b2"), ends("b5")),
        way=("b2", "b3", "a4", "b5"),
        traps=(_square("b2 b3", "b2"),),
        slips=(
            Slip(plays("b2 b3"), say("You’ve stopped on b3. Its way isn’t over: c2 is behind it there.")),
            Slip(plays("b2 b3 a4"), say("So far, so good. On a4 it’s at the rim, and that’s one more bounce.")),
        ),
        hint=say("Take b2: first off b1, to b3. Then off c2, to a4."),
        well=say("Off a piece, off the next, off the rim: all of that is one move."),
    ),
    Lesson(
        name="capture",
        title=say("Capture"),
        text=say(
            "You capture by **coming closer**: if the very next square in the direction of your bounce holds an "
            "enemy piece, that piece is gone. You stay where you’ve landed. It happens by itself, and nobody ever "
            "has to capture."
        ),
        task=say("Capture the blue piece on d4."),
        position=_board("d2 d1 b3 a3", "d4 b8 f8 h8"),
        goal=_captures(1),
        way=("d2", "d3"),
        slips=(
            Slip(
                begins("b3 c3"),
                say("c3 is next to d4, but your bounce was going right, towards d3. Only what’s straight ahead is captured."),
            ),
        ),
        hint=say("Land right below d4, going up."),
        well=say("You went up to d3, and d4 was the next square in that direction."),
    ),
    Lesson(
        name="captures",
        title=say("Capture more"),
        text=say(
            "Every bounce of a move can capture. What’s captured leaves the board **at once**, so you can’t "
            "bounce off it any more. When the last enemy piece is captured, you’ve won."
        ),
        task=say("Capture two pieces with one move."),
        position=_board("b2 a1 d2 g1", "d4 a5 f8 h8"),
        goal=_captures(2),
        way=("b2", "c3", "b4"),
        slips=(Slip(_captures(1), say("One is captured, and you stopped. From c3 it can bounce off d2, towards a5.")),),
        hint=say("Begin with b2: off a1 it flies towards d4."),
        well=say("First towards d4, then off d2 towards a5: two in one move."),
    ),
    Lesson(
        name="last-rank",
        title=say("Become a king"),
        text=say(
            "A piece that reaches the far rank becomes a **king**, and its move ends there. A king needs no "
            "spring: it goes one square in any of the eight directions, backward too."
        ),
        task=say("Make a king."),
        position=_board("c7 c6 f3 f2", "h5 h6 a4"),
        goal=begins("c7 c8"),
        way=("c7", "c8"),
        hint=say("One of your pieces is a single bounce away from the top rank."),
        well=say("A king! The crown says so. Other pieces can bounce off a king as off any piece."),
    ),
    Lesson(
        name="king",
        title=say("Kings capture on and on"),
        text=say(
            "A king captures as others do: by coming closer. And **after a step that captured**, it may take one "
            "more step, even back. After a step that didn’t, its move is over."
        ),
        task=say("Capture both d6 and f5 with your king, in one move."),
        position=_board("h1", "d6 f5 a8", red_kings="d4"),
        goal=_captures(2),
        way=("d4", "d5", "e5"),
        slips=(
            Slip(_captures(1), say("One of them is captured. That gave you one more step: use it to come closer to f5.")),
            Slip(begins("d4"), say("That step captured nothing, so the move was over. Begin with a step that captures.")),
        ),
        hint=say("Take the king, the piece with the crown."),
        well=say("Each capture gave it another step."),
    ),
    Lesson(
        name="terminal",
        title=say("The race"),
        text=say(
            "In the variants called *terminal* there are no kings: **the first piece on the far rank wins**. So "
            "does capturing everything. In all variants, who can’t move on their turn loses."
        ),
        task=say("This is a terminal game. Win it now."),
        position=_board("e6 d5 b4 b3", "d8 g6 b6", variant="8x8-16-terminal"),
        goal=wins(0),
        way=("e6", "f7", "e8"),
        slips=(
            Slip(both(tells("move"), _captures(1)), say("A capture, but Blue is still there. You could have won at once.")),
            Slip(plays("e6 f7"), say("One more bounce and you’re there: g6 is behind f7, on the way to e8.")),
        ),
        hint=say("Which of your pieces is closest to the top, and has something behind it?"),
        well=say("Two bounces, and the race is won."),
    ),
)

COURSE: Final = Course(
    game=GAMES["bouncers"],
    lessons=_LESSONS,
    outro=say(
        "What’s left to know:\n"
        "- **You win** when the last enemy piece is captured, or when your opponent can’t move.\n"
        "- **It’s a draw** if the same position comes up three times, if for 50 moves each only kings move and "
        "nothing is captured, or if you agree on it.\n"
        "- There are smaller and larger armies, and a 10×10 board: pick a variant in `/play`.\n"
        "- Rather type? `/move` takes the squares of the path, as in `c2 c3 d4`.\n"
        "- Keep your pieces together: one far from everything can’t move at all, and one that leaves is no "
        "spring any more for those ahead of it."
    ),
)
