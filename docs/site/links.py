"""Finds links in Markdown, checks them without a network, and leads them to pages of the site."""

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Final
from urllib.parse import unquote, urlsplit

from engines import GAMES

ROOT: Final = Path(__file__).parents[2]

FOLDERS: Final = tuple(
    file.parent.relative_to(ROOT).as_posix()
    for pattern in ("bot/*/README.md", "storage/README.md", "bot/features/*/README.md")
    for file in sorted(ROOT.glob(pattern))
)
"""The folders whose README is a page of the site, features last."""

SPECIAL: Final = {
    "README.md": "overview",
    "CONTRIBUTING.md": "contributing",
    "CHANGELOG.md": "changelog",
    "SECURITY.md": "security",
    "PRIVACY.md": "privacy",
    "TERMS.md": "terms",
    "tests/README.md": "tests",
    "loopback/README.md": "loopback",
    "bot/commands.py": "commands",
    "tests/renderers/golden": "gallery",
    **{f"engines/{game_id}/rules.md": f"rules/{game_id}" for game_id in GAMES},
    **{f"{folder}/README.md": folder for folder in FOLDERS},
}
"""The pages of the site that stand for files and folders outside `docs/`, by path."""

_CODE: Final = re.compile(
    r"^(?P<fence> *(?:```+|~~~+)).*?^ *(?P=fence)[`~]* *$|(?P<ticks>`+)(?!`).+?(?<!`)(?P=ticks)(?!`)", re.MULTILINE | re.DOTALL
)
_TARGET: Final = re.compile(
    r"""\]\(\s*<?(?P<inline>[^()\s<>]*(?:\([^()\s]*\)[^()\s<>]*)*)>?(?:\s+"[^"]*")?\s*\)"""
    r"""|^\[[^\]]+\]:\s*<?(?P<reference>[^\s>]+)>?"""
    r"""|\b(?:src|href)="(?P<html>[^"]*)\"""",
    re.MULTILINE,
)
_HEADING: Final = re.compile(r"^ {0,3}#{1,6}\s+(?P<words>.*?)\s*#*\s*$", re.MULTILINE)


@dataclass(frozen=True, slots=True)
class Link:
    """A link as it is written.

    Attributes:
        target: where it leads.
        line: the number of its line, from 1.
    """

    target: str
    line: int

    @property
    def external(self) -> bool:
        """Whether it leads to another site."""
        return bool(urlsplit(self.target).scheme) or self.target.startswith("//")


def documents() -> list[Path]:
    """The Markdown files that become pages as they are. Rules do not: their pictures have names instead of files."""
    others = (ROOT / path for path, page in SPECIAL.items() if path.endswith(".md") and not page.startswith("rules/"))
    return sorted({*(ROOT / "docs").glob("*.md"), *others})


def links(markdown: str) -> Iterator[Link]:
    """All links and pictures in Markdown, outside code."""
    for found in _TARGET.finditer(_without_code(markdown)):
        yield Link(found[found.lastgroup or 0], markdown.count("\n", 0, found.start()) + 1)


def with_targets(markdown: str, change: Callable[[str], str]) -> str:
    """Return the same Markdown with every target changed."""
    parts, end = [], 0
    for found in _TARGET.finditer(_without_code(markdown)):
        start, stop = found.span(found.lastgroup or 0)
        parts += [markdown[end:start], change(markdown[start:stop])]
        end = stop
    return "".join([*parts, markdown[end:]])


def anchors(markdown: str) -> set[str]:
    """The anchors of the headings, as GitHub forms them."""
    found: dict[str, int] = {}
    names = set()
    visible = _CODE.sub(lambda code: code[0] if code["ticks"] else re.sub(r"[^\n]", " ", code[0]), markdown)
    for heading in _HEADING.finditer(visible):
        words = re.sub(r"!?\[([^\]]*)\]\([^)]*\)", r"\1", heading["words"])
        name = re.sub(r"[^\w\- ]", "", words.strip().lower()).replace(" ", "-")
        number = found.get(name, 0)
        found[name] = number + 1
        names.add(f"{name}-{number}" if number else name)
    return names


def target_of(path: Path, target: str) -> tuple[Path, str]:
    """The file or folder that a link in a file leads to, and the anchor there."""
    where, _, anchor = target.partition("#")
    return ((path.parent / unquote(where)).resolve() if where else path), unquote(anchor)


def broken(path: Path) -> Iterator[str]:
    """What is wrong with the links of a file, in words. Of links to other sites, only the form is checked."""
    for link in links(path.read_text(encoding="utf-8")):
        if fault := _fault(path, link):
            yield f"{path.relative_to(ROOT)}:{link.line}: {link.target}: {fault}"


def _fault(path: Path, link: Link) -> str:
    if link.external:
        parts = urlsplit(link.target)
        return "" if parts.scheme == "https" and "." in parts.netloc else "no address that begins with https://"
    if not link.target:
        return "leads nowhere"
    file, anchor = target_of(path, link.target)
    if not file.is_relative_to(ROOT):
        return "leads out of the project"
    if not file.exists():
        return "there is no such file"
    if anchor and (file.suffix != ".md" or anchor not in anchors(file.read_text(encoding="utf-8"))):
        return "there is no such heading"
    return ""


def page_of(file: Path) -> str | None:
    """The name of the page that stands for a file or folder, or None if there is none."""
    path = file.relative_to(ROOT).as_posix()
    if file.parent == ROOT / "docs" and file.suffix == ".md":
        return file.stem
    return SPECIAL.get(path)


def _without_code(markdown: str) -> str:
    """The same text with spaces in place of code."""
    return _CODE.sub(lambda code: re.sub(r"[^\n]", " ", code[0]), markdown)
