"""Positions as plain JSON. They are written from states, and when they are read, every mistake is named.

These keys are always written: `variant`, `seats`, `mats` (by letter, each with its `kind`, its (column, row) under `at`, and
its `turn`), `pieces` (the space of each piece on the board, by its full name), `scored`, `hands`, `draw_pile`, `discard`,
`draw_rule`, `action_rule`, `ongoing`, `net_off`, `borrowed` (a colour, a list of colours, or null), `to_move`, `direction`,
`phase`, `taken` and `extra`. Most of them have defaults when a position is read. Other keys are written only when they apply:
`colours` (how many each player has, if two; then either colour names a player whose pieces are borrowed), `edge` (the cards at
the edge of the board, if they are not those from which the rules in force came), `turn_of`, `doubled`, `closed`, `last` (what a
Whistle would undo, with the table `before` it), `previous`, `settled`, `winning`, `passed`, `auto`, `out`, `stuck`, and the
house rules `board` (the code of the start layout), `to_win` and `without`. `State`, `LastAction`, `Table` and `House` explain
them. The version of the rules is not written, since it follows from the game.

The last card of `draw_pile` is drawn next, and the last one of `discard` lies on top. A piece that is named neither in `pieces`
nor in `scored` lies beside the board. A position may lack cards of the deck, or have more copies of a card than the deck has.
"""

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any, NoReturn

from engines.chance import Chance
from engines.game import stream_of
from engines.pucks.board.board import Mat, Mats, grid, space_name, space_of
from engines.pucks.board.box import box
from engines.pucks.board.deck import CardId, CardKind, card
from engines.pucks.board.house import house_position, read_house
from engines.pucks.board.layouts import FARTHEST, shape_of, whole
from engines.pucks.board.motion import BESIDE, SCORED, Places
from engines.pucks.board.pieces import COLOURS, Owners, Piece, PieceKind, all_pieces, owners_of
from engines.pucks.board.state import LastAction, State, Table, next_live, points_of
from engines.pucks.board.views import Phase
from engines.pucks.cards.cards import is_known
from engines.pucks.cards.piles import edge_of
from engines.pucks.play.turns import advance, winners
from engines.values import replace

Json = Mapping[str, Any]

# --- writing ----------------------------------------------------------------------------------------------------------------


def to_position(state: State, secret: bool) -> dict[str, Any]:
    """Return the state as plain JSON. If `secret`, it includes the random stream under "chance"."""
    written: dict[str, Any] = {"variant": state.variant, "seats": state.seats}
    if state.colours > 1:
        written["colours"] = state.colours
    written |= house_position(state.house) | _write_table(state, state.table)
    written |= {
        "hands": [list(hand) for hand in state.hands],
        "draw_pile": list(state.draw_pile),
        "discard": list(state.discard),
        "to_move": state.to_move,
        "direction": state.direction,
        "phase": state.phase.value,
        "taken": state.taken,
        "extra": state.extra,
    }
    if state.edge != _usual_edge(state.variant, state.table):
        written["edge"] = list(state.edge)
    if state.turn_of != _usual_turn_of(state):
        written["turn_of"] = state.turn_of
    if state.last is not None:
        written["last"] = {
            "seat": state.last.seat,
            "action": list(state.last.action),
            "replaced": state.last.replaced,
            "before": _write_table(state, state.last.before),
        }
        if not state.last.kept:
            written["last"]["kept"] = False
    for key in ("doubled", "closed", "stuck"):
        if value := getattr(state, key):
            written[key] = value
    for key in ("winning", "passed", "auto", "out"):
        if seats := getattr(state, key):
            written[key] = list(seats)
    if secret:
        written["chance"] = state.chance.to_json()
    return written


def _write_table(state: State, table: Table) -> dict[str, Any]:
    placed = [(piece.name, space) for piece, space in zip(state.pieces, table.places, strict=True)]
    borrowed = [COLOURS[seat] for seat in table.borrowed]
    written: dict[str, Any] = {
        "mats": {mat.id: {"kind": mat.kind, "at": list(mat.at), "turn": mat.turn} for mat in table.mats},
        "pieces": {name: space_name(space) for name, space in placed if space not in (BESIDE, SCORED)},
        "scored": [name for name, space in placed if space == SCORED],
        "draw_rule": table.draw_rule,
        "action_rule": table.action_rule,
        "ongoing": table.ongoing,
        "net_off": table.net_off,
        "borrowed": None if not borrowed else borrowed[0] if len(borrowed) == 1 else borrowed,
    }
    if table.previous is not None:
        before = zip(state.pieces, table.previous, strict=True)
        written["previous"] = {piece.name: list(point) for piece, point in before if point is not None}
    if table.settled is not None:
        written["settled"] = {mat.id: list(at) for mat, at in zip(table.mats, table.settled, strict=True)}
    return written


