"""A plan played forward: the position after each reply of its tree."""

import hashlib
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Final

from bot.core.table.history import BrokenLog, History
from bot.core.table.snapshot import Snapshot, size
from bot.features.plans.tree import MOST_REPLIES
from engines.actions import Action
from engines.game import legal_actions
from engines.text import Text
from storage.schema.records import Plan, Reply

ABBREVIATED: Final = "~"
"""The first character of an abbreviation. No token of a game begins with it."""

WRITTEN_OUT: Final = 20
"""The maximum length, in characters, of an action that a click contains in full. Longer ones are abbreviated to save room."""


@dataclass(frozen=True, slots=True)
class Branch:
    """A reply in the tree: its number (0 for the root), the `path` of indices that leads to it, and the game after it."""

    number: int
    path: tuple[int, ...]
    history: History

    @property
    def theirs(self) -> Text:
        """The other player's action that the reply answers, in words."""
        return self.history.action_words(self.history.log[-2])

    @property
    def mine(self) -> Text:
        """The player's answer, in words."""
        return self.history.action_words(self.history.log[-1])

    @property
    def reply(self) -> Reply:
        """The reply on its own, without the replies that follow it."""
        theirs, mine = (logged.entry.tokens for logged in self.history.log[-2:])
        return Reply(theirs, mine)


@dataclass(frozen=True, slots=True)
class Ahead:
    """A seat's plan on the current board: the root and all replies, each before those that follow it."""

    snapshot: Snapshot
    seat: int
    plan: Plan
    branches: tuple[Branch, ...]

    @classmethod
    def of(cls, snapshot: Snapshot, seat: int, plan: Plan) -> "Ahead":
        """Return a seat's plan played forward. Replies that are illegal are left out, with all that follow them."""
        root = Branch(0, (), snapshot.playing)
        found = _below(snapshot.playing, seat, plan.replies, ())
        numbered = (Branch(number, path, history) for number, (path, history) in enumerate(found, 1))
        return cls(snapshot, seat, plan, (root, *numbered))

    @property
    def replies(self) -> tuple[Branch, ...]:
        """All replies, without the root."""
        return self.branches[1:]

    @property
    def full(self) -> bool:
        """Whether the plan has no room for another reply."""
        return size(self.plan.replies) >= MOST_REPLIES

    def branch(self, number: int) -> Branch:
        """Return the branch with this number, or the root if there is none."""
        return self.branches[number if 0 <= number < len(self.branches) else 0]

    def branch_at(self, path: tuple[int, ...]) -> Branch:
        """Return the branch with this path, or the root if there is none."""
        return next((one for one in self.branches if one.path == path), self.branches[0])

    def after(self, branch: Branch) -> tuple[Branch, ...]:
        """Return the replies that directly follow a branch."""
        length = len(branch.path) + 1
        return tuple(one for one in self.replies if len(one.path) == length and one.path[:-1] == branch.path)

    def below(self, branch: Branch) -> int:
        """Return the number of replies that follow a branch, directly or indirectly."""
        return sum(one.path[: len(branch.path)] == branch.path for one in self.replies) - (branch.number > 0)

    def answer(self, branch: Branch, theirs: Action) -> Branch | None:
        """Return the reply planned at a branch to the other player's action `theirs`, or None."""
        return next((one for one in self.after(branch) if one.reply.theirs == theirs), None)

    def parent(self, branch: Branch) -> Branch:
        """Return the branch that a reply directly follows."""
        return self.branch_at(branch.path[:-1])

    def other(self, branch: Branch) -> int | None:
        """Return the seat whose action can be answered at a branch, or None on the player's own turn or at the end."""
        to_act = branch.history.to_act
        return to_act[0] if len(to_act) == 1 and to_act[0] != self.seat else None


def _below(
    history: History, seat: int, replies: Sequence[Reply], path: tuple[int, ...]
) -> Iterator[tuple[tuple[int, ...], History]]:
    """Yield the path of each reply and the game after it. A reply comes before those that follow it."""
    for index, reply in enumerate(replies):
        answered = forward(history, reply.theirs)
        after = None if answered is None or seat not in answered.to_act else forward(answered, reply.mine)
        if after is not None:
            here = (*path, index)
            yield here, after
            yield from _below(after, seat, reply.then, here)


def forward(history: History, action: Action) -> History | None:
    """Return the game after an action of the seat to act, or None if the action is illegal."""
    if not history.to_act:
        return None
    try:
        return history.forward(history.to_act[0], action)
    except BrokenLog:
        return None


def abbreviate(tokens: Action) -> Action:
    """Return a single short token that stands for all tokens of an action."""
    return (ABBREVIATED + hashlib.sha256(" ".join(tokens).encode()).hexdigest()[:10],)


def abbreviate_if_long(tokens: Action) -> Action:
    """Return the tokens of an action, abbreviated if they are long."""
    return tokens if len(" ".join(tokens)) <= WRITTEN_OUT else abbreviate(tokens)


def expand(history: History, tokens: Action) -> Action | None:
    """Return tokens with any abbreviation at the beginning written out, or None if no legal action begins like that."""
    if not tokens or not tokens[0].startswith(ABBREVIATED):
        return tokens
    beginnings = (
        action[:length]
        for seat in history.to_act
        for action in legal_actions(history.game, history.state, seat)
        for length in range(len(action), 0, -1)
    )
    meant = next((beginning for beginning in beginnings if abbreviate(beginning) == tokens[:1]), None)
    return None if meant is None else (*meant, *tokens[1:])
