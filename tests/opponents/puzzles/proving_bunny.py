"""Puzzles of Bounce Bunny Bounce proved again by the slow reading of the rules, which shares no code with the miner.

Each own move of the line, and no other one, is surely followed by a Carrot, this turn or next: for every card that an unknown
space may have, and for every move of the other side.
"""

from collections import Counter
from collections.abc import Iterator
from copy import deepcopy

from opponents.puzzles.puzzle import Goal, Proof, Puzzle
from tests.engines.bunny.slow import STEP, Place, Table, at

Action = tuple[str, ...]


class Knowledge:
    """A table as a seat knows it: the places whose cards it has not seen, and the cards that lie there."""

    def __init__(self, table: Table, unknown: frozenset[Place], rest: Counter[str]) -> None:
        self.table, self.unknown, self.rest = table, unknown, rest

    def known(self) -> tuple[object, ...]:
        table = self.table
        return (
            frozenset((place, card) for place, card in table.cards.items() if place not in self.unknown), self.unknown,
            frozenset(table.up), *table.bunnies, *table.shocks, *table.carrots, table.turn, table.chooser, table.phase,
        )  # fmt: skip

    def legal(self) -> list[Action]:
        """Every action; of two equal swaps one."""
        return sorted(action for action in self.table.legal() if action[0] != "swap" or action[1] < action[2])

    def after(self, action: Action) -> Iterator["Knowledge"]:
        """The tables after an action, for every way in which the cards that it turns up may turn out."""
        met = self.met(action)
        if met is None:
            table = deepcopy(self.table)
            table.play(action)
            unknown = self.unknown
            if action[0] == "swap" and (at(action[1]) in unknown) != (at(action[2]) in unknown):
                unknown ^= {at(action[1]), at(action[2])}
            yield Knowledge(table, unknown, self.rest)
            return
        for card, count in self.rest.items():
            if count:
                table = deepcopy(self.table)
                table.cards[met] = card
                yield from Knowledge(table, self.unknown - {met}, self.rest - Counter([card])).after(action)

    def met(self, action: Action) -> Place | None:
        """The first place with an unknown card on an action's way, if it shows one to the seat."""
        table, word = self.table, action[0]
        if word == "spy":
            return at(action[1]) if at(action[1]) in self.unknown and table.chooser == self.seat else None
        if word in {"swap", "pass"}:
            return None
        if word == "enter":
            here = ("abcdefg".index(action[1]), 0)
        else:
            mover = table.bunnies[1 - table.turn] if word == "shock" else table.bunnies[table.turn]
            here = table.ahead(mover, action[-1])
        seen: list[Place] = []
        while here is not None and here not in seen:
            if here in self.unknown:
                return here
            seen.append(here)
            if table.cards[here] not in STEP:
                return None
            here = table.ahead(here, table.cards[here])
        return None

    seat = 0


def knowledge_of(puzzle: Puzzle) -> Knowledge:
    """What the solver knows where a puzzle begins."""
    line = puzzle.line
    position = line.start.game.position(line.start.state)
    table = Table(position)
    unknown = frozenset(place for place in table.cards if place not in table.up and place not in table.bunnies)
    found = Knowledge(table, unknown, Counter(table.cards[place] for place in unknown))
    Knowledge.seat = puzzle.seat
    return found


class Prover:
    """Proves plans for one seat, and remembers them."""

    def __init__(self, seat: int, carrots: int) -> None:
        self.seat, self.carrots = seat, carrots
        self.proved: dict[tuple[object, ...], bool] = {}

    def sure(self, now: Knowledge, turns: int) -> bool:
        """Whether the seat surely gets a Carrot within so many of its turns."""
        table = now.table
        if table.carrots[self.seat] > self.carrots:
            return True
        if table.over() or not turns:
            return False
        key = (*now.known(), turns)
        if key not in self.proved:
            kept = (self.kept(now, action, turns) for action in now.legal())
            self.proved[key] = any(kept) if table.chooser == self.seat else all(kept)
        return self.proved[key]

    def kept(self, now: Knowledge, action: Action, turns: int) -> bool:
        """Whether it still does after an action, however its cards turn out."""
        return all(self.sure(after, self.turns_after(now, after, turns)) for after in now.after(action))

    def turns_after(self, now: Knowledge, after: Knowledge, turns: int) -> int:
        return turns - 1 if now.table.turn == self.seat and after.table.turn != self.seat else turns


def prove(puzzle: Puzzle) -> None:
    assert (puzzle.goal, puzzle.proof) == (Goal.CARROT, Proof.COVERED)
    now, turns = knowledge_of(puzzle), 2
    prover = Prover(puzzle.seat, now.table.carrots[puzzle.seat])
    assert not prover.sure(now, 1), "it is certain at once"
    for place, (seat, action) in enumerate(puzzle.line.actions, 1):
        assert seat == now.table.chooser
        legal = now.legal()
        action = ("swap", *sorted(action[1:])) if action[0] == "swap" else action
        assert action in legal
        if seat == puzzle.seat:
            sure = [other for other in legal if prover.kept(now, other, turns)]
            assert sure == [action], f"{sure} are certain"
        after = list(now.after(action))
        if len(after) > 1:
            assert place == len(puzzle.line.actions), "it turns up what nobody knows"
            return
        turns = prover.turns_after(now, after[0], turns)
        now = after[0]
