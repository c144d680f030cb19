"""A turn of BOUNCE in words: the roll and everything it led to, one short line each.

Where there are several lines to choose from, the choice depends on the turn alone, so the same game always tells the same
story.
"""

from engines.game import Event
from engines.text import Text, join, plain, say, say_n, seat_name
from engines.trampoline.track import LAST_JUMP, TOP, Bump, Place, Roll, Turn


def events_of(turn: Turn) -> tuple[Event, ...]:
    """The events of a turn, in order: the roll, throwing up, every bump, every landing."""
    roll = turn.roll
    events = [Event("roll", roll.seat, _roll(roll), detail=roll)]
    if roll.rest is None:
        events.append(Event("throw-up", roll.seat, _throws_up(roll)))
    events.extend(Event("bump", bump.seat, _bump(bump), detail=bump) for bump in turn.bumps)
    events.extend(Event("land", seat, _lands(seat, roll)) for seat, jumper in enumerate(turn.tokens) if jumper.landed)
    return tuple(events)


def place_name(place: Place) -> Text:
    """A place in words: "spot 4, facing up"."""
    if place.facing == "up":
        return say("spot {spot}, facing up", spot=place.spot)
    return say("spot {spot}, facing down", spot=place.spot)


def _one_of(mood: int, *lines: Text) -> Text:
    return lines[mood % len(lines)]


def _mood(roll: Roll) -> int:
    """A number that differs from turn to turn, to choose lines by."""
    return 7 * sum(roll.dice) + 3 * roll.jumps + roll.path[-1].spot + roll.seat


def _roll(roll: Roll) -> Text:
    parts = [_thrown(roll), _flight(roll)]
    if (stomach := _stomach(roll)) is not None:
        parts.append(stomach)
    return join(parts, " ")


def _thrown(roll: Roll) -> Text:
    """What the dice showed."""
    who = seat_name(roll.seat)
    if roll.faceplant:
        return _one_of(
            roll.dice[0] + roll.seat,
            say_n(
                "{who} shuts both eyes and goes for the faceplant: {n} place.",
                "{who} shuts both eyes and goes for the faceplant: {n} places.",
                roll.dice[0],
                who=who,
            ),
            say_n(
                "{who} flops forward, arms out: {n} place.", "{who} flops forward, arms out: {n} places.", roll.dice[0], who=who
            ),
        )
    dice = plain(" + ".join(str(die) for die in roll.dice))
    if roll.start is None:
        return _one_of(
            _mood(roll),
            say("{who} puts down the cake, takes a run-up and rolls {dice}.", who=who, dice=dice),
            say("Third helping or not, {who} hops on: {dice}.", who=who, dice=dice),
            say("“I can hold it”, says {who}, and rolls {dice}.", who=who, dice=dice),
        )
    return say("{who} rolls {dice}.", who=who, dice=dice)


def _flight(roll: Roll) -> Text:
    """Where the roll led."""
    last = roll.path[-1]
    mood = _mood(roll)
    if roll.rest is None:
        return _one_of(mood, say("Down, and up once more…"), say("One bounce too many…"), say("The springs creak…"))
    if roll.fell:
        return _one_of(
            mood,
            say("As far as spot {spot}, and gravity takes over.", spot=last.spot),
            say("Spot {spot} is as high as it gets; the fall begins.", spot=last.spot),
            say("Up to spot {spot}, a burp, and over into the fall.", spot=last.spot),
        )
    if last.facing == "down":
        return _down(last, mood)
    if last.spot == TOP:
        return _one_of(mood, say("All the way to the top, spot 9!"), say("Spot 9: what a view over the buffet!"))
    if last.spot == 1:
        return _one_of(mood, say("Knees bent, back on the springs, spot 1."), say("Boing: spot 1, and about to take off."))
    return _one_of(
        mood,
        say("Up to spot {spot}.", spot=last.spot),
        say("Whee! Up on spot {spot}.", spot=last.spot),
        say("Spot {spot}, still going up.", spot=last.spot),
    )


def _down(last: Place, mood: int) -> Text:
    if last.spot == 1:
        return _one_of(mood, say("Exactly onto the trampoline!"), say("Feet, meet trampoline!"))
    if last.spot == TOP:
        return _one_of(mood, say("At the top, and looking down, spot 9."), say("Spot 9, and over."))
    return _one_of(
        mood,
        say("On the way down, spot {spot}.", spot=last.spot),
        say("Coming down, spot {spot}.", spot=last.spot),
        say("Spot {spot}, and the ground is getting bigger.", spot=last.spot),
    )


def _stomach(roll: Roll) -> Text | None:
    """How the stomach takes a jump; None if the roll was no jump, or the last one."""
    if Place(1, "up") not in roll.path or roll.rest is None:
        return None
    milestones = {
        5: say("Jump 5: steadier now, two dice from here on."),
        10: say("Jump 10: pale and slow, one die from here on."),
        LAST_JUMP - 1: say("Jump 14: one more, and the cake comes back."),
    }
    if roll.jumps in milestones:
        return milestones[roll.jumps]
    return _queasiness(roll.jumps, roll.seat)


def _queasiness(jumps: int, seat: int) -> Text:
    """How the stomach takes an ordinary jump."""
    if jumps < 5:
        return _one_of(
            jumps + seat,
            say("Jump {n}: easy.", n=jumps),
            say("Jump {n}: fun!", n=jumps),
            say("Jump {n}: higher!", n=jumps),
        )
    if jumps < 10:
        return _one_of(
            jumps + seat,
            say("Jump {n}: a gurgle.", n=jumps),
            say("Jump {n}: was that the pudding?", n=jumps),
            say("Jump {n}: the smile gets thinner.", n=jumps),
        )
    return _one_of(
        jumps + seat,
        say("Jump {n}: rather green.", n=jumps),
        say("Jump {n}: lips tightly shut.", n=jumps),
        say("Jump {n}: nobody mention cake.", n=jumps),
    )


def _throws_up(roll: Roll) -> Text:
    who = seat_name(roll.seat)
    return _one_of(
        _mood(roll),
        say("Jump 15: {who} throws up. The party is over for this stomach.", who=who),
        say("Jump 15, and there it all comes: {who} is out, and so is the cake.", who=who),
        say("Jump 15: {who} decorates the lawn and is out.", who=who),
    )


def _bump(bump: Bump) -> Text:
    """Who bumped whom where."""
    who, other, spot = seat_name(bump.seat), seat_name(bump.other), bump.end.spot
    if bump.moved == bump.seat:
        return say("{who} thuds into {other} coming down and drops back to spot {spot}.", who=who, other=other, spot=spot)
    if bump.start.facing == bump.end.facing == "up":
        return say("{who} gives {other} a lift to spot {spot}.", who=who, other=other, spot=spot)
    if bump.start.facing == bump.end.facing:
        return say("{who} lands on {other}’s head: down to spot {spot}.", who=who, other=other, spot=spot)
    if bump.start.spot == bump.end.spot == TOP:
        return say("{who} joins {other} at the top, who turns to look down.", who=who, other=other)
    return say("{who} meets {other} coming up and squashes the jump: down to spot {spot}.", who=who, other=other, spot=spot)


def _lands(seat: int, roll: Roll) -> Text:
    who = seat_name(seat)
    if seat != roll.seat:
        return say("{who} is bumped right off the trampoline, and has never been so glad.", who=who)
    return _one_of(
        _mood(roll),
        say("{who} has landed, wobbles off and keeps it all down!", who=who),
        say("{who} has landed: solid ground, sweet solid ground!", who=who),
        say("{who} has landed, to applause from a safe distance!", who=who),
    )
