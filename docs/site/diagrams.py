"""Draws the pages' diagrams as SVG, without a browser or a network: the few forms of Mermaid that they use.

GitHub draws the same text itself. Anything that this module cannot read is an error, and ends the build.
"""

import re
import textwrap
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from html import escape
from typing import Final

LINE: Final = 18
CHARACTER: Final = 7.2
"""The height of a line of text, and the greatest width of a character, in pixels."""
PAD: Final = 12
FENCE: Final = re.compile(r"^```mermaid\n(?P<text>.*?)^```$", re.MULTILINE | re.DOTALL)

Point = tuple[float, float]


class UnknownDiagram(ValueError):
    """A diagram has a line that this module cannot read."""


def svg_of(text: str) -> str:
    """Return a diagram as an SVG element."""
    kind, *lines = (line.strip() for line in text.strip().splitlines())
    if kind == "sequenceDiagram":
        return _Sequence.read(lines).svg()
    if found := re.fullmatch(r"flowchart (BT|LR)", kind):
        return _Flowchart.read(lines).svg(across=found[1] == "LR")
    raise UnknownDiagram(kind)


def _svg(width: float, height: float, words: str, parts: Sequence[str]) -> str:
    """The element around the parts of a picture. `words` describes it for people who do not see it."""
    marker = (
        '<defs><marker id="arrow" viewBox="0 0 8 8" refX="7" refY="4" markerWidth="8" markerHeight="8" '
        'orient="auto-start-reverse"><path d="M0,0 L8,4 L0,8 z"/></marker></defs>'
    )
    return (
        f'<svg class="diagram" viewBox="0 0 {width:.0f} {height:.0f}" style="max-width: {width:.0f}px" role="img" '
        f'aria-label="{escape(words)}">{marker}{"".join(parts)}</svg>'
    )


def _text(lines: Sequence[str], middle: float, top: float, *, bold: int = 0, kind: str = "") -> str:
    """Lines of text, one below the other, the first `bold` of them in bold."""
    classes = ["bold" if row < bold else "usual" for row in range(len(lines))]
    spans = (
        f'<tspan x="{middle:.0f}" y="{top + LINE * row + 13:.0f}" class="{classes[row]}">{escape(line)}</tspan>'
        for row, line in enumerate(lines)
    )
    return f'<text text-anchor="middle" class="{kind or "label"}">{"".join(spans)}</text>'


def _frame(left: float, top: float, right: float, bottom: float) -> str:
    """The frame around a group."""
    return f'<rect class="group" x="{left:.0f}" y="{top:.0f}" width="{right - left:.0f}" height="{bottom - top:.0f}" rx="10"/>'


def _width(lines: Sequence[str]) -> float:
    return max((len(line) for line in lines), default=0) * CHARACTER


def _plain(label: str) -> str:
    return re.sub(r"<br>", " – ", label).replace("<b>", "").replace("</b>", "")


# --- flowcharts -----------------------------------------------------------------------------------------------------------


@dataclass
class _Box:
    """A box of a flowchart: its words, its group, its least width, and where it is drawn."""

    label: str
    group: str = ""
    level: int = 0
    least: float = 0
    x: float = 0
    y: float = 0

    @property
    def lines(self) -> list[str]:
        return [line for part in re.sub(r"</?b>", "", self.label).split("<br>") for line in textwrap.wrap(part, 21)]

    @property
    def bold(self) -> int:
        """How many of the first lines are bold."""
        return int(self.label.startswith("<b>"))

    @property
    def width(self) -> float:
        return max(self.least, _width(self.lines) + 2 * PAD)

    @property
    def height(self) -> float:
        return LINE * len(self.lines) + 1.2 * PAD


