"""The review of a finished game, page by page: the curve of the win chances, how each seat played, and the turning points."""

import math
from collections.abc import Iterator
from dataclasses import replace
from typing import Final

import discord
from discord import ui

from bot.core.table.snapshot import Snapshot
from bot.features.reviews.course import Account, Marked
from bot.features.reviews.service import Reviewed
from bot.i18n.language import Language
from bot.messages.advice import advised_picture, chances_words, foresee_along
from bot.messages.board import COLOURS, analyse_button, code_line, heading, post_button
from bot.messages.builder import OPTION_LIMIT, Button, MessageBuilder, Picture, button, clip
from bot.messages.click import Click
from bot.messages.pictures import Perspective, or_nothing, picture, picture_or_words
from bot.messages.players import marks, names
from bot.workers.drawing import drawing
from engines.game import action_words
from engines.text import Text, join, say, say_n, seat_name
from opponents.reviewing import EARNED, FROM, Praise, Slip
from renderers.summaries.curve import Curve, TurningPoint, draw

TRY_AGAIN: Final = say("What would have been better?")
"""The label of the button with which people try again where they slipped, and the title of what it opens."""

SECONDS_A_POSITION: Final = 0.9
"""How many seconds a review takes for each position of the slowest game on a busy machine (docs/opponents.md)."""

BEFORE: Final = "before"
"""The token of a click that asks for the board as it was before a turning point."""


def review_click(snapshot: Snapshot, page: int = 0, *tokens: str) -> Click:
    """Return the click that shows a page of a review. Page 0 is the summary, and the turning points follow."""
    return Click("review", snapshot.table.id, snapshot.table.version, page, tokens)


# --- progress -------------------------------------------------------------------------------------------------------------


def progress_message(reviewed: Reviewed, language: Language, *, told: bool = True, back: Click | None = None) -> MessageBuilder:
    """Return a review's progress. If `told`, it will turn into the review. `back` leads to the message that it replaced."""
    done, all_of_them = reviewed.progress
    builder = MessageBuilder().text(heading(reviewed.snapshot, language))
    if reviewed.ahead:
        first = say_n(
            "{n} other game from this server comes first.", "{n} other games from this server come first.", reviewed.ahead
        )
        builder.text(language(join([say("I’ll go through this game."), first], " ")))
    else:
        so_far = say(
            "I’m going through the game: {n} of {all} positions so far.",
            n=done, all=all_of_them,
        )  # fmt: skip
        builder.text(language(so_far))
    if told:
        note = _how_long(all_of_them, ahead=bool(reviewed.ahead))
    else:
        note = say("-# This is taking a while today. Press the button later to see the review.")
    buttons = [button(language(say("Check again")), review_click(reviewed.snapshot).custom_id)]
    if back is not None:
        buttons.append(button(language(say("Back")), back.custom_id))
    return builder.text(language(note)).buttons(buttons)


def _how_long(positions: int, *, ahead: bool) -> Text:
    """Say how long a review takes at most if no others come first, and that nobody needs to wait."""
    becomes = say("No need to wait: this message will turn into the review, just for you.")
    if ahead:
        return say("-# This takes a few minutes. {becomes}", becomes=becomes)
    minutes = math.ceil(positions * SECONDS_A_POSITION / 60)
    return say_n(
        "-# This usually takes less than a minute. {becomes}",
        "-# This usually takes less than {n} minutes. {becomes}",
        max(1, minutes),
        becomes=becomes,
    )


# --- the pages ------------------------------------------------------------------------------------------------------------


async def review_message(
    reviewed: Reviewed,
    perspective: Perspective,
    page: int = 0,
    *,
    before: bool = False,
    shareable: bool = False,
    shared_by: int | None = None,
    left: int | None = None,
    own: bool = False,
) -> MessageBuilder:
    """Return a page of a finished review: 0 is the summary, and the turning points are numbered from 1.

    A number beyond the last page stands for the last page.

    Args:
        reviewed: the review.
        perspective: the perspective of the reader.
        page: the number of the page.
        before: whether to show only the board before the turning point.
        shareable: whether the message has the button *Share*.
        shared_by: who has shared the review in public. A shared message has no buttons.
        left: the move with which the game left the known openings, if the summary is to say so.
        own: whether any turning point was the reader's own choice, so that the summary offers to try again.
    """
    snapshot, language = reviewed.snapshot, perspective.language
    points = reviewed.course.turning_points(reviewed.review)
    page = max(0, min(page, len(points)))
    builder = await _page(reviewed, points, perspective, page, before=before)
    if left is not None:
        builder.text(language(say("-# Out of book at move {n}.", n=left)))
    if shared_by is not None:
        return builder.text(language(say("-# Shared by {who}", who=f"<@{shared_by}>")))
    return _with_controls(builder, snapshot, points, page, language, before=before, shareable=shareable, own=own)


