"""The story of a board: its latest events in words.

Everything is told once, in order of time. A line is a run of events of one seat, under the seat's mark and name. An event is
told as its phrase if it has one, or else as a sentence. Equal words in a row are said once, with their number.

A board's story has three lines. What affects a reader comes first, then goals and captures, then the rest, and finally the
routine of a turn. Among equally important events, the readers' own are kept first, and then the newest. The events left out are
counted, unless a single one would take only one more row.
"""

import re
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import groupby
from typing import Final

from bot.core.table.history import History
from bot.core.table.since import answered_on, own_story, own_turn_on, standing
from bot.core.table.snapshot import Snapshot
from bot.i18n.language import Language
from bot.messages.builder import ALT_LIMIT, clip, clip_markdown, plain_words
from engines.game import Event
from engines.text import Text, say_n
from renderers import RENDERERS
from storage.schema.records import Status

WIDTH: Final = 44
"""About how many characters fit into a row on a phone."""

LINES: Final = 3
"""The most lines in a board's story."""

ROWS: Final = 6
"""The rows on a phone that these lines may take before events are folded. Events that affect a reader may take more."""

CHARACTERS: Final = 2500
"""The most characters in a story, since a message holds 4000 in all."""

BETWEEN: Final = " • "
IN_A_LINE: Final = 3
"""The most events of a run that are told in one line, where longer runs become numbered lists."""

AROUND: Final = 7
"""The number of characters added around a name: asterisks, spaces, and the line end."""

SPARE: Final = 120
"""The number of characters left for the words that count folded events."""

ALT_EVENTS: Final = 2
"""The most sentences of the story that stand before the description of a picture."""


MIDDLE_OF_PATH: Final = re.compile(r" → (?:[^→,]* → )+")
"""The squares in the middle of a path from square to square."""


_BRACKETS: Final = re.compile(r" \([^()]*\)")


Numbered = tuple[Event, range]
"""An event in a picture, with the numbers of its steps there; see `Renderer.numbers`."""


@dataclass(frozen=True, slots=True)
class Length:
    """The greatest length of a story.

    Attributes:
        rows: the rows that its lines may take on a phone.
        more: where folded events are told: "board" for *What happened?*, "recap" for `/replay`, or "" for nowhere.
        steps: whether a run of more than `IN_A_LINE` events is a numbered list.
        routine: whether the routine of a turn is told if there are other events.
        major: whether goals and captures may take more than `rows`, as events that affect a reader may.
    """

    lines: int = LINES
    rows: int = ROWS
    characters: int = CHARACTERS
    more: str = "board"
    steps: bool = False
    routine: bool = True
    major: bool = False


FOLDED: Final = Length()
ALONE: Final = Length(more="")
"""The length for a board that never has the button *What happened?*."""

OWN: Final = Length(routine=False)
"""The length for a player's own turn, above the computers' answers, in a game that is not posted."""

PRIVATE: Final = Length(lines=8, rows=14, characters=1200, steps=True, routine=False)
"""The length for a private message about a game that is not posted: the player's turn, and then the computers' answers."""

ASKED: Final = Length(rows=5, routine=False, major=True)
"""Like `PRIVATE`, while the player is asked: short enough that a phone shows the title, the board and the buttons together."""


def whole(room: int) -> Length:
    """Return the length of a story told in full, as far as `room` characters allow."""
    return Length(lines=10_000, rows=10_000, characters=max(0, room - SPARE), more="recap", steps=True)


@dataclass(frozen=True, slots=True)
class _Fact:
    """An event, or several events that one phrase stands for.

    Attributes:
        said: the words, without their subject if `phrase`.
        affects: the seats that it affects.
        numbers: the numbers of its steps in the picture; empty if it is no step of its own.
    """

    seat: int | None
    said: str
    phrase: bool
    major: bool
    decisive: bool
    routine: bool
    affects: frozenset[int]
    numbers: range = range(0)

    @property
    def sentence(self) -> str:
        return Event("", self.seat, self.said, phrased=self.phrase).text

    def rank(self, readers: Collection[int]) -> int:
        """Return 0 for facts that readers must not miss, 1 for goals and captures, 2 for other facts, and 3 for routine."""
        if self.decisive or not self.affects.isdisjoint(readers):
            return 0
        return 1 if self.major else 3 if self.routine else 2


@dataclass(frozen=True, slots=True)
class _Run:
    """Consecutive facts about one seat, in Markdown, about `size` characters long. If `decisive`, they decide the game."""

    words: str
    size: int
    decisive: bool


