"""The lessons of Puck Bumpers, as data. The learner is Red."""

from collections.abc import Iterator
from typing import Any, Final

from bot.lessons.conditions import begins, both, fails, plays, tells
from bot.lessons.lesson import Condition, Course, Lesson, Slip, Trap, Tried
from engines import GAMES
from engines.actions import Choice
from engines.game import Step
from engines.text import say

_TWO: Final = {
    "a": {"kind": "basic", "at": [0, 0], "turn": 0},
    "b": {"kind": "goal", "at": [1, 0], "turn": 90},
}
"""A basic mat, and a goal that opens to it."""

_AWAY: Final = {**_TWO, "b": {"kind": "goal", "at": [1, 0], "turn": 270}}
"""As `_TWO`, with the goal turned away."""

_FOUR: Final = {
    "a": {"kind": "basic", "at": [0, 0], "turn": 0},
    "b": {"kind": "goal", "at": [1, 0], "turn": 90},
    "c": {"kind": "pool", "at": [0, 1], "turn": 0},
    "d": {"kind": "basic", "at": [1, 1], "turn": 0},
}


def _table(mats: dict[str, Any], pieces: dict[str, str], hand: str = "whistle", **what: Any) -> dict[str, Any]:
    """Return a position with these pieces, in which Red has one action and this hand, unless `what` says otherwise."""
    usual = {"variant": "standard", "seats": 2, "phase": "act", "to_move": 0, "hands": [hand.split(), ["whistle"]]}
    return {"mats": mats, "pieces": pieces, **usual, **what}


def _scores(colour: int) -> Condition:
    """A puck of this colour is scored."""
    return lambda tried: _is_scored(tried.step, colour)


def _is_scored(step: Step[Any], colour: int) -> bool:
    return any(event.kind == "score" and event.detail.piece.colour == colour for event in step.events)


def _can_score(seat: int) -> Condition:
    """Return the condition that after the learner’s action the seat could score a puck with one move, if it were its turn."""
    return lambda tried: any(_is_scored(step, seat) for step in _moves(tried, seat))


def _moves(tried: Tried, seat: int) -> Iterator[Step[Any]]:
    """Yield the results of all moves of a piece that the seat could make if it were its turn now."""
    game, now = tried.game, tried.game.position(tried.step.state)
    turn = {"to_move": seat, "turn_of": seat, "phase": "act", "taken": 0, "extra": 0, "last": None}
    state = game.from_position({key: value for key, value in now.items() if key != "previous"} | turn)
    for piece in game.choices(state, seat):
        if not piece.final and piece.token != "play":
            for way in game.choices(state, seat, (piece.token,)):
                yield game.play(state, seat, (piece.token, way.token))


