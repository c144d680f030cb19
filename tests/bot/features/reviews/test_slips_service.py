"""Retrying slips: whose they are, what is known about an action, and that nothing hidden is seen."""

from dataclasses import replace
from random import Random
from typing import Any

import pytest
from discord import ui

from bot.core.core import Core
from bot.core.play import Play
from bot.core.table.errors import Refused
from bot.core.table.snapshot import Snapshot
from bot.features.reviews.course import GameCourse
from bot.features.reviews.service import Reviewed
from bot.features.reviews.slip_messages import SlipPanel, slip_message, slip_panel
from bot.features.reviews.slips import Slips, at_slip, own_slips
from bot.i18n.language import ENGLISH
from bot.messages.pictures import looking_back
from engines.chance import Fair
from engines.game import Action, foresee, legal_actions, resample
from opponents.reviewing import REVIEWER, try_again
from storage.schema.records import Choice, EntryKind, Review
from tests.bot.present import present
from tests.bot.scripted import scripted
from tests.bot.service import ANN, BEN, BOUNCERS, CLEO, started

TABLES = {
    "bouncers": BOUNCERS,
    "pucks": replace(BOUNCERS, game="pucks", seats=2, options={"setup": "random"}),
    "bunny": replace(BOUNCERS, game="bunny", seats=2),
}


async def over(core: Core, game: str, moves: int, seed: int = 1) -> Snapshot:
    """A random game of Ann and Ben with so many moves, which Ben then resigned."""
    snapshot, rng = await started(core, TABLES[game]), Random(seed)
    for _ in range(moves):
        history = snapshot.playing
        seat = history.to_act[0]
        action = rng.choice(list(legal_actions(history.game, history.state, seat)))
        snapshot = (await core.service(Play).act(snapshot.table.id, (ANN, BEN)[seat], action)).snapshot
    return (await core.service(Play).resign(snapshot.table.id, BEN)).snapshot


def reviewed(snapshot: Snapshot, *numbers: int, better: Action | None = None) -> Reviewed:
    """A review that takes these entries for mistakes; another legal action, or this one, was better."""
    course, choices = GameCourse(snapshot.playing), []
    for number in numbers:
        moment = course.moment(number)
        legal = legal_actions(course.history.game, moment.before, moment.seat)
        other = better or next(action for action in legal if action != moment.action)
        choices.append(Choice(number, 0.6, 0.48, ((moment.seat, other),)))
    found = Review(table_id=snapshot.table.id, reviewer=REVIEWER, version=snapshot.playing.version, asked_at=0.0)
    return Reviewed(snapshot, course, replace(found, choices=tuple(choices), done=True))


def panel_of(at: Slips) -> SlipPanel:
    return slip_panel(at, looking_back(at.reviewed.snapshot, BEN.id, ENGLISH, turned=True))


async def shown(at: Slips, tokens: Action = ()) -> tuple[Any, ...]:
    """Everything a panel shows: texts, buttons, and pictures with their descriptions."""
    panel = panel_of(at)
    picked = present(panel.pick(tokens))
    builder = await slip_message(panel, picked)
    files = [file.fp.read() for file in builder.files()]
    return builder.layout().to_components(), tuple(builder.custom_ids()), files


async def test_each_seat_has_its_own_and_nobody_else_has_any(core: Core) -> None:
    review = reviewed(await over(core, "bouncers", 6), 1, 2, 4)
    assert [point.moment.number for point in own_slips(review, ANN.id)] == [1]
    assert [point.moment.number for point in own_slips(review, BEN.id)] == [2, 4]
    assert own_slips(review, CLEO.id) == ()
    first = at_slip(review, BEN.id)
    assert (first.number, first.following, first.page) == (1, first.own[1], 2)
    last = at_slip(review, BEN.id, 4)
    assert (last.number, last.following, last.page) == (2, None, 3)
    assert last.history.version == 3, "the game as it was before"
    assert last.seat == 1
    for user, number in ((CLEO, None), (ANN, 2), (BEN, 1), (BEN, 3), (BEN, 99)):
        with pytest.raises(Refused):
            at_slip(review, user.id, number)


