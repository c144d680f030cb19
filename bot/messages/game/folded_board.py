"""Folded boards: a board that another one has replaced, as one small line: the table, the players, what they did.

It tells the turn that led to its board, so that the lines of a channel are the turns of a game, each once.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import groupby
from typing import Final

from bot.i18n.language import Language
from bot.messages.builder import MessageBuilder, clip_markdown
from bot.messages.game.players import marks, names, names_with_levels
from bot.sessions import Snapshot
from bot.sessions.record.since import standing, turn_before
from engines.game import Event
from engines.text import join, plain, say

ROOM: Final = 100
"""About how many characters a folded board has: those of a line on a wide screen, and of two on a phone."""

LEAST: Final = 24
"""Characters that remain of an action, however long the names are."""

BETWEEN: Final = ", "
"""Stands between the actions of one player."""

_PATH: Final = re.compile(r" → (?:[^→,]* → )+")
"""The middle of a path from square to square."""


@dataclass(frozen=True, slots=True)
class _Deed:
    """An event in words.

    Attributes:
        seat: the seat that did it; None: no seat did.
        words: the words, in Discord's Markdown.
        phrase: whether the name of the seat belongs before them.
        major: whether it is among the most important ones.
    """

    seat: int | None
    words: str
    phrase: bool
    major: bool


def folded_board(snapshot: Snapshot, language: Language, version: int) -> MessageBuilder:
    """The line in the place of an older board. That of the first turn, which tells nothing yet, names the players.

    Args:
        snapshot: the table as it is now.
        language: the language of the server.
        version: the version that the board shows.
    """
    history = snapshot.playing.at(version)
    begins, ends = turn_before(history, snapshot.computers)
    deeds = list(_deeds(standing(history, begins, until=ends), snapshot, language))
    told = (
        list(_paragraphs(_chosen(deeds, snapshot, language), snapshot, language)) if deeds else [_beginning(snapshot, language)]
    )
    return MessageBuilder(bare=True).text(" · ".join([f"-# #{snapshot.table.id}", *told]))


def _beginning(snapshot: Snapshot, language: Language) -> str:
    who = names_with_levels(snapshot, names(snapshot))
    players = join([join([plain(mark), name], " ") for mark, name in zip(marks(snapshot), who, strict=True)], " · ")
    return language(say("The game begins: {players}", players=players))


def _deeds(events: Sequence[Event], snapshot: Snapshot, language: Language) -> Iterator[_Deed]:
    """Yield the events that have words: on one line, without bold parts and full stops."""
    who = names(snapshot)
    for event in events:
        if said := event.phrase or event.text:
            words = " ".join(language(said, who).replace("**", "").split()).removesuffix(".")
            yield _Deed(event.seat, words, event.phrased and event.seat is not None, event.major)


def _chosen(deeds: list[_Deed], snapshot: Snapshot, language: Language) -> list[_Deed]:
    """The events for which there is room, in their order.

    If there is no room for all, paths lose their middle, then a seat with major events loses its others, then the oldest are
    left out, rather minor ones, and rather not all of a seat. At last the words of a single event are cut.
    """
    chosen = deeds
    if _length(chosen, snapshot, language) > ROOM:
        chosen = [replace(deed, words=_PATH.sub(" → … → ", deed.words)) for deed in chosen]
    if _length(chosen, snapshot, language) > ROOM:
        with_major = {deed.seat for deed in chosen if deed.major}
        chosen = [deed for deed in chosen if deed.major or deed.seat not in with_major]
    while len(chosen) > 1 and _length(chosen, snapshot, language) > ROOM:
        seats = [deed.seat for deed in chosen]
        rank = {index: (deed.major, seats.count(deed.seat) == 1, index) for index, deed in enumerate(chosen)}
        del chosen[min(rank, key=lambda index: rank[index])]
    too_long = _length(chosen, snapshot, language) - ROOM
    if too_long > 0:
        words = chosen[0].words
        chosen[0] = replace(chosen[0], words=clip_markdown(words, max(LEAST, len(words) - too_long)))
    return chosen


def _length(deeds: Sequence[_Deed], snapshot: Snapshot, language: Language) -> int:
    """About how many characters people see of events, without the marks of the seats."""
    named = {deed.seat for deed in deeds if deed.phrase and deed.seat is not None}
    who = names(snapshot)
    return sum(len(language(who[seat])) for seat in named) + sum(len(deed.words) + len(BETWEEN) for deed in deeds)


def _paragraphs(deeds: Sequence[_Deed], snapshot: Snapshot, language: Language) -> Iterator[str]:
    """Yield the actions of one player after the other, with their mark and name."""
    who, signs = names(snapshot), marks(snapshot)
    for (seat, phrase), told in groupby(deeds, key=lambda deed: (deed.seat, deed.phrase)):
        mark = "" if seat is None else f"{signs[seat]} "
        name = f"**{language(who[seat])}** " if phrase and seat is not None else ""
        yield f"{mark}{name}{BETWEEN.join(deed.words for deed in told)}"
