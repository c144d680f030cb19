"""The work of an action and of pictures is counted, and is hardly above the reference."""

import json
import subprocess
import sys
from dataclasses import asdict
from pathlib import Path
from typing import Any, Final
from unittest import mock

import pytest

from benchmarks import counted_pictures, kept
from benchmarks.measuring import ROOT
from renderers.renderer import Renderer

ONE: Final[kept.Counts] = {"an action": {"functions": 1000.0, "statements": 20.0}, "bunny-turn": {"sent": 500}}


def test_an_action_and_pictures_cost_at_most_a_tenth_more_than_the_reference() -> None:
    # In a process of its own, whose caches hold nothing of other tests.
    counted = [sys.executable, "-m", "benchmarks.counted", "--functions", "3"]
    *lines, last = subprocess.run(counted, cwd=ROOT, stdout=subprocess.PIPE, text=True, check=True).stdout.splitlines()
    found = kept.complaints(json.loads(last), kept.reference())
    assert not found, "\n".join(found)
    calls = [int(line.split()[0].replace(",", "")) for line in lines[-3:]]
    assert calls == sorted(calls, reverse=True)
    assert calls[-1] > 1000


def test_what_costs_up_to_a_tenth_more_is_no_complaint() -> None:
    assert not kept.complaints({"an action": {"functions": 1100.0, "statements": 10.0}, "bunny-turn": {"sent": 550}}, ONE)


def test_a_complaint_says_what_costs_how_much_more_and_which_command_keeps_it() -> None:
    now: kept.Counts = {"an action": {"functions": 1100.5, "statements": 20.0}, "bunny-turn": {"sent": 700}}
    keep = "If this is meant: .venv/bin/python -m benchmarks.counted --keep"
    assert kept.complaints(now, ONE) == [
        f"an action: functions 1,100.50 instead of 1,000.00, 1.101 times the reference, where 1.1 is allowed. {keep}",
        f"bunny-turn: sent 700.00 instead of 500.00, 1.400 times the reference, where 1.1 is allowed. {keep}",
    ]


def test_what_is_counted_without_a_reference_is_a_complaint_as_is_the_opposite() -> None:
    now: kept.Counts = {"an action": {"functions": 1000.0, "statements": 20.0}, "bunny-end": {"sent": 1}}
    new, gone = kept.complaints(now, ONE)
    assert new.startswith("bunny-end: sent has no reference.")
    assert gone.startswith("bunny-turn: sent has a reference, but is not counted.")


def test_what_cost_nothing_may_not_cost_anything() -> None:
    assert "none in the reference" in kept.complaints({"x": {"pixels": 1}}, {"x": {"pixels": 0}})[0]


def test_the_counts_that_are_kept_are_the_reference(tmp_path: Path) -> None:
    with mock.patch.object(kept, "PLACE", tmp_path / "reference.json"):
        kept.keep({"an action": {"functions": 1 / 3}})
        assert kept.reference() == {"an action": {"functions": 0.33}}


def test_each_kind_that_a_picture_costs_is_in_the_reference() -> None:
    assert set(kept.reference()) == {"an action", *counted_pictures.PICTURES}


@pytest.mark.parametrize("name", ["bouncers-start", "pucks-hand-alone"])
def test_a_picture_that_is_encoded_twice_is_a_complaint(name: str) -> None:
    encode = Renderer.encode

    def twice(*what: Any, **how: Any) -> bytes:
        encode(*what, **how)
        return encode(*what, **how)

    before = {name: asdict(counted_pictures.work_of(name))}
    with mock.patch.object(Renderer, "encode", twice):
        now = {name: asdict(counted_pictures.work_of(name))}
    kinds = [one.split()[1] for one in kept.complaints(now, before)]
    assert "pixels" in kinds
    assert "sent" not in kinds
