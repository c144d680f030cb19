"""A walk through every button, menu, form and command, each with its costliest legal input.

Each chapter walks through some of them in its own world. Commands are named with a slash, their autocomplete with an ellipsis,
context menus with a capital letter; everything else is a verb.
"""

import random
import time
from collections.abc import Awaitable, Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any, Final
from unittest import mock

from simcord.actors import MemberActor
from simcord.results import InteractionResult, ResponseMessage

from bot.interactions.context import Context
from bot.messages.click import Click
from tests.bot.forging import chosen, forged
from tests.bot.kit import Message, Select, World, buttons, selects
from tests.bot.stretches import Stretches
from tests.bot.ways import by_way

WAITS_FOR: Final = 5.0
Shown = Message | InteractionResult


@dataclass(frozen=True, slots=True)
class Cost:
    """What an input cost: its longest stretch on the event loop, and the seconds until everything was answered and posted."""

    stretch: float
    seconds: float


@dataclass
class Walk:
    """A measured walk.

    Attributes:
        probe: measures the stretches.
        costs: the costliest measurement of each input so far.
        refused: inputs that were refused, so not legal.
    """

    world: World
    probe: Stretches
    costs: dict[str, Cost] = field(default_factory=dict)
    refused: list[str] = field(default_factory=list)
    dice: random.Random = field(default_factory=lambda: random.Random(11))

    async def press(self, member: MemberActor, shown: Shown, *verbs: str) -> InteractionResult:
        """Press the last button of each verb in turn, or choose the last options of the last such menu."""
        for verb in verbs:
            shown = await self._press(member, message_of(shown), verb)
        assert isinstance(shown, InteractionResult)
        return shown

    async def _press(self, member: MemberActor, message: Message, verb: str, *, any_one: bool = False) -> InteractionResult:
        found = [one for one in buttons(message) if _verb(one.custom_id) == verb and not one.disabled]
        if found:
            pressed = self.dice.choice(found) if any_one else found[-1]
            return await self.note(verb, member.click(message, custom_id=pressed.custom_id))
        for menu in reversed(selects(message)):
            if _verb(menu.custom_id) == verb and menu.options:
                return await self.choose(member, message, verb, list(menu.options.values())[-1])
        has = [*(_verb(one.custom_id) for one in buttons(message)), *(_verb(one.custom_id) for one in selects(message))]
        raise AssertionError(f"there is no {verb}; there are {has}: {self.world.text(message)}")

    async def choose(self, member: MemberActor, shown: Shown, verb: str, *values: Any) -> InteractionResult:
        message = message_of(shown)
        menu = [one for one in selects(message) if _verb(one.custom_id) == verb][-1]
        return await self.note(verb, member.select(message, list(values), custom_id=menu.custom_id))

    async def menu(self, member: MemberActor, shown: Shown, menu: Select) -> InteractionResult:
        last = list(menu.options.values())[-1]
        return await self.note(_verb(menu.custom_id), member.select(message_of(shown), [last], custom_id=menu.custom_id))

    async def wander(self, member: MemberActor, shown: Shown, *verbs: str, steps: int = 80) -> InteractionResult:
        """Press about in a panel until each verb was pressed, earlier ones first."""
        for _ in range(steps):
            message, missing = message_of(shown), [verb for verb in verbs if verb not in self.costs]
            if not missing:
                break
            here = verbs_of(message) & set(verbs)
            verb = next((verb for verb in missing if verb in here), None)
            known = [verb for verb in verbs if verb in here]
            assert known, f"no way to {missing} from {verbs_of(message)}: {self.world.text(message)}"
            shown = await self._press(member, message, verb or self.dice.choice(known), any_one=verb is None)
        missing = [verb for verb in verbs if verb not in self.costs]
        assert not missing, f"{missing} were not met: {verbs_of(shown)}: {self.world.text(message_of(shown))}"
        assert isinstance(shown, InteractionResult)
        return shown

    async def forge(self, member: MemberActor, shown: Shown, click: Click, *values: str) -> InteractionResult:
        message = message_of(shown)
        return await self.note(
            click.verb, chosen(member, message, click, *values) if values else forged(member, message, click)
        )

    async def slash(self, member: MemberActor, command: str, /, **options: Any) -> InteractionResult:
        return await self.note(f"/{command}", member.slash(self.world.channel, command, **options))

    async def by_way(self, member: MemberActor, name: str, /, **options: Any) -> InteractionResult:
        """Do what a former command did. All of it is measured, under the name of the last step."""
        last = {"daily": "/puzzle", "event list": "/event show"}.get(name, name)
        return await self.note(last, by_way(member, self.world.channel, name, **options))

    async def on(self, member: MemberActor, menu: str, target: MemberActor | Shown) -> InteractionResult:
        there = target if isinstance(target, MemberActor) else message_of(target)
        return await self.note(menu, member.context_menu(self.world.channel, menu, there))

    async def type(self, member: MemberActor, command: str, option: str, text: str, **filled: Any) -> None:
        await self.note(f"/{command} {option} …", member.autocomplete(self.world.channel, command, option, text, **filled))

    async def note(self, name: str, doing: Awaitable[Any]) -> Any:
        began = time.perf_counter()
        with self.probe.counted(), self._noting(name):
            result = await doing
            if isinstance(result, InteractionResult) and not result.acknowledged:
                await self.world.pass_time(WAITS_FOR)  # it waits until what was asked for is posted
        cost = Cost(self.probe.take(), time.perf_counter() - began)
        if isinstance(result, InteractionResult) and (result.response is not None or result.followups):
            assert "went wrong" not in self.world.text(result), name
        self.costs[name] = max(cost, self.costs.get(name, cost), key=lambda one: one.stretch)
        return result

    @contextmanager
    def _noting(self, name: str) -> Iterator[None]:
        refuse = Context.refuse

        async def noted(context: Context, error: Any) -> None:
            self.refused.append(f"{name}: {error!r}")
            await refuse(context, error)

        with mock.patch.object(Context, "refuse", noted):
            yield


def message_of(shown: Shown) -> Message:
    """The message shown, or an answer's newest one."""
    if not isinstance(shown, InteractionResult):
        return shown
    found: ResponseMessage | None = shown.followups[-1] if shown.followups else shown.response
    assert found is not None, "nothing was answered"
    return found


def _verb(custom_id: str | None) -> str:
    click = Click.read(custom_id or "")
    return "" if click is None else click.verb


def verbs_of(shown: Shown) -> set[str]:
    message = message_of(shown)
    pressed = {_verb(one.custom_id) for one in buttons(message) if not one.disabled}
    return pressed | {_verb(one.custom_id) for one in selects(message)}


@dataclass(frozen=True, slots=True)
class Chapter:
    """A part of the walk. `inputs` says in words what each verb's or command's costliest input is."""

    walk: Callable[[Walk], Awaitable[None]]
    inputs: Mapping[str, str]


CHAPTERS: Final[dict[str, Chapter]] = {}


def chapter(inputs: Mapping[str, str]) -> Callable[[Callable[[Walk], Awaitable[None]]], Callable[[Walk], Awaitable[None]]]:
    """Register a chapter. `inputs` maps each input to the verbs and commands that take it, separated by spaces or `;`."""

    def made(walk: Callable[[Walk], Awaitable[None]]) -> Callable[[Walk], Awaitable[None]]:
        names = {name.strip(): words for words, verbs in inputs.items() for name in verbs.split(";")}
        CHAPTERS[walk.__name__] = Chapter(walk, names)
        return walk

    return made
