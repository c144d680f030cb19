"""Pictures of Bounce Bunny Bounce: `picture` puts them together, `cards` draws what lies in the field."""

from renderers.bunny.picture import draw

__all__ = ["draw"]
