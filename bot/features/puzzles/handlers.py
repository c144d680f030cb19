"""`/puzzle` and the daily puzzle: getting a puzzle, picking and playing an action, giving up, and going on to the next."""

from collections.abc import Callable, Sequence
from typing import Final, TypeVar

from discord import app_commands

from bot.core.shares import in_share
from bot.core.table.errors import Refused
from bot.features.analysis.handlers import open_code
from bot.features.analysis.origin import Origin
from bot.features.posts.handlers import refresh_post
from bot.features.puzzles.daily import Dailies, Span
from bot.features.puzzles.daily_messages import (
    easier_button,
    easier_words,
    result_post,
    result_words,
    table_button,
    table_message,
    today_button,
)
from bot.features.puzzles.messages import (
    SURE,
    PuzzlePanel,
    give_up_question,
    over_message,
    puzzle_message,
    puzzle_panel,
    reported_words,
    right_words,
    wrong_message,
)
from bot.features.puzzles.post import CONTENTS
from bot.features.puzzles.service import Progress, Puzzles
from bot.features.puzzles.solving import Solving
from bot.features.puzzles.wanted import Band, Wanted
from bot.interactions.context import Context, respond
from bot.interactions.handlers import Answer, Tokens, handles, is_word, too_old
from bot.interactions.reply import Command, Interaction
from bot.interactions.sharing import check_postable, hindrance
from bot.interactions.suggestions import game_choices
from bot.messages.board import post_button
from bot.messages.click import Click, is_number
from bot.workers.thinking import ThinkingFailed, thinking
from bot.workers.thinking_queue import Priority
from engines.actions import Action
from engines.game import is_whole
from engines.position_codes import Line
from engines.text import say
from opponents.puzzles.collection import GAMES as WITH_PUZZLES
from opponents.puzzles.judging import explain, refute, takes_thought
from opponents.puzzles.puzzle import THEMES, Puzzle, Theme
from storage.schema.records import PostKind

T = TypeVar("T")

WANTED: Final = Tokens((is_word,))
"""The token of a click that asks for a puzzle, which says which puzzles are wanted."""

OWN: Final = Tokens((is_word, is_word))
"""The tokens of a click in a puzzle: its name, and which puzzles are wanted next. The click's version is the attempt's."""

PICKED: Final = Tokens((is_word, is_word), more=is_word)
"""The tokens of `OWN`, followed by the tokens picked so far."""


async def open_puzzle(context: Context, wanted: Wanted) -> None:
    """Show the user a puzzle, either an ongoing one or another. Raises Refused if there is none of the kind wanted."""
    solving = await context.core.service(Puzzles).begin(context.user, context.guild_id, wanted)
    await _show(context, solving, wanted)


async def _panel(context: Context, solving: Solving, wanted: Wanted, line: Line | None = None) -> PuzzlePanel:
    """Return a puzzle's panel at the position reached, or at a line's end. Raises Refused if the attempt is damaged."""
    own = context.settings
    return await in_share(
        lambda: puzzle_panel(
            solving, wanted, context.language, line=line, high_contrast=own.high_contrast, turned=own.turn_board
        )
    )


async def _show(
    context: Context, solving: Solving, wanted: Wanted, tokens: Action = (), *, page: int = 0, note: str = ""
) -> None:
    """Show the position reached in an attempt, with the picks so far, or the end of an attempt that is over."""
    if not solving.attempt.ongoing:
        await _show_end(context, Progress(solving), wanted, note=note)
        return
    panel = await _panel(context, solving, wanted)
    picked = panel.pick(tokens)
    assert picked is not None, "a puzzle that goes on is at its solver's turn"
    more = [today_button(context.language)] if wanted.today else []
    if picked.untouched and await context.core.service(Dailies).is_hard_for_newcomer(solving):
        note, more = easier_words(solving.attempt.day_ends or 0.0, context.language), [easier_button(context.language)]
    message = await puzzle_message(
        panel, picked, now=context.core.now(), page=page, note=note, preview=context.settings.preview, more=more
    )
    await context.reply.show(message)


