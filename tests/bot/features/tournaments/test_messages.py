"""What event messages say, and what organisers are offered."""

from collections.abc import Callable

import pytest

from bot.core.core import Core
from bot.core.table.errors import Refused
from bot.features.tournaments.change import games_of
from bot.features.tournaments.messages import tournament_message, winners_words
from bot.features.tournaments.organising import manage_panel
from bot.features.tournaments.panels import tournament_panel
from bot.features.tournaments.pictures import podium_picture, standings_picture
from bot.features.tournaments.service import Tournaments
from bot.features.tournaments.view import TournamentView
from bot.features.tournaments.words import ahead_words
from bot.i18n.language import ENGLISH
from bot.messages.builder import MessageBuilder
from storage.schema.kinds import TournamentStatus
from tests.bot.features.tournaments.tournament_games import BY, GUILD, PEOPLE, Cup, opened, started
from tests.bot.present import present
from tests.bot.service import DAY, Time

SMALL_PRINT = ("time-outs", "a turn", "rated", "Random draw", "overtime", "organised by", "vacation", "hash")


def words(builder: MessageBuilder) -> str:
    return "\n".join(getattr(item, "content", "") for item in builder.items)


def labels(builder: MessageBuilder) -> list[str]:
    return [child.label for item in builder.items for child in getattr(item, "children", []) if hasattr(child, "label")]


def menus(builder: MessageBuilder) -> list[str]:
    """The first words of the menus."""
    children = [child for item in builder.items for child in getattr(item, "children", [])]
    return [child.placeholder.partition(" ")[0] for child in children if hasattr(child, "placeholder")]


def offered(view: TournamentView, clock: Time) -> list[str]:
    """The organisers’ buttons that concern the whole event."""
    return [label for label in labels(manage_panel(view, ENGLISH, clock.now)) if label != "Back"]


async def decide(cup: Cup, first: Callable[[tuple[int, ...]], int | None]) -> TournamentView:
    """Settle all games; `first` names the winner of two players, None a draw."""
    while games := await cup.open_games():
        for game in games:
            winner = first(game.seats)
            places = [1 if winner in {None, number} else 2 for number in game.seats]
            (where,) = [place for place, one in games_of((await cup.view()).row).items() if one.table_id == game.table_id]
            await cup.core.service(Tournaments).decide(cup.id, GUILD, BY, where, places)
        await cup.tick()
    return await cup.view()


async def test_the_message_says_what_when_and_who_and_rules_the_rest(core: Core, clock: Time) -> None:
    cup = await opened(core, clock, 3)
    await cup.enter(PEOPLE[0])
    message = await tournament_message(await cup.view(), ENGLISH)
    starts = int(clock.now + 2 * DAY)
    assert words(message).splitlines() == [
        "### 🏆 Cup", "Bouncers: 8×8, 16 pieces each · round robin · 30 days a turn", f"Starts <t:{starts}:F> (<t:{starts}:R>)",
        "**1 of 8 is in, 2 more needed:** Player 0",
    ]  # fmt: skip
    assert labels(message) == ["Enter", "Rules"]
    rules = words(await tournament_panel(await cup.view(), 1, ENGLISH, page="rules"))
    assert all(small in rules for small in SMALL_PRINT)


async def test_every_state_of_the_message_is_short(core: Core, clock: Time) -> None:
    cup = await opened(core, clock, 3)
    await cup.enter()
    await core.service(Tournaments).hurry(cup.id, GUILD, BY)
    seen = [await tournament_message(await cup.view(), ENGLISH)]
    assert "**Check in now:**" in words(seen[0])
    assert "**0 of 3 have checked in, 3 more needed**" in words(seen[0])
    assert labels(seen[0]) == ["Check in", "Rules"]
    await cup.enter()
    await core.service(Tournaments).hurry(cup.id, GUILD, BY)
    seen.append(await tournament_message(await cup.tick(), ENGLISH))
    assert "**All games end**" in words(seen[1])
    assert labels(seen[1]) == ["My games", "Enter", "Rules"]
    seen.append(await tournament_message(await decide(cup, max), ENGLISH))
    assert "🥇 Player 2" in words(seen[2])
    assert labels(seen[2]) == ["Standings", "Rules"]
    for message in seen:
        before = {"a turn"} if message is seen[0] else set()  # whoever enters wants to know how fast it goes
        assert {small for small in SMALL_PRINT if small in words(message)} == before
        assert len(words(message).splitlines()) <= 6


