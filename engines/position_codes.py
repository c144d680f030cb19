"""A code for every position and every line of every game, short enough for a message. docs/position-codes.md explains them.

A code is the game's id, the version of the format, and letters: ``bouncers12DXZ…``. The letters are a number in Crockford's
base 32, and the last four are check letters. The number holds the version of the rules, the seat whose knowledge the position
is, and the position as the game packs it (`engines.packing`). A line is a code followed by actions: ``bouncers12DXZ… b7-b6,
c3-d3``.

No code holds dice, or anything of the stream from which they come. A seat's code holds only what that seat knows. Whatever the
seat does not know is drawn anew, always in the same way (`engines.protocols.Hidden.resample`).
"""

import re
from collections.abc import Collection, Mapping
from contextlib import suppress
from dataclasses import dataclass
from typing import Any, Final, Literal

from engines import EARLIER, GAMES, UnknownRules, rules_of
from engines.chance import UNSEEDED
from engines.game import (
    Action,
    Game,
    IllegalAction,
    Packed,
    Step,
    View,
    Words,
    action_words,
    check,
    foresee,
    open_view,
    part_of,
    resample,
)
from engines.packing import Unpackable, json_number, json_position, packed_number, packed_position
from engines.text import SEAT_COLOURS, Text, echoed, join, plain, say, say_n, seat_name
from engines.values import replace

FORMAT: Final = "1"
"""The version of the format. It is the first digit of a code and follows the game's id, which consists of letters only."""

LONGEST: Final = 2000
"""The most characters of a code or a line that is read, which is as many as fit into a Discord message."""

LETTERS: Final = "0123456789ABCDEFGHJKMNPQRSTVWXYZ"
_LAST: Final = 4

_PRIME: Final = 1_048_573
"""The largest prime below 32 to the power of 4. It finds any wrong letter, and any two neighbours that are swapped."""

_ALIKE: Final = str.maketrans("OIL", "011")
_DIGITS: Final = str.maketrans(LETTERS, "0123456789abcdefghijklmnopqrstuv")
"""Translates Crockford's letters into the digits of base 32 that Python reads."""

_CODE: Final = re.compile(r"(?P<game>[a-z]+)(?P<format>[0-9])(?P<letters>.*)", re.DOTALL)
_COLOURS: Final = tuple(colour.lower() for colour in SEAT_COLOURS)
_RULES: Final = 64
_SEATS: Final = 32
"""One more than the highest number that this format has for a seat. `_RULES` is the same for the version of the rules."""

Knower = int | None | Literal["all"]
"""Who knows a position: a seat, a spectator (None), or "all" if nothing is hidden."""


class WrongCode(ValueError):
    """A text that is no valid code. The only argument is a `Text` that tells people what is wrong."""


class NoCode(ValueError):
    """A position that has no code. The only argument is a `Text` that tells people why."""


@dataclass(frozen=True, slots=True)
class KnownPosition:
    """What a code holds: a position as a seat, a spectator or everybody knows it. What `knower` does not know is made up."""

    game: Game[Any, Any]
    state: Any
    knower: Knower = "all"

    @property
    def view(self) -> View:
        """The view of the position that `knower` has."""
        if self.knower == "all":
            view: View = open_view(self.game, self.state)
        else:
            view = self.game.view(self.state, self.knower)
        return view


@dataclass(frozen=True, slots=True)
class Line:
    """A position and the actions after it, each with its seat and step. A last action that draws or reveals has no step."""

    start: KnownPosition
    actions: tuple[tuple[int, Action], ...] = ()
    steps: tuple[Step[Any], ...] = ()

    @property
    def end(self) -> KnownPosition:
        """The last position that is certain."""
        return KnownPosition(self.start.game, self.steps[-1].state, self.start.knower) if self.steps else self.start


