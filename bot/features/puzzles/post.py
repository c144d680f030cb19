"""The daily puzzle's post: its position, task and solvers, and after its day how people did, but never the solution."""

import asyncio
from collections import Counter
from collections.abc import Sequence
from typing import Final

import discord

from bot.core.core import Core
from bot.features.posts.messages import Content, Contents
from bot.features.puzzles.daily import Dailies, DayResults
from bot.features.puzzles.messages import MOST_STARS, ends_words, stars
from bot.features.puzzles.solving import board
from bot.i18n.language import Language
from bot.messages.builder import MessageBuilder, button, escape_name
from bot.messages.click import Click
from bot.messages.line_board import LineBoard
from bot.messages.notification import Notification, role_mention
from bot.messages.pictures import Perspective, picture
from engines.text import Text, join, plain, say, say_n
from opponents.puzzles.judging import begin
from storage.schema.puzzle_records import PuzzleAttempt

NAMES_SHOWN: Final = 10
"""The most solvers who are named. Any others are only counted."""


async def open_daily(core: Core, guild_id: int, day: int, language: Language, role: int | None = None) -> Content | None:
    """Return the current day's puzzle, or None if the day has none or it was withdrawn."""
    results = await core.service(Dailies).results(guild_id, day)
    if results is None or results.withdrawn:
        return None
    shown = await _board(results, language)
    builder = shown.framed("".join(role_mention(role))).text(_heading(results, shown))
    if role is not None:
        said = say("Daily bounce #{n}, {game}: {task} Only your first try counts.", n=day, game=shown.at.history.game.title,
                   task=shown.on_button(results.puzzle.task))  # fmt: skip
        builder.notify(Notification(language(said), mentions=role_mention(role)))
    builder.picture(await picture(shown.position, shown.perspective, posted=True))
    ends = language(ends_words(results.ends))
    solvers = language(_solvers(results.solved))
    builder.text(f"🎯 **{shown.in_words(results.puzzle.task)}**\n{ends}").text(solvers)
    solve = button(language(say("Solve")), _click(day), discord.ButtonStyle.success)
    return Content(builder.buttons([solve]), f"{solvers}\n{ends}")


def _click(day: int) -> str:
    return Click("daily", tokens=(str(day),)).custom_id


async def closed_daily(core: Core, guild_id: int, day: int, language: Language) -> MessageBuilder | None:
    """Return a past day's puzzle and its results, or a puzzle with a note that it was withdrawn. None if there is neither."""
    results = await core.service(Dailies).results(guild_id, day)
    goes_on = day >= (await core.service(Dailies).today(guild_id)).number
    if results is None or (goes_on and not results.withdrawn):
        return None
    shown = await _board(results, language)
    builder = shown.framed(_heading(results, shown))
    builder.picture(await picture(shown.position, shown.perspective, posted=True))
    if results.withdrawn:
        return builder.text(
            language(say("This puzzle was withdrawn because something was wrong with it. It doesn’t count for anybody."))
        )
    over = say(
        "This puzzle’s day is over. If you’ve tried it, the button shows you the solution; if not, you can still try it "
        "for practice."
    )
    builder.text(f"🎯 **{shown.in_words(results.puzzle.task)}**").text("\n".join(map(language, _results(results))))
    return builder.text(f"-# {language(over)}").buttons([button(language(say("Puzzle and solution")), _click(day))])


CONTENTS: Final = Contents(open_daily, closed_daily)
"""What the daily puzzle's posts show."""


async def _board(results: DayResults, language: Language) -> LineBoard:
    """Return the puzzle's position, as the solver's seat sees it."""
    at = await asyncio.to_thread(board, begin(results.puzzle))
    return LineBoard(at, Perspective(seat=results.puzzle.seat, language=language))


def _heading(results: DayResults, shown: LineBoard) -> str:
    """Return the day's number, the game and its variant, and the stars, which are repeated in words for screen readers."""
    title = say("Daily bounce #{n}", n=results.day)
    hard = stars(results.puzzle.difficulty)
    told = say("{stars} ({n} of {most} stars)", stars=hard, n=len(hard), most=MOST_STARS)
    game = shown.language(shown.at.history.game.title)
    return f"### {shown.language(title)}\n-# {game}{shown.variant_words} · {shown.language(told)}"


def _solvers(solved: Sequence[PuzzleAttempt]) -> Text:
    """Say how many people have solved the puzzle, and who, but not when, in which order, or in how many tries."""
    if not solved:
        return say("Nobody here has solved it yet.")
    by_name = sorted(solved, key=lambda attempt: (attempt.name.casefold(), attempt.user_id))
    told = [plain(escape_name(attempt.name)) for attempt in by_name[:NAMES_SHOWN]]
    if len(solved) > len(told):
        told.append(say_n("{n} other", "{n} others", len(solved) - len(told)))
    return say_n("✅ **{n}** has solved it: {names}", "✅ **{n}** have solved it: {names}", len(solved), names=join(told, ", "))


def _results(results: DayResults) -> list[Text]:
    """Say how many people solved the puzzle, in how many tries, and how many gave up."""
    count, wrong = len(results.solved), Counter(attempt.judged.count(False) for attempt in results.solved)
    told: list[Text] = [say("Nobody here solved it.")]
    if count:
        first, second = wrong[0], wrong[1]
        shares = [
            (first, say("{percent}% on the first try", percent=round(100 * first / count))),
            (second, say("{percent}% on the second", percent=round(100 * second / count))),
            (later := count - first - second, say("{percent}% after more tries", percent=round(100 * later / count))),
        ]
        tried = join([words for solvers, words in shares if solvers], ", ")
        told = [say_n("✅ **{n}** solved it: {shares}.", "✅ **{n}** solved it: {shares}.", count, shares=tried)]
    if results.given_up:
        told.append(say_n("-# {n} gave up.", "-# {n} gave up.", results.given_up))
    return told
