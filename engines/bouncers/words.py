"""The words of Bouncers: for moves, choices, prompts, and the reasons why a square is impossible."""

from functools import cache

from engines.bouncers.board import Walk, walk_of
from engines.bouncers.state import Path, State, is_king, path_of, pieces_to_move, promotes, reaches_last_rank, walk_along
from engines.game import Action, Choice
from engines.steps import Event, deed, later
from engines.text import Text, join, plain, say, say_n


def event_of(state: State, walk: Walk) -> Event:
    """Return a move as an event, a major one if it captures, makes a king or reaches the last rank."""
    path, far = path_of(state, walk), reaches_last_rank(state, walk)
    phrase = later(_captures if path.captured else _bounces, path, is_king(state, walk), far)
    seat, wins = state.to_move, (far and state.setup.terminal) or not walk.enemy
    affected = (1 - seat,) if path.captured else ()
    return deed("move", seat, phrase, detail=path, major=bool(path.captured) or far, decisive=wins, affects=affected)


def _bounces(move: Path, king: bool, far: bool) -> Text:
    """Describe a move without a capture. `far` says whether it reaches the last rank."""
    path = _path_text(move)
    if king:
        return say("moves the king {path}", path=path)
    if move.promoted:
        return say("bounces {path} and makes a king", path=path)
    if far:
        return say("bounces {path} and reaches the last rank", path=path)
    return say("bounces {path}", path=path)


def _captures(move: Path, king: bool, far: bool) -> Text:
    path, taken = _path_text(move), _captures_text(move)
    if king:
        return say("moves the king {path}, capturing {taken}", path=path, taken=taken)
    if move.promoted:
        return say("bounces {path}, capturing {taken}, and makes a king", path=path, taken=taken)
    if far:
        return say("bounces {path}, capturing {taken}, and reaches the last rank", path=path, taken=taken)
    return say("bounces {path}, capturing {taken}", path=path, taken=taken)


def wording(state: State, action: Action) -> Text | None:
    """Return a move in words, by its squares and captures ("d2 → d3, capturing d4"), or None if there is no such path."""
    walk = walk_along(state, action)
    if walk is None:
        return None
    move = path_of(state, walk)
    if not move.captured:
        return _path_text(move)
    return say("{path}, capturing {taken}", path=_path_text(move), taken=_captures_text(move))


def _path_text(move: Path) -> Text:
    return plain(" → ".join(move.squares))


def _captures_text(move: Path) -> Text:
    pieces = [_piece_text(square, king) for square, _, king in move.captured]
    squares = join(pieces, ", ")
    return (
        squares if len(pieces) == 1 else say_n("{n} piece ({squares})", "{n} pieces ({squares})", len(pieces), squares=squares)
    )


def _piece_text(square: str, king: bool) -> Text:
    return say("king {square}", square=square) if king else plain(square)


# A choice has the symbol of a capture if it captures, or begins a way to a capture, so that nobody has to try each piece.


def piece_choice(state: State, place: int) -> Choice:
    """Return a piece as a choice at the beginning of a move."""
    seat, king = state.to_move, bool(state.kings & 1 << place)
    walk = walk_of(state.board, seat, place, state.sides[seat], state.sides[1 - seat], state.kings)
    return _piece_choice(state.board.names[place], king, walk.can_capture)


@cache
def _piece_choice(square: str, king: bool, captures: bool) -> Choice:
    return Choice(square, _piece_text(square, king), final=False, symbol="💥" if captures else "👑" if king else "")


def step_choice(state: State, walk: Walk) -> Choice:
    """Return the last step of a path as a choice."""
    names = state.board.names
    square = names[walk.path[-1]]
    if (taken := walk.taken[-1]) is not None:
        wins = not walk.enemy or (reaches_last_rank(state, walk) and state.setup.terminal)
        return _capture_choice(square, names[taken], bool(state.kings & 1 << taken), wins)
    return _step_choice(square, promotes(state, walk), reaches_last_rank(state, walk), walk.can_capture)


@cache
def _capture_choice(square: str, taken: str, king: bool, wins: bool) -> Choice:
    piece = _piece_text(taken, king)
    if wins:
        return Choice(
            square, say("{square}, captures {taken}, wins", square=square, taken=piece), final=True, symbol="💥", wins=True
        )
    return Choice(square, say("{square}, captures {taken}", square=square, taken=piece), final=True, symbol="💥")


