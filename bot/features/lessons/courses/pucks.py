"""The lessons of Puck Bumpers, as data. The learner is Red."""

from collections.abc import Iterator
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
    fails,
    plays,
    tells,
    ways,
)
from engines import GAMES
from engines.actions import Choice
from engines.game import Step
from engines.pucks import PucksView
from engines.text import say
from engines.values import replace


def _mat(kind: str, column: int, row: int, turn: int = 0) -> dict[str, Any]:
    return {"kind": kind, "at": [column, row], "turn": turn}


_TWO: Final = {"a": _mat("basic", 0, 0), "b": _mat("goal", 1, 0, 90)}
"""A basic mat, and beside it a goal that opens towards the mat."""

_AWAY: Final = {**_TWO, "b": _mat("goal", 1, 0, 270)}
"""The same as `_TWO`, but with the goal turned away."""

_ROW: Final = {"a": _mat("basic", 0, 0), "b": _mat("pool", 1, 0), "c": _mat("goal", 2, 0, 90)}
"""A basic mat, a pool, and a goal that opens towards the pool, all in a row."""

_CORNER: Final = {"a": _mat("basic", 0, 0), "b": _mat("basic", 0, 1), "c": _mat("goal", 1, 1, 90)}
"""Two basic mats, one below the other, and a goal that opens towards the lower one."""

_STARTS: Final = {"a": _mat("basic", 0, 0), "b": _mat("goal", 1, 0), "c": _mat("block", 1, 1)}
"""Mats with start spaces of each kind. A goal is above one of the start spaces for pucks."""

_FOUR: Final = {"a": _mat("basic", 0, 0), "b": _mat("goal", 1, 0, 90), "c": _mat("pool", 0, 1), "d": _mat("basic", 1, 1)}


def _table(mats: dict[str, Any], pieces: dict[str, str], hand: str = "whistle", **what: Any) -> dict[str, Any]:
    """Return a position in which Red has one action left and these cards, unless `what` says otherwise."""
    usual = {"variant": "standard", "seats": 2, "phase": "act", "to_move": 0, "hands": [hand.split(), ["whistle"]]}
    return {"mats": mats, "pieces": pieces, **usual, **what}


def _scores(colour: int) -> Condition:
    return lambda tried: _is_scored(tried.step, colour)


def _is_scored(step: Step[Any], colour: int) -> bool:
    return any(event.kind == "score" and event.detail.piece.colour == colour for event in step.events)


def _can_score(seat: int) -> Condition:
    """Return the condition that, after the learner’s action, the seat could score a puck with one move if it were its turn."""
    return lambda tried: any(_is_scored(step, seat) for step in _moves(tried, seat))


def _moves(tried: Tried, seat: int) -> Iterator[Step[Any]]:
    """Yield the results of all moves of a piece that the seat could make if it were its turn."""
    game, now = tried.game, tried.game.position(tried.step.state)
    turn = {"to_move": seat, "turn_of": seat, "phase": "act", "taken": 0, "extra": 0, "last": None}
    state = game.from_position({key: value for key, value in now.items() if key != "previous"} | turn)
    for piece in game.choices(state, seat):
        if not piece.final and piece.token != "play":
            for way in game.choices(state, seat, (piece.token,)):
                yield game.play(state, seat, (piece.token, way.token))


def _before_cards(view: PucksView) -> PucksView:
    """Return a view without cards, turns, and the pieces that a lesson leaves out."""
    return replace(tactics.small_board(view), hand_sizes=(), hand=(), allowed=0, taken=0)


_WHICH: Final = say("Which piece moves?")