def position_code(game: Game[Any, Any], state: Any, knower: Knower = "all") -> str:
    """Return the code of a position as `knower` knows it. Raises NoCode if it would be longer than a message."""
    seat = 0 if knower == "all" or not game.secret else 1 if knower is None else 2 + knower
    position = game.position(resample(game, state, knower, UNSEEDED) if seat and knower != "all" else state)
    number = _packed_number(game, position)
    is_packed, number = number is not None, json_number(position) if number is None else number
    code = code_of_number(game.id, ((number * _SEATS + seat) * _RULES + game.rules) * 2 + is_packed)
    if len(code) > LONGEST:
        raise NoCode(say("This position has no code: it would be too long for a message."))
    return code


def _packed_number(game: Game[Any, Any], position: Mapping[str, Any]) -> int | None:
    """Return the number into which a game packs a position, or None if the game has no number for it."""
    if isinstance(game, Packed):
        with suppress(Unpackable):
            return packed_number(position, game.pack, game.unpack)
    return None


def line_text(line: Line) -> str:
    """Return a line as text: the code of its position, and its actions in the game's notation. Raises NoCode if it has none."""
    start = line.start
    states = (start.state, *(step.state for step in line.steps))
    words = [_notation(start.game, state, *action) for state, action in zip(states, line.actions, strict=False)]
    return " ".join((position_code(start.game, start.state, start.knower), ", ".join(words))).strip()


def in_words(line: Line) -> tuple[Text, ...]:
    """Return a description of a line: its game, whose knowledge it is, what its actions did, and the board at its end."""
    start, end = line.start, line.end
    game, view = end.game, end.view
    told = [
        say_n(
            "{game}, {variant}, {n} player, rules version {rules}.",
            "{game}, {variant}, {n} players, rules version {rules}.",
            view.seats, game=game.title, variant=game.variant_titles[view.variant], rules=game.rules,
        )
    ]  # fmt: skip
    if start.knower is None:
        told.append(say("As everybody sees it."))
    elif start.knower != "all":
        told.append(say("As {who} sees it.", who=seat_name(start.knower)))
    known_to = None if start.knower == "all" else start.knower
    told += [join([event.text]) for step in line.steps for event in step.events if event.known_to(known_to)]
    if len(line.steps) < len(line.actions):
        seat, action = line.actions[-1]
        known = {"who": seat_name(seat), "action": action_words(game, end.state, seat, action)}
        told.append(say("Next, {who} rolls, draws or turns something up: {action}.", **known))
    return (*told, join([game.describe(view)]))


def _notation(game: Game[Any, Any], state: Any, seat: int, action: Action) -> str:
    """Return an action as people write it, after the colour of the seat unless the game waits for that seat alone."""
    words = part_of(game, Words).notate(state, seat, action)
    return words if game.to_act(state) == (seat,) else f"{_COLOURS[seat]}: {words}"


def code_of_number(game_id: str, number: int) -> str:
    """Return the code that holds this number under a game's id, whether or not the number stands for a position."""
    return f"{game_id}{FORMAT}{_spelt(number)}{_check(game_id, number)}"


def _spelt(number: int) -> str:
    letters = ""
    while number:
        number, digit = divmod(number, len(LETTERS))
        letters = LETTERS[digit] + letters
    return letters


def _check(game_id: str, number: int) -> str:
    """Return the check letters: the remainder modulo `_PRIME` of one large number, made of the id and the code's number."""
    whole = (int.from_bytes(game_id.encode(), "big") * pow(len(LETTERS), LONGEST, _PRIME) + number) * len(LETTERS) ** _LAST
    return _spelt(whole % _PRIME).rjust(_LAST, LETTERS[0])


def read_line(
    text: str,
    games: Mapping[str, Game[Any, Any]] = GAMES,
    earlier: Collection[Game[Any, Any]] = EARLIER,
    *,
    most: int | None = None,
) -> Line:
    """Return the line that a text describes. A code alone is a line without actions.

    `most` limits the number of actions; None allows as many as the text has room for. Raises WrongCode, saying what is wrong,
    for any other text. A line that is too long is refused before any of it is played.
    """
    words = text.strip().strip("`").strip()
    if len(words) > LONGEST:
        raise WrongCode(say("That’s too long for a code: the limit is {most} characters.", most=LONGEST))
    code, *rest = words.split(maxsplit=1)[:2] or [""]
    actions = [written for part in rest for each in part.split(",") if (written := each.strip())]
    if most is not None and len(actions) > most:
        raise WrongCode(say("This line has {n} moves. The limit is {most}.", n=len(actions), most=most))
    line = Line(_read_position(code, games, earlier))
    for written in actions:
        line = _with_action(line, written)
    return line