def words(
    events: Iterable[Event],
    language: Language,
    who: Sequence[str],
    marks: Sequence[str],
    length: Length = FOLDED,
    readers: Collection[int] = (),
    numbered: Sequence[Numbered] = (),
) -> str:
    """Tell the story of events, oldest first, as far as the readers may know it.

    `who` are the players' names, escaped. Events beyond `length` are counted at the end. Events that affect the seats `readers`
    are kept first. `numbered` are the picture's events with the numbers of their steps, which numbered lists use, too.
    """
    facts = list(_facts(events, numbered))
    if not length.routine:
        facts = [fact for fact in facts if fact.numbers or not fact.routine] or facts
    said = [(fact, language(fact.said, tuple(who))) for fact in facts]
    teller = _Teller(said, [language(name) for name in who], marks, length.steps)
    ranked = sorted(
        range(len(facts)), key=lambda number: (facts[number].rank(readers), facts[number].seat not in readers, -number)
    )
    first = sum(fact.rank(readers) <= int(length.major) for fact in facts)
    shown = _shown(teller, ranked, first, length)
    told = [_joined(run.words for run in line) for line in _lined(teller.runs(shown), length.lines)]
    if folded := len(facts) - len(shown):
        told[-1:] = [_joined([*told[-1:], language(_more(folded, length.more))])]
    return "\n".join(told)


def _joined(parts: Iterable[str]) -> str:
    """Join the parts into one line. A part after a list begins a new line, or it would belong to the last item."""
    joined = ""
    for part in parts:
        joined += ("\n" if "\n" in joined else " " if joined else "") + part
    return joined


def _more(folded: int, place: str) -> Text:
    """Say how many events are not told, and where they are."""
    if place == "recap":
        return say_n("… and {n} more: `/replay` shows them all", "… and {n} more: `/replay` shows them all", folded)
    if place == "board":
        return say_n("… and {n} more: *What happened?*", "… and {n} more: *What happened?*", folded)
    return say_n("… and {n} more", "… and {n} more", folded)


# --- facts --------------------------------------------------------------------------------------------------------------------


def numbered(game_id: str, drawn: Sequence[Event]) -> Sequence[Numbered]:
    """Return the events of a picture, with the numbers of their steps there."""
    return list(zip(drawn, RENDERERS[game_id].numbers(drawn), strict=True))


def _numbers(events: Sequence[Event], drawn: Sequence[Numbered]) -> list[range]:
    """Look up the events' numbers in a picture, beginning with the last: equal events are told in the picture's order."""
    left, found = list(drawn), list[range]()
    for event in reversed(events):
        at = next((index for index in reversed(range(len(left))) if left[index][0] == event), None)
        if at is None:  # the picture does not tell it
            found.append(range(0))
        else:
            found.append(left[at][1])
            del left[at:]
    return found[::-1]


def _facts(events: Iterable[Event], drawn: Sequence[Numbered] = ()) -> Iterator[_Fact]:
    """Yield the events as facts. Events of one seat with the same tally make one fact, in the place of the last of them."""
    told = [(event, said) for event in events if (said := event.phrase or event.text)]
    numbers = _numbers([event for event, _ in told], drawn) if drawn else [range(0)] * len(told)
    kinds = [number if event.tally is None else (event.seat, event.tally.words) for number, (event, _) in enumerate(told)]
    last = {kind: number for number, kind in enumerate(kinds)}
    grouped: dict[object, list[tuple[Event, str]]] = {}
    steps: dict[object, list[range]] = {}
    for number, (one, kind) in enumerate(zip(told, kinds, strict=True)):
        grouped.setdefault(kind, []).append(one)
        steps.setdefault(kind, []).append(numbers[number])
        if number == last[kind]:
            known = [each for each in steps[kind] if each]
            yield _fact(grouped[kind], range(known[0].start, known[-1].stop) if known else range(0))


def _fact(told: Sequence[tuple[Event, str]], numbers: range) -> _Fact:
    """Return the fact for one event and its words, or for several with the same tally. Events that add nothing are not told."""
    events = [event for event, _ in told]
    counted = [(event, said) for event, said in told if event.tally is None or event.tally.number] or told
    last, said = counted[-1]
    if last.tally is not None and len(counted) > 1:
        said = last.tally.words(sum(event.tally.number for event, _ in counted if event.tally is not None))
    return _Fact(
        seat=events[-1].seat,
        said=said,
        phrase=events[-1].phrased and events[-1].seat is not None,
        major=any(event.major for event in events),
        decisive=any(event.decisive for event in events),
        routine=all(event.routine for event in events),
        affects=frozenset(seat for event in events for seat in event.affects),
        numbers=numbers,
    )


