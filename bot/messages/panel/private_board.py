"""The parts of a panel with a private board: a position that one person looks at, and the parts of a move below it.

Such a board is no table's. Analyses are played on it, and puzzles.
"""

from dataclasses import dataclass
from typing import ClassVar, Final

import discord

from bot.i18n.language import Language
from bot.messages.builder import Button, MessageBuilder, button
from bot.messages.click import Click
from bot.messages.game.board import COLOURS
from bot.messages.game.pictures import Perspective
from bot.messages.game.players import marks, names
from bot.messages.game.story import ALONE, words
from bot.messages.panel.menus import Menu, Verbs, with_picks
from bot.messages.panel.picking import Pick, pick, pick_back, prompt_of, regions
from bot.sessions import History, HistoryEntry, Snapshot
from bot.sessions.advice.analysis_tree import Analysed
from engines.game import Action, Event, Words, action_words, hand_of, part_of
from engines.text import Text, plain, say, say_n
from storage.schema.records import EntryKind

MOVES_SHOWN: Final = 6
"""The most moves of the line so far that are told."""


@dataclass(frozen=True, slots=True)
class PrivateBoard:
    """A panel with a private board for its person.

    Attributes:
        at: the position that is shown.
        perspective: the perspective of the person.
        verbs: the verbs of the clicks in its menu.
        play: the verb of the click that plays an action.
    """

    at: Analysed
    perspective: Perspective

    verbs: ClassVar[Verbs]
    play: ClassVar[str]

    @property
    def language(self) -> Language:
        """The language of the person."""
        return self.perspective.language

    @property
    def snapshot(self) -> Snapshot:
        """The position as if it were played at a table."""
        return self.at.snapshot

    def in_words(self, text: str) -> str:
        """A text in the person's language, with the names of the colours, in Markdown."""
        return self.language(text, names(self.snapshot))

    def on_button(self, label: str) -> str:
        """A label in the person's language, with the names of the colours."""
        return self.language(label, self.snapshot.names)

    def click(self, verb: str, tokens: Action = (), page: int = 0) -> Click:
        """A click in the panel."""
        raise NotImplementedError

    def pick(self, tokens: Action = ()) -> Pick | None:
        """Pick an action of the seat that acts as far as the tokens go; None at the end of the game."""
        return None if self.at.seat is None else pick(self.snapshot, self.at.seat, tokens)

    # --- words --------------------------------------------------------------------------------------------------------------

    def framed(self, heading: str) -> MessageBuilder:
        """A message in the colour of the seat that acts, with a heading."""
        seat = self.at.seat
        return MessageBuilder(colour=None if seat is None else COLOURS[seat]).text(heading)

    @property
    def variant_words(self) -> str:
        """The variant, to be put behind the name of the game; empty if it is the usual one."""
        game, variant = self.at.history.game, self.snapshot.table.variant
        return "" if variant == game.variants[0] else f" · {self.language(game.variant_titles[variant])}"

    @property
    def last_events(self) -> tuple[Event, ...]:
        """The events of the last move."""
        last = self.at.history.log.last
        return () if last is None else last.events

    def told(self, events: tuple[Event, ...]) -> str:
        """Events as a story."""
        return words(events, self.language, names(self.snapshot), marks(self.snapshot), ALONE)

    def line_words(self) -> str:
        """The line that has led from the root to the position, in words; the moves before the last few are only counted."""
        history = self.at.history
        shown = history.log[-MOVES_SHOWN:]
        told = [f"{marks(self.snapshot)[logged.entry.seat]} {self.in_words(move_words(history, logged))}" for logged in shown]
        before = history.version - len(shown)
        if before:
            told.insert(0, self.language(say_n("{n} move before", "{n} moves before", before)))
        return "-# " + " · ".join(told) if told else ""

    def begun(self, picked: Pick) -> bool:
        """Whether the person has picked anything."""
        start = self.pick()
        return not picked.untouched and start is not None and picked.prefix != start.prefix

    def question(self, picked: Pick, menu: Menu) -> str:
        """The question that the menu answers, and the picks so far."""
        history = self.at.history
        picks = self.in_words(self._picks(picked)) if self.begun(picked) else ""
        if picked.whole and not picked.untouched:
            return f"**{self.language(say('{action}?', action=plain(picks)))}**"
        asked = prompt_of(history.game, history.state, picked, self.in_words)
        hand = hand_of(history.game, history.view(picked.seat)) if picked.untouched else None
        held = [self.in_words(hand)] if hand is not None and "\n" not in hand else []
        return "\n".join([*held, with_picks(menu.questions(asked, history.game, history.state, self.in_words), picks)])

    def _picks(self, picked: Pick) -> Text:
        return action_words(self.at.history.game, self.at.history.state, picked.seat, picked.prefix)

    # --- the parts of a move --------------------------------------------------------------------------------------------------

    def menu(self, picked: Pick, page: int) -> Menu:
        """The menu of the items to pick."""
        return Menu(
            picked=picked,
            regions=regions(self.at.history.game, picked.items),
            page=page,
            click=self.click(self.verbs.pick, picked.prefix, page),
            language=self.language,
            label=self.on_button,
            verbs=self.verbs,
        )

    def add_items(self, builder: MessageBuilder, picked: Pick, menu: Menu) -> None:
        """Add the items to pick; those that go on from the last action come first. Raises TooLong."""
        if picked.going_on:
            begun = action_words(self.at.history.game, self.at.history.state, picked.seat, picked.going_on[0].tokens[:-1])
            builder.text(self.in_words(say("Keep going with **{piece}**:", piece=begun))).buttons(menu.going_on())
            builder.text(self.in_words(say("Or something else:")) if picked.items else "")
        menu.add_to(builder)

    def controls(self, picked: Pick, menu: Menu, otherwise: list[Button]) -> list[Button]:
        """*Play* and *Back* as in every panel or, while nothing is picked, other buttons. Raises TooLong."""
        controls = []
        if picked.final:
            play = self.click(self.play, picked.prefix).custom_id
            confirm = part_of(self.at.history.game, Words).confirm(picked.prefix)
            controls.append(button(self.on_button(confirm), play, discord.ButtonStyle.success, emoji="✅"))
        if menu.region is not None:
            return [*controls, menu.leave_region()]
        if self.begun(picked):
            back = self.click(self.verbs.pick, pick_back(self.snapshot, picked.seat, picked.prefix).prefix)
            return [*controls, button(self.on_button(say("Back")), back.custom_id)]
        return [*controls, *otherwise]


def move_words(history: History, logged: HistoryEntry) -> Text:
    """A move of a line in words."""
    return history.action_words(logged) if logged.entry.kind is EntryKind.PLAY else say("leaves the game")
