"""Perspectives of people on a game, on which its pictures and texts depend."""

from dataclasses import dataclass

from bot.i18n.language import Language
from bot.sessions import Snapshot
from bot.sessions.proof.logbook import is_over


@dataclass(frozen=True, kw_only=True)
class Perspective:
    """The perspective of a person on a game.

    Attributes:
        seat: the seat whose knowledge they share; None: a spectator's.
        side: the seat from whose side the board is drawn.
        language: the language of pictures and of their descriptions.
        high_contrast: whether pictures use the high-contrast palette.
        revealed: whether everything is shown, because the game is over.
    """

    seat: int | None
    language: Language
    side: int = 0
    high_contrast: bool = False
    revealed: bool = False


def spectator(language: Language) -> Perspective:
    """The perspective of everybody in the channel."""
    return Perspective(seat=None, language=language)


def looking_back(
    snapshot: Snapshot, user_id: int | None, language: Language, *, high_contrast: bool = False, turned: bool = False
) -> Perspective:
    """The perspective of a user who looks back on a game that has started; without a user, the public one.

    If `turned`, the board is turned towards users who play or have played there.

    In a game of memory nobody sees more than a spectator until the game is over: remembering is up to the players.
    """
    own = None if user_id is None else snapshot.seat_of(user_id)
    over = is_over(snapshot.table)
    seat = None if user_id is None or over or snapshot.playing.game.memory else snapshot.viewpoint(user_id)
    side = own if turned and own is not None else 0
    return Perspective(seat=seat, language=language, side=side, high_contrast=high_contrast, revealed=over)
