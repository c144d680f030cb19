"""`make arena`: measures the strength of the computer opponents, by games between them and against simple rivals.

`python -m benchmarks.arena [NAMES] [--games N] [--jobs N] [--write]`. A name is that of a bout ("bunny/hard-medium") or the
beginning of one ("bunny"). Each game is kept in `.arena/`, so that an interrupted bout goes on where it was, unless the code of
the game or of its opponents has changed. `--write` updates docs/opponents.md, where the results of other bouts stay.

Whether one level is stronger than another is decided by a sequential test (`benchmarks.matches.Sprt`) for at least 100 Elo,
with α = β = 0.05. Against rivals, a hundred games are played. Everything but the seconds is repeatable.
"""

import argparse
import json
import subprocess
import sys
from collections.abc import Iterator, Sequence
from concurrent.futures import Future, ProcessPoolExecutor
from dataclasses import asdict, dataclass
from functools import partial
from hashlib import sha256
from itertools import pairwise
from multiprocessing import get_context
from operator import attrgetter
from statistics import fmean, median
from typing import Final

from pydantic import TypeAdapter

from benchmarks.figures import number
from benchmarks.matches import ComputerPlayer, MatchResult, MatchRules, Player, Sprt, difference, pair, share_of
from benchmarks.measuring import ROOT, here
from benchmarks.page import aligned
from benchmarks.rivals import RIVALS
from engines import GAMES
from opponents import LEVELS, Level, opponent

PAGE: Final = ROOT / "docs" / "opponents.md"
NEWEST: Final = ROOT / "benchmarks" / "arena.json"
"""The file with the results from which the page was written."""
FOLDER: Final = ROOT / ".arena"
"""The folder with the games of the bouts, one file for each bout."""
SHARED: Final = ("benchmarks/matches.py", *(f"opponents/{name}.py" for name in ("contract", "dice", "playouts", "search")))
"""The files that all opponents use when they play."""
BEGIN, END = "<!-- figures: written by `python -m benchmarks.arena --write` -->", "<!-- end of the figures -->"

MOST_GAMES: Final = 400
"""The number of games after which a sequential test ends without a decision."""
_HEADER: Final = ("game", "players", "games", "won – drawn – lost", "Elo", "aim")


@dataclass(frozen=True)
class Bout:
    """A bout between two players.

    Attributes:
        where: the terms on which they play, a key of `WHERE`.
        first, second: levels, or names of rivals.
        least: the share of a hundred games that the first is to win, or None for at least 100 Elo by the sequential test.
    """

    where: str
    first: str
    second: str
    least: float | None = None

    @property
    def name(self) -> str:
        return f"{self.where}/{self.first}-{self.second}"


@dataclass(frozen=True)
class BoutResult:
    """The result of a bout.

    Attributes:
        won, drawn, lost: the numbers of games of the first player. Any game whose win was shared counts as drawn.
        score: the first player's share of all games, 0 to 1.
        elo, low, high: how much better the first player is, with its bounds in 95 of 100 cases; None is infinite.
        aim: what was to be shown, and whether it was.
        turns: the median number of turns.
        cut: the number of games that were ended because they were too long.
        seconds: for each player, the mean, the 95th percentile and the maximum of the seconds that a choice took of one core.
        commit: the commit of the code that played.
        machine: the machine, and the date.
    """

    name: str
    games: int
    won: int
    drawn: int
    lost: int
    score: float
    elo: float | None
    low: float | None
    high: float | None
    aim: str
    turns: float
    cut: int
    seconds: tuple[tuple[float, float, float], tuple[float, float, float]]
    commit: str
    machine: str


WHERE: Final = {
    "bouncers-8x8-16": MatchRules(GAMES["bouncers"], variant="8x8-16", opening=6),
    "bouncers-8x8-12-terminal": MatchRules(GAMES["bouncers"], variant="8x8-12-terminal", opening=6),
    "bunny": MatchRules(GAMES["bunny"]),
    "pucks-2": MatchRules(GAMES["pucks"], turn=attrgetter("turn_of")),
    "pucks-4": MatchRules(GAMES["pucks"], seats=4, turn=attrgetter("turn_of")),
}

BOUTS: Final = (
    *(
        Bout(where, better, worse)
        for where in WHERE
        for worse, better in pairwise(LEVELS)
    ),
    Bout("bouncers-8x8-16", "easy", "random", 0.5),
    Bout("bouncers-8x8-16", "hard", "alpha-beta-3", 0.5),
    Bout("bouncers-8x8-16", "expert", "alpha-beta-3", 0.9),
    Bout("bunny", "easy", "random", 0.5),
    Bout("bunny", "hard", "random", 0.5),
    Bout("bunny", "hard", "flat-200", 0.5),
    Bout("bunny", "expert", "random", 0.99),
    Bout("bunny", "expert", "flat-200", 0.7),
    Bout("pucks-2", "easy", "random", 0.5),
    Bout("pucks-2", "expert", "greedy", 0.9),
)  # fmt: skip

