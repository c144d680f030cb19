"""The lessons of Bounce Bunny Bounce, as data. The learner is Red."""

from collections.abc import Mapping
from typing import Any, Final

from bot.lessons.conditions import begins, both, fails, plays, tells, wins
from bot.lessons.lesson import Course, Lesson, Slip, Tried
from engines import GAMES
from engines.bunny.field import DIRECTIONS, SPACES, card_on, next_card
from engines.text import say

_PATCH: Final = """
right up    stop  down  left  down  stop
spy   bonus up    left  down  stop  stop
stop  up    left  stop  right left  down
swap  up    right stop  stop  up    down
stop  right left  down  left  up    spy
"""
"""The cards on the field unless a lesson says otherwise, the top row first."""


def _field(cards: Mapping[str, str], *, up: str = "", **what: Any) -> dict[str, Any]:
    """Return a position in which Red hops next, unless `what` says otherwise.

    Args:
        cards: the cards of spaces with another one. Carrots lie face up.
        up: the other cards that lie face up, with spaces between them.
        what: other keys of the position.
    """
    rows = [line.split() for line in _PATCH.split("\n") if line]
    field = dict(zip(SPACES, (card for row in reversed(rows) for card in row), strict=True))
    usual = {"bunnies": [None, None], "shocks": [0, 0], "carrots": [0, 0], "to_act": 0, "turn": 0, "phase": "move"}
    return {"field": {**field, **cards}, "face_up": up.split(), **usual, **what}


def _carrots(*spaces: str) -> dict[str, str]:
    return dict.fromkeys(spaces, "carrot")


def _beside_carrot(tried: Tried, seat: int) -> bool:
    """Return whether a Bunny could take a Carrot with its next hop."""
    state = tried.step.state
    space = state.bunnies[seat]
    ahead = [next_card(state.field, space, way) for way in DIRECTIONS] if space is not None else []
    return any(card_on(state.field, there) == "carrot" for there in ahead if there is not None)


def _carrot_in_reach(tried: Tried) -> bool:
    """Red’s next hop could take a Carrot."""
    return _beside_carrot(tried, 0)


def _blue_kept_off(tried: Tried) -> bool:
    """Blue has no Carrot and none in reach, and Red’s Bunny is still on the field."""
    state = tried.step.state
    return state.carrots[1] == tried.state.carrots[1] and state.bunnies[0] is not None and not _beside_carrot(tried, 1)


