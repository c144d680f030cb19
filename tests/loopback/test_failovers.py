"""A bot plays on whatever happens to its PostgreSQL, without a restart."""

import asyncio
from pathlib import Path
from typing import Any

import pytest

from tests.databases import WANTED, WHY_NOT
from tests.loopback.failovers import Fault, Outcome, torment

pytestmark = [pytest.mark.server, pytest.mark.skipif(not WANTED, reason=WHY_NOT)]
ONCE_EACH = [fault for fault in Fault if fault is not Fault.LOSSY]


def outcome_of(folder: Path, *faults: Fault, **options: Any) -> Outcome:
    outcome = asyncio.run(torment(folder, faults, **options))
    assert (outcome.problems, [fault for fault, _ in outcome.resumed]) == ([], list(faults))
    assert outcome.told, "somebody must have pressed meanwhile, and be told"
    return outcome


@pytest.mark.slow
def test_a_failover_and_a_right_that_is_missing_lose_nothing_that_people_were_told_of(tmp_path: Path) -> None:
    assert not outcome_of(tmp_path, Fault.FAILOVER, Fault.REVOKED, seconds=2.0, games=4).lost


@pytest.mark.proof
def test_five_failovers_and_all_that_an_operator_may_do_lose_nothing_that_people_were_told_of(tmp_path: Path) -> None:
    assert not outcome_of(tmp_path, *[Fault.FAILOVER] * 4, *ONCE_EACH).lost


@pytest.mark.proof
def test_a_standby_that_had_fallen_behind_loses_the_last_moments_and_play_goes_on_from_there(tmp_path: Path) -> None:
    assert outcome_of(tmp_path, Fault.LOSSY, synchronous=False).lost
