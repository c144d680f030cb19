"""Checks the finished site: every link, anchor and picture leads somewhere, and every picture has a description."""

from collections.abc import Iterator
from dataclasses import dataclass, field
from html.parser import HTMLParser
from pathlib import Path
from urllib.parse import unquote, urlsplit


@dataclass
class Page(HTMLParser):
    """A page of the site.

    Attributes:
        path: its file.
        links: the targets of its links, and what it loads.
        anchors: the places in it that can be linked to.
        pictures: how many pictures it has.
        wordless: the pictures without a description.
        fetched: what it would load from other sites.
    """

    path: Path
    links: list[str] = field(default_factory=list)
    anchors: set[str] = field(default_factory=set)
    pictures: int = 0
    wordless: list[str] = field(default_factory=list)
    fetched: list[str] = field(default_factory=list)

    def __post_init__(self) -> None:
        super().__init__()
        self.feed(self.path.read_text(encoding="utf-8"))

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        """Note an element's links, what it loads, and its anchors."""
        given = {name: value or "" for name, value in attrs}
        self.anchors.update(given[name] for name in ("id", "name") if name in given)
        for name in ("href", "src"):
            if name in given:
                self.links.append(given[name])
        loaded = given.get("src") or (given.get("href") if tag == "link" else None)
        if loaded and urlsplit(loaded).netloc:
            self.fetched.append(loaded)
        if tag == "img":
            self.pictures += 1
            if not given.get("alt"):
                self.wordless.append(given.get("src", ""))


@dataclass(frozen=True)
class Findings:
    """How much a site has, and everything that is wrong with it, in words."""

    pages: int
    links: int
    pictures: int
    external: tuple[str, ...]
    faults: tuple[str, ...]


def look_through(folder: Path) -> Findings:
    """Check all pages of a site."""
    pages = {path: Page(path) for path in sorted(folder.rglob("*.html"))}
    faults = [fault for page in pages.values() for fault in _faults(page, folder, pages)]
    links = [link for page in pages.values() for link in page.links]
    external = sorted({link for link in links if urlsplit(link).scheme in {"http", "https"}})
    return Findings(len(pages), len(links), sum(page.pictures for page in pages.values()), tuple(external), tuple(faults))


def _faults(page: Page, folder: Path, pages: dict[Path, Page]) -> Iterator[str]:
    name = page.path.relative_to(folder)
    yield from (f"{name}: a picture without a description: {picture}" for picture in page.wordless)
    yield from (f"{name}: loaded from elsewhere: {address}" for address in page.fetched)
    for link in page.links:
        parts = urlsplit(link)
        if parts.scheme or parts.netloc:
            if parts.scheme not in {"https", "data"}:
                yield f"{name}: {link}: no address that begins with https://"
            continue
        target = (page.path.parent / unquote(parts.path)).resolve() if parts.path else page.path
        if not target.is_relative_to(folder) or not target.is_file():
            yield f"{name}: {link}: there is no such file"
        elif parts.fragment and target in pages and unquote(parts.fragment) not in pages[target].anchors:
            yield f"{name}: {link}: there is no such place on that page"
