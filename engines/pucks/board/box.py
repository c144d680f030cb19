"""The box: mats, layouts, pieces and deck, read from box.toml beside this module. The engines read no other file."""

import tomllib
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from importlib import resources
from typing import Any, Final

from engines.pucks.board.deck import CardId, CardKind, card

SIDES: Final = ("north", "east", "south", "west")
"""The sides of a mat or a space, clockwise: a turn by 90 degrees takes each to the next."""

MARKS: Final = ".PMI~G"
"""The marks that a space can have: open; the start space of a puck, a meeple or an ice block; pool; goal."""

ROWS: Final = 4
START_MARKS: Final = {"meeples": "M", "ice": "I", "pucks": "P"}


class BoxError(ValueError):
    """A mistake in the description of a box. The message says what is wrong and where."""


@dataclass(frozen=True, slots=True)
class Face:
    """One face of an unturned mat: its rows from north to south, and the side to which its goal opens, if any."""

    rows: tuple[str, ...]
    front: str | None = None

    @property
    def marks(self) -> str:
        """The marks of spaces 1 to 16."""
        return "".join(self.rows)


@dataclass(frozen=True, slots=True)
class MatKind:
    """A kind of mat, with the number of such mats and their two faces."""

    id: str
    letter: str
    count: int
    face: Face
    back: Face


@dataclass(frozen=True, slots=True)
class LaidMat:
    """A mat of a layout: its kind, its (column, row) and its turn in degrees clockwise."""

    kind: str
    at: tuple[int, int]
    turn: int


@dataclass(frozen=True, slots=True)
class BoxLayout:
    """The start for a range of player counts: how the mats lie, how many cards each player gets, and the hand limit."""

    players: range
    deal: int
    hand_limit: int
    mats: tuple[LaidMat, ...]


@dataclass(frozen=True, slots=True)
class Rules:
    """The rules of a variant: each player's meeples, ice blocks and pucks, the actions of a turn, and whether there are cards.

    `bumping` says whether a hit sets any piece sliding. If not, the variant is played on the backs of the mats.
    """

    meeples: int
    ice: int
    pucks: int
    actions: int
    cards: bool
    bumping: bool


@dataclass(frozen=True, slots=True)
class Box:
    """The contents of the box. `deck` lists every copy of every card, in the order of the file."""

    kinds: Mapping[str, MatKind]
    layouts: tuple[BoxLayout, ...]
    games: Mapping[str, Rules]
    deck: tuple[CardId, ...]

    def layout(self, players: int) -> BoxLayout:
        """Return the layout for a number of players. Raises BoxError if there is none."""
        for layout in self.layouts:
            if players in layout.players:
                return layout
        raise BoxError(f"no layout for {players} players")

    def face(self, kind: str, variant: str) -> Face:
        """Return the face that a kind of mat shows in a variant."""
        return self.kinds[kind].face if self.games[variant].bumping else self.kinds[kind].back


@cache
def box() -> Box:
    """Return the box that comes with the game. Raises BoxError if there is a mistake in the file."""
    return read_box((resources.files("engines.pucks") / "box.toml").read_text(encoding="utf-8"))


def read_box(text: str) -> Box:
    """Return the box that a TOML text describes. Raises BoxError, saying what is wrong and where, if there is a mistake."""
    try:
        data = tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        raise BoxError(f"the box is no TOML: {error}") from error
    contents = _table(data, "contents", "the box")
    kinds = {name: _mat_kind(name, value) for name, value in _table(data, "mats", "the box").items()}
    _check_letters(kinds)
    _check_sum(contents, "mats", sum(kind.count for kind in kinds.values()))
    games = {name: _rules(name, value) for name, value in _table(data, "games", "the box").items()}
    for needed in ("standard", "old-school"):
        if needed not in games:
            raise BoxError(f"[games] has no {needed}")
    layouts = data.get("layouts")
    if not isinstance(layouts, list) or not layouts:
        raise BoxError("the box has no [[layouts]]")
    read = Box(kinds, tuple(_layout(value, kinds) for value in layouts), games, _deck(data, contents))
    _check_players(read)
    for layout in read.layouts:
        for variant, rules in games.items():
            _check_starts(read, layout, variant, rules)
    return read


