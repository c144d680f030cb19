"""The real bot as a process in front of the loopback Discord of tests/loopback, under load.

| module | what |
| --- | --- |
| `launcher.py` | what runs in the process: Springboard from any checkout, or a bare bot of discord.py |
| `process.py` | starts and stops that process, and reads how much time and memory it and its children use |
| `jumping.py` | lets the clock of that process jump |
| `lapse.py` | lets hours pass at once while the bot is at rest |
| `control_group.py` | gives that process little memory, and a share of the processors |
| `spy.py` | finds out where its time goes |
| `watch.py` | notes when the bot's calls arrive at the loopback: first answers, and boards |
| `players.py` | people who play all games, with the panel and with `/move` |
| `fill.py` | fills a database with games, in a process of its own |
| `front.py`, `scenes.py`, `replays.py`, `day.py` | what is done to a bot: actions; deadlines and starts; replays; a whole day |
| `evening.py` | an evening's play: all of that but deadlines and starts, in front of one bot |
"""