# --- lines --------------------------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class _Teller:
    """The facts with their words, the names and marks of the seats, and whether long runs are numbered lists."""

    told: Sequence[tuple[_Fact, str]]
    names: Sequence[str]
    marks: Sequence[str]
    steps: bool

    def runs(self, numbers: Iterable[int]) -> list[_Run]:
        """Divide the facts with these numbers, in order, into runs. A fact without a seat belongs to the run before it."""
        grouped: list[list[tuple[_Fact, str]]] = []
        for number in sorted(numbers):
            fact = self.told[number][0]
            before = grouped[-1][0][0] if grouped else None
            if before is None or fact.seat not in {None, before.seat} or fact.decisive != before.decisive:
                grouped.append([])
            grouped[-1].append(self.told[number])
        return [self._run(group) for group in grouped]

    def _run(self, told: Sequence[tuple[_Fact, str]]) -> _Run:
        """Join facts into a run. Consecutive phrases become one sentence with the seat's name. Others are sentences already."""
        seat = told[0][0].seat
        mark, name = ("", "") if seat is None else (self.marks[seat], self.names[seat])
        if self.steps and seat is not None and len(told) > IN_A_LINE:
            return self._list(told, f"{mark} **{name}**")
        parts, size = [], sum(len(words) + len(BETWEEN) for words in counted(words for _, words in told)) + AROUND
        for phrases, group in groupby(told, key=lambda one: one[0].phrase):
            shown = counted(f"**{words.replace('**', '')}**" if fact.major else words for fact, words in group)
            if phrases:
                sentence = f"**{name}** {BETWEEN.join(shown)}"
                parts.append(sentence if sentence.rstrip("*").endswith((".", "!", "?", "…")) else f"{sentence}.")
                size += len(name)
            else:
                parts += shown
        return _Run(" ".join(filter(None, (mark, *parts))), size, told[0][0].decisive)

    def _list(self, told: Sequence[tuple[_Fact, str]], who: str) -> _Run:
        """List facts under their seat's name with the picture's numbers. A fact without a number joins the step before it."""
        items: list[tuple[range, list[str]]] = []
        for fact, words in told:
            if fact.numbers or not items:
                items.append((fact.numbers, []))
            items[-1][1].append(f"**{words.replace('**', '')}**" if fact.major else words)
        if len(items) == 1 and not items[0][0]:  # the picture numbers none of these facts
            told_once = list(counted(items[0][1]))
            items = [(range(number, number + 1), [words]) for number, words in enumerate(told_once, 1)]
        elif not items[0][0]:
            (_, before), *items = items
            who = f"{who} {BETWEEN.join(counted(before))}"
        steps = [BETWEEN.join(counted(words)) for _, words in items]
        rows = 1 + sum(-(-(len(step) + AROUND) // WIDTH) for step in steps)
        marked = _marked([numbers for numbers, _ in items])
        listed = "\n".join([who, *(f"{mark} {step}" for mark, step in zip(marked, steps, strict=True))])
        return _Run(listed, rows * WIDTH, told[0][0].decisive)


def _marked(numbers: Sequence[range]) -> list[str]:
    """Return the marks of items with these numbers: list marks where Discord's own counting is right, or else plain text."""
    first = numbers[0].start
    if all(each == range(number, number + 1) for number, each in enumerate(numbers, first)):
        return [f"{each.start}." for each in numbers]
    return [f"{each.start}\\." if len(each) == 1 else f"{each.start}–{each[-1]}\\." for each in numbers]


def _lined(runs: Sequence[_Run], lines: int) -> list[list[_Run]]:
    """Divide the runs into at most `lines` lines. The shortest neighbours share a line, but decisive runs only if they must."""
    packed = [[run] for run in runs]
    while len(packed) > lines:
        pairs = range(len(packed) - 1)
        apart = [i for i in pairs if not any(run.decisive for run in (*packed[i], *packed[i + 1]))]
        shortest = min(apart or pairs, key=lambda i: sum(run.size for run in (*packed[i], *packed[i + 1])))
        packed[shortest : shortest + 2] = [[*packed[shortest], *packed[shortest + 1]]]
    return packed


def counted(told: Iterable[str]) -> Iterator[str]:
    """Yield words in order. Equal words in a row are given once, with their number: "rolls 6 (×2)"."""
    for words, row in groupby(told):
        number = sum(1 for _ in row)
        yield words if number == 1 else f"{words} (×{number})"


# --- choice -------------------------------------------------------------------------------------------------------------------


def _shown(teller: _Teller, ranked: Sequence[int], first: int, length: Length) -> Sequence[int]:
    """Choose the facts to tell: as many of `ranked` as fit. The first `first` of them may take more rows than others."""

    def has_room(count: int) -> bool:
        return sum(len(run.words) + 1 for run in teller.runs(ranked[:count])) <= length.characters

    def fits(count: int, rows: int = length.rows) -> bool:
        lines = _lined(teller.runs(ranked[:count]), length.lines)
        return has_room(count) and sum(-(-sum(run.size for run in line) // WIDTH) for line in lines) <= rows

    if not has_room(first):
        return ranked[: _most(first, has_room)]
    count = max(first, _most(len(ranked), fits))
    if count == len(ranked) - 1 and fits(len(ranked), length.rows + 1):
        return ranked  # a single event is told in the row that its count would take
    return ranked[: count or int(has_room(1))]


def _most(count: int, fits: Callable[[int], bool]) -> int:
    """Return the greatest number up to `count` that fits, provided that all smaller numbers fit as well."""
    if fits(count):  # as most do
        return count
    least, most = 0, count - 1
    while least < most:
        middle = (least + most + 1) // 2
        least, most = (middle, most) if fits(middle) else (least, middle - 1)
    return least


# --- other words --------------------------------------------------------------------------------------------------------------


def alt_text(
    events: Sequence[Event], board: str, language: Language, names: Sequence[str], readers: Collection[int] = ()
) -> str:
    """Describe a picture within `ALT_LIMIT`: first a sentence or two of its story, if there is room, and then the board."""
    facts = list(_facts(events))
    best = min((fact.rank(readers) for fact in facts), default=0)
    chosen = [fact for fact in facts if fact.rank(readers) == best]
    for count in range(ALT_EVENTS, 0, -1):
        told = (plain_words(language(fact.sentence, tuple(names))) for fact in chosen[-count:])
        sentences = " ".join(counted(told))
        if sentences and len(sentences) + 1 + len(board) <= ALT_LIMIT:
            return f"{sentences} {board}"
    return clip(board, ALT_LIMIT)


def headline(events: Iterable[Event], language: Language, names: Sequence[str], readers: Collection[int], room: int) -> str:
    """Tell the most important public events as plain text of at most `room` characters, in whole sentences if possible."""
    facts = list(_facts(events))
    said = [brief(language(fact.sentence, tuple(names)).replace("**", "")) for fact in facts]
    ranked = sorted(range(len(facts)), key=lambda number: (facts[number].rank(readers), -number))
    whole = [number for number in ranked if len(said[number]) <= room]
    told: list[str] = []
    for count in range(1, len(whole) + 1):
        more = list(counted(said[number] for number in sorted(whole[:count])))
        if len(" ".join(more)) > room:
            break
        told = more
    return " ".join(told or [cut(said[number], room) for number in ranked[:1]])


def shortened(words: str) -> str:
    """Return the words without the squares in the middle of a path."""
    return MIDDLE_OF_PATH.sub(" → … → ", words)


def brief(words: str) -> str:
    """Return the words without the middle of a path, and without brackets, which may list all squares of captured pieces."""
    return _BRACKETS.sub("", shortened(words))


def cut(words: str, most: int) -> str:
    """Cut words that have more than `most` characters, between two words if possible, and end them with an ellipsis."""
    if len(words) <= most:
        return words
    kept = clip_markdown(words, most).rpartition(" ")[0]
    return f"{kept.rstrip(' ,:;(→')}…" if kept else clip_markdown(words, most)


def since_asked(snapshot: Snapshot, seat: int) -> tuple[Event, ...]:
    """Return the events since a seat was asked, for its picture. A memory game shows secrets only right after the action."""
    return _known_since(snapshot.playing, own_story(snapshot.playing, seat).drawn, seat)


def since_own_turn(snapshot: Snapshot, seat: int) -> tuple[Event, ...]:
    """Return the events since a seat was last asked, for its picture and for the words beside it.

    In a game that is not posted, this is the only picture. While others are awaited, or after the end, it therefore begins with
    the seat's own last turn. Once the seat is asked again, it shows the answers, but first the seat's own last action if its
    result was uncertain and, in a game of memory, what the seat learned in its last turn.
    """
    history = snapshot.playing
    if not snapshot.table.solo:
        return since_asked(snapshot, seat)
    if snapshot.table.status is Status.PLAYING and seat in history.to_act:
        answered = answered_on(history, seat)
        return (*_learned(history, seat, answered), *standing(history, answered, seat))
    return _known_since(history, own_turn_on(history, seat), seat)


def _learned(history: History, seat: int, until: int) -> tuple[Event, ...]:
    """Return what a seat alone learned in its last turn in a game of memory, up to the version `until`."""
    if not history.game.memory:
        return ()
    own = standing(history, own_turn_on(history, seat), seat, until=until)
    return tuple(event for event in own if event.private_to == seat)


def _known_since(history: History, since: int, seat: int) -> tuple[Event, ...]:
    """Return the events that a seat may be shown. In a game of memory, its secrets are only those of the newest version."""
    if not history.game.memory:
        return standing(history, since, seat)
    last = max(since, history.version - 1)
    return (*standing(history, since, until=last), *standing(history, last, seat))