def _table(data: Mapping[str, Any], key: str, where: str) -> Mapping[str, Any]:
    value = data.get(key)
    if not isinstance(value, dict):
        raise BoxError(f"{where} has no [{key}]")
    return value


def _count(data: Mapping[str, Any], key: str, where: str, least: int = 0) -> int:
    value = data.get(key)
    if not isinstance(value, int) or isinstance(value, bool) or value < least:
        raise BoxError(f"{where}: {key} must be a whole number from {least} on, not {value!r}")
    return value


def _check_sum(contents: Mapping[str, Any], key: str, found: int) -> None:
    promised = _count(contents, key, "[contents]")
    if promised != found:
        raise BoxError(f"[contents] promises {key} = {promised}, but there are {found}")


def _mat_kind(name: str, data: object) -> MatKind:
    where = f"[mats.{name}]"
    if not isinstance(data, dict):
        raise BoxError(f"{where} must be a table")
    letter = data.get("letter")
    if not isinstance(letter, str) or len(letter) != 1 or not letter.isalpha():
        raise BoxError(f"{where}: letter must be one letter, not {letter!r}")
    front = data.get("front")
    faces = [_face(data.get(key), front, f"{where} {key}") for key in ("face", "back")]
    if front is not None and not any("G" in face.marks for face in faces):
        raise BoxError(f"{where} has a front but no goal")
    return MatKind(name, letter, _count(data, "count", where, 1), *faces)


def _face(rows: object, front: object, where: str) -> Face:
    if not isinstance(rows, list) or len(rows) != ROWS:
        raise BoxError(f"{where} must have {ROWS} rows")
    for number, row in enumerate(rows, 1):
        if not isinstance(row, str) or len(row) != ROWS:
            raise BoxError(f"{where}: row {number} must have {ROWS} spaces, not {row!r}")
        if strange := [mark for mark in row if mark not in MARKS]:
            raise BoxError(f"{where}: row {number} has {strange[0]!r}, which is none of {' '.join(MARKS)}")
    if not any("G" in row for row in rows):
        return Face(tuple(rows))
    if not isinstance(front, str) or front not in SIDES:
        raise BoxError(f"{where} has a goal without a front; front must be one of {', '.join(SIDES)}, not {front!r}")
    return Face(tuple(rows), front)


def _check_letters(kinds: Mapping[str, MatKind]) -> None:
    for kind in kinds.values():
        if kind.letter in {side[0] for side in SIDES}:
            raise BoxError(f"[mats.{kind.id}]: letter must not be {kind.letter!r}, which names a side")
    twice = [letter for letter, n in Counter(kind.letter for kind in kinds.values()).items() if n > 1]
    if twice:
        raise BoxError(f"two kinds of mats have the letter {twice[0]}")


def _rules(name: str, data: object) -> Rules:
    where = f"[games.{name}]"
    if not isinstance(data, dict):
        raise BoxError(f"{where} must be a table")
    for key in ("cards", "bumping"):
        if not isinstance(data.get(key), bool):
            raise BoxError(f"{where}: {key} must be true or false")
    return Rules(
        meeples=_count(data, "meeples", where), ice=_count(data, "ice", where), pucks=_count(data, "pucks", where, 1),
        actions=_count(data, "actions", where, 1), cards=data["cards"], bumping=data["bumping"],
    )  # fmt: skip


