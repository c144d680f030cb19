"""The log as text: it reads back as the same game, and reveals nothing too early."""

import random
from dataclasses import replace
from typing import Any

import pytest

from bot.core.table.block_list import Blocks
from bot.core.table.history import BrokenLog, History, begin
from bot.core.table.snapshot import Snapshot
from bot.features.verify.logbook import FIRST_LINE, read_log, write_log
from engines import GAMES
from engines.chance import seed_hash
from engines.game import Words, part_of
from storage.schema.records import Ending, Entry, EntryKind, Result, Seat, SeatStatus, Status, Table
from tests.bot.present import present
from tests.engines.contract_games import CASES, Case, played
from tests.marks import quick_first

NAMES = ("Ann", "Ben: the *second*", "  Cleo \u2028 of the\tlake ", "Дева", "🦊", "")


def table_of(case: Case, **fields: Any) -> Table:
    usual: dict[str, Any] = {
        "id": 12, "guild_id": 1, "channel_id": 2, "game": case.game_id, "rules": case.game.rules, "variant": case.variant,
        "options": dict(case.options), "wanted": case.seats, "status": Status.FINISHED, "opened_by": 1, "seed": case.seed,
        "created_at": 0.0,
    }  # fmt: skip
    return Table(**(usual | fields))


def snapshot_of(table: Table, history: History) -> Snapshot:
    people = tuple(
        Seat(table_id=table.id, user_id=place + 1, place=place, status=SeatStatus.JOINED, name=NAMES[place], asked_at=0.0)
        for place in range(history.seats)
    )
    return Snapshot(replace(table, version=history.version), people, history)


def entry(history: History, kind: EntryKind, seat: int, tokens: tuple[str, ...] = (), user_id: int | None = None) -> Entry:
    return Entry(table_id=12, number=history.version + 1, kind=kind, seat=seat, tokens=tokens, user_id=user_id, at=0.0)


def history_of(case: Case, *, leaving: bool) -> History:
    """A random game with actions by the bot, and with actions undone and replayed."""
    dice, history = random.Random(str(case)), begin(case.game, table_of(case), case.seats)
    for turn in played(case, leaving).turns:
        if turn.action is None:
            cause = dice.choice(("resigned", "time", "removed"))
            history = history.with_entry(entry(history, EntryKind.WITHDRAW, turn.seat, (cause,), turn.seat + 1))
            continue
        user = None if dice.random() < 0.1 else turn.seat + 1
        for kind in (EntryKind.PLAY, EntryKind.UNDO, EntryKind.PLAY) if dice.random() < 0.1 else (EntryKind.PLAY,):
            tokens, by = (turn.action, user) if kind is EntryKind.PLAY else ((), turn.seat + 1)
            history = history.with_entry(entry(history, kind, turn.seat, tokens, by))
    return history


def ended(history: History) -> Result:
    outcome = present(history.outcome)
    return Result(winners=outcome.winners, how=Ending.RULES, reason=str(outcome.reason))


WHOLE_GAMES = [(case, False) for case in CASES if case.seats == case.game.seats[0]]
GAMES_THAT_ARE_LEFT = [(case, True) for case in CASES]


@pytest.mark.parametrize(("case", "leaving"), quick_first(20, (WHOLE_GAMES + GAMES_THAT_ARE_LEFT)[::-1], several=True), ids=str)
def test_a_written_log_is_read_back_as_the_same_game(case: Case, leaving: bool) -> None:
    history = history_of(case, leaving=leaving)
    table = table_of(case, outcome=ended(history), version=history.version)
    log = read_log(write_log(snapshot_of(table, history)))
    assert log.history is not None
    assert [x.entry for x in log.history.log] == [replace(x.entry, user_id=_reader_of(x.entry)) for x in history.log]
    entries = [replace(x, entry=y.entry) for x, y in zip(history.log, log.history.log, strict=True)]
    assert log.history == replace(history, log=Blocks(entries))
    assert (log.history.state, log.history.outcome) == (history.state, history.outcome)
    assert (log.table.outcome, log.table.seed, log.hash) == (table.outcome, table.seed, seed_hash(case.seed))
    assert (log.table.game, log.table.variant, log.table.options) == (case.game_id, case.variant, dict(case.options))
    assert log.names == tuple(" ".join(name.split()) for name in NAMES[: case.seats])


def _reader_of(entry: Entry) -> int | None:
    """The author of an entry as read from a log, which only marks plays by the bot."""
    return None if entry.kind is EntryKind.PLAY and entry.user_id is None else entry.seat + 1