async def test_a_cancelled_event_says_why(core: Core, clock: Time) -> None:
    cup = await opened(core, clock, 3)
    await cup.tick(DAY)
    few = await tournament_message(await cup.tick(DAY), ENGLISH)
    assert "too few people checked in" in words(few)
    other = await opened(core, clock, 3)
    by_hand = await tournament_message(await core.service(Tournaments).cancel(other.id, GUILD, BY), ENGLISH)
    assert words(by_hand).splitlines() == ["### 🏆 Cup", "**The event was cancelled.**"]
    assert labels(few) == labels(by_hand) == []


async def test_tie_breaks_are_explained_everywhere(core: Core, clock: Time) -> None:
    """1, 2 and 3 beat each other in a circle, and all beat 4: only the lots are left."""
    cup = await started(core, clock, 4)
    circle = {(1, 2): 1, (2, 3): 2, (1, 3): 3}
    view = await decide(cup, lambda seats: circle.get((min(seats), max(seats)), min(seats)))
    assert view.row.status is TournamentStatus.FINISHED
    first, second, third = (view.name_of(line.player) for line in view.standings[:3])
    why = [f"{first} is ahead of {second} by random draw.", f"{second} is ahead of {third} by random draw."]
    assert [ENGLISH(one) for one in ahead_words(view, name=view.name_of)] == why
    assert [ENGLISH(one) for one in winners_words(view)][3:] == [f"-# {one}" for one in why]
    assert why[0] in present(await standings_picture(view, ENGLISH)).alt
    assert f"1. {first} 2 points, by random draw" in present(await podium_picture(view, None, ENGLISH)).alt
    assert f"-# {why[0]}" in words(await tournament_panel(view, 1, ENGLISH, page="table"))


async def test_games_won_are_told_with_their_numbers(core: Core, clock: Time) -> None:
    """All have a point and a half: 2 by three draws, the others by a win, a draw and a loss each."""
    cup = await started(core, clock, 4)
    results = {(1, 3): 1, (1, 4): 4, (3, 4): 3}
    view = await decide(cup, lambda seats: results.get((min(seats), max(seats))))
    third = view.name_of(view.standings[2].player)
    *_, last = [ENGLISH(one) for one in ahead_words(view, name=view.name_of)]
    assert last == f"{third} is ahead of Player 1 on games won: 1 to 0."
    mine = words(await tournament_panel(view, cup.user(2).id, ENGLISH))
    assert "You’re in **4th place** of 4, with **1½ points**." in mine
    assert last in mine


async def test_organisers_are_only_offered_what_is_possible_now(core: Core, clock: Time) -> None:
    cup = await opened(core, clock, 7, "swiss")
    assert offered(await cup.view(), clock) == ["Open check-in now", "Pause", "Cancel the event …"]
    assert menus(manage_panel(await cup.view(), ENGLISH, clock.now)) == [], "nobody has entered"
    await cup.enter()
    paused = await core.service(Tournaments).pause(cup.id, GUILD, BY)
    assert offered(paused, clock) == ["Resume", "Cancel the event …"]
    await core.service(Tournaments).resume(cup.id, GUILD, BY)
    begun = await core.service(Tournaments).hurry(cup.id, GUILD, BY)
    assert begun.row.status is TournamentStatus.CHECK_IN, "it has begun when the answer comes"
    assert offered(begun, clock) == ["Pause", "Cancel the event …"], "it cannot start with nobody"
    await cup.enter()
    assert offered(await cup.view(), clock) == ["Start now", "Pause", "Cancel the event …"]
    running = await core.service(Tournaments).hurry(cup.id, GUILD, BY)
    assert running.row.status is TournamentStatus.RUNNING
    assert offered(running, clock) == ["One more day for this round", "Pause", "Cancel the event …"]
    assert menus(manage_panel(await cup.tick(), ENGLISH, clock.now)) == ["Remove", "Set", "Next"]
    for _ in range(running.event.length - 1 if running.event else 0):
        await cup.finish_round()
    assert menus(manage_panel(await cup.view(), ENGLISH, clock.now)) == ["Remove", "Set"], "there is no next round"
    over = await cup.finish_round()
    assert over.row.status is TournamentStatus.FINISHED
    assert offered(over, clock) == []
    assert "It’s over" in words(manage_panel(over, ENGLISH, clock.now))


async def test_the_start_needs_enough_check_ins(core: Core, clock: Time) -> None:
    cup = await opened(core, clock, 3)
    await core.service(Tournaments).hurry(cup.id, GUILD, BY)
    await cup.enter(*PEOPLE[:2])
    with pytest.raises(Refused, match="At least 3 players must check in"):
        await core.service(Tournaments).hurry(cup.id, GUILD, BY)
    panel = manage_panel(await cup.view(), ENGLISH, clock.now)
    assert "At least 3 players must check in before it can start." in words(panel)
