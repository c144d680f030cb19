"""The contract that every game implements: `Game`, its core, and functions that work for any game.

A `Game` is one object without state of its own. A state is an immutable value. An action leads to a new state and to events.
`Game.choices` alone decides what is legal: an action is a sequence of tokens, and it is legal if each token is offered after
those before it and the last one is final.

Features that only some games have are protocols (`engines.protocols`, `engines.orders`). Call such a feature through a function
of this module if the answer for other games follows from their core, and otherwise through `part_of`.
"""

import random
import re
from abc import ABC, abstractmethod
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, ClassVar, Generic, NoReturn, TypeVar

from engines.actions import Action, Choice, IllegalAction, IncompleteAction, MalformedAction, Token
from engines.chance import UNSEEDED, Chance, chance_from_json
from engines.orders import Happened, Order, Orders, Response
from engines.protocols import Buttons, Foresees, Hidden, Options, OutOfTurn, Packed, Pages, Quick, Rounds, Words
from engines.steps import Event, HasChance, Illustration, Option, Outcome, Shortcut, Step, View, deed, figure, normal_values
from engines.text import Text, join, plain, say, seat_name

__all__ = [
    "Action", "Buttons", "Choice", "Event", "Foresees", "Game", "Happened", "HasChance", "Hidden", "IllegalAction",
    "Illustration", "IncompleteAction", "MalformedAction", "Option", "Options", "Order", "Orders", "OutOfTurn", "Outcome",
    "Packed", "Pages", "Quick", "Response", "Rounds", "Shortcut", "Step", "Token", "View", "Words", "action_words", "check",
    "deed", "editable_text", "figure", "foresee", "hand_of", "is_reversible", "is_whole", "legal_actions", "may_act",
    "may_interrupt", "normal_options", "open_view", "other_length", "part_of", "passive_action", "resample", "start_view",
    "stream_of",
]  # fmt: skip

S = TypeVar("S", bound=HasChance)
V = TypeVar("V", bound=View)
P = TypeVar("P", Buttons[Any, Any], Options[Any], Orders[Any], Pages, Rounds[Any], Words[Any, Any])


