"""Lots: the dice of an event or a ladder, which decide when nothing else does."""
