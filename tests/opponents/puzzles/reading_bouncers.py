"""Reads the sentences about Bouncers back, and checks them move by move by the slow reading of the rules.

`check` reads what is said of a position: which move wins whatever is played, which moves are left, what is kept in reserve. It
fails for a sentence that is not true, and returns how many it has checked.
"""

import re
from collections.abc import Iterable, Sequence
from typing import Final

from tests.engines.bouncers.slow import Board, moves, won

Move = tuple[str, ...]

MOVE: Final = r"[a-j]\d+(?: → [a-j]\d+)+"
PLAN: Final = rf"({MOVE}(?:, then {MOVE})*)"
ASIDE: Final = re.compile(r", (?:capturing (?:king )?[a-j]\d+|capturing \d+ pieces \([^)]*\)|making a king)")
SOONER: Final = re.compile(rf"As soon as ({MOVE}) is possible")
ONLY: Final = re.compile(rf"only one move, ({MOVE})\. Then \w+ wins? with ({MOVE})")
THREAT: Final = re.compile(rf"threatens? ({MOVE})[^.]*\. \w+ can’t prevent that")
FORCED: Final = re.compile(rf"to move, and whatever \w+ play, \w+ wins? with ({MOVE})")
WHATEVER: Final = re.compile(rf"Whatever \w+ do(?:es)?, \w+ plays? {PLAN}")
CASE: Final = re.compile(rf"If \w+ plays? ({MOVE}(?: or {MOVE})*), \w+ plays? {PLAN}")
REST: Final = re.compile(rf"After any other move (?:by \w+|of yours), \w+ plays? {PLAN}")
COUNT: Final = re.compile(r"You have (\d) \(([^)]*)\), \w+ has (\d) \(([^)]*)\)")
RESERVE: Final = re.compile(rf"You keep (\d) moves in reserve that \w+ can’t prevent: ({MOVE}(?:, {MOVE})*)")
RACE: Final = re.compile(r"Left alone, you’d win in (\d) more moves?, \w+ (?:only in (\d)|not so soon)")
STUCK: Final = re.compile(r"Left alone, \w+ could make only (\d) more moves?")
CANNOT: Final = re.compile(rf"can’t play ({MOVE}) (?:now|any more): (?:there’s nothing on (\w+)|your piece on (\w+))?")
OTHERWISE: Final = re.compile(rf"Otherwise \w+ would win with ({MOVE})(, but (?:now (?:there|your)|you))?")
NOTHING: Final = re.compile(rf"captures nothing with ({MOVE}) now|with ({MOVE}), but now that captures nothing")
HARD: Final = re.compile(rf"If \w+ plays? ({MOVE}), \w+ answers? ({MOVE})\. (.*?) All (?:your|of \w+’s) other moves")


def read_moves(words: str) -> list[Move]:
    return [tuple(found.split(" → ")) for found in re.findall(MOVE, words)]


def afters(board: Board) -> dict[Move, Board]:
    return {result.squares: result.board for result in moves(board)}


def is_lost(board: Board) -> bool:
    return won(board) or not afters(board)


def passed(board: Board) -> Board:
    return board._replace(to_move="blue" if board.to_move == "red" else "red")


def unlike(boards: Iterable[Board]) -> list[Board]:
    return list({(frozenset(board.men.items()), board.to_move): board for board in boards}.values())


def wins_by(boards: Sequence[Board], plan: Sequence[Move], sooner: Move | None = None) -> bool:
    """Whether the side not to move wins with these moves at the latest, whatever is played between them."""
    left = [board for board in boards if not is_lost(board)]
    if not left:
        return True
    replied = unlike(after for board in left for after in afters(board).values())
    if sooner is not None:
        replied = [board for board in replied if sooner not in afters(board) or not is_lost(afters(board)[sooner])]
    if any(map(is_lost, replied)) or (replied and not plan):
        return False
    able = [afters(board) for board in replied]
    return all(plan[0] in there for there in able) and wins_by(unlike(there[plan[0]] for there in able), plan[1:], sooner)


def answered(replied: Iterable[Board], plan: Sequence[Move]) -> bool:
    """Whether a plan wins that begins after the reply."""
    able = [afters(board) for board in replied]
    return all(plan[0] in there for there in able) and wins_by(unlike(there[plan[0]] for there in able), plan[1:])


def can_always(boards: Sequence[Board], row: Sequence[Move]) -> bool:
    """Whether the side not to move can make these moves one after the other, whatever is played between them."""
    if not row:
        return True
    replied = unlike(after for board in boards for after in afters(board).values())
    able = [afters(board) for board in replied]
    return all(row[0] in there for there in able) and can_always(unlike(there[row[0]] for there in able), row[1:])


def most_in_a_row(board: Board, most: int = 8) -> int:
    """The most moves of the side to move, if the other one passes."""
    after = unlike(afters(board).values())
    if not after or not most:
        return 0
    return 1 + max(most_in_a_row(passed(each), most - 1) for each in after)


