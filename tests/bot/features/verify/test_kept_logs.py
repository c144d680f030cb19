"""A kept log is checked by two programs that share nothing: ours, and docs/verify_log.py."""

import ast
import re
import subprocess
import sys
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result

from bot.__main__ import main
from bot.core.table.chain import NEWEST_CHAIN, SHOWN, next_link, shown_digits
from bot.core.table.history import begin
from bot.core.table.snapshot import Snapshot
from bot.features.verify.logbook import read_log, write_log
from bot.features.verify.logproof import links_file
from engines.chance import contribution, stream_key
from engines.position_codes import position_code
from storage.schema.records import Contribution, EntryKind, Status
from tests.bot.features.verify.test_logbook import ended, entry, snapshot_of, table_of
from tests.bot.present import present
from tests.engines.contract_games import CASES, Case, played

SCRIPT = Path(__file__).parents[4] / "docs" / "verify_log.py"
PRESSED = (
    Contribution(table_id=12, interaction_id=9001, user_id=1001, word="lucky: seven", number=1),
    Contribution(table_id=12, interaction_id=9002, user_id=1002, number=2),
)
ONE_EACH = [next(case for case in CASES if case.game_id == game) for game in sorted({case.game_id for case in CASES})]
DICE = next(case for case in ONE_EACH if case.game_id == "trampoline")


class Mixed(Case):
    """A case played with the dice of the mixed key."""

    @property
    def seed(self) -> bytes:
        """The key, which `Case.start` calls its seed."""
        return stream_key(super().seed, [contribution(one.user_id, one.interaction_id, one.word) for one in PRESSED])


def a_game(
    case: Case, *, leaving: bool = False, status: Status = Status.FINISHED, actions: int = 10_000, chain: int = NEWEST_CHAIN
) -> Snapshot:
    """A random game with today’s mixed dice."""
    mixed = Mixed(case.game_id, case.variant, case.seats, case.options, case.rules)
    table = table_of(case, stream_key=mixed.seed, status=status, chain=chain)
    history = begin(case.game, table, case.seats)
    for turn in played(mixed, leaving).turns[:actions]:
        kind, tokens = (EntryKind.WITHDRAW, ("resigned",)) if turn.action is None else (EntryKind.PLAY, turn.action)
        history = history.with_new_entry(entry(history, kind, turn.seat, tokens, turn.seat + 1))
    return snapshot_of(table if history.outcome is None else replace(table, outcome=ended(history)), history)


def ours(path: Path, *more: str) -> Result:
    return CliRunner().invoke(main, ["verify", str(path), *more])


def alone(path: Path, *more: str) -> subprocess.CompletedProcess[str]:
    """The script, run where nothing of ours can be imported."""
    command = [sys.executable, "-I", str(SCRIPT), str(path), *more]
    return subprocess.run(command, capture_output=True, text=True, cwd=path.parent, check=False, timeout=300)


def saved_log(tmp_path: Path, text: str) -> Path:
    path = tmp_path / "game.txt"
    path.write_text(text, encoding="utf-8")
    return path


def test_the_script_is_short_and_imports_nothing_of_ours() -> None:
    source = SCRIPT.read_text()
    assert len(source.splitlines()) <= 150
    imports = [node for node in ast.walk(ast.parse(source)) if isinstance(node, ast.Import | ast.ImportFrom)]
    names = {name.name for node in imports if isinstance(node, ast.Import) for name in node.names}
    names |= {str(node.module) for node in imports if isinstance(node, ast.ImportFrom)}
    assert {name.split(".")[0] for name in names} <= sys.stdlib_module_names


@pytest.mark.parametrize("case", ONE_EACH, ids=str)
@pytest.mark.parametrize("leaving", [False, True])
def test_both_programs_accept_a_whole_game_of_each_kind(tmp_path: Path, case: Case, leaving: bool) -> None:
    snapshot = a_game(case, leaving=leaving)
    assert snapshot.playing.outcome is not None
    path, link = saved_log(tmp_path, write_log(snapshot, PRESSED)), (snapshot.playing.link or "")[:16]
    said = ours(path, "--link", link)
    assert (said.exit_code, "All is in order." in said.output, f" {link}." in said.output) == (0, True, True), said.output
    script = alone(path, link)
    assert (script.returncode, script.stderr) == (0, "")
    assert f"All is in order, if {link}" in script.stdout
    assert read_log(path.read_text()).history == snapshot.playing


