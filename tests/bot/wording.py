"""Finds English in the code that reaches people without going through `say`.

It looks for *prose*, two words in a row in any literal that is no template of `say`, unless nobody reads it in Discord (the
log, programmers' errors, file formats); and for *any word* where it is certainly shown: on a button, in an event, in a
placeholder.
"""

import ast
import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from bot.i18n.extract import words_of_commands

ROOT = Path(__file__).parents[2]
PACKAGES = ("bot", "engines", "opponents", "renderers")
SOURCES = tuple(path for package in PACKAGES for path in sorted((ROOT / package).rglob("*.py")))

FOR_OPERATORS = {
    "bot/command_line.py", "bot/admin", "bot/cluster", "bot/config.py", "bot/i18n/coverage.py",
    "bot/logs.py", "bot/monitoring", "bot/process.py", "bot/profile.py", "bot/runtime", "bot/sandbox", "bot/workers",
}  # fmt: skip
"""The command line, the log and the sandbox page speak English to whoever runs the bot. The bot's profile has one language in
Discord, and whoever runs the bot may rewrite it."""

FORMATS = {
    "bot/features/lessons/courses/bunny.py", "bot/features/lessons/courses/pucks.py",
    "bot/features/lessons/courses/tactics.py", "bot/core/table/chain.py", "bot/features/privacy/export.py",
    "bot/features/verify/logbook.py", "bot/features/verify/logcheck.py", "bot/features/verify/logproof.py",
    "engines/pucks/board/box.py", "engines/pucks/play/positions.py",
}  # fmt: skip
"""File formats and their errors are the same in every language. So is the data of illustrations and lessons, whose words are
`Text`s."""
TEMPLATES = {"say": 1, "say_n": 2}
LOGGING = {"debug", "info", "warning", "error", "exception", "critical"}
FOR_PROGRAMMERS = {"AssertionError", "ChanceExhausted", "ExceptionGroup", "TypeError", "ValueError", "add_note"}
"""Errors and notes for programmers, never met in Discord. People see `SessionError`s and `IllegalAction`s."""

SHOWN: dict[str, tuple[int | str, ...]] = {
    # what is read in Discord
    "text": (0,),
    "button": (0,),
    "tell": (0,),
    "complain": (0,),
    "clipped": (0,),
    "SelectOption": ("label", "description"),
    "Select": ("placeholder",),
    "Picture": (2,),
    "create_thread": ("name",),
    # what the games say
    "Choice": (1, "label", "name"),
    "Shortcut": (1, "label"),
    "Event": (2, "said"),
    "told": (2,),
    "figure": (1,),
    "Outcome": (1, "reason"),
    "Option": (0, "title"),
    # errors that are shown
    "Refused": (0,),
    "NoSuchTable": (0,),
    "NotSeated": (0,),
    "NotYourTurn": (0,),
    "WrongStage": (0,),
    "TableFull": (0,),
    "Stale": (0,),
    "BadAction": (0,),
    "IllegalAction": (0,),
    "IncompleteAction": (0,),
    "MalformedAction": (0,),
    # what is written in pictures
    "write": (2,),
    "Leaderboard": ("title", "subtitle", "rating", "games", "note", "nameless"),
    # what is put together
    "plain": (0,),
    "join": (0, 1),
}
"""Calls that certainly show words, and in which arguments."""
PROSE = re.compile(r"[^\W\d_]{2,}[,;:.]? [^\W\d_]{2,}")
WORD = re.compile(r"[^\W\d_]{2,}")
ADDRESS = re.compile(r"https?:\S*")


@dataclass(frozen=True)
class Finding:
    path: str
    line: int
    words: str

    def __str__(self) -> str:
        return f"{self.path}:{self.line}: {self.words!r}"


def bypasses(path: Path) -> list[Finding]:
    """A module's literals that would be English in every language."""
    name = path.relative_to(ROOT).as_posix()
    if any(name == known or name.startswith(f"{known}/") for known in FOR_OPERATORS):
        return []
    module = ast.parse(path.read_text(encoding="utf-8"))
    found = {*_shown_words(module)}
    if name not in FORMATS and not name.endswith("/illustrations.py"):
        found |= {*_prose(module, set(words_of_commands(module)))}
    return [Finding(name, line, words) for line, words in sorted(found)]


