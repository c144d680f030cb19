"""Pictures of BOUNCE: `picture` puts them together, `party` draws the garden and its guests."""

from renderers.trampoline.picture import draw

__all__ = ["draw"]
