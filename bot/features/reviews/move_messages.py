"""The moves of a reviewed game: the list of all moves with marks, a single marked move, and a better line played out."""

from collections.abc import Mapping
from dataclasses import replace
from typing import Final

import discord
from discord import ui

from bot.features.reviews.course import GameCourse, Marked, Moment
from bot.features.reviews.messages import add_choice, play_out_button, review_click, title_of
from bot.features.reviews.service import Reviewed
from bot.messages.board import COLOURS, heading
from bot.messages.builder import OPTION_LIMIT, MessageBuilder, Picture, button, clip
from bot.messages.click import Click
from bot.messages.pictures import Perspective, picture_or_words, words_of
from bot.messages.players import marks, names
from engines.game import action_words
from engines.text import Text, join, say, say_n
from opponents.reviewing import EARNED, FROM, Example, Praise, Slip
from renderers.replay import Replay
from storage.schema.records import EntryKind

MOVES_SHOWN: Final = 20
"""The most moves on a page of the list."""

SIGNS: Final[Mapping[Slip | Praise, str]] = {
    Praise.BRILLIANT: "!!",
    Praise.GREAT: "!",
    Slip.INACCURACY: "?!",
    Slip.MISTAKE: "?",
    Slip.BLUNDER: "??",
}
"""The sign for each mark, in chess notation."""


def moves_click(reviewed: Reviewed, page: int = 0) -> Click:
    """Return the click that shows a page of the list of moves. Pages are numbered from 0."""
    return replace(review_click(reviewed.snapshot, page), verb="review-moves")


