"""Folded boards: each is one small line in place of a replaced board, so that a channel's lines tell each turn once."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import groupby
from typing import Final

from bot.core.table.history import HistoryEntry
from bot.core.table.since import turn_before
from bot.core.table.snapshot import Snapshot
from bot.i18n.language import Language
from bot.messages.builder import MessageBuilder
from bot.messages.players import marks, names
from bot.messages.story import counted, cut, shortened
from engines.text import join, plain, say_n

ROOM: Final = 100
"""About how many characters a folded board has: one line on a wide screen, or two on a phone."""

LEAST: Final = 36
"""The characters that each player's action keeps, however many players acted and however long their names are."""

BETWEEN: Final = ", "
"""What stands between the actions of one player."""


@dataclass(frozen=True, slots=True)
class _Deed:
    """An event in Markdown. If `phrase`, the seat's name goes before the words; if `own`, the seat itself has acted."""

    seat: int | None
    words: str
    phrase: bool
    major: bool
    routine: bool
    own: bool


def folded_board(snapshot: Snapshot, language: Language, version: int) -> MessageBuilder:
    """Return the line in place of an older board, which showed `version`. With nothing to tell yet, it says who begins."""
    history = snapshot.playing.at(version)
    begins, ends = turn_before(history, snapshot.computers)
    in_order = groupby(_deeds(history.log[begins:ends], snapshot, language))
    deeds = [replace(deed, words=next(counted(one.words for one in equal))) for deed, equal in in_order]
    chosen = _chosen(deeds, snapshot, language)
    told = list(_paragraphs(chosen, snapshot, language))
    if not told:
        first = [f"{marks(snapshot)[seat]} **{language(names(snapshot)[seat])}**" for seat in history.to_act]
        told = [language(say_n("{who} begins", "{who} begin", len(first), who=join(list(map(plain, first)), ", ")))]
    return MessageBuilder(bare=True).text(" · ".join([f"-# #{snapshot.table.id}", *told]))


def _deeds(log: Sequence[HistoryEntry], snapshot: Snapshot, language: Language) -> Iterator[_Deed]:
    """Yield the public events that have words and were not undone, each on one line, without bold parts and full stops."""
    who = names(snapshot)
    for logged in log:
        for event in logged.events:
            if not logged.undone and event.known_to(None) and (said := event.phrase or event.text):
                words = " ".join(language(said, who).replace("**", "").split()).removesuffix(".")
                named, own = event.phrased and event.seat is not None, event.seat == logged.entry.seat
                yield _Deed(event.seat, words, named, event.major, event.routine, own)


def _chosen(deeds: list[_Deed], snapshot: Snapshot, language: Language) -> list[_Deed]:
    """Return the events that fit, in order. There is at least one for everybody who acted.

    If not all events fit, the middle of each path is left out. If that is not enough, each seat keeps its main event, and the
    newest other major events stay as far as there is room. As a last resort, the main events are cut to equal lengths.
    """
    if _fits(deeds, snapshot, language):
        return deeds
    brief = [replace(deed, words=shortened(deed.words)) for deed in deeds]
    if _fits(brief, snapshot, language):
        return brief
    numbers = _main(brief)
    chosen = [brief[number] for number in sorted(numbers)]
    if not _fits(chosen, snapshot, language):
        unnamed = ROOM - _length([replace(deed, words="") for deed in chosen], snapshot, language)
        return [replace(deed, words=cut(deed.words, max(LEAST, unnamed // len(chosen)))) for deed in chosen]
    for number in reversed(range(len(brief))):
        more = [brief[other] for other in sorted({*numbers, number})]
        if brief[number].major and _fits(more, snapshot, language):
            numbers, chosen = {*numbers, number}, more
    return chosen


def _main(deeds: Sequence[_Deed]) -> set[int]:
    """Return the numbers of the acting seats' main events: a seat's last major event, or else its own first non-routine one."""
    main: dict[int | None, int] = {}
    for number, deed in enumerate(deeds):
        before = deeds[main[deed.seat]] if deed.seat in main else None
        if before is None or deed.major or _weight(deed) > _weight(before):
            main[deed.seat] = number
    acted = {number for number in main.values() if deeds[number].own or deeds[number].major}
    return acted or set(main.values())


def _weight(deed: _Deed) -> tuple[bool, bool, bool]:
    return deed.major, deed.own, not deed.routine


def _fits(deeds: Sequence[_Deed], snapshot: Snapshot, language: Language) -> bool:
    return _length(deeds, snapshot, language) <= ROOM


def _length(deeds: Sequence[_Deed], snapshot: Snapshot, language: Language) -> int:
    """Return the approximate number of characters that people see of the events, without the seats' marks."""
    named = {deed.seat for deed in deeds if deed.phrase and deed.seat is not None}
    who = names(snapshot)
    return sum(len(language(who[seat])) for seat in named) + sum(len(deed.words) + len(BETWEEN) for deed in deeds)


def _paragraphs(deeds: Sequence[_Deed], snapshot: Snapshot, language: Language) -> Iterator[str]:
    """Yield each player's actions, with their mark and name."""
    who, signs = names(snapshot), marks(snapshot)
    for (seat, phrase), told in groupby(deeds, key=lambda deed: (deed.seat, deed.phrase)):
        mark = "" if seat is None else f"{signs[seat]} "
        name = f"**{language(who[seat])}** " if phrase and seat is not None else ""
        yield f"{mark}{name}{BETWEEN.join(deed.words for deed in told)}"