_LESSONS: Final = (
    Lesson(
        name="slide",
        title=say("Slide"),
        text=say(
            "Be the first to bring **all four of your pucks into goals**; any goal will do. A **puck** slides up, "
            "right, down or left until something stops it: a piece, a wall, a pool (the blue square with waves), or "
            "the end of the board. The pale blue in front of a goal is only paint. In a goal a puck is scored and off "
            "the board."
        ),
        task=say("Score with one of your pucks. You’re Red."),
        position=_table(_TWO, {"red p1": "a1", "red p2": "a9", "blue p1": "a16"}),
        goal=_scores(0),
        way=("p2", "right"),
        hint=say("The goal on mat b is open towards mat a. Which of your pucks is in line with it?"),
        well=say("Nothing was in its way. A goal can be entered from its front only: there are walls around it."),
    ),
    Lesson(
        name="chain",
        title=say("Chains"),
        text=say(
            "If a sliding puck hits **another puck**, it bumps that one on: it slides in its place, if the space "
            "ahead of it is open. The first one stops beside it. A puck that already touches another can’t push it: "
            "it needs at least one free space to run up. A puck scores **for its own colour**, whoever pushed it."
        ),
        task=say("Score with your puck, and don’t help Blue."),
        position=_table(_TWO, {"red p1": "a5", "red p2": "a9", "blue p1": "a8"}),
        goal=both(_scores(0), fails(_scores(1))),
        way=("p2", "right"),
        slips=(Slip(_scores(1), say("Puck 1 hit Blue’s puck, and that slid on, into the goal, for Blue.")),),
        hint=say("Look what’s in the way of each of your pucks."),
        well=say("The way of puck 2 was free. With puck 1 you’d have pushed Blue’s into the goal."),
    ),
    Lesson(
        name="bump",
        title=say("Bumps"),
        text=say(
            "A **meeple**, the little figure, goes one space. Or it **bumps** a puck or an ice block next to it, "
            "of any colour, if the space behind that is open: it slides away, and the meeple takes its place. "
            "Meeples can’t be bumped."
        ),
        task=say("Blue’s puck is one slide from the goal. Bump it out of its row."),
        position=_table(_TWO, {"red m1": "a2", "red p1": "a16", "blue p1": "a6", "blue m1": "b4"}),
        goal=both(begins("m1"), fails(_can_score(1))),
        way=("m1", "down"),
        hint=say("Your meeple stands right above Blue’s puck."),
        well=say("Blue’s puck slid down to the end of the board. It’s in line with the goal no more."),
    ),
    Lesson(
        name="ice",
        title=say("Ice"),
        text=say(
            "An **ice block** goes one space, too, and bumps nothing. But it’s a fine obstacle: a puck that hits "
            "ice or a meeple just stops. Ice and meeples may even stand in a goal."
        ),
        task=say("Blue’s puck on a5 could slide into the goal next. Put your ice in its way."),
        position=_table(_TWO, {"red i1": "a2", "red p1": "a16", "blue p1": "a5", "blue m1": "b4"}),
        goal=both(begins("i1"), fails(_can_score(1))),
        way=("i1", "down"),
        hint=say("Blue’s way leads through a6. Your ice is right above that."),
        well=say("Blue’s puck can’t go right any more. Ice that is bumped slides, and sets pucks that it hits sliding."),
    ),
    Lesson(
        name="turn",
        title=say("A turn"),
        text=say(
            "1. **Draw**: one card at first.\n"
            "2. **Act**: move a piece or play a card, exactly as often as the action card in force says; at first "
            "that’s once. You can’t pass while you can act, and no move may put everything back to where it was "
            "before your last one.\n"
            "3. **End your turn**, and discard down to the hand limit: 7 cards with two or three players, 5 with "
            "more."
        ),
        task=say("It’s your turn. What comes first?"),
        position=_table(
            _TWO, {"red p1": "a1", "red p2": "a9", "blue p1": "a16"}, "take-3 twist", phase="draw", draw_pile=["take-2", "swap"]
        ),
        goal=plays("draw"),
        way=("draw",),
        traps=tuple(Trap((), Choice(f"p{n}", say("Puck {n}", n=n), final=True)) for n in (1, 2)),
        hint=say("Draw first: until then, others may still answer what was done before."),
        well=say(
            "Now you’d have one action. *Hand* shows your cards, and the panel offers those that can be played. What each "
            "does exactly is in the card index of `/rules`."
        ),
    ),
    Lesson(
        name="numbers",
        title=say("Cards that set numbers"),
        text=say(
            "**Action cards** (Take) cost nothing: they set how many actions **everybody** has a turn, at once. "
            "**Draw cards** cost an action: they set how many cards everybody draws, from the next turn on. Both "
            "stay in force until another of their kind comes."
        ),
        task=say("You have one action. Get four."),
        position=_table(_TWO, {"red p1": "a1", "red p2": "a14", "blue p1": "a16"}, "take-4 draw-3 swap"),
        goal=plays("play take-4"),
        way=("play", "take-4"),
        slips=(
            Slip(
                plays("play draw-3"),
                say("That cost your only action, and sets how many cards are drawn. You can play Take 4 even now."),
            ),
            Slip(fails(begins("play")), say("A move of a piece is an action. Play the action card: it’s free.")),
        ),
        hint=say("Take 4 is an action card."),
        well=say("Four actions from now on, and Take 4 itself took none of them. Blue will have four as well."),
    ),
    Lesson(
        name="changer",
        title=say("Game changers"),
        text=say(
            "The board is made of **mats** of 4×4 spaces, each with a letter. **Game changers** cost an action. They "
            "shift, swap or turn mats, with all that is on them, or move pieces in other ways. A mat that is shifted or "
            "swapped needs a side that touches no other mat; any mat can be turned, by quarters (90° each). All mats "
            "must hang together."
        ),
        task=say("You have two actions. With the first, turn the goal so that a puck of yours can score with the second."),
        position=_table(_AWAY, {"red p1": "a9", "red m1": "a2", "blue p1": "a16"}, "twist draw-2", action_rule=2),
        goal=both(begins("play twist"), _can_score(0)),
        way=("play", "twist", "b", "180"),
        slips=(
            Slip(begins("play twist b"), say("Mat b has turned, but the goal isn’t open towards your puck.")),
            Slip(begins("play twist a"), say("That turned the mat with your puck. The goal is on mat b.")),
        ),
        hint=say("Play Board Twist on mat b: its goal has to open towards mat a."),
        well=say("Now puck 1 can slide right in. The spaces of each mat have numbers: a9, for example."),
    ),
    Lesson(
        name="ongoing",
        title=say("Cards that stay"),
        text=say(
            "Three game changers are **ongoing**: they lie at the edge of the board until the next ongoing card "
            "comes. *Thin Ice*: ice slides when you move it. *Slush*: a slide ends after 4 spaces. *Net Off*: a "
            "goal is closed."
        ),
        task=say("Blue is about to score in the goal on mat b. Close it."),
        position=_table(_FOUR, {"red p1": "d2", "red m1": "d6", "blue p1": "a5"}, "net-off slush take-2"),
        goal=plays("play net-off b"),
        way=("play", "net-off", "b"),
        slips=(
            Slip(plays("play slush"), say("Slush shortens slides, but the card that closes goals is Net Off.")),
            Slip(plays("play take-2"), say("Take 2 gives you another action. But it’s about the goal: play Net Off.")),
        ),
        hint=say("Net Off names the goal that it closes."),
        well=say("No piece may enter that goal, until another ongoing card takes the place of Net Off."),
    ),
    Lesson(
        name="quick",
        title=say("Quick cards"),
        text=say(
            "**Quick cards** cost nothing and can be played at any time, even **in somebody else’s turn**. *Extra "
            "Action* and *Double Action* are for your own turn. When your actions are used up, you may still play "
            "free cards; your turn ends when you say so."
        ),
        task=say("No actions left, and puck 1 is one slide from the goal. What now?"),
        position=_table(_TWO, {"red p1": "a9", "red m1": "a2", "blue p1": "a16"}, "extra draw-2 swap", taken=1),
        goal=plays("play extra"),
        way=("play", "extra"),
        slips=(Slip(plays("end"), say("Your turn is over, and puck 1 didn’t move. You had a card for that.")),),
        hint=say("One of your cards gives you an action."),
        well=say("One action more, and the goal is open."),
    ),
    Lesson(
        name="whistle",
        title=say("The Whistle"),
        text=say(
            "A **Whistle** undoes the last action of another player. You can play it until that player acts again or "
            "the next one draws. The action stays spent. When somebody’s last puck goes in, all opponents who hold a card are "
            "asked first: whistle, or let the win stand."
        ),
        task=say("Blue has just scored the fourth puck. It’s not your turn. Don’t lose."),
        position=_table(
            _TWO,
            {"red p1": "a1", "red i1": "a2", "blue p1": "a5"},
            "whistle take-3",
            to_move=1,
            scored=["blue p2", "blue p3", "blue p4"],
        ),
        before=((1, ("p1", "right")),),
        goal=tells("undo"),
        way=("play", "whistle"),
        slips=(Slip(plays("pass"), say("You let the win stand, and Blue has won.")),),
        hint=say("You hold a Whistle."),
        well=say(
            "Blue’s puck is back where it was, and Blue’s only action is spent: in your turn you can block its way. The "
            "Whistle is gone, too, so use it well."
        ),
    ),
)

COURSE: Final = Course(
    game=GAMES["pucks"],
    lessons=_LESSONS,
    outro=say(
        "What’s left to know:\n"
        "- At the start everybody places 4 pucks, 2 meeples and 2 ice blocks on start spaces of their kind, one "
        "after the other. *Place all at random* does it for you.\n"
        "- Everybody sees how many cards you hold, but not which. The discard pile is open to all.\n"
        "- *U-Turn*, a quick card, ends the turn that is going on, and play goes the other way round.\n"
        "- *Orders* (standing orders) are played while you’re away: whistle if Blue wins, for example. The computer "
        "plays its whole turn at once, so set one if you want to whistle in it.\n"
        "- If you hold no card at all, your turn ends by itself with your last action.\n"
        "- *Hand* shows your cards. What each card does exactly is in the card index of `/rules`."
    ),
)
