"""The lessons of BOUNCE, as data. The learner is Red, and chooses what the dice show."""

from typing import Any, Final

from bot.features.lessons.courses.lesson import Condition, Course, Lesson, Slip, Tried, plays, tells, wins
from engines import GAMES
from engines.text import say
from engines.trampoline import TrampolineView
from engines.values import replace


def _tokens(*jumpers: tuple[int, str, int]) -> dict[str, Any]:
    """Return a position in which Red rolls. For each seat, `jumpers` has its token's spot, the way it faces, and its jumps."""
    return {"to_move": 0, "tokens": [{"spot": spot, "facing": facing, "jumps": jumps} for spot, facing, jumps in jumpers]}


def _at(spot: int, facing: str) -> Condition:
    def rests(tried: Tried) -> bool:
        place = tried.step.state.tokens[0].place
        return place is not None and place.spot == spot and place.facing == facing

    return rests


def _before_jumps(view: TrampolineView) -> TrampolineView:
    """Return a view that shows no jumps, and nothing about landing."""
    return replace(view, scores=(), wins=(), away=0)


def _before_odds(view: TrampolineView) -> TrampolineView:
    """Return a view that does not say which roll wins."""
    return replace(view, wins=(), away=0)


_THREE_DICE: Final = ((1, 1, 1), (1, 1, 2), (1, 2, 2), (2, 2, 2))
"""Rolls of three dice that add up to three, four, five or six moves."""

