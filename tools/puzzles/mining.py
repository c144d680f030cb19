"""The tool that mines puzzles. It continues where it was stopped, and runs with the lowest priority.

``python -m tools.puzzles.mining bouncers --jobs 2`` mines until it is stopped; without ``--jobs`` it uses all cores. With
``--until N`` it ends when each source has been tried at N places. ``--positions FILE`` instead tries the positions in a file,
which has one code in each row. ``--write`` chooses among all finds and writes the package data, with as many days as the new
puzzles allow. With ``--anew DATE``, the days from this date on are laid out anew. ``--show`` counts the finds.

Each place that was tried is a row of JSON in the folder ``.mining``, with the source, the number, the seconds of one core, and
the finds. A row that was cut off when the tool was killed is ignored, and its place is tried again.
"""

import argparse
import json
import os
import sys
from collections.abc import Iterator, Mapping, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, ProcessPoolExecutor, wait
from dataclasses import dataclass
from datetime import date
from functools import cache
from itertools import count
from multiprocessing import active_children
from pathlib import Path
from signal import SIG_DFL, SIGTERM, signal
from time import process_time, time
from typing import Any, Final, NoReturn

import opponents.puzzles
from engines.position_codes import read_line
from opponents.contract import LEVELS, Level
from opponents.puzzles.collection import DAYS_FILE, RETIRED_FILE, Why, file_name, packaged, puzzles_of, retired
from opponents.puzzles.days import WEEK
from opponents.puzzles.puzzle import Puzzle, puzzle_of, row_of
from tools.puzzles.bouncers import BouncersMiner
from tools.puzzles.bunny import BunnyMiner
from tools.puzzles.calendar import days_text, extended
from tools.puzzles.miner import Find, Miner
from tools.puzzles.pucks import PucksMiner
from tools.puzzles.selecting import select, summary

FOLDER: Final = Path(".mining")
"""The folder for the finds, which git ignores."""
SOLVED_FILE: Final = Path(__file__).with_name("solved.txt")
"""The file that says, for each puzzle that is not retired, in how many percent of the tries each level solves it."""
MINERS: Final[Mapping[str, Miner]] = {miner.game: miner for miner in (BouncersMiner(), BunnyMiner(), PucksMiner())}
"""The miner of each game that has puzzles."""
AHEAD: Final = 53 * WEEK
"""The most days that are laid out at once: a year and a week. Puzzles left over wait for later finds of other games."""
_LEAST_PRIORITY: Final = 19

_GIVEN: Final = "given"
"""The source of positions that come from a file."""


@dataclass(frozen=True, slots=True)
class MinedPlace:
    """A place that was tried: its source and number, the seconds of one core that this took, and the puzzles found there."""

    source: str
    number: int
    seconds: float
    finds: tuple[Find, ...]


def try_place(game: str, source: str, number: int) -> MinedPlace:
    """Look for puzzles in one place."""
    began = process_time()
    finds = tuple(MINERS[game].mine(source, number))
    return MinedPlace(source, number, process_time() - began, finds)


def read_places(game: str, folder: Path = FOLDER) -> Iterator[MinedPlace]:
    """Yield the places that were tried, in the order in which they were tried."""
    path = folder / f"{game}.jsonl"
    if not path.exists():
        return
    for row in path.read_text(encoding="utf-8").splitlines():
        try:
            known = json.loads(row)
        except json.JSONDecodeError:
            continue
        finds = tuple(
            Find(puzzle_of(game, found["row"]), {Level(level): share for level, share in found["solved"].items()})
            for found in known["finds"]
        )
        yield MinedPlace(known["source"], known["number"], known["seconds"], finds)


def write_place(game: str, place: MinedPlace, folder: Path = FOLDER) -> None:
    """Add a place to the record of those that were tried."""
    folder.mkdir(exist_ok=True)
    finds: list[Any] = [{"row": row_of(find.puzzle), "solved": dict(find.solved)} for find in place.finds]
    row = {"source": place.source, "number": place.number, "seconds": round(place.seconds, 2), "finds": finds}
    path = folder / f"{game}.jsonl"
    cut_off = path.exists() and not path.read_bytes().endswith(b"\n")
    with path.open("a", encoding="utf-8") as file:
        file.write(("\n" if cut_off else "") + json.dumps(row) + "\n")


def places_to_try(tried: Mapping[str, set[tuple[str, int]]], until: int | None) -> Iterator[tuple[str, str, int]]:
    """Yield the games, sources and numbers below `until` that were not tried yet. All games and sources take turns."""
    for number in count() if until is None else range(until):
        for game, done in tried.items():
            for source in MINERS[game].sources:
                if (source, number) not in done:
                    yield game, source, number


def mine(games: Sequence[str], jobs: int, until: int | None, folder: Path = FOLDER) -> None:
    """Try places until all numbers below `until` are tried, or without end if `until` is None. Record each place at once."""
    tried = {game: {(place.source, place.number) for place in read_places(game, folder)} for game in games}
    left = places_to_try(tried, until)
    with ProcessPoolExecutor(jobs, initializer=_begin) as pool:
        running: dict[Future[MinedPlace], str] = {}
        while True:
            while len(running) < jobs and (place := next(left, None)) is not None:
                running[pool.submit(try_place, *place)] = place[0]
            if not running:
                return
            for future in wait(running, return_when=FIRST_COMPLETED).done:
                write_place(running.pop(future), future.result(), folder)


