"""The judges of reviews tell a blunder from a good action, and the summary counts what they say."""

from itertools import product
from pathlib import Path
from random import Random
from typing import Any

from benchmarks.judges import Choice, loss_by_medium, loss_by_races, loss_by_search, world_of
from benchmarks.judging import Verdict, read, report, write
from engines import GAMES
from engines.bunny.field import SPACES
from opponents import Level
from opponents.bunny.kernel import CARDS
from tests.engines.bunny.cards import position
from tests.opponents.bouncers.test_opponent import position as bouncers
from tests.opponents.pucks.test_play import goal

BUNNY = GAMES["bunny"]


def choice(state: Any, seat: int = 0) -> Choice:
    return Choice(Level.EASY, state, seat, (), ())


def test_bouncers_a_capture_is_better_than_being_captured() -> None:
    state, capture = bouncers(0, ["d4", "d3", "g1"], ["d6", "d7", "b8"]), ("d4", "d5")
    assert loss_by_search(choice(state), (capture, ("g1", "g2"))) > 0.9
    assert loss_by_search(choice(state), (("g1", "g2"), capture)) < -0.9
    assert loss_by_search(choice(state), (capture, capture)) == 0


def test_bunny_the_last_carrot_is_better_than_a_bad_hop() -> None:
    cards = {"a1": "stop", "b1": "carrot", "g1": "left", "a2": "left", "a5": "left"}
    state = BUNNY.from_position(position(cards, bunnies=["a1", None], carrots=[2, 2]))
    lost = loss_by_races(choice(state), (("right",), ("up",)), games=60)
    assert 0.1 < lost <= 1


def test_bunny_a_world_keeps_what_is_known_and_deals_the_rest() -> None:
    state = BUNNY.from_position(position({"a1": "stop", "c3": "spy"}, bunnies=["a1", None]))
    hidden = [place for place, space in enumerate(SPACES) if space not in state.face_up and state.field[place] != "empty"]
    known, worlds = {"c3": "spy"}, list[list[str]]()
    for number in range(20):
        world = world_of(state, 0, known, {}, Random(number))
        worlds.append([CARDS[card] for card in world.cards])
        assert not world.dark[0] >> SPACES.index("c3") & 1
        assert world.dark[1] >> SPACES.index("c3") & 1, "the other seat has not seen it"
    assert all(world[SPACES.index("c3")] == "spy" and sorted(world) == sorted(state.field) for world in worlds)
    assert any(one != other for one, other in product(worlds, repeat=2))
    assert len({world[hidden[3]] for world in worlds}) > 1


def test_pucks_the_goal_that_wins_is_better_than_going_past_it() -> None:
    scored = [f"{side} p{number}" for side in ("red", "blue") for number in (2, 3, 4)]
    state = goal(scored=scored, pieces={"red p1": "b14", "blue p1": "b13", "red m1": "a11"})
    assert loss_by_medium(choice(state), (("p1", "up"), ("p1", "right")), games=6) > 0.2


def test_the_summary_counts_what_agrees() -> None:
    verdicts = {
        0: Verdict(("b",), 0.2, 1.0, 0.3, 0.1),
        1: Verdict(("b",), 0.1, 1.0, 0.04, 0.3),
        2: Verdict(("b",), 0.0, 2.0, 0.0, 0.06),
        3: Verdict(("b",), 0.0, 4.0, 0.01, 0.02),
    }
    words = report([choice(None)] * 4, verdicts).splitlines()
    assert words[0].startswith("easy: accuracy 0.")
    assert words[0].endswith(" of 4 choices, 2 slips")
    assert words[1] == "slips: 1 of 2 confirmed by eight times the thought, mean loss 0.170"
    assert words[2] == "slips: by the judge 0.200 ± 0.100 lost, by the review 0.150; 2 of 2 single ones agree"
    assert words[3] == "good choices: 2 of 2 confirmed by eight times the thought, mean loss 0.005"
    assert words[4] == "good choices: by the judge 0.040 ± 0.020 lost, by the review 0.000; 1 of 2 single ones agree"
    assert words[5] == "seconds a choice: 2.00"


def test_what_is_written_can_be_read_by_other_programs(tmp_path: Path) -> None:
    state = BUNNY.from_position(position({"a1": "stop"}, bunnies=["a1", None]))
    written = [choice(state)], {0: Verdict(("b", "c"), 0.2, 1.0, judged=0.1)}
    write(tmp_path / "game.pickle", *written)
    assert read(tmp_path / "game.pickle") == written
    assert b"benchmarks.judging" not in (tmp_path / "game.pickle").read_bytes(), "as a program the module has another name"
