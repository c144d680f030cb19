"""A folder's page names what the folder contains, and the page about the architecture leads to it."""

import re
from dataclasses import fields
from pathlib import Path
from typing import Final

import pytest

from bot.core.parts import Part
from bot.parts import PARTS
from docs.site import links
from docs.site.links import FOLDERS, ROOT

ARCHITECTURE: Final = ROOT / "docs" / "architecture.md"
MOST_WORDS: Final = 3000
"""The word limit of the page about the architecture: what concerns one folder stands on that folder's page."""

FEATURES: Final = tuple(sorted(each for each in (ROOT / "bot" / "features").iterdir() if (each / "__init__.py").exists()))
PAGES: Final = (*(ROOT / folder / "README.md" for folder in FOLDERS), ARCHITECTURE)

PACKAGES: Final = ("bot", "engines", "opponents", "renderers", "storage", "tests")


def in_code(markdown: str) -> list[str]:
    """The code spans in the sentences and tables of a page."""
    return re.findall(r"`([^`\n]+)`", re.sub(r"^```.*?^```$", "", markdown, flags=re.MULTILINE | re.DOTALL))


def name_of(path: Path) -> str:
    return path.relative_to(ROOT).as_posix()


@pytest.fixture(scope="module")
def words_of_code() -> frozenset[str]:
    """Every word in the project's Python."""
    files = (file for package in PACKAGES for file in (ROOT / package).rglob("*.py"))
    return frozenset(word for file in files for word in re.findall(r"\w+", file.read_text(encoding="utf-8")))


@pytest.mark.parametrize("folder", FEATURES, ids=lambda folder: str(folder.name))
def test_the_page_of_a_feature_names_each_of_its_modules_once(folder: Path) -> None:
    named = [name for name in in_code((folder / "README.md").read_text(encoding="utf-8")) if name.endswith(".py")]
    own = [name for name in named if not (ROOT / name).exists()]
    modules = [file.relative_to(folder).as_posix() for file in folder.rglob("*.py") if file.name != "__init__.py"]
    assert sorted(own) == sorted(modules)


@pytest.mark.parametrize("page", PAGES, ids=name_of)
def test_every_file_that_a_page_names_is_there(page: Path) -> None:
    paths = [name for name in in_code(page.read_text(encoding="utf-8")) if re.fullmatch(r"[\w.-]+/[\w./-]*|\w+\.py", name)]
    # In the page of the architecture, names such as `rules.py` stand for those of each feature.
    beside = FEATURES if page == ARCHITECTURE else (page.parent,)
    lost = [name for name in paths if not any((folder / name).exists() for folder in (ROOT, *beside))]
    assert lost == []


@pytest.mark.parametrize("page", PAGES, ids=name_of)
def test_every_name_that_a_page_quotes_is_in_the_code(page: Path, words_of_code: frozenset[str]) -> None:
    quoted = [name for name in in_code(page.read_text(encoding="utf-8")) if re.fullmatch(r"[A-Za-z_][\w.]*(\(.*\))?", name)]
    names = [name.partition("(")[0] for name in quoted if not name.endswith((".py", ".md", ".toml"))]
    assert [name for name in names if not words_of_code.issuperset(name.split("."))] == []


@pytest.mark.parametrize("folder", FEATURES, ids=lambda folder: str(folder.name))
def test_the_page_of_a_feature_says_first_what_it_is_to_people(folder: Path) -> None:
    title, first, table, *_ = (folder / "README.md").read_text(encoding="utf-8").split("\n\n")
    assert re.fullmatch(r"# [^\n`]+", title)
    assert re.match(r"[A-Z].*\.", first, re.DOTALL)
    assert table.startswith("| file | what it holds |\n")


# --- the architecture ---------------------------------------------------------------------------------------------------------


def test_the_page_of_the_architecture_is_short() -> None:
    assert len(ARCHITECTURE.read_text(encoding="utf-8").split()) <= MOST_WORDS


def test_the_page_of_the_architecture_leads_to_the_page_of_each_folder() -> None:
    found = links.links(ARCHITECTURE.read_text(encoding="utf-8"))
    led_to = {links.target_of(ARCHITECTURE, link.target)[0] for link in found if not link.external}
    assert {name_of(ROOT / folder / "README.md") for folder in FOLDERS} - {name_of(file) for file in led_to} == set()


def test_the_page_of_the_architecture_lists_the_parts_in_the_order_in_which_they_act() -> None:
    text = ARCHITECTURE.read_text(encoding="utf-8")
    _, _, rest = text.partition("| part | hooks |\n| --- | --- |\n")
    rows = [in_code(line) for line in rest.partition("\n\n")[0].splitlines()]
    hooks = [field.name for field in fields(Part) if field.name != "name"]
    assert [(name, sorted(own)) for name, *own in rows] == [
        (part.name, sorted(hook for hook in hooks if getattr(part, hook) is not None)) for part in PARTS
    ]


def test_the_page_of_the_architecture_explains_each_hook() -> None:
    _, _, rest = ARCHITECTURE.read_text(encoding="utf-8").partition("| field of a `Part` | is called |\n| --- | --- |\n")
    explained = [in_code(line)[0] for line in rest.partition("\n\n")[0].splitlines()]
    assert sorted(explained) == sorted(field.name for field in fields(Part) if field.name != "name")
