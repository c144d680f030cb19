"""The panel of a puzzle: its position and the parts of a move, the response to a wrong action, and the end."""

from collections.abc import Sequence
from dataclasses import dataclass
from operator import itemgetter
from typing import ClassVar, Final

import discord
from typing_extensions import override

from bot.core.skill import provisional, rating_points
from bot.features.puzzles.ratings import Change
from bot.features.puzzles.service import Ratings
from bot.features.puzzles.solving import Solving, board
from bot.features.puzzles.wanted import Wanted
from bot.i18n.language import Language
from bot.messages.builder import Button, MessageBuilder, button
from bot.messages.click import Click, TooLong
from bot.messages.menus import Verbs
from bot.messages.picking import Pick
from bot.messages.pictures import Perspective, picture
from bot.messages.private_board import PrivateBoard, add_items
from engines.game import Action, Event, action_words
from engines.position_codes import Line
from engines.text import Text, join, plain, say, say_n
from opponents.puzzles.judging import Refutation
from opponents.puzzles.puzzle import HARDEST, THEMES

MOST_STARS: Final = 5
"""The number of stars that the hardest puzzles have."""

EVENTS_OF: Final = 3
"""The most actions, counted back from the end of a line, whose events the picture shows."""


SURE: Final = "sure"
"""The token of a click that gives up without a further question."""

OVER: Final = say("-# This puzzle’s day is over: it no longer counts.")
"""What a first attempt at a daily puzzle shows once its day has ended."""


@dataclass(frozen=True)
class PuzzlePanel(PrivateBoard):
    """The panel of a puzzle, showing what the solver's seat knows. `wanted` says which puzzles come next."""

    solving: Solving
    wanted: Wanted

    verbs: ClassVar[Verbs] = Verbs.of("puzzle-pick", play="puzzle-play")

    @override
    def click(self, verb: str, tokens: Action = (), page: int = 0) -> Click:
        own = (self.solving.puzzle.name, self.wanted.code)
        return Click(verb, 0, self.solving.attempt.version, page, (*own, *tokens))

    @property
    def events(self) -> tuple[Event, ...]:
        """The events of the solver's last action and of the replies to it."""
        log, seat = self.at.history.log, self.solving.puzzle.seat
        own = max((number for number, logged in enumerate(log) if logged.entry.seat == seat), default=0)
        return tuple(event for logged in log[own:] for event in logged.events)


def puzzle_panel(
    solving: Solving,
    wanted: Wanted,
    language: Language,
    *,
    line: Line | None = None,
    high_contrast: bool = False,
    turned: bool = False,
) -> PuzzlePanel:
    """Return a puzzle's panel at the position reached, or at the end of `line`, seen from the solver's side if `turned`."""
    seat = solving.puzzle.seat
    perspective = Perspective(seat=seat, side=seat if turned else 0, language=language, high_contrast=high_contrast)
    at = board(solving.line if line is None else line)
    return PuzzlePanel(at, perspective, solving, wanted)


async def puzzle_message(
    panel: PuzzlePanel,
    picked: Pick,
    *,
    now: float,
    page: int = 0,
    note: str = "",
    preview: bool = True,
    more: Sequence[Button] = (),
) -> MessageBuilder:
    """Return a message with a puzzle's position, a note, the task, the parts of a move and, before any pick, `more` buttons."""
    picking = panel.picking(picked, page)
    builder = panel.framed(heading(panel))
    events = panel.events if picked.untouched else ()
    builder.picture(await picking.picture(events, preview=picking.preview(wanted=preview)))
    if picked.untouched and panel.at.history.version:
        builder.text(panel.told(panel.events))
    builder.text(note).text(f"{_task(panel, now)}\n{panel.question(picking)}")
    give_up = button(panel.on_button(say("Give up")), panel.click("puzzle-give-up").custom_id, emoji="🏳️")
    try:
        add_items(builder, picking, [*more, give_up])
        return builder
    except TooLong:
        back = button(panel.on_button(say("Back")), panel.click("puzzle-at").custom_id)
        return panel.framed(heading(panel)).text(panel.language(say("That’s too long for buttons."))).buttons([back])


# --- the text -----------------------------------------------------------------------------------------------------------------


