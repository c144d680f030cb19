"""What has happened since a player was last asked, to be told in the message that asks them again.

It is worked out from the log alone, so a message can be written again exactly as it was. A story never begins between an action
and the planned action that answered it at once. The player who planned it is told of both when they are asked again.
"""

from collections.abc import Collection
from dataclasses import dataclass

from bot.core.table.history import History, HistoryEntry
from engines.game import Buttons, Event, foresee, part_of
from storage.schema.records import EntryKind


@dataclass(frozen=True, slots=True)
class Since:
    """Where a story begins: the words tell what happened after the version `told`, and the picture shows it after `drawn`."""

    told: int
    drawn: int


def story_of(history: History, computers: Collection[int] = ()) -> Since:
    """Return the story of the board that everybody sees. The seats of `computers` are told nothing.

    The story goes back to when the awaited players were last asked or, if there are several, to the earliest of these moments.
    A roll by button that only computers have answered belongs to the story, and so does the current turn so far. Once everybody
    still awaited has acted in this turn, the picture shows only the turn. While computers think, the story remains that of the
    last turn of people. After the game, the picture goes back to the beginning of the winners' last turn. A single player is
    told one action at a time.

    For a person among computers alone, the picture goes back to their own last turn, whose board it edits.
    """
    now, began = history.version, turn_began(history)
    if history.outcome is not None:
        return _ending(history, began, computers)
    if now > began and len(_live(history)) == 1:
        return Since(now - 1, now - 1)
    began = _turn_of_people(history, began, computers)
    asked = [seat for seat in history.awaited(began) if seat not in computers]
    told = min((_untold_since(history, seat, began, computers) for seat in asked), default=began)
    acted = {logged.entry.seat for logged in history.log[began:]}
    drawn = _set_off(history, began) if acted and acted >= set(history.to_act) - set(computers) else told
    people = [seat for seat in _live(history) if seat not in computers]
    return Since(told, min(drawn, _own_turn_began(history, people[0])) if computers and len(people) == 1 else drawn)


def turn_before(history: History, computers: Collection[int] = ()) -> tuple[int, int]:
    """Return the versions at which the turn before a board's turn began and ended. They are equal if there was no such turn.

    The board's message begins with that turn. Turns of computers belong to the person's turn before them, and planned actions
    to the action that they answer. After the game, the last turn is returned. For a single player, it is the last action.
    """
    now, began = history.version, turn_began(history)
    if history.outcome is not None:
        return _set_off(history, began), now
    if now > began and len(_live(history)) == 1:
        return now - 1, now
    began = _turn_of_people(history, began, computers)
    before = _turn_of_people(history, turn_began(history, began - 1), computers) if began else 0
    return _set_off(history, before), began


def own_story(history: History, seat: int) -> Since:
    """Return where one seat's story begins, which is when the seat was last asked, whichever seats are asked now."""
    now = history.version
    if history.outcome is not None or (len(_live(history)) == 1 and now > turn_began(history)):
        return story_of(history)
    began = _span_began(history, seat, now)
    told = asked_since(history, seat, began)
    acted = any(logged.entry.seat == seat for logged in history.log[began:])
    return Since(told, _set_off(history, began) if acted else told)


def own_turn_on(history: History, seat: int) -> int:
    """Return where a seat's picture begins, as a version, if no other message shows the seat's own last turn."""
    drawn = own_story(history, seat).drawn
    if len(_live(history)) == 1 and history.outcome is None:
        return drawn
    return min(drawn, _own_turn_began(history, seat))


def answered_on(history: History, seat: int) -> int:
    """Return where a seat's picture begins, as a version, if no other message shows the result of the seat's last action."""
    drawn = own_story(history, seat).drawn
    if not drawn or history.log[drawn - 1].undone or not _own(history.log[drawn - 1], seat):
        return drawn
    before = history.log[drawn - 2].state if drawn > 1 else history.first
    certain = foresee(history.game, before, seat, history.log[drawn - 1].entry.tokens) is not None
    return drawn if certain else drawn - 1


def since_acted(history: History, seat: int) -> int:
    """Return the version after a player's last action before this turn, or 0. Turns played in their absence do not count."""
    began = _span_began(history, seat, history.version)
    acted = (n for n in reversed(range(began)) if _own(history.log[n], seat) and seat in history.awaited(n))
    return next((n + 1 for n in acted if not history.log[n].undone), 0)