async def review_preview(reviewed: Reviewed, perspective: Perspective, page: int) -> MessageBuilder:
    """Return the private answer to *Share* on a review page: the page as everybody will see it, with *Post here*."""
    snapshot, language = reviewed.snapshot, perspective.language
    builder = await _page(reviewed, reviewed.course.turning_points(reviewed.review), perspective, page)
    here = replace(review_click(snapshot, page), verb="post-review")
    back = button(language(say("Back")), review_click(snapshot, page).custom_id)
    return builder.buttons([post_button(here, language), back])


async def _page(
    reviewed: Reviewed, points: tuple[Marked, ...], perspective: Perspective, page: int, *, before: bool = False
) -> MessageBuilder:
    """Return the content of a page, without its buttons."""
    builder = MessageBuilder().text(heading(reviewed.snapshot, perspective.language))
    if page == 0:
        await _add_summary(builder, reviewed, points, perspective)
    else:
        builder.colour = COLOURS[points[page - 1].moment.seat]
        point = points[page - 1]
        builder.text(f"### {page}. {perspective.language(title_of(point), names(reviewed.snapshot))}")
        await add_choice(builder, reviewed, point, perspective, before=before)
    return builder


def _with_controls(
    builder: MessageBuilder,
    snapshot: Snapshot,
    points: tuple[Marked, ...],
    page: int,
    language: Language,
    *,
    before: bool,
    shareable: bool,
    own: bool,
) -> MessageBuilder:
    if points:
        placeholder = language(say("Turning points"))
        titles = [f"{number}. {language(title_of(point), snapshot.names)}" for number, point in enumerate(points, 1)]
        options = [
            discord.SelectOption(label=clip(title, OPTION_LIMIT), value=str(number)) for number, title in enumerate(titles, 1)
        ]
        select = replace(review_click(snapshot), verb="review-page").custom_id
        builder.select(ui.Select(custom_id=select, placeholder=placeholder, options=options))
    if own and not page:
        again = replace(review_click(snapshot), verb="slip").custom_id
        builder.buttons([button(language(TRY_AGAIN), again, discord.ButtonStyle.success, emoji="💡")])
    pages, position = [], []
    if page:
        pages.append(button(language(say("Summary")), review_click(snapshot).custom_id))
        other = () if before else (BEFORE,)
        label = say("What was better") if before else say("Board before")
        position.append(button(language(label), review_click(snapshot, page, *other).custom_id))
        position.append(play_out_button(snapshot, points[page - 1], language, page))
    else:
        pages.append(button(language(say("Moves")), replace(review_click(snapshot), verb="review-moves").custom_id))
    if page < len(points):
        following = review_click(snapshot, page + 1).custom_id
        pages.append(button(language(say("Next")), following, discord.ButtonStyle.primary))
    position.append(analyse_button(snapshot.table.id, language, page))
    if shareable:
        share = replace(review_click(snapshot, page), verb="share-review").custom_id
        position.append(button(language(say("Share")), share))
    return builder.buttons(pages).buttons(position)


def play_out_button(snapshot: Snapshot, point: Marked, language: Language, page: int = 0) -> Button:
    """Return the button that plays out the better line, whose *Back* leads to this page, or to the marked move for page 0."""
    play_out = replace(review_click(snapshot, page), verb="review-line", tokens=(str(point.moment.number),))
    return button(language(say("Play it out")), play_out.custom_id)


# --- the summary ----------------------------------------------------------------------------------------------------------


