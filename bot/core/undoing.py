"""Undoing: which actions a player could take back."""

from bot.core.table.computer_players import is_computer
from bot.core.table.errors import Refused
from bot.core.table.history import History, HistoryEntry, newest
from bot.core.table.snapshot import Snapshot
from engines.game import Step, is_reversible
from engines.text import Text, join, say, seat_name
from storage.schema.records import Entry, EntryKind


def may_undo(snapshot: Snapshot, seat: int) -> bool:
    """Whether a seat can now ask to take back its own last action, or agree to another player's taking back theirs."""
    standing = snapshot.table.offers.undo
    if standing is not None and standing.version == snapshot.table.version:
        return seat not in standing.agreed
    return may_take_back(snapshot, seat)


def may_take_back(snapshot: Snapshot, seat: int) -> bool:
    """Whether a seat's own last action could be taken back if the others agreed."""
    try:
        undoable(snapshot, seat)
    except Refused:
        return False
    return True


def undoable(snapshot: Snapshot, seat: int) -> tuple[Text, int]:
    """Describe what would be taken back for a seat, and count the log entries, answers included. Raises Refused if none."""
    history = snapshot.playing
    taken: list[HistoryEntry] = []
    standing = newest(history.log)
    for index in standing:
        taken.append(history.log[index])
        if not _is_answer(history, taken[-1].entry, seat):
            break
    if not taken:
        raise Refused(say("There’s nothing to take back yet."))
    own = taken[-1]
    if own.entry.kind is not EntryKind.PLAY or own.entry.seat != seat or own.entry.user_id is None:
        raise Refused(say("You can only take back your own last move, and only if nobody has moved since."))
    before = next((history.log[index].state for index in standing), history.first)
    for logged in reversed(taken):
        if not is_reversible(history.game, before, logged.entry.tokens, Step(logged.state, logged.events)):
            words = history.action_words(logged)
            refused = say("“{action}” can’t be taken back: it drew or turned up a card, or rolled the dice.", action=words)
            raise Refused(refused, snapshot.names)
        before = logged.state
    what = say("{who}: {action}", who=seat_name(seat), action=history.action_words(own))
    if len(taken) > 1:
        answers = join([history.action_words(logged) for logged in reversed(taken[:-1])], ", ")
        if any(is_computer(logged.entry.user_id) for logged in taken[:-1]):
            return say("{what}, and what was played in reply: {answers}", what=what, answers=answers), len(taken)
        what = say("{what}, and the planned reply: {answers}", what=what, answers=answers)
    return what, len(taken)


def _is_answer(history: History, entry: Entry, seat: int) -> bool:
    """Whether an entry was made by a computer, or was openly planned by another player."""
    if entry.kind is not EntryKind.PLAY or entry.seat == seat:
        return False
    return is_computer(entry.user_id) or (history.game.conditional and entry.fired)