@pytest.fixture(scope="module")
def text() -> str:
    """The log of a game with dice in which one player has left."""
    case = next(case for case in CASES if case.game_id == "trampoline" and case.seats == 3)
    return write_log(a_game(case, leaving=True), PRESSED)


def changed(line: str) -> str:
    """The line with a different last hexadecimal digit."""
    return line[:-1] + ("0" if line[-1] != "0" else "1")


TAMPERINGS: dict[str, tuple[str, Any, bool, bool]] = {
    # what is done: (a line, what becomes of it, whether ours notices, whether the script notices)
    "another seed": (r"seed: .*", lambda m: changed(m[0]), True, True),
    "another hash of the seed": (r"seed hash: .*", lambda m: changed(m[0]), True, True),
    "another key": (r"key: .*", lambda m: changed(m[0]), True, True),
    "another hash of the key": (r"key hash: .*", lambda m: changed(m[0]), True, True),
    "another word": (r"(contribution 1: .*)", r"\1!", True, True),
    "another press": (r"(contribution 2: 1002:900)2", r"\g<1>3", True, True),
    "a press left out": (r"contribution 2: .*\n", "", True, True),
    "a press out of sequence": (r"contribution 2: .*", "\\g<0>\ncontribution 4: 1003:9003:", True, True),
    "presses in another order": (r"(contribution 1: .*)\n(contribution 2: .*)", r"\2\n\1", True, True),
    "another table": (r"table: 12", "table: 13", True, True),
    "another option": (r"variant: .*", "\\g<0>\noptions: order=shuffled", True, True),
    "another first link": (r"0\. [0-9a-f]{64}", lambda m: changed(m[0]), True, True),
    "another action in the chain": (r"2\. play ([0-9]) - ([0-9a-f]{64}) .*", r"2. play \1 - \2 pass", True, True),
    "another interaction in the chain": (r"2\. play ([0-9]) -", r"2. play \1 77", True, True),
    "another link": (r"(1\. play [0-9] - )[0-9a-f]{64}", rf"\g<1>{'0' * 64}", True, True),
    "a link left out": (r"4\. play [0-9] - .*\n", "", True, True),
    "the last link left out": (r"\n[0-9]+\. withdraw .*(?=\n\ndraws)", "", True, True),
    "another line": (r"2\. (\w+) roll", r"2. \1 pass", True, False),
    "a line of somebody else": (r"2\. (\w+) ", lambda m: "2. red " if m[1] != "red" else "2. blue ", True, True),
    "the last line left out": (r"\n[0-9]+\. \w+ resigns(?=\n\nlinks)", "", True, True),
    "another draw": (r"(1\. 6:)([0-5])", lambda m: m[1] + str((int(m[2]) + 1) % 6), True, True),
    "draws left out": (r"\n1\. 6:.*", "", True, True),
    "no draws at all": (r"\ndraws:\n[^$]*", "", True, True),
    "other winners": (r"winners: .*", "winners: nobody", True, False),
    "ended otherwise": (r"ended: .*", "ended: agreed", True, False),
}


@pytest.mark.slow
@pytest.mark.parametrize("what", TAMPERINGS)
def test_tampering_is_noticed(tmp_path: Path, text: str, what: str) -> None:
    pattern, replacement, by_ours, by_script = TAMPERINGS[what]
    forged, times = re.subn(f"(?m)^{pattern}" if not pattern.startswith(r"\n") else pattern, replacement, text, count=1)
    assert times == 1
    assert forged != text
    path = saved_log(tmp_path, forged)
    said, script = ours(path), alone(path)
    assert (said.exit_code == 1, script.returncode == 1) == (by_ours, by_script), said.output + script.stdout + script.stderr
    assert "Traceback" not in said.output + script.stderr


def test_a_rewritten_log_is_exposed_by_the_link_under_the_board(tmp_path: Path, text: str) -> None:
    log = read_log(text)
    case = next(case for case in CASES if case.game_id == "trampoline" and case.seats == 3)
    path = saved_log(tmp_path, write_log(a_game(case), PRESSED))
    assert (ours(path).exit_code, alone(path).returncode) == (0, 0), "in itself it is sound"
    shown = (log.link or "")[:8]
    said, script = ours(path, "--link", shown), alone(path, shown)
    assert (said.exit_code, script.returncode) == (1, 1)
    assert f"not {shown}." in said.output
    assert f"not {shown}." in script.stdout


