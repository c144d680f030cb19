"""Trees of replies of the form "If they play …, I play …", each followed by further replies.

A *path* leads to a reply. It is the index of the reply to choose at each position on the way. The empty path stands for the
current position.
"""

from dataclasses import replace
from typing import Any, Final

from bot.core.table.errors import Refused, Stale
from bot.core.table.history import History
from bot.core.table.snapshot import Tree, size
from engines.game import Action, is_whole
from engines.text import say
from storage.schema.records import Reply

MOST_REPLIES: Final = 40

Path = tuple[int, ...]


def below(tree: Tree, path: Path) -> Tree:
    """Return the replies that follow the reply at the end of a path. Raises Stale if the path leads nowhere."""
    for reply in along(tree, path):
        tree = reply.then
    return tree


def along(tree: Tree, path: Path) -> Tree:
    """Return the replies along a path, including the last. Raises Stale if the path leads nowhere."""
    way: Tree = ()
    for index in path:
        if not 0 <= index < len(tree):
            raise Stale(say("That’s no longer in your plan. Here’s what you’ve planned now."))
        way = (*way, tree[index])
        tree = tree[index].then
    return way


def with_reply(tree: Tree, path: Path, theirs: Action, mine: Action) -> Tree:
    """Return the tree with a reply after a path, in place of any reply to the same action. Raises Stale, or Refused if full."""
    found = below(tree, path)
    if Reply(theirs, mine) in (Reply(reply.theirs, reply.mine) for reply in found):
        return tree
    place = next((index for index, reply in enumerate(found) if reply.theirs == theirs), len(found))
    tree = _with(tree, path, (*found[:place], Reply(theirs, mine), *found[place + 1 :]))
    if size(tree) > MOST_REPLIES:
        raise Refused(say("You’ve planned {most} replies, and there’s no room for more. Remove one first.", most=MOST_REPLIES))
    return tree


def without(tree: Tree, path: Path) -> Tree:
    """Return the tree without the reply at the end of a path and all that follow it. Raises Stale if the path leads nowhere."""
    if not along(tree, path):
        return ()
    *before, index = path
    found = below(tree, tuple(before))
    return _with(tree, tuple(before), (*found[:index], *found[index + 1 :]))


def _with(tree: Tree, path: Path, replies: Tree) -> Tree:
    """Return the tree in which these replies follow the reply at the end of a path."""
    if not path:
        return replies
    index, *rest = path
    changed = replace(tree[index], then=_with(tree[index].then, tuple(rest), replies))
    return (*tree[:index], changed, *tree[index + 1 :])


def played_forward(history: History, seat: int, way: Tree) -> Any:
    """Return the state after these replies of a waiting seat and the actions they answer. Raises Stale if any is illegal."""
    game, state = history.game, history.state
    for reply in way:
        for mine, action in ((False, reply.theirs), (True, reply.mine)):
            awaited = game.to_act(state)
            actor = seat if mine else next((other for other in awaited if other != seat), None)
            if actor is None or actor not in awaited or not is_whole(game, state, actor, action):
                raise Stale(say("Some of what you’ve planned isn’t possible any more."))
            state = game.play(state, actor, action).state
    return state
