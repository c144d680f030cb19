"""A simulated Discord on 127.0.0.1, for the real bot as a real process with the real discord.py: REST, gateway and faults.

| module | what |
| --- | --- |
| `model.py` | people, channels, messages, interactions, and how Discord writes them down |
| `state.py` | what Discord keeps, and by which rules it refuses |
| `answers.py` | the same for interactions: callbacks, follow-ups, the three seconds and the fifteen minutes |
| `faults.py` | what can go wrong with a call, and which calls it goes wrong with |
| `guilds.py`, `application.py`, `emojis.py` | servers; the application and its emojis |
| `gateway.py` | the websockets, one for each shard: IDENTIFY, RESUME, events |
| `server.py` | `Loopback`: all of it behind a port |
| `people.py` | what people do, and what they see of it |
| `reading.py`, `owed.py` | reads the database of a bot; what is missing in Discord by that, or there twice |
| `virtual_time.py` | an event loop with virtual time: its clock skips the time in which nothing happens |
| `bot_process.py` | the bot, in a process or in this one, which takes that for Discord |
| `matrix.py`, `scenes.py` | the fault matrix: what happens for every route and every fault |
| `successive_bots.py`, `fork_server.py` | bots as processes, one after another |
| `torment.py`, `players.py` | killing the bot again and again while people play, and what must be true afterwards |
| `cluster.py`, `cluster_torment.py`, `crowds.py`, `postgresql.py` | the same for several bots on one PostgreSQL |

simcord (tests/bot/kit.py) is for tests of what the bot says and does. This is for what only shows between real sockets, real
retries and real deaths.
"""
