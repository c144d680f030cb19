"""The picking of an action token by token, along `Game.choices`. Panels show it."""

import itertools
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, Final

from bot.core.table.position import Position
from bot.core.table.snapshot import Snapshot
from bot.messages.asking import question, sentence
from engines.game import Action, Buttons, Choice, Game, Step, Token, Words, foresee, is_reversible, part_of
from engines.text import Text

BUTTONS_AT_MOST: Final = 20
"""The most items that are shown as buttons, in four rows. More are divided into regions, or put into a select menu."""

OPENED_AT_MOST: Final = 12
"""The most items if a verb is replaced with the tokens after it: three rows on a phone, with the board still in sight."""

BESIDE_PIECES: Final = 2
"""The most tokens that may replace a verb where pieces can be picked, too. More would turn one row into three."""

ROW_TO_GO_ON: Final = 5
"""The most buttons in the row that continues the last action. Other items have that much less room."""


@dataclass(frozen=True, slots=True)
class MenuItem:
    """A menu item: the tokens that it picks (one, or a verb and one more; see `Game.verbs`), and the choice of the last one."""

    tokens: Action
    choice: Choice


@dataclass(frozen=True, slots=True)
class Region:
    """A part of the board with items to pick."""

    title: Text
    items: tuple[MenuItem, ...]


@dataclass(frozen=True, slots=True)
class Pick:
    """A partly picked action.

    Attributes:
        seat: the seat that acts.
        prefix: the tokens so far, including tokens without an alternative, which are picked automatically.
        final: whether the prefix is a whole action.
        choices: the tokens that may come next.
        items: the items to pick: these tokens, where a verb may be replaced with the tokens after it.
        untouched: whether the player has picked nothing yet.
        begun: whether the player has decided anything. A token without an alternative is no decision.
        going_on: while nothing is picked, the items that continue the player's last action, namely the directions of the piece
            just moved. They come before the other items, which then leave out this piece.
        again: the last action, if it can be repeated; else empty.
        anew: if there are items `going_on`, the items of all pieces.
        verbs: the first tokens that name no piece; see `Game.verbs`.
    """

    seat: int
    prefix: Action
    final: bool
    choices: tuple[Choice, ...]
    items: tuple[MenuItem, ...]
    untouched: bool
    begun: bool = False
    going_on: tuple[MenuItem, ...] = ()
    again: Action = ()
    anew: tuple[MenuItem, ...] = ()
    verbs: tuple[Token, ...] = ()

    @property
    def whole(self) -> bool:
        """Whether the action is complete and nothing can follow it."""
        return self.final and not self.choices


@dataclass(frozen=True, slots=True)
class Picker:
    """Picks a seat's action, one token after the other.

    Attributes:
        choices: returns the tokens that may follow a prefix.
        verbs: the first tokens that are replaced with the tokens after them, if there is room.
        last: the newest action of the game, if it is the seat's own; else empty.
        following: how an action that continues the last one begins; see `Buttons.following`.
    """

    seat: int
    choices: Callable[[Action], Sequence[Choice]]
    verbs: tuple[Token, ...] = ()
    last: Action = ()
    following: Action = ()
    _known: dict[Action, tuple[Choice, ...]] = field(default_factory=dict, repr=False, compare=False)

    def pick(self, tokens: Action) -> Pick:
        """Follow legal tokens, and then any tokens without an alternative, but stop before a last step that needs a button."""
        prefix: Action = ()
        final = begun = False
        choices = self._after(prefix)
        for token in tokens:
            chosen = next((choice for choice in choices if choice.token == token), None)
            if chosen is None:
                break
            begun = begun or len(choices) > 1 or chosen.final
            prefix, final = (*prefix, token), chosen.final
            choices = self._after(prefix)
        untouched = not prefix
        while not final and len(choices) == 1 and not (untouched and choices[0].final):
            (only,) = choices
            begun = begun or only.final
            prefix, final = (*prefix, only.token), only.final
            choices = self._after(prefix)
        going_on = self._going_on(choices) if not prefix else ()
        items = self._items(prefix, choices, going_on)
        again = self.last if any(item.tokens == self.last and item.choice.final for item in going_on) else ()
        anew = self._items(prefix, choices, ()) if going_on else ()
        return Pick(self.seat, prefix, final, choices, items, untouched, begun, going_on, again, anew, self.verbs)

    def back(self, tokens: Action) -> Pick:
        """Return the pick one decision earlier, skipping all tokens that were picked automatically."""
        here, start = self.pick(tokens), self.pick(())
        unasked = {item.tokens[:-1] for item in (*start.items, *start.going_on)} | {start.prefix}
        for length in range(len(here.prefix) - 1, 0, -1):
            earlier = self.pick(here.prefix[:length])
            if len(earlier.prefix) < len(here.prefix) and earlier.prefix not in unasked:
                return earlier
        return start

    def following_verb(self, verb: Token) -> list[MenuItem]:
        """Return the items after a verb, or none if the verb cannot be picked."""
        possible = any(choice.token == verb for choice in self._after(()))
        return [MenuItem((verb, after.token), after) for after in self._after((verb,))] if possible else []

    def _after(self, prefix: Action) -> tuple[Choice, ...]:
        if prefix not in self._known:
            self._known[prefix] = tuple(self.choices(prefix))
        return self._known[prefix]

    def _going_on(self, choices: tuple[Choice, ...]) -> tuple[MenuItem, ...]:
        """Return the items that continue the last action, if the other items leave room for them."""
        found = tuple(MenuItem((*self.following, choice.token), choice) for choice in self._after(self.following))
        fits = len(found) <= ROW_TO_GO_ON and len(choices) <= BUTTONS_AT_MOST - ROW_TO_GO_ON
        return found if self.following and fits else ()

    def _items(self, prefix: Action, choices: tuple[Choice, ...], going_on: tuple[MenuItem, ...]) -> tuple[MenuItem, ...]:
        """Return an item for each choice. At the beginning of an action, a verb gives way to its tokens, if there is room."""
        gone = {item.tokens[:-1] for item in going_on}
        shown = tuple(MenuItem((choice.token,), choice) for choice in choices if (choice.token,) not in gone)
        verbs = () if prefix else self.verbs
        beside = bool(going_on) or any(not item.choice.final and item.choice.token not in verbs for item in shown)

        def opening(item: MenuItem) -> list[MenuItem]:
            found = [MenuItem((*item.tokens, after.token), after) for after in self._after(item.tokens)]
            return [item] if beside and len(found) > BESIDE_PIECES else found

        opened = tuple(itertools.chain.from_iterable(opening(item) if item.choice.token in verbs else [item] for item in shown))
        return opened if len(opened) <= OPENED_AT_MOST - (ROW_TO_GO_ON if going_on else 0) else shown


