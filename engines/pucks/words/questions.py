"""The question to a seat that the game waits for, as others may read it: from a spectator's view alone."""

from engines.pucks.board.views import Phase, PucksView
from engines.text import Text, say, say_n, seat_name


def question(view: PucksView, seat: int) -> Text:
    """Return the question, to follow a name and a comma."""
    if view.winning is not None:
        return say("{who} is about to win. Whistle, or let it stand?", who=seat_name(view.winning))
    match view.phase:
        case Phase.PLACE:
            colours = view.colours_of(seat)
            if all(placed.piece.colour not in colours for placed in view.pieces):
                return say("which piece do you place first?")
            left = sum(piece.colour in colours for piece in view.beside)
            return say_n("place your last piece.", "which piece is next? You have {n} left.", left)
        case Phase.DRAW:
            return say_n("draw {n} card to start your turn.", "draw {n} cards to start your turn.", view.draw_rule)
        case Phase.DISCARD:
            over = view.hand_sizes[seat] - view.hand_limit
            return say_n("your hand is too full: discard {n} card.", "your hand is too full: discard {n} cards.", over)
        case Phase.ACT:
            return _acting(view)


def _acting(view: PucksView) -> Text:
    left = view.allowed - view.taken
    if not view.whole:
        return say("how do you put the mats back together?")
    if left <= 0:
        return say("no actions left. Play a card, or end your turn?")
    return say_n("what’s your move? {n} action left.", "what’s your move? {n} actions left.", left)
