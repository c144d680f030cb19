"""A player's private plan: the tree of replies, and the board at each of them."""

from collections.abc import Iterator
from typing import Any, Final

import discord
from discord import ui

from bot.core.shares import in_share
from bot.features.plans.ahead import Ahead, Branch, abbreviate
from bot.features.plans.tree import MOST_REPLIES
from bot.messages.board import COLOURS, heading
from bot.messages.builder import OPTION_LIMIT, OPTIONS_AT_MOST, Button, MessageBuilder, button, clip
from bot.messages.click import Click
from bot.messages.pictures import Perspective, picture
from bot.messages.players import names
from bot.messages.story import since_asked
from engines.steps import Event
from engines.text import Text, join, say, say_n, seat_name

DEEPEST: Final = 8


def spot(ahead: Ahead, branch: Branch, verb: str = "plan", *tokens: str, page: int = 0) -> Click:
    """Return a click at a branch. It carries the version of the board and the revision of the plan."""
    where = (str(ahead.plan.revision), str(branch.number))
    return Click(verb, ahead.snapshot.table.id, ahead.snapshot.playing.version, page, (*where, *tokens))


async def plan_message(
    ahead: Ahead, branch: Branch, perspective: Perspective, *, page: int | None = None, note: str = ""
) -> MessageBuilder:
    """Return a seat's plan: the board played forward to a branch, a menu with pages of all replies, and the buttons."""
    view, page = _View(ahead, branch, perspective), (branch.number - 1) // OPTIONS_AT_MOST if page is None else page
    builder = MessageBuilder(colour=COLOURS[ahead.seat])
    builder.text(heading(ahead.snapshot, perspective.language)).text(note)
    events = latest(branch) if branch.number else since_asked(ahead.snapshot, ahead.seat)
    builder.picture(await picture(ahead.snapshot.position_after(branch.history), perspective, events=events))
    lines, menu = await in_share(lambda: ([*view.lines()], view.menu(page) if view.has_menu else None))
    builder.text("\n".join(lines))
    if ahead.replies:
        builder.text("\n".join(f"-# {view.in_words(text)}" for text in view.warnings()))
    if menu is not None:
        builder.select(menu)
        builder.buttons(view.pages(page))
    return builder.buttons(view.controls())


def latest(branch: Branch) -> tuple[Event, ...]:
    """Return the events of the last two actions on the way to a branch."""
    return tuple(event for logged in branch.history.log[-2:] for event in logged.events)


def ask_clear_message(ahead: Ahead, perspective: Perspective) -> MessageBuilder:
    """Return the question of whether to delete all replies."""
    language, root = perspective.language, ahead.branch(0)
    asked = say_n("Clear your planned reply?", "Clear all {n} planned replies?", len(ahead.replies))
    builder = MessageBuilder(colour=COLOURS[ahead.seat]).text(heading(ahead.snapshot, language)).text(f"**{language(asked)}**")
    sure, back = spot(ahead, root, "plan-clear", "sure"), spot(ahead, root)
    return builder.buttons([
        button(language(say("Clear all")), sure.custom_id, discord.ButtonStyle.danger),
        button(language(say("Back")), back.custom_id),
    ])  # fmt: skip


