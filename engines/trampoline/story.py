"""A turn of BOUNCE in words, a short line for each result. The turn alone decides which, so a game always reads the same."""

from engines.steps import Event, deed, later, others
from engines.text import Text, plain, say, say_n, seat_name
from engines.trampoline.track import FIRST, LANDED, LAST_JUMP, TOP, Bump, Place, Roll, Turn
from engines.values import replace


def events_of(turn: Turn) -> tuple[Event, ...]:
    """Return the events of a turn, in order: the roll, throwing up, every bump, every landing. If any is major, all are."""
    roll = turn.roll
    events = [deed("roll", roll.seat, later(_roll, roll), detail=roll)]
    if roll.rest is None:
        events.append(deed("throw-up", roll.seat, later(_throws_up, roll), major=True))
    for bump in turn.bumps:
        thrown = others((bump.moved,), roll.seat)
        events.append(deed("bump", bump.seat, later(_bump, bump), detail=bump, major=bump.end == LANDED, affects=thrown))
    for seat, jumper in enumerate(turn.tokens):
        if jumper.landed:
            events.append(deed("land", seat, later(_lands, seat, roll), decisive=True, affects=others((seat,), roll.seat)))
    if any(event.major for event in events):
        # The end of a game is told as it came about, from the roll on.
        events = [replace(event, major=True) for event in events]
    return tuple(events)


def place_name(place: Place) -> Text:
    """Return a place in words: "spot 4, going up"."""
    if place.facing == "up":
        return say("spot {spot}, going up", spot=place.spot)
    return say("spot {spot}, coming down", spot=place.spot)


def _one_of(mood: int, *lines: Text) -> Text:
    return lines[mood % len(lines)]


def _mood(roll: Roll) -> int:
    """Return a number that varies from turn to turn, and by which the lines for a turn are chosen."""
    return 7 * sum(roll.dice) + 3 * roll.jumps + roll.path[-1].spot + roll.seat


def _roll(roll: Roll) -> Text:
    flight = _flight(roll)
    if FIRST in roll.path and roll.rest is not None:
        flight = say("{flight}; {jump}", flight=flight, jump=_stomach(roll.jumps, roll.seat))
    if roll.faceplant:
        return _one_of(
            roll.dice[0] + roll.seat,
            say_n(
                "shuts both eyes and faceplants for {n} move: {flight}",
                "shuts both eyes and faceplants for {n} moves: {flight}",
                roll.dice[0],
                flight=flight,
            ),
            say_n("flops forward for {n} move: {flight}", "flops forward for {n} moves: {flight}", roll.dice[0], flight=flight),
        )
    dice = plain(" + ".join(str(die) for die in roll.dice))
    if roll.start is None:
        return _one_of(
            _mood(roll),
            say("puts the cake down and rolls {dice}: {flight}", dice=dice, flight=flight),
            say("takes a run-up and rolls {dice}: {flight}", dice=dice, flight=flight),
            say("hops on with {dice}: {flight}", dice=dice, flight=flight),
        )
    return say("rolls {dice}: {flight}", dice=dice, flight=flight)


def _flight(roll: Roll) -> Text:
    last, mood = roll.path[-1], _mood(roll)
    if roll.rest is None:
        return _one_of(mood, say("one bounce too many"), say("down, and up once too often"), say("the springs creak"))
    if roll.fell:
        return _one_of(
            mood,
            say("up to spot {spot}, then gravity wins", spot=last.spot),
            say("spot {spot}, and that’s as high as it gets", spot=last.spot),
            say("up to spot {spot}, a burp, and down again", spot=last.spot),
        )
    return _down(last, mood) if last.facing == "down" else _up(last, mood)


def _up(last: Place, mood: int) -> Text:
    if last.spot == TOP:
        return _one_of(mood, say("all the way to the top, spot 9"), say("spot 9, with a view of the buffet"))
    if last.spot == 1:
        return _one_of(mood, say("knees bent on the mat, spot 1"), say("boing, spot 1, ready for take-off"))
    return _one_of(
        mood,
        say("up to spot {spot}", spot=last.spot),
        say("whee, spot {spot}", spot=last.spot),
        say("spot {spot} and rising", spot=last.spot),
    )


def _down(last: Place, mood: int) -> Text:
    if last.spot == 1:
        return _one_of(mood, say("hits the mat"), say("feet, meet trampoline"))
    if last.spot == TOP:
        return _one_of(mood, say("over the top, spot 9"), say("spot 9, and it’s a long way down"))
    return _one_of(
        mood,
        say("down to spot {spot}", spot=last.spot),
        say("spot {spot} and falling", spot=last.spot),
        say("down to spot {spot}, the ground rushing closer", spot=last.spot),
    )


def _stomach(jumps: int, seat: int) -> Text:
    milestones = {
        5: say("jump 5, two dice from here on"),
        10: say("jump 10, one die from here on"),
        LAST_JUMP - 1: say("jump 14, and one more brings the cake back"),
    }
    if jumps in milestones:
        return milestones[jumps]
    if jumps < 5:
        lines = (
            say("jump {n} is easy", n=jumps),
            say("jump {n}, and it’s still fun", n=jumps),
            say("that’s jump {n}", n=jumps),
        )
    elif jumps < 10:
        lines = (
            say("jump {n}, with a gurgle", n=jumps),
            say("jump {n}, tasting of pudding", n=jumps),
            say("jump {n}, and less of a smile", n=jumps),
        )
    else:
        lines = (
            say("jump {n}, rather green", n=jumps),
            say("jump {n}, lips shut tight", n=jumps),
            say("jump {n}, and don’t mention cake", n=jumps),
        )
    return _one_of(jumps + seat, *lines)


def _throws_up(roll: Roll) -> Text:
    return _one_of(
        _mood(roll),
        say("throws up on jump 15 and is out"),
        say("loses the cake on jump 15 and is out"),
        say("decorates the lawn on jump 15 and is out"),
    )


def _bump(bump: Bump) -> Text:
    other, spot = seat_name(bump.other), bump.end.spot
    if bump.moved == bump.seat:
        back = say("thuds into {other} and drops back to spot {spot}", other=other, spot=spot)
        return say("thuds into {other} and drops back onto the mat", other=other) if spot == 1 else back
    if bump.start.spot == spot:
        at_the_top = say("joins {other} at the top and turns {other} round", other=other)
        return at_the_top if spot == TOP else say("turns {other} round on the mat", other=other)
    if bump.end.facing == "up":
        return say("gives {other} a lift to spot {spot}", other=other, spot=spot)
    if spot == 1:
        return say("bumps {other} onto the mat", other=other)
    if bump.start.facing == "down":
        return say("lands on {other}’s head and bumps {other} down to spot {spot}", other=other, spot=spot)
    return say("bumps {other} down to spot {spot}", other=other, spot=spot)


def _lands(seat: int, roll: Roll) -> Text:
    if seat != roll.seat:
        return say("is bumped right off the trampoline, and never so glad")
    return _one_of(
        _mood(roll),
        say("has landed, wobbles off and keeps it all down"),
        say("has landed: solid ground, sweet solid ground"),
        say("has landed, to applause from a safe distance"),
    )
