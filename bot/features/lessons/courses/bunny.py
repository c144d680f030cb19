"""The lessons of Bounce Bunny Bounce, as data. The learner is Red."""

from collections.abc import Mapping
from typing import Any, Final

from bot.features.lessons.courses import tactics
from bot.features.lessons.courses.lesson import Course, Lesson, Slip, Tried, begins, both, fails, plays, tells, ways, wins
from engines import GAMES
from engines.bunny import BunnyView
from engines.bunny.field import DIRECTIONS, SPACES, card_on, next_card
from engines.text import say
from engines.values import replace


def _field(cards: Mapping[str, str], *, up: str = "", **what: Any) -> dict[str, Any]:
    """Return a position in which Red hops next, unless `what` says otherwise.

    `cards` maps spaces to the cards on them; every other space has a Stop. Carrots lie face up, and so do the cards on the
    spaces in `up`.
    """
    usual = {"bunnies": [None, None], "shocks": [0, 0], "carrots": [0, 0], "to_act": 0, "turn": 0, "phase": "move"}
    return {"field": {**dict.fromkeys(SPACES, "stop"), **cards}, "face_up": up.split(), **usual, **what}


def _carrots(*spaces: str) -> dict[str, str]:
    return dict.fromkeys(spaces, "carrot")


def _beside_carrot(tried: Tried, seat: int) -> bool:
    state = tried.step.state
    space = state.bunnies[seat]
    ahead = [next_card(state.field, space, way) for way in DIRECTIONS] if space is not None else []
    return any(card_on(state.field, there) == "carrot" for there in ahead if there is not None)


def _blue_kept_off(tried: Tried) -> bool:
    """Whether Blue has gained no Carrot and has none in reach, while Red’s Bunny is still on the field."""
    state = tried.step.state
    return state.carrots[1] == tried.state.carrots[1] and state.bunnies[0] is not None and not _beside_carrot(tried, 1)


def _before_shocks(view: BunnyView) -> BunnyView:
    """Return a view that shows nothing about Universal Shocks."""
    return replace(view, shocks=())