async def _add_summary(
    builder: MessageBuilder, reviewed: Reviewed, points: tuple[Marked, ...], perspective: Perspective
) -> None:
    language = perspective.language
    builder.picture(await _curve_picture(reviewed, points, perspective))
    if reviewed.course.choices:
        builder.text("\n".join(_account_lines(reviewed, language))).line()
    builder.text("\n".join(f"-# {language(note)}" for note in _notes(reviewed, points)))


def _account_lines(reviewed: Reviewed, language: Language) -> Iterator[str]:
    snapshot = reviewed.snapshot
    who = names(snapshot)
    for seat, mark in enumerate(marks(snapshot)):
        account = reviewed.course.account(reviewed.review, seat)
        text = say("**{who}**: nothing to decide", who=seat_name(seat))
        if account.accuracy is not None:
            text = say("**{who}**: accuracy **{percent}%**", who=seat_name(seat), percent=round(100 * account.accuracy))
        yield f"{mark} {language(text, who)}"
        for text in _details(account, snapshot.players[seat].hints):
            yield f"-# {language(text, who)}"


def _details(account: Account, hints: int) -> Iterator[Text]:
    """Yield the second line about a seat, which gives its slips, luck and hints, if there is anything to say."""
    told = [text for slip in Slip if (text := _count(slip, account.slips.get(slip, 0))) is not None]
    if account.accuracy is not None and not told:
        told = [say("no mistakes")]
    if account.luck is not None:
        points = round(100 * account.luck)
        told.append(say("luck {points} points", points=f"+{points}" if points > 0 else f"−{-points}" if points else "±0"))
    if hints:
        told.append(say_n("{n} hint", "{n} hints", hints))
    if told:
        yield join(told, " · ")


def _count(slip: Slip, count: int) -> Text | None:
    if not count:
        return None
    match slip:
        case Slip.INACCURACY:
            return say_n("{n} inaccuracy", "{n} inaccuracies", count)
        case Slip.MISTAKE:
            return say_n("{n} mistake", "{n} mistakes", count)
        case Slip.BLUNDER:
            return say_n("{n} blunder", "{n} blunders", count)


def _notes(reviewed: Reviewed, points: tuple[Marked, ...]) -> Iterator[Text]:
    """Yield notes on what the figures mean, and on the limits of the review."""
    course = reviewed.course
    if not course.choices:
        yield say("This game was all luck: there was nothing to decide.")
        return
    least = {slip: round(100 * least) for slip, least in FROM.items()}
    yield say(
        "Win chance lost: inaccuracy {inaccuracy}+, mistake {mistake}+, blunder {blunder}+ points.",
        inaccuracy=least[Slip.INACCURACY], mistake=least[Slip.MISTAKE], blunder=least[Slip.BLUNDER],
    )  # fmt: skip
    game = course.history.game
    if game.secret:
        yield say("Players are judged only by what they could know.")
    if course.account(reviewed.review, 0).luck is not None:
        yield say(
            "Luck is how much chance helped or hurt a player, whatever they chose. Across all players it adds up to zero."
        )
    looked_at = len(reviewed.review.choices)
    if looked_at < len(course.choices):
        yield say(
            "It was a long game: these are the {n} of its {all} choices that changed the most.",
            n=looked_at, all=len(course.choices),
        )  # fmt: skip
    if not points:
        yield say("Nobody gave much away, so there are no turning points.")


def curve_of(reviewed: Reviewed, turns: tuple[TurningPoint, ...], perspective: Perspective) -> Curve | None:
    """Return the curve of the win chances with these turning points marked, or None if the chances are unknown."""
    snapshot, course, language = reviewed.snapshot, reviewed.course, perspective.language
    along = course.curve(reviewed.review)
    if not along:
        return None
    view = course.history.view(None)
    outcome = snapshot.outcome()
    return Curve(
        title=language(say("Win chances")), below=language(say("moves")),
        names=tuple(map(language, snapshot.names)),
        nameless=tuple(language(seat_name(seat)) for seat in range(view.seats)),
        colours=tuple(map(view.colours_of, range(view.seats))),
        points=along, winners=() if outcome is None else outcome.winners,
        turns=turns, high_contrast=perspective.high_contrast,
    )  # fmt: skip


