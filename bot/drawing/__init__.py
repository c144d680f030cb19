"""Where pictures are drawn: in threads of the process, or in processes beside it. See `bot.drawing.place`."""
