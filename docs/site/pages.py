"""Writes the source of the site into a folder: pages, rules, commands, gallery, and the files that pages link to."""

import json
import re
import shutil
from collections.abc import Iterator, Mapping, Sequence
from html import escape
from pathlib import Path
from typing import Any, Final

from discord import AppCommandType, app_commands
from pygments.lexers import get_lexer_for_filename
from pygments.util import ClassNotFound

from bot.commands import COMMANDS
from bot.features.lessons.courses import COURSES
from bot.i18n.language import language
from bot.menus import MENUS
from bot.messages.rulebook import rules_pages
from docs.site import diagrams, links
from docs.site.gallery import Picture, Section, midway, sections, whole
from docs.site.links import ROOT
from engines import GAMES
from renderers import draw, illustrated

ENGLISH: Final = language("en")

NAVIGATION: Final[Mapping[str, Sequence[str]]] = {
    "Play": ("playing", "commands", "fair-dice", "position-codes", "privacy", "terms"),
    "Run a server": ("running-a-server", "competitions"),
    "Host": ("hosting", "first-day-on-discord", "monitoring", "scaling", "overview"),
    "Rules": tuple(f"rules/{game_id}" for game_id in GAMES),
    "Gallery": ("gallery",),
    "Develop": (
        "contributing", "architecture", "adding-a-feature", "adding-a-game", "adding-a-language", "tests", "loopback",
        "opponents", "puzzles", "colours", "performance", "event-loop", "faults", "proofs", "changelog", "security",
    ),
}  # fmt: skip
"""The pages under the headings of the navigation. Sphinx refuses a page that is in no list."""

BELOW: Final[Mapping[str, Sequence[str]]] = {"architecture": links.FOLDERS}
"""The pages that the navigation puts below another."""

TITLES: Final = {"overview": "Overview", "gallery": "All pictures", "tests": "The tests", "changelog": "Changes"}
"""What the navigation calls pages whose headings are too short or too long for it."""


_ROW: Final = re.compile(r"^<p>\n(?P<images>(?:<img .*>\n)+)</p>\n", re.MULTILINE)
_IMG: Final = re.compile(r'^<img src="(?P<src>\S+)".* alt="(?P<alt>[^"]*)">$', re.MULTILINE)
"""Pictures beside one another, as GitHub shows them."""