_LESSONS: Final = (
    Lesson(
        name="slide", title=say("Slide"),
        text=say("Be the first to get **all four of your pucks into goals**; any goal will do. A **puck** slides up, right, "
                 "down or left until something stops it: a piece, a wall, or the end of the board."),
        task=say("Score with one of your pucks. You’re Red."),
        position=_table(_TWO, {"red p1": "a2", "red p2": "a9", "blue p1": "b16"}),
        goal=_scores(0), way=("p2", "right"),
        hint=say("Which of your pucks is in line with the goal?"),
        well=say("Nothing was in its way. A scored puck leaves the board. (The pale blue in front of the goal is only paint.)"),
        question=_WHICH, labels=ways("p1", "p2"), simplify=_before_cards,
    ),
    Lesson(
        name="chain", title=say("Chains"),
        text=say("A sliding puck that hits **another puck** stops beside it, and bumps it on: now that one slides."),
        task=say("Blue’s puck could slide into the goal next. Bump it out of its row."),
        position=_table(_TWO, {"red p1": "a2", "red p2": "a16", "blue p1": "a10"}),
        goal=both(begins("p1", "p2"), fails(_can_score(1))), way=("p1", "down"),
        hint=say("Puck 1 is straight above Blue’s puck."),
        well=say("Blue’s puck slid on to the end of the board. A puck that already touches another one can’t bump it: it needs "
                 "a run-up of at least one free space."),
        question=_WHICH, labels=ways("p1", "p2"), simplify=_before_cards,
    ),
    Lesson(
        name="colour", title=say("Whose point?"),
        text=say("A puck scores **for its own colour**, whoever bumped it into the goal."),
        task=say("Score with your puck, but don’t help Blue."),
        position=_table(_TWO, {"red p1": "a5", "red p2": "a9", "blue p1": "a8"}),
        goal=both(_scores(0), fails(_scores(1))), way=("p2", "right"),
        slips=(Slip(_scores(1), say("Puck 1 would hit Blue’s puck and send it into the goal: a point for Blue.")),),
        hint=say("Look at what’s in the way of each of your pucks."),
        well=say("Puck 2’s way was clear. With puck 1 you’d have bumped Blue’s into the goal."),
        question=_WHICH, labels=ways("p1", "p2"), simplify=_before_cards,
    ),
    Lesson(
        name="bump", title=say("Meeples"),
        text=say("A **meeple**, the little figure, moves one space. Or it **bumps** a puck next to it, of any colour: the puck "
                 "slides away, and the meeple takes its place."),
        task=say("Blue’s puck is one slide from the goal. Bump it out of its row."),
        position=_table(_TWO, {"red m1": "a2", "red p1": "a16", "blue p1": "a6", "blue m1": "b4"}),
        goal=both(begins("m1"), fails(_can_score(1))), way=("m1", "down"),
        hint=say("Your meeple stands right above Blue’s puck."),
        well=say("Blue’s puck slid down to the end of the board. Meeples themselves can’t be bumped."),
        question=_WHICH, simplify=_before_cards,
    ),
    Lesson(
        name="ice", title=say("Ice"),
        text=say("An **ice block** moves one space and bumps nothing. A puck that hits ice or a meeple just stops."),
        task=say("Blue’s puck on a5 could slide into the goal next. Put your ice in its way."),
        position=_table(_TWO, {"red i1": "a2", "red p1": "a16", "blue p1": "a5", "blue m1": "b4"}),
        goal=both(begins("i1"), fails(_can_score(1))), way=("i1", "down"),
        hint=say("Blue’s puck has to pass through a6. Your ice is right above it."),
        well=say("Blue’s puck can’t go right any more. But a meeple can bump ice away: then it slides like a puck."),
        question=_WHICH, simplify=_before_cards,
    ),
    Lesson(
        name="place", title=say("Placing"),
        text=say("A game starts with an empty board. Players take turns placing a piece on a **start space** of its kind, "
                 "until each has placed 4 pucks, 2 meeples and 2 ice blocks. *Place all at random* does it for you."),
        task=say("Place puck 1 so that a single slide takes it into the goal."),
        position=_table(_STARTS, {}, phase="place"),
        goal=both(begins("place"), _can_score(0)), way=("place", "p1", "c3"), chance=(0, 0),
        slips=(Slip(plays("auto"), say("That would leave it to luck. Pick puck 1 and its space yourself.")),
               Slip(begins("place p1", "place p2", "place p3", "place p4"), say("From there it takes more than one slide."))),
        hint=say("Place a puck: only pucks score."),
        well=say("From c3 it’s one slide up into the goal, if nobody gets in the way."),
        simplify=lambda view: replace(view, board="", hand_sizes=(), hand=()),
    ),
    Lesson(
        name="turn", title=say("A turn"),
        text=say("Everybody holds cards nobody else can see. Your turn starts with a **draw** from the draw pile; then you "
                 "**take actions**. At first that’s one card and one action, as it says beside the board."),
        task=say("It’s your turn. Go ahead."),
        position=_table(_TWO, {"red p1": "a1", "red p2": "a9", "blue p1": "a16"}, "", phase="draw",
                        draw_pile=["draw-3", "take-4"]),
        goal=plays("draw"), way=("draw",),
        traps=tuple(Trap((), Choice(f"p{n}", say("Puck {n}", n=n), final=True)) for n in (1, 2)),
        hint=say("Draw first: until you do, others can still respond to the turn before."),
        well=say("You’ve drawn Take 4; the next step shows what it does. *Hand* shows your cards at any time. Now you’d move a "
                 "piece or play a card: that’s one action."),
        question=say("What comes first?"), simplify=tactics.small_board,
    ),
    Lesson(
        name="numbers", title=say("Action cards"),
        text=say("**Action cards** (Take) are free. They set how many actions **everybody** gets each turn: right away, and "
                 "until another Take card is played."),
        task=say("You have one action. Get four."),
        position=_table(_TWO, {"red p1": "a1", "red p2": "a14", "blue p1": "a16"}, "take-4 take-2"),
        goal=plays("play take-4"), way=("play", "take-4"),
        slips=(Slip(plays("play take-2"), say("That would give you two.")),
               Slip(fails(begins("play")), say("Moving a piece would be your only action. Play a card first: it’s free."))),
        hint=say("Take 4 is an action card."),
        well=say("Four actions from now on, and Take 4 itself cost none of them. Blue gets four, too."),
        simplify=tactics.small_board,
    ),
    Lesson(
        name="draw-cards", title=say("Draw cards"),
        text=say("**Draw cards** cost an action. They set how many cards everybody draws, from the next turn on, until another "
                 "draw card is played."),
        task=say("You have one action left. Make everybody draw three cards a turn."),
        position=_table(_TWO, {"red p1": "a1", "red p2": "a14", "blue p1": "a16"}, "draw-3 draw-2 take-2"),
        goal=plays("play draw-3"), way=("play", "draw-3"),
        slips=(Slip(plays("play draw-2"), say("That would make it two.")),
               Slip(plays("play take-2"), say("That one’s for actions. Play the one for drawing."))),
        hint=say("Play Draw 3."),
        well=say("Blue draws three cards next, and that was your action."),
        simplify=tactics.small_board,
    ),
    Lesson(
        name="shift", title=say("Moving mats"),
        text=say("The board is made of **mats**, each with a letter. **Game changers** are cards that cost an action; *Board "
                 "Shift* moves a mat, with everything on it, if one of its sides is free. All mats must stay connected."),
        task=say("You have two actions. With the first, move the goal mat so that your puck could score with the second."),
        position=_table(_CORNER, {"red p1": "a9", "blue p1": "b16"}, "shift draw-2", action_rule=2),
        goal=both(begins("play shift"), _can_score(0)), way=("play", "shift", "c", "east-of", "a"),
        slips=(Slip(begins("play shift"), say("Your puck still wouldn’t be in line with the goal.")),),
        hint=say("Play Board Shift: lay mat c, with the goal, to the right of mat a."),
        well=say("Now the goal is in line with your puck. The card you played is on the discard pile."),
        simplify=tactics.small_board,
    ),
    Lesson(
        name="swap", title=say("Swapping mats"),
        text=say("With *Board Swap*, two mats with a free side **trade places**. Nothing gets past a pool, the blue square "
                 "with waves."),
        task=say("The pool is between your puck and the goal. Get it out of the way."),
        position=_table(_ROW, {"red p1": "a9", "blue p1": "b16"}, "swap draw-2", action_rule=2),
        goal=both(begins("play swap"), _can_score(0)), way=("play", "swap", "b", "c"),
        slips=(Slip(begins("play swap"), say("The goal still wouldn’t be open to your puck.")),),
        hint=say("Play Board Swap on mat b, with the pool, and mat c, with the goal."),
        well=say("There’s nothing between your puck and the goal any more."),
        simplify=tactics.small_board,
    ),
    Lesson(
        name="changer", title=say("Turning mats"),
        text=say("*Board Twist* **turns** any mat: by a quarter clockwise (90°), by half a turn (180°), or by a quarter "
                 "anticlockwise (270°)."),
        task=say("You have two actions. With the first, turn the goal towards your puck."),
        position=_table(_AWAY, {"red p1": "a9", "red m1": "a2", "blue p1": "a16"}, "twist draw-2", action_rule=2),
        goal=both(begins("play twist"), _can_score(0)), way=("play", "twist", "b", "180"),
        slips=(Slip(begins("play twist b"), say("That would turn mat b, but the goal still wouldn’t open towards your puck.")),
               Slip(begins("play twist a"), say("That would turn the mat with your puck. The goal is on mat b."))),
        hint=say("Play Board Twist on mat b: its goal has to open towards mat a."),
        well=say("Half a turn, and the goal is open to you. On to your second action!"),
        simplify=tactics.small_board,
    ),
    Lesson(
        name="score", title=say("… and score"),
        text=say("The game changer was your first action, and **you have one left**."),
        task=say("You’ve turned the goal. Now score."),
        position=_table(_AWAY, {"red p1": "a9", "red m1": "a2", "blue p1": "a16"}, "twist draw-2", action_rule=2),
        before=((0, ("play", "twist", "b", "180")),),
        goal=_scores(0), way=("p1", "right"),
        hint=say("Puck 1 is in line with the goal."),
        well=say("A card and a slide: that was a good turn."),
        labels=ways("p1"), simplify=tactics.small_board,
    ),
    Lesson(
        name="faceoff", title=say("Help for your pieces"),
        text=say("Other game changers help your pieces. With *Face-Off*, **two pucks on the board trade places**."),
        task=say("Blue’s puck is in line with the goal. Take its place."),
        position=_table(_TWO, {"red p1": "a16", "red p2": "a14", "blue p1": "a9"}, "faceoff draw-2", action_rule=2),
        goal=both(begins("play faceoff"), _can_score(0)), way=("play", "faceoff", "red", "p1", "blue", "p1"),
        slips=(Slip(begins("play faceoff"), say("Swap one of your pucks with Blue’s: that’s the one in line with the goal.")),),
        hint=say("Play Face-Off: one of your pucks, and Blue’s."),
        well=say("Now it’s your puck that’s in line with the goal."),
        simplify=tactics.small_board,
    ),
    Lesson(
        name="ongoing", title=say("Cards that stay"),
        text=say("A few game changers are **ongoing**: they stay in force until the next ongoing card is played. *Net Off* "
                 "closes a goal; with *Slush*, a slide ends after 4 spaces."),
        task=say("Blue is about to score in the goal on mat b. Close it."),
        position=_table(_FOUR, {"red p1": "d2", "red m1": "d6", "blue p1": "a5"}, "net-off slush take-2"),
        goal=plays("play net-off b"), way=("play", "net-off", "b"),
        slips=(Slip(plays("play slush"), say("Slush would shorten slides, but the card that closes goals is Net Off.")),
               Slip(plays("play take-2"),
                    say("Take 2 would give you another action. But this step is about the goal: play Net Off."))),
        hint=say("Play Net Off on the goal on mat b."),
        well=say("No piece may enter that goal until another ongoing card replaces Net Off."),
        simplify=tactics.small_board,
    ),
    Lesson(
        name="quick", title=say("Quick cards"),
        text=say("**Quick cards** are free, and can be played at any time. *Extra Action* and *Double Action* are for your own "
                 "turn, even when your actions are used up."),
        task=say("No actions left, and puck 1 is one slide from the goal. What now?"),
        position=_table(_TWO, {"red p1": "a9", "red m1": "a2", "blue p1": "a16"}, "extra draw-2 swap", taken=1),
        goal=plays("play extra"), way=("play", "extra"),
        slips=(Slip(plays("end"), say("Then your turn would be over before puck 1 had moved. You have a card for that.")),),
        hint=say("One of your cards gives you an action."),
        well=say("One more action, and the goal is open."),
        simplify=tactics.small_board,
    ),
    Lesson(
        name="discard", title=say("The end of a turn"),
        text=say("Your turn ends when you say so. If you hold too many cards then, you **discard** some. With two or three "
                 "players you may keep 7, with more players 5."),
        task=say("You have 8 cards. Everybody already has 4 actions a turn: discard the card that would change nothing."),
        position=_table(_TWO, {"red p1": "a1", "red p2": "a9", "blue p1": "a16"},
                        "take-4 take-6 draw-3 shift swap twist faceoff extra", phase="discard", action_rule=4),
        goal=plays("discard take-4"), way=("discard", "take-4"),
        hint=say("Take 4 would only set what’s already set."),
        well=say("Seven cards are left, and now it’s Blue’s turn."),
        simplify=tactics.small_board,
    ),
    Lesson(
        name="whistle", title=say("The Whistle"),
        text=say("A **Whistle** is a quick card for other players’ turns: it undoes their last action. When somebody’s last "
                 "puck goes in, every opponent holding a card is asked first: whistle, or let the win stand."),
        task=say("Blue has just scored the fourth puck. Don’t let Blue win."),
        position=_table(_TWO, {"red p1": "a1", "red i1": "a2", "blue p1": "a5"}, "whistle take-3", to_move=1,
                        scored=["blue p2", "blue p3", "blue p4"]),
        before=((1, ("p1", "right")),),
        goal=tells("undo"), way=("play", "whistle"),
        slips=(Slip(plays("pass"), say("That would let the win stand, and Blue would have won.")),),
        hint=say("You hold a Whistle."),
        well=say("Blue’s puck is back where it was, and Blue’s only action is spent: on your turn you can block its way. The "
                 "Whistle is gone, too, so use it well."),
        simplify=tactics.small_board,
    ),
)  # fmt: skip

COURSE: Final = Course(
    game=GAMES["pucks"],
    lessons=(*_LESSONS, *tactics.PUCKS),
    outro=say("What’s left to know:\n"
              "- Each turn you have to act as often as the Take card says, while you can. No move may put everything back to "
              "where it was before your last one.\n"
              "- A goal can be entered from its front only. Ice and meeples may stand in it.\n"
              "- Everybody sees how many cards you hold, but not which. The discard pile is open to all.\n"
              "- *U-Turn*, a quick card, ends the turn that is going on, and play goes the other way round.\n"
              "- *Orders* (standing orders) are played while you’re away: whistle if Blue is about to win, for example. The "
              "computer plays its whole turn at once, so set one if you want to whistle in it.\n"
              "- If you hold no card at all, your turn ends by itself with your last action.\n"
              "- *Hand* shows your cards. What each card does exactly is in the card index of `/rules`."),
)  # fmt: skip