_LESSONS: Final = (
    Lesson(
        name="enter",
        title=say("Hop in"),
        text=say(
            "35 cards lie on the field: columns a to g, rows 1 to 5. Five are **Carrots**, face up; **three of "
            "them win**. All others lie face down. Your Bunny begins beside the field and hops in on a card of "
            "**row 1**, the bottom row, but not on the one where the other Bunny is."
        ),
        task=say("There’s a Carrot on d2. Hop in right below it."),
        position=_field({**_carrots("d2", "g4", "b5", "e5", "a3"), "d1": "stop"}),
        goal=plays("enter d"),
        way=("enter", "d"),
        hint=say("Right below d2 is d1."),
        well=say("The card on d1 was turned up: a Stop, and nothing happens. At the end of the turn it’s turned down again."),
    ),
    Lesson(
        name="edge",
        title=say("Round the edge"),
        text=say(
            "A Bunny on the field **hops one card** left, right, up or down, and it has to. Over an edge it goes "
            "on at the **opposite edge** of the same row or column.\n"
            "A hop onto a hidden card is played at once and can’t be taken back."
        ),
        task=say("You’re on g2. Take the Carrot on a2."),
        position=_field(
            {**_carrots("a2", "c4", "e5", "f4", "b5"), "f2": "stop", "g3": "stop", "g1": "stop"}, bunnies=["g2", None]
        ),
        goal=tells("carrot", 0),
        way=("right",),
        hint=say("a2 is in your row, right behind the edge."),
        well=say("Over the right edge, on at the left. The Carrot is yours, and its space stays empty."),
    ),
    Lesson(
        name="gap",
        title=say("Empty spaces"),
        text=say(
            "The empty space of a Carrot that was taken is **passed over**, up to the next card. If there’s no "
            "other card in a row or column, you can’t go that way."
        ),
        task=say("On c3 and d3 there’s nothing left. Take a Carrot."),
        position=_field(
            {**_carrots("e3", "g5", "c5"), "c3": "empty", "d3": "empty", "b4": "stop", "b2": "stop"},
            bunnies=["b3", None],
            carrots=[1, 1],
        ),
        goal=tells("carrot", 0),
        way=("right",),
        hint=say("A hop to the right flies over both empty spaces."),
        well=say("Over two empty spaces with a single hop."),
    ),
    Lesson(
        name="cards",
        title=say("What the cards do"),
        text=say(
            "The card you land on is turned up and acts at once:\n"
            "- **Stop**: nothing. **Carrot**: it’s yours.\n"
            "- **Bonus Shock**: one Universal Shock more for your hand, three at most.\n"
            "- **Spy**: peek at a card. **Swap**: two cards change places.\n"
            "- **Shock cards**, red arrows: you hop on.\n"
            "Spy, Swap and Bonus Shock stay face up and work every time.\n"
            "Everybody begins with three **Universal Shocks** in hand. You see them as yellow bolts, and buttons just "
            "say *shock*."
        ),
        task=say("Only one of your Universal Shocks is left. Get another."),
        position=_field(
            {**_carrots("g3", "g4", "d5"), "a3": "stop", "c3": "stop", "b2": "stop"},
            up="b4",
            bunnies=["b3", None],
            shocks=[1, 3],
            carrots=[1, 1],
        ),
        goal=tells("bonus", 0),
        way=("up",),
        hint=say("The Bonus Shock lies face up on b4."),
        well=say("Two bolts again. You’ll soon see what they are for."),
    ),
    Lesson(
        name="chain",
        title=say("Chains, and a bump"),
        text=say(
            "Land on a **shock card**, and your Bunny hops on at once, the way its arrow points, card after card, "
            "until it isn’t a shock card. Then all of them lie face down again: **remember them**. You can look at "
            "the chain until the next move; after that it isn’t shown again.\n"
            "Whoever hops onto the other Bunny’s card throws it **out of the field**."
        ),
        task=say("Blue has just hopped to c2, over d3 and c3. Hop into the same chain and throw Blue out."),
        position=_field(
            {
                **_carrots("g4", "f5", "a4"),
                "d3": "left",
                "c3": "down",
                "c2": "stop",
                "e3": "stop",
                "d4": "stop",
                "e4": "stop",
                "e2": "stop",
                "f3": "stop",
            },
            bunnies=["e3", "d4"],
            carrots=[1, 1],
            to_act=1,
            turn=1,
        ),
        before=((1, ("down",)),),
        goal=tells("bump", 0),
        way=("left",),
        hint=say("The card on d3 sends left, the one on c3 down. From e3, which way is d3?"),
        well=say("Left onto d3, and the shock cards did the rest. Blue hops in on row 1 again, in Blue’s next turn."),
    ),
    Lesson(
        name="loop",
        title=say("Round in circles"),
        text=say(
            "If shock cards lead a Bunny back to a card that they have already shown in this chain, it’s a **loop**, "
            "and the Bunny flies out of the field. Your turn goes on all the same: you may still spend a Universal "
            "Shock. **The third Carrot wins at "
            "once**, no matter whose turn it is."
        ),
        task=say("Blue has just flown out. You have two Carrots: win, and don’t fly after Blue."),
        position=_field(
            {**_carrots("g3", "d5", "e4"), "b3": "right", "c3": "left", "a3": "stop", "b4": "stop", "a4": "stop", "a2": "stop"},
            bunnies=["a3", "b4"],
            carrots=[2, 0],
            to_act=1,
            turn=1,
        ),
        before=((1, ("down",)),),
        goal=wins(0),
        way=("left",),
        slips=(Slip(tells("loop", 0), say("b3 sends right and c3 sends left: you’ve just seen it happen to Blue.")),),
        hint=say("The Carrot on g3 is in your row, at the far end. Is it really far?"),
        well=say("Round the edge, away from the loop: three Carrots."),
    ),
    Lesson(
        name="spy",
        title=say("The Spy"),
        text=say(
            "On a Spy you peek at one card that lies face down. **Only you see it**, and it stays as it was. "
            "*Hand* shows it again until the next Bunny hops."
        ),
        task=say("You’re on the Spy on a4, and next turn you’d like to hop right. Peek at what you’d land on."),
        position=_field(
            {**_carrots("c5", "e3", "f4"), "b4": "down"}, up="a4", bunnies=["a4", None], carrots=[1, 1], phase="spy"
        ),
        goal=plays("spy b4"),
        way=("spy", "b4"),
        hint=say("To the right of a4 is b4. First pick its row."),
        well=say("A shock card, down: now you know, and Blue doesn’t."),
    ),
    Lesson(
        name="swap",
        title=say("The Swap"),
        text=say(
            "On a Swap you have to let two cards change places, face up or face down, **Carrots too**. Each keeps "
            "the side that is up. Cards under a Bunny stay, and empty spaces can’t be swapped."
        ),
        task=say("You’re on c3. Bring a Carrot next to your Bunny."),
        position=_field(
            {**_carrots("g1", "f5", "e4"), "c3": "swap"}, up="c3", bunnies=["c3", None], carrots=[1, 1], phase="swap"
        ),
        goal=_carrot_in_reach,
        way=("swap", "d3", "g1"),
        hint=say("Next to your Bunny are b3, d3, c4 and c2. Swap one of them with a Carrot, e4 for example."),
        well=say("Your next hop can take it, if Blue doesn’t spoil it."),
    ),
    Lesson(
        name="shock",
        title=say("Shock the other Bunny"),
        text=say(
            "When your card has acted, you may **spend a Universal Shock on the other Bunny**, if it’s on the field: it "
            "hops once, the way you choose, and on as its cards say. What it lands on acts **for its owner**. If "
            "you send it onto your own Bunny, yours flies out. Or let it be, and keep it."
        ),
        task=say("Blue’s Bunny on f3 is about to take the Carrot on g3. Keep it away from there."),
        position=_field(
            {**_carrots("g3", "b5", "a2"), "e3": "stop", "f3": "stop", "f4": "stop", "f2": "left", "e2": "stop"},
            bunnies=["e3", "f3"],
            shocks=[2, 3],
            carrots=[1, 2],
            phase="shock",
        ),
        goal=both(begins("shock"), _blue_kept_off),
        way=("shock", "up"),
        slips=(
            Slip(plays("pass"), say("Blue has two Carrots. The next hop would be the third, and the end.")),
            Slip(tells("carrot", 1), say("You sent Blue right onto the Carrot, and it was Blue’s third.")),
            Slip(fails(_blue_kept_off), say("You sent Blue onto your own card, and your Bunny flew out.")),
        ),
        hint=say("Send Blue up or down."),
        well=say("From there, no Carrot is in Blue’s reach, and you have a Universal Shock left for another time."),
    ),
)

COURSE: Final = Course(
    game=GAMES["bunny"],
    lessons=_LESSONS,
    outro=say(
        "What’s left to know:\n"
        "- 35 cards lie on the field: 20 shock cards (5 each way), 5 Carrots, 5 Stops, 2 Spies, 2 Swaps, 1 Bonus Shock.\n"
        "- A turn is: hop, let the card act, spend a Universal Shock on the other Bunny or let it be. Blue begins.\n"
        "- If your Universal Shock sends the other Bunny onto a Spy or a Swap, its owner carries that out at once; then "
        "your turn is over.\n"
        "- On an empty space nobody can be bumped: the other Bunny hops past.\n"
        "- If a shock card points along a row or column without another card, that’s a loop, too.\n"
        "- After 80 turns in a row without a Carrot, whoever has more of them wins; as many each is a draw."
    ),
)