async def _show_end(context: Context, step: Progress, wanted: Wanted, note: str = "", *, posted: bool = False) -> None:
    """Show the end of an attempt. `posted` says that its result has just been posted."""
    solving = step.solving
    line = await in_share(lambda: solving.solution)
    panel, ratings = await _panel(context, solving, wanted, line), await context.core.service(Puzzles).ratings(solving)
    before = 0 if step.judged is not None else len(solving.line.actions)
    result = ""
    if solving.is_of_day:
        standing = await context.core.service(Dailies).standing(context.user.id, context.guild_id)
        result = result_words(panel, standing, context.core.now())
    more = [table_button(context.language)] if solving.is_of_day else []
    if solving.is_of_day and not posted and hindrance(context, None) is None:
        more.insert(0, post_button(panel.click("daily-post"), context.language))
    more += [today_button(context.language)] if wanted.today else []
    before = min(before, len(line.actions) - 1)
    reasons = await _thought(context, solving.puzzle, explain, solving.attempt.played) or ()
    message = await over_message(panel, ratings, step.change, reasons=reasons, before=before, result=result, more=more)
    await context.reply.show(message.text(note))


@handles("puzzle", tokens=WANTED)
async def _next(context: Context, click: Click) -> None:
    await open_puzzle(context, _wanted(click.tokens[0]))


def _wanted(code: str) -> Wanted:
    """Return which puzzles a token asks for. Raises Refused if the token is malformed."""
    wanted = Wanted.read(code)
    if wanted is None:
        raise too_old()
    return wanted


async def _at(context: Context, click: Click) -> tuple[Solving, Wanted, Action]:
    """Return a click's attempt, the puzzles wanted next, and the picks. Raises Refused if the attempt is gone."""
    name, wanted, *tokens = click.tokens
    return await context.core.service(Puzzles).get(context.user.id, name), _wanted(wanted), tuple(tokens)


@handles("puzzle-at", tokens=OWN)
async def _go(context: Context, click: Click) -> None:
    solving, wanted, _ = await _at(context, click)
    await _show(context, solving, wanted)


@handles("puzzle-pick", tokens=PICKED)
async def _pick(context: Context, click: Click) -> None:
    """Pick a token. Picks on an outdated panel are dropped."""
    solving, wanted, tokens = await _at(context, click)
    await _show(context, solving, wanted, tokens if click.version == solving.attempt.version else (), page=click.page)


@handles("puzzle-play", tokens=PICKED)
async def _play(context: Context, click: Click) -> None:
    solving, wanted, action = await _at(context, click)
    state, seat = (await in_share(lambda: solving.line)).end.state, solving.puzzle.seat
    if not is_whole(solving.line.start.game, state, seat, action):
        await _show(context, solving, wanted, action)
        return
    step = await context.core.service(Puzzles).play(context.user.id, solving.puzzle.name, click.version, action)
    judged = step.judged
    if judged is None:
        await _show(context, step.solving, wanted)
    elif not step.solving.attempt.ongoing:
        await _show_end(context, step, wanted)
    elif judged.right:
        panel = await _panel(context, step.solving, wanted)
        await _show(context, step.solving, wanted, note=right_words(panel))
    else:
        await _show_wrong(context, step, wanted, judged.answer.line)


async def _show_wrong(context: Context, step: Progress, wanted: Wanted, line: Line) -> None:
    """Show a wrong action, which has already been judged, with the reason why it is wrong if a computer finds one in time."""
    solving = step.solving
    assert step.judged is not None
    reason = await _thought(context, solving.puzzle, refute, (*solving.attempt.played, step.judged.action))
    count = len(line.actions) + 1  # with the answer to it, since anything more would blur the picture
    shown = line if reason is None else Line(line.start, reason.line.actions[:count], reason.line.steps[:count])
    panel = await _panel(context, solving, wanted, shown)
    message = await wrong_message(panel, len(line.actions) - 1, reason, step.change, context.core.now())
    await context.reply.show(message)


async def _thought(
    context: Context, puzzle: Puzzle, ask: Callable[[Puzzle, Sequence[Action]], T], played: Sequence[Action]
) -> T | None:
    """Return what `refute` or `explain` finds, or None if no computer has the time."""
    if not takes_thought(puzzle):
        return await in_share(ask, puzzle, played)
    user = context.user.id
    try:
        return await thinking(ask, puzzle, played, server=context.guild_id, person=user, priority=Priority.HINT)
    except ThinkingFailed:
        return None


@handles("puzzle-give-up", tokens=PICKED)
async def _give_up(context: Context, click: Click) -> None:
    """Give up, and show the solution. In a first attempt, the user is asked to confirm."""
    solving, wanted, more = await _at(context, click)
    if solving.attempt.ongoing and solving.is_first and SURE not in more:
        panel = await _panel(context, solving, wanted)
        await context.reply.show(give_up_question(panel, context.core.now()))
        return
    step = await context.core.service(Puzzles).give_up(context.user.id, click.tokens[0], click.version)
    if step.solving.attempt.ongoing:
        await _show(context, step.solving, wanted)
    else:
        await _show_end(context, step, wanted)


