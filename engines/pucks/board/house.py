"""House rules: another board, fewer pucks to score, cards left out. This module has their values, limits, and the deal."""

from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from typing import Any, Final

from engines.chance import Chance
from engines.game import Option
from engines.pucks.board import terms
from engines.pucks.board.board import STEPS
from engines.pucks.board.box import SIDES, START_MARKS, LaidMat, box
from engines.pucks.board.codes import code_of, read_code, write_code
from engines.pucks.board.deck import MAT_CARDS, CardId, CardKind, card
from engines.pucks.board.pieces import owners_of
from engines.text import Text, echoed, join, plain, say, say_n

NAMED_AT_MOST: Final = 10
LONGEST: Final = 1000


@dataclass(frozen=True, slots=True)
class House:
    """A game's house rules, except the number of colours: the board, how many pucks per colour win, and the cards left out."""

    board: str | None = None
    to_win: int | None = None
    without: tuple[CardId, ...] = ()


NO_HOUSE: Final = House()


@cache
def deck_without(left_out: tuple[CardId, ...]) -> tuple[CardId, ...]:
    """Return the deck without any copy of these cards."""
    return tuple(card_id for card_id in box().deck if card_id not in left_out)


@cache
def _sets() -> dict[str, tuple[CardId, ...]]:
    """Return the cards that can be left out together, by the name of the set."""
    deck = tuple(dict.fromkeys(box().deck))
    quick = tuple(card_id for card_id in deck if card(card_id).kind is CardKind.QUICK)
    return {"mats": tuple(card_id for card_id in deck if card_id in MAT_CARDS), "quick": quick}


def left_out(words: str) -> tuple[CardId, ...]:
    """Return the cards that the option names by id or set, in the deck's order. Raises ValueError with a `Text` otherwise."""
    if len(words) > LONGEST:
        raise ValueError(say("That’s too long: the limit for a list of cards is {most} characters.", most=LONGEST))
    deck, named = tuple(dict.fromkeys(box().deck)), words.split("+")
    unknown = [word for word in dict.fromkeys(named) if word not in deck and word not in _sets()]
    if unknown:
        raise ValueError(_no_such_cards(unknown))
    chosen = {card_id for word in named for card_id in _sets().get(word, (word,))}
    return tuple(card_id for card_id in deck if card_id in chosen)


def _no_such_cards(unknown: list[str]) -> Text:
    listed = [say("“{word}”", word=echoed(word)) for word in unknown[:NAMED_AT_MOST]]
    if len(unknown) > NAMED_AT_MOST:
        listed.append(say("and {n} more", n=len(unknown) - NAMED_AT_MOST))
    return say(
        "No such cards: {unknown}. Pick from {cards}, or the sets {sets}; join several with +.",
        unknown=join(listed, ", "),
        cards=plain(", ".join(dict.fromkeys(box().deck))),
        sets=plain(", ".join(_sets())),
    )


def _without(words: str) -> str:
    """Return the normal form of the list of cards left out: first whole sets, then single cards in the order of the deck."""
    cards = left_out(words)
    whole = [name for name, members in _sets().items() if set(members) <= set(cards)]
    covered = {card_id for name in whole for card_id in _sets()[name]}
    return "+".join((*whole, *(card_id for card_id in cards if card_id not in covered)))


def _board(code: str) -> str:
    """Return the normal form of a code. Raises ValueError as `code_of` does, and says which boards need no code."""
    try:
        return code_of(code)
    except ValueError as error:
        raise ValueError(say("{reason} Boards without a code: standard, shuffled.", reason=error.args[0])) from error


_PUCKS: Final = box().games["standard"].pucks

HOUSE_OPTIONS: Final[Mapping[str, Option]] = {
    "board": Option(
        say("Board"), ("standard", "shuffled"), _board, ("B.K/GeKB",), hint=terms.BOARD_HINT, told=terms.board_told
    ),
    "colours": Option(say("Colours each"), ("1", "2"), told=terms.colours_told),
    "to-win": Option(say("Pucks to win"), tuple(map(str, range(_PUCKS, min(_PUCKS, 2) - 1, -1))), told=terms.to_win_told),
    "without": Option(
        say("Cards left out"),
        ("none",),
        _without,
        ("mats", "quick", "mats+whistle", "whistle"),
        parts=terms.card_words(),
        told=terms.without_told,
    ),
}


def _value(options: Mapping[str, str], name: str) -> str:
    return options.get(name, HOUSE_OPTIONS[name].values[0])


def check_together(variant: str, seats: int, chosen: Mapping[str, str]) -> None:
    """Raise ValueError with a `Text` unless the options, in normal form, go with each other, the variant and the players."""
    if faults := list(_faults(variant, seats, chosen)):
        raise ValueError(join(faults, " "))


def _faults(variant: str, seats: int, chosen: Mapping[str, str]) -> Iterator[Text]:
    colours = int(_value(chosen, "colours"))
    for name in ("to-win", "without"):
        if name in chosen and variant != "standard":
            yield say("“{option}” only works with the variant standard.", option=f"{name}:{chosen[name]}")
    if not owners_of(seats, colours).possible:
        yield say("Only two or three players can have two colours each, not {n}.", n=seats)
    if "without" in chosen and (fault := _undealt(seats, left_out(chosen["without"]))) is not None:
        yield fault
    board = _value(chosen, "board")
    if _is_code(board) and (fault := _lack_of_space(variant, seats, colours, board)) is not None:
        yield fault


def _is_code(board: str) -> bool:
    return board not in HOUSE_OPTIONS["board"].values


