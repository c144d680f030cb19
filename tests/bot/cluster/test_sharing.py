"""Sharing the shards out: all are run, evenly, and nobody keeps passing them round."""

from dataclasses import dataclass, field

from hypothesis import given
from hypothesis import strategies as st

from bot.cluster.sharing import Sharing


@dataclass
class Rows:
    """The leases as all processes read them, and how each process reacts in its turn."""

    held: dict[int, str | None]
    processes: list[str]
    handed_over: int = 0
    order: list[str] = field(default_factory=list)

    def turn(self, me: str) -> None:
        sharing = Sharing(me, self.processes, dict(self.held))
        for shard in sharing.wanted:
            assert self.held[shard] is None
            self.held[shard] = me
        if sharing.to_hand_over is not None:
            assert self.held[sharing.to_hand_over] == me
            self.held[sharing.to_hand_over] = None
            self.handed_over += 1

    def counts(self) -> list[int]:
        return [list(self.held.values()).count(process) for process in self.processes]

    def settle(self) -> None:
        for _ in range(4 * len(self.held) + 4):
            before = dict(self.held)
            for process in self.processes:
                self.turn(process)
            if self.held == before:
                return
        raise AssertionError(f"it never comes to rest: {self.held}")


@given(st.integers(1, 40), st.integers(1, 9), st.data())
def test_every_shard_is_run_and_the_processes_run_about_as_many(shards: int, processes: int, data: st.DataObject) -> None:
    names = [f"p{number}" for number in range(processes)]
    owners = st.sampled_from([None, *names])
    rows = Rows({shard: data.draw(owners) for shard in range(shards)}, names)
    rows.settle()
    assert None not in rows.held.values()
    assert max(rows.counts()) - min(rows.counts()) <= 1


@given(st.integers(1, 40), st.integers(1, 8))
def test_one_who_comes_gets_a_fair_share_and_no_more_is_moved_than_that(shards: int, processes: int) -> None:
    names = [f"p{number}" for number in range(processes)]
    rows = Rows(dict.fromkeys(range(shards)), names)
    rows.settle()
    assert rows.handed_over == 0
    rows.processes.append("newcomer")
    rows.settle()
    assert rows.handed_over <= shards // (processes + 1) + processes


@given(st.integers(1, 40), st.integers(2, 8))
def test_what_somebody_leaves_goes_to_the_others(shards: int, processes: int) -> None:
    names = [f"p{number}" for number in range(processes)]
    rows = Rows(dict.fromkeys(range(shards)), names)
    rows.settle()
    gone = rows.processes.pop()
    rows.held = {shard: None if owner == gone else owner for shard, owner in rows.held.items()}
    rows.settle()
    assert None not in rows.held.values()
    assert gone not in rows.held.values()


def test_pinned_shards_are_claimed_by_whom_they_are_meant_for_and_given_up_by_others() -> None:
    held: dict[int, str | None] = {0: None, 1: None, 2: "me", 3: "another"}
    sharing = Sharing("me", ["me", "another"], held, {1, 3}.__contains__)
    assert (sharing.wanted, sharing.to_hand_over) == ((1,), 2)


def test_a_process_that_is_about_to_end_claims_nothing() -> None:
    sharing = Sharing("me", ["another"], {0: None, 1: "me"})
    assert (sharing.fair_share, sharing.wanted, sharing.to_hand_over) == (0, (), None)
