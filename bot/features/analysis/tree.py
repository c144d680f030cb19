"""The tree of an analysis: its positions, the moves between them, and where it begins.

Draws along the way are imagined: they are computed from nothing but the code of the root and the moves before, so they reveal
nothing about any real game. Only the moves of a finished game keep their real draws, which everybody can look up.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from hashlib import sha256
from types import MappingProxyType
from typing import Any, Final

from bot.core.table.errors import Refused
from bot.core.table.history import BrokenLog, History
from bot.core.table.imagining import imagine, memory_of
from bot.core.table.position import LinePosition
from bot.core.table.snapshot import Snapshot
from engines import GAMES
from engines.chance import Chance, ChanceExhausted, Fair, Recorded, Scripted
from engines.game import Action, foresee, open_view
from engines.position_codes import LONGEST, KnownPosition, Line, NoCode, WrongCode, line_text, position_code, read_line
from engines.text import Text, say
from engines.values import replace as with_values
from storage.schema.records import Analysis, EntryKind, Node

MOST_POSITIONS: Final = 200
"""The maximum number of positions in an analysis, including the root."""

MOST_PLAYED: Final = 120
"""The maximum number of moves taken from a finished game, which leaves room for others."""

MOST_ROLLS: Final = 100
"""How many samples *Draw again* may try in order to find a different result."""

LONGEST_LINE: Final = LONGEST // 2
"""The maximum length of a shared line, in characters. A longer line is shared as the code of its last position."""


@dataclass(frozen=True, kw_only=True)
class Analysed(LinePosition):
    """An analysis, played forward from its root to the position `number`."""

    analysis: Analysis
    root: KnownPosition
    number: int

    @cached_property
    def path(self) -> tuple[int, ...]:
        """The numbers of the positions from just after the root to this one."""
        return path_to(self.analysis, self.number)

    @property
    def node(self) -> Node | None:
        """The move that leads to this position from the one before it, or None at the root."""
        return self.analysis.nodes[self.number - 1] if self.number else None

    @property
    def before(self) -> int:
        """The number of the position before this one, or 0 at the root."""
        return 0 if self.node is None else self.node.parent

    @cached_property
    def branches(self) -> tuple[int, ...]:
        """The numbers of the positions directly after this one, in the order in which they were added."""
        return tuple(number for number, node in enumerate(self.analysis.nodes, 1) if node.parent == self.number)

    @property
    def moves(self) -> int:
        """How many moves of the game are known to have led to this position."""
        return self.analysis.place + len(self.path)

    @property
    def question(self) -> tuple[Any, ...]:
        """The arguments with which `opponents.reviewing.consult` asks a computer about this position, if a seat is to act."""
        assert self.seat is not None, "somebody is to act"
        stream = f"analysis {self.analysis.root} {[replace(node, parent=0) for node in self.line]}"
        history, game = self.history, self.history.game
        return game.id, game.rules, imagine(history, self.seat, stream), self.seat, memory_of(history, self.seat), stream

    @property
    def line(self) -> list[Node]:
        """The moves from the root to this position."""
        return [self.analysis.nodes[number - 1] for number in self.path]

    @property
    def line_code(self) -> str:
        """The position as text for `read_line`, or its code alone if that text would be too long.

        The text is a code followed by the moves made since. The code is that of the earliest position after which each move has
        a certain result. Raises Refused if the position has no code.
        """
        log, game = self.history.log, self.history.game
        states = (self.history.first, *(logged.state for logged in log))
        steps = [
            foresee(game, state, logged.entry.seat, logged.entry.tokens) if logged.entry.kind is EntryKind.PLAY else None
            for state, logged in zip(states, log, strict=False)
        ]
        first = 1 + max((index for index, step in enumerate(steps) if step is None), default=-1)
        start = KnownPosition(game, states[first], "all") if first else self.root
        actions = tuple((logged.entry.seat, logged.entry.tokens) for logged in log[first:])
        certain = tuple(step for step in steps[first:] if step is not None)
        try:
            text = line_text(Line(start, actions, certain))
            return text if len(text) <= LONGEST_LINE else position_code(game, self.history.state, self._knower)
        except NoCode as error:
            raise Refused(error.args[0]) from error

    @property
    def _knower(self) -> Any:
        return "all" if self.number else self.root.knower


# --- the tree -----------------------------------------------------------------------------------------------------------------


def gone_analysis() -> Refused:
    """Return the refusal for an analysis or position that does not exist."""
    return Refused(say("This analysis is gone. I keep each one for a month after you last use it; `/analyse` opens a new one."))


def path_to(analysis: Analysis, number: int) -> tuple[int, ...]:
    """Return the numbers of the positions from just after the root to `number`. Raises Refused if it does not exist."""
    if not 0 <= number <= len(analysis.nodes):
        raise gone_analysis()
    way: list[int] = []
    while number:
        way.append(number)
        before = analysis.nodes[number - 1].parent
        if not 0 <= before < number:  # a row that somebody has changed
            raise gone_analysis()
        number = before
    return tuple(reversed(way))


def analysed(analysis: Analysis, number: int | None = None) -> Analysed:
    """Play an analysis forward to a position, or to the current one if None. Raises Refused if it cannot be played."""
    number = analysis.current if number is None else number
    root = _root(analysis)
    seats = open_view(root.game, root.state).seats
    history = History(root.game, seats, root.state)
    way = [analysis.nodes[number - 1] for number in path_to(analysis, number)]
    for node in way:
        history = _along(history, node)
    return Analysed(_drawing(history, _imagined(analysis, way)), analysis=analysis, root=root, number=number)


def following(at: Analysed, number: int, analysis: Analysis | None = None) -> Analysed:
    """Return the analysis at a position directly after this one without replaying the line. `analysis` may be a newer one."""
    analysis = at.analysis if analysis is None else analysis
    node = analysis.nodes[number - 1]
    assert node.parent == at.number, "it follows directly"
    history = _along(at.history, node)
    history = _drawing(history, _imagined(analysis, [*at.line, node]))
    return Analysed(history, analysis=analysis, root=at.root, number=number)


def is_playable(analysis: Analysis) -> bool:
    """Return whether an analysis can be played to each of its positions. Each move is played only once for this check."""
    try:
        reached = [analysed(analysis, 0).history]
        for number, node in enumerate(analysis.nodes):
            if not 0 <= node.parent <= number:  # a row that somebody has changed
                return False
            reached.append(_along(reached[node.parent], node))
    except Refused:
        return False
    return True


def _along(history: History, node: Node) -> History:
    try:
        return _after(_drawing(history, Scripted(node.drawn)), node.seat, node.action)
    except (BrokenLog, ChanceExhausted, IndexError) as error:
        raise Refused(say("This analysis can’t be read any more. `/analyse` opens a new one.")) from error


def _root(analysis: Analysis) -> KnownPosition:
    try:
        return read_line(analysis.root).start
    except WrongCode as error:
        raise Refused(error.args[0]) from error


def _imagined(analysis: Analysis, way: Sequence[Node], sample: int = 0) -> Chance:
    """Return the stream of imagined draws that follows a line. Each value of `sample` gives a different stream."""
    line = [(node.seat, node.action, node.drawn) for node in way]
    return Fair(sha256(repr(("analysis", analysis.root, line, sample)).encode()).digest())


def _drawing(history: History, chance: Chance) -> History:
    """Return the history with another stream of draws in its newest state."""
    last = history.log.last
    if last is None:
        return replace(history, first=with_values(history.first, chance=chance))
    newest = replace(last, state=with_values(last.state, chance=chance))
    return replace(history, log=history.log.with_one_else(history.version - 1, newest))


def _after(history: History, seat: int, action: Action) -> History:
    """Return the history after an action, or after the seat leaves if `action` is empty. Raises BrokenLog if it is illegal."""
    kind, tokens = (EntryKind.PLAY, action) if action else (EntryKind.WITHDRAW, ("resigned",))
    return history.forward(seat, tokens, kind)


def _drawn(history: History, seat: int, action: Action, chance: Chance) -> tuple[int, ...]:
    """Return the results that are drawn from a stream for an action. Raises BrokenLog if the action is illegal."""
    after = _after(_drawing(history, Recorded(chance)), seat, action)
    stream = after.state.chance
    return tuple(draw.result for draw in stream.since(None)) if isinstance(stream, Recorded) else ()


def with_action(at: Analysed, seat: int, action: Action) -> Analysis:
    """Return the analysis after an action, added if new. Raises Refused if the action is illegal or the analysis is full."""
    analysis = at.analysis
    known = (number for number in at.branches if _is(analysis.nodes[number - 1], seat, action))
    if (number := next(known, None)) is not None:
        return replace(analysis, current=number)
    try:
        drawn = _drawn(at.history, seat, action, _imagined(analysis, at.line))
    except BrokenLog as error:
        raise Refused(say("That isn’t possible here.")) from error
    return _with_node(analysis, Node(at.number, seat, action, drawn))


def _is(node: Node, seat: int, action: Action) -> bool:
    return (node.seat, node.action) == (seat, action)


def with_another_draw(at: Analysed) -> Analysis:
    """Return the analysis at a new result of the last action's draws. Raises Refused if none is found or there is no room."""
    node = at.node
    if node is None or not node.drawn:
        raise Refused(say("There was no luck here to change."))
    analysis, before = at.analysis, analysed(at.analysis, at.before)
    known = {other.drawn for number in before.branches if _is(other := analysis.nodes[number - 1], node.seat, node.action)}
    for sample in range(1, MOST_ROLLS):
        stream = _imagined(analysis, before.line, sample)
        drawn = _drawn(before.history, node.seat, node.action, stream)
        if drawn not in known:
            return _with_node(analysis, replace(node, drawn=drawn))
    raise Refused(say("Nothing else could happen here, as far as I can see."))


