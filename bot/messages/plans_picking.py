"""Adding a reply to a plan: what the others may play, what is played then, and both by name before they are kept."""

from dataclasses import dataclass, replace
from typing import Final

import discord

from bot.messages.board import COLOURS, heading, names, story
from bot.messages.builder import Button, MessageBuilder, button
from bot.messages.click import Click
from bot.messages.offers import Offers, Verbs
from bot.messages.perspective import Perspective
from bot.messages.picking import Pick, Ways, actions, regions
from bot.messages.pictures import picture
from bot.messages.plans import code, latest, spot
from bot.messages.plans_tree import Ahead, Branch, abbreviated, fitting
from bot.messages.story import since_asked
from bot.sessions import History
from engines.actions import Action
from engines.events import Event
from engines.text import Text, plain, say, say_n, seat_name

THEIRS: Final = Verbs("plan-if", "plan-if", "plan-if")
MINE: Final = Verbs("plan-then", "plan-then", "plan-then")

WAY_SHOWN: Final = 4
"""How many moves the line names that says where in the plan somebody is."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Adding:
    """A reply that is being added.

    Attributes:
        ahead: the plan that it is added to.
        branch: the branch that it follows.
        theirs: what it answers; empty as long as that is being picked.
        history: the game played forward to where an action is being picked.
        perspective: the player's perspective.
    """

    ahead: Ahead
    branch: Branch
    theirs: Action = ()
    history: History
    perspective: Perspective

    @property
    def ways(self) -> Ways:
        """What can be picked."""
        return actions(self.history, self.history.to_act[0])

    @property
    def other(self) -> int:
        """The seat whose action is answered."""
        (seat,) = self.branch.history.to_act
        return seat

    @property
    def replaced(self) -> Branch | None:
        """The reply that is planned to the same action already."""
        return self.ahead.answer(self.branch, self.theirs) if self.theirs else None

    def click(self, verb: str, tokens: Action = (), page: int = 0) -> Click:
        """A click by which the action that is being picked goes on from these tokens of it."""
        theirs = abbreviated(self.theirs) if self.theirs else ()
        return spot(self.ahead, self.branch, verb, *theirs, *fitting(tokens), page=page)

    def said(self, text: str) -> str:
        """A text in the player's language, with the players' names, in Markdown."""
        return self.perspective.language(text, names(self.ahead.snapshot))

    def label(self, text: str) -> str:
        """The same for a button, where there is no Markdown."""
        return self.perspective.language(text, self.ahead.snapshot.names)

    def begun(self) -> MessageBuilder:
        """The beginning of the message."""
        return MessageBuilder(colour=COLOURS[self.ahead.seat]).text(heading(self.ahead.snapshot, self.perspective.language))

    @property
    def way(self) -> list[str]:
        """A small line with the last moves on the way to the board that is shown, if it is not the present one."""
        moves = [f"`{logged.notation}`" for logged in self.branch.history.log[self.ahead.snapshot.playing.version :]]
        some = ", ".join(["…"] * (len(moves) > WAY_SHOWN) + moves[-WAY_SHOWN:])
        return [f"-# {self.said(say('after {moves}', moves=plain(some)))}"] if moves else []


async def picking_message(adding: Adding, picked: Pick, *, page: int = 0, note: str = "") -> MessageBuilder:
    """The panel in which one of the two actions is picked, on the board played forward to it.

    Args:
        adding: the reply.
        picked: the action, as far as it has been picked.
        page: the page of a menu or, from 1, the region; see `Offers.page`.
        note: a line at the top.
    """
    history, verbs = adding.history, MINE if adding.theirs else THEIRS
    offers = Offers(
        picked=picked,
        regions=regions(history.game, picked.offers),
        page=page,
        click=adding.click(verbs.pick, picked.prefix, page),
        language=adding.perspective.language,
        label=adding.label,
        verbs=verbs,
    )
    prefix, options = offers.drawn
    shown = adding.ahead.at(history)
    events = _happened(adding) if picked.untouched else ()
    builder = adding.begun().text(note)
    builder.picture(await picture(shown, adding.perspective, events=events, prefix=prefix, options=options))
    builder.text("\n".join(_asked(adding, picked)))
    offers.add_to(builder)
    leave = offers.leave_region() if offers.region is not None else _back(adding, picked)
    return builder.buttons([*_ended(adding, picked), *([] if leave is None else [leave])])


def _happened(adding: Adding) -> tuple[Event, ...]:
    """What has happened on the board that is shown: what is answered, or the last reply, or what was played last."""
    if adding.theirs:
        return adding.history.log[-1].events
    return latest(adding.branch) if adding.branch.number else since_asked(adding.ahead.snapshot, adding.ahead.seat)


def _asked(adding: Adding, picked: Pick) -> list[str]:
    """How far the reply has been picked, by name, and what is asked."""
    game, state, who = adding.history.game, adding.history.state, seat_name(adding.other)
    so_far = plain("…") if picked.untouched else code_so_far(game.notate(state, picked.seat, picked.prefix))
    if adding.theirs:
        title = say("If {who} plays {theirs}, you play {mine}", who=who, theirs=_theirs(adding), mine=so_far)
    else:
        title = say("If {who} plays {theirs}", who=who, theirs=so_far)
    lines = [*adding.way, f"**{adding.said(title)}**", adding.said(game.prompt(state, picked.seat, picked.prefix))]
    if (hint := _hint(adding, picked)) is not None:
        lines.append(f"-# {adding.said(hint)}")
    return lines


def code_so_far(notation: str) -> Text:
    """The beginning of an action."""
    return plain(f"`{notation}` …")


def _theirs(adding: Adding) -> Text:
    return code(adding.history.log[-1].notation)


def _hint(adding: Adding, picked: Pick) -> Text | None:
    """What somebody who begins to plan should know."""
    if not picked.untouched:
        return None
    if (replaced := adding.replaced) is not None:
        return say("So far you’d play {mine}. A new reply takes its place.", mine=code(replaced.mine))
    if not adding.theirs and not adding.ahead.replies:
        return say(
            "Pick a move that {who} might play, then your reply. If they play exactly that, your reply is played at once. "
            "Only you see this.",
            who=seat_name(adding.other),
        )
    return None


def _ended(adding: Adding, picked: Pick) -> list[Button]:
    """The button that ends an action that could go on."""
    if not picked.final:
        return []
    verb = "plan-so" if adding.theirs else "plan-stop"
    click = adding.click(verb, picked.prefix)
    return [button(adding.label(say("That’s it")), click.custom_id, discord.ButtonStyle.success)]


def _back(adding: Adding, picked: Pick) -> Button | None:
    """The button to one decision earlier; None at the very beginning."""
    ways, ahead = adding.ways, adding.ahead
    if not picked.untouched and picked.prefix != ways.pick(()).prefix:
        verb = MINE.pick if adding.theirs else THEIRS.pick
        click = adding.click(verb, ways.back(picked.prefix).prefix)
    elif adding.theirs:
        before = actions(adding.branch.history, adding.other)
        click = spot(ahead, adding.branch, THEIRS.pick, *fitting(before.back(adding.theirs).prefix))
    elif ahead.replies:
        click = spot(ahead, adding.branch)
    else:
        return None
    return button(adding.label(say("Back")), click.custom_id)


async def confirm_message(adding: Adding, mine: Action, after: History) -> MessageBuilder:
    """The reply by name, with the picture of what it leads to, before it is kept.

    Args:
        adding: the reply.
        mine: what is played.
        after: the game after it.
    """
    events = tuple(event for logged in after.log[-2:] for event in logged.events)
    builder = adding.begun().picture(await picture(adding.ahead.at(after), adding.perspective, events=events))
    title = say(
        "If {who} plays {theirs}, you play {mine}.",
        who=seat_name(adding.other), theirs=_theirs(adding), mine=code(after.log[-1].notation),
    )  # fmt: skip
    told = story(events, adding.ahead.snapshot, adding.perspective.language)
    builder.text("\n".join([*adding.way, f"**{adding.said(title)}**", told]))
    if (replaced := adding.replaced) is not None:
        builder.text(adding.said(_taken_from(adding.ahead, replaced)))
    keep, back = adding.click("plan-keep", mine), adding.click(MINE.pick, adding.ways.back(mine).prefix)
    return builder.buttons([
        button(adding.label(say("Keep this")), keep.custom_id, discord.ButtonStyle.success, emoji="✅"),
        button(adding.label(say("Back")), back.custom_id),
    ])  # fmt: skip


def _taken_from(ahead: Ahead, replaced: Branch) -> Text:
    """What is given up for the new reply."""
    mine, below = code(replaced.mine), ahead.below(replaced)
    if not below:
        return say("It takes the place of your reply {mine}.", mine=mine)
    return say_n(
        "It takes the place of your reply {mine}, and of the one after that.",
        "It takes the place of your reply {mine}, and of the {n} after that.",
        below, mine=mine,
    )  # fmt: skip


def kept(adding: Adding, after: History) -> Text:
    """What is told once a reply has been kept."""
    return say(
        "Kept: if {who} plays {theirs}, you play {mine}.",
        who=seat_name(adding.other), theirs=_theirs(adding), mine=code(after.log[-1].notation),
    )  # fmt: skip


def answering(adding: Adding, theirs: Action, answered: History) -> Adding:
    """The same reply, now that what it answers has been picked: what is played then is picked next."""
    return replace(adding, theirs=theirs, history=answered)