def follow(line: Line, seat: int, action: Action) -> Line:
    """Return the line with one more action. Raises IllegalAction, or WrongCode if no action can follow the line's last one."""
    if len(line.steps) < len(line.actions):
        raise WrongCode(
            say("The line has to end after move {n}, where something is rolled, drawn or turned up.", n=len(line.actions))
        )
    game, state = line.start.game, line.end.state
    check(game, state, seat, action)
    step = foresee(game, state, seat, action)
    return replace(line, actions=(*line.actions, (seat, action)), steps=(*line.steps, *([] if step is None else [step])))


def _with_action(line: Line, written: str) -> Line:
    game, state = line.start.game, line.end.state
    colour, colon, words = written.rpartition(":")
    awaited = game.to_act(state)
    if colon and colour.strip().lower() in _COLOURS:
        seat = _COLOURS.index(colour.strip().lower())
    elif not colon and awaited:
        seat = awaited[0]
    else:
        raise WrongCode(
            say("Nobody can make move {n} of the line: “{action}”.", n=len(line.actions) + 1, action=echoed(written))
        )
    try:
        return follow(line, seat, part_of(game, Words).parse(state, seat, words.strip()))
    except IllegalAction as error:
        raise WrongCode(
            say("Move {n} of the line, “{action}”, isn’t possible: {reason}", n=len(line.actions) + 1, action=echoed(written),
                reason=error.message)
        ) from error  # fmt: skip


def _read_position(text: str, games: Mapping[str, Game[Any, Any]], earlier: Collection[Game[Any, Any]]) -> KnownPosition:
    found = _CODE.fullmatch(text.lower())
    if found is None or found["game"] not in games:
        raise WrongCode(say(
            "“{code}” isn’t a position code. Codes begin with one of these: {games}.", code=echoed(text),
            games=plain(", ".join(f"{game}{FORMAT}" for game in games)),
        ))  # fmt: skip
    game_id, title = found["game"], games[found["game"]].title
    if found["format"] != FORMAT:
        raise WrongCode(say("This code uses format {n}, which isn’t supported here.", n=found["format"]))
    number = _number(game_id, found["letters"].upper().translate(_ALIKE))
    number, is_packed = divmod(number, 2)
    number, rules = divmod(number, _RULES)
    number, seat = divmod(number, _SEATS)
    try:
        game = rules_of(game_id, rules, games, earlier)
        position = packed_position(number, game.unpack) if is_packed and isinstance(game, Packed) else json_position(number)
        state = game.from_position(position, UNSEEDED)
        knower: Knower = "all" if not seat else None if seat == 1 else seat - 2
        if not isinstance(knower, str) and (not game.secret or (knower or 0) >= game.view(state).seats):
            raise Unpackable(say("There is no seat {seat}.", seat=knower))
    except UnknownRules:
        raise WrongCode(
            say("This code is for version {n} of the {game} rules, which isn’t supported here.", n=rules, game=title)
        ) from None
    except ValueError as error:
        reason = error.args[0] if error.args and isinstance(error.args[0], Text) else None
        raise WrongCode(
            say("{game} has no such position.", game=title) if reason is None
            else say("{game} has no such position: {reason}", game=title, reason=reason)
        ) from error  # fmt: skip
    return KnownPosition(game, state, knower)


def _number(game_id: str, letters: str) -> int:
    for place, letter in enumerate(letters, 1):
        if letter not in LETTERS:
            raise WrongCode(say("“{letter}”, letter {n} after the game, can’t be in a code.", letter=echoed(letter), n=place))
    written, check = letters[:-_LAST], letters[-_LAST:]
    number = int(written.translate(_DIGITS) or "0", len(LETTERS))
    if written.startswith(LETTERS[0]) or check != _check(game_id, number):
        raise WrongCode(say("There’s a typo in this code, or part of it is missing: the last four letters don’t match."))
    return number