@pytest.mark.parametrize("game", GAMES.values(), ids=GAMES)
def test_during_a_game_its_log_hides_the_seed_and_the_results(game: Any) -> None:
    case = next(case for case in CASES if case.game is game)
    turns = [(turn, turn.action) for turn in played(case).turns if turn.action is not None][:10]
    history = begin(game, table_of(case), case.seats)
    for turn, action in turns:
        history = history.with_entry(entry(history, EntryKind.PLAY, turn.seat, action, turn.seat + 1))
    snapshot = snapshot_of(table_of(case, status=Status.PLAYING), history)
    text = write_log(snapshot)
    assert case.seed.hex() not in text
    assert f"seed hash: {seed_hash(case.seed)}" in text
    assert "winners" not in text
    log = read_log(text)
    assert log.history is None
    colours = ("red", "blue", "green", "yellow", "purple", "orange")
    # Nothing but whose action it was, and the action as it was chosen.
    notate = part_of(game, Words).notate
    assert log.lines == tuple(f"{colours[turn.seat]} {notate(turn.before, turn.seat, action)}" for turn, action in turns)
    assert log.table.outcome is None


BOUNCERS = Case("bouncers", "8x8-16", 2)
SEED = b"\x01" * 32


def a_short_game() -> Snapshot:
    history = begin(BOUNCERS.game, table_of(BOUNCERS), 2)
    for kind, seat, tokens, user in (
        (EntryKind.PLAY, 0, ("b2", "b3"), 1), (EntryKind.PLAY, 1, ("g7", "g6"), 2), (EntryKind.UNDO, 1, (), 2),
        (EntryKind.PLAY, 1, ("c7", "c6"), None), (EntryKind.WITHDRAW, 1, ("resigned",), 2),
    ):  # fmt: skip
        history = history.with_entry(entry(history, kind, seat, tokens, user))
    table = table_of(BOUNCERS, seed=SEED, options={"order": "shuffled"}, outcome=ended(history))
    return snapshot_of(table, history)


def test_a_log_reads_like_the_rules_pages() -> None:
    assert write_log(a_short_game()).splitlines() == [
        "Springboard log 1",
        "table: 12",
        "game: bouncers",
        "variant: 8x8-16",
        "options: order=shuffled",
        "red: Ann",
        "blue: Ben: the *second*",
        f"seed hash: {seed_hash(SEED)}",
        f"seed: {SEED.hex()}",
        "winners: red",
        "ended: rules",
        "reason: Blue left the game.",
        "",
        "1. red b2-b3",
        "2. blue g7-g6",
        "3. blue takes back 2",
        "4. blue c7-c6 ; by the bot",
        "5. blue resigns",
    ]


def test_windows_line_ends_and_an_editors_blanks_are_read() -> None:
    text = write_log(a_short_game())
    assert read_log("\n\n" + text.replace("\n", " \r\n") + "\r\n") == read_log(text)


def test_a_new_game_has_a_log_without_lines() -> None:
    history = begin(BOUNCERS.game, table_of(BOUNCERS), 2)
    log = read_log(write_log(snapshot_of(table_of(BOUNCERS, status=Status.CLOSED), history)))
    assert (log.lines, log.history) == ((), history)


def test_a_draw_has_no_winners() -> None:
    snapshot = a_short_game()
    drawn = replace(snapshot.table, outcome=Result(winners=(), how=Ending.AGREED, reason="agreed to a draw"))
    text = write_log(replace(snapshot, table=drawn))
    assert "winners: nobody\nended: agreed\n" in text
    assert read_log(text).table.outcome == drawn.outcome


@pytest.mark.parametrize(
    ("wrong", "right", "why"),
    [
        ("Springboard log 9", FIRST_LINE, "first line"), ("game: chess", "game: bouncers", "no game 'chess'"),
        ("variant: 9x9", "variant: 8x8-16", "9x9"), ("table: twelve", "table: 12", "head"),
        (f"seed: {bytes(32).hex()}", f"seed: {SEED.hex()}", "not the one whose hash was shown"),
        ("seed: 0101\n", f"seed: {SEED.hex()}\n", "not the one whose hash was shown"),
        ("seed: tulip\n", f"seed: {SEED.hex()}\n", "head"), ("winners: mauve", "winners: red", "head"),
        ("hash of seed", "seed hash", "seed hash"), ("2. blue g7-g5", "2. blue g7-g6", "entry 2"),
        ("2. red g7-g6", "2. blue g7-g6", "entry 2"), ("2. mauve g7-g6", "2. blue g7-g6", "line 2"),
        ("3. blue g7-g6", "2. blue g7-g6", "line 2"), ("blue g7-g6", "2. blue g7-g6", "line 2"),
        ("takes back 1", "takes back 2", "line 3 takes back what is not the last action"),
        ("1. red takes back 1", "1. red b2-b3", "entry 1"), ("5. blue flees", "5. blue resigns", "entry 5"),
    ],
)  # fmt: skip
def test_a_broken_log_is_refused_with_the_wrong_place(wrong: str, right: str, why: str) -> None:
    text = write_log(a_short_game())
    assert right in text
    with pytest.raises(BrokenLog, match=why):
        read_log(text.replace(right, wrong))


@pytest.mark.parametrize("text", ["", "\n", "1. red b2-b3", FIRST_LINE, f"{FIRST_LINE}\n\n1. red b2-b3"])
def test_texts_that_are_no_log_are_refused(text: str) -> None:
    with pytest.raises(BrokenLog):
        read_log(text)