def hand_items(position: Position, seat: int, verbs: tuple[Token, ...]) -> Pick:
    """Return the pick at the beginning of an action, with only the items that may follow these verbs: the cards of a hand."""
    picker = action_picker(position, seat)
    items = [item for verb in verbs for item in picker.following_verb(verb)]
    return replace(picker.pick(()), prefix=(), items=tuple(items), going_on=())


def action_picker(position: Position, seat: int) -> Picker:
    """Return the picker for a seat's actions."""
    game, state, last = position.game, position.state, position.last_action_of(seat)
    following = part_of(game, Buttons).following(state, seat, last) if last else ()
    return Picker(seat, lambda prefix: game.choices(state, seat, prefix), game.verbs, last, following)


def pick(position: Position, seat: int, tokens: Action) -> Pick:
    """Pick a seat's action as far as the tokens go; see `Picker.pick`."""
    return action_picker(position, seat).pick(tokens)


def regions(game: Game[Any, Any], items: tuple[MenuItem, ...]) -> tuple[Region, ...]:
    """Return the board's regions that divide the items, or none if each item fits as a button or one is not on the board."""
    if len(items) <= BUTTONS_AT_MOST:
        return ()
    found: dict[str, Region] = {}
    for item in items:
        region = part_of(game, Words).region(item.choice.token)
        if region is None:
            return ()
        key, title = region
        others = found[key].items if key in found else ()
        found[key] = Region(title, (*others, item))
    ordered = tuple(found[key] for key in sorted(found, key=lambda key: (len(key), key)))
    fits = all(len(some) <= BUTTONS_AT_MOST for some in (ordered, *(region.items for region in ordered)))
    return ordered if fits and len(ordered) > 1 else ()


def prompt_of(position: Position, picked: Pick, in_words: Callable[[Text], str]) -> str:
    """Return the question after a seat's picks, including automatic ones, or the public question if the game has none."""
    asked = part_of(position.game, Words).prompt(position.state, picked.seat, picked.prefix)
    return sentence(in_words(question(position, picked.seat) if asked is None else asked))


def preview_of(snapshot: Snapshot, picked: Pick) -> Step[Any] | None:
    """Return the result of a complete action if it deserves a look before it is played, or None.

    It deserves one if the result is certain, a picture shows it, and the action could be taken back only if the others agree.
    Against computers alone, an action that can be taken back deserves no look if its turn goes on, if it wins, or if a single
    button has told all of it.
    """
    if not picked.whole or len(snapshot.present) < 2:
        return None
    step = certain_step(snapshot.position, picked)
    return None if step is None or (snapshot.is_alone and _is_light(snapshot.position, picked, step)) else step


def _is_light(position: Position, picked: Pick, step: Step[Any]) -> bool:
    """Whether an action can be taken back and, besides, its turn goes on, it wins, or a single button has told all of it."""
    game, action = position.game, picked.prefix
    goes_on, outcome = game.to_act(step.state) == (picked.seat,), game.outcome(step.state)
    wins = outcome is not None and picked.seat in outcome.winners
    return (goes_on or wins or len(action) == 1) and is_reversible(game, position.state, action, step)


def certain_step(position: Position, picked: Pick) -> Step[Any] | None:
    """Return the result of a complete action if it is certain for its seat and a picture shows it, or else None."""
    step: Step[Any] | None = foresee(position.game, position.state, picked.seat, picked.prefix)
    if step is None or not any(event.detail is not None and event.known_to(picked.seat) for event in step.events):
        return None
    return step
