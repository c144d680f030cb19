"""What holds for the picture of every game."""

import pkgutil
from concurrent.futures import ThreadPoolExecutor
from io import BytesIO
from typing import Any

import pytest
from PIL import Image, ImageChops

import tests.renderers.samples
from engines import GAMES
from renderers import RENDERERS, draw, lettering, theme
from tests.marks import quick_first
from tests.renderers.golden import FOLDER, NAMES, drawn
from tests.renderers.pixels import caches, counted, modules
from tests.renderers.samples import BY_GAME, SAMPLES
from tests.renderers.scenes import Sample, default_samples, high_contrast, in_scene


def opened(sample: Sample[Any]) -> Image.Image:
    return Image.open(BytesIO(draw(sample.game_id, sample.view, sample.scene))).convert("RGBA")


@pytest.mark.parametrize("name", NAMES)
def test_a_picture_looks_like_its_golden_one(name):
    golden = FOLDER / f"{name}.png"
    assert golden.exists(), "no golden picture; see tests/renderers/golden.py"
    now, then = (Image.open(file).convert("RGBA") for file in (BytesIO(drawn(name)), golden))
    assert now.size == then.size
    difference = ImageChops.difference(now, then)
    assert difference.getbbox(alpha_only=False) is None, f"{name} differs within {difference.getbbox(alpha_only=False)}"


def test_every_golden_picture_belongs_to_a_sample():
    assert {path.stem for path in FOLDER.glob("*.png")} == set(NAMES) <= set(SAMPLES)


@pytest.mark.parametrize("game_id", GAMES)
def test_a_game_has_samples_without_any_code_of_its_own(game_id):
    start, underway, options, contrast = (make() for make in default_samples(game_id).values())
    assert set(default_samples(game_id)) <= set(BY_GAME[game_id].named)
    assert start.view != underway.view
    assert underway.scene.events
    assert options.scene.options
    assert contrast == high_contrast(underway)


def test_every_module_of_samples_belongs_to_a_game():
    assert {module.name for module in pkgutil.iter_modules(tests.renderers.samples.__path__)} <= set(GAMES)


@pytest.mark.parametrize("name", quick_first(24, SAMPLES))
def test_a_picture_fits_its_place_and_its_file_is_small(name):
    sample = SAMPLES[name]()
    file = draw(sample.game_id, sample.view, sample.scene)
    picture = Image.open(BytesIO(file))
    assert picture.format == "PNG"
    assert picture.width == theme.WIDTH
    assert picture.height <= theme.TALLEST
    assert len(file) < BY_GAME[sample.game_id].bytes_at_most


@pytest.mark.parametrize("name", quick_first(24, SAMPLES))
def test_the_corners_are_clear_the_edge_is_soft_and_the_rest_is_solid(name):
    picture = opened(SAMPLES[name]())
    opacity = picture.getchannel("A")
    width, height = picture.size
    corners = [(0, 0), (width - 1, 0), (0, height - 1), (width - 1, height - 1)]
    assert [opacity.getpixel(corner) for corner in corners] == [0, 0, 0, 0]
    side, end = theme.EDGE + 2, theme.CORNER + theme.EDGE
    assert opacity.crop((side, end, width - side, height - end)).getextrema() == (255, 255)
    assert len({opacity.getpixel((x, height // 2)) for x in range(theme.EDGE + 2)}) > 4


@pytest.mark.slow
def test_the_same_scene_drawn_in_threads_from_cold_caches_is_the_same_picture():
    samples = [SAMPLES[f"{game_id}-{name}"]() for game_id in GAMES for name in ("underway", "high-contrast")]
    alone = [draw(sample.game_id, sample.view, sample.scene) for sample in samples]
    forget()
    with ThreadPoolExecutor(4) as threads:
        together = list(threads.map(lambda sample: draw(sample.game_id, sample.view, sample.scene), samples * 3))
    assert together == alone * 3


@pytest.mark.slow
@pytest.mark.parametrize("game_id", GAMES)
def test_drawing_leaves_what_is_cached_as_it_was(game_id):
    names = [f"{game_id}-{name}" for name in BY_GAME[game_id].named]
    before = [drawn(name) for name in names]
    assert [drawn(name) for name in names] == before


@pytest.mark.slow
def test_nothing_is_written_smaller_than_22_pixels(monkeypatch):
    sizes = set()
    real = lettering.write

    def noting(image, at, text, face, size, colour, **rest):
        sizes.add(int(size))
        return real(image, at, text, face, size, colour, **rest)

    for module in modules():
        if getattr(module, "write", None) is real:
            monkeypatch.setattr(module, "write", noting)
    forget()
    for name in SAMPLES:
        drawn(name)
    assert min(sizes) >= 22
    assert len(sizes) >= 4
    forget()


@pytest.mark.parametrize("game_id", GAMES)
def test_the_palette_a_person_has_chosen_changes_the_picture(game_id):
    sample = SAMPLES[f"{game_id}-start"]()
    assert opened(sample).tobytes() != opened(in_scene(sample, high_contrast=not sample.scene.high_contrast)).tobytes()


@pytest.mark.parametrize("game_id", GAMES)
def test_large_areas_keep_the_exact_colours_of_the_theme(game_id):
    sample = SAMPLES[f"{game_id}-start"]()
    solid = {colour[:3]: count for colour, count in counted(opened(sample)).items() if colour[3] == 255}
    assert max(solid, key=solid.__getitem__) in RENDERERS[sample.game_id].anchors(theme.WARM)


def test_a_game_without_a_renderer_is_an_error():
    sample = next(iter(SAMPLES.values()))()
    with pytest.raises(KeyError):
        draw("chess", sample.view, sample.scene)


def forget():
    """Empty every cache of the renderers."""
    for cache in caches():
        cache.cache_clear()
