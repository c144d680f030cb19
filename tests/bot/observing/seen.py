"""A table's messages and pictures, for an observer who does not see every hand."""

import random
from collections.abc import Sequence
from typing import Any, Final

from bot.core.clocks.timing import Timing
from bot.core.core import Core
from bot.core.listing import Lists
from bot.core.table.since import standing, story_of
from bot.core.table.snapshot import Snapshot
from bot.core.undoing import may_undo
from bot.features.plans.orders import OrdersPanel, orders_message
from bot.features.playing.hints import may_take_hint
from bot.features.playing.messages import panel_message
from bot.features.replays.recap import past_of
from bot.features.today.messages import today_message
from bot.features.today.service import Today
from bot.features.verify.logbook import write_log
from bot.i18n.language import language
from bot.messages.board import announce_turn, board_in_words, board_message, private_board_message
from bot.messages.builder import MessageBuilder
from bot.messages.listing import list_message
from bot.messages.more import Possible, board_buttons, more_message
from bot.messages.picking import pick, preview_of
from bot.messages.pictures import Perspective, looking_back, picture, spectator
from engines.game import Action, Buttons, IllegalAction, Orders, Words, check, is_whole, part_of
from engines.text import Text
from storage.schema.records import EntryKind, Job
from storage.upkeep.exporting import Unread, at_tables
from tests.bot.notices import BUILDERS, notice
from tests.bot.service import jobs

ENGLISH: Final = language("en")
NOW: Final = 0.0

WRONG: Final[tuple[Action, ...]] = (
    (), ("play",), ("play", "whistle"), ("play", "u-turn"), ("play", "sweep"), ("play", "take-3"), ("play", "shift", "a"),
    ("end",), ("pass",), ("draw",), ("discard", "whistle"), ("p1", "up"), ("m1", "left"), ("red", "p1", "up"), ("?",),
)  # fmt: skip
"""What anybody may try at any time. The answer must not reveal others' cards."""


async def seen(core: Core, table_id: int, observer: int | None, dice: random.Random) -> dict[str, Any]:
    """All that a seat, or a spectator (None), can observe, by kind. Half of the time this includes what must be looked for."""
    snapshot = await core.snapshot(table_id)
    found: dict[str, Any] = {"table": snapshot.table, "people": snapshot.people, "departures": snapshot.departures}
    found["log"] = log_of(snapshot, observer)
    found["due"] = await core.service(Timing).next_due()
    found["jobs"] = [(job.kind, job.key, job.payload, job.due, job.created_at) for job in await jobs(core, table_id)]
    found["notices"] = notices_of(snapshot, await jobs(core, table_id))
    found["board"] = await public_board(snapshot)
    found["words"] = board_in_words(snapshot, observer, ENGLISH)
    return found if dice.random() < 0.5 else found | await _closely(core, snapshot, observer, dice)


async def _closely(core: Core, snapshot: Snapshot, observer: int | None, dice: random.Random) -> dict[str, Any]:
    found: dict[str, Any] = {}
    table, user_id = snapshot.table, -1 if observer is None else snapshot.players[observer].user_id
    found["export"] = await exported(core, table.id, user_id)
    found["list"] = shown(list_message(await core.service(Lists).page(snapshot.table.guild_id, user_id), user_id, ENGLISH))
    day = await core.service(Today).of_server(table.guild_id, 0.0)
    found["day"] = shown(await today_message(day, (), {}, view_of(observer), user_id))
    playing = observer is not None and not snapshot.table.is_over and snapshot.viewpoint(user_id) is not None
    undo = playing and observer is not None and may_undo(snapshot, observer)
    possible = Possible(undo=undo, hint=playing and observer is not None and may_take_hint(snapshot, observer))
    found["more"] = shown(more_message(snapshot, user_id, ENGLISH, possible))
    buttons = board_buttons(snapshot, user_id, ENGLISH, possible)
    found["private board"] = shown(await private_board_message(snapshot, view_of(observer), buttons))
    if not snapshot.table.is_over:
        found["log file"] = write_log(snapshot)
        found["recap"] = recap_of(snapshot, user_id)
        if observer is not None:
            found |= await panels_of(snapshot, observer, dice) | orders_of(snapshot, observer) | errors_of(snapshot, observer)
    return found


async def exported(core: Core, table_id: int, user_id: int) -> list[dict[str, Any]]:
    """A table's part of *Export my data* in `/settings`."""
    async with core.store.read() as reader:
        return await reader.run(lambda connection: list(at_tables(connection, user_id, [table_id], Unread())))


