"""All messages about two games that share only what somebody has been told are, for them, the same to the last byte.

See tests/engines/public_stories.py for what such games are.
"""

import random
from collections.abc import Iterator

import pytest

from bot.core.table.history import History
from bot.core.table.since import standing, story_of
from bot.core.table.snapshot import Snapshot
from bot.core.undoing import may_undo
from bot.features.playing.hints import may_take_hint
from bot.features.playing.messages import panel_message
from bot.features.replays.recap import past_of, recap_message
from bot.features.replays.results import replay_message
from bot.features.verify.logbook import write_log
from bot.i18n.language import language
from bot.messages.board import board_in_words, board_message, private_board_message
from bot.messages.builder import MessageBuilder
from bot.messages.more import Possible, board_buttons, more_message
from bot.messages.picking import pick, preview_of
from bot.messages.pictures import Perspective, looking_back, picture, spectator
from bot.messages.story import since_asked
from engines import GAMES
from engines.game import Action, may_act
from storage.schema.records import Entry, EntryKind, Seat, SeatStatus, Status, Table
from tests.engines.contract_games import Case, random_action
from tests.engines.public_stories import Told, hides_something, story

pytestmark = pytest.mark.slow

ENGLISH = language("en")
NAMES = ("Ann", "Ben", "Cleo", "Dev", "Eve", "Fay")
STRANGER = 99

CASES = [
    case
    for game in GAMES.values()
    if game.secret
    for variant in game.variants
    for seats in {game.seats[0], 3 if 3 in game.seats else game.seats[-1]}
    if hides_something(case := Case(game.id, variant, seats))
]


def histories(case: Case, onlooker: int | None, number: int) -> Iterator[tuple[tuple[Snapshot, Snapshot], Told]]:
    """The tables of a pair of games at each moment that they share."""
    dice = random.Random(number)
    table = Table(
        id=7, guild_id=1, channel_id=2, game=case.game_id, variant=case.variant, wanted=case.seats, status=Status.PLAYING,
        opened_by=1, created_at=0.0, clock=86400, deadline=86400.0, seed=bytes(32), stream_key=bytes(32),
        chain=2, turn=1,
    )  # fmt: skip
    people = tuple(
        Seat(table_id=7, user_id=seat + 1, place=seat, status=SeatStatus.JOINED, name=NAMES[seat], asked_at=0.0)
        for seat in range(case.seats)
    )
    pair: tuple[History, ...] = ()
    for told in story(case, onlooker, dice, begins=number % 40, length=5):
        if told.action is None:
            pair = tuple(History(case.game, case.seats, state, start="0" * 64) for state in told.states)
        else:
            assert told.seat is not None
            entry = Entry(table_id=7, number=pair[0].version + 1, kind=EntryKind.PLAY, seat=told.seat, tokens=told.action,
                          user_id=told.seat + 1, at=float(pair[0].version))  # fmt: skip
            pair = tuple(history.with_entry(entry) for history in pair)
            assert tuple(history.state for history in pair) == told.states
        first, second = (Snapshot(table, people, history) for history in pair)
        yield (first, second), told


def content(builder: MessageBuilder) -> tuple[str, list[tuple[str, bytes]]]:
    """All that Discord is sent: components with alt texts and custom ids, and the files with their names."""
    return str(builder.layout().to_components()), [(file.filename, file.fp.read()) for file in builder.files()]


async def public(snapshot: Snapshot) -> list[object]:
    """What everybody sees."""
    since = story_of(snapshot.playing)
    shown = await picture(snapshot.position, spectator(ENGLISH), events=standing(snapshot.playing, since.drawn))
    return [
        content(board_message(snapshot, ENGLISH, shown, since.told)),
        recap(snapshot, STRANGER),
        content(await replay_message(snapshot, looking_back(snapshot, None, ENGLISH), write_log(snapshot), animated=False)),
        content(more_message(snapshot, STRANGER, ENGLISH, Possible())),
        content(
            await private_board_message(snapshot, spectator(ENGLISH), board_buttons(snapshot, STRANGER, ENGLISH, Possible()))
        ),
        board_in_words(snapshot, None, ENGLISH),
        write_log(snapshot),
    ]


def recap(snapshot: Snapshot, user_id: int) -> list[object]:
    """What somebody who asks what happened is told, and what each picture of the animation is drawn from."""
    past = past_of(snapshot, looking_back(snapshot, user_id, ENGLISH), user_id)
    told = content(recap_message(past, None, playing=user_id != STRANGER))
    return [past.since, told, *(past.shot(number) for number in range(len(past.steps) + 1))]


async def own(snapshot: Snapshot, seat: int, action: Action) -> list[object]:
    """What one player sees: the same for them, and the panel, token by token."""
    perspective = Perspective(seat=seat, side=seat, language=ENGLISH)
    playing = not snapshot.table.is_over
    possible = Possible(undo=playing and may_undo(snapshot, seat), hint=playing and may_take_hint(snapshot, seat))
    seen: list[object] = [
        recap(snapshot, seat + 1),
        since_asked(snapshot, seat),
        content(await replay_message(snapshot, looking_back(snapshot, seat + 1, ENGLISH), write_log(snapshot), animated=False)),
        content(more_message(snapshot, seat + 1, ENGLISH, possible)),
        content(await private_board_message(snapshot, perspective, board_buttons(snapshot, seat + 1, ENGLISH, possible))),
        board_in_words(snapshot, seat, ENGLISH),
    ]
    game, state = snapshot.playing.game, snapshot.playing.state
    if seat in may_act(game, state) or game.secret:
        for length in range(len(action) + 1):
            picked = pick(snapshot.position, seat, action[:length])
            preview = preview_of(snapshot, picked)
            seen.append((picked, content(await panel_message(snapshot, picked, perspective, preview=preview))))
            seen.append((picked, content(await panel_message(snapshot, picked, perspective, page=1))))
    return seen


@pytest.mark.parametrize("number", range(4))
@pytest.mark.parametrize("case", CASES, ids=str)
async def test_messages_tell_nothing_but_the_public_story(case: Case, number: int) -> None:
    onlooker = (None, *range(case.seats))[number % (case.seats + 1)]
    seen = 0
    for pair, told in histories(case, onlooker, 7 * number):
        assert await public(pair[0]) == await public(pair[1])
        if onlooker is not None:
            game, state = case.game, told.states[0]
            acts = game.choices(state, onlooker)
            action = random_action(game, state, onlooker, random.Random(number)) if acts else ()
            assert await own(pair[0], onlooker, action) == await own(pair[1], onlooker, action)
        seen += 1
    assert seen >= 1 or number, "there is always a first moment: the beginning"


@pytest.mark.parametrize("case", CASES, ids=str)
async def test_animations_tell_nothing_but_the_public_story(case: Case) -> None:
    *_, (pair, _) = histories(case, 0, 3)
    for user in (None, 1):
        first, second = [
            content(await replay_message(snapshot, looking_back(snapshot, user, ENGLISH), write_log(snapshot)))
            for snapshot in pair
        ]
        assert first == second
