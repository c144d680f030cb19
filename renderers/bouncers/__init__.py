"""Pictures of Bouncers: `picture` puts them together."""

from renderers.bouncers.picture import draw

__all__ = ["draw"]
