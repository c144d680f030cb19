"""Draws pictures off the event loop: in threads of the process, or in processes beside it. See `bot.drawing.lanes`."""