def moves_message(reviewed: Reviewed, perspective: Perspective, page: int = 0) -> MessageBuilder:
    """Return a page of the list of moves, numbered from 0. Each move has its mark, and its seat's win chance after it."""
    snapshot, course, language = reviewed.snapshot, reviewed.course, perspective.language
    pages = -(-len(course.moments) // MOVES_SHOWN)
    page = min(page, pages - 1)
    here = course.moments[page * MOVES_SHOWN : (page + 1) * MOVES_SHOWN]
    marked = {point.moment.number: point for point in course.marked(reviewed.review)}
    builder = MessageBuilder().text(heading(snapshot, language))
    title = say("Moves {first} to {last} of {all}", first=here[0].place + 1, last=here[-1].place + 1, all=len(course.moments))
    who = names(snapshot)
    lines = [language(_line(reviewed, moment, marked.get(moment.number)), who) for moment in here]
    builder.text("\n".join((f"### {language(title)}", *lines))).line()
    builder.text("\n".join(f"-# {language(text)}" for text in _legend(course)))
    return _with_controls(builder, reviewed, [marked[one.number] for one in here if one.number in marked], page, perspective)


def _line(reviewed: Reviewed, moment: Moment, point: Marked | None) -> Text:
    """Return the line for a move: its number, its mark, and its seat's win chance after it."""
    seat = marks(reviewed.snapshot)[moment.seat]
    if moment.logged.entry.kind is EntryKind.PLAY:
        move = action_words(reviewed.course.history.game, moment.before, moment.seat, moment.action)
    else:  # nobody chose this move
        move = join([event.text for event in moment.logged.events if event.private_to is None], " ")
    line = say("{n}. {seat} {move}", n=moment.place + 1, seat=seat, move=move)
    if point is not None:
        line = say("{line} **{mark}**", line=line, mark=SIGNS[point.mark])
    chance = reviewed.course.chance_after(reviewed.review, moment)
    return line if chance is None else say("{line} · {percent}%", line=line, percent=round(100 * chance))


def _legend(course: GameCourse) -> list[Text]:
    points = {slip: round(100 * least) for slip, least in FROM.items()}
    (_, brilliant), (_, great) = EARNED[Praise.BRILLIANT], EARNED[Praise.GREAT]
    legend = [
        say(
            "?!, ? and ?? cost at least {inaccuracy}, {mistake} and {blunder} points of win chance. Only clear cases are "
            "marked.",
            inaccuracy=points[Slip.INACCURACY], mistake=points[Slip.MISTAKE], blunder=points[Slip.BLUNDER],
        ),
        say(
            "! was hard to find, and any other move costs at least {great} points; !! was harder still, and saved "
            "{brilliant}.",
            great=points[great], brilliant=points[brilliant],
        ),
        say("The percentage is the mover’s win chance after the move."),
    ]  # fmt: skip
    return legend if course.choices else legend[-1:]


def _with_controls(
    builder: MessageBuilder, reviewed: Reviewed, here: list[Marked], page: int, perspective: Perspective
) -> MessageBuilder:
    snapshot, language = reviewed.snapshot, perspective.language
    if here:
        options = [
            discord.SelectOption(
                label=clip(f"{SIGNS[point.mark]} {language(title_of(point), snapshot.names)}", OPTION_LIMIT),
                value=str(point.moment.number),
            )
            for point in here
        ]
        select = replace(review_click(snapshot, page), verb="review-move").custom_id
        builder.select(ui.Select(custom_id=select, placeholder=language(say("Look at a marked move")), options=options))
    buttons = [button(language(say("Summary")), review_click(snapshot).custom_id)]
    if page:
        buttons.append(button(language(say("Earlier")), moves_click(reviewed, page - 1).custom_id))
    if (page + 1) * MOVES_SHOWN < len(reviewed.course.moments):
        buttons.append(button(language(say("Later")), moves_click(reviewed, page + 1).custom_id, discord.ButtonStyle.primary))
    return builder.buttons(buttons)


async def marked_message(reviewed: Reviewed, point: Marked, perspective: Perspective) -> MessageBuilder:
    """Return a message with a marked move and, if it was a slip, with what was better."""
    snapshot, language = reviewed.snapshot, perspective.language
    builder = MessageBuilder(colour=COLOURS[point.moment.seat]).text(heading(snapshot, language))
    builder.text(f"### {language(title_of(point), names(snapshot))}")
    await add_choice(builder, reviewed, point, perspective)
    buttons = [button(language(say("Moves")), moves_click(reviewed, point.moment.place // MOVES_SHOWN).custom_id)]
    if isinstance(point.mark, Slip):
        buttons.append(play_out_button(snapshot, point, language))
    return builder.buttons(buttons)


def example_message(
    reviewed: Reviewed, point: Marked, example: Example, made: Replay | None, perspective: Perspective, page: int = 0
) -> MessageBuilder:
    """Return the better line played out, animated and in words. *Back* leads to this page, or to the marked move for page 0."""
    snapshot, language, game = reviewed.snapshot, perspective.language, reviewed.course.history.game
    who, first = names(snapshot), point.moment.place + 1
    builder = MessageBuilder(colour=COLOURS[point.moment.seat]).text(heading(snapshot, language))
    title = say("Better than move {n}", n=first)
    builder.text(f"### {language(title)}")
    state, lines = example.first, list[Text]()
    for number, (seat, action, step) in enumerate(example.steps):
        move = action_words(game, state, seat, action)
        lines.append(say("{n}. {seat} {move}", n=first + number, seat=marks(snapshot)[seat], move=move))
        state = step.state
    name = f"better-{snapshot.table.id}-{point.moment.number}.gif"
    view = game.view(state, perspective.seat)
    alt = language(
        say_n(
            "What was better, as an animation of one picture. {end}",
            "What was better, as an animation of {n} pictures. The last one: {end}",
            1 if made is None else len(made.frames), end=game.describe(view),
        ),
        snapshot.names,
    )  # fmt: skip
    gif = None if made is None else made.gif
    builder.picture(
        Picture(name, gif, alt)
        if gif is not None
        else picture_or_words(name, None, alt, language, lambda: words_of(snapshot.position, perspective, view))
    )
    builder.text(language(join(lines), who))
    luck = game.chance or game.secret or game.memory
    note = (
        say("One example: cards, dice and replies could turn out differently.") if luck else say("With the replies I’d expect.")
    )
    builder.text(f"-# {language(note)}")
    back = review_click(snapshot, page)
    if not page:
        back = replace(back, verb="review-move", tokens=(str(point.moment.number),))
    return builder.buttons([button(language(say("Back")), back.custom_id)])