_RESULTS: Final = TypeAdapter(list[BoutResult])
BoutGame = tuple[float, MatchResult, tuple[int, ...]]
"""The first player's share, the game, and the side, 0 or 1, that sat on each seat."""
_PAIRS: Final = TypeAdapter(list[tuple[BoutGame, BoutGame]])


# --- playing -----------------------------------------------------------------------------------------------------------------


def player(name: str, where: str) -> Player:
    """Return a rival, or a computer opponent of a level."""
    return RIVALS[name] if name in RIVALS else ComputerPlayer(opponent(WHERE[where].game.id, Level(name)))


def play_pair(bout: Bout, index: int) -> tuple[BoutGame, BoutGame]:
    """Return a pair of a bout's games, in which the seats are swapped."""
    sides = (player(bout.first, bout.where), player(bout.second, bout.where))
    one, other = pair(WHERE[bout.where], sides, bout.name, index)
    return (share_of(*one), *one), (share_of(*other), *other)


def enough(bout: Bout, pairs: Sequence[tuple[BoutGame, BoutGame]], games: int | None) -> bool:
    played = 2 * len(pairs)
    if games is not None or bout.least is not None:
        return played >= (games or 100)
    return played >= MOST_GAMES or Sprt().verdict(shares_of(pairs)) != "open"


def shares_of(pairs: Sequence[tuple[BoutGame, BoutGame]]) -> list[float]:
    """Return the first player's share of each game."""
    return [share for both in pairs for share, _, _ in both]


def contest(bout: Bout, games: int | None, jobs: int) -> list[tuple[BoutGame, BoutGame]]:
    """Play a bout until enough is known. Pairs count in their order, whichever of them is over first."""
    code = fingerprint(WHERE[bout.where].game.id)
    pairs = stored_pairs(bout, code)
    with ProcessPoolExecutor(jobs, get_context("spawn")) as processes:
        going: list[Future[tuple[BoutGame, BoutGame]]] = []
        while not enough(bout, pairs, games):
            while len(going) < jobs:
                going.append(processes.submit(play_pair, bout, len(pairs) + len(going)))
            pairs.append(going.pop(0).result())
            keep(bout, code, pairs)
            print(progress(bout, pairs), file=sys.stderr, flush=True)
        for future in going:
            future.cancel()
    return pairs


def fingerprint(game_id: str) -> str:
    """Return a digest of the code that plays a game."""
    opponents = ROOT / "opponents"
    folders = [ROOT / "engines" / game_id, *opponents.glob(f"{game_id}*/"), ROOT / "benchmarks" / "rivals"]
    files = [*(path for folder in folders for path in folder.glob("*.py")), *opponents.glob(f"{game_id}*.py")]
    files += [ROOT / name for name in SHARED]
    return sha256(b"".join(path.read_bytes() for path in sorted(files))).hexdigest()[:16]


def stored_pairs(bout: Bout, code: str) -> list[tuple[BoutGame, BoutGame]]:
    """Return the pairs of a bout that were played by the same code."""
    path = FOLDER / f"{bout.name.replace('/', ' ')}.json"
    if not path.exists():
        return []
    read = json.loads(path.read_text(encoding="utf-8"))
    return _PAIRS.validate_python(read["pairs"]) if read["code"] == code else []


def keep(bout: Bout, code: str, pairs: Sequence[tuple[BoutGame, BoutGame]]) -> None:
    FOLDER.mkdir(exist_ok=True)
    text = json.dumps({"code": code, "pairs": _PAIRS.dump_python(list(pairs))})
    (FOLDER / f"{bout.name.replace('/', ' ')}.json").write_text(text, encoding="utf-8")


# --- what came of it ---------------------------------------------------------------------------------------------------------


def progress(bout: Bout, pairs: Sequence[tuple[BoutGame, BoutGame]]) -> str:
    result = result_of(bout, pairs)
    return f"{bout.name}: {result.games} games, {number(100 * result.score)} %, {elo_words(result)}, {result.aim}"


def result_of(bout: Bout, pairs: Sequence[tuple[BoutGame, BoutGame]]) -> BoutResult:
    """Return the result of a bout so far."""
    shares = shares_of(pairs)
    matches = [match for both in pairs for _, match, _ in both]
    found = difference([fmean(share for share, _, _ in both) for both in pairs])
    won, lost = sum(share == 1 for share in shares), sum(share == 0 for share in shares)
    return BoutResult(
        name=bout.name,
        games=len(shares),
        won=won,
        drawn=len(shares) - won - lost,
        lost=lost,
        score=fmean(shares),
        elo=finite(found.value), low=finite(found.low), high=finite(found.high),
        aim=aim_of(bout, shares),
        turns=median(match.turns for match in matches),
        cut=sum(match.cut for match in matches),
        seconds=(seconds_of(pairs, 0), seconds_of(pairs, 1)),
        commit=commit(),
        machine=here(),
    )  # fmt: skip


