"""Random events: players come late, stay away, leave and come back, and games end in every way."""

from collections.abc import Callable, Iterator
from dataclasses import replace
from random import Random

from bot.features.tournaments.rules.formats import Format
from bot.features.tournaments.rules.rounds import Ending, Round, RoundGame
from bot.features.tournaments.rules.tournament import Tournament, start

KEY = bytes(range(32))


def random_result(game: RoundGame, random: Random) -> RoundGame:
    """The game with a random result, played or adjudicated, sometimes with shared places or time-outs."""
    places = [random.randint(1, len(game.seats)) if random.random() < 0.3 else seat + 1 for seat in range(len(game.seats))]
    random.shuffle(places)
    ending = Ending.ADJUDICATED if random.random() < 0.1 else Ending.PLAYED
    timeouts = tuple(random.randrange(3) for _ in game.seats)
    return replace(game.finish(*places, ending=ending), timeouts=timeouts)


def finish_round(event: Tournament, random: Random) -> Tournament:
    """Finish all running games of the event, including those of a match that become due."""
    while True:
        for number, each in enumerate(event.rounds):
            for index, game in enumerate(each.games):
                if not game.is_over:
                    event = event.settle(number, index, random_result(game, random))
        if not event.games_due:
            return event
        event = event.add_games_due()


def play(chosen: Format, players: int, random: Random) -> Tournament:
    """A finished event in which everybody plays every round."""
    event = start(chosen, range(1, players + 1), KEY)
    while not event.is_over:
        event = finish_round(event.pair(), random)
    return event


Look = Callable[[Tournament, Tournament, tuple[int, ...], tuple[tuple[int, ...], ...]], None]
"""What looks at each round: the event before, the event with the round, the players who were there, the games by hand."""


def play_with_trouble(chosen: Format, players: int, random: Random, look: Look) -> Tournament:
    """A finished event with absences, late entries, and players who leave between or during rounds and return."""
    event = start(chosen, random.sample(range(1, 1000), players), KEY)
    rate = random.choice((0.0, 0.1, 0.3))
    while not event.is_over:
        before = event = change_players(event, random, rate)
        if event.is_over:
            break
        there = absences(event, random, rate)
        hand = tuple(games_by_hand(event, there, random, rate))
        event = event.pair(absent=[player for player in event.active if player not in there], forced=hand)
        look(before, event, there, hand)
        if random.random() < rate:
            event = event.withdraw(random.choice(event.players))
        event = finish_round(event, random)
    return event


def change_players(event: Tournament, random: Random, rate: float) -> Tournament:
    """Let some players leave, come back and enter between two rounds."""
    for entry in event.entries:
        if random.random() < (0.5 if entry.has_left else rate / 3):
            event = event.come_back(entry.player) if entry.has_left else event.withdraw(entry.player)
    while random.random() < rate:
        if event.format.admits(len(event.entries), event.part_over if event.rounds else 0 * event.part_over):
            event = event.enter(1000 + len(event.entries))
        else:
            break
    return event


def absences(event: Tournament, random: Random, rate: float) -> tuple[int, ...]:
    """The players who are there for the next round."""
    if event.format.system.at_once or not event.format.system.by_hand:
        return event.active
    return tuple(player for player in event.active if random.random() >= rate / 2)


def games_by_hand(event: Tournament, there: tuple[int, ...], random: Random, rate: float) -> Iterator[tuple[int, ...]]:
    """Now and then a game that the organisers pair, or a bye that they give."""
    system = event.format.system
    if system.by_hand and random.random() < rate:
        size = random.choice((1, random.randint(system.smallest, system.largest)))
        if len(there) >= size:
            yield tuple(random.sample(there, size))


def all_games(event: Tournament) -> Iterator[tuple[Round, RoundGame]]:
    """All games with their rounds."""
    return ((each, game) for each in event.rounds for game in each.games)
