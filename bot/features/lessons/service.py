"""Stores people's progress in the lessons."""

from collections.abc import Callable
from dataclasses import replace

from bot.core.parts import Service
from bot.core.table.settings import Learning, PersonSettings
from storage import queries


class Lessons(Service):
    """People's progress in the lessons."""

    async def note(self, user_id: int, game_id: str, at: str, solved: str | None = None) -> Learning:
        """Store a person's next lesson of a game, and the lesson they have just solved, if any. Return their progress."""

        def further(learning: Learning) -> Learning:
            names = {name: None for name in (*learning.solved, solved) if name is not None}
            return Learning(at=at, solved=tuple(names))

        return await self._learning(user_id, game_id, further)

    async def forget(self, user_id: int, game_id: str) -> Learning:
        """Forget a person's progress in a game's lessons. Return the empty progress."""
        return await self._learning(user_id, game_id, lambda _: Learning())

    async def _learning(self, user_id: int, game_id: str, change: Callable[[Learning], Learning]) -> Learning:
        async with self._core.store.write() as writer:
            person = await queries.people.get_to_change(writer, user_id)
            known = PersonSettings.of(person)
            learning = change(known.learning.get(game_id, Learning()))
            settings = known.model_copy(update={"learning": {**known.learning, game_id: learning}})
            await queries.people.put(writer, replace(person, settings=settings.model_dump(mode="json", exclude_defaults=True)))
        return learning