def finite(value: float) -> float | None:
    return None if value in {float("inf"), float("-inf")} else value


def aim_of(bout: Bout, shares: Sequence[float]) -> str:
    if bout.least is not None:
        return f"≥ {number(100 * bout.least)} % {'✓' if fmean(shares) >= bout.least else '✗'}"
    return "≥ 100 Elo " + {"proved": "✓", "refuted": "✗", "open": "open"}[Sprt().verdict(shares)]


def seconds_of(pairs: Sequence[tuple[BoutGame, BoutGame]], side: int) -> tuple[float, float, float]:
    """Return how long a player's choices took, as the mean, the 95th percentile and the maximum."""
    taken = sorted(
        seconds
        for both in pairs
        for _, match, seated in both
        for seat, sits in enumerate(seated)
        if sits == side
        for seconds in match.seconds[seat]
    )
    return (fmean(taken), taken[int(0.95 * (len(taken) - 1))], taken[-1]) if taken else (0.0, 0.0, 0.0)


def commit() -> str:
    """Return the commit of this checkout, with a plus if its code has been changed since."""
    git = partial(subprocess.run, cwd=ROOT, capture_output=True, text=True, check=False)
    changed = git(["git", "status", "--porcelain", "--", "engines", "opponents", "benchmarks/rivals"]).stdout
    return git(["git", "rev-parse", "--short=7", "HEAD"]).stdout.strip() + ("+" if changed else "")


# --- the page ----------------------------------------------------------------------------------------------------------------


def elo_words(result: BoutResult) -> str:
    if result.elo is None:
        return f"> {result.low:+.0f}" if result.low is not None else f"< {result.high:+.0f}"
    low, high = ("∞" if bound is None else f"{bound:+.0f}" for bound in (result.low, result.high))
    return f"{result.elo:+.0f} ({'-' if result.low is None else ''}{low} … {high})"


def row(result: BoutResult) -> tuple[str, ...]:
    where, _, players = result.name.partition("/")
    first, _, second = players.partition("-")
    results = f"{result.won} – {result.drawn} – {result.lost}"
    return where, f"{first} – {second}", f"{result.games}", results, elo_words(result), result.aim


def section(results: Sequence[BoutResult]) -> str:
    """Return the text that stands between the marks of the page."""
    return "\n".join(["", aligned([_HEADER, *map(row, results)]), ""])


def newest() -> list[BoutResult]:
    return _RESULTS.validate_json(NEWEST.read_bytes()) if NEWEST.exists() else []


def write(results: Sequence[BoutResult]) -> None:
    """Write new results to the page, where the results of other bouts stay."""
    known = {one.name: one for one in (*newest(), *results)}
    everything = [known[bout.name] for bout in BOUTS if bout.name in known]
    NEWEST.write_text(json.dumps([asdict(one) for one in everything], indent=1, ensure_ascii=False) + "\n", encoding="utf-8")
    start, rest = PAGE.read_text(encoding="utf-8").split(BEGIN)
    PAGE.write_text(f"{start}{BEGIN}\n{section(everything)}\n{END}{rest.split(END)[1]}", encoding="utf-8")


def named(names: Sequence[str]) -> Iterator[Bout]:
    """Return the bouts with these names or below them ("pucks" also means "pucks/…"), or all bouts if there are no names."""
    return (bout for bout in BOUTS if not names or any(f"{bout.name}/".startswith(f"{name.rstrip('/')}/") for name in names))


def main(arguments: list[str] | None = None) -> int:
    """Play the bouts that are named, or all. Return the exit status: 2 if there is no such bout."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.arena", description="Measure how strong the opponents are.")
    parser.add_argument("names", nargs="*", metavar="NAME", help="which bouts; all unless some are named")
    parser.add_argument("--games", type=int, help="play so many games, whatever they show")
    parser.add_argument("--jobs", type=int, default=1, help="how many cores to play on")
    parser.add_argument("--write", action="store_true", help="write the results to docs/opponents.md")
    asked = parser.parse_args(arguments)
    if unknown := [name for name in asked.names if not any(named([name]))]:
        print(f"No bout is called {', '.join(unknown)}; there are: {', '.join(bout.name for bout in BOUTS)}.", file=sys.stderr)
        return 2
    results = []
    for bout in named(asked.names):
        results.append(result_of(bout, contest(bout, asked.games, asked.jobs)))
        if asked.write:
            write(results[-1:])
    print(section(results))
    return 0


if __name__ == "__main__":
    sys.exit(main())