def _usual_edge(variant: str, table: Table) -> tuple[CardId, ...]:
    rules = box().games[variant]
    return edge_of(table.draw_rule, table.action_rule, table.ongoing, rules.actions) if rules.cards else ()


def _usual_turn_of(state: State) -> int | None:
    """Return the usual `State.turn_of`: the seat to move or, before a draw, the seat whose turn came before."""
    if state.phase is Phase.PLACE:
        return None
    return next_live(state, state.to_move, -state.direction) if state.phase is Phase.DRAW else state.to_move


# --- reading ----------------------------------------------------------------------------------------------------------------


def read_position(position: Json, edition: int, chance: Chance | None) -> State:
    """Return the state that a position describes, played on to the next decision. Raises ValueError if there is none."""
    variant = _one_of(position, "variant", box().games)
    seats = _number(position, "seats", 2, 6)
    owners = owners_of(seats, _number(position, "colours", 1, 2 if owners_of(seats, 2).possible else 1, 1))
    table = _read_table(position, variant, owners)
    phase = Phase(_one_of(position, "phase", list(Phase), "act"))
    to_move = _number(position, "to_move", 0, seats - 1, 0)
    has_cards = box().games[variant].cards
    state = State(
        variant=variant,
        seats=seats,
        table=table,
        hands=_read_hands(position, seats),
        draw_pile=_cards(position, "draw_pile"),
        discard=_cards(position, "discard"),
        edge=_cards(position, "edge") if "edge" in position else _usual_edge(variant, table),
        to_move=to_move,
        phase=phase,
        direction=_direction(position),
        taken=_number(position, "taken", 0, 999, 0),
        extra=_number(position, "extra", 0, 999, 0),
        doubled=_number(position, "doubled", 0, 9, 0),
        closed=_flag(position, "closed"),
        last=_read_last(position, variant, owners, table.mats),
        winning=_seats(position, "winning", seats),
        passed=_seats(position, "passed", seats),
        auto=_seats(position, "auto", seats),
        out=_seats(position, "out", seats),
        stuck=_flag(position, "stuck"),
        colours=owners.each,
        edition=edition,
        house=read_house(position, variant),
        chance=stream_of(position, chance),
    )
    _check_cards(state, has_cards)
    _check_turn(state)
    state = replace(state, turn_of=_read_turn_of(position, state))
    if "winning" not in position and phase is not Phase.PLACE:
        state = replace(state, winning=winners(state))
    return advance(state, [])


def _wrong(message: str) -> NoReturn:
    raise ValueError(message)


def _one_of(data: Json, key: str, values: Any, default: str | None = None) -> str:
    value = data.get(key, default)
    if value not in list(values):
        _wrong(f"{key} must be one of {', '.join(values)}, not {value!r}")
    return str(value)


def _number(data: Json, key: str, least: int, most: int, default: int | None = None) -> int:
    value = data.get(key, default)
    if not isinstance(value, int) or isinstance(value, bool) or not least <= value <= most:
        _wrong(f"{key} must be a whole number from {least} to {most}, not {value!r}")
    return value


def _flag(data: Json, key: str, default: bool = False) -> bool:
    value = data.get(key, default)
    return value if isinstance(value, bool) else _wrong(f"{key} must be true or false, not {value!r}")


def _direction(data: Json) -> int:
    value = data.get("direction", 1)
    return int(value) if value in (1, -1) else _wrong(f"direction must be 1 or -1, not {value!r}")


def _list(data: Json, key: str) -> Sequence[Any]:
    value = data.get(key, [])
    return value if isinstance(value, list | tuple) else _wrong(f"{key} must be a list, not {value!r}")


def _mapping(data: Json, key: str) -> Json:
    value = data.get(key, {})
    return value if isinstance(value, Mapping) else _wrong(f"{key} must be an object, not {value!r}")


def _seats(data: Json, key: str, seats: int) -> tuple[int, ...]:
    found = tuple(_list(data, key))
    if any(type(seat) is not int or seat not in range(seats) for seat in found) or len(set(found)) < len(found):
        _wrong(f"{key} must list different seats from 0 to {seats - 1}, not {list(found)!r}")
    return found


def _read_turn_of(position: Json, state: State) -> int | None:
    """Return `State.turn_of`. While a turn is going on, null means the player to move, just as if the key were missing."""
    turn_of = _seat_or_none(position, "turn_of", state.seats, _usual_turn_of(state))
    if state.phase not in {Phase.ACT, Phase.DISCARD}:
        return turn_of
    if turn_of not in {None, state.to_move}:
        _wrong(f"turn_of must be {state.to_move}, whose turn is going on, not {turn_of!r}")
    return state.to_move