def heading(panel: PuzzlePanel) -> str:
    """Return the puzzle's number and game, its stars, and a note that nobody else sees it."""
    puzzle = panel.solving.puzzle
    game = panel.at.history.game.title
    if panel.solving.is_of_day:
        title = say("Daily bounce #{n}: {game}", n=panel.solving.attempt.day or 0, game=game)
    else:
        title = say("Puzzle {n}: {game}", n=puzzle.number, game=game)
    lines = [f"**{panel.language(title)}**{panel.variant_words}", stars_words(puzzle.difficulty, panel.language)]
    return "\n".join(lines)


def ends_words(ends: float) -> Text:
    """Say that today's puzzle is open until `ends`, in seconds since the epoch."""
    return say("-# Today’s puzzle is open until {when} ({left}).", when=f"<t:{ends:.0f}:f>", left=f"<t:{ends:.0f}:R>")


def stars(difficulty: int) -> str:
    """Return a difficulty as one to `MOST_STARS` stars."""
    return "★" * -(-difficulty * MOST_STARS // HARDEST)


def stars_words(difficulty: int, language: Language) -> str:
    """Return the stars as a small line, which repeats them in words for screen readers."""
    shown = stars(difficulty)
    told = say("{stars} ({n} of {most} stars) · Only you see this.", stars=shown, n=len(shown), most=MOST_STARS)
    return "-# " + language(told)


def _task(panel: PuzzlePanel, now: float) -> str:
    """Return the task and, after the first move, how many are left, and until when a first attempt counts for its day."""
    solving = panel.solving
    lines = [f"🎯 **{panel.in_words(solving.puzzle.task)}**"]
    if solving.attempt.played:
        lines.append(panel.language(say_n("-# One more move.", "-# {n} more moves.", solving.left)))
    if solving.is_first and not solving.attempt.judged:
        lines.append(panel.language(say("-# Your first move counts for your rating.")))
    ends = solving.attempt.day_ends
    if solving.is_first and ends is not None:
        lines.append(panel.language(ends_words(ends) if now < ends else OVER))
    return "\n".join(lines)


def give_up_question(panel: PuzzlePanel, now: float) -> MessageBuilder:
    """Ask whether to give up a first attempt, and say what that costs."""
    ends = panel.solving.attempt.day_ends
    told = [say("### Give up?\nI’ll show you the solution. After that, this puzzle is only practice.")]
    if all(panel.solving.attempt.judged):
        told.append(say("-# It counts for your rating like a wrong move."))
    if ends is not None and now < ends:
        told.append(say("-# Today won’t count for your streak."))
    builder = panel.framed(heading(panel)).text("\n".join(map(panel.language, told)))
    sure = panel.click("puzzle-give-up", (SURE,)).custom_id
    back = button(panel.on_button(say("Back")), panel.click("puzzle-at").custom_id)
    return builder.buttons([button(panel.on_button(say("Give up")), sure, discord.ButtonStyle.danger), back])


# --- after an action ----------------------------------------------------------------------------------------------------------


def right_words(panel: PuzzlePanel) -> str:
    """Return the note to show above the position after a right action."""
    return "✅ " + panel.language(say("That’s the one!"))


async def wrong_message(
    panel: PuzzlePanel, before: int, refutation: Refutation | None, change: Change | None, now: float
) -> MessageBuilder:
    """Return a message with a wrong action and its answer as a picture, why it is wrong, what it costs, and a way back.

    The panel is at the end of the line that the wrong action led to, which begins with `before` other actions. The refutation
    is None if there was no time to find one.
    """
    log = panel.at.history.log[before:]
    events = tuple(event for logged in log for event in logged.events)
    builder = panel.framed(heading(panel))
    builder.picture(await picture(panel.position, panel.perspective, events=events))
    unseen = [] if refutation is None else panel.last_words(refutation.line)
    played = panel.told(log[0].events if log else ())  # the refutation already names the answer
    told = [played, *unseen, "❌ " + panel.language(say("**That’s not it**, so I’ve taken it back."))]
    if refutation is not None:
        told.append(panel.in_words(refutation.words))
    if refutation is not None and refutation.numbers is not None:
        told.append("-# " + panel.language(refutation.numbers))
    builder.text("\n".join(filter(None, [*told, *_cost(panel, change, now)])))
    again = panel.click("puzzle-at").custom_id
    return builder.buttons([button(panel.on_button(say("Try again")), again, discord.ButtonStyle.primary)])


def _cost(panel: PuzzlePanel, change: Change | None, now: float) -> list[str]:
    """Say what a wrong action costs, and whether the day still counts."""
    told: list[Text] = []
    if change is not None and change.after < change.before:
        told.append(say_n("-# That cost you {n} rating point.", "-# That cost you {n} rating points.",
                          change.before - change.after))  # fmt: skip
    ends = panel.solving.attempt.day_ends
    if panel.solving.is_first and ends is not None and now < ends:
        told.append(say("-# Find it, and the day still counts for your streak."))
    return [panel.language(text) for text in told]


async def over_message(
    panel: PuzzlePanel,
    ratings: Ratings,
    change: Change | None = None,
    *,
    reasons: Sequence[Text] = (),
    before: int = 0,
    result: str = "",
    more: Sequence[Button] = (),
) -> MessageBuilder:
    """Return the message at the end of an attempt.

    It shows the last position, the solution and the reasons for it, the themes, the ratings, and what to do next. The panel is
    at the end of the line. The picture shows the last events of the actions that follow the first `before` ones. The buttons in
    `more` come first.
    """
    solving, language, history = panel.solving, panel.language, panel.at.history
    shown = history.log[max(before, history.version - EVENTS_OF) :]
    builder = panel.framed(heading(panel))
    events = tuple(event for logged in shown for event in logged.events)
    builder.picture(await picture(panel.position, panel.perspective, events=events))
    solved, whole = bool(solving.attempt.played) and solving.left == 0, solving.puzzle.line
    title = say("✅ Solved!") if solved else say("🏳️ Solution:")
    why = [panel.in_words(reason) for reason in reasons]
    builder.text("\n".join(filter(None, [f"### {language(title)}", panel.line_words(whole), *why, _losses(panel)])))
    themes = join([THEMES[theme] for theme in solving.puzzle.themes], ", ")
    told = ["-# " + language(say("Themes: {themes}.", themes=themes))] if solving.puzzle.themes else []
    builder.text(result).text("\n".join([*told, *_ratings(panel, ratings, change)]))
    buttons = [
        *more,
        button(
            language(say("Next puzzle")), Click("puzzle", tokens=(panel.wanted.code,)).custom_id,
            discord.ButtonStyle.secondary if more else discord.ButtonStyle.success,
        ),
        button(language(say("Analyse")), panel.click("puzzle-analyse").custom_id),
    ]  # fmt: skip
    if not solving.attempt.reported:
        buttons.append(button(language(say("Something’s wrong")), panel.click("puzzle-report").custom_id, emoji="🚩"))
    return builder.buttons(buttons)


def _losses(panel: PuzzlePanel) -> str:
    """If the task was to find the best move, say how much win chance each other move loses, starting with the smallest loss."""
    puzzle, game = panel.solving.puzzle, panel.at.history.game
    if not puzzle.losses:
        return ""
    losses = [
        plain(f"{panel.in_words(action_words(game, puzzle.line.start.state, puzzle.seat, action))} {points}")
        for action, points in sorted(puzzle.losses, key=itemgetter(1))
    ]
    return "-# " + panel.language(say("Points of win chance lost by other moves: {losses}.", losses=join(losses, " · ")))


def _ratings(panel: PuzzlePanel, ratings: Ratings, change: Change | None) -> list[str]:
    """Say how the person and the puzzle are rated, and how this attempt changed the person's rating."""
    now = plain(f"{rating_points(ratings.solver)}{'?' if provisional(ratings.solver) else ''}")
    if change is not None:
        moved = change.after - change.before
        now = plain(f"{now} ({'+' if moved > 0 else '−' if moved < 0 else '±'}{abs(moved)})")
    game = panel.at.history.game.title
    told: list[Text] = [
        say("Your {game} puzzle rating: **{points}**. This puzzle’s: {other}.", game=game, points=now,
            other=rating_points(ratings.puzzle))
    ]  # fmt: skip
    if panel.solving.attempt.solved + panel.solving.attempt.given_up > 1:
        told.append(say("-# Practice: only your first attempt at a puzzle is rated."))
    return [panel.language(text) for text in told]


def reported_words(language: Language) -> str:
    """Thank a person for reporting a puzzle."""
    return language(say("🚩 Thank you! Whoever runs this bot can now see that something may be wrong with this puzzle."))