@handles("puzzle-analyse", tokens=OWN)
async def _analyse(context: Context, click: Click) -> None:
    solving, wanted, _ = await _at(context, click)
    if solving.attempt.ongoing:
        raise Refused(say("Solve it first, or give up: then you can analyse it."))
    await open_code(context, solving.puzzle.text, Origin(solving.puzzle.name, wanted.code))


@handles("puzzle-report", tokens=OWN)
async def _report(context: Context, click: Click) -> None:
    await context.core.service(Puzzles).report(context.user.id, click.tokens[0])
    solving, wanted, _ = await _at(context, click)
    await _show(context, solving, wanted, note=reported_words(context.language))


# --- the puzzle of the day ----------------------------------------------------------------------------------------------------


async def open_daily(context: Context, day: int | None = None) -> None:
    """Show the user the puzzle of a day, by default today's. Raises Refused if the day has none."""
    dailies = context.core.service(Dailies)
    today = await dailies.today(context.guild_id)
    if day not in {None, today.number}:
        solving = await dailies.begin_past(context.user, context.guild_id, day or 0)
    else:
        solving = await dailies.begin(context.user, context.guild_id)
    await _show(context, solving, Wanted())


@handles("daily-post", tokens=OWN)
async def _post(context: Context, click: Click) -> None:
    solving, wanted, _ = await _at(context, click)
    if solving.attempt.ongoing or not solving.is_of_day:
        raise too_old()
    check_postable(context, None)
    panel, language = await _panel(context, solving, wanted), await context.responder.server_language(context.guild_id)
    await context.reply.acknowledge()
    posted = await context.reply.post(result_post(panel, context.user.id, language))
    told = say("-# Posted here.") if posted else say("-# That didn’t reach the channel. Try again.")
    await _show_end(context, Progress(solving), wanted, context.language(told), posted=posted)


@handles("daily-table", tokens=Tokens((is_word,)))
async def _table(context: Context, click: Click) -> None:
    (word,) = click.tokens
    if word not in list(Span):
        raise too_old()
    dailies = context.core.service(Dailies)
    entries, today = await dailies.table(context.guild_id, Span(word)), await dailies.today(context.guild_id)
    await context.reply.show(table_message(entries, Span(word), context.user.id, today.ends, context.language))


@handles("daily", tokens=Tokens((is_number,), least=0), answer=Answer.SILENT)
async def _daily(context: Context, click: Click) -> None:
    """Open a day's puzzle for the user. If they pressed a button on a post, the same response also updates the post."""
    day = int(click.tokens[0]) if click.tokens else None
    if day is not None:
        await refresh_post(context, PostKind.DAILY, day, CONTENTS)
    await open_daily(context, day)


# --- the commands -------------------------------------------------------------------------------------------------------------


_DAILY: Final = "daily"
"""The value of *difficulty* that asks for the daily puzzle."""

_DIFFICULTIES: Final = {
    _DAILY: say("Puzzle of the day"), Band.EASY: say("Easy"), Band.MEDIUM: say("Medium"), Band.HARD: say("Hard"),
}  # fmt: skip


@app_commands.command(name="puzzle", description="Solve a puzzle, or the puzzle of the day")
@app_commands.guild_only()
@app_commands.describe(game="Of which game", difficulty="How hard it is, or today’s", theme="What it is about")
@app_commands.choices(
    game=game_choices(WITH_PUZZLES),
    difficulty=[app_commands.Choice(name=str(words), value=value) for value, words in _DIFFICULTIES.items()],
    theme=[app_commands.Choice(name=str(name), value=theme.value) for theme, name in THEMES.items()],
)
async def puzzle(
    interaction: Interaction, game: str | None = None, difficulty: str | None = None, theme: str | None = None
) -> None:
    """Show the user a puzzle, with a button for the daily one, or the daily one itself."""
    async with respond(interaction) as context:
        if difficulty == _DAILY:
            if game is not None or theme is not None:
                raise Refused(say("Today’s puzzle is the same for everybody: leave out the game and the theme."))
            await open_daily(context)
            return
        band = None if difficulty is None else Band(difficulty)
        await open_puzzle(context, Wanted(game, band, None if theme is None else Theme(theme), today=True))


COMMANDS: Final[tuple[Command, ...]] = (puzzle,)

HANDLERS: Final = (_next, _go, _pick, _play, _give_up, _analyse, _report, _post, _table, _daily)