def _undealt(seats: int, without: tuple[CardId, ...]) -> Text | None:
    left, needed = len(deck_without(without)), box().layout(seats).deal * seats
    if left >= needed:
        return None
    return say_n(
        "{seats} players are dealt {needed} cards, but only {n} is left. Leave out fewer.",
        "{seats} players are dealt {needed} cards, but only {n} are left. Leave out fewer.",
        left,
        seats=seats,
        needed=needed,
    )


def _lack_of_space(variant: str, seats: int, colours: int, code: str) -> Text | None:
    marks = Counter("".join(box().face(mat.kind, variant).marks for mat in read_code(code)))
    rules = box().games[variant]
    spaces = {
        "pucks": say("start spaces for pucks"),
        "ice": say("start spaces for ice blocks"),
        "meeples": say("start spaces for meeples"),
    }
    lacking, most = [], max(layout.players[-1] for layout in box().layouts)
    for pieces, words in spaces.items():
        found, each = marks[START_MARKS[pieces]], getattr(rules, pieces) * colours
        most = min(most, found // each) if each else most
        if found < each * seats:
            lacking.append(say("{found} of {needed} {spaces}", found=found, needed=each * seats, spaces=words))
    if not lacking:
        return None
    enough = most >= min(layout.players[0] for layout in box().layouts)
    return say(
        "The board {code} is too small for {seats} players: it has only {lacking}. {most}",
        code=plain(code),
        seats=seats,
        lacking=join(lacking, ", "),
        most=say("It fits {n} players at most.", n=most) if enough else say("It’s too small for any game."),
    )


def dealt_board(options: Mapping[str, str], colours: int, chance: Chance) -> tuple[tuple[LaidMat, ...], Chance]:
    """Return the layout with which the game begins, and the stream after it has been dealt.

    Only a shuffled board draws anything. First the mats of the standard layout, in reading order, are shuffled
    (`Chance.shuffle`) and laid on the layout's places in reading order. Then, in the same order, each mat is turned clockwise
    by ``randbelow(4)`` quarters. All of this is repeated until every goal opens to a mat. `options` are in normal form. The
    standard layout depends on `colours`, the number of all players' colours together.
    """
    board, standard = _value(options, "board"), box().layout(colours).mats
    if _is_code(board):
        return read_code(board), chance
    if board == "standard":
        return standard, chance
    while True:
        mats, chance = _shuffle(standard, chance)
        if all(_opens_to_a_mat(mat, mats) for mat in mats):
            return mats, chance


def _shuffle(standard: tuple[LaidMat, ...], chance: Chance) -> tuple[tuple[LaidMat, ...], Chance]:
    kinds, chance = chance.shuffle([mat.kind for mat in standard])
    mats = []
    for kind, place in zip(kinds, standard, strict=True):
        quarters, chance = chance.randbelow(len(SIDES))
        mats.append(LaidMat(kind, place.at, 90 * quarters))
    return tuple(mats), chance


def _opens_to_a_mat(mat: LaidMat, mats: tuple[LaidMat, ...]) -> bool:
    """Whether another mat lies where a mat's goal opens. True for mats without a goal."""
    front = box().kinds[mat.kind].face.front
    if front is None:
        return True
    right, down = STEPS[(SIDES.index(front) + mat.turn // 90) % len(SIDES)]
    return (mat.at[0] + right, mat.at[1] + down) in {other.at for other in mats}


def house_of(options: Mapping[str, str], board: tuple[LaidMat, ...]) -> House:
    """Return the house rules that follow from a table's options (in normal form) and from the layout dealt under them."""
    chosen = {name: value for name, value in options.items() if name in HOUSE_OPTIONS and value != _value({}, name)}
    return House(
        board=write_code(board) if "board" in chosen else None,
        to_win=int(chosen["to-win"]) if "to-win" in chosen else None,
        without=left_out(chosen["without"]) if "without" in chosen else (),
    )


def start_code(seats: int, options: Mapping[str, str]) -> str:
    """Return the normal code of the start layout with these options, or an empty text if the layout is dealt at random."""
    board = _value(options, "board")
    if board == "shuffled":
        return ""
    return board if _is_code(board) else write_code(box().layout(seats * int(_value(options, "colours"))).mats)


def board_code(house: House, colours: int) -> str:
    """Return the code of the layout with which a game with this number of colours began."""
    return write_code(box().layout(colours).mats) if house.board is None else house.board


def house_position(house: House) -> dict[str, Any]:
    """Return the house rules as a position holds them: `board`, `to_win` and `without`. Those that are as usual are omitted."""
    written = {"board": house.board, "to_win": house.to_win, "without": list(house.without)}
    return {key: value for key, value in written.items() if value}


def read_house(position: Mapping[str, Any], variant: str) -> House:
    """Return the house rules that `house_position` wrote. Raises ValueError if a variant has no such rules."""
    board, to_win, cards = position.get("board"), position.get("to_win"), position.get("without", [])
    rules, deck = box().games[variant], tuple(dict.fromkeys(box().deck))
    if board is not None and (not isinstance(board, str) or code_of(board) != board):
        raise ValueError(f"board must be the code of a board in its shortest form, not {board!r}")
    if to_win is not None and (type(to_win) is not int or not 1 <= to_win < rules.pucks):
        raise ValueError(f"to_win must be a whole number from 1 to {rules.pucks - 1}, not {to_win!r}")
    if not isinstance(cards, list | tuple) or any(card_id not in deck for card_id in cards):
        raise ValueError(f"without must list cards of the deck, not {cards!r}")
    if cards and not rules.cards:
        raise ValueError(f"the variant {variant} has no cards")
    return House(board, to_win, tuple(card_id for card_id in deck if card_id in cards))