def _layout(data: object, kinds: Mapping[str, MatKind]) -> BoxLayout:
    if not isinstance(data, dict):
        raise BoxError("[[layouts]] must be tables")
    players = data.get("players")
    if not isinstance(players, list) or len(players) != 2 or not all(isinstance(n, int) for n in players):
        raise BoxError(f"[[layouts]]: players must be [fewest, most], not {players!r}")
    where = f"the layout for {players[0]} to {players[1]} players"
    rows = data.get("rows")
    if not isinstance(rows, list) or not all(isinstance(row, str) for row in rows):
        raise BoxError(f"{where}: rows must be a list of texts")
    words = [row.split() for row in rows]
    if len({len(row) for row in words}) != 1 or not words[0]:
        raise BoxError(f"{where}: all rows must have the same number of mats, at least one")
    letters = {kind.letter: kind for kind in kinds.values()}
    mats = tuple(
        _read_mat(word, (column, row), letters, where) for row, line in enumerate(words) for column, word in enumerate(line)
    )
    for kind, used in Counter(mat.kind for mat in mats).items():
        if used > kinds[kind].count:
            raise BoxError(f"{where} uses {used} {kind} mats, but the box has {kinds[kind].count}")
    if len(mats) > 26:
        raise BoxError(f"{where} has {len(mats)} mats, more than there are letters to call them by")
    return BoxLayout(range(players[0], players[1] + 1), _count(data, "deal", where), _count(data, "hand_limit", where, 1), mats)


def _read_mat(word: str, at: tuple[int, int], letters: Mapping[str, MatKind], where: str) -> LaidMat:
    kind, turned = letters.get(word[0]), word[1:]
    if kind is None:
        raise BoxError(f"{where}: no kind of mats has the letter {word[0]!r} of {word!r}")
    if kind.face.front is None:
        if turned not in ("", "'"):
            raise BoxError(f"{where}: {word!r} has no goal to face a side; it can be turned half round by '")
        return LaidMat(kind.id, at, 180 if turned else 0)
    sides = [side for side in SIDES if side[0] == turned]
    if not sides:
        raise BoxError(f"{where}: the goal of {word!r} has no front: add n, e, s or w")
    return LaidMat(kind.id, at, (SIDES.index(sides[0]) - SIDES.index(kind.face.front)) % 4 * 90)


def _deck(data: Mapping[str, Any], contents: Mapping[str, Any]) -> tuple[CardId, ...]:
    deck = _table(data, "deck", "the box")
    cards: list[CardId] = []
    for name in deck:
        if name not in list(CardKind):
            raise BoxError(f"[deck.{name}]: no such kind of cards; there are {', '.join(CardKind)}")
    for kind in CardKind:
        where = f"[deck.{kind}]"
        counts = _table(deck, kind, "[deck]")
        for card_id in counts:
            try:
                known = card(card_id)
            except KeyError:
                raise BoxError(f"{where}: there is no card {card_id}") from None
            if known.kind is not kind:
                raise BoxError(f"{where}: {card_id} is a card of the kind {known.kind}")
            cards += [card_id] * _count(counts, card_id, where, 1)
        _check_sum(contents, kind, sum(counts.values()))
    return tuple(cards)


def _check_players(read: Box) -> None:
    for players in range(2, 7):
        fitting = [layout for layout in read.layouts if players in layout.players]
        if len(fitting) != 1:
            raise BoxError(f"there must be one layout for {players} players, not {len(fitting)}")


def _check_starts(read: Box, layout: BoxLayout, variant: str, rules: Rules) -> None:
    """Raise BoxError unless there are a goal, a start space for every piece, and enough cards for every player's first hand."""
    marks = Counter("".join(read.face(mat.kind, variant).marks for mat in layout.mats))
    where = f"the layout for {layout.players[0]} to {layout.players[-1]} players, {variant}"
    if not marks["G"]:
        raise BoxError(f"{where}: no goal")
    for pieces, mark in START_MARKS.items():
        needed = getattr(rules, pieces) * layout.players[-1]
        if marks[mark] < needed:
            raise BoxError(f"{where}: {needed} {pieces} need a start space ({mark}), but there are {marks[mark]}")
    if rules.cards and layout.deal * layout.players[-1] > len(read.deck):
        raise BoxError(f"{where}: the deck has too few cards to deal {layout.deal} to each")