@dataclass
class _Flowchart:
    """A flowchart. Each arrow has two ends, and may point both ways."""

    boxes: dict[str, _Box] = field(default_factory=dict)
    arrows: list[tuple[str, str, bool]] = field(default_factory=list)
    groups: dict[str, str] = field(default_factory=dict)

    @classmethod
    def read(cls, lines: Sequence[str]) -> "_Flowchart":
        """Read the lines of a flowchart."""
        chart, group = cls(), ""
        for line in lines:
            if found := re.fullmatch(r'subgraph (\w+)(?:\["(.*)"\])?', line):
                group = found[1]
                chart.groups[group] = found[2] or group
            elif line == "end":
                group = ""
            elif found := re.fullmatch(r'(\w+)\[\(?"(.*)"\)?\]', line):
                chart.boxes[found[1]] = _Box(found[2], group)
            elif found := re.fullmatch(r"([\w &]+?) (<?)--> (\w+)(?:\[\(?\"(.*)\"\)?\])?", line):
                if found[4]:
                    chart.boxes[found[3]] = _Box(found[4], group)
                chart.arrows += [(one.strip(), found[3], bool(found[2])) for one in found[1].split("&")]
            else:
                raise UnknownDiagram(line)
        return chart

    def svg(self, *, across: bool) -> str:
        """The flowchart, from left to right if `across`, else with the targets of arrows above."""
        self._set_levels()
        width, height = self._place_across() if across else self._place_down()
        parts = [*self._groups(), *(self._arrow(*arrow, across=across) for arrow in self.arrows)]
        for box in self.boxes.values():
            parts.append(f'<rect x="{box.x:.0f}" y="{box.y:.0f}" width="{box.width:.0f}" height="{box.height:.0f}" rx="8"/>')
            parts.append(_text(box.lines, box.x + box.width / 2, box.y + 0.6 * PAD, bold=box.bold))
        boxes = "; ".join(_plain(box.label) for box in self.boxes.values())
        arrows = ", ".join(f"{one} {'and' if both else 'to'} {other}" for one, other, both in self.arrows)
        return _svg(width, height, f"Boxes: {boxes}. Arrows: {arrows}.", parts)

    def _set_levels(self) -> None:
        """Put every box behind all its targets, and a group of several levels behind every box outside groups."""
        for _ in self.boxes:
            for one, other, _both in self.arrows:
                self.boxes[one].level = max(self.boxes[one].level, self.boxes[other].level + 1)
            outside = max((box.level for box in self.boxes.values() if not box.group), default=-1)
            for group in self.groups:
                members = [box for box in self.boxes.values() if box.group == group]
                if len({box.level for box in members}) > 1:
                    for box in members:
                        box.level = max(box.level, outside + 1)

    def _rows(self) -> list[list[_Box]]:
        levels = max(box.level for box in self.boxes.values()) + 1
        return [[box for box in self.boxes.values() if box.level == level] for level in range(levels)]

    def _place_down(self) -> Point:
        rows, y = self._rows(), 8.0
        widths = [sum(box.width for box in row) + 24 * (len(row) - 1) for row in rows]
        width, before = max(widths) + 72, ""
        for row, wide in zip(rows, widths, strict=True):
            x = (width - wide) / 2
            y += 34 if row[0].group != before else 0
            before = row[0].group
            for box in row:
                box.x, box.y = x, y
                x += box.width + 24
            y += max(box.height for box in row) + 40
        return width, y - 40 + (20 if before else 8)

    def _place_across(self) -> Point:
        columns, x, height = self._rows()[::-1], 20.0, 0.0
        for column in columns:
            gap = 54 if len({box.group for box in column}) > 1 else 18
            y, widest = 36.0, max(box.width for box in column)
            for box in column:
                box.least, box.x, box.y = widest, x, y
                y += box.height + gap
            x += widest + 90
            height = max(height, y - gap)
        for column in columns:
            shift = (height - column[-1].y - column[-1].height) / 2
            for box in column:
                box.y += shift
        return x - 70, height + 20

    def _groups(self) -> Iterator[str]:
        for group, label in self.groups.items():
            members = [box for box in self.boxes.values() if box.group == group]
            left, top = min(box.x for box in members) - 14, min(box.y for box in members) - 28
            right = max(box.x + box.width for box in members) + 14
            bottom = max(box.y + box.height for box in members) + 12
            yield _frame(left, top, right, bottom)
            words = _plain(label)
            yield _text([words], left + 10 + len(words) * CHARACTER / 2, top + 4, bold=1)

    def _arrow(self, one: str, other: str, both: bool, *, across: bool) -> str:
        start, end = self.boxes[one], self.boxes[other]
        if across:
            x1, y1, x2, y2 = start.x + start.width, start.y + start.height / 2, end.x, end.y + end.height / 2
            bend = f"C{(x1 + x2) / 2:.0f},{y1:.0f} {(x1 + x2) / 2:.0f},{y2:.0f}"
        else:
            x1, y1, x2, y2 = start.x + start.width / 2, start.y, end.x + end.width / 2, end.y + end.height
            bend = f"C{x1:.0f},{(y1 + y2) / 2:.0f} {x2:.0f},{(y1 + y2) / 2:.0f}"
        begin = ' marker-start="url(#arrow)"' if both else ""
        return f'<path class="arrow" d="M{x1:.0f},{y1:.0f} {bend} {x2:.0f},{y2:.0f}" marker-end="url(#arrow)"{begin}/>'


