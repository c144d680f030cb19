"""Analyses: private trees of positions in which every walk is legal, and which show nothing of a running game."""

import random
from collections.abc import AsyncIterator
from dataclasses import replace
from typing import Any

import pytest
import sqlalchemy as sa
from hypothesis import given, settings
from hypothesis import strategies as st

from bot.core.core import Core
from bot.core.play import Play
from bot.core.table.errors import Refused
from bot.core.table.history import History
from bot.core.table.request import TableRequest
from bot.core.table.snapshot import Snapshot
from bot.features.analysis.service import KEPT_FOR, MOST_ANALYSES, Analyses
from bot.features.analysis.tree import (
    MOST_PLAYED,
    MOST_POSITIONS,
    Analysed,
    Beginning,
    analysed,
    following,
    is_playable,
    with_action,
    with_another_draw,
    with_line,
)
from bot.features.privacy.service import Privacy
from engines.bouncers import Bouncers
from engines.chance import Fair
from engines.game import legal_actions, resample
from engines.position_codes import KnownPosition, Line, follow, line_text, position_code, read_line
from engines.values import replace as with_values
from storage.schema import tables
from storage.schema.records import Analysis, Entry, Node, Status
from storage.store import Store
from tests.bot.service import ANN, BEN, BOUNCERS, CLEO, DAY, DEV, PEOPLE, Time, started
from tests.engines.contract_games import random_action

BUNNY = replace(BOUNCERS, game="bunny", seats=2)
DICE = replace(BOUNCERS, game="trampoline", seats=3)
PUCKS = replace(BOUNCERS, game="pucks", seats=2, options={"setup": "random"})
GAMES = {"bouncers": (BOUNCERS, (BEN,)), "bunny": (BUNNY, (BEN,)), "trampoline": (DICE, (BEN, CLEO)), "pucks": (PUCKS, (BEN,))}
HERE = Beginning(ANN.id, 10, 1000.0)


@pytest.fixture
async def store(address: str) -> AsyncIterator[Store]:
    opened = await Store.open(address)
    yield opened
    await opened.close()


async def finished(core: Core, request: TableRequest, *others: object, most: int = 60) -> Snapshot:
    """A game played at random, which its players left if it was not over by then."""
    snapshot = await started(core, request, *others)  # type: ignore[arg-type]
    dice, table_id = random.Random(1), snapshot.table.id
    for _ in range(most):
        if snapshot.table.status is not Status.PLAYING:
            return snapshot
        seat = snapshot.playing.to_act[0]
        action = random_action(snapshot.playing.game, snapshot.playing.state, seat, dice)
        snapshot = (await core.service(Play).act(table_id, PEOPLE[snapshot.players[seat].user_id], action)).snapshot
    for player in snapshot.players[1:]:
        if snapshot.table.status is Status.PLAYING:
            snapshot = (await core.service(Play).resign(table_id, PEOPLE[player.user_id])).snapshot
    return snapshot


def walked(analysis: Analysis, steps: int, dice: random.Random) -> Analysis:
    """The analysis after some steps of somebody who tries everything."""
    for _ in range(steps):
        at = analysed(analysis)
        if at.seat is None or dice.random() < 0.2:
            analysis = replace(analysis, current=dice.randrange(len(analysis.nodes) + 1))
        elif at.node is not None and at.node.drawn and dice.random() < 0.2:
            analysis = with_another_draw(at)
        else:
            action = random_action(at.history.game, at.history.state, at.seat, dice)
            analysis = with_action(at, at.seat, action)
    return analysis


def position(at: Analysed) -> object:
    return at.history.game.position(at.history.state)


# --- where they begin -----------------------------------------------------------------------------------------------------
@pytest.mark.slow
@pytest.mark.parametrize("game", GAMES)
async def test_a_finished_games_moves_keep_all_that_was_drawn(core: Core, game: str) -> None:
    request, others = GAMES[game]
    snapshot = await finished(core, request, *others)
    entries = snapshot.playing.in_force
    analysis = HERE.of_game(snapshot)
    assert (analysis.place, analysis.played, len(analysis.nodes)) == (0, len(entries), len(entries))
    for place in range(len(entries) + 1):
        at = analysed(analysis, place)
        state = entries[place - 1].state if place else snapshot.playing.first
        assert position(at) == snapshot.playing.game.position(state)
        assert at.moves == place
    assert analysed(analysis).number == len(entries)


