"""The lessons of Bouncers, as data. The learner is Red."""

from typing import Any, Final

from bot.features.lessons.courses import tactics
from bot.features.lessons.courses.lesson import (
    Condition,
    Course,
    Lesson,
    Slip,
    Trap,
    Tried,
    begins,
    both,
    ends,
    plays,
    tells,
    wins,
)
from engines import GAMES
from engines.actions import Choice
from engines.bouncers import BouncersView
from engines.text import plain, say
from engines.values import replace


def _board(red: str, blue: str, *, red_kings: str = "", variant: str = "8x8-16") -> dict[str, Any]:
    """Return a position with these pieces, in which Red moves. Squares are separated by spaces."""
    return {
        "variant": variant,
        "to_move": 0,
        "red": red.split(),
        "red_kings": red_kings.split(),
        "blue": blue.split(),
        "blue_kings": [],
    }


def _square(before: str, square: str) -> Trap:
    """Return a trap: a square that is offered after the tokens `before`, although no piece can go there."""
    return Trap(tuple(before.split()), Choice(square, plain(square), final=True))


def _captures(count: int) -> Condition:
    def are_captured(tried: Tried) -> bool:
        return sum(len(event.detail.captured) for event in tried.step.events if event.kind == "move") == count

    return are_captured


def _before_captures(view: BouncersView) -> BouncersView:
    """Return a view that shows nothing about captured pieces."""
    return replace(view, lost=(0, 0))