def turn_began(history: History, version: int | None = None) -> int:
    """Return the version with which the turn of `version` (None for the newest) began, when a new seat was awaited."""
    version = history.version if version is None else version
    return next((n for n in range(version, 0, -1) if asks_anew(history.awaited(n - 1), history.awaited(n))), 0)


def asks_anew(before: tuple[int, ...], after: tuple[int, ...]) -> bool:
    """Whether the game waits for a seat that it did not wait for before. If so, there is something to announce."""
    return not set(after) <= set(before)


def asked_since(history: History, seat: int, version: int | None = None) -> int:
    """Return the version after which nothing has been told to a seat that is asked at `version`, or now if that is None.

    It is the version after the seat's own last action, if that was made by hand and not taken back. If others went on or played
    for the seat, it is the version at which the seat was asked. It is 0 if the seat was not asked before.
    """
    version = history.version if version is None else version
    asked = (n for n in reversed(range(version)) if seat in history.awaited(n) and not history.log[n].undone)
    last = next((n for n in asked if not history.log[n].entry.fired), None)  # if no plan answered for it at once
    if last is None:
        return 0
    begins = last + 1
    while begins and seat in history.awaited(begins - 1) and not _own(history.log[begins - 1], seat):
        begins -= 1
    return _set_off(history, begins)


def standing(history: History, since: int, seat: int | None = None, *, until: int | None = None) -> tuple[Event, ...]:
    """Return the events after `since` that a seat, or a spectator if None, may know, without those that were taken back."""
    return tuple(
        event for logged in history.log[since:until] if not logged.undone for event in logged.events if event.known_to(seat)
    )


def _untold_since(history: History, seat: int, version: int, computers: Collection[int]) -> int:
    """Return what `asked_since` does, or one version less to include a roll by button that only computers have answered."""
    since = asked_since(history, seat, version)
    answered = since < version and all(set(computers).issuperset(history.awaited(n)) for n in range(since, version))
    if not (since and answered and _own(history.log[since - 1], seat)):
        return since
    game, before = history.game, history.log[since - 2].state if since > 1 else history.first
    shortcuts = part_of(game, Buttons).shortcuts(game.view(before, None))
    pressed = history.log[since - 1].entry.tokens in {shortcut.action for shortcut in shortcuts}
    return since - 1 if pressed and before.chance != history.log[since - 1].state.chance else since


def _ending(history: History, began: int, computers: Collection[int]) -> Since:
    outcome = history.outcome
    winners = () if outcome is None else outcome.winners
    drawn = _set_off(history, min([began, *(_last_span(history, seat) for seat in winners)]))
    told = [_untold_since(history, seat, history.version, computers) for seat in _live(history)]
    return Since(min([drawn, *told]), drawn)


def _turn_of_people(history: History, began: int, computers: Collection[int]) -> int:
    """Return the version with which the last turn of people began, at or before the turn that began with `began`."""
    while began and set(computers).issuperset(history.awaited(began)):
        began = turn_began(history, began - 1)
    return began


def _live(history: History) -> tuple[int, ...]:
    """Return the seats that still take part."""
    out = history.view(None).out
    return tuple(seat for seat in range(history.seats) if seat not in out)


def _own_turn_began(history: History, seat: int) -> int:
    """Return the version with which the last turn in which a seat's player acted began, or else the newest version."""
    acted = (n for n in reversed(range(history.version)) if _own(history.log[n], seat) and not history.log[n].undone)
    last = next((n for n in acted if seat in history.awaited(n)), None)
    return history.version if last is None else _set_off(history, _span_began(history, seat, last))


def _set_off(history: History, version: int) -> int:
    """Return the version before the action that a planned action at `version` answers, or else `version` itself."""
    while 0 < version < history.version and history.log[version].entry.fired:
        version -= 1
    return version


def _own(logged: HistoryEntry, seat: int) -> bool:
    """Whether the seat's player made this entry by hand, rather than another player, the bot, or the player's own plan."""
    entry = logged.entry
    return entry.seat == seat and entry.kind is EntryKind.PLAY and entry.user_id is not None and not entry.fired


def _span_began(history: History, seat: int, version: int) -> int:
    """Return since which version the game has waited for a seat that it awaits at `version`, or else `version` itself."""
    while version and seat in history.awaited(version) and seat in history.awaited(version - 1):
        version -= 1
    return version


def _last_span(history: History, seat: int) -> int:
    """Return the version with which the game last began to wait for a seat, or the newest version if it never has."""
    last = next((n for n in reversed(range(history.version + 1)) if seat in history.awaited(n)), None)
    return history.version if last is None else _span_began(history, seat, last)