# --- sequences ------------------------------------------------------------------------------------------------------------


@dataclass
class _Sequence:
    """A sequence diagram: who takes part, and the lines about what happens, in order."""

    names: dict[str, str] = field(default_factory=dict)
    steps: list[tuple[str, ...]] = field(default_factory=list)

    COLUMN = 158
    HEAD = 34

    @classmethod
    def read(cls, lines: Sequence[str]) -> "_Sequence":
        """Read the lines of a sequence diagram."""
        sequence = cls()
        for line in lines:
            if found := re.fullmatch(r"participant (\w+) as (.+)", line):
                sequence.names[found[1]] = found[2]
            elif found := re.fullmatch(r"(\w+)(--?>>)(\w+): (.+)", line):
                sequence.steps.append(("answer" if found[2] == "-->>" else "message", found[1], found[3], found[4]))
            elif found := re.fullmatch(r"(par|and) (.+)", line):
                sequence.steps.append((found[1], found[2]))
            elif line == "end":
                sequence.steps.append(("end",))
            else:
                raise UnknownDiagram(line)
        return sequence

    def svg(self) -> str:
        """The sequence, from top to bottom."""
        at = {name: self.COLUMN * (number + 0.5) for number, name in enumerate(self.names)}
        width, y = self.COLUMN * len(self.names), self.HEAD + 14.0
        parts, framed, told = [], y, list[str]()
        for kind, *rest in self.steps:
            if kind == "end":
                parts.append(_frame(6, framed, width - 6, y))
                y += 14
            elif kind in {"par", "and"}:
                if kind == "and":
                    parts.append(f'<path class="border" d="M6,{y:.0f} H{width - 6}"/>')
                else:
                    y += 4
                    framed = y
                parts.append(_text([rest[0]], 18 + len(rest[0]) * CHARACTER / 2, y + 4, bold=1))
                told.append(f"{'At the same time' if kind == 'and' else 'Then'}, {rest[0]}")
                y += LINE + 12
            else:
                sender, receiver, words = rest
                lines = textwrap.wrap(words, max(20, int(abs(at[sender] - at[receiver]) / CHARACTER) - 1))
                parts.append(_text(lines, (at[sender] + at[receiver]) / 2, y, kind="words"))
                y += LINE * len(lines) + 6
                way = f"M{at[sender]:.0f},{y:.0f} H{at[receiver]:.0f}"
                parts.append(f'<path class="{kind}" d="{way}" marker-end="url(#arrow)"/>')
                told.append(f"{self.names[sender]} to {self.names[receiver]}: {words}")
                y += 16
        heads = [self._head(name, at[short], y) for short, name in self.names.items()]
        return _svg(width, y + 6, ". ".join(told), [*heads, *parts])

    def _head(self, name: str, middle: float, bottom: float) -> str:
        wide = len(name) * CHARACTER + 2 * PAD
        return (
            f'<path class="border" d="M{middle:.0f},{self.HEAD} V{bottom:.0f}"/>'
            f'<rect x="{middle - wide / 2:.0f}" y="4" width="{wide:.0f}" height="{self.HEAD - 6}" rx="8"/>'
            f"{_text([name], middle, 8, bold=1)}"
        )