_LESSONS: Final = (
    Lesson(
        name="roll", title=say("Up you go"),
        text=say("You’ve had far too much cake, and you’re on a trampoline. A turn is one roll of the dice: it takes you that "
                 "many moves **up**, spot by spot. Spot 1 is the mat, spot 9 the top."),
        task=say("You’re on the mat. Roll the dice."),
        position=_tokens((1, "up", 1), (8, "up", 1)),
        goal=plays("roll"), way=("roll",), chance=(1, 2, 0),
        hint=say("Press the button with the dice."),
        well=say("2, 3 and 1 make six moves: from spot 1 up to spot 7."),
        question=say("Ready to roll?"), simplify=_before_jumps,
    ),
    Lesson(
        name="top", title=say("Over the top"),
        text=say("You go up to spot 9, turn over, then come **down** again. Turning is a move of its own: you stay on spot 9, "
                 "and now you’re coming down."),
        task=say("You’re on spot 7, going up. Get to spot 8, coming down."),
        position=_tokens((7, "up", 1), (2, "up", 1)),
        rolls=_THREE_DICE,
        goal=_at(8, "down"), way=("dice-1-1-2",),
        slips=(Slip(plays("dice-1-1-1"), say("That’s three moves: to 8, to 9, and the turn. You’d be on 9, coming down.")),
               Slip(plays("dice-1-2-2", "dice-2-2-2"), say("That’s too far: you’d be past spot 8."))),
        hint=say("Count: 8, 9, turn over, 8."),
        well=say("8, 9, the turn, 8: four moves."),
        simplify=_before_jumps,
    ),
    Lesson(
        name="jump", title=say("Off again"),
        text=say("At the bottom, you turn on the mat, which is a move of its own, and go up again: **one more jump**. The "
                 "small numbers count your jumps. At **jump 15** the cake comes back up, and you’re out."),
        task=say("You’re on spot 3, coming down. Jump again, up to spot 2."),
        position=_tokens((3, "down", 2), (7, "up", 2)),
        rolls=_THREE_DICE,
        goal=_at(2, "up"), way=("dice-1-1-2",),
        slips=(Slip(plays("dice-1-1-1"), say("That’s three moves: to 2, to the mat, and the turn. You’d still be on the mat.")),
               Slip(plays("dice-1-2-2", "dice-2-2-2"), say("That’s too far: you’d be above spot 2."))),
        hint=say("Count: 2, mat, turn, 2."),
        well=say("2, mat, the turn, 2: four moves, and your third jump. Your face will show it, too."),
        simplify=_before_odds,
    ),
    Lesson(
        name="land", title=say("Landing"),
        text=say("You **land, and win, when your roll ends on the mat, coming down**. The number has to be exact."),
        task=say("You’re on spot 6, coming down. Land."),
        position=_tokens((6, "down", 3), (7, "up", 4)),
        rolls=_THREE_DICE,
        goal=wins(0), way=("dice-1-2-2",),
        slips=(Slip(plays("dice-1-1-1", "dice-1-1-2"), say("That’s not enough: you’d still be above the mat.")),
               Slip(tells("roll"), say("That’s too much: you’d be off again, with one more jump."))),
        hint=say("From spot 6: 5, 4, 3, 2, mat."),
        well=say("5, 4, 3, 2, mat: you’re down and you’ve won. The first to land wins."),
        simplify=_before_odds,
    ),
    Lesson(
        name="dice", title=say("Fewer dice"),
        text=say("With **5 jumps or more** you roll only two dice. When the picture shows the dice for your next roll, it also "
                 "tells you which roll wins."),
        task=say("You’ve made 6 jumps, and you’re on spot 4, coming down. Land."),
        position=_tokens((4, "down", 6), (7, "up", 7)),
        rolls=((1, 1), (1, 2), (2, 2), (3, 3)),
        goal=wins(0), way=("dice-1-2",),
        slips=(Slip(plays("dice-1-1"), say("That would get you to spot 2. Not quite the mat.")),
               Slip(tells("roll"), say("That’s too much: you’d be off again, with one more jump."))),
        hint=say("From spot 4: 3, 2, mat."),
        well=say("A 3 with two dice, as the picture said."),
    ),
    Lesson(
        name="fall", title=say("Jelly legs"),
        text=say("With **10 jumps or more** you roll one die, and your legs are jelly: when a roll ends on the way up, you "
                 "turn over right there, for free. Except on the mat."),
        task=say("You’ve made 10 jumps, and this time the die won’t show the 2 that wins. Get back to spot 3, coming down."),
        position=_tokens((3, "down", 10), (7, "up", 8)),
        rolls=((3,), (4,), (5,), (6,)),
        goal=_at(3, "down"), way=("dice-5",),
        slips=(Slip(plays("dice-3"), say("You’d be on the mat, just taking off: nobody turns over there.")),
               Slip(plays("dice-4"), say("You’d get up to spot 2 and turn over there.")),
               Slip(plays("dice-6"), say("You’d get up to spot 4 and turn over there."))),
        hint=say("Two moves down to the mat, then the turn, then up. Where the roll ends, you turn over."),
        well=say("Down to the mat in two, off again, up to 3, and there you turned over for free."),
    ),
    Lesson(
        name="lift", title=say("Bumps"),
        text=say("You can pass the others freely. But if your roll **ends** where another player is, you bump. If you’re both "
                 "going the same way, you stay, and they go **one move on**: up, or down."),
        task=say("Blue is on spot 7, going up. Give Blue a lift to spot 8."),
        position=_tokens((3, "up", 6), (7, "up", 6)),
        rolls=((1, 2), (2, 2), (2, 3), (3, 3)),
        goal=tells("bump"), way=("dice-2-2",),
        slips=(Slip(plays("dice-2-3", "dice-3-3"), say("You’d fly past Blue. To bump, your roll has to end on Blue’s spot.")),),
        hint=say("From 3 to 7 it’s four moves."),
        well=say("You stay on 7, and Blue is lifted to 8. Bumps never count as jumps."),
    ),
    Lesson(
        name="head-on", title=say("Head-on"),
        text=say("If one is going up and the other coming down, **whoever was going up drops one spot and comes down from "
                 "there**. Sometimes that’s just what you want."),
        task=say("Blue is on spot 7, coming down. Get yourself turned round, down to spot 6."),
        position=_tokens((3, "up", 6), (7, "down", 7)),
        rolls=((1, 1), (1, 2), (2, 2), (2, 3)),
        goal=_at(6, "down"), way=("dice-2-2",),
        slips=(Slip(plays("dice-1-2"), say("You’d be on spot 6, but still going up: nobody turns you round there.")),),
        hint=say("Bump into Blue from below: your roll has to end on spot 7."),
        well=say("Blue stays. You’ve dropped to 6, and you’re on the way down, six moves sooner."),
    ),
    Lesson(
        name="gift", title=say("Don’t be too kind"),
        text=say("Whoever is bumped onto the mat **has landed and wins**. So check who’s right above it."),
        task=say("Blue is on spot 2, coming down. You’re on spot 5, coming down. Win alone."),
        position=_tokens((5, "down", 6), (2, "down", 9)),
        rolls=((1, 1), (1, 2), (1, 3), (2, 3)),
        goal=wins(0), way=("dice-1-3",),
        slips=(Slip(wins(1), say("That would bump Blue from spot 2 down to the mat, and Blue would win.")),
               Slip(plays("dice-2-3"), say("That’s one too many: you’d pass the mat."))),
        hint=say("Which roll takes you down to the mat exactly?"),
        well=say("Past Blue, down to the mat. A 6 wins as well: past the mat and up to spot 2, where Blue bumps you back onto "
                 "it."),
    ),
    Lesson(
        name="faceplant", title=say("The faceplant"),
        text=say("It’s all luck, except for one choice. With **14 jumps**, coming down on spot 2 or 3, you may **faceplant** "
                 "instead of rolling: a coin takes you 1 or 2 moves, each equally likely. Passing the mat would be jump 15, "
                 "and the cake."),
        task=say("You’re on spot 3 with 14 jumps. Take the better chance."),
        position=_tokens((3, "down", 14), (6, "up", 8)),
        goal=plays("faceplant"), way=("faceplant",), chance=(1,),
        slips=(Slip(plays("roll"),
                    say("The die was kind this time, but only a 2 wins: one chance in six. With the coin it’s one in two.")),),
        hint=say("Two moves, and you’ve landed. How likely is that with a die, and how likely with the coin?"),
        well=say("One in two, and the coin was kind. Had it shown a 1, you’d be on spot 2 and could faceplant again."),
    ),
)  # fmt: skip

COURSE: Final = Course(
    game=GAMES["trampoline"],
    lessons=_LESSONS,
    outro=say("What’s left to know:\n"
              "- Everybody begins on the lawn. The first move puts you on the mat, and that’s jump 1.\n"
              "- In a game nobody chooses the dice. *Verify* shows that they were fair.\n"
              "- A player who is bumped onto another one bumps on, by the same rules. Nobody is moved twice in a turn.\n"
              "- If one turn lands two players, both win.\n"
              "- If everybody throws up, nobody wins. One to four can play, and alone it’s you against the cake."),
)  # fmt: skip
