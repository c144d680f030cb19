"""How far an action has been picked, and what can be picked next. It follows `Game.choices`; panels show it."""

import itertools
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, Final

from bot.sessions import History, Snapshot
from engines.game import Action, Choice, Game, Step, Token
from engines.text import Text

BUTTONS_AT_MOST: Final = 20
"""How many things to pick are shown as buttons, four rows of them. More are looked for region by region, or in a menu."""


@dataclass(frozen=True, slots=True)
class Offer:
    """Something to pick.

    Attributes:
        tokens: what is picked with it: one token, or a verb (see `Game.verbs`) and one token.
        choice: the last of these tokens, with its label.
    """

    tokens: Action
    choice: Choice


@dataclass(frozen=True, slots=True)
class Region:
    """A part of the board in which there is something to pick: its name, and what can be picked there."""

    title: Text
    offers: tuple[Offer, ...]


@dataclass(frozen=True, slots=True)
class Pick:
    """A partly picked action.

    Attributes:
        seat: the seat that acts.
        prefix: the tokens picked so far, including those picked by themselves because there was no alternative.
        final: whether the prefix is a whole action.
        choices: the tokens that may come next.
        offers: what is offered to be picked: these tokens, or for a verb what may follow it.
        untouched: whether the player has not picked anything yet.
    """

    seat: int
    prefix: Action
    final: bool
    choices: tuple[Choice, ...]
    offers: tuple[Offer, ...]
    untouched: bool

    @property
    def whole(self) -> bool:
        """Whether the action is complete, and nothing can follow."""
        return self.final and not self.choices


@dataclass(frozen=True, slots=True)
class Ways:
    """What a seat can pick, one token after the other.

    Attributes:
        seat: the seat.
        choices: the tokens that may come next, by those picked so far.
        verbs: first tokens in whose place what may follow them is offered, as far as there is room.
    """

    seat: int
    choices: Callable[[Action], Sequence[Choice]]
    verbs: tuple[Token, ...] = ()

    def pick(self, tokens: Action) -> Pick:
        """Follow the choices along the given tokens as far as they are legal, and on while there is no alternative.

        As long as the player has picked nothing, nothing is completed: there is something to press in every panel.
        """
        prefix: Action = ()
        final = False
        choices = self._after(prefix)
        for token in tokens:
            chosen = next((choice for choice in choices if choice.token == token), None)
            if chosen is None:
                break
            prefix, final = (*prefix, token), chosen.final
            choices = self._after(prefix)
        untouched = not prefix
        while not final and len(choices) == 1 and not (untouched and choices[0].final):
            (only,) = choices
            prefix, final = (*prefix, only.token), only.final
            choices = self._after(prefix)
        return Pick(self.seat, prefix, final, choices, self._offers(prefix, choices), untouched)

    def back(self, tokens: Action) -> Pick:
        """The pick one decision earlier, past all tokens that were picked by themselves, and past verbs not asked for."""
        here, start = self.pick(tokens), self.pick(())
        unasked = {offer.tokens[:-1] for offer in start.offers} | {start.prefix}
        for length in range(len(here.prefix) - 1, 0, -1):
            earlier = self.pick(here.prefix[:length])
            if len(earlier.prefix) < len(here.prefix) and earlier.prefix not in unasked:
                return earlier
        return start

    def _after(self, prefix: Action) -> tuple[Choice, ...]:
        return tuple(self.choices(prefix))

    def _offers(self, prefix: Action, choices: tuple[Choice, ...]) -> tuple[Offer, ...]:
        """An offer for each choice; at the beginning, in place of verbs, what may follow them, unless that is too much."""
        shown = tuple(Offer((choice.token,), choice) for choice in choices)
        verbs = () if prefix else self.verbs
        opened = tuple(
            itertools.chain.from_iterable(
                [Offer((*offer.tokens, after.token), after) for after in self._after(offer.tokens)]
                if offer.choice.token in verbs
                else [offer]
                for offer in shown
            )
        )
        return opened if len(opened) <= BUTTONS_AT_MOST else shown


def actions(history: History, seat: int) -> Ways:
    """The actions that a seat can pick now."""
    game, state = history.game, history.state
    return Ways(seat, lambda prefix: game.choices(state, seat, prefix), game.verbs)


def pick(snapshot: Snapshot, seat: int, tokens: Action) -> Pick:
    """An action as far as it is picked: see `Ways.pick`."""
    return actions(snapshot.playing, seat).pick(tokens)


def stepped_back(snapshot: Snapshot, seat: int, tokens: Action) -> Pick:
    """The same one decision earlier: see `Ways.back`."""
    return actions(snapshot.playing, seat).back(tokens)


def regions(game: Game[Any, Any], offers: tuple[Offer, ...]) -> tuple[Region, ...]:
    """The regions of the board in which to look for what is offered, in order.

    Empty if a button for each offer fits, or if not all of them are places on the board.
    """
    if len(offers) <= BUTTONS_AT_MOST:
        return ()
    found: dict[str, Region] = {}
    for offer in offers:
        region = game.region(offer.choice.token)
        if region is None:
            return ()
        key, title = region
        others = found[key].offers if key in found else ()
        found[key] = Region(title, (*others, offer))
    ordered = tuple(found[key] for key in sorted(found, key=lambda key: (len(key), key)))
    fits = all(len(some) <= BUTTONS_AT_MOST for some in (ordered, *(region.offers for region in ordered)))
    return ordered if fits and len(ordered) > 1 else ()


def foreseen(snapshot: Snapshot, picked: Pick) -> Step[Any] | None:
    """What a complete action leads to, where it is worth looking at before it is played; else None.

    That is where the seat knows it for certain, a picture shows it, and it could only be taken back with the others' consent.
    """
    if not picked.whole or len(snapshot.present) < 2:
        return None
    return certain(snapshot.playing.game, snapshot.playing.state, picked)


def certain(game: Game[Any, Any], state: Any, picked: Pick) -> Step[Any] | None:
    """What a complete action leads to, where its seat knows it for certain and a picture shows it; else None."""
    step: Step[Any] | None = game.foresee(state, picked.seat, picked.prefix)
    if step is None or not any(event.detail is not None and event.known_to(picked.seat) for event in step.events):
        return None
    return step
