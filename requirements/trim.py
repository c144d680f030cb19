"""Remove from an installation what the bot never reads: `python requirements/trim.py SITE_PACKAGES`, for the container.

Two things: the tests of the packages, and Babel's data about languages that the bot does not speak. Which data that leaves is
written down nowhere. Every language in bot/i18n/locales is used once, and what Babel opens meanwhile stays.
"""

import shutil
import sys
from pathlib import Path
from typing import Any

import babel

from bot.i18n.language import languages

LOCALE_DATA = "locale-data/*.dat"


def locale_data_in_use() -> set[Path]:
    """Return the files that Babel opens when the bot uses all of its languages. They must not have been used before."""
    opened: set[Path] = set()

    def note(event: str, arguments: tuple[Any, ...]) -> None:
        if event == "open" and isinstance(arguments[0], str | Path):
            opened.add(Path(arguments[0]))

    sys.addaudithook(note)
    for language in languages().values():
        language.template("a text")
        str(language.own_name)
    return opened & set(Path(babel.__file__).parent.glob(LOCALE_DATA))


def trim(site: Path) -> None:
    """Remove from this folder of packages what is not needed. Babel and the bot must have been imported from there."""
    if not Path(babel.__file__).is_relative_to(site):
        raise SystemExit(f"Babel is not in {site} but in {babel.__file__}: the languages in use cannot be told from there.")
    in_use = locale_data_in_use()
    assert in_use, "Babel keeps its data elsewhere"
    for file in site.glob(f"babel/{LOCALE_DATA}"):
        if file not in in_use:
            file.unlink()
    for folder in sorted(site.rglob("tests"), reverse=True):
        shutil.rmtree(folder)


if __name__ == "__main__":
    trim(Path(sys.argv[1]).resolve())
