"""Plays the games from which the openings of Bouncers start.

    .venv/bin/python -m benchmarks.bouncers_opening_book [--games N] [--write]

*Hard* plays the opening against itself, and *medium* plays on to the end: forty games of each variant take some six minutes of
one core. *Hard* picks one of several moves about equally good, so the games differ from the first move on; they are the same
each time. Without `--write` they are only printed.
"""

import argparse
from hashlib import sha256

from engines import GAMES
from engines.chance import Fair
from engines.game import Action
from opponents import Level, opponent, shares
from opponents.bouncers.opening_book import FILE, PLIES, RecordedGame, written

LONGEST = 300
"""The number of moves after which a game counts as a draw."""


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--games", type=int, default=40, help="how many games of each variant")
    parser.add_argument("--write", action="store_true", help="write them to the package")
    wanted = parser.parse_args()
    lines: list[str] = []
    for number in range(wanted.games):
        for variant in GAMES["bouncers"].variants:
            lines.append(written(variant, _game(variant, f"{variant} {number}")))
            print(lines[-1], flush=True)
    if wanted.write:
        FILE.write_text("\n".join(sorted(lines)) + "\n", encoding="utf-8")


def _game(variant: str, seed: str) -> RecordedGame:
    game, opening, player = GAMES["bouncers"], opponent("bouncers", Level.HARD), opponent("bouncers", Level.MEDIUM)
    state = game.start(2, variant, Fair(sha256(seed.encode()).digest()))
    actions: list[Action] = []
    while (seats := game.to_act(state)) and len(actions) < LONGEST:
        playing = opening if len(actions) < PLIES else player
        actions.append(playing.choose(state, seats[0], None, (), f"{seed} {len(actions)}").action)
        state = game.advance(state, seats[0], actions[-1])
    ended = shares(game, state)
    return RecordedGame(actions, 0.5 if ended is None else ended[0])


if __name__ == "__main__":
    main()