def log_of(snapshot: Snapshot, observer: int | None) -> list[Any]:
    """The log's entries, what is told about each, and whom the game then waits for."""
    return [
        (
            logged.entry,
            logged.notation,
            told(snapshot.playing.action_words(logged)) if logged.entry.kind is EntryKind.PLAY else None,
            [told(event.text) for event in logged.events if event.known_to(observer)],
            logged.to_act,
        )
        for logged in snapshot.playing.log
    ]


def told(text: str) -> str:
    return ENGLISH(text, ("Ann", "Ben", "Cleo", "Dev", "Eve", "Fred")) if isinstance(text, Text) else text


def view_of(observer: int | None) -> Perspective:
    return spectator(ENGLISH) if observer is None else Perspective(seat=observer, language=ENGLISH)


def shown(builder: MessageBuilder) -> Any:
    """A message with its pictures, which in these tests are what they are drawn from, and what phones show of it."""
    files = [(picture.name, picture.content, picture.alt) for picture in builder.pictures]
    phone = None if builder.notification is None else (builder.content(NOW), builder.plain_view().to_components())
    return builder.layout().to_components() if builder.items else None, files, builder.documents, phone


async def public_board(snapshot: Snapshot) -> Any:
    """The public board, what phones show when it comes, and whom it mentions."""
    since = story_of(snapshot.playing)
    drawn = await picture(snapshot.position, spectator(ENGLISH), events=standing(snapshot.playing, since.drawn))
    builder = board_message(snapshot, ENGLISH, drawn, since.told)
    announce_turn(builder, snapshot, ENGLISH, since.told)
    return shown(builder), [player.user_id for player in snapshot.awaited]


def notices_of(snapshot: Snapshot, owed: Sequence[Job]) -> list[Any]:
    """The messages besides the board, and whom they ping."""
    made = [notice(snapshot, job, ENGLISH) for job in owed if job.kind in BUILDERS]
    return [None if one is None else (shown(one.builder), one.pinged, one.to) for one in made]


def recap_of(snapshot: Snapshot, user_id: int) -> Any:
    """What the button *What happened?* shows somebody, step by step."""
    past = past_of(snapshot, looking_back(snapshot, user_id, ENGLISH), user_id)
    shots = past.shots(range(len(past.steps) + 1)).values()
    return [(shot.view, [told(event.text) for event in shot.events]) for shot in shots]


async def panels_of(snapshot: Snapshot, observer: int, dice: random.Random) -> dict[str, Any]:
    """The private panel along a way of choices, its autocomplete, and its previews."""
    history = snapshot.playing
    game = history.game
    found: dict[str, Any] = {}
    tokens: Action = ()
    while True:
        choices = game.choices(history.state, observer, tokens)
        prompt = part_of(game, Words).prompt(history.state, observer, tokens) or ""
        found[f"suggestions after {tokens}"] = [(c.token, told(c.label), c.final, c.symbol) for c in choices], told(prompt)
        picked = pick(snapshot.position, observer, tokens)
        step = preview_of(snapshot, picked)
        events = None if step is None else [told(event.text) for event in step.events if event.known_to(observer)]
        preview = step if tokens and is_whole(game, history.state, observer, tokens) else None
        panel = await panel_message(snapshot, picked, view_of(observer), preview=preview)
        found[f"panel after {tokens}"] = shown(panel), events
        if is_whole(game, history.state, observer, tokens):
            found[f"closing after {tokens}"] = part_of(game, Buttons).closing(history.state, observer, tokens)
        if not choices:
            return found
        tokens = (*tokens, dice.choice(choices).token)


def orders_of(snapshot: Snapshot, observer: int) -> dict[str, Any]:
    game, state = snapshot.playing.game, snapshot.playing.state
    found: dict[str, Any] = {"order panel": shown(orders_message(OrdersPanel(snapshot, observer, view_of(observer))))}
    prefixes: list[Action] = [()]
    for prefix in prefixes:
        choices = part_of(game, Orders).order_choices(state, observer, prefix)
        found[f"orders after {prefix}"] = [(c.token, told(c.label), c.final) for c in choices]
        prefixes += [(*prefix, choice.token) for choice in choices if not choice.final]
    return found


def errors_of(snapshot: Snapshot, observer: int) -> dict[str, Any]:
    """What somebody is told about actions, most of which are impossible."""
    found = {}
    for action in WRONG:
        try:
            check(snapshot.playing.game, snapshot.playing.state, observer, action)
            said: Any = None
        except IllegalAction as error:
            said = told(error.message), told(error.typed_message), [choice.token for choice in error.possible]
        found[f"error about {action}"] = said
    return found
