"""The puzzles service: which puzzle comes next, what counts, and how ratings move."""

from collections.abc import AsyncIterator
from dataclasses import replace

import pytest
import sqlalchemy as sa
import structlog

from bot.core.core import Core
from bot.core.skill import MODEL, rating_points
from bot.core.table.errors import Refused
from bot.features.puzzles import sql as puzzles_sql
from bot.features.puzzles.messages import stars
from bot.features.puzzles.ratings import EASY_UP_TO, KNOWN_FROM, NEWCOMERS_FIRST, new_puzzle
from bot.features.puzzles.service import Progress, Puzzles
from bot.features.puzzles.solving import MOST_JUDGED, Solving
from bot.features.puzzles.wanted import Band, Wanted
from bot.parts import PARTS
from opponents.puzzles.days import PRACTICE_EVERY
from opponents.puzzles.puzzle import HARDEST, Theme
from storage.schema import tables
from storage.schema.puzzle_records import PuzzleRating, SolverRating, VoidedDay
from storage.schema.records import PuzzleOutcome
from storage.store import Store
from tests.bot.present import present
from tests.bot.puzzles import BUNNY, LONG, PRACTICE, PUCKS, SHORT, collection, numbered, puzzles, wrong_actions
from tests.bot.service import ANN, BEN, DAY, HOUR, Time

ANY = Wanted()


@pytest.fixture
async def store(address: str) -> AsyncIterator[Store]:
    opened = await Store.open(address)
    yield opened
    await opened.close()


def service(store: Store, clock: Time, *known: object, **more: object) -> Puzzles:
    with puzzles(collection(*(known or PRACTICE), **more)):  # type: ignore[arg-type]
        return Core(store, parts=PARTS, now=clock).service(Puzzles)


async def solved(service: Puzzles, solving: Solving, *, wrong: int = 0) -> Progress:
    """Solve a puzzle after some wrong actions."""
    step = Progress(solving)
    for _ in range(wrong):
        step = await play(service, step, wrong_actions(solving.puzzle, step.solving.attempt.played)[0])
    for action in solving.puzzle.own[len(solving.attempt.played) :]:
        step = await play(service, step, action)
    assert not step.solving.attempt.ongoing
    return step


async def play(service: Puzzles, step: Progress, action: tuple[str, ...]) -> Progress:
    attempt = step.solving.attempt
    return await service.play(attempt.user_id, attempt.puzzle, attempt.version, action)


async def test_the_first_attempt_is_kept_with_each_right_and_wrong_action(store: Store, clock: Time) -> None:
    service_ = service(store, clock, LONG)
    begun = await service_.begin(ANN, 10, ANY)
    assert (begun.puzzle, begun.left, begun.line.actions) == (LONG, 3, ())
    right = await play(service_, Progress(begun), LONG.own[0])
    assert (present(right.judged).right, right.solving.left, len(right.solving.line.actions)) == (True, 2, 2)
    wrong = await play(service_, right, wrong_actions(LONG, LONG.own[:1])[0])
    assert (present(wrong.judged).right, wrong.solving.left, wrong.solving.line) == (False, 2, right.solving.line)
    clock.pass_(HOUR)
    done = await solved(service_, wrong.solving)
    attempt = done.solving.attempt
    assert attempt.judged == (True, False, True, True)
    assert (attempt.outcome, attempt.ended_at, attempt.solved) == (PuzzleOutcome.SOLVED, clock.now, 1)
    assert done.solving.solution == LONG.line


async def test_it_resumes_after_a_restart_if_wanted(store: Store, clock: Time) -> None:
    begun = await service(store, clock).begin(ANN, 10, Wanted("bouncers", Band.MEDIUM))
    first = await play(service(store, clock, *PRACTICE), Progress(begun), LONG.own[0])
    again = service(store, clock)
    assert await again.begin(ANN, 10, ANY) == first.solving
    assert await again.begin(ANN, 10, Wanted("bouncers")) == first.solving
    assert (await again.begin(ANN, 10, Wanted("pucks"))).puzzle is PUCKS
    assert await again.begin(ANN, 10, Wanted(theme=Theme.RACE)) == first.solving


