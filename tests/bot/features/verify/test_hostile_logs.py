"""Both log checkers end with a sentence, whatever file they get."""

import contextlib
import io
import random
import re
import runpy
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from bot.core.table.history import begin
from bot.features.verify.logbook import LONGEST, write_log
from bot.features.verify.logcheck import MOST_BYTES, examine, text_of
from storage.schema.records import EntryKind, Status
from tests.bot.features.verify.test_kept_logs import DICE, ONE_EACH, PRESSED, SCRIPT, a_game, alone, ours, saved_log
from tests.bot.features.verify.test_logbook import ended, entry, snapshot_of, table_of
from tests.engines.contract_games import Case, played
from tests.marks import quick_first

SCRIPT_ITSELF: dict[str, Any] = runpy.run_path(str(SCRIPT))

ENDS = {0, 1, 3}


def logs() -> list[str]:
    """Logs of all games, running and finished, with both chains and in the first version."""
    kinds = [(case, leaving) for case in ONE_EACH for leaving in (False, True)]
    found = [write_log(a_game(case, leaving=leaving, chain=2 - leaving), PRESSED) for case, leaving in kinds]
    found += [write_log(a_game(case, status=Status.PLAYING, actions=20), PRESSED) for case in ONE_EACH]
    for case in ONE_EACH:
        history = begin(case.game, table_of(case), case.seats)
        for turn in played(case).turns[:100]:
            if turn.action is not None:
                history = history.with_entry(entry(history, EntryKind.PLAY, turn.seat, turn.action, turn.seat + 1))
        table = table_of(case) if history.outcome is None else table_of(case, outcome=ended(history))
        found.append(write_log(snapshot_of(table, history)))
    return found


def by_the_script(path: Path) -> int | str | None:
    """The exit code of the script, run in this process. Anything irregular is raised."""
    with contextlib.redirect_stdout(io.StringIO()):
        try:
            return SCRIPT_ITSELF["main"](str(path))
        except SystemExit as error:
            return error.code


NUMBERS = ("0", "-1", "9" * 5000, "9" * 4000, str(2**257), "٣", "1_0", "", "999999", "0x10", "1e9")
SIGNS = ("\0", "\x1b[2J", "\u2028", "﷽", ":", ";", ". ", "\n\n", "\r", " ", "=", "links:\n", "draws:\n", "removed", "{", "\\")
WORDS = ("play", "undo", "withdraw", "red", "-", "f" * 64)


def mutated(text: str, others: list[str], dice: random.Random) -> bytes:
    """The log with one to four changes to bytes, characters, numbers, words or lines, or with parts of another log."""
    for _ in range(dice.choice((1, 1, 1, 2, 4))):
        lines = text.split("\n")
        at, to = dice.randrange(len(lines)), dice.randrange(len(lines))
        kind = dice.randrange(10)
        if kind == 0 and text:
            place = dice.randrange(len(text))
            text = text[:place] + dice.choice((chr(dice.randrange(0xD800)), *SIGNS)) + text[place + dice.randrange(2) :]
            continue
        if kind == 1 and (found := list(re.finditer("[0-9]+", text))):
            number = dice.choice(found)
            text = text[: number.start()] + dice.choice((*NUMBERS, str(dice.randrange(100)))) + text[number.end() :]
            continue
        if kind == 2:
            lines.insert(to, lines[at])
        elif kind == 3:
            del lines[at]
        elif kind == 4:
            lines[at], lines[to] = lines[to], lines[at]
        elif kind == 5:
            del lines[min(at, to) : max(at, to)]
        elif kind == 6:
            other = dice.choice(others).split("\n")
            lines[:to] = other[: dice.randrange(len(other))]
        elif kind == 7:
            other = dice.choice(others).split("\n")
            lines[at] = dice.choice(other)
        elif kind == 8:
            words = lines[at].split(" ")
            words[dice.randrange(len(words))] = dice.choice((*NUMBERS, *SIGNS, *WORDS))
            lines[at] = " ".join(words)
        else:
            lines[at] = lines[at] * dice.choice((2, 50))
        text = "\n".join(lines)
    raw = bytearray(text.encode())
    if raw and dice.random() < 0.1:
        raw[dice.randrange(len(raw))] = dice.randrange(256)
    return bytes(raw)


