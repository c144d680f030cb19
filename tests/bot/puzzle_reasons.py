"""Fifty puzzles as solvers read them: the question, a wrong move and its reason, and the solution with its reasons.

`python -m tests.bot.puzzle_reasons` writes texts and pictures into a temporary folder, and prints which, for somebody who knows
nothing but the rules.
"""

import asyncio
import sys
import tempfile
from dataclasses import replace
from functools import lru_cache
from io import BytesIO
from pathlib import Path
from random import Random
from typing import Final

from discord.ui import TextDisplay
from PIL import Image

from bot.features.puzzles.messages import PuzzlePanel, over_message, puzzle_message, puzzle_panel, wrong_message
from bot.features.puzzles.ratings import new_puzzle, new_solver
from bot.features.puzzles.service import Ratings
from bot.features.puzzles.solving import Solving, first_attempt, given_up
from bot.features.puzzles.wanted import Wanted
from bot.i18n.language import Language, language
from bot.messages.builder import MessageBuilder
from engines.game import Action, legal_actions
from engines.position_codes import Line
from opponents import Budget, Level, opponent
from opponents.puzzles.collection import packaged
from opponents.puzzles.judging import Verdict, answer, explain, refute
from opponents.puzzles.puzzle import Puzzle
from tests.renderers.golden import WIDTHS

READ: Final = 50
NOW: Final = 0.0


@lru_cache
def spread(count: int = READ) -> list[Puzzle]:
    """Puzzles of all games, variants, goals and difficulties, as varied as possible."""
    ordered = sorted(packaged().puzzles.values(), key=lambda one: (one.game, one.variant, one.goal, one.difficulty, one.number))
    first = {(one.game, one.variant, one.goal): one for one in reversed(ordered)}.values()
    others, left = [one for one in ordered if one not in first], count - len(first)
    return sorted([*first, *(others[place * len(others) // left] for place in range(left))], key=ordered.index)


def plausible(puzzle: Puzzle) -> Action:
    """A wrong first action: what a beginner would play, or if that is right, any other."""
    start = puzzle.line.start
    played = opponent(puzzle.game, Level.EASY).choose(start.state, puzzle.seat, Budget(200), stream=puzzle.name).action
    if answer(puzzle, [played]).verdict is Verdict.WRONG:
        return played
    others = [
        action
        for action in legal_actions(start.game, start.state, puzzle.seat)
        if answer(puzzle, [action]).verdict is Verdict.WRONG
    ]
    return Random(puzzle.name).choice(others)


def panel_of(puzzle: Puzzle, own: Language, line: Line | None = None, *, ended: bool = False) -> PuzzlePanel:
    """The panel of somebody who has just begun a puzzle, or has given up."""
    solving = Solving(puzzle, first_attempt(puzzle, 1, "Ann", 1, NOW))
    if ended:
        solving = replace(solving, attempt=given_up(solving, NOW)[0])
    return puzzle_panel(solving, Wanted(), own, line=line)


async def question(puzzle: Puzzle, own: Language) -> MessageBuilder:
    panel = panel_of(puzzle, own)
    picked = panel.pick()
    assert picked is not None, "it is the solver's turn"
    return await puzzle_message(panel, picked, now=NOW)


async def wrong(puzzle: Puzzle, action: Action, own: Language) -> MessageBuilder:
    reason = refute(puzzle, [action])
    shown = Line(reason.line.start, reason.line.actions[:2], reason.line.steps[:2])
    return await wrong_message(panel_of(puzzle, own, shown), 0, reason, None, NOW)


async def end(puzzle: Puzzle, own: Language) -> MessageBuilder:
    panel = panel_of(puzzle, own, puzzle.line, ended=True)
    ratings = Ratings(new_solver(1, puzzle.game, NOW), new_puzzle(puzzle, NOW))
    return await over_message(panel, ratings, reasons=explain(puzzle))


def words(message: MessageBuilder) -> str:
    return "\n".join(item.content for item in message.items if isinstance(item, TextDisplay))


async def _write(folder: Path, own: Language) -> None:
    told = []
    for puzzle in spread():
        messages = [await question(puzzle, own), await wrong(puzzle, plausible(puzzle), own), await end(puzzle, own)]
        told.append(f"# {puzzle.name}\n\n{messages[0].pictures[0].alt}\n")
        told += [f"{words(message)}\n" for message in messages]
        for name, message in zip(("question", "wrong", "end"), messages, strict=True):
            drawn = Image.open(BytesIO(message.pictures[0].content)).convert("RGBA")
            width = WIDTHS[0]
            small = drawn.resize((width, drawn.height * width // drawn.width), Image.Resampling.LANCZOS)
            small.save(folder / f"{puzzle.name}-{name}.png")
    (folder / f"reasons-{own.code}.md").write_text("\n".join(told), encoding="utf-8")


if __name__ == "__main__":
    written = Path(tempfile.mkdtemp(prefix="springboard-reasons-"))
    asyncio.run(_write(written, language(sys.argv[1] if len(sys.argv) > 1 else "en")))
    sys.stdout.write(f"{written}\n")