async def test_a_stand_in_has_the_slips_that_they_made(core: Core) -> None:
    snapshot = await over(core, "bouncers", 6)
    log = snapshot.playing.log
    theirs = replace(log[3], entry=replace(log[3].entry, user_id=CLEO.id))
    history = replace(snapshot.playing, log=log.with_one_else(3, theirs))
    review = reviewed(replace(snapshot, history=history), 2, 4)
    assert [point.moment.number for point in own_slips(review, BEN.id)] == [2]
    assert [point.moment.number for point in own_slips(review, CLEO.id)] == [4]


async def test_another_way_to_the_same_position_is_the_same_action(core: Core) -> None:
    """Paths in Bouncers that capture nothing and end alike."""
    for seed in range(40):
        snapshot = await over(core, "bouncers", 12, seed)
        for moment in GameCourse(snapshot.playing).moments:
            if moment.logged.entry.kind is not EntryKind.PLAY:
                continue
            alike: dict[Any, list[Action]] = {}
            game = snapshot.playing.game
            for action in legal_actions(game, moment.before, moment.seat):
                step = foresee(game, moment.before, moment.seat, action)
                if step is not None and action != moment.action:
                    alike.setdefault(repr(step.state), []).append(action)
            pair = next((found for found in alike.values() if len(found) > 1 and moment.action not in found), None)
            if pair is not None:
                at = at_slip(reviewed(snapshot, moment.number, better=pair[0]), (ANN, BEN)[moment.seat].id)
                known = [at.known(action) for action in (pair[0], pair[1], moment.action)]
                assert [None if one is None else one.lost for one in known] == [0.0, 0.0, pytest.approx(0.12)]
                return
    pytest.fail("there was no such position")


async def test_other_actions_are_judged_by_what_the_seat_could_know(core: Core) -> None:
    snapshot = await over(core, "pucks", 9)
    number = next(moment.number for moment in GameCourse(snapshot.playing).choices[2:])
    seen = reviewed(snapshot, number)
    at = next(at_slip(seen, user.id) for user in (ANN, BEN) if own_slips(seen, user.id))
    game, state = at.history.game, at.history.state
    other = next(action for action in legal_actions(game, state, at.seat) if at.known(action) is None)
    with scripted("pucks", lost={other: 0.3}) as told:
        tried = try_again(*at.question(other))
    assert (tried.lost, tried.reply) == (0.3, None), "the other side's answer depends on its hand"
    assert tried.reason is not None
    assert {(one.what, one.action) for one in told.asked} == {("compare", other)}
    assert all(one.chance != state.chance for one in told.asked)


@pytest.mark.slow
@pytest.mark.parametrize("game", ["pucks", "bunny"])
async def test_nothing_is_seen_of_what_the_seat_did_not_know(core: Core, game: str) -> None:
    """Two games that differ only in what Ben couldn’t know before his slip look the same to him there."""
    snapshot = await over(core, game, 14)
    moment = next(moment for moment in reversed(GameCourse(snapshot.playing).choices) if moment.seat == 1)
    log, index = snapshot.playing.log, moment.number - 2
    state = resample(snapshot.playing.game, moment.before, 1, Fair(bytes(32)))
    assert state != moment.before
    other = replace(snapshot, history=replace(snapshot.playing, log=log.with_one_else(index, replace(log[index], state=state))))
    one, two = (at_slip(reviewed(each, moment.number), BEN.id) for each in (snapshot, other))
    assert panel_of(one).perspective.seat == 1
    assert not panel_of(one).perspective.revealed
    for action in list(legal_actions(snapshot.playing.game, moment.before, 1))[:6]:
        for length in range(len(action) + 1):
            assert await shown(one, action[:length]) == await shown(two, action[:length])


async def test_cards_that_the_seat_had_seen_are_face_up(core: Core) -> None:
    """In a game of memory the board before a slip shows the feathers the person knew; elsewhere no line mentions any."""
    snapshot, seen = await over(core, "bunny", 4), set[tuple[bool, bool]]()
    for moment in GameCourse(snapshot.playing).choices:
        at = at_slip(reviewed(snapshot, moment.number), (ANN, BEN)[moment.seat].id)
        panel = panel_of(at)
        picked = present(panel.pick(()))
        builder = await slip_message(panel, picked)
        told = any("’d seen are face up" in item.content for item in builder.items if isinstance(item, ui.TextDisplay))
        without = await panel.picking(picked, 0).picture(at.events)
        assert told == at.recalled == (at.seen != moment.before)
        seen.add((told, builder.pictures[0].content != without.content))
    assert (False, False) in seen
    assert (True, True) in seen, "they are in the picture, too"
    assert (False, True) not in seen
