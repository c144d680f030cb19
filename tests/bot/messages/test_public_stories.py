"""What messages tell about games: no secret, every event once, and always what affects the reader."""

import random
import re
from collections.abc import Iterator
from dataclasses import replace
from itertools import groupby

import pytest
from hypothesis import given
from hypothesis import strategies as st

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
from bot.messages.story import CHARACTERS, FOLDED, LINES, Length, since_asked, whole, words
from engines import GAMES
from engines.game import Action, Event, may_act
from engines.pucks.board.views import Phase
from engines.text import Text, plain
from storage.schema.records import Entry, EntryKind, Seat, SeatStatus, Status, Table
from tests.engines.belongings import changed
from tests.engines.contract_games import CASES as CASES_OF_GAMES
from tests.engines.contract_games import Case, Turn, marked, played, random_action
from tests.engines.public_stories import Told, hides_something, story

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
    """Everything sent to Discord: components with alt texts and custom ids, and files with their names."""
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
    """The answer to somebody who asks what happened, and what each picture of its animation is drawn from."""
    past = past_of(snapshot, looking_back(snapshot, user_id, ENGLISH), user_id)
    told = content(recap_message(past, None, playing=user_id != STRANGER))
    return [past.since, told, *(past.shot(number) for number in range(len(past.steps) + 1))]


async def own(snapshot: Snapshot, seat: int, action: Action) -> list[object]:
    """What one player sees: the recap, and their panel, token by token."""
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


@pytest.mark.slow
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


@pytest.mark.slow
@pytest.mark.parametrize("case", CASES, ids=str)
async def test_animations_tell_nothing_but_the_public_story(case: Case) -> None:
    *_, (pair, _) = histories(case, 0, 3)
    for user in (None, 1):
        first, second = [
            content(await replay_message(snapshot, looking_back(snapshot, user, ENGLISH), write_log(snapshot)))
            for snapshot in pair
        ]
        assert first == second


MARKS = ("●", "■", "▲", "◆", "✚", "★")
FOLD = re.compile(r" ?… and (\d+) more: (?:\*What happened\?\*|`/replay` shows them all)$")

every_game_for_several = pytest.mark.parametrize("case", marked(case for case in CASES_OF_GAMES if case.seats > 1))


def wording(event: Event) -> str:
    said = event.phrase or event.text
    assert isinstance(said, Text)
    return said.render(name=lambda seat: NAMES[seat]).replace("**", "")


def part_of(case: Case, data: st.DataObject) -> tuple[list[Turn], int]:
    """Part of a game, and a seat that acts in none of it, to which a board would tell it."""
    turns = played(case).turns
    reader = data.draw(st.integers(0, case.seats - 1), label="reader")
    spans = [list(group) for own, group in groupby(turns, lambda turn: turn.seat == reader) if not own]
    return spans[data.draw(st.integers(0, len(spans) - 1), label="part")] if spans else [], reader


@pytest.mark.slow
@every_game_for_several
@given(st.data())
def test_events_about_the_readers_pieces_score_or_cards_are_always_told(case: Case, data: st.DataObject) -> None:
    turns, reader = part_of(case, data)
    events = [event for turn in turns for event in turn.step.events if event.private_to is None]
    told = words(events, ENGLISH, NAMES, MARKS, readers=(reader,))
    shown = told.replace("**", "")
    assert len(told.splitlines()) <= LINES
    owed = [event for event in events if reader in event.affects]
    if sum(len(wording(event)) + 30 for event in owed) < CHARACTERS:
        for event in owed:
            assert wording(event) in shown
        for turn in turns:
            if reader in changed(case, turn) and all(event.kind != "place" for event in turn.step.events):
                assert any(wording(event) in shown for event in turn.step.events if event.private_to is None)


@pytest.mark.slow
@every_game_for_several
@given(st.data(), st.sampled_from([FOLDED, whole(3400)]))
def test_each_event_is_told_once_in_its_order_or_counted(case: Case, data: st.DataObject, length: Length) -> None:
    turns, reader = part_of(case, data)
    happened = [event for turn in turns for event in turn.step.events if event.private_to is None and event.text]
    events = [replace(event, said=plain(f"e{n}x {wording(event)}"), tally=None) for n, event in enumerate(happened)]
    told = words(events, ENGLISH, NAMES, MARKS, length, readers=(reader,))
    found = [int(number) for number in re.findall(r"\be(\d+)x ", told)]
    assert found == sorted(set(found))
    fold = FOLD.search(told)
    assert len(found) + (0 if fold is None else int(fold[1])) == len(events)


@pytest.mark.parametrize("seats", [2, 3, 6])
def test_placing_all_pieces_is_one_fact_a_player(seats: int) -> None:
    turns = [turn for turn in played(Case("pucks", "standard", seats)).turns if turn.before.phase is Phase.PLACE]
    events = [event for turn in turns for event in turn.step.events if event.kind in {"place", "auto"}]
    told = words(events, ENGLISH, NAMES, MARKS, whole(3400))
    assert told.count("places 8 pieces") == seats
    assert len(told.splitlines()) == seats
    assert len(words(events, ENGLISH, NAMES, MARKS).splitlines()) <= LINES