def test_both_say_that_a_removed_contribution_leaves_the_key_unchecked(tmp_path: Path) -> None:
    removed = (Contribution(table_id=12, interaction_id=-1, user_id=-1, number=1), PRESSED[1])
    path = saved_log(tmp_path, write_log(a_game(ONE_EACH[0], leaving=True), removed))
    assert "contribution 1: removed\ncontribution 2: 1002:9002:\n" in path.read_text()
    said, script = ours(path), alone(path)
    assert (said.exit_code, script.returncode) == (3, 3)
    for told in (said.output, script.stdout):
        assert "The key could not be checked" in told
        assert "All is in order" not in told
        assert "All else is in order" in told


def test_a_removed_contribution_does_not_excuse_a_wrong_key(tmp_path: Path) -> None:
    removed = (PRESSED[0], Contribution(table_id=12, interaction_id=-2, user_id=-1, number=2))
    # The operator has taken a key that suits them, in place of the one that follows from the seed.
    path = saved_log(tmp_path, write_log(a_game(DICE), removed).replace("lucky: seven", "unlucky"))
    assert (ours(path).exit_code, alone(path).returncode) == (3, 3)
    again = saved_log(tmp_path, write_log(a_game(DICE), PRESSED).replace("lucky: seven", "unlucky"))
    assert (ours(again).exit_code, alone(again).returncode) == (1, 1)


@pytest.mark.parametrize("case", ONE_EACH, ids=str)
def test_during_a_game_its_log_has_the_chain_but_no_secrets(tmp_path: Path, case: Case) -> None:
    snapshot = a_game(case, status=Status.PLAYING, actions=3)
    text = write_log(snapshot, PRESSED)
    seed, key = present(snapshot.table.seed), present(snapshot.table.stream_key)
    for secret in (seed.hex(), key.hex(), "draws:", "\nseed: ", "\nkey: "):
        assert secret not in text
    said = ours(saved_log(tmp_path, text))
    assert said.exit_code == 3
    assert "The key could not be checked: the game was going on when this log was written" in said.output
    assert alone(saved_log(tmp_path, text)).returncode == 1


def test_a_log_of_the_first_chain_is_still_checked_and_shows_eight_digits(tmp_path: Path) -> None:
    snapshot = a_game(ONE_EACH[1], chain=1)
    text = write_log(snapshot, PRESSED)
    assert text.startswith("Springboard log 2\n")
    link = (snapshot.playing.link or "")[:8]
    said, script = ours(saved_log(tmp_path, text), "--link", link), alone(saved_log(tmp_path, text), link)
    assert (said.exit_code, script.returncode) == (0, 0)
    assert f"The newest link is {link}." in said.output
    assert f"if {link} is the newest link" in script.stdout
    claimed = saved_log(tmp_path, text.replace("Springboard log 2", "Springboard log 3"))
    assert (ours(claimed).exit_code, alone(claimed).returncode) == (1, 1), "its links are none of the other chain"


def test_sixteen_digits_expose_another_end_with_the_same_first_digits() -> None:
    """The attack on 8 digits: the id of the last press is free, so try ids until the digits recur."""
    history = a_game(DICE, status=Status.PLAYING, actions=3).playing
    before, last, newest = present(history.log[1].link), history.log[2], present(history.log[2].link)
    digits = 3  # as many as a test has time for
    resigned = replace(last.entry, kind=EntryKind.WITHDRAW, tokens=("resigned",))
    tried = (next_link(before, replace(resigned, interaction_id=number)) for number in range(2**20))
    forged = next(link for link in tried if link[:digits] == newest[:digits])
    assert shown_digits(forged, NEWEST_CHAIN) != shown_digits(newest, NEWEST_CHAIN)
    assert SHOWN == {1: 8, 2: 16}


def pressed_at(*moments: float | None) -> Snapshot:
    """A game whose actions were pressed so many seconds after its start (None: not pressed)."""
    snapshot = a_game(DICE)
    game, table, history = snapshot.playing.game, snapshot.table, begin(DICE.game, snapshot.table, DICE.seats)
    assert game.id == DICE.game_id
    for logged in snapshot.playing.log:
        at = moments[history.version] if history.version < len(moments) else None
        number = None if at is None else (int((at + 1e6) * 1000) << 22) | history.version
        history = history.with_new_entry(replace(logged.entry, interaction_id=number))
    return snapshot_of(table, history)


