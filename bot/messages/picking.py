"""Picking an action token by token, along `Game.choices`; panels show it."""

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
"""The most items shown as buttons, in four rows. More are divided into regions, or put in a select menu."""

OPENED_AT_MOST: Final = 12
"""The most items when the tokens after a verb replace it: three rows on a phone, with the board still in sight."""

BESIDE_PIECES: Final = 2
"""The most tokens after a verb that replace it where pieces can be picked, too: more would turn one row into three."""

ROW_TO_GO_ON: Final = 5
"""The buttons of the row that goes on from the last action. Other items have that much less room."""


@dataclass(frozen=True, slots=True)
class MenuItem:
    """A menu item: the tokens that it picks (one, or a verb and one more; see `Game.verbs`), and the last one's choice."""

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
        prefix: the tokens so far, including those without an alternative, which are picked automatically.
        final: whether the prefix is a whole action.
        choices: the tokens that may come next.
        items: the items to pick: these tokens, or in place of a verb the tokens after it.
        untouched: whether the player has picked nothing yet.
        begun: whether the player has decided anything: tokens without an alternative are no decision.
        going_on: while nothing is picked, the items that go on from the player's last action: directions of the piece just
            moved. They come before the others, which lack this piece.
        again: the last action, if it can be repeated; else empty.
        anew: beside `going_on`, the items of all pieces.
        verbs: first tokens that name no piece; see `Game.verbs`.
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
        """Whether the action is complete, and nothing can follow."""
        return self.final and not self.choices


@dataclass(frozen=True, slots=True)
class Picker:
    """Picks a seat's action, one token after the other.

    Attributes:
        choices: returns the tokens that may follow a prefix.
        verbs: first tokens to be replaced by the tokens after them, if there is room.
        last: the newest action of the game, if it is the seat's own; else empty.
        following: how the action that goes on from it begins; see `Buttons.following`.
    """

    seat: int
    choices: Callable[[Action], Sequence[Choice]]
    verbs: tuple[Token, ...] = ()
    last: Action = ()
    following: Action = ()
    _known: dict[Action, tuple[Choice, ...]] = field(default_factory=dict, repr=False, compare=False)

    def pick(self, tokens: Action) -> Pick:
        """Follow legal tokens, and on without alternatives, but no further than a last step that needs a button."""
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
        """The pick one decision earlier, past all tokens that were picked automatically."""
        here, start = self.pick(tokens), self.pick(())
        unasked = {item.tokens[:-1] for item in (*start.items, *start.going_on)} | {start.prefix}
        for length in range(len(here.prefix) - 1, 0, -1):
            earlier = self.pick(here.prefix[:length])
            if len(earlier.prefix) < len(here.prefix) and earlier.prefix not in unasked:
                return earlier
        return start

    def following_verb(self, verb: Token) -> list[MenuItem]:
        """The items after a verb; none if it cannot be picked."""
        possible = any(choice.token == verb for choice in self._after(()))
        return [MenuItem((verb, after.token), after) for after in self._after((verb,))] if possible else []

    def _after(self, prefix: Action) -> tuple[Choice, ...]:
        if prefix not in self._known:
            self._known[prefix] = tuple(self.choices(prefix))
        return self._known[prefix]

    def _going_on(self, choices: tuple[Choice, ...]) -> tuple[MenuItem, ...]:
        """The items that go on from the last action, if the others leave room for them."""
        found = tuple(MenuItem((*self.following, choice.token), choice) for choice in self._after(self.following))
        fits = len(found) <= ROW_TO_GO_ON and len(choices) <= BUTTONS_AT_MOST - ROW_TO_GO_ON
        return found if self.following and fits else ()

    def _items(self, prefix: Action, choices: tuple[Choice, ...], going_on: tuple[MenuItem, ...]) -> tuple[MenuItem, ...]:
        """An item for each choice. At first the tokens after a verb replace it, if there is room; beside pieces only few."""
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
    """The pick at the beginning of an action, with only what may follow these verbs: the cards of a hand."""
    picker = action_picker(position, seat)
    items = [item for verb in verbs for item in picker.following_verb(verb)]
    return replace(picker.pick(()), prefix=(), items=tuple(items), going_on=())


def action_picker(position: Position, seat: int) -> Picker:
    """The picker for a seat's actions."""
    game, state, last = position.game, position.state, position.last_action_of(seat)
    following = part_of(game, Buttons).following(state, seat, last) if last else ()
    return Picker(seat, lambda prefix: game.choices(state, seat, prefix), game.verbs, last, following)


def pick(position: Position, seat: int, tokens: Action) -> Pick:
    """Pick a seat's action as far as the tokens go; see `Picker.pick`."""
    return action_picker(position, seat).pick(tokens)


def regions(game: Game[Any, Any], items: tuple[MenuItem, ...]) -> tuple[Region, ...]:
    """The regions of the board that divide the items, unless each fits as a button, or one is no place on the board."""
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
    """The question after a seat's picks in its language, past whatever leaves nothing to decide; at first the public one."""
    asked = part_of(position.game, Words).prompt(position.state, picked.seat, picked.prefix)
    return sentence(in_words(question(position, picked.seat) if asked is None else asked))


def preview_of(snapshot: Snapshot, picked: Pick) -> Step[Any] | None:
    """The result of a complete action if it deserves a look before it is played, or None.

    It does if it is certain, a picture shows it, and only the others' consent could take it back. Against computers alone, it
    does not if it can be taken back and the turn goes on, it wins, or its button has told it all.
    """
    if not picked.whole or len(snapshot.present) < 2:
        return None
    step = certain_step(snapshot.position, picked)
    return None if step is None or (snapshot.is_alone and _is_light(snapshot.position, picked, step)) else step


def _is_light(position: Position, picked: Pick, step: Step[Any]) -> bool:
    """Whether an action can be taken back, and its turn goes on, or it wins, or one button has told all of it."""
    game, action = position.game, picked.prefix
    goes_on, outcome = game.to_act(step.state) == (picked.seat,), game.outcome(step.state)
    wins = outcome is not None and picked.seat in outcome.winners
    return (goes_on or wins or len(action) == 1) and is_reversible(game, position.state, action, step)


def certain_step(position: Position, picked: Pick) -> Step[Any] | None:
    """The result of a complete action, if it is certain for its seat and a picture shows it; else None."""
    step: Step[Any] | None = foresee(position.game, position.state, picked.seat, picked.prefix)
    if step is None or not any(event.detail is not None and event.known_to(picked.seat) for event in step.events):
        return None
    return step
