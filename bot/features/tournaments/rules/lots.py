"""Lots: the dice of an event or a ladder, which decide when nothing else does."""

import hmac
from collections.abc import Iterable


def draw_lots(key: bytes, purpose: str, players: Iterable[int]) -> tuple[int, ...]:
    """Return the players in the order of their lots.

    The lot of a player is HMAC-SHA-256 under the key of ``springboard:<purpose>:<player>``; the lowest comes first. So it does
    not depend on who else draws, and a late entry changes no order. Lots for different purposes have nothing to do with each
    other.
    """

    def lot(player: int) -> bytes:
        return hmac.digest(key, f"springboard:{purpose}:{player}".encode(), "sha256")

    return tuple(sorted(players, key=lot))