class Writer:
    """Writes pages, and remembers the other files they link to.

    Args:
        folder: where the source of the site is written.
    """

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.linked: set[Path] = set()
        self.pictures = 0

    def everything(self) -> None:
        """Write the whole source."""
        for file in links.documents():
            name = links.page_of(file)
            assert name is not None, f"{file} is a page"
            below = _toctree("", BELOW[name]) if name in BELOW else ""
            self.page(name, self._led(file) + below)
        for game_id in GAMES:
            self.page(f"rules/{game_id}", self._rules(game_id))
        self.page("commands", "\n".join(commands()))
        self.page("gallery", "\n".join(self._gallery(sections())))
        self._front()
        done: set[Path] = set()
        while waiting := self.linked - done:
            for file in waiting:
                self._file(file)
            done |= waiting

    def page(self, name: str, text: str) -> None:
        """Write a page."""
        path = self.folder / f"{name}.md"
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")

    # --- what is written already ------------------------------------------------------------------------------------------

    def _led(self, file: Path) -> str:
        """A file as a page, with its links led to pages and its diagrams drawn."""
        text = file.read_text(encoding="utf-8")
        text = diagrams.FENCE.sub(
            lambda found: f'```{{raw}} html\n<div class="wide">{diagrams.svg_of(found["text"])}</div>\n```', text
        )
        text = _ROW.sub(lambda found: f":::{{container}} boards\n{_IMG.sub(_image_of, found['images'])}:::\n", text)
        return links.with_targets(text, lambda target: self._target(file, target))

    def _target(self, file: Path, target: str) -> str:
        """Where a link of a file leads in the site."""
        if links.Link(target, 0).external or target.startswith("#"):
            return target
        path, anchor = links.target_of(file, target)
        if path.suffix in {".png", ".gif"}:
            copied = Path("pictures") / "kept" / path.name
            (self.folder / copied).parent.mkdir(parents=True, exist_ok=True)
            shutil.copyfile(path, self.folder / copied)
            self.pictures += 1
            return f"/{copied.as_posix()}"
        name = links.page_of(path)
        if name is None:
            self.linked.add(path)
            name = self._name_of(path)
        return f"/{name}.md{'#' if anchor else ''}{anchor}"

    @staticmethod
    def _name_of(path: Path) -> str:
        """The name of the page that shows a file or folder."""
        return f"source/{path.relative_to(ROOT).as_posix()}"

    def _file(self, path: Path) -> None:
        """Write a page that shows a file as it is, or the contents of a folder."""
        title = f"---\norphan: true\nnosearch: true\n---\n\n# `{path.relative_to(ROOT).as_posix()}`\n\n"
        if path.is_dir():
            inside = sorted(each for each in path.iterdir() if not each.name.startswith(("__", ".")))
            self.linked.update(inside)
            lines = (f"- [`{each.name}`](/{self._name_of(each)}.md)" for each in inside)
            self.page(self._name_of(path), title + "\n".join(lines) + "\n")
            return
        try:
            lexer = get_lexer_for_filename(path.name).aliases[0]
        except ClassNotFound:
            lexer = "ini" if path.suffix in {".service", ".target"} else "text"
        fence = "`" * 8
        self.page(self._name_of(path), f"{title}{fence}{lexer}\n{path.read_text(encoding='utf-8')}\n{fence}\n")

    # --- what the program tells -------------------------------------------------------------------------------------------

    def _picture(self, name: str, content: bytes) -> str:
        """Write a picture, and return its address."""
        path = self.folder / "pictures" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content)
        self.pictures += 1
        return f"/pictures/{name}"

    def _rules(self, game_id: str) -> str:
        """The rules of a game as the bot shows them, all on one page, with the pictures drawn anew."""
        parts = []
        for page in rules_pages(game_id, ENGLISH):
            heading, _, text = page.text.partition("\n")
            parts.append(heading)
            if page.picture is not None:
                file = self._picture(f"rules-{game_id}-{page.picture}.png", illustrated(game_id, page.picture, ENGLISH))
                parts.append(_image(file, page.alt, 550))
            parts.append(text.strip())
        learn = f", and *Learn {GAMES[game_id].title}* there teaches it move by move" if game_id in COURSES else ""
        parts.append(f"---\n\nIn Discord, `/rules` shows these pages{learn}.")
        return "\n\n".join(parts) + "\n"

    def _front(self) -> None:
        """Write the first page: `docs/index.md` below pictures of the games, with the navigation."""
        boards = "\n\n".join(
            f"[![A board of {game.title}]({self._picture(f'front-{game_id}.png', _small_board(game_id))})](/rules/{game_id}.md)"
            for game_id, game in GAMES.items()
        )
        text = self._led(ROOT / "docs" / "index.md")
        first, _, rest = text.partition("\n## ")
        front = f"{first}\n:::{{container}} boards\n{boards}\n:::\n\n## {rest}" if rest else first
        self.page("index", front + "\n" + "\n".join(_toctree(caption, pages) for caption, pages in NAVIGATION.items()))

    def _gallery(self, parts: Sequence[Section]) -> Iterator[str]:
        """The gallery: each picture in both looks, with its description."""
        yield "# Gallery\n"
        yield (
            "The renderers of the bot drew every picture on this page when the site was built, from games that its computers "
            "play. On the left is the usual palette, on the right that with high contrast (*Boards and pictures* in "
            "`/settings`).\n"
        )
        for part in parts:
            yield f"## {part.title}\n"
            if part.text:
                yield f"{part.text}\n"
            for picture in part.pictures:
                yield self._shown(picture)
        yield (
            "## Pictures that are kept\n\n"
            "Some pictures of the pages are files. `make picture` draws the replay of the [overview](/overview.md), and takes "
            "messages and the [lock screen](/playing.md#with-others) in Chromium while two people play in the sandbox; "
            "`make bench` draws the plot of [growth](/performance.md) from the newest figures; "
            "`python -m benchmarks.dashboard` draws the [dashboard](/monitoring.md) from what a Prometheus has scraped. "
            "The build compares all but the last with what they would show today.\n"
        )

    def _shown(self, picture: Picture) -> str:
        looks = (False, True) if picture.looks else (False,)
        files = [
            self._picture(f"{picture.name}{'-high-contrast' if contrast else ''}.{picture.ending}", picture.draw(contrast))
            for contrast in looks
        ]
        words = plain_words(picture.words)
        images = [_image(file, words, min(picture.width, 550)) for file in files]
        told = f"```{{raw}} html\n<details><summary>In words</summary><p>{escape(words, quote=False)}</p></details>\n```"
        return "\n".join([f"{picture.caption}\n", ":::{container} looks", *images, ":::\n", told, ""])