@pytest.mark.parametrize(
    ("moments", "warned"),
    [
        ((0, 10, 20, 30), None), ((0, None, 10, None, 11), None),
        ((0, 40, 1), None),  # what came late
        ((0, 62, 1), 3), ((0, 3600, None, 5, 3700, 7), 4),
        ((0, 10, 4e9), 3),  # in a century
    ],
)  # fmt: skip
def test_misdated_presses_are_warned_of(tmp_path: Path, moments: tuple[float | None, ...], warned: int | None) -> None:
    path = saved_log(tmp_path, write_log(pressed_at(*moments), PRESSED))
    said, script = ours(path), alone(path)
    assert (said.exit_code, script.returncode) == (0, 0), said.output
    for told in (said.output, script.stdout):
        assert ("Warning" in told) == (warned is not None)
        assert warned is None or f"action {warned} was pressed" in told


def test_an_action_pressed_before_the_dice_were_mixed_is_warned_of(tmp_path: Path) -> None:
    late = replace(PRESSED[1], interaction_id=int((1e6 + 62) * 1000) << 22)
    path = saved_log(tmp_path, write_log(pressed_at(0, 90), (PRESSED[0], late)))
    for told in (ours(path).output, alone(path).stdout):
        assert "action 1 was pressed" in told
        assert "more" not in told


@pytest.mark.slow
def test_kept_links_are_compared_and_tell_nothing_else(tmp_path: Path) -> None:
    during, after = a_game(DICE, status=Status.PLAYING, actions=5), a_game(DICE)
    file = links_file(during.table, during.playing)
    assert re.fullmatch(r"Springboard links of table 12\n\n(?:[0-5]\. [0-9a-f]{64}\n){6}", file)
    log = saved_log(tmp_path, write_log(after, PRESSED))
    other = write_log(a_game(DICE, status=Status.PLAYING, actions=5, chain=1), PRESSED)
    for name, text, code in (
        ("links", file, 0),
        ("log of that time", write_log(during, PRESSED), 0),
        ("other link", re.sub(r"(?m)^(3\. )[0-9a-f]{64}", rf"\g<1>{'0' * 64}", file), 1),
        ("of more actions", f"{file}9999. {'0' * 64}\n", 1),
        ("of another game", other, 1),
        ("nothing", "hello", 1),
        ("too long", "9" * 5000 + ". " + "0" * 64, 1),
    ):
        path = tmp_path / name
        path.write_text(text)
        said, script = ours(log, "--kept", str(path)), alone(log, "", str(path))
        assert (said.exit_code, script.returncode) == (code, code), (name, said.output, script.stdout, script.stderr)


def test_a_log_of_the_first_version_is_still_checked(tmp_path: Path) -> None:
    case = ONE_EACH[0]
    history = begin(case.game, table_of(case), case.seats)
    for turn in played(case).turns:
        history = history.with_entry(entry(history, EntryKind.PLAY, turn.seat, present(turn.action), turn.seat + 1))
    text = write_log(snapshot_of(table_of(case, outcome=ended(history)), history))
    assert text.startswith("Springboard log 1\n")
    said, code = ours(saved_log(tmp_path, text)), position_code(case.game, history.state)
    assert (said.exit_code, said.output) == (0, f"All is in order.\nThe code of the last position is {code}.\n")
    wrong = ours(saved_log(tmp_path, text.replace(case.seed.hex(), bytes(32).hex())))
    assert (wrong.exit_code, wrong.output) == (1, "The seed is not the one whose hash was shown.\n")
    assert "has no hash chain" in ours(saved_log(tmp_path, text), "--link", "abc").output


def test_what_is_not_a_log_is_refused(tmp_path: Path) -> None:
    assert "first line" in ours(saved_log(tmp_path, "hello")).output
    (tmp_path / "picture.txt").write_bytes(b"\x89PNG")
    said = ours(tmp_path / "picture.txt")
    assert said.exit_code == 1
    assert "cannot be read" in said.output
    assert "no log of version 2 or 3" in alone(saved_log(tmp_path, "hello")).stderr