def fewest_to_win(board: Board, most: int) -> int | None:
    """The fewest moves with which the side to move wins on the board, if the other one passes."""
    reached = [board]
    for count in range(1, most + 1):
        reached = unlike(after for each in reached for after in afters(each).values())
        if any(map(won, reached)):
            return count
        reached = [passed(each) for each in reached]
    return None


def loses_by_count(board: Board) -> bool:
    """Whether the side to move runs out of moves first, by looking at every way to play on."""
    return all(not loses_by_count(after) for after in unlike(afters(board).values()))


def check(words: str, board: Board, before: Board | None = None) -> int:
    """Check what is said of a position in which the side to move is to lose; return the number of sentences.

    `before` is the position before the solver's move, if that is told.
    """
    words, looked = ASIDE.sub("", words), 0
    for hard in HARD.finditer(words):
        reply, answer = read_moves(hard[1])[0], read_moves(hard[2])[0]
        looked += check(hard[3], afters(afters(board)[reply])[answer])
    words = HARD.sub("", words)
    replies = afters(board)
    sooner = SOONER.search(words)
    for found in ONLY.finditer(words):
        (only,), (final,) = map(read_moves, found.groups())
        assert len(unlike(replies.values())) == 1, found[0]
        assert only in replies, found[0]
        assert is_lost(afters(replies[only])[final]), found[0]
        looked += 1
    for found in (*THREAT.finditer(words), *FORCED.finditer(words)):
        assert wins_by([board], read_moves(found[1])), found[0]
        looked += 1
    for found in WHATEVER.finditer(words):
        assert wins_by([board], read_moves(found[1]), read_moves(sooner[1])[0] if sooner else None), found[0]
        looked += 1
    named = set[Move]()
    for found in CASE.finditer(words):
        cases = read_moves(found[1])
        named.update(cases)
        assert answered([replies[case] for case in cases], read_moves(found[2])), found[0]
        looked += 1
    for found in REST.finditer(words):
        alike = [replies[move] for move in named]
        assert answered([after for after in replies.values() if after not in alike], read_moves(found[1])), found[0]
        looked += 1
    looked += _check_counts(words, board)
    return looked if before is None else looked + _check_squares(words, board, before)


def _check_counts(words: str, board: Board) -> int:
    looked = 0
    for found in COUNT.finditer(words):
        numbers = sorted([int(found[1]), int(found[3])])
        assert [len(read_moves(found[2])), len(read_moves(found[4]))] == [int(found[1]), int(found[3])], found[0]
        assert sorted([most_in_a_row(board), most_in_a_row(passed(board))]) == numbers, found[0]
        assert most_in_a_row(board) <= most_in_a_row(passed(board)), found[0]
        assert loses_by_count(board), found[0]
        looked += 1
    for found in RESERVE.finditer(words):
        row = read_moves(found[2])
        assert len(row) == int(found[1]), found[0]
        assert can_always([board], row), found[0]
        looked += 1
    for found in RACE.finditer(words):
        assert fewest_to_win(passed(board), int(found[1])) == int(found[1]), found[0]
        assert fewest_to_win(board, int(found[1])) is None, found[0]
        assert found[2] is None or fewest_to_win(board, int(found[2])) == int(found[2]), found[0]
        looked += 1
    for found in STUCK.finditer(words):
        assert most_in_a_row(board) == int(found[1]), found[0]
        assert fewest_to_win(board, int(found[1])) is None, found[0]
        looked += 1
    return looked


def _check_squares(words: str, board: Board, before: Board) -> int:
    looked = 0
    for found in CANNOT.finditer(words):
        (move,) = read_moves(found[1])
        assert move in afters(passed(before)), found[0]
        assert move not in afters(board), found[0]
        looked += 1
    for found in OTHERWISE.finditer(words):
        (move,) = read_moves(found[1])
        assert is_lost(afters(passed(before))[move]), found[0]
        assert not found[2] or move not in afters(board), found[0]
        looked += 1
    for found in NOTHING.finditer(words):
        (move,) = read_moves(found[1] or found[2])
        assert len(afters(board)[move].men) == len(board.men), found[0]
        looked += 1
    return looked


NOT: Final = re.compile(rf" ?Not ({MOVE})(?:, which[^:]*)?: ")
ANSWER: Final = re.compile(rf"answers ({MOVE})( and wins)?")


def check_right(words: str, before: Board, after: Board) -> int:
    """Check what is said of a right move, and of another one in its place; return the number of sentences."""
    words = ASIDE.sub("", words)
    other = NOT.search(words)
    if other is None:
        return check(words, after, before)
    (move,) = read_moves(other[1])
    return check(words[: other.start()], after, before) + check_wrong(words[other.end() :], afters(before)[move])


def check_wrong(words: str, after: Board) -> int:
    """Check what is said of a wrong move, after which the position is `after`; return the number of sentences."""
    words = ASIDE.sub("", words)
    found = ANSWER.search(words)
    if found is None:
        return 0
    answered = afters(after)[read_moves(found[1])[0]]
    assert bool(found[2]) == is_lost(answered), found[0]
    return 1 + check(words[found.end() :], answered)