_LESSONS: Final = (
    Lesson(
        name="enter", title=say("Hop in"),
        text=say("Be the first to take **three carrots**. They lie face up, all other cards face down. Your Bunny starts "
                 "beside the field and hops in on a card in **row 1**, the bottom row."),
        task=say("There’s a carrot on d2. Hop in right below it."),
        position=_field(_carrots("d2", "g4", "b5", "e5", "a3")),
        goal=plays("enter d"), way=("enter", "d"),
        hint=say("Right below d2 is d1."),
        well=say("The card on d1 was a Stop, so nothing happens. At the end of the turn it’s turned face down again."),
        simplify=_before_shocks,
    ),
    Lesson(
        name="hop", title=say("Hop"),
        text=say("On the field, a Bunny **hops one card** each turn: left, right, up or down."),
        task=say("You’re on d3. Take the carrot on d4."),
        position=_field(_carrots("d4", "g1", "b5", "f4", "a2"), bunnies=["d3", None]),
        goal=tells("carrot", 0), way=("up",),
        hint=say("d4 is right above d3."),
        well=say("The carrot is yours, and its space stays empty."),
        labels=ways(), simplify=_before_shocks,
    ),
    Lesson(
        name="edge", title=say("Round the edge"),
        text=say("Hop off one edge of the field and you come back on at the **opposite edge**, in the same row or column."),
        task=say("You’re on g2. Take the carrot on a2."),
        position=_field(_carrots("a2", "c4", "e5", "f4", "b5"), bunnies=["g2", None]),
        goal=tells("carrot", 0), way=("right",),
        hint=say("a2 is in your row, across the edge."),
        well=say("Off the right edge, back on at the left."),
        labels=ways(), simplify=_before_shocks,
    ),
    Lesson(
        name="gap", title=say("Empty spaces"),
        text=say("You **hop straight past** a space whose carrot is gone."),
        task=say("There’s nothing left on c3 and d3. Take a carrot."),
        position=_field({**_carrots("e3", "g5", "c5"), "c3": "empty", "d3": "empty"}, bunnies=["b3", None], carrots=[1, 1]),
        goal=tells("carrot", 0), way=("right",),
        hint=say("The nearest carrot is on e3, in your row. Empty spaces don’t count."),
        well=say("Over two empty spaces in a single hop."),
        labels=ways(), simplify=_before_shocks,
    ),
    Lesson(
        name="arrow", title=say("Shock cards"),
        text=say("A **shock card** has a red arrow. Land on it, and your Bunny hops on at once, the way it points."),
        task=say("For once, a shock card lies face up, on d3. Let it take you to the carrot on d4."),
        position=_field({**_carrots("d4", "g5", "a2"), "d3": "up"}, up="d3", bunnies=["c3", None], carrots=[1, 1]),
        goal=tells("carrot", 0), way=("right",),
        hint=say("Hop onto d3: its arrow points up, to d4."),
        well=say("One hop onto d3, and the arrow did the rest. Now the card lies face down."),
        labels=ways(), simplify=_before_shocks,
    ),
    Lesson(
        name="bump", title=say("Bumps"),
        text=say("A Bunny that hops onto the other Bunny’s card **bumps it off the field**."),
        task=say("Blue is about to take the carrot on c1. Bump Blue off the field."),
        position=_field(_carrots("c1", "f4", "a5"), bunnies=["c3", "c2"], carrots=[1, 1]),
        goal=tells("bump", 0), way=("down",),
        hint=say("Blue’s Bunny is on c2, right below yours."),
        well=say("Blue will have to hop in on row 1 again next turn."),
        labels=ways(), simplify=_before_shocks,
    ),
    Lesson(
        name="chain", title=say("Chains"),
        text=say("Shock cards send you on, one after another, until you land on a card that isn’t a shock. Then they’re all "
                 "turned face down again. You can see them in the picture until the next move: **remember them**."),
        task=say("Blue has just hopped to c2, over d3 and c3. Hop into the same chain and bump Blue off the field."),
        position=_field({**_carrots("g4", "f5", "a4"), "d3": "left", "c3": "down"}, bunnies=["e3", "d4"], carrots=[1, 1],
                        to_act=1, turn=1),
        before=((1, ("down",)),),
        goal=tells("bump", 0), way=("left",),
        hint=say("The card on d3 sends you left, the one on c3 down. From e3, which way is d3?"),
        well=say("Left onto d3, and the shock cards did the rest."),
        labels=ways(), simplify=_before_shocks,
    ),
    Lesson(
        name="loop", title=say("Round in circles"),
        text=say("If shock cards lead a Bunny back to a card it has already landed on this turn, it’s a **loop**, and the "
                 "Bunny is flung off the field."),
        task=say("Blue has just been caught in a loop. You have two carrots: win, and don’t follow Blue off the field."),
        position=_field({**_carrots("g3", "d5", "e4"), "b3": "right", "c3": "left"}, bunnies=["a3", "b4"], carrots=[2, 0],
                        to_act=1, turn=1),
        before=((1, ("down",)),),
        goal=wins(0), way=("left",),
        slips=(Slip(tells("loop", 0), say("b3 sends you right and c3 sends you left: you’ve just seen it happen to Blue.")),),
        hint=say("The carrot on g3 is in your row, at the far end. Is it really that far?"),
        well=say("Round the edge, away from the loop. The third carrot wins at once."),
        labels=ways(), simplify=_before_shocks,
    ),
    Lesson(
        name="spy", title=say("The Spy"),
        text=say("On a **Spy**, you peek at one face-down card. **Only you see it**, and it stays face down."),
        task=say("You’re on the Spy on a4, and next turn you’d like to hop right. Peek at the card you’d land on."),
        position=_field({**_carrots("c5", "e3", "f4"), "a4": "spy", "b4": "down"}, up="a4", bunnies=["a4", None],
                        carrots=[1, 1], phase="spy"),
        goal=plays("spy b4"), way=("spy", "b4"),
        hint=say("To the right of a4 is b4. First pick its row."),
        well=say("A shock card pointing down: now you know, and Blue doesn’t. *My secrets* shows it again until the next Bunny "
                 "hops."),
        simplify=_before_shocks,
    ),
    Lesson(
        name="swap", title=say("The Swap"),
        text=say("On a **Swap**, you make two cards on the field change places, face up or face down, **carrots too**."),
        task=say("You’re on c3. Bring a carrot next to your Bunny."),
        position=_field({**_carrots("g1", "f5", "e4"), "c3": "swap"}, up="c3", bunnies=["c3", None], carrots=[1, 1],
                        phase="swap"),
        goal=lambda tried: _beside_carrot(tried, 0), way=("swap", "d3", "g1"),
        hint=say("b3, d3, c4 and c2 are next to your Bunny. Swap one of them with a carrot, say the one on e4."),
        well=say("Your next hop can take it, unless Blue spoils it."),
        simplify=_before_shocks,
    ),
    Lesson(
        name="shock", title=say("Shock the other Bunny"),
        text=say("The yellow bolts are **Universal Shocks**; everybody starts with three. After your hop you may spend one: "
                 "the other Bunny hops once, the way **you** choose. The card it lands on works for its owner."),
        task=say("Blue’s Bunny on f3 is about to take the carrot on g3. Keep it away."),
        position=_field(_carrots("g3", "b5", "a2"), bunnies=["e3", "f3"], shocks=[2, 3], carrots=[1, 2], phase="shock"),
        goal=both(begins("shock"), _blue_kept_off), way=("shock", "up"),
        slips=(Slip(plays("pass"), say("Blue has two carrots. The next hop would take the third and win.")),
               Slip(tells("carrot", 1), say("That would send Blue right onto the carrot: Blue’s third.")),
               Slip(fails(_blue_kept_off), say("That would send Blue onto your own card, and bump your Bunny off the field."))),
        hint=say("Send Blue up or down."),
        well=say("From there Blue can’t reach a carrot, and you’ve kept a Universal Shock for later."),
        labels=ways("shock"),
    ),
    Lesson(
        name="bonus", title=say("The Bonus Shock"),
        text=say("A **Bonus Shock** gives you one more Universal Shock, up to three. Like the Spy and the Swap, it stays face "
                 "up and works every time."),
        task=say("You have only one Universal Shock left. Get another."),
        position=_field({**_carrots("g3", "g4", "d5"), "b4": "bonus"}, up="b4", bunnies=["b3", None], shocks=[1, 3],
                        carrots=[1, 1]),
        goal=tells("bonus", 0), way=("up",),
        hint=say("The Bonus Shock lies face up on b4."),
        well=say("Two bolts again."),
        labels=ways(),
    ),
)  # fmt: skip

COURSE: Final = Course(
    game=GAMES["bunny"],
    lessons=(*_LESSONS, *tactics.BUNNY),
    retired=("cards",),
    outro=say("What’s left to know:\n"
              "- 35 cards lie on the field: 20 shock cards (5 each way), 5 carrots, 5 Stops, 2 Spies, 2 Swaps, 1 Bonus Shock.\n"
              "- A turn is: hop, let the card act, shock the other Bunny or keep the shock. Blue starts.\n"
              "- If your Universal Shock sends the other Bunny onto a Spy or a Swap, its owner carries that out at once; then "
              "your turn is over.\n"
              "- You can’t hop in on the other Bunny’s card. On an empty space nobody can be bumped: the other Bunny hops "
              "past.\n"
              "- A card under a Bunny can’t be swapped, and neither can an empty space.\n"
              "- If a shock card points along a row or column without another card, that’s a loop, too.\n"
              "- After 80 turns in a row without a carrot, whoever has more carrots wins; a tie is a draw."),
)  # fmt: skip