async def test_an_action_that_is_repeated_or_comes_late_changes_nothing(store: Store) -> None:
    service_ = service(store, Time(), LONG)
    begun = await service_.begin(ANN, 10, ANY)
    right = await play(service_, Progress(begun), LONG.own[0])
    for step in (await play(service_, Progress(begun), LONG.own[0]), await service_.give_up(ANN.id, LONG.name, 0)):
        assert (step.solving, step.judged, step.change) == (right.solving, None, None)
    over = await solved(service_, right.solving)
    again = await service_.play(ANN.id, LONG.name, over.solving.attempt.version, LONG.own[0])
    assert (again.solving, again.judged) == (over.solving, None)


async def test_an_illegal_action_is_refused_and_costs_nothing(store: Store) -> None:
    service_ = service(store, Time(), LONG)
    begun = await service_.begin(ANN, 10, ANY)
    for action in ((), ("a1", "a2"), ("f4",)):
        with pytest.raises(Refused, match="isn’t possible"):
            await play(service_, Progress(begun), action)
    assert await service_.get(ANN.id, LONG.name) == begun


async def test_giving_up_shows_the_line_and_allows_practice(store: Store) -> None:
    service_ = service(store, Time(), LONG)
    begun = await play(service_, Progress(await service_.begin(ANN, 10, ANY)), LONG.own[0])
    given_up = await service_.give_up(ANN.id, LONG.name, 1)
    attempt = given_up.solving.attempt
    assert (attempt.outcome, attempt.given_up, attempt.judged) == (PuzzleOutcome.GIVEN_UP, 1, (True,))
    assert given_up.solving.solution == LONG.line
    again = await service_.begin(ANN, 10, ANY)
    assert (again.puzzle, again.attempt.ongoing, again.attempt.played) == (LONG, True, ())
    over = await solved(service_, again, wrong=2)
    kept = ("outcome", "judged", "began_at", "ended_at")
    assert [getattr(over.solving.attempt, name) for name in kept] == [getattr(attempt, name) for name in kept]
    assert (over.solving.attempt.solved, over.solving.attempt.given_up, over.change) == (1, 1, None)
    assert begun.change is None


async def test_the_number_of_stored_wrong_actions_is_limited(store: Store) -> None:
    service_ = service(store, Time(), SHORT)
    step = Progress(await service_.begin(ANN, 10, ANY))
    wrong = wrong_actions(SHORT)[0]
    for _ in range(MOST_JUDGED + 2):
        step = await play(service_, step, wrong)
    assert len((await solved(service_, step.solving)).solving.attempt.judged) == MOST_JUDGED


async def test_without_puzzles_that_is_said(store: Store) -> None:
    for known, wanted in (((LONG,), Wanted("pucks")), ((LONG,), Wanted(band=Band.EASY)), ((numbered(LONG, 6),), ANY)):
        with pytest.raises(Refused, match="no puzzle like that"):
            await service(store, Time(), *known).begin(ANN, 10, wanted)
    with pytest.raises(Refused, match="is gone"):
        await service(store, Time()).get(ANN.id, LONG.name)


async def test_a_report_is_counted_once_a_person_and_tells_the_operator(store: Store) -> None:
    service_ = service(store, Time(), LONG)
    for user in (ANN, BEN):
        await service_.begin(user, 10, ANY)
    with structlog.testing.capture_logs() as logs:
        for user in (ANN, ANN, BEN):
            await service_.report(user.id, LONG.name)
    assert [(one["puzzle"], one["times"]) for one in logs] == [(LONG.name, 1), (LONG.name, 2)]
    with pytest.raises(Refused):
        await service_.report(ANN.id, SHORT.name)


def test_what_is_wanted_is_a_word_on_a_button() -> None:
    for wanted in (ANY, Wanted("pucks"), Wanted(band=Band.EASY, today=True), Wanted("bouncers", Band.EASY, Theme.SWAP)):
        assert (Wanted.read(wanted.code), len(wanted.code)) == (wanted, 3 + wanted.today)
    assert {Wanted.read(code) for code in ("", "x", "zzz", "----", "---!!")} == {None}
    fitting = [Wanted(band=band).fits(replace(LONG, difficulty=hard)) for hard in range(1, HARDEST + 1) for band in Band]
    assert sum(fitting) == HARDEST, "each difficulty is of one band"


async def test_next_comes_the_nearest_new_puzzle_then_the_oldest(store: Store, clock: Time) -> None:
    many = [replace(SHORT, number=PRACTICE_EVERY * hard, difficulty=hard) for hard in range(1, HARDEST + 1)]
    service_, seen = service(store, clock, *many), []
    for _ in range(len(many) + 2):
        clock.pass_(60)
        begun = await service_.begin(ANN, 10, ANY)
        seen.append(begun.puzzle.difficulty)
        await solved(service_, begun)
    assert seen[:3] == [3, 2, 1], "easy ones first, and of these the one that is as hard as a person who begins is good"
    assert seen[3] == 4, "then the nearest"
    assert (sorted(seen[: len(many)]), seen[len(many) :]) == (list(range(1, HARDEST + 1)), seen[:2])