def _seat_or_none(data: Json, key: str, seats: int, default: int | None) -> int | None:
    value = data.get(key, default)
    if value is None:
        return None
    return int(value) if value in range(seats) else _wrong(f"{key} must be a seat or null, not {value!r}")


def _cards(data: Json, key: str) -> tuple[CardId, ...]:
    found = tuple(_list(data, key))
    for card_id in found:
        if not isinstance(card_id, str) or not is_known(card_id):
            _wrong(f"{key}: there is no card {card_id!r}")
    return found


def _read_hands(data: Json, seats: int) -> tuple[tuple[CardId, ...], ...]:
    hands = _list(data, "hands") or [[] for _ in range(seats)]
    if len(hands) != seats:
        _wrong(f"hands must have {seats} lists of cards, not {len(hands)}")
    return tuple(_cards({"hands": hand}, "hands") for hand in hands)


def _read_table(data: Json, variant: str, owners: Owners) -> Table:
    mats = _read_mats(data, variant)
    net_off = data.get("net_off")
    ongoing = data.get("ongoing")
    if ongoing is not None and not (is_known(str(ongoing)) and card(str(ongoing)).ongoing):
        _wrong(f"ongoing must be an ongoing card or null, not {ongoing!r}")
    goals = [mat.id for mat in mats if mat.face.front is not None]
    if (net_off is not None) != (ongoing == "net-off") or (net_off is not None and net_off not in goals):
        _wrong(f"net_off must name one of the goal mats {', '.join(goals)} if net-off is in force, else null, not {net_off!r}")
    if whole(shape_of(mats)) is ("settled" in data):
        _wrong("the mats must hang together; if they do not, settled must say where they last did")
    rules = box().games[variant]
    return Table(
        mats=mats,
        places=_read_places(data, mats, all_pieces(owners.colours, variant)),
        # Without cards there is no drawing, and the number of actions never changes.
        draw_rule=_number(data, "draw_rule", 1, 9, 1) if rules.cards else 1,
        action_rule=_number(data, "action_rule", 1, 9, rules.actions) if rules.cards else rules.actions,
        ongoing=ongoing,
        net_off=net_off,
        borrowed=_read_borrowed(data, owners),
        previous=_read_previous(data, all_pieces(owners.colours, variant)),
        settled=_read_settled(data, mats) if "settled" in data else None,
    )


def points_in(data: Json, variant: str, owners: Owners) -> dict[str, list[int]]:
    """Return the point of each piece on the board of a written table. Raises ValueError if there is no such table."""
    table = _read_table({key: value for key, value in data.items() if key != "previous"}, variant, owners)
    points = zip(all_pieces(owners.colours, variant), points_of(table), strict=True)
    return {piece.name: list(point) for piece, point in points if point is not None}


def _read_mats(data: Json, variant: str) -> Mats:
    written = _mapping(data, "mats")
    letters = [chr(ord("a") + i) for i in range(len(written))]
    if not written or sorted(written) != letters or len(letters) > 26:
        _wrong(f"mats must be called a, b, c and so on without a gap, not {', '.join(map(str, written)) or 'none at all'}")
    mats = []
    for letter in letters:
        mat = _mapping(written, letter)
        kind = _one_of(mat, "kind", box().kinds)
        turn = mat.get("turn", 0)
        if turn not in (0, 90, 180, 270):
            _wrong(f"mat {letter}: turn must be 0, 90, 180 or 270, not {turn!r}")
        mats.append(Mat(letter, kind, _pair(mat, "at"), int(turn), box().face(kind, variant)))
    _check_places(mats)
    return tuple(mats)


def _check_places(mats: Sequence[Mat]) -> None:
    """Raise ValueError if two mats lie at the same place, or some lie too far apart."""
    places = Counter(mat.at for mat in mats)
    if twice := [at for at, count in places.items() if count > 1]:
        _wrong(f"two mats lie at {list(twice[0])}")
    for line in zip(*places, strict=True):
        if max(line) - min(line) > FARTHEST:
            _wrong(f"the mats lie {max(line) - min(line)} places apart, farther than {FARTHEST}")


def _read_settled(data: Json, mats: Mats) -> tuple[tuple[int, int], ...]:
    written = _mapping(data, "settled")
    there = tuple(replace(mat, at=_pair(written, mat.id)) for mat in mats)
    _check_places(there)
    if not whole(shape_of(there)):
        _wrong("settled must say where the mats last hung together, and they do not hang together there")
    return tuple(mat.at for mat in there)


def _pair(data: Json, key: str) -> tuple[int, int]:
    value = data.get(key)
    if not isinstance(value, list | tuple) or len(value) != 2 or not all(isinstance(number, int) for number in value):
        _wrong(f"{key} must be a pair of whole numbers, not {value!r}")
    return int(value[0]), int(value[1])