class Game(ABC, Generic[S, V]):
    """The rules of one game. This module's docstring explains how the parts fit together.

    Attributes:
        id: its name in code and commands, which is also the name of its folder.
        summary: one sentence for a player who has never heard of it.
        rules: the version of its rules. A new version means that the same seed and log could lead to another game, because
            legal actions, draws or winners differ. `engines.EARLIER` keeps earlier versions.
        seats: the possible numbers of players.
        variants: the ids of the variants; the first is the default.
        options: the settings offered when a table is opened, by name.
        token_pattern: the pattern of a well-formed token.
        secret: whether the game is `Hidden`, so that a seat can know a fact that another seat cannot.
        chance: whether anything in it is drawn at random. If not, seeds are not mentioned.
        shorter_variant: the variant with fewer pieces than the first, for players who have less time, or None.
        luck_alone: whether luck alone decides who wins, because no choice makes a difference, or because one choice is always
            right. Events of such a game are not rated.
        memory: whether remembering is part of the game. A card that was shown once is then not shown again before the end.
        high_score_wins: whether a higher score in `View.scores` is better.
        passive_tokens: the tokens that `passive_action` prefers where they are offered, most preferred first.
        verbs: first tokens that only name a kind of action ("play"). As far as there is room, the tokens after them are offered
            in their place.
    """

    id: ClassVar[str]
    title: ClassVar[str]
    summary: ClassVar[str]
    rules: ClassVar[int] = 1
    seats: ClassVar[range]
    variants: ClassVar[tuple[str, ...]] = ("standard",)
    variant_titles: ClassVar[Mapping[str, str]] = {"standard": say("Standard")}
    shorter_variant: ClassVar[str | None] = None
    options: ClassVar[Mapping[str, Option]] = {}
    token_pattern: ClassVar[re.Pattern[str]] = re.compile(r"[a-z0-9][a-z0-9-]*")
    secret: ClassVar[bool] = False
    chance: ClassVar[bool] = True
    luck_alone: ClassVar[bool] = False
    memory: ClassVar[bool] = False
    high_score_wins: ClassVar[bool] = True
    passive_tokens: ClassVar[tuple[Token, ...]] = ()
    verbs: ClassVar[tuple[Token, ...]] = ()

    @property
    def conditional(self) -> bool:
        """Whether players can plan moves as replies to the moves of others, because nothing is hidden and nothing is drawn."""
        return not self.secret and not self.chance and self.seats[-1] > 1

    # --- entry points for a table, with arguments that are checked first --------------------------------------------------

    def start(self, seats: int, variant: str | None = None, chance: Chance = UNSEEDED, **options: str) -> S:
        """Return the first state. Raises ValueError for an unknown number of seats or variant, and as `normal_options` does."""
        variant = self.variants[0] if variant is None else variant
        if seats not in self.seats:
            fewest, most = self.seats[0], self.seats[-1]
            if fewest == most:
                raise ValueError(say("{game} is for {most} players, not {n}.", game=self.title, most=most, n=seats))
            raise ValueError(
                say("{game} is for {fewest} to {most} players, not {n}.", game=self.title, fewest=fewest, most=most, n=seats)
            )
        if variant not in self.variants:
            raise ValueError(say("{game} has no variant {variant}.", game=self.title, variant=variant))
        chosen = {name: option.values[0] for name, option in self.options.items()}
        return self._start(seats, variant, chance, chosen | normal_options(self, variant, seats, options))

    def play(self, state: S, seat: int, action: Sequence[Token]) -> Step[S]:
        """Return the state after an action, and its events.

        Raises:
            MalformedAction: a token does not look like any token of this game.
            IncompleteAction: the action cannot end where it does.
            IllegalAction: a token is not possible where it stands, or the seat may not act.
        """
        action = tuple(action)
        check(self, state, seat, action)
        return self._play(state, seat, action)

    def advance(self, state: S, seat: int, action: Action) -> S:
        """Return the state after a legal action, without checks and words, for programs that think ahead."""
        return self._play(state, seat, action).state

    # --- the ten methods that a game has to have -------------------------------------------------------------------------

    @abstractmethod
    def _start(self, seats: int, variant: str, chance: Chance, options: Mapping[str, str]) -> S:
        """Return the first state. The arguments have been checked."""

    @abstractmethod
    def to_act(self, state: S) -> tuple[int, ...]:
        """Return the seats for which the game is waiting, or an empty tuple if it is over."""

    @abstractmethod
    def choices(self, state: S, seat: int, prefix: Action = ()) -> list[Choice]:
        """Return the tokens that may follow `prefix`. There are none if the seat may not act or if nothing can follow."""

    @abstractmethod
    def _play(self, state: S, seat: int, action: Action) -> Step[S]:
        """Play a legal action."""

    @abstractmethod
    def withdraw(self, state: S, seat: int) -> Step[S]:
        """Return the step by which a seat resigns or is expelled. Raises ValueError if it has left or the game is over."""

    @abstractmethod
    def outcome(self, state: S) -> Outcome | None:
        """Return the outcome, or None while the game is going on."""

    @abstractmethod
    def view(self, state: S, seat: int | None = None) -> V:
        """Return what this seat, or a spectator (None), knows."""

    @abstractmethod
    def describe(self, view: V) -> Text:
        """Return the board in words, complete enough to play by."""

    @abstractmethod
    def position(self, state: S, secret: bool = False) -> dict[str, Any]:
        """Return the state as plain JSON; if `secret`, with its random stream under "chance"."""

    @abstractmethod
    def from_position(self, position: Mapping[str, Any], chance: Chance | None = None) -> S:
        """Return the state that `position` wrote, on the stream `chance`, if given. Raises ValueError, saying what is wrong."""


def part_of(game: Game[Any, Any], protocol: type[P]) -> P:
    """Return the game if it has this protocol, or else the protocol's defaults: ``part_of(game, Words).prompt(…)``."""
    return game if isinstance(game, protocol) else protocol()


def stream_of(position: Mapping[str, Any], chance: Chance | None) -> Chance:
    """Return the stream for a position: `chance` if given, else the position's own, else `UNSEEDED`."""
    if chance is not None:
        return chance
    return chance_from_json(position["chance"]) if "chance" in position else UNSEEDED