async def test_the_first_three_puzzles_of_a_person_have_two_stars_at_most(store: Store, clock: Time) -> None:
    easy = [numbered(replace(LONG, difficulty=EASY_UP_TO - number % 2), 5 * number) for number in range(1, 5)]
    harder = [numbered(replace(LONG, difficulty=EASY_UP_TO + 1), 5 * number) for number in range(11, 20)]
    assert (stars(EASY_UP_TO), stars(EASY_UP_TO + 1)) == ("★★", "★★★")
    service_, found = service(store, clock, *harder, *easy), []
    for _ in range(NEWCOMERS_FIRST + 1):
        solving = await service_.begin(ANN, 10, ANY)
        found.append(solving.puzzle.difficulty)
        await solved(service_, solving)
    assert [hard <= EASY_UP_TO for hard in found] == [*[True] * NEWCOMERS_FIRST, False]
    assert (await service_.begin(BEN, 10, Wanted(band=Band.MEDIUM))).puzzle in [*harder, *easy], "what they ask for, they get"


async def test_without_easy_puzzles_a_newcomer_gets_another(store: Store) -> None:
    assert (await service(store, Time(), SHORT).begin(ANN, 10, ANY)).puzzle == SHORT


async def test_of_equal_puzzles_people_get_different_ones_and_each_always_the_same(store: Store) -> None:
    equal = [numbered(SHORT, 5 * number) for number in range(1, 9)]
    first = [(await service(store, Time(), *equal).begin(replace(ANN, id=user), 10, ANY)).puzzle.name for user in range(1, 30)]
    assert len(set(first)) > 4


async def test_a_daily_puzzle_is_practice_once_over_everywhere_unless_withdrawn(store: Store, clock: Time) -> None:
    days = tuple(numbered(LONG, number) for number in (1, 2, 3))
    service_, found = service(store, clock, SHORT, days=days), []
    for _ in range(5):
        found.append(sorted(await names(service_)))
        clock.pass_(DAY)
    known = [sorted([SHORT.name, *(day.name for day in days[:past])]) for past in (0, 0, 1, 2, 3)]
    assert found == known, "at noon the day before may go on somewhere"
    async with store.write() as writer:
        await puzzles_sql.void(writer, VoidedDay(day=2, at=1.0))
    assert sorted(await names(service_)) == sorted([SHORT.name, days[0].name, days[2].name])


async def names(service_: Puzzles) -> set[str]:
    """All puzzles that a newcomer gets by giving up each time."""
    found: set[str] = set()
    user = replace(ANN, id=1000 + int(service_.core.now()))
    while True:
        begun = await service_.begin(user, 10, ANY)
        if begun.puzzle.name in found:
            return found
        found.add(begun.puzzle.name)
        await service_.give_up(user.id, begun.puzzle.name, begun.attempt.version)


async def ratings_of(store: Store) -> tuple[tuple[SolverRating, ...], tuple[PuzzleRating, ...]]:
    async with store.read() as reader:
        return await puzzles_sql.solver_ratings_of(reader, ANN.id), await puzzles_sql.puzzle_ratings_known(reader)


@pytest.mark.parametrize(("wrong", "give_up", "won"), [(0, False, 1), (1, False, 0), (3, False, 0), (0, True, 0), (1, True, 0)])
async def test_the_first_wrong_action_loses_the_rated_game(store: Store, wrong: int, give_up: bool, won: int) -> None:
    service_ = service(store, Time(), LONG)
    step = Progress(await service_.begin(ANN, 10, ANY))
    changes = []
    for _ in range(wrong):
        step = await play(service_, step, wrong_actions(LONG)[0])
        changes.append(step.change)
    if give_up:
        changes.append((await service_.give_up(ANN.id, LONG.name, step.solving.attempt.version)).change)
    else:
        changes.append((await solved(service_, step.solving)).change)
    counted = [change for change in changes if change is not None]
    assert (len(counted), changes.index(counted[0])) == (1, 0)
    assert (counted[0].after > counted[0].before) == bool(won)
    assert abs(counted[0].after - counted[0].before) <= 51
    (own,), others = await ratings_of(store)
    assert (own.played, own.won, rating_points(own)) == (1, won, counted[0].after)
    assert others == (), "a puzzle stands still against beginners"
    assert (await solved(service_, await service_.begin(ANN, 10, ANY))).change is None
    assert await ratings_of(store) == ((own,), ())