async def _curve_picture(reviewed: Reviewed, points: tuple[Marked, ...], perspective: Perspective) -> Picture | None:
    snapshot, language = reviewed.snapshot, perspective.language
    turns = tuple(TurningPoint(point.moment.place + 1, point.moment.seat, number) for number, point in enumerate(points, 1))
    curve = curve_of(reviewed, turns, perspective)
    if curve is None:
        return None
    png = await or_nothing(lambda: drawing(draw, curve), len, kind="curve", table=snapshot.table.id)
    name, alt = f"review-{snapshot.table.id}-{snapshot.table.version}.png", _alt_text(curve.points, points)
    return picture_or_words(name, png, language(alt, snapshot.names), language, lambda: language(alt, names(snapshot)))


def _alt_text(along: tuple[tuple[int, tuple[float, ...]], ...], points: tuple[Marked, ...]) -> Text:
    """Describe the curve by the chances at the start, after each turning point, and at the end."""
    turned = {point.moment.place + 1 for point in points}
    first, *_, last = (along[0], *along)
    stood = [entry for entry in along[1:-1] if entry[0] in turned]
    lines = [say("At the start: {chances}.", chances=chances_words(first[1]))]
    lines += [say("After move {n}: {chances}.", n=place, chances=chances_words(chances)) for place, chances in stood]
    lines.append(say("At the end: {chances}.", chances=chances_words(last[1])))
    return join([say("Win chances."), *lines], " ")


# --- a turning point ------------------------------------------------------------------------------------------------------


def title_of(point: Marked) -> Text:
    """Return the title of a choice that stands out."""
    values = {"n": point.moment.place + 1, "who": seat_name(point.moment.seat), "points": round(100 * point.lost)}
    match point.mark:
        case Slip.INACCURACY:
            return say("Move {n}: inaccuracy by {who} (−{points})", **values)
        case Slip.MISTAKE:
            return say("Move {n}: mistake by {who} (−{points})", **values)
        case Slip.BLUNDER:
            return say("Move {n}: blunder by {who} (−{points})", **values)
        case Praise.GREAT:
            return say("Move {n}: great move by {who}", **values)
        case Praise.BRILLIANT:
            return say("Move {n}: brilliant move by {who}", **values)


async def add_choice(
    builder: MessageBuilder, reviewed: Reviewed, point: Marked, perspective: Perspective, *, before: bool = False
) -> None:
    """Add what was played and, for a slip, what was better. If `before`, show the board before the choice."""
    snapshot, language, moment = reviewed.snapshot, perspective.language, point.moment
    who, history = names(snapshot), reviewed.course.history
    then = snapshot.position_after(history.at(moment.number - 1))
    seen = replace(perspective, seat=moment.seat)
    found = foresee_along(then, point.found.line)
    action = action_words(history.game, moment.before, moment.seat, moment.action)
    played = say("**Played:** {action} ({percent}%)", action=action, percent=_percent(point.found.played))
    better = say("**Better:** {action} ({percent}%)", action=found.actions[0], percent=_percent(point.found.best))
    if before:
        builder.picture(await picture(then, seen)).text(language(join([played, better]), who))
        builder.text(code_line(history.game, moment.before, moment.seat, language))
        return
    events = tuple(event for event in moment.logged.events if event.known_to(moment.seat))
    builder.text(language(played, who))
    after = await picture(then, seen, events=events, after=moment.logged.state)
    builder.picture(_with_title(after, "played", language(say("What was played."))))
    if isinstance(point.mark, Praise):
        points = round(100 * FROM[EARNED[point.mark][1]])
        builder.text(language(say("-# Hard to find: any other move costs at least {n} points of win chance.", n=points)))
        return
    builder.text(language(better, who))
    line = await advised_picture(then, seen, point.found.line)
    builder.picture(_with_title(line, "better", language(say("What was better."))))
    if len(found.actions) > 1:
        expected = join(found.actions[1:], "; ")
        builder.text(language(say("-# Expected next: {line}", line=expected), who))


def _with_title(shown: Picture, what: str, title: str) -> Picture:
    """Return the picture with a title before its description, and a file name unique in its message, as Discord requires."""
    stem, _, ending = shown.name.rpartition(".")
    return replace(shown, name=f"{stem}-{what}.{ending}", alt=f"{title} {shown.alt}")


def _percent(chance: float | None) -> int:
    return round(100 * (chance or 0.0))
