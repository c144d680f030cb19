"""A position is shown without a table behind it."""

from bot.core.core import Core
from bot.core.play import Play
from bot.core.table.position import Position
from bot.messages.pictures import finale_of, version_shown
from engines import GAMES
from engines.text import SEAT_COLOURS
from tests.bot import service


async def test_a_table_has_the_position_that_its_game_has_reached(core: Core) -> None:
    snapshot = await service.started(core, service.BOUNCERS)
    first = snapshot.position
    assert (first.names, first.moved, first.ended, first.variant) == (snapshot.names, None, None, snapshot.table.variant)
    played = (await core.service(Play).act(snapshot.table.id, service.ANN, "b2 b3")).snapshot
    assert played.position.last_action_of(0) == ("b2", "b3")
    assert played.position.last_action_of(1) == ()
    assert version_shown(played, played.position.file_name()) == 1
    before = played.position_after(played.playing.at(0))
    assert (before.state, before.file, before.moved) == (first.state, first.file, None)


async def test_only_the_last_position_of_a_game_shows_its_result(core: Core) -> None:
    snapshot = await service.started(core, service.BOUNCERS)
    ended = (await core.service(Play).resign(snapshot.table.id, service.BEN)).snapshot
    finale = finale_of(ended.position)
    assert finale is not None
    assert (finale.winners, finale.drawn) == ((0,), False)
    assert finale_of(ended.position_after(ended.playing.at(0))) is None


def test_without_a_table_players_may_have_any_names() -> None:
    game = GAMES["bouncers"]
    position = Position(game=game, state=game.start(2), names=SEAT_COLOURS[:2], file="shown")
    assert (position.colours, position.computers, position.table) == (1, (), None)


def test_with_secrets_each_seat_has_a_view_of_its_own() -> None:
    for game in GAMES.values():
        position = Position(game=game, state=game.start(2), names=SEAT_COLOURS[:2], file="shown")
        seen = [position.view(seat) for seat in (None, 0, 1, 0)]
        assert [view.seat for view in seen] == ([None, 0, 1, 0] if game.secret else [None] * 4)
        assert seen == [game.view(position.state, view.seat) for view in seen]