def _read_places(data: Json, mats: Mats, pieces: Sequence[Piece]) -> Places:
    by_name = {piece.name: piece for piece in pieces}
    found: dict[str, int] = {}
    marks = grid(mats).marks
    for name, space in _mapping(data, "pieces").items():
        if name not in by_name:
            _wrong(f"pieces: there is no {name!r} in this game")
        where = space_of(str(space), mats)
        if marks[where] == "~" or (marks[where] == "G" and by_name[name].kind is PieceKind.PUCK):
            _wrong(f"pieces: {name} cannot stand on {space}")
        if where in found.values():
            _wrong(f"pieces: two of them stand on {space}")
        found[name] = where
    for name in _list(data, "scored"):
        if not isinstance(name, str) or name not in by_name or by_name[name].kind is not PieceKind.PUCK:
            _wrong(f"scored: there is no puck {name!r} in this game")
        if name in found:
            _wrong(f"scored: {name} is named twice, or stands on the board as well")
        found[name] = SCORED
    return tuple(found.get(piece.name, BESIDE) for piece in pieces)


def _read_borrowed(data: Json, owners: Owners) -> tuple[int, ...]:
    value = data.get("borrowed")
    colours = [] if value is None else list(value) if isinstance(value, list | tuple) else [value]
    known = COLOURS[: owners.colours]
    seats = [owners.of(known.index(colour)) for colour in colours if colour in known]
    if len(seats) < len(colours) or len(set(seats)) < len(seats):
        _wrong(f"borrowed must be null, one of {', '.join(known)}, or a list of them, not {value!r}")
    return tuple(seats)


def _read_previous(data: Json, pieces: Sequence[Piece]) -> tuple[tuple[int, int] | None, ...] | None:
    if "previous" not in data:
        return None
    written = _mapping(data, "previous")
    if strange := set(written) - {piece.name for piece in pieces}:
        _wrong(f"previous: there is no {min(strange)!r} in this game")
    return tuple(_pair(written, piece.name) if piece.name in written else None for piece in pieces)


def _read_last(data: Json, variant: str, owners: Owners, mats: Mats) -> LastAction | None:
    if data.get("last") is None:
        return None
    last = _mapping(data, "last")
    replaced = last.get("replaced")
    if replaced is not None and not is_known(str(replaced)):
        _wrong(f"last: there is no card {replaced!r}")
    action = tuple(str(token) for token in _list(last, "action"))
    if not action or (action[0] == "play" and (len(action) < 2 or not is_known(action[1]))):
        _wrong(f"last: {' '.join(action) or 'nothing'} is no action")
    if action[:2] == ("play", "salvage") and (len(action) != 3 or not is_known(action[2])):
        _wrong(f"last: {' '.join(action)} is no action")
    before = _read_table(_mapping(last, "before"), variant, owners)
    if [mat.kind for mat in before.mats] != [mat.kind for mat in mats]:
        _wrong("last: the mats before it must be those of now")
    return LastAction(_number(last, "seat", 0, owners.seats - 1), action, before, replaced, _flag(last, "kept", default=True))


def _check_cards(state: State, has_cards: bool) -> None:
    """Raise ValueError if there are cards that are not in the deck, or that cannot be where they are."""
    cards = {*state.draw_pile, *state.discard, *state.edge, *(held for hand in state.hands for held in hand)}
    if cards and not has_cards:
        _wrong(f"the variant {state.variant} has no cards")
    if strange := cards - set(state.deck):
        _wrong(f"there is no card {min(strange)!r}")
    kinds = Counter(card(card_id).kind for card_id in state.edge)
    if kinds[CardKind.QUICK] or any(count > 1 for count in kinds.values()):
        _wrong(f"edge: these cards cannot lie there together: {', '.join(state.edge)}")
    if not all(card(card_id).stays for card_id in state.edge):
        _wrong(f"edge: only draw, action and ongoing cards lie there, not {', '.join(state.edge)}")
    played = None if state.last is None else state.last.card
    if played is not None and card(played).stays and played not in state.edge:
        _wrong(f"last: {played} was played, but does not lie at the edge")


def _check_turn(state: State) -> None:
    if len(state.out) >= state.seats:
        _wrong("out: somebody must be left")
    # Leaving ends the turn, but while a win waits no other turn begins.
    if state.to_move in state.out and len(state.live) > 1 and not (state.winning and state.closed):
        _wrong(f"to_move: seat {state.to_move} is out")
    if state.last is not None and state.last.seat in state.out and len(state.live) > 1 and not state.closed:
        _wrong(f"closed: the turn of seat {state.last.seat}, which is out, must have ended")
    if state.phase is Phase.PLACE and all(state.table.places[index] != BESIDE for index in state.pieces_of(state.to_move)):
        _wrong(f"to_move: seat {state.to_move} has no piece left to be placed")
