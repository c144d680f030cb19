"""The features, a folder each: whoever opens one has seen its rules, statements, service, messages and handlers.

The files have the same names everywhere, and a feature has those that it needs:

| file | holds | may import |
| --- | --- | --- |
| `rules.py` | pure decisions | `engines` |
| `sql.py` | statements, as functions of a transaction | `storage` |
| `service.py` | what people may do | `sql`, `rules`, `bot.core` |
| `clock.py`, `loop.py` | what comes with time | the same |
| `messages.py` | what people see | `bot.core`, `bot.messages` |
| `handlers.py`, `commands.py`, `jobs.py` | clicks, commands, and what the outbox carries out | all of these |

Further files are named for what they hold.
"""