@cache
def _step_choice(square: str, promoted: bool, far: bool, captures: bool) -> Choice:
    if promoted:
        return Choice(square, say("{square}, becomes a king", square=square), final=True, symbol="👑")
    if far:
        return Choice(square, say("{square}, wins", square=square), final=True, symbol="🏁", wins=True)
    return Choice(square, plain(square), final=True, symbol="💥" if captures else "")


def question(pieces: int, kings: int) -> Text:
    """Return the question to a side, in words that follow its name and a comma."""
    if not kings:
        return say("which piece bounces?")  # a king doesn't bounce
    return say("which piece moves?") if kings < pieces else say("which king moves?")


def prompt(state: State, prefix: Action) -> Text | None:
    """Return the prompt after these squares have been picked, or None if no move begins with them."""
    walk = walk_along(state, prefix)
    if walk is None:
        return None
    onward = list(walk.onward())
    if len(walk.path) == 1:
        square = state.board.names[walk.path[0]]
        if is_king(state, walk):
            return say("Where does king {square} go?", square=square)
        return say("Where does {square} bounce to?", square=square)
    if not onward:
        return say("That’s the whole move. Play it?")
    if all(step.taken[-1] is not None for step in onward):
        captured = any(square is not None for square in walk.taken)
        return say("Keep capturing, or stop here?") if captured else say("Capture, or stop here?")
    return say("One more step, or stop here?") if is_king(state, walk) else say("Keep bouncing, or stop here?")


def why_not(state: State, action: Action, index: int) -> Text | None:
    """Return why the square at `index` is impossible after those before it."""
    place = state.board.places.get(action[index])
    if place is None:
        return say("There’s no {square} on this board.", square=action[index])
    if index == 0:
        return _why_not_piece(state, place)
    walk = walk_along(state, action[:index])
    return None if walk is None else _why_over(state, walk) or _why_not_step(state, walk, place)


def _why_not_piece(state: State, place: int) -> Text:
    square, own, enemy = state.board.names[place], state.sides[state.to_move], state.sides[1 - state.to_move]
    if enemy & 1 << place:
        return say("{square} isn’t your piece.", square=square)
    if not own & 1 << place:
        return say("{square} is empty.", square=square)
    walk = next(walk for walk in pieces_to_move(state) if walk.path[0] == place)
    if is_king(state, walk):
        return say("The king on {square} is boxed in.", square=square)
    if any(spring & walk.occupied for _, spring, *_ in walk.ways):
        return say("{square} has something to bounce off, but no free square to land on.", square=square)
    return say("{square} has nothing to bounce off.", square=square)


def _why_over(state: State, walk: Walk) -> Text | None:
    """Return why a path cannot continue at all, or None if it can, or if all it lacks is a springboard."""
    square = state.board.names[walk.path[-1]]
    if not walk.enemy:
        return say("That captured the last enemy piece, so the move ends there.")
    if promotes(state, walk):
        return say("Your piece becomes a king on {square}, so its move ends there.", square=square)
    if reaches_last_rank(state, walk):
        return say("{square} is the last rank: you’ve won.", square=square)
    if is_king(state, walk) and walk.taken and walk.taken[-1] is None:
        return say("A king can only go on after a capture.")
    return None


def _why_not_step(state: State, walk: Walk, place: int) -> Text:
    size, square = state.setup.size, state.board.names[place]
    across, up = place % size - walk.path[-1] % size, place // size - walk.path[-1] // size
    if (across, up) == (0, 0):
        return say("Your piece is already on {square}.", square=square)
    if max(abs(across), abs(up)) > 1:
        return say("{square} is too far: go one square at a time.", square=square)
    if walk.occupied & 1 << place:
        return say("{square} is taken.", square=square)
    if place in walk.path[-2:-1]:
        return say("You can’t bounce straight back to {square}.", square=square)
    if up == (-1, 1)[state.to_move]:
        return say("{square} is behind you: only kings can go backward.", square=square)
    return _why_no_springboard(state, walk, across, up)


def _why_no_springboard(state: State, walk: Walk, across: int, up: int) -> Text:
    """Return why a piece has nothing to bounce off on the way to an empty square beside it or in front of it."""
    names, size, here = state.board.names, state.setup.size, walk.path[-1]
    if not up and here % size - across not in range(size):
        return say("You can’t bounce sideways off the rim.")
    behind = here - across - up * size
    if behind in walk.taken:
        return say("You’ve just captured {behind}, so you can’t bounce off it any more.", behind=names[behind])
    return say("There’s nothing behind {here} to bounce off: {behind} is empty.", here=names[here], behind=names[behind])