async def test_a_puzzle_moves_against_those_who_are_known(store: Store) -> None:
    many = [numbered(SHORT, PRACTICE_EVERY * number) for number in range(1, KNOWN_FROM + 3)]
    service_ = service(store, Time(), *many)
    for count in range(1, len(many) + 1):
        begun = await service_.begin(ANN, 10, ANY)
        await (solved(service_, begun) if count % 2 else service_.give_up(ANN.id, begun.puzzle.name, 0))
        (own,), others = await ratings_of(store)
        assert (own.played, len(others)) == (count, max(0, count - KNOWN_FROM))
    easier = [rating.mu < new_puzzle(SHORT, 0).mu for rating in others]
    assert sorted(easier) == [False, True], "one was solved, and one was given up"
    assert sorted((rating.played, rating.won) for rating in others) == [(1, 0), (1, 1)]
    found = await service_.ratings(begun)
    assert found.solver == own
    assert found.puzzle in others


def test_a_puzzle_begins_with_a_rating_by_its_difficulty() -> None:
    shown = [rating_points(new_puzzle(replace(LONG, difficulty=hard), 0.0)) for hard in range(1, HARDEST + 1)]
    assert shown == sorted(set(shown))
    newcomer = SolverRating(user_id=1, game="bouncers", mu=MODEL.mu, sigma=MODEL.sigma, updated_at=0.0)
    assert shown[2] == 1000 == rating_points(newcomer)


@pytest.mark.parametrize("table", ["solver_ratings", "puzzle_ratings"])
@pytest.mark.parametrize("damage", ["sigma = 'x'", "sigma = -1", "mu = 1e9", "won = 7"])
async def test_a_damaged_rating_is_neither_used_nor_overwritten(tmp_path: object, table: str, damage: str) -> None:
    store = await Store.open(f"{tmp_path}/games.sqlite3")
    service_ = service(store, Time(), LONG, SHORT)
    async with store.write() as writer:
        await puzzles_sql.put_solver_rating(writer, SolverRating(user_id=1, game="bouncers", mu=25, sigma=8, updated_at=1.0))
        await puzzles_sql.put_puzzle_rating(writer, PuzzleRating(puzzle=LONG.name, mu=25, sigma=4, updated_at=1.0))
        await writer.execute(sa.text(f"UPDATE {table} SET {damage}"))
        before = [(await writer.execute(sa.select(rows))).all() for rows in (tables.solver_ratings, tables.puzzle_ratings)]
    step = await solved(service_, await service_.begin(ANN, 10, Wanted(theme=Theme.RACE)))
    assert step.change is None
    assert (await service_.ratings(step.solving)).solver.sigma > 0
    async with store.read() as reader:
        after = [(await reader.execute(sa.select(rows))).all() for rows in (tables.solver_ratings, tables.puzzle_ratings)]
    assert after == before
    await store.close()


async def test_a_damaged_row_harms_nobody_and_is_started_again(tmp_path: object) -> None:
    store = await Store.open(f"{tmp_path}/games.sqlite3")
    service_ = service(store, Time(), LONG, SHORT, PUCKS, BUNNY)
    theirs = await service_.begin(BEN, 10, Wanted(theme=Theme.RACE))
    for damage in ("judged = '{'", 'played = \'[["a1", "a2"]]\'', "version = 'x'", "used_at = 'x'", "outcome = 'x'"):
        begun = await service_.begin(ANN, 10, Wanted(theme=Theme.RACE))
        async with store.write() as writer:
            await writer.execute(sa.text(f"UPDATE puzzle_attempts SET {damage} WHERE user_id = {ANN.id}"))
        again = await service_.begin(ANN, 10, Wanted(theme=Theme.RACE))
        assert (again.puzzle, again.attempt.played, again.left) == (begun.puzzle, (), 3), damage
        await solved(service_, again)
        assert await service_.get(BEN.id, theirs.puzzle.name) == theirs
        async with store.write() as writer:
            await writer.execute(sa.delete(tables.puzzle_attempts).where(tables.puzzle_attempts.c.user_id == ANN.id))
    await store.close()