class _View:
    """The parts of the message about a plan."""

    def __init__(self, ahead: Ahead, branch: Branch, perspective: Perspective) -> None:
        self.ahead, self.branch, self.language = ahead, branch, perspective.language

    def in_words(self, text: Text) -> str:
        """Return a text in the player's language, with the players' names, in Markdown."""
        return self.language(text, names(self.ahead.snapshot))

    def lines(self) -> Iterator[str]:
        yield f"**{self.in_words(self._now())}**"
        yield from self._below(self.ahead.branch(0), "", 0)

    def _now(self) -> Text:
        ahead, other = self.ahead, self.ahead.other(self.branch)
        if ahead.other(ahead.branch(0)) is None:
            return say("It’s your turn: move first, then plan ahead.")
        if other is None:
            return say("Your reply {mine} ends the game.", mine=quoted(self.branch.mine))
        if self.branch.number:
            return say("After your reply {mine}, it’s {who}’s turn.", mine=quoted(self.branch.mine), who=seat_name(other))
        return say_n("You’ve planned {n} reply:", "You’ve planned {n} replies:", len(ahead.replies))

    def warnings(self) -> Iterator[Text]:
        """Yield what a plan means for its owner and, if the plan is full, that there is no room for more replies."""
        others = [seat for seat in range(self.ahead.snapshot.playing.seats) if seat != self.ahead.seat]
        yield say(
            "Only you see this. A reply is played at once, without asking you again. If {who} plays anything else, "
            "the plan is gone.",
            who=seat_name(others[0]),
        )
        if self.ahead.full:
            yield say("There’s no room for more than {n} replies. Remove some to add others.", n=MOST_REPLIES)

    def _below(self, parent: Branch, line: str, indent: int) -> Iterator[str]:
        """Yield the lines of a branch and the replies below it. `line` is the branch's own, which a single reply continues."""
        replies = self.ahead.after(parent)
        if len(replies) != 1 and line:
            yield line
        for reply in replies:
            told = self._reply_text(reply)
            alone = len(replies) == 1 and line
            bullet = f"{'  ' * min(indent, DEEPEST)}- {told}"
            yield from self._below(reply, f"{line} · {told}" if alone else bullet, indent if alone else indent + 1)

    def _reply_text(self, reply: Branch) -> str:
        values = {"theirs": quoted(reply.theirs), "mine": quoted(reply.mine)}
        words = say("then if {theirs}: {mine}", **values) if len(reply.path) > 1 else say("if {theirs}: {mine}", **values)
        told = self.language(words)
        return f"**{told}**" if reply.number == self.branch.number else told

    def menu(self, page: int) -> "ui.Select[Any]":
        first = self._page(page) * OPTIONS_AT_MOST
        options = [self._option(reply) for reply in self.ahead.replies[first : first + OPTIONS_AT_MOST]]
        click = spot(self.ahead, self.branch, "plan-go", page=self._page(page))
        return ui.Select(custom_id=click.custom_id, placeholder=self.language(say("Go to a reply")), options=options)

    def pages(self, page: int) -> list[Button]:
        page, last = self._page(page), self._last_page
        if not last:
            return []
        return [
            button(self.language(say("Previous")), self._to_page(page - 1).custom_id, disabled=page == 0),
            button(self.language(say("Next")), self._to_page(page + 1).custom_id, disabled=page == last),
        ]

    @property
    def has_menu(self) -> bool:
        return len(self.ahead.replies) > 1 or (len(self.ahead.replies) == 1 and not self.branch.number)

    @property
    def _last_page(self) -> int:
        return max(0, len(self.ahead.replies) - 1) // OPTIONS_AT_MOST

    def _page(self, page: int) -> int:
        return max(0, min(page, self._last_page))

    def _to_page(self, page: int) -> Click:
        return spot(self.ahead, self.branch, "plan-page", page=max(0, page))

    def _option(self, reply: Branch) -> discord.SelectOption:
        label = self.language(say("If {theirs}: {mine}", theirs=reply.theirs, mine=reply.mine))
        moves = reply.history.log[self.ahead.snapshot.playing.version : -2]
        way = join([quoted(reply.history.action_words(logged)) for logged in moves], ", ")
        return discord.SelectOption(
            label=clip(label, OPTION_LIMIT),
            value=str(reply.number),
            description=clip(self.language(say("after {moves}", moves=way)), OPTION_LIMIT) if way else None,
        )

    def controls(self) -> list[Button]:
        ahead, branch = self.ahead, self.branch
        if ahead.other(ahead.branch(0)) is None:
            move = Click("move", ahead.snapshot.table.id, ahead.snapshot.playing.version)
            first = [button(self.language(say("Move")), move.custom_id, discord.ButtonStyle.primary)]
        else:
            first = [*self._adding(), *(self._changing() if branch.number else [])]
        if ahead.replies:
            first.append(button(self.language(say("Clear all")), spot(ahead, branch, "plan-clear").custom_id))
        return first

    def _adding(self) -> list[Button]:
        label = say("And after that …") if self.branch.number else say("Add a reply")
        click = spot(self.ahead, self.branch, "plan-if")
        nothing = self.ahead.other(self.branch) is None or self.ahead.full
        return [button(self.language(label), click.custom_id, discord.ButtonStyle.primary, disabled=nothing)]

    def _changing(self) -> list[Button]:
        ahead, branch = self.ahead, self.branch
        below, parent = ahead.below(branch), ahead.parent(branch)
        change = spot(ahead, parent, "plan-then", *abbreviate(branch.reply.theirs))
        remove = say_n("Remove it and the one after it", "Remove it and the {n} after it", below) if below else say("Remove")
        return [
            button(self.language(say("Another reply")), change.custom_id),
            button(self.language(remove), spot(ahead, branch, "plan-drop").custom_id),
            button(self.language(say("Current board")), spot(ahead, ahead.branch(0)).custom_id),
        ]


def quoted(words: Text) -> Text:
    """Return an action in words, as it is quoted in a sentence."""
    return say("“{action}”", action=words)
