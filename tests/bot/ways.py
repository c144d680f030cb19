"""What former commands did, as people do it now: with the buttons of a private board, or of an answer.

    shown = await by_way(world.ann, world.channel, "draw", game="1")

Ann presses *Offer a draw* below her `/board game:1`. If the board no longer has the button, she presses one that it had before,
since messages stay as they are while the game goes on.
"""

from typing import Any, Final

from simcord.actors import MemberActor
from simcord.builders import ChannelHandle
from simcord.results import InteractionResult

from bot.messages.click import Click
from tests.bot.forging import chosen, forged
from tests.bot.kit import Message, buttons, reply, selects

AT_THE_BOARD: Final = {
    "hand": ("hand",), "hint": ("hint",), "plan": ("plan", "orders"), "draw": ("draw",), "undo": ("undo",),
    "call-off": ("call-off",), "resign": ("resign",), "nudge": ("nudge",), "rematch": ("rematch",), "verify": ("verify",),
}  # fmt: skip
"""Verbs of the private board's buttons that replace a command."""

ELSEWHERE: Final = {
    "review": ("replay", ("game",), "review"), "today": ("games", (), "today"),
    "learn": ("rules", ("game",), "learn"), "leaderboard": ("stats", ("game",), "leaderboard"),
}  # fmt: skip
"""Commands whose answers have such a button, with their options, and the button's verb."""
RENAMED: Final = {"daily": ("puzzle", {"difficulty": "daily"}), "event list": ("event show", {})}
"""Commands that replace one exactly."""


async def by_way(member: MemberActor, channel: ChannelHandle, name: str, /, **options: Any) -> InteractionResult:
    """Do what `/name` did with its options, and return the answer to the last press. An existing command is used."""
    game = {"game": options["game"]} if "game" in options else {}
    if name == "event create":
        return await _event(member, channel, options)
    if name == "substitute":
        return await _substitute(member, channel, options, game)
    if name in AT_THE_BOARD:
        return await _press(member, await member.slash(channel, "board", **game), AT_THE_BOARD[name])
    if name in ELSEWHERE:
        command, kept, verb = ELSEWHERE[name]
        known = {option: value for option, value in options.items() if option in kept}
        return await _press(member, await member.slash(channel, command, **known), (verb,))
    command, more = RENAMED.get(name, (name, {}))
    return await member.slash(channel, command, **options, **more)


async def in_words(member: MemberActor, board: Message) -> InteractionResult:
    return await member.click(reply(await member.click(board, label="More")), label="Board in words")


async def _press(member: MemberActor, shown: InteractionResult, verbs: tuple[str, ...]) -> InteractionResult:
    """Press the button of one of these verbs, now or formerly there, and answer its question, if any."""
    if shown.response is None or not shown.response.components:
        return shown
    message = reply(shown)
    clicks = [(one, click) for one in buttons(message) if (click := Click.read(one.custom_id or "")) is not None]
    for one, click in clicks:
        if click.verb in verbs:
            return await member.click(message, custom_id=one.custom_id)
    tables = {click.table for _, click in clicks if click.table}
    if len(tables) != 1:
        return shown  # an error, or the question which game is meant
    return await forged(member, message, Click(verbs[0], tables.pop()))


async def _substitute(
    member: MemberActor, channel: ChannelHandle, options: dict[str, Any], game: dict[str, Any]
) -> InteractionResult:
    """Hand a seat to a newcomer, or let a computer take a leaver's."""
    asked = await by_seats(member, channel, **game)
    message = reply(asked)
    leaver = options.get("leaver", member)
    if (level := options.get("computer")) is not None:
        click = Click("relieve", _table(message), tokens=(str(leaver.id), level))
        if any(one.custom_id == click.custom_id for one in buttons(message)):
            return await member.click(message, custom_id=click.custom_id)
        return await forged(member, message, click)
    click = Click("seat-to", _table(message), tokens=(str(leaver.id),))
    if any(one.custom_id == click.custom_id for one in selects(message)):
        return await member.select(message, [options["newcomer"]], custom_id=click.custom_id)
    return await forged(member, message, click.then(str(options["newcomer"].id)))


async def by_seats(member: MemberActor, channel: ChannelHandle, **game: Any) -> InteractionResult:
    return await _press(member, await member.slash(channel, "board", **game), ("substitute",))


EXTRAS: Final = {"rated": True, "thread": True}
"""What a tournament has besides its menus' choices, unless deselected."""


async def _event(member: MemberActor, channel: ChannelHandle, options: dict[str, Any]) -> InteractionResult:
    """Plan a tournament in its panel and open it, with all options but the first ones chosen in menus."""
    first = {name: value for name, value in options.items() if name in {"game", "format", "name"}}
    shown = await member.slash(channel, "event create", **first)
    for kind in ("variant", "start", "clock", "days", "players", "timeouts"):
        if kind in options and buttons(shown):
            shown = await _choose(member, shown, kind, str(options[kind]))
            if kind == "variant" and "has no variant" in str(shown.response and shown.response.components):
                return shown
    extras = {name: options.get(name, usual) for name, usual in EXTRAS.items()}
    if extras != EXTRAS and buttons(shown):
        shown = await _choose(member, shown, "extras", *(name for name, on in extras.items() if on))
    for name, _, value in (one.partition(":") for one in str(options.get("options", "")).split()):
        page = await member.click(reply(shown), label="House rules")
        menu = next(one for one in selects(page) if f" {name} =" in one.custom_id or f"|{name} =" in one.custom_id)
        page = await member.select(reply(page), [value], custom_id=menu.custom_id)
        shown = await member.click(reply(page), label="Done")
    if not any(one.label == "Open the event" for one in buttons(shown)):
        return shown  # why there is no panel, or none with that choice
    return await member.click(reply(shown), label="Open the event")


async def _choose(member: MemberActor, shown: InteractionResult, kind: str, *values: str) -> InteractionResult:
    """Choose in a menu of the tournament's planning panel."""
    menu = next(one for one in selects(shown) if (Click.read(one.custom_id) or Click("")).verb == f"event-plan-{kind}")
    if set(values) <= set(menu.options.values()):
        return await member.select(reply(shown), list(values), custom_id=menu.custom_id)
    click = Click.read(menu.custom_id)
    assert click is not None
    return await chosen(member, reply(shown), click, *values)


def _table(message: Message) -> int:
    menus = [one.custom_id for one in selects(message)] + [one.custom_id or "" for one in buttons(message)]
    return next(click.table for one in menus if (click := Click.read(one)) is not None and click.table)
