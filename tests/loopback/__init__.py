"""The real bot in front of the loopback Discord (`loopback/`): real sockets, real retries, real deaths.

| module | contents |
| --- | --- |
| `world.py`, `conftest.py` | a world: the loopback and the bot in this process, in virtual time |
| `bot_process.py`, `fork_server.py`, `successive_bots.py` | the bot as a process, one after another |
| `people.py`, `natures.py`, `settings.py` | people who know the bot's messages and panels |
| `reading.py`, `owed.py` | what the bot's database says, and what Discord lacks or has twice by that |
| `matrix.py`, `scenes.py`, `expectations.py` | the fault matrix: what happens for every route and every fault |
| `torment.py`, `players.py` | killing the bot again and again while people play, and what must be true afterwards |
| `cluster.py`, `cluster_torment.py`, `failovers.py`, `crowds.py`, `postgresql.py` | the same for bots on one PostgreSQL |

What the bot says and does is tested with simcord (tests/bot/kit.py).
"""
