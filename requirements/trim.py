"""Remove from an installation what the bot never reads: `python requirements/trim.py SITE_PACKAGES`, for the container.

Three things: the tests of the packages, fonts that no picture is written with, and Babel's data about languages that the bot
does not speak. Nothing reads this data either, but to Babel a language exists if there is a file of it.
"""

import shutil
import sys
from pathlib import Path

import babel

from bot.i18n.language import languages
from renderers.fonts import FILES

FONTS = frozenset({".ttf", ".otf", ".woff", ".woff2"})
"""The endings of files of fonts."""


def trim(site: Path) -> None:
    """Remove from this folder of packages what is not needed. Babel and the bot must have been imported from there."""
    if not Path(babel.__file__).is_relative_to(site):
        raise SystemExit(f"Babel is not in {site} but in {babel.__file__}: the languages in use cannot be told from there.")
    spoken = {str(babel.Locale.parse(code, sep="-")) for code in languages()}
    for file in site.glob("babel/locale-data/*.dat"):
        if file.stem not in spoken:
            file.unlink()
    written_with = {Path(file).resolve() for file in FILES}
    for file in list(site.rglob("*")):
        if file.suffix in FONTS and file.resolve() not in written_with:
            file.unlink()
    for folder in sorted(site.rglob("tests"), reverse=True):
        shutil.rmtree(folder)


if __name__ == "__main__":
    trim(Path(sys.argv[1]).resolve())