def check_both(path: Path, raw: bytes) -> None:
    """Both programs end regularly, and explain any complaint."""
    path.write_bytes(raw)
    text, _ = text_of(path)
    report = examine(text) if text is not None else None
    assert report is None or (report.exit_code in ENDS and bool(report.problems) == (report.exit_code == 1))
    assert report is None or all(len(sentence) < 500 and sentence.isprintable() for sentence in report.problems)
    code = by_the_script(path)
    assert code in ENDS or (isinstance(code, str) and 0 < len(code) < 500), code


def a_sample(number: int, seed: int) -> Iterator[bytes]:
    texts, dice = logs(), random.Random(seed)
    for _ in range(number):
        yield mutated(dice.choice(texts), texts, dice)


@pytest.mark.parametrize(("number", "seed"), [(300, 1), pytest.param(3_000, 2, marks=pytest.mark.slow)])
def test_whatever_is_changed_in_a_log_both_programs_end_with_a_sentence(tmp_path: Path, number: int, seed: int) -> None:
    for raw in a_sample(number, seed):
        check_both(tmp_path / "log.txt", raw)


@pytest.fixture(scope="module")
def dice_log() -> str:
    """The log of a finished game with dice."""
    return write_log(a_game(DICE, leaving=True, chain=2), PRESSED)


def in_line(pattern: str, by: str) -> Callable[[str], str]:
    return lambda text: re.sub(f"(?m)^{pattern}", by.replace("\\", "\\\\"), text, count=1)


HOSTILE: dict[str, Callable[[str], str]] = {
    "a draw below 2 to the 257": in_line("1\\. 6:[0-5]", f"1. {2**257}:3"),
    "a draw below nothing": in_line("1\\. 6:[0-5]", "1. 0:0"),
    "a draw of 5,000 digits": in_line("1\\. 6:[0-5]", f"1. {'9' * 5000}:3"),
    "a result of 5,000 digits": in_line("1\\. 6:[0-5]", f"1. 6:{'9' * 5000}"),
    "draws of an action of 5,000 digits": in_line("1\\. 6:", f"{'9' * 5000}. 6:"),
    "a number of 5,000 digits": in_line("1\\. ", f"{'9' * 5000}. "),
    "a link of 5,000 digits": in_line("1\\. play", f"{'9' * 5000}. play"),
    "a press of 5,000 digits": in_line("1\\. play ([0-9]) -", f"1. play 0 {'9' * 5000}"),
    "a table of 5,000 digits": in_line("table: .*", f"table: {'9' * 5000}"),
    "rules of 5,000 digits": in_line("rules: .*", f"rules: {'9' * 5000}"),
    "a seat that is not there": in_line("1\\. play [0-9]", "1. play 9"),
    "a header twice": in_line("table: .*", "table: 12\ntable: 12"),
    "a section twice": in_line("draws:", "draws:\n0. 6:1\ndraws:"),
    "two million draws": lambda text: text + "".join(f"{number}. 1:0\n" for number in range(10_000, 210_000)),
    "a million links": lambda text: text.replace("\nlinks:", "\nlinks:" + "\n1. undo 0 - -" * 700_000),
    "a line of ten million characters": in_line("red: .*", "red: " + "A" * 9_900_000),
    "a line of spaces": lambda text: text + "1." + " 1:0" * 200_000 + " \n",
    "long tokens": in_line("1\\. play ([0-9]) - ([0-9a-f]{64}) .*", "1. play 0 - " + "0" * 64 + " x" * 300_000),
    "a million empty lines": lambda text: text.replace("\n\n", "\n" * 1_000_000, 1),
    "a long option": in_line("variant: .*", "variant: x\noptions: board=" + "B/" * 40_000),
    "many options": in_line("variant: .*", "variant: x\noptions: " + " ".join(f"a{n}=b" for n in range(80_000))),
    "a thousand draws of actions that are not there": lambda text: text + "".join(f"{n}. 6:1\n" for n in range(3000, 4000)),
    "control characters": in_line("1\\. play [0-9]", "1. play \x1b[2J\0"),
    "nothing": lambda _: "",
    "the first line alone": lambda text: text.split("\n")[0] + "\n",
    "no links": lambda text: text[: text.index("\nlinks:")],
    "no first link": lambda text: re.sub(r"(?m)^0\. [0-9a-f]{64}\n", "", text),
}


