"""What somebody has planned, played forward: the position after each reply of a tree, and what can be planned there."""

import hashlib
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Final

from bot.sessions import BrokenLog, History, Snapshot
from bot.sessions.trees import MOST_REPLIES, size
from engines.actions import Action
from storage.records import Entry, EntryKind, Plan, Reply

ABBREVIATED: Final = "~"
"""What an abbreviation begins with. No token of a game does."""

WRITTEN_OUT: Final = 20
"""The most characters of an action that a click says in full; its custom_id has room for more tokens then."""


@dataclass(frozen=True, slots=True)
class Branch:
    """A reply in its place in the tree.

    Attributes:
        number: its place among all, from 1; 0 for the root, which is the present board.
        path: which reply it is among those to the same position, for each position on the way there. Empty for the root.
        history: the game played forward to it, which then waits for the others.
    """

    number: int
    path: tuple[int, ...]
    history: History

    @property
    def theirs(self) -> str:
        """The action that is answered, in the notation of the game."""
        return self.history.log[-2].notation

    @property
    def mine(self) -> str:
        """The answer, in the notation of the game."""
        return self.history.log[-1].notation

    @property
    def reply(self) -> Reply:
        """The reply by itself, without what follows it."""
        theirs, mine = (logged.entry.tokens for logged in self.history.log[-2:])
        return Reply(theirs, mine)


@dataclass(frozen=True, slots=True)
class Ahead:
    """A seat's plan on the present board.

    Attributes:
        snapshot: the table.
        seat: the seat.
        plan: what its player has planned.
        branches: the root, and all replies, each before those that follow it.
    """

    snapshot: Snapshot
    seat: int
    plan: Plan
    branches: tuple[Branch, ...]

    @classmethod
    def of(cls, snapshot: Snapshot, seat: int, plan: Plan) -> "Ahead":
        """The plan of a seat, played forward. Replies that the rules do not allow are left out, and all that follows them."""
        root = Branch(0, (), snapshot.playing)
        found = _below(snapshot.playing, seat, plan.replies, ())
        numbered = (Branch(number, path, history) for number, (path, history) in enumerate(found, 1))
        return cls(snapshot, seat, plan, (root, *numbered))

    @property
    def replies(self) -> tuple[Branch, ...]:
        """All replies."""
        return self.branches[1:]

    @property
    def full(self) -> bool:
        """Whether there is no room for another reply."""
        return size(self.plan.replies) >= MOST_REPLIES

    def branch(self, number: int) -> Branch:
        """The branch with this number; the root if there is none."""
        return self.branches[number if 0 <= number < len(self.branches) else 0]

    def branch_at(self, path: tuple[int, ...]) -> Branch:
        """The branch with this path; the root if there is none."""
        return next((one for one in self.branches if one.path == path), self.branches[0])

    def after(self, branch: Branch) -> tuple[Branch, ...]:
        """The replies to what may be played after a branch."""
        length = len(branch.path) + 1
        return tuple(one for one in self.replies if len(one.path) == length and one.path[:-1] == branch.path)

    def below(self, branch: Branch) -> int:
        """How many replies follow a branch in all."""
        return sum(one.path[: len(branch.path)] == branch.path for one in self.replies) - (branch.number > 0)

    def answer(self, branch: Branch, theirs: Action) -> Branch | None:
        """The reply that is planned there to an action, or None."""
        return next((one for one in self.after(branch) if one.reply.theirs == theirs), None)

    def parent(self, branch: Branch) -> Branch:
        """The branch that a reply follows."""
        return self.branch_at(branch.path[:-1])

    def other(self, branch: Branch) -> int | None:
        """The seat whose action can be answered at a branch; None if there is none: it is the player's own turn, or the end."""
        to_act = branch.history.to_act
        return to_act[0] if len(to_act) == 1 and to_act[0] != self.seat else None

    def at(self, history: History) -> Snapshot:
        """The table as it will be when the game has been played forward to there."""
        return replace(self.snapshot, history=history)


def _below(
    history: History, seat: int, replies: Sequence[Reply], path: tuple[int, ...]
) -> Iterator[tuple[tuple[int, ...], History]]:
    """Each reply by its path, with the game after it; before those that follow it."""
    for index, reply in enumerate(replies):
        answered = forward(history, reply.theirs)
        after = None if answered is None or seat not in answered.to_act else forward(answered, reply.mine)
        if after is not None:
            here = (*path, index)
            yield here, after
            yield from _below(after, seat, reply.then, here)


def forward(history: History, action: Action) -> History | None:
    """The game after an action of whoever is to act, which nobody has played; None if the rules do not allow it."""
    if not history.to_act:
        return None
    entry = Entry(
        table_id=0, number=history.version + 1, kind=EntryKind.PLAY, seat=history.to_act[0], tokens=action, user_id=None, at=0.0
    )
    try:
        return history.appended(entry)
    except BrokenLog:
        return None


# --- actions in clicks ----------------------------------------------------------------------------------------------------


def abbreviated(tokens: Action) -> Action:
    """The beginning of an action as a single short token."""
    return (ABBREVIATED + hashlib.sha256(" ".join(tokens).encode()).hexdigest()[:10],)


def fitting(tokens: Action) -> Action:
    """The same, unless it is short enough as it is."""
    return tokens if len(" ".join(tokens)) <= WRITTEN_OUT else abbreviated(tokens)


def unabbreviated(history: History, tokens: Action) -> Action | None:
    """What was abbreviated, and the tokens after it; None if no action of whoever is to act begins like that."""
    if not tokens or not tokens[0].startswith(ABBREVIATED):
        return tokens
    beginnings = (
        action[:length]
        for seat in history.to_act
        for action in history.game.legal_actions(history.state, seat)
        for length in range(len(action), 0, -1)
    )
    meant = next((beginning for beginning in beginnings if abbreviated(beginning) == tokens[:1]), None)
    return None if meant is None else (*meant, *tokens[1:])