# --- legal actions ------------------------------------------------------------------------------------------------------------


def check(game: Game[S, Any], state: S, seat: int, action: Action) -> None:
    """Raise one of the errors of `Game.play` unless the action is legal."""
    if not is_whole(game, state, seat, action):
        _refuse(game, state, seat, action)


def is_whole(game: Game[S, Any], state: S, seat: int, action: Action) -> bool:
    """Whether the tokens are a whole legal action of this seat."""
    return game.is_whole(state, seat, action) if isinstance(game, Quick) else follows_choices(game, state, seat, action)


def follows_choices(game: Game[S, Any], state: S, seat: int, action: Action) -> bool:
    """Whether `is_whole` holds by its definition: each token is offered after those before it, and the last one is final."""
    final = False
    for index, token in enumerate(action):
        found = [choice for choice in game.choices(state, seat, action[:index]) if choice.token == token]
        if not found:
            return False
        final = found[0].final
    return final


def legal_actions(game: Game[S, Any], state: S, seat: int) -> Iterator[Action]:
    """Yield every legal action of a seat, in the order of the choices."""
    quick = game.legal_actions(state, seat) if isinstance(game, Quick) else None
    return walk_choices(game, state, seat) if quick is None else quick


def walk_choices(game: Game[S, Any], state: S, seat: int, prefix: Action = ()) -> Iterator[Action]:
    """Yield the legal actions that begin with `prefix`, found by walking through the choices."""
    for choice in game.choices(state, seat, prefix):
        action = (*prefix, choice.token)
        if choice.final:
            yield action
        yield from walk_choices(game, state, seat, action)


def _refuse(game: Game[S, Any], state: S, seat: int, action: Action) -> NoReturn:
    offered = game.choices(state, seat)
    if not offered and seat not in range(game.seats[-1]):
        raise IllegalAction(say("There is no seat {seat}.", seat=seat), action, 0, ())
    if not offered:
        raise IllegalAction(say("{who} can’t act now.", who=seat_name(seat)), action, 0, ())
    for index, token in enumerate(action):
        if all(choice.token != token for choice in offered):
            raise _wrong_token(game, state, seat, action, index, offered)
        offered = game.choices(state, seat, action[: index + 1])
    if not action:
        raise IncompleteAction(say("You haven’t said what you’d like to do."), action, 0, offered)
    reason = say("Something is still missing after {before}.", before=" ".join(action))
    raise IncompleteAction(reason, action, len(action), offered)


def _wrong_token(
    game: Game[S, Any], state: S, seat: int, action: Action, index: int, offered: Sequence[Choice]
) -> IllegalAction:
    """Return the error for an impossible token at `index`, with the reason and the possible ones."""
    token = action[index]
    if not game.token_pattern.fullmatch(token):
        return MalformedAction(say("“{token}” isn’t a word this game knows.", token=token), action, index, offered)
    reason, before = part_of(game, Words).why_not(state, seat, action, index), " ".join(action[:index])
    if reason is None and not offered:
        reason = say("The move ends with {before}, so leave out “{token}”.", token=token, before=before)
    elif reason is None and index:
        reason = say("“{token}” isn’t possible after {before}.", token=token, before=before)
    elif reason is None:
        reason = say("“{token}” isn’t possible now.", token=token)
    return IllegalAction(reason, action, index, offered)


# --- answers for any game, whichever protocols it has -------------------------------------------------------------------------


def may_act(game: Game[S, Any], state: S) -> tuple[int, ...]:
    """Return the seats that have a legal action now: those of `Game.to_act`, and in some games others out of turn."""
    return game.may_act(state) if isinstance(game, OutOfTurn) else game.to_act(state)


def may_interrupt(game: Game[S, Any], state: S) -> tuple[int, ...]:
    """Return the seats that may have a legal action out of turn, judging only by what everybody knows."""
    return game.may_interrupt(state) if isinstance(game, OutOfTurn) else ()