@pytest.mark.parametrize("what", quick_first(9, HOSTILE))
def test_a_hostile_file_is_answered_by_both_with_a_sentence(tmp_path: Path, dice_log: str, what: str) -> None:
    forged = HOSTILE[what](dice_log)
    assert forged != dice_log
    path = saved_log(tmp_path, forged)
    said, script = ours(path), alone(path)
    assert (said.exit_code, script.returncode) == (1, 1), said.output[:500] + script.stdout[:500] + script.stderr[:500]
    for told in (said.output, script.stdout + script.stderr):
        assert "Traceback" not in told
        assert 10 < len(told) < 3000


NO_TEXTS = [b"\0" * 1000, b"\xff\xfe\xfd", b"Springboard log 2\n\xc3\x28\n", b"Springboard log 3\n" + b"\0" * 99]


@pytest.mark.parametrize("raw", NO_TEXTS)
def test_a_file_without_text_is_refused(tmp_path: Path, raw: bytes) -> None:
    path = tmp_path / "log.txt"
    path.write_bytes(raw)
    said, script = ours(path), alone(path)
    assert (said.exit_code, script.returncode) == (1, 1)
    assert "Traceback" not in said.output + script.stderr


def test_an_oversized_file_is_not_read(tmp_path: Path, dice_log: str) -> None:
    path = saved_log(tmp_path, dice_log + " " * MOST_BYTES)
    said, script = ours(path), alone(path)
    assert (said.exit_code, script.returncode) == (1, 1)
    assert "is longer than the log of any game" in said.output
    assert "is longer than the log of any game" in script.stderr


@pytest.mark.parametrize("case", quick_first(1, ONE_EACH), ids=str)
def test_the_longest_log_of_repeated_undos_is_read(tmp_path: Path, case: Case) -> None:
    report = examine(up_and_down(case))
    assert (report.exit_code, [one for one in report.problems if "action" in one]) == (1, [])


def up_and_down(case: Case) -> str:
    """A log of the greatest length that is read, in which one action is played and undone over and over."""
    snapshot = a_game(case, actions=0)
    history = snapshot.playing
    first = next(turn for turn in played(case).turns if turn.action is not None)
    for _ in range(LONGEST // 2):
        history = history.with_new_entry(entry(history, EntryKind.PLAY, first.seat, first.action or (), first.seat + 1))
        history = history.with_new_entry(entry(history, EntryKind.UNDO, first.seat, (), first.seat + 1))
    return write_log(replace(snapshot, history=history), PRESSED)


def test_the_number_of_actions_is_bounded(tmp_path: Path) -> None:
    case = next(case for case in ONE_EACH if case.game_id == "bouncers")
    snapshot = a_game(case, chain=2)
    long = write_log(snapshot, PRESSED).replace("\nlinks:", "\nlinks:" + "\n1. undo 0 - -" * 6000)
    said = ours(saved_log(tmp_path, long))
    assert said.exit_code == 1
    assert "more actions than any game has" in said.output
