"""Messages about the daily puzzle: a result to share, streaks and badges, and a server's table."""

from collections.abc import Mapping, Sequence
from typing import Final

import discord

from bot.features.puzzles.daily import Achievements, Span, TableRow
from bot.features.puzzles.messages import PuzzlePanel, stars
from bot.features.puzzles.streaks import Badge
from bot.features.puzzles.wanted import Band, Wanted
from bot.i18n.language import Language
from bot.messages.builder import Button, MessageBuilder, button, escape_name
from bot.messages.click import Click
from engines.text import Text, join, plain, say, say_n
from storage.schema.records import PuzzleOutcome

MARKS_SHOWN: Final = 15
"""The most actions that the result line marks as right or wrong."""

ENTRIES_SHOWN: Final = 20
"""The most people that a table lists. The reader is added if they are further down."""

BADGES: Final[Mapping[Badge, Text]] = {
    Badge.WEEK: say("🔥 A week in a row"),
    Badge.MONTH: say("🌟 A month in a row"),
    Badge.KINDS: say("🎲 Every game in a week"),
    Badge.FLAWLESS: say("💎 A week without a wrong move"),
}

SPANS: Final[Mapping[Span, Text]] = {
    Span.TODAY: say("Today"),
    Span.YESTERDAY: say("Yesterday"),
    Span.WEEK: say("Last 7 days"),
    Span.MONTH: say("Last 30 days"),
}


def result_line(panel: PuzzlePanel, language: Language) -> str:
    """Return a day's result without spoilers, as in "Springboard #128 Bouncers ★★★ ✅❌✅ · 2 tries · streak 9"."""
    solving = panel.solving
    attempt, puzzle = solving.attempt, solving.puzzle
    marks = "".join("✅" if right else "❌" for right in attempt.judged[:MARKS_SHOWN])
    marks += "…" if len(attempt.judged) > MARKS_SHOWN else ""
    title = f"Springboard #{attempt.day} {panel.at.history.game.title} {stars(puzzle.difficulty)}"
    if attempt.outcome is PuzzleOutcome.GIVEN_UP:
        return language(join([plain(f"{title} {marks}🏳️"), say("gave up")], " · "))
    told: list[Text] = [say_n("{n} try", "{n} tries", solving.wrong + 1)]
    if attempt.streak is not None:
        told.append(say("streak {n}", n=attempt.streak))
    return language(join([plain(f"{title} {marks}"), *told], " · "))


def result_post(panel: PuzzlePanel, user_id: int, language: Language) -> MessageBuilder:
    """Return the message with which a person shares a day's result in a channel, in that channel's language."""
    builder = MessageBuilder().text(result_line(panel, language))
    return builder.text(language(say("-# Shared by {who}", who=f"<@{user_id}>")))


def result_words(panel: PuzzlePanel, standing: Achievements, now: float) -> str:
    """Describe a day's result: the line to copy, its marks in words, when the next puzzle comes, and the badges."""
    language, attempt = panel.language, panel.solving.attempt
    told = [language(say("Copy and share:")), f"```\n{result_line(panel, language)}\n```"]
    marks = join([say("correct") if right else say("wrong") for right in attempt.judged[:MARKS_SHOWN]], ", ")
    if attempt.judged:
        told.append(language(say("-# In words: {marks}.", marks=marks)))
    if attempt.outcome is PuzzleOutcome.SOLVED and attempt.streak is None:
        told.append(language(say("The day was over by then, so it doesn’t count for your streak.")))
    if attempt.day_ends is not None and now < attempt.day_ends:
        told.append(language(say("-# The next one comes {when}.", when=f"<t:{attempt.day_ends:.0f}:R>")))
    if standing.badges:
        told.append(" · ".join(language(BADGES[badge]) for badge in standing.badges))
    return "\n".join(told)


def table_button(language: Language, span: Span = Span.TODAY) -> Button:
    """Return the button that opens a server's table."""
    return button(language(say("Standings")), Click("daily-table", tokens=(span.value,)).custom_id, emoji="🏅")


def today_button(language: Language) -> Button:
    """Return the button that opens the daily puzzle."""
    return button(language(say("Today’s puzzle")), Click("daily").custom_id, discord.ButtonStyle.success)


def easier_words(ends: float, language: Language) -> str:
    """Tell a newcomer that the daily puzzle is hard, and will wait until `ends`, in seconds since the epoch."""
    waits = say(
        "🌱 Today’s puzzle is a hard one to start with. Try an easier one first: this one will wait for you until {when}.",
        when=f"<t:{ends:.0f}:t>",
    )  # fmt: skip
    return language(waits)


def easier_button(language: Language) -> Button:
    """Return the button that opens an easy puzzle, which in turn has a button that leads back to the daily one."""
    wanted = Wanted(band=Band.EASY, today=True)
    return button(
        language(say("An easier one first")), Click("puzzle", tokens=(wanted.code,)).custom_id, discord.ButtonStyle.success
    )


def table_message(entries: Sequence[TableRow], span: Span, user_id: int, ends: float, language: Language) -> MessageBuilder:
    """Return a server's table. Tables of past days say how many tries people took; today's keeps that secret until `ends`."""
    title = say("### 🏅 Daily bounce: {span}", span=SPANS[span])
    builder = MessageBuilder().text(language(title))
    shown = list(entries[:ENTRIES_SHOWN])
    shown += [entry for entry in entries[ENTRIES_SHOWN:] if entry.user_id == user_id]
    lines = table_lines(shown, span, language, people=len(entries))
    if not entries:
        nobody = say("Nobody here has solved it yet.") if span is Span.TODAY else say("Nobody here has solved one yet.")
        lines.append(language(nobody))
    if span is Span.TODAY:
        over = say("-# You’ll see how many tries everybody took once the day is over, {when}.", when=f"<t:{ends:.0f}:R>")
        lines.append(language(over))
    builder.text("\n".join(lines))
    spans = [
        button(language(name), Click("daily-table", tokens=(other.value,)).custom_id, disabled=other is span)
        for other, name in SPANS.items()
    ]
    return builder.buttons([*spans, button(language(say("Back")), Click("daily").custom_id)])


def table_lines(shown: Sequence[TableRow], span: Span, language: Language, *, people: int) -> list[str]:
    """Return a line for each person shown, then the total number of `people` if there are more."""
    lines = [language(_line(entry, span)) for entry in shown]
    if people > len(shown):
        lines.append(language(say_n("-# {n} person in all", "-# {n} people in all", people)))
    return lines


def _line(entry: TableRow, span: Span) -> Text:
    name = join(["**", escape_name(entry.name), "**"], "")
    if entry.tries is None:
        return say("✅ {name}", name=name)
    tries = say_n("{n} try", "{n} tries", entry.tries)
    if span is Span.YESTERDAY:
        return say("{place}. {name} · {tries}", place=entry.place, name=name, tries=tries)
    days = say_n("{n} day", "{n} days", entry.days)
    return say("{place}. {name} · {days} · {tries}", place=entry.place, name=name, days=days, tries=tries)