_LESSONS: Final = (
    Lesson(
        name="bounce", title=say("Bounce"),
        text=say("You’re Red, at the bottom. A piece can’t move on its own: it bounces off **the piece right behind it**, one "
                 "square, in a straight line."),
        task=say("Your piece on c4 has another right behind it, on c3. Bounce it straight ahead."),
        position=_board("c4 c3 g5", "b8 d8 f8 g8"),
        goal=plays("c4 c5"), way=("c4", "c5"),
        traps=(_square("", "c3"), _square("", "g5")),
        hint=say("Pick the piece on c4: there’s another right behind it, on c3."),
        well=say("c3 was behind it, so it went the other way: to c5."),
        simplify=_before_captures,
    ),
    Lesson(
        name="ways", title=say("Five ways to go"),
        text=say("A piece moves left, right, straight forward or diagonally forward, **never backward**. Whichever way it "
                 "goes, there has to be a piece on the opposite side."),
        task=say("Bounce the piece on d3 diagonally forward. Only one of the two diagonals has a piece behind it."),
        position=_board("d3 e2 g5", "b8 d8 f8"),
        goal=plays("d3 c4"), way=("d3", "c4"),
        traps=(_square("", "g5"), _square("d3", "d4"), _square("d3", "e4")),
        hint=say("Look behind d3: there’s a piece on e2. What’s opposite that?"),
        well=say("e2 was behind it, so it went the opposite way. Forward is up for Red, and down for Blue."),
        simplify=_before_captures,
    ),
    Lesson(
        name="spring", title=say("Off your opponent"),
        text=say("You can bounce off **your opponent’s** pieces, too."),
        task=say("Bounce the piece on d3 to the left, off Blue’s piece."),
        position=_board("d3 g5", "e3 b8 d8 f8"),
        goal=plays("d3 c3"), way=("d3", "c3"),
        traps=(_square("", "g5"), _square("d3", "d4")),
        hint=say("Blue’s piece is to the right of d3."),
        well=say("Blue’s piece stays where it is: it’s as good a spring as your own."),
        simplify=_before_captures,
    ),
    Lesson(
        name="first-rank", title=say("The rim is a spring"),
        text=say("The rim of the board counts as a piece, too. On your own **first rank**, you can bounce off it in all three "
                 "forward directions."),
        task=say("e1 is all alone, but the rim is behind it. Bounce it to f2."),
        position=_board("e1 b3", "b8 d8 f8"),
        goal=plays("e1 f2"), way=("e1", "f2"),
        traps=(_square("", "b3"),),
        slips=(Slip(begins("e1"), say("The rim sends you there, too. But this step is about f2.")),),
        hint=say("Pick e1, on the bottom rank."),
        well=say("Off the rim, diagonally forward."),
        simplify=_before_captures,
    ),
    Lesson(
        name="rim", title=say("Off the side"),
        text=say("On a **side file**, the rim sends a piece diagonally forward, into the board, and nowhere else."),
        task=say("a4 is all alone, but it’s at the side. Bounce it."),
        position=_board("a4 e1", "b8 d8 f8"),
        goal=plays("a4 b5"), way=("a4", "b5"),
        traps=(_square("a4", "a5"), _square("a4", "b4")),
        slips=(Slip(begins("e1"), say("On your first rank the rim is behind you, too. But this step is about a4.")),),
        hint=say("From a side file, the rim sends you diagonally forward."),
        well=say("Away from the side, diagonally forward. The rim never sends you sideways, and straight on only from your "
                 "first rank."),
        simplify=_before_captures,
    ),
    Lesson(
        name="chain", title=say("Keep bouncing"),
        text=say("After a bounce, the **same piece** may bounce again, off whatever is behind it *now*. Keep going as long as "
                 "you can, or stop wherever you like: press *Play*."),
        task=say("Bring b2 all the way to b5, in one move."),
        position=_board("b2 b1 c2 f1", "d8 f8 g8"),
        goal=both(begins("b2"), ends("b5")), way=("b2", "b3", "a4", "b5"),
        traps=(_square("b2 b3", "b2"),),
        slips=(Slip(plays("b2 b3"), say("That would stop on b3. Go on from there: c2 is behind it.")),
               Slip(plays("b2 b3 a4"), say("That would stop on a4. But a4 is at the rim, and that’s one more bounce."))),
        hint=say("Take b2: first off b1, to b3. Then off c2, to a4."),
        well=say("Off a piece, off the next, off the rim: all in one move. Only going straight back isn’t allowed."),
        simplify=_before_captures,
    ),
    Lesson(
        name="capture", title=say("Capture"),
        text=say("You capture by **coming closer**: if the very next square in the direction of your bounce holds an enemy "
                 "piece, that piece is gone. You stay where you landed. It happens by itself; you don’t have to choose "
                 "capturing moves."),
        task=say("Capture the blue piece on d4."),
        position=_board("d2 d1 b3 a3", "d4 b8 f8 h8"),
        goal=_captures(1), way=("d2", "d3"),
        slips=(Slip(begins("b3 c3"),
                    say("c3 is next to d4, but that bounce goes right, towards d3. Only a piece straight ahead is "
                        "captured.")),),
        hint=say("Land right below d4, going up."),
        well=say("You went up to d3, and d4 was the next square in that direction."),
    ),
    Lesson(
        name="captures", title=say("Capture more"),
        text=say("Every bounce of a move can capture. A captured piece leaves the board **at once**, so you can’t bounce off "
                 "it any more. Capture the last enemy piece, and you’ve won."),
        task=say("Capture two pieces with one move."),
        position=_board("b2 a1 d2 g1", "d4 a5 f8 h8"),
        goal=_captures(2), way=("b2", "c3", "b4"),
        slips=(Slip(_captures(1), say("That would capture only one. From c3 it can bounce on, off d2, towards a5.")),),
        hint=say("Begin with b2: off a1 it flies towards d4."),
        well=say("First towards d4, then off d2 towards a5: two in one move."),
    ),
    Lesson(
        name="last-rank", title=say("Become a king"),
        text=say("A piece that reaches the last rank becomes a **king**, and its move ends there."),
        task=say("Make a king."),
        position=_board("c7 c6 f3 f2", "h5 h6 a4"),
        goal=begins("c7 c8"), way=("c7", "c8"),
        hint=say("One of your pieces is a single bounce away from the top rank."),
        well=say("A king! You can tell by the crown. Pieces can bounce off a king like off any other piece."),
    ),
    Lesson(
        name="king-steps", title=say("How a king moves"),
        text=say("A king needs nothing behind it: it moves **one square in any of the eight directions**, even backward."),
        task=say("Your king on d4 is all alone. Take a step back, to d3."),
        position=_board("g2", "b8 f8 a8", red_kings="d4"),
        goal=plays("d4 d3"), way=("d4", "d3"),
        traps=(_square("", "g2"),),
        hint=say("Take the king, the piece with the crown, and go straight down."),
        well=say("One step back, off nothing at all."),
    ),
    Lesson(
        name="king", title=say("Kings keep capturing"),
        text=say("A king captures like any piece: by coming closer. And **after a step that captures**, it may take another, "
                 "even back. After a step that doesn’t, its move is over."),
        task=say("Capture both d6 and f5 with your king, in one move."),
        position=_board("h1", "d6 f5 a8", red_kings="d4"),
        goal=_captures(2), way=("d4", "d5", "e5"),
        slips=(Slip(_captures(1), say("That would capture only one of them. Take the step that comes closer to f5, too.")),
               Slip(begins("d4"),
                    say("That step captures nothing, so the move would be over. Begin with a step that captures."))),
        hint=say("Take the king, the piece with the crown."),
        well=say("Each capture gave it another step."),
    ),
    Lesson(
        name="terminal", title=say("The race"),
        text=say("In the *first to the last rank* variants there are no kings: **the first piece to get there wins**."),
        task=say("This is one of those races. Win it now."),
        position=_board("e6 d5 b4 b3", "d8 g6 b6", variant="8x8-16-terminal"),
        goal=wins(0), way=("e6", "f7", "e8"),
        slips=(Slip(both(tells("move"), _captures(1)),
                    say("That’s a capture, but Blue would still be in the game. You can win right now.")),
               Slip(plays("e6 f7"),
                    say("That would stop on f7. One more bounce and you’re there: g6 is behind f7, on the way to e8."))),
        hint=say("Which of your pieces is closest to the top, and has something behind it?"),
        well=say("Two bounces, and the race is won."),
    ),
)  # fmt: skip

COURSE: Final = Course(
    game=GAMES["bouncers"],
    lessons=(*_LESSONS, *tactics.BOUNCERS),
    outro=say("What’s left to know:\n"
              "- **You win** when the last enemy piece is captured, or when your opponent can’t move.\n"
              "- **It’s a draw** if the same position comes up three times, if for 50 moves each only kings move and nothing "
              "is captured, or if you both agree.\n"
              "- There are smaller and larger armies, and a 10×10 board: pick a variant in `/play`.\n"
              "- Prefer typing? `/move` takes the squares of the path, as in `c2 c3 d4`.\n"
              "- Keep your pieces together: one far from everything can’t move at all, and once a piece leaves, it’s no longer "
              "a spring for those ahead of it."),
)  # fmt: skip