@pytest.mark.slow
async def test_a_long_game_contributes_the_moves_around_the_one_wanted(core: Core) -> None:
    snapshot = await finished(core, PUCKS, BEN, most=MOST_PLAYED + 60)
    entries = snapshot.playing.in_force
    assert len(entries) > MOST_PLAYED
    for place in (0, 5, len(entries) // 2, len(entries) - 3, len(entries)):
        analysis = HERE.of_game(snapshot, place)
        at = analysed(analysis)
        assert len(analysis.nodes) == analysis.played == MOST_PLAYED
        assert at.moves == place
        assert position(at) == snapshot.playing.game.position(entries[place - 1].state if place else snapshot.playing.first)


@pytest.mark.parametrize("game", GAMES)
async def test_no_running_game_can_be_analysed(core: Core, game: str) -> None:
    request, others = GAMES[game]
    snapshot = await started(core, request, *others)
    with pytest.raises(Refused, match="The game is still on"):
        HERE.of_game(snapshot)


async def test_a_malformed_code_is_refused_in_its_own_words() -> None:
    with pytest.raises(Refused, match="isn’t a position code"):
        HERE.of_code("chess1ABC")
    with pytest.raises(Refused, match="for 2 players"):
        HERE.of_start("bouncers", Fair(bytes(32)), seats=5)


async def test_a_line_is_kept_move_by_move_and_draws_at_its_end_are_imagined() -> None:
    start = analysed(HERE.of_start("trampoline", Fair(bytes(32)), seats=3))
    code = start.analysis.root
    made = HERE.of_code(f"{code} roll")
    assert [node.action for node in made.nodes] == [("roll",)]
    assert made.nodes[0].drawn
    assert made == HERE.of_code(f"{code} roll"), "the same for the same moves"


@pytest.mark.parametrize("game", GAMES)
async def test_what_is_drawn_says_nothing_of_the_dice_of_a_running_game(core: Core, game: str) -> None:
    """The same code and draws, whatever the game's own stream and whatever the seat does not know."""
    request, others = GAMES[game]
    snapshot, dice = await started(core, request, *others), random.Random(4)
    for _ in range(6):
        seat = snapshot.playing.to_act[0]
        action = random_action(snapshot.playing.game, snapshot.playing.state, seat, dice)
        snapshot = (await core.service(Play).act(snapshot.table.id, PEOPLE[snapshot.players[seat].user_id], action)).snapshot
    rules, state = snapshot.playing.game, snapshot.playing.state
    for knower in (None, 0, 1) if rules.secret else ("all",):
        unlike = state if knower == "all" else resample(rules, state, knower, Fair(bytes(range(32))))  # type: ignore[arg-type]
        codes = {
            position_code(rules, with_values(one, chance=Fair(bytes([n] * 32))), knower)  # type: ignore[arg-type]
            for n, one in enumerate((state, state, unlike))
        }
        (code,) = codes
        once, again = (walked(HERE.of_code(code), 12, random.Random(9)) for _ in range(2))
        assert once == again


# --- the tree ---------------------------------------------------------------------------------------------------------------
@pytest.mark.slow
@settings(max_examples=12, deadline=None)
@given(st.sampled_from(sorted(GAMES)), st.integers(0, 10**9))
def test_any_walk_stays_within_the_tree_and_each_code_leads_back(game: str, seed: int) -> None:
    dice = random.Random(seed)
    options = {"setup": "random"} if game == "pucks" else {}
    analysis = walked(HERE.of_start(game, Fair(seed.to_bytes(32, "big")), options=options), 25, dice)
    assert len(analysis.nodes) < MOST_POSITIONS
    for number in range(len(analysis.nodes) + 1):
        at = analysed(analysis, number)
        again = analysed(HERE.of_code(at.line_code))
        assert position(again) == position(at)
        (code, *_) = at.line_code.split()
        state = at.history.state
        assert read_line(code).start.game is at.history.game
        assert position_code(at.history.game, state) == position_code(at.history.game, again.history.state)


def test_a_full_analysis_takes_nothing_more_but_can_still_be_walked() -> None:
    analysis = HERE.of_start("trampoline", Fair(bytes(32)), seats=2)
    roll = Node(0, 0, ("roll",), with_action(analysed(analysis), 0, ("roll",)).nodes[0].drawn)
    full = replace(analysis, nodes=(roll,) * (MOST_POSITIONS - 1), current=1)
    with pytest.raises(Refused, match="This analysis is full"):
        with_another_draw(analysed(full))
    assert with_action(analysed(full, 0), 0, ("roll",)).current == 1


def test_a_known_action_is_not_added_again_but_another_draw_is_a_branch() -> None:
    analysis = with_action(analysed(HERE.of_start("trampoline", Fair(bytes(32)), seats=2)), 0, ("roll",))
    root = replace(analysis, current=0)
    assert with_action(analysed(root), 0, ("roll",)) == analysis
    again = with_another_draw(analysed(analysis))
    root = replace(again, current=0)
    assert len({node.drawn for node in again.nodes}) == 2
    assert analysed(root).branches == (1, 2)
    with pytest.raises(Refused, match="There was no luck here"):
        with_another_draw(analysed(root))


def test_a_line_is_added_as_far_as_it_is_legal() -> None:
    analysis = HERE.of_start("bouncers", Fair(bytes(32)))
    line = ((0, ("b2", "b3")), (1, ("b7", "b6")), (0, ("a1", "h8")), (0, ("c2", "c3")))
    extended = with_line(analysis, 0, line)
    assert [node.action for node in extended.nodes] == [("b2", "b3"), ("b7", "b6")]
    assert extended.current == 0


def a_line(game: str, dice: random.Random, most: int) -> Line:
    """A random line from the start of a game to the first draw."""
    options = {"setup": "random"} if game == "pucks" else {}
    line = read_line(HERE.of_start(game, Fair(dice.randbytes(32)), options=options).root)
    while len(line.steps) == len(line.actions) < most and (awaited := line.start.game.to_act(line.end.state)):
        action = random_action(line.start.game, line.end.state, awaited[0], dice)
        line = follow(line, awaited[0], action)
    return line


@settings(max_examples=12, deadline=None)
@given(st.sampled_from(sorted(GAMES)), st.integers(0, 10**9))
def test_following_a_line_equals_playing_each_position_from_the_root(game: str, seed: int) -> None:
    line = a_line(game, random.Random(seed), 12)
    replayed = HERE.at(line.start)
    for seat, action in line.actions:
        replayed = with_action(analysed(replayed), seat, action)
    assert HERE.of_code(line_text(line)) == replayed
    assert with_line(HERE.at(line.start), 0, line.actions) == replace(replayed, current=0)
    for number, node in enumerate(replayed.nodes, 1):
        once, again = analysed(replayed, number), following(analysed(replayed, node.parent), number)
        assert [logged.state for logged in once.history.log] == [logged.state for logged in again.history.log]
        assert (once.path, once.branches, once.question) == (again.path, again.branches, again.question) or once.seat is None


def test_a_code_with_many_moves_plays_each_a_few_times(monkeypatch: pytest.MonkeyPatch) -> None:
    line, played = a_line("bouncers", random.Random(3), 60), 0
    play = Bouncers.play

    def counted(*values: Any) -> Any:
        nonlocal played
        played += 1
        return play(*values)

    text = line_text(line)
    monkeypatch.setattr(Bouncers, "play", counted)
    assert len(HERE.of_code(text).nodes) == len(line.actions) == 60
    assert played <= 4 * 60, "not all that comes before for each of them"


def test_checking_an_analysis_plays_every_move_once(monkeypatch: pytest.MonkeyPatch) -> None:
    analysis = walked(HERE.of_start("bouncers", Fair(bytes(32))), 60, random.Random(4))
    begun = analysed(analysis, 0)
    for action in list(legal_actions(begun.history.game, begun.history.state, 0))[:20]:
        analysis = with_action(replace(begun, analysis=analysis), 0, action)
    played, after = [], History.with_new_entry

    def noted(history: History, entry: Entry) -> History:
        played.append(entry)
        return after(history, entry)

    monkeypatch.setattr(History, "with_new_entry", noted)
    assert is_playable(analysis)
    assert len(played) == len(analysis.nodes) > 60
    (*others, last) = analysis.nodes
    for wrong in (replace(last, parent=len(analysis.nodes)), replace(last, parent=-1), replace(last, action=("secret",))):
        assert not is_playable(replace(analysis, nodes=(*others, wrong)))
    assert not is_playable(replace(analysis, root="secret"))


def test_a_code_with_too_many_moves_is_refused_before_any_is_played(monkeypatch: pytest.MonkeyPatch) -> None:
    code = HERE.of_start("bouncers", Fair(bytes(32))).root
    monkeypatch.setattr(Bouncers, "play", None)
    monkeypatch.setattr(Bouncers, "from_position", None)
    with pytest.raises(Refused, match=f"This line has {MOST_POSITIONS} moves. The limit is {MOST_POSITIONS - 1}."):
        HERE.of_code(code + " " + ", ".join(["b2 b3"] * MOST_POSITIONS))


def test_an_illegal_action_and_a_node_that_cannot_be_played_are_refused() -> None:
    analysis = HERE.of_start("bouncers", Fair(bytes(32)))
    with pytest.raises(Refused, match="possible here"):
        with_action(analysed(analysis), 0, ("a1", "h8"))
    for node in (Node(0, 0, ("a1", "h8")), Node(0, 5, ("b2", "b3")), Node(0, 0, ("nonsense",))):
        with pytest.raises(Refused, match="can’t be read"):
            analysed(replace(analysis, nodes=(node,)), 1)
    dice = HERE.of_start("trampoline", Fair(bytes(32)), seats=2)
    for drawn in ((), (99,)):
        with pytest.raises(Refused, match="can’t be read"):
            analysed(replace(dice, nodes=(Node(0, 0, ("roll",), drawn),)), 1)


# --- what is kept -------------------------------------------------------------------------------------------------------------
async def opened(core: Core, user_id: int = ANN.id, guild_id: int = 10) -> Analysed:
    beginning = core.service(Analyses).beginning(user_id, guild_id)
    made, _ = await core.service(Analyses).open(lambda: beginning.of_start("bouncers", core.service(Analyses).chance()))
    return made


async def test_only_its_person_reaches_an_analysis_and_only_on_its_server(core: Core) -> None:
    number = (await opened(core)).analysis.id
    assert (await core.service(Analyses).get(number, ANN.id, 10)).analysis.id == number
    for user_id, guild_id, analysis_id in ((BEN.id, 10, number), (ANN.id, 11, number), (ANN.id, 10, number + 1)):
        with pytest.raises(Refused, match="This analysis is gone"):
            await core.service(Analyses).get(analysis_id, user_id, guild_id)
    for position in (7, -1):
        with pytest.raises(Refused, match="This analysis is gone"):
            await core.service(Analyses).get(number, ANN.id, 10, position)
        with pytest.raises(Refused, match="This analysis is gone"):
            await core.service(Analyses).go(number, ANN.id, 10, position)


async def test_moves_are_kept_and_two_simultaneous_clicks_both_count(core: Core) -> None:
    at = await opened(core)
    first = await core.service(Analyses).change(at, lambda there: with_action(there, 0, ("b2", "b3")))
    second = await core.service(Analyses).change(at, lambda there: with_action(there, 0, ("c2", "c3")))
    assert [node.action for node in second.analysis.nodes] == [("b2", "b3"), ("c2", "c3")]
    assert (first.number, second.number) == (1, 2)
    back = await core.service(Analyses).go(second.analysis.id, ANN.id, 10, 0)
    assert (await core.service(Analyses).get(at.analysis.id, ANN.id, 10)).number == back.number == 0
    (kept,) = await core.service(Analyses).of_person(ANN.id, 10)
    assert kept.nodes == second.analysis.nodes


async def test_a_persons_last_used_analyses_stay_and_so_do_those_of_others(core: Core, clock: Time) -> None:
    others = await opened(core, BEN.id)
    made = []
    for _ in range(MOST_ANALYSES):
        clock.pass_(60)
        made.append(await opened(core))
    clock.pass_(60)
    await core.service(Analyses).go(made[0].analysis.id, ANN.id, 10, 0)
    beginning = core.service(Analyses).beginning(ANN.id, 11)
    _, dropped = await core.service(Analyses).open(lambda: beginning.of_start("bouncers", core.service(Analyses).chance()))
    assert dropped == 1
    with pytest.raises(Refused):
        await core.service(Analyses).get(made[1].analysis.id, ANN.id, 10)
    for there in (made[0], made[2]):
        await core.service(Analyses).get(there.analysis.id, ANN.id, 10)
    await core.service(Analyses).get(others.analysis.id, BEN.id, 10)


async def test_an_analysis_goes_a_month_after_its_last_use(core: Core, clock: Time) -> None:
    assert await core.service(Analyses).next_due() is None
    at = await opened(core)
    clock.pass_(20 * DAY)
    await core.service(Analyses).go(at.analysis.id, ANN.id, 10, 0)
    assert await core.service(Analyses).next_due() == clock() + KEPT_FOR
    clock.pass_(KEPT_FOR - 1)
    assert await core.service(Analyses).forget_due() == 0
    clock.pass_(1)
    assert await core.service(Analyses).forget_due() == 1
    assert await core.service(Analyses).next_due() is None
    with pytest.raises(Refused):
        await core.service(Analyses).get(at.analysis.id, ANN.id, 10)


async def test_forgetting_somebody_deletes_their_analyses(core: Core, store: Store) -> None:
    await opened(core)
    await opened(core, DEV.id)
    await core.service(Privacy).forget(ANN)
    async with store.read() as reader:
        rows = await reader.execute(sa.select(tables.analyses.c.user_id))
    assert [row.user_id for row in rows] == [DEV.id]


# --- advice -------------------------------------------------------------------------------------------------------------------
async def test_there_is_no_advice_during_a_rated_game_of_the_same_variant(core: Core) -> None:
    at = await opened(core)
    await core.service(Analyses).check_advisable(at)
    friendly = await started(core, replace(BOUNCERS, options={"rated": "no"}))
    other = await started(core, DICE, BEN, CLEO)
    variant = await started(core, replace(BOUNCERS, variant=at.history.game.variants[-1], guild_id=12))
    assert not friendly.table.rated
    assert other.table.rated
    assert variant.table.variant != at.position.variant
    await core.service(Analyses).check_advisable(at)
    rated = await started(core, replace(BOUNCERS, guild_id=11))
    assert rated.table.rated
    with pytest.raises(Refused, match="only the board for now"):
        await core.service(Analyses).check_advisable(at)
    await core.service(Play).resign(rated.table.id, ANN)
    await core.service(Analyses).check_advisable(at)


def test_the_question_to_a_computer_is_the_same_for_the_same_line() -> None:
    at = analysed(HERE.of_start("bunny", Fair(bytes(32)), seats=2))
    assert at.question[-1] == analysed(at.analysis).question[-1]
    assert at.seat is not None
    action = next(legal_actions(at.history.game, at.history.state, at.seat))
    assert at.question[-1] != analysed(with_action(at, at.seat, action)).question[-1]


def test_the_code_of_a_seats_knowledge_shows_everybody_the_same_example_of_the_rest() -> None:
    game = analysed(HERE.of_start("pucks", Fair(bytes(32)), options={"setup": "random"})).history.game
    code = position_code(game, game.start(2, None, Fair(bytes(range(32))), setup="random"), 0)
    analysis = HERE.of_code(code)
    at = analysed(analysis)
    assert analysis.root == code == at.line_code
    assert Line(KnownPosition(game, at.history.state, 0)).start.view == read_line(code).start.view