def passive_action(game: Game[S, Any], state: S, seat: int, rng: random.Random) -> Action:
    """Return a legal action for a seat whose player is away: the one that changes least, or else a random one.

    Each token is the first of `Game.passive_tokens` that is offered. If none of them is, `rng` picks one of the choices or, in
    games with secrets, one of `Hidden.absent_choices`. The game's own stream is not used: the same state and an equal generator
    give the same action. Raises IllegalAction if the seat may not act.
    """
    action: Action = ()
    while True:
        offered = game.choices(state, seat, action)
        if not offered:
            check(game, state, seat, action)
        if isinstance(game, Hidden):
            offered = game.absent_choices(state, seat, action, offered)
        passive = [choice for token in game.passive_tokens for choice in offered if choice.token == token]
        choice = passive[0] if passive else rng.choice(offered)
        action = (*action, choice.token)
        if choice.final:
            return action


def action_words(game: Game[S, Any], state: S, seat: int, action: Action) -> Text:
    """Return an action, whole or not, in the game's words or else as its labels. A verb is left out if tokens follow it."""
    whole = is_whole(game, state, seat, action)
    words = part_of(game, Words).wording(state, seat, action) if whole else None
    if words is not None:
        return words
    labels = []
    for length, token in enumerate(action):
        offered = game.choices(state, seat, action[:length])
        labels.append(next((choice.label for choice in offered if choice.token == token), plain(token)))
    return join(labels[1:] if len(action) > 1 and action[0] in game.verbs else labels, " · ")


def foresee(game: Game[S, Any], state: S, seat: int, action: Action) -> Step[S] | None:
    """Return the step after a whole legal action, or None if the seat cannot know it before playing. See `Foresees`."""
    if isinstance(game, Foresees):
        return game.foresee(state, seat, action)
    if game.secret:
        return None
    step = game.play(state, seat, action)
    return step if is_reversible(game, state, tuple(action), step) else None


def is_reversible(game: Game[S, Any], before: S, action: Action, step: Step[S]) -> bool:
    """Whether an action may be taken back by consent: it drew nothing at random and revealed nothing hidden."""
    if isinstance(game, Hidden) and game.shows_secret(before, action, step):
        return False
    return before.chance == step.state.chance and all(event.private_to is None for event in step.events)


def resample(game: Game[S, Any], state: S, seat: int | None, chance: Chance) -> S:
    """Return a state, drawn with `chance`, that this seat, or a spectator (None), cannot tell from the given one."""
    return game.resample(state, seat, chance) if isinstance(game, Hidden) else state


def open_view(game: Game[S, V], state: S) -> V:
    """Return the spectator's view with nothing hidden, for the replay of a finished game. Never show it before the end."""
    return game.open_view(state) if isinstance(game, Hidden) else game.view(state)


def hand_of(game: Game[Any, V], view: V) -> Text | None:
    """Return, in words, what only the seat of this view knows, or None if there is nothing of the kind."""
    return game.hand(view) if isinstance(game, Hidden) else None


def normal_options(game: Game[Any, Any], variant: str, seats: int, options: Mapping[str, str]) -> dict[str, str]:
    """Return options in normal form, as they are stored and compared. Those with their default value are left out.

    Raises ValueError with a `Text` that says what is wrong and what is possible, if an option is wrong in itself, or if it
    cannot be combined with the others, the variant or the number of players.
    """
    chosen = normal_values(game.options, options)
    part_of(game, Options).check_options(variant, seats, chosen)
    return chosen


def editable_text(game: Game[Any, Any], name: str, variant: str, seats: int, options: Mapping[str, str]) -> str:
    """Return an option's value as free text to be edited, or "" if it has none yet. `options` are in normal form."""
    text = part_of(game, Options).editable_text(name, variant, seats, options)
    return options.get(name, game.options[name].values[0]) if text is None else text


def start_view(game: Game[Any, V], variant: str, seats: int, options: Mapping[str, str]) -> V:
    """Return what everybody sees at the start, before anything is drawn. `options` are in normal form."""
    view: V | None = part_of(game, Options).start_view(variant, seats, options)
    return game.view(game.start(seats, variant, UNSEEDED, **options)) if view is None else view


def other_length(game: Game[Any, Any], variant: str) -> str | None:
    """Return the variant offered beside this one as the shorter or longer game, or None if there is none."""
    return game.variants[0] if variant == game.shorter_variant else game.shorter_variant