def try_positions(game: str, codes: Sequence[str], folder: Path = FOLDER) -> None:
    """Look for puzzles that begin in the given positions, as far as these belong to this game."""
    tried = {place.number for place in read_places(game, folder) if place.source == _GIVEN}
    for number, code in enumerate(codes):
        start = read_line(code).start
        if start.game.id == game and number not in tried:
            began = process_time()
            find = MINERS[game].examine(start.state)
            write_place(game, MinedPlace(_GIVEN, number, process_time() - began, () if find is None else (find,)), folder)


def _begin() -> None:
    """Prepare a process of the pool. It gets the lowest priority, and a signal ends it like any other process."""
    signal(SIGTERM, SIG_DFL)
    os.nice(_LEAST_PRIORITY)


def _stop(*_: object) -> NoReturn:
    """End the tool and its processes at once. The places that they were trying are tried again the next time."""
    for process in active_children():
        process.kill()
    os._exit(1)


def write(folder: Path = FOLDER, anew: date | None = None) -> None:
    """Choose among all finds, and write the package data: the puzzles, and as many more days as they allow.

    Puzzles that are already there keep their numbers. If the levels would miss their shares because of such puzzles, these are
    retired, unless they belong to a day. Days from `anew` on are laid out anew.
    """
    whole = packaged()
    days = whole.calendar.names if anew is None else whole.calendar.names[: (anew - whole.calendar.first).days]
    why, shares_of, waiting = dict(retired()), dict[str, Mapping[Level, float]](), list[Puzzle]()
    for game, miner in MINERS.items():
        known = [Find(puzzle, solved().get(puzzle.name, {})) for puzzle in puzzles_of(game).values()]
        finds = [find for place in read_places(game, folder) for find in place.finds]
        choice = select(miner, finds, known, {name for name in days if name is not None})
        why |= dict.fromkeys(sorted(choice.dropped), Why.SHARE)
        shares_of |= choice.solved
        waiting += [puzzle for puzzle in choice.puzzles if puzzle.name in choice.solved]
        _write(file_name(game), "".join(f"{row_of(puzzle)}\n" for puzzle in choice.puzzles))
    _write(RETIRED_FILE, "".join(f"{name} {reason}\n" for name, reason in why.items()))
    percents = {name: " ".join(f"{100 * shares[level]:.0f}" for level in LEVELS) for name, shares in shares_of.items()}
    SOLVED_FILE.write_text("".join(f"{name} {shares}\n" for name, shares in percents.items()), encoding="utf-8")
    _write(DAYS_FILE, days_text(extended(days, waiting, whole.calendar.day_at(time()), AHEAD)))


@cache
def solved() -> Mapping[str, Mapping[Level, float]]:
    """Return, for each puzzle that is not retired, the measured share of tries, 0 to 1, in which each level solves it."""
    rows = (row.split() for row in SOLVED_FILE.read_text(encoding="utf-8").splitlines())
    return {name: {level: int(share) / 100 for level, share in zip(LEVELS, shares, strict=True)} for name, *shares in rows}


def _write(name: str, text: str) -> None:
    Path(opponents.puzzles.__file__).with_name(name).write_text(text, encoding="utf-8")


def show(game: str, folder: Path = FOLDER) -> str:
    """Return a table of a game's finds: how many there are, how difficult they are, what one cost, and who solves them."""
    places = list(read_places(game, folder))
    finds = [find for place in places for find in place.finds]
    seconds = sum(place.seconds for place in places)
    cost = f"{seconds / len(finds):.0f}" if finds else "–"
    return "\n".join(
        (f"{game}: {len(finds)} finds at {len(places)} places in {seconds:.0f} s of a core, {cost} s each", summary(finds))
    )


def main(arguments: list[str]) -> None:
    """Run the tool."""
    parser = argparse.ArgumentParser(prog="python -m tools.puzzles.mining", description="Mine puzzles.")
    parser.add_argument("games", nargs="*", metavar="GAME", help=f"among {', '.join(MINERS)}; without any, all of them")
    parser.add_argument("--jobs", type=int, default=os.cpu_count() or 1, help="the number of processes")
    parser.add_argument("--until", type=int, help="try the places below this number only")
    parser.add_argument("--positions", type=Path, metavar="FILE", help="try these positions, a code a row, and no others")
    parser.add_argument("--write", action="store_true", help="choose among the finds and write the package data")
    parser.add_argument("--anew", type=date.fromisoformat, metavar="DATE", help="lay the days from this date on anew")
    parser.add_argument("--show", action="store_true", help="count the finds")
    parsed = parser.parse_args(arguments)
    games = parsed.games or list(MINERS)
    if unknown := [game for game in games if game not in MINERS]:
        parser.error(f"no puzzles of {', '.join(unknown)}")
    if parsed.positions is None and not parsed.write and not parsed.show:
        signal(SIGTERM, _stop)
        mine(games, parsed.jobs, parsed.until)
    for game in games:
        if parsed.positions is not None:
            try_positions(game, parsed.positions.read_text(encoding="utf-8").split())
        if parsed.show:
            print(show(game))  # noqa: T201 - the answer of a tool
    if parsed.write:
        write(anew=parsed.anew)


if __name__ == "__main__":
    main(sys.argv[1:])
