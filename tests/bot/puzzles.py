"""Puzzles that replace Springboard's own in tests, and people who solve them."""

from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from datetime import date
from typing import Any, Final
from unittest import mock

from simcord.actors import MemberActor
from simcord.results import InteractionResult

from bot.core.core import Core
from bot.features.posts.service import Posts
from bot.features.puzzles.service import Puzzles
from bot.messages.click import Click
from engines.game import Action, legal_actions
from engines.values import replace
from opponents.puzzles.collection import Collection
from opponents.puzzles.days import Calendar
from opponents.puzzles.judging import Verdict, answer
from opponents.puzzles.puzzle import Puzzle, puzzle_of
from tests.bot.kit import Message, buttons, reply

LONG: Final = puzzle_of(
    "bouncers", "5 4 win forced quiet,race bouncers126GB57ZE8ABGN6GRNM036N4D f4-e4, c6-b5, h2-g3, e7-f7, e5-f6-e7-e8"
)
"""Three moves of the solver: f4-e4, h2-g3, e5-f6-e7-e8."""
SHORT: Final = puzzle_of("bouncers", "10 8 force:4 forced - bouncers14VYCQSMQ3FM30AKW034Y6A a3-b4")
PUCKS: Final = puzzle_of(
    "pucks", "5 3 score exhausted - pucks12E11M4073DD9F795THV6G9GTW085GZBCX1C05R6VG p2 up, p2 right"
)  # fmt: skip
BUNNY: Final = puzzle_of("bunny", "5 2 carrot covered - bunny13H8PYRQ3Q7NYJAYHZF84QPPNHJWG1J0C38YZE enter d")
BEST: Final = puzzle_of(
    "bunny", "10 2 best sampled quiet bunny1EPMZQ59KTJE7V0N9GQYDRC0PEKFXDWC3ZE5Q left; right 20, up 37, down 39"
)  # fmt: skip
UNSEEN: Final = puzzle_of(
    "bunny", "15 7 best sampled - bunny180XTRQ0WKNEK6TGK9RTPWYVTVQGJW83KT44 down; left 24, up 32, right 35"
)  # fmt: skip
"""The best move reveals a hidden card, so the line ends before it with a picture."""
PRACTICE: Final = (LONG, SHORT, PUCKS, BUNNY)
BEFORE: Final = date(2025, 12, 29)
"""The Monday before the clock of `tests.bot.kit` starts."""
MONDAY: Final = date(2026, 1, 5)
"""The Monday on which the clock of `tests.bot.service` starts."""


def collection(*puzzles: Puzzle, days: tuple[Puzzle | None, ...] = (), first: date = MONDAY) -> Collection:
    """Puzzles for practice, and daily ones from `first` on."""
    known = [*puzzles, *(puzzle for puzzle in days if puzzle is not None)]
    names = tuple(None if puzzle is None else puzzle.name for puzzle in days)
    return Collection({puzzle.name: puzzle for puzzle in known}, Calendar(names, first))


def with_days(first: date = BEFORE) -> Collection:
    """Puzzles for practice, and for each of a hundred days."""
    return collection(*PRACTICE, days=tuple(numbered(LONG, 1000 + day) for day in range(100)), first=first)


def numbered(puzzle: Puzzle, number: int) -> Puzzle:
    return replace(puzzle, number=number)


@contextmanager
def puzzles(known: Collection) -> Iterator[Collection]:
    """Give a core that starts in this block these puzzles only. It keeps them."""
    begin = Core.__init__

    def begun(core: Core, *args: Any, **more: Any) -> None:
        begin(core, *args, **more)
        core.service(Puzzles)
        core.service(Posts)

    services = ("bot.features.puzzles.service", "bot.features.posts.service")
    with ExitStack() as patches:
        for service in services:
            patches.enter_context(mock.patch(f"{service}.packaged", return_value=known))
        patches.enter_context(mock.patch.object(Core, "__init__", begun))
        yield known


def wrong_actions(puzzle: Puzzle, played: tuple[Action, ...] = ()) -> list[Action]:
    """The solver's legal but wrong actions after some right ones."""
    state = answer(puzzle, played).line.end.state if played else puzzle.line.start.state
    legal = legal_actions(puzzle.line.start.game, state, puzzle.seat)
    return [action for action in legal if answer(puzzle, (*played, action)).verdict is Verdict.WRONG]


def labels(shown: Message | InteractionResult) -> list[str]:
    return [one.label for one in buttons(shown)]


async def pick(member: MemberActor, panel: InteractionResult, *labels: str) -> None:
    for label in labels:
        await member.click(reply(panel), label=label)


async def play(member: MemberActor, panel: InteractionResult, *actions: Action) -> None:
    """Pick actions in a panel, a button at a time, and play them."""
    for action in actions:
        picked = 0
        while (go := _button(panel, "puzzle-play", action, len(action))) is None:
            found = ((length, _button(panel, "puzzle-pick", action, length)) for length in range(picked + 1, len(action) + 1))
            picked, custom_id = next((length, custom_id) for length, custom_id in found if custom_id is not None)
            await member.click(reply(panel), custom_id=custom_id)
        await member.click(reply(panel), custom_id=go)


def _button(panel: InteractionResult, verb: str, action: Action, length: int) -> str | None:
    """The panel's button for the first tokens of an action."""
    for one in buttons(panel):
        click = Click.read(one.custom_id or "")
        if click is not None and click.verb == verb and click.tokens[2:] == action[:length]:
            return one.custom_id
    return None
