"""The panel of a person's slips in a finished game: the position before each, the parts of a move, and what it is worth."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import ClassVar

import discord
from typing_extensions import override

from bot.features.reviews.messages import TRY_AGAIN, add_choice, review_click
from bot.features.reviews.slips import Slips
from bot.messages.advice import advised_picture, foresee_along
from bot.messages.board import COLOURS, analyse_button, heading
from bot.messages.builder import Button, MessageBuilder, Picture, button
from bot.messages.click import Click, TooLong
from bot.messages.menus import Verbs
from bot.messages.picking import Pick
from bot.messages.pictures import Perspective, picture
from bot.messages.private_board import PrivateBoard, add_items
from engines.game import Action, action_words
from engines.text import Text, say, seat_name
from opponents.reviewing import SecondTry, Slip, slip_of


@dataclass(frozen=True)
class SlipPanel(PrivateBoard):
    """The panel of a person's slips, showing what the person's seat knew at the time."""

    at: Slips

    verbs: ClassVar[Verbs] = Verbs.of("slip-pick", play="slip-play")

    @override
    def click(self, verb: str, tokens: Action = (), page: int = 0) -> Click:
        table = self.at.reviewed.snapshot.table
        return Click(verb, table.id, table.version, page, (str(self.at.point.moment.number), *tokens))

    def words_of(self, action: Action) -> Text:
        """Return one of the person's actions in words."""
        return action_words(self.at.history.game, self.at.history.state, self.at.seat, action)


def slip_panel(at: Slips, perspective: Perspective) -> SlipPanel:
    """Return the panel of a person's slips, without what was revealed at the end of the game."""
    return SlipPanel(at, replace(perspective, seat=at.seat, revealed=False))


async def slip_message(
    panel: SlipPanel, picked: Pick, *, page: int = 0, note: str = "", preview: bool = True
) -> MessageBuilder:
    """Return a message with the position before a slip, what was played and what that cost, a note, and the parts of a move."""
    at, picking = panel.at, panel.picking(picked, page)
    builder, step = _framed(panel), picking.preview(wanted=preview)
    events, after = at.events if picked.untouched else (), at.seen if step is None and at.recalled else None
    builder.picture(await picking.picture(events, preview=step, after=after))
    if picked.untouched:
        builder.text(panel.language(say("-# The cards you’d seen are face up here.")) if at.recalled else "")
        builder.text(panel.told(at.events))
    builder.text("\n".join(filter(None, [note, panel.in_words(_task(panel)), panel.question(picking)])))
    try:
        add_items(builder, picking, _ways(panel, shown=False))
        return builder
    except TooLong:
        back = button(panel.on_button(say("Back")), panel.click("slip-at").custom_id)
        return _framed(panel).text(panel.language(say("That’s too long for buttons."))).buttons([back])


def _framed(panel: SlipPanel) -> MessageBuilder:
    """Return a message in the colour of the person's seat, with the game, and the slip's number among all of theirs."""
    at = panel.at
    which = say("{title} ({n} of {all})", title=TRY_AGAIN, n=at.number, all=len(at.own)) if len(at.own) > 1 else TRY_AGAIN
    builder = MessageBuilder(colour=COLOURS[at.seat]).text(heading(at.reviewed.snapshot, panel.language))
    return builder.text(f"### {panel.language(which)}")


def _task(panel: SlipPanel) -> Text:
    """Say what was played, and how much of the chance to win it gave away."""
    point = panel.at.point
    values = {
        "n": point.moment.place + 1, "action": panel.words_of(point.moment.action),
        "best": _percent(panel.at.best), "played": _percent(panel.at.best - point.lost),
    }  # fmt: skip
    match point.mark:
        case Slip.BLUNDER:
            return say(
                "Move {n}: you played **{action}**, a blunder. It cut your win chance from {best}% to {played}%.", **values
            )
        case Slip.MISTAKE:
            return say(
                "Move {n}: you played **{action}**, a mistake. It cut your win chance from {best}% to {played}%.", **values
            )
        case _:
            return say(
                "Move {n}: you played **{action}**, an inaccuracy. It cut your win chance from {best}% to {played}%.", **values
            )


def _percent(chance: float) -> int:
    return max(0, round(100 * chance))