def computed_templates(path: Path) -> list[Finding]:
    """Calls of `say` whose template is no literal, so that Babel cannot find it."""
    name = path.relative_to(ROOT).as_posix()
    calls = [node for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))) if isinstance(node, ast.Call)]
    return [
        Finding(name, call.lineno, ast.unparse(argument))
        for call in calls
        for argument in call.args[: TEMPLATES.get(_called(call), 0)]
        if not (isinstance(argument, ast.Constant) and isinstance(argument.value, str))
    ]


def _called(call: ast.Call) -> str:
    return call.func.attr if isinstance(call.func, ast.Attribute) else getattr(call.func, "id", "")


def _parts(node: ast.AST) -> Iterator[ast.AST]:
    if isinstance(node, ast.Call):
        yield node.func
        yield from node.args[TEMPLATES.get(_called(node), 0) :]
        yield from (keyword.value for keyword in node.keywords)
    else:
        yield from ast.iter_child_nodes(node)


def _prose(node: ast.AST, commands: set[ast.Constant]) -> Iterator[tuple[int, str]]:
    """Literals with two words in a row that could be read in Discord."""
    if isinstance(node, ast.Constant):
        if isinstance(node.value, str) and PROSE.search(node.value) and node not in commands:
            yield node.lineno, node.value
        return
    if _nobody_reads(node):
        return
    for part in _parts(node):
        yield from _prose(part, commands)


def _nobody_reads(node: ast.AST) -> bool:
    """Docstrings, names of games, assertions, the log, and programmers' errors."""
    if isinstance(node, ast.Expr):
        return isinstance(node.value, ast.Constant)
    if isinstance(node, ast.Assign | ast.AnnAssign):
        targets = node.targets if isinstance(node, ast.Assign) else [node.target]
        return any(isinstance(target, ast.Name) and target.id == "title" for target in targets)
    if isinstance(node, ast.Call):
        logging = isinstance(node.func, ast.Attribute) and ast.unparse(node.func.value) == "log" and node.func.attr in LOGGING
        return logging or _called(node) in FOR_PROGRAMMERS
    return isinstance(node, ast.Assert)


def _shown_words(module: ast.Module) -> Iterator[tuple[int, str]]:
    """Literals with a word that are certainly shown."""
    commands = set(words_of_commands(module))
    for call in ast.walk(module):
        if not isinstance(call, ast.Call):
            continue
        for argument in _shown_arguments(call):
            for literal in _literals(argument):
                words = literal.value
                if isinstance(words, str) and literal not in commands and WORD.search(ADDRESS.sub("", words)):
                    yield literal.lineno, words


def _shown_arguments(call: ast.Call) -> Iterator[ast.AST]:
    name = _called(call)
    if name in TEMPLATES:
        yield from call.args[TEMPLATES[name] :]
        yield from (keyword.value for keyword in call.keywords)
    for place in SHOWN.get(name, ()):
        if isinstance(place, int):
            yield from call.args[place : place + 1]
        else:
            yield from (keyword.value for keyword in call.keywords if keyword.arg == place)


def _literals(node: ast.AST) -> Iterator[ast.Constant]:
    """The literals an expression may evaluate to, not those it only compares, looks up, or passes to a call."""
    match node:
        case ast.Constant(value=str()):
            yield node
        case ast.JoinedStr():
            yield from (literal for literal in node.values if isinstance(literal, ast.Constant))
        case ast.IfExp():
            yield from _literals(node.body)
            yield from _literals(node.orelse)
        case ast.BinOp() | ast.BoolOp() | ast.List() | ast.Tuple() | ast.Starred() | ast.ListComp() | ast.GeneratorExp():
            for part in ast.iter_child_nodes(node):
                yield from _literals(part)
        case ast.Subscript(value=ast.Dict() as table):
            for value in table.values:
                yield from _literals(value)
        case ast.Call() if _called(node) in {"language", "str", "escaped", "clipped"} or (
            isinstance(node.func, ast.Attribute) and node.func.attr == "join"
        ):
            for argument in node.args:
                yield from _literals(argument)
