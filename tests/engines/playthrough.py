"""A game of each kind written down as it once went, so that a change in any rule shows as a change in a text.

`python -m tests.engines.playthrough --write [GAME …]` writes them anew, for all games or those named; read the difference
before you commit it. Without ``--write`` they are printed. Those of earlier versions of the rules are never written anew: games
that began under them are still played by them, if in better words.
"""

import argparse
import json
import re
import sys
from collections.abc import Iterator
from hashlib import sha256
from pathlib import Path
from typing import Any, Final

from engines import EARLIER, GAMES, rules_of
from engines.chance import Chance, Fair
from engines.game import Action, Event, Game, Outcome, Words, hand_of, may_act, part_of
from engines.text import seat_name

FOLDER: Final = Path(__file__).with_name("playthroughs")
ACTIONS_AT_MOST: Final = 250
CHARACTERS_AT_MOST: Final = 40_000
SEATS_AT_MOST: Final = 3
ACTIONS_BETWEEN_BOARDS: Final = 10


def playthroughs() -> list[tuple[str, int, str]]:
    return [(game.id, game.rules, variant) for game in (*GAMES.values(), *EARLIER) for variant in game.variants]


def file_name(game_id: str, rules: int, variant: str) -> str:
    """The name of one's file, which stays the same when the rules change."""
    return f"{game_id}-{variant}.txt" if rules == 1 else f"{game_id}-{variant}-rules-{rules}.txt"


def playthrough(game_id: str, rules: int, variant: str, actions: int | None = None) -> str:
    """The text of one: every action with who took it and what happened, and now and then the board in words.

    It has `actions` actions if the game lasts that long; None stands for as many as make a readable text.
    """
    game = rules_of(game_id, rules)
    seats = min(SEATS_AT_MOST, game.seats[-1])
    seed = sha256(f"{game.id} {variant}".encode()).digest()
    # Who acts and how is drawn from a stream of its own, so that the game's own stream is used by the game alone.
    dice: Chance = Fair(sha256(seed).digest())
    lines = [f"{game.title} ({game.id}), {variant}, {seats} seats", f"seed {seed.hex()}"]
    state, number = game.start(seats, variant, Fair(seed)), 0
    while game.outcome(state) is None and (_goes_on(lines, number) if actions is None else number < actions):
        if number % ACTIONS_BETWEEN_BOARDS == 0:
            lines += _board(game, state, seats)
        seat, dice = _picked(may_act(game, state), dice)
        action, dice = _action(game, state, seat, dice)
        number += 1
        lines.append(f"{number}. {seat_name(seat)}: {part_of(game, Words).notate(state, seat, action)}")
        step = game.play(state, seat, action)
        lines += map(_told, step.events)
        state = step.state
    lines += [*_board(game, state, seats), _end(game.outcome(state), number)]
    lines.append(f"position {json.dumps(game.position(state, secret=True), sort_keys=True)}")
    return "\n".join(lines) + "\n"


def _goes_on(lines: list[str], number: int) -> bool:
    return number < ACTIONS_AT_MOST and sum(map(len, lines)) < CHARACTERS_AT_MOST


def actions_in(text: str) -> int:
    found = re.search(r"^(?:Cut off|Over) after (\d+) actions", text, re.MULTILINE)
    assert found is not None
    return int(found[1])


def without_words(text: str) -> str:
    """A playthrough with the kinds of its events alone, and with the cards in hand by their names, without what they do."""
    return re.sub(r"^(   \[[^]]*\]|  \(only [^)]*\) - \*\*.*\*\* \(`[^`]*`\):) .*$", r"\1", text, flags=re.MULTILINE)


def _told(event: Event) -> str:
    only = "" if event.private_to is None else f" (only {seat_name(event.private_to)})"
    return f"   [{event.kind}{only}] {event.text}"


def _end(outcome: Outcome | None, number: int) -> str:
    if outcome is None:
        return f"Cut off after {number} actions."
    return f"Over after {number} actions: {outcome.reason} Winners: {', '.join(map(seat_name, outcome.winners)) or 'nobody'}."


def _board(game: Game[Any, Any], state: Any, seats: int) -> Iterator[str]:
    yield ""
    for line in game.describe(game.view(state)).splitlines():
        yield f"  {line}"
    for seat in range(seats):
        hand = hand_of(game, game.view(state, seat))
        for line in hand.splitlines() if hand is not None else ():
            yield f"  (only {seat_name(seat)}) {line}"
    yield ""


def _picked(items: Any, dice: Chance) -> tuple[Any, Chance]:
    place, dice = dice.randbelow(len(items))
    return items[place], dice


def _action(game: Game[Any, Any], state: Any, seat: int, dice: Chance) -> tuple[Action, Chance]:
    """An action found by walking the choices; where it may stop or go on, a coin decides."""
    action: Action = ()
    offered = game.choices(state, seat)
    while True:
        choice, dice = _picked(offered, dice)
        action = (*action, choice.token)
        offered = game.choices(state, seat, action)
        if choice.final:
            if not offered:
                return action, dice
            coin, dice = dice.coin()
            if coin == 1:
                return action, dice


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m tests.engines.playthrough", description=__doc__)
    parser.add_argument("games", nargs="*", metavar="GAME", help="the games' ids; all if none is named")
    parser.add_argument("--write", action="store_true", help="write the files that the tests compare with")
    arguments = parser.parse_args()
    for game_id, rules, variant in playthroughs():
        if arguments.games and game_id not in arguments.games:
            continue
        text, path = playthrough(game_id, rules, variant), FOLDER / file_name(game_id, rules, variant)
        if arguments.write and not (path.exists() and rules < GAMES[game_id].rules):
            FOLDER.mkdir(exist_ok=True)
            path.write_text(text, encoding="utf-8")
        elif not arguments.write:
            sys.stdout.write(text)


if __name__ == "__main__":
    main()
