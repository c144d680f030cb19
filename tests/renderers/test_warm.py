"""What is drawn only once in a process."""

import pytest

import renderers
from engines import GAMES
from engines.text import seat_name
from renderers.scene import Scene
from renderers.sprite_cache import SpriteCache
from tests.renderers.pixels import caches


@pytest.fixture
def drawn_anew(monkeypatch):
    """Says how often something was drawn that was not cached."""
    sprites, put = [], SpriteCache.put

    def counting(cache, key, drawn):
        sprites.append(key)
        put(cache, key, drawn)

    monkeypatch.setattr(SpriteCache, "put", counting)
    return lambda: len(sprites) + sum(cache.cache_info().misses for cache in caches() if hasattr(cache, "cache_info"))


def first(game, **scene):
    view = game.view(game.start(game.seats[-1]))
    return renderers.draw(game.id, view, Scene(names=tuple(map(seat_name, range(view.seats))), **scene))


@pytest.mark.slow
def test_after_warming_the_first_picture_of_a_game_finds_everything_cached(drawn_anew):
    for cache in caches():
        cache.cache_clear()
    renderers.warm()
    before = drawn_anew()
    assert before > 100
    for game in GAMES.values():
        first(game)
        first(game, seen_from=game.seats[-1] - 1)
    assert drawn_anew() == before
    first(GAMES["bouncers"], high_contrast=True)
    assert drawn_anew() > before