def _small_board(game_id: str) -> bytes:
    game = midway(whole(game_id))
    return draw(game_id, game.view(), game.scene())


def _image_of(found: re.Match[str]) -> str:
    """A picture that was written in HTML."""
    return f"![{found['alt']}]({found['src']})\n"


def _image(file: str, words: str, width: int) -> str:
    """A picture in Markdown, with its description."""
    alt = json.dumps(plain_words(words), ensure_ascii=False)
    return f"```{{image}} {file}\n:alt: {alt}\n:width: {width}px\n:loading: lazy\n```"


def plain_words(words: str) -> str:
    """A description on one line, without Discord's Markdown."""
    return " ".join(re.sub(r"[*`]|^- ", "", words, flags=re.MULTILINE).split())


def _toctree(caption: str, pages: Sequence[str]) -> str:
    """A list of the navigation, with a heading if there is a `caption`. Paths begin at the root of the site."""
    entries = (f"{TITLES[page]} </{page}>" if page in TITLES else f"/{page}" for page in pages)
    options = [":hidden:", *([f":caption: {caption}"] if caption else [])]
    return "\n".join(["```{toctree}", *options, "", *entries, "```\n"])


# --- the commands ---------------------------------------------------------------------------------------------------------


def leaves(command: Any) -> Iterator[Any]:
    """The commands that can be called: a command itself, or those of a group."""
    if isinstance(command, app_commands.Group):
        for each in command.commands:
            yield from leaves(each)
    else:
        yield command


def commands() -> Iterator[str]:
    """The page about all commands, as the bot declares them to Discord."""
    yield "# Commands\n"
    yield (
        "All commands with their options, as Discord offers them. What is in **bold** has to be given. "
        "[Playing](/playing.md) and [running a server](/running-a-server.md) say when to use which.\n"
    )
    for command in COMMANDS:
        yield f"## `/{command.name}`\n"
        if isinstance(command, app_commands.Group):
            yield f"{command.description}.\n" if command.description.strip("…") else ""
        if command.default_permissions is not None:
            yield "Needs the permission *Manage Server*.\n"
        for leaf in leaves(command):
            if leaf is not command:
                yield f"### `/{leaf.qualified_name}`\n"
            yield f"{leaf.description}.\n"
            if leaf.parameters:
                yield "| option | meaning |\n| --- | --- |"
                yield from (f"| {_option(each)} | {_meaning(each)} |" for each in leaf.parameters)
                yield ""
    yield "## Menus\n"
    yield "They come with a right click, on a phone with a long press, under *Apps*.\n"
    yield "| on a | menu |\n| --- | --- |"
    yield from (f"| {'person' if menu.type is AppCommandType.user else 'message'} | *{menu.name}* |" for menu in MENUS)
    yield ""


def _option(option: Any) -> str:
    name = f"`{option.display_name}`"
    return f"**{name}**" if option.required else name


def _meaning(option: Any) -> str:
    """What an option means, and what can be chosen."""
    names = [str(choice.name).partition(":")[0] for choice in option.choices]
    return f"{option.description}: {', '.join(names)}" if names else str(option.description)