def _with_node(analysis: Analysis, node: Node) -> Analysis:
    if len(analysis.nodes) + 1 >= MOST_POSITIONS:
        raise Refused(say(
            "This analysis is full: it has {most} positions. *Share* shows the code of this one, and `/analyse` opens it "
            "afresh.",
            most=MOST_POSITIONS,
        ))  # fmt: skip
    nodes = (*analysis.nodes, node)
    return replace(analysis, nodes=nodes, current=len(nodes))


def with_line(analysis: Analysis, number: int, line: Sequence[tuple[int, Action]]) -> Analysis:
    """Return the analysis with as much of a line added after `number` as is legal and fits. It stays at its position."""
    try:
        at = analysed(replace(analysis, current=number))
    except Refused:
        return analysis
    for seat, action in line:
        try:
            at = _played(at, seat, action)
        except Refused:
            break
    return replace(at.analysis, current=analysis.current)


def _played(at: Analysed, seat: int, action: Action) -> Analysed:
    """Return the analysis at the position after an action, which is added if new. Raises Refused as `with_action` does."""
    made = with_action(at, seat, action)
    return following(at, made.current, made)


# --- where an analysis begins -------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Beginning:
    """Who is opening an analysis, on which server, and when (in seconds since the epoch)."""

    user_id: int
    guild_id: int
    now: float

    def at(self, position: KnownPosition, **fields: Any) -> Analysis:
        """Return an analysis of a position. Raises Refused if it has no code."""
        try:
            code = position_code(position.game, position.state, position.knower)
        except NoCode as error:
            raise Refused(error.args[0]) from error
        return Analysis(user_id=self.user_id, guild_id=self.guild_id, root=code, used_at=self.now, **fields)

    def of_code(self, text: str) -> Analysis:
        """Return an analysis of a code, or of a line at its end. Raises Refused, with the reason, if it cannot be read."""
        try:
            line = read_line(text, most=MOST_POSITIONS - 1)
        except WrongCode as error:
            raise Refused(error.args[0]) from error
        at = analysed(self.at(line.start))
        for seat, action in line.actions:
            at = _played(at, seat, action)
        return at.analysis

    def of_start(
        self,
        game_id: str,
        chance: Chance,
        variant: str | None = None,
        seats: int | None = None,
        options: Mapping[str, str] = MappingProxyType({}),
    ) -> Analysis:
        """Return an analysis of a game from its start. Raises Refused if it cannot start like that."""
        game = GAMES[game_id]
        seats = (2 if 2 in game.seats else game.seats[0]) if seats is None else seats
        try:
            return self.at(KnownPosition(game, game.start(seats, variant, chance, **options)))
        except ValueError as error:
            raise Refused(error.args[0] if isinstance(error.args[0], Text) else say("No game can start like that.")) from error

    def of_game(self, snapshot: Snapshot, place: int | None = None, *, turned: bool = False) -> Analysis:
        """Return an analysis of a finished game after its first `place` moves, or after all of them if `place` is None.

        Of a long game, only the moves around that position are included. If `turned` is true and the person played in the game,
        the board is turned to face them. Raises Refused if the game is not over, and WrongStage if it has not begun.
        """
        history = snapshot.playing
        if not snapshot.table.is_over:
            raise Refused(say("The game is still on. You can analyse it when it’s over."))
        entries = history.in_force
        states = (history.first, *(logged.state for logged in entries))
        place = len(entries) if place is None else max(0, min(place, len(entries)))
        first = max(0, min(place - MOST_PLAYED // 2, len(entries) - MOST_PLAYED))
        played = entries[first : first + MOST_PLAYED]
        nodes = []
        for number, (logged, before) in enumerate(zip(played, states[first:], strict=False)):
            action = logged.entry.tokens if logged.entry.kind is EntryKind.PLAY else ()
            there = History(history.game, history.seats, before)
            nodes.append(Node(number, logged.entry.seat, action, _drawn(there, logged.entry.seat, action, before.chance)))
        own = snapshot.seat_of(self.user_id) if turned else None
        return self.at(
            KnownPosition(history.game, states[first]), nodes=tuple(nodes), current=place - first, side=own or 0,
            table_id=snapshot.table.id, place=first, played=len(nodes),
        )  # fmt: skip