async def tried_message(panel: SlipPanel, action: Action, tried: SecondTry) -> MessageBuilder:
    """Return a message that says what an action is worth: that it is good enough, or what it loses and why."""
    at, good = panel.at, slip_of(tried.lost) is None
    line = [(at.seat, action), *([] if tried.reply is None else [tried.reply])]
    builder = _framed(panel).picture(await _picture_of(panel, line))
    told = _praise(panel, action, tried) if good else _reproof(panel, action, tried)
    builder.text("\n".join(map(panel.in_words, told)))
    if good:
        return builder.buttons(_ways(panel, shown=True))
    again = button(panel.on_button(say("Try again")), panel.click("slip-at").custom_id, discord.ButtonStyle.primary)
    return builder.buttons([again, *_ways(panel, shown=False)])


async def _picture_of(panel: SlipPanel, line: Sequence[tuple[int, Action]]) -> Picture:
    """Return the board at the end of a line, or the line's first action marked on the board as the person saw it before."""
    at, (_, action) = panel.at, line[0]
    if not at.recalled or foresee_along(at.position, line).state is not None:
        return await advised_picture(panel.position, panel.perspective, line)
    offered = at.history.game.choices(at.history.state, at.seat, action[:-1])
    marked = tuple(choice for choice in offered if choice.token == action[-1])
    return await picture(panel.position, panel.perspective, prefix=action[:-1], options=marked, after=at.seen)


def _praise(panel: SlipPanel, action: Action, tried: SecondTry) -> list[Text]:
    at, values = panel.at, {"action": panel.words_of(action), "percent": _percent(panel.at.best - tried.lost)}
    if action == at.better:
        told = [say("✅ **That’s it!** {action} keeps your win chance at {percent}%.", **values)]
    else:
        better = {"action": panel.words_of(at.better), "percent": _percent(at.best)}
        told = [
            say("✅ **That’s good!** {action} keeps your win chance at {percent}%.", **values),
            say("-# The review found {action} ({percent}%).", **better),
        ]
    return [*told, *_end(panel)]


def _reproof(panel: SlipPanel, action: Action, tried: SecondTry) -> list[Text]:
    at, points = panel.at, _percent(tried.lost)
    if at.is_slip(action):
        return [say("❌ **That’s what you played.** It costs you {points} points of win chance.", points=points)]
    told = [say(
        "❌ **Not that one.** {action} leaves you with a {percent}% win chance, {points} points less than the better move.",
        action=panel.words_of(action), percent=_percent(at.best - tried.lost), points=points,
    )]  # fmt: skip
    if tried.reply is not None:
        answered = foresee_along(at.position, [(at.seat, action), tried.reply]).actions[1:]
        told += [say("{who} answers {reply}.", who=seat_name(tried.reply[0]), reply=reply) for reply in answered]
    if tried.reason is not None:
        told.append(say("-# Hint: ||{reason}||", reason=tried.reason))
    return told


def unweighed_words(panel: SlipPanel, action: Action) -> str:
    """Say that an action is not the one from the review, and that nothing more is said during a rated game."""
    unweighed = say(
        "❌ {action} isn’t the move from the review. I can’t rate other moves while you’re in a rated game of {game}.",
        action=panel.words_of(action), game=panel.at.history.game.title,
    )  # fmt: skip
    return panel.in_words(unweighed)


async def better_message(panel: SlipPanel) -> MessageBuilder:
    """Return a message that compares the move that was played with the better one, in the words of the review."""
    at = panel.at
    builder = _framed(panel)
    await add_choice(builder, at.reviewed, at.point, panel.perspective)
    return builder.text("\n".join(map(panel.in_words, _end(panel)))).buttons(_ways(panel, shown=True))


def _end(panel: SlipPanel) -> list[Text]:
    """Return a note that this was the last of several slips, or nothing otherwise."""
    if panel.at.following is not None or len(panel.at.own) == 1:
        return []
    return [say("That’s all of them.")]


def _ways(panel: SlipPanel, *, shown: bool) -> list[Button]:
    """Return the buttons to the better move (once it is `shown`, to the analysis), to the next slip, and back to the review."""
    at, language = panel.at, panel.language
    snapshot, following = at.reviewed.snapshot, at.following
    ways = [] if shown else [button(panel.on_button(say("Show me")), panel.click("slip-show").custom_id, emoji="🏳️")]
    if following is not None:
        to_next = replace(panel.click("slip-at"), tokens=(str(following.moment.number),)).custom_id
        style = discord.ButtonStyle.success if shown else discord.ButtonStyle.secondary
        ways.append(button(panel.on_button(say("Next")), to_next, style))
    if shown:
        ways.append(analyse_button(snapshot.table.id, language, at.page))
    return [*ways, button(panel.on_button(say("Review")), review_click(snapshot).custom_id)]
