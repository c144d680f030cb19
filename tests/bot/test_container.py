"""The container as far as it can be checked without an engine: what the Dockerfile says, and that its steps work."""

import json
import re
import shlex
import shutil
import subprocess
import sys
import tomllib
import zipfile
from dataclasses import dataclass
from fnmatch import fnmatch
from pathlib import Path
from typing import Any

import babel
import font_fredoka_one
import pytest

from bot.admin import health
from bot.core.clocks.heartbeats import EVERY
from renderers.theme import Face

ROOT = Path(__file__).parents[2]
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text())


@dataclass(frozen=True)
class Step:
    stage: int
    word: str
    rest: str

    @property
    def words(self) -> list[str]:
        return shlex.split(self.rest)


def steps() -> list[Step]:
    text = re.sub(r"^#.*\n", "", (ROOT / "Dockerfile").read_text(), flags=re.MULTILINE).replace("\\\n", " ")
    found: list[Step] = []
    stage = -1
    for line in filter(None, map(str.strip, text.splitlines())):
        word, _, rest = line.partition(" ")
        stage += word == "FROM"
        found.append(Step(stage, word, rest.strip()))
    return found


def those(word: str, stage: int | None = None) -> list[Step]:
    return [step for step in steps() if step.word == word and stage in (None, step.stage)]


def copied_from_here() -> list[str]:
    return [source for step in those("COPY") if "--from" not in step.rest for source in step.words[:-1]]


def in_context(path: Path) -> bool:
    """Whether Docker sees a file: the last matching line of .dockerignore decides."""
    seen = True
    name = path.relative_to(ROOT).as_posix()
    for line in (ROOT / ".dockerignore").read_text().splitlines():
        if not line or line.startswith("#"):
            continue
        pattern = line.removeprefix("!")
        above = [name, *(parent.as_posix() for parent in path.relative_to(ROOT).parents)]
        if any(fnmatch(one, pattern) or fnmatch("/" + one, pattern.replace("**/", "*/")) for one in above):
            seen = line.startswith("!")
    return seen


def test_the_image_is_built_in_two_stages_on_a_slim_python_that_the_project_supports() -> None:
    images = [step.words[0] for step in those("FROM")]
    assert images == ["${PYTHON_IMAGE}"] * 2  # so that one argument pins both by a digest
    argument, _, image = those("ARG")[0].rest.partition("=")
    assert argument == "PYTHON_IMAGE"
    name, _, tag = image.partition(":")
    assert name == "python"
    version = re.fullmatch(r"(3\.\d+)-slim-\w+", tag)
    assert version is not None
    least = PROJECT["project"]["requires-python"].removeprefix(">=")
    assert [int(part) for part in version[1].split(".")] >= [int(part) for part in least.split(".")]
    assert not those("ADD")


def test_everything_that_is_copied_is_there_and_reaches_docker() -> None:
    for source in copied_from_here():
        assert (ROOT / source).exists(), source
        assert in_context(ROOT / source), source


def test_all_packages_are_copied_and_nothing_private_reaches_docker() -> None:
    packages = {name.removesuffix("*") for name in PROJECT["tool"]["setuptools"]["packages"]["find"]["include"]}
    assert packages <= set(copied_from_here())
    for name in (
        ".env",
        "data/springboard.sqlite3",
        "tests/bot/kit.py",
        ".git/config",
        ".venv/bin/python",
        "engines/__pycache__/x.pyc",
    ):
        assert not in_context(ROOT / name), name


def test_what_is_installed_is_pinned_with_hashes_and_installed_as_the_makefile_does() -> None:
    makefile = (ROOT / "Makefile").read_text()
    requirements, project = (step.rest for step in those("RUN") if "pip install" in step.rest)
    for command in (requirements, project):
        assert "--disable-pip-version-check" in command
    assert "--require-hashes -r requirements/image.txt" in requirements
    assert "--require-hashes -r requirements/" in makefile
    assert "--no-deps --no-build-isolation ." in project
    assert "--no-deps --no-build-isolation --editable ." in makefile
    pins = re.findall(
        r"^[a-z0-9._-]+(?:\[[a-z,]+\])?==\S+", (ROOT / "requirements" / "image.txt").read_text(), flags=re.MULTILINE
    )
    pinned = {re.split(r"[\[=]", pin)[0] for pin in pins}
    extra = PROJECT["project"]["optional-dependencies"]["postgresql"]
    needed = {re.split(r"[\[><=]", one)[0].lower().replace(".", "-") for one in [*PROJECT["project"]["dependencies"], *extra]}
    assert needed <= pinned
    assert {"setuptools"} <= pinned  # what builds the project, since the build is not isolated
    assert not {"simcord", "pytest", "mypy"} & pinned


def test_nothing_that_builds_is_in_the_image_and_what_is_there_is_compiled_whatever_the_times_of_files_are() -> None:
    last = [step.rest for step in those("RUN", 0)][-1]
    order = [
        "requirements/trim.py /opt/springboard",
        "pip uninstall --yes setuptools pip",
        "compileall -q -f --invalidation-mode unchecked-hash",
    ]
    assert [last.index(one) for one in order] == sorted(last.index(one) for one in order)
    assert all("--no-compile" in step.rest for step in those("RUN") if "pip install" in step.rest)
    assert those("COPY", 0)[-1].rest.startswith("requirements/trim.py")


def test_the_bot_runs_as_nobody_special_and_gets_the_signals() -> None:
    last = max(step.stage for step in steps())
    (user,) = those("USER", last)
    assert re.fullmatch(r"[1-9]\d{3,}:[1-9]\d{3,}", user.rest)
    (entry,), (command,) = those("ENTRYPOINT", last), those("CMD", last)
    assert [*json.loads(entry.rest), *json.loads(command.rest)] == ["springboard", "run"]
    assert those("STOPSIGNAL", last)[0].rest == "SIGTERM"
    order = [step.word for step in steps() if step.stage == last]
    assert order.index("USER") > max(place for place, word in enumerate(order) if word == "RUN")


def test_games_are_kept_in_the_volume() -> None:
    (volume,) = those("VOLUME")
    (environment,) = those("ENV")
    variables = dict(word.split("=", 1) for word in environment.words)
    assert Path(variables["SPRINGBOARD_DATABASE"]).parent == Path(volume.rest)
    assert not [name for name in variables if "TOKEN" in name]
    assert any(f"/{volume.rest.strip('/')}" in step.words for step in those("RUN"))


@pytest.mark.slow
def test_the_health_of_the_bot_is_looked_at_cheaply_and_patiently() -> None:
    (check,) = those("HEALTHCHECK")
    options, _, command = check.rest.partition(" CMD ")
    assert json.loads(command) == ["python", "-m", "bot.admin.health"]
    seconds = {name: float(value) for name, value in re.findall(r"--(\S+)=(\d+)s", options)}
    assert seconds["timeout"] > health.TIMEOUT
    assert health.FRESH >= 3 * EVERY
    loaded = "import sys, bot.admin.health; print(*sys.modules)"
    told = subprocess.run([sys.executable, "-c", loaded], cwd=ROOT, capture_output=True, text=True, check=True)
    assert not {"discord", "engines.pucks", "PIL"} & set(told.stdout.split())


def test_memory_processes_and_logs_are_limited() -> None:
    service = compose((ROOT / "compose.yaml").read_text())["services"]["springboard"]
    assert service["mem_limit"] == service["memswap_limit"] == "1g"
    assert 32 <= int(service["pids_limit"]) <= 512
    assert service["logging"]["driver"] == "json-file"
    assert set(service["logging"]["options"]) == {"max-size", "max-file"}
    (environment,) = those("ENV")
    assert dict(word.split("=", 1) for word in environment.words)["MALLOC_ARENA_MAX"] == "2"


def compose(text: str) -> dict[str, Any]:
    """The subset of YAML in compose.yaml: mappings, lists of words, and words."""
    lines = [
        (len(line) - len(line.lstrip()), line.strip())
        for line in text.splitlines()
        if line.strip() and not line.strip().startswith("#")
    ]

    def block(depth: int) -> object:
        mapping: dict[str, object] = {}
        items: list[str] = []
        while lines and lines[0][0] == depth:
            _, line = lines.pop(0)
            if line.startswith("- "):
                items.append(line[2:])
                continue
            name, _, value = line.partition(":")
            if value.strip():
                mapping[name] = {} if value.strip() == "{}" else value.strip()
            else:
                mapping[name] = block(lines[0][0])
        return items or mapping

    found = block(0)
    assert isinstance(found, dict)
    assert not lines
    return found


def test_compose_keeps_the_games_and_gives_the_bot_time_to_stop() -> None:
    file = compose((ROOT / "compose.yaml").read_text())
    assert list(file) == ["services", "volumes"]
    service = file["services"]["springboard"]
    assert service["build"]["context"] == "."
    assert service["build"]["args"] == {"PYTHON_IMAGE": f"${{PYTHON_IMAGE:-{those('ARG')[0].rest.partition('=')[2]}}}"}
    (volume,) = service["volumes"]
    name, _, where = volume.partition(":")
    assert name in file["volumes"]
    assert where == those("VOLUME")[0].rest
    assert Path(service["environment"]["SPRINGBOARD_DATABASE"]).parent == Path(where)
    assert int(service["stop_grace_period"].removesuffix("s")) >= 30
    assert (service["read_only"], service["cap_drop"], service["restart"]) == ("true", ["ALL"], "unless-stopped")
    assert service["env_file"] == ".env"
    assert ".env" in (ROOT / ".gitignore").read_text().splitlines()
    assert "TOKEN" not in str(service["environment"])


@pytest.fixture(scope="module")
def installed(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The project as the container has it, built from what Docker sees, and unpacked."""
    context = tmp_path_factory.mktemp("context")
    for source in copied_from_here():
        for path in [ROOT / source, *(ROOT / source).rglob("*")]:
            if path.is_file() and in_context(path):
                target = context / path.relative_to(ROOT)
                target.parent.mkdir(parents=True, exist_ok=True)
                shutil.copy(path, target)
    wheels = tmp_path_factory.mktemp("wheels")
    pip = [sys.executable, "-m", "pip", "wheel", "--quiet", "--disable-pip-version-check", "--no-deps", "--no-build-isolation"]
    subprocess.run([*pip, "--wheel-dir", wheels, "."], cwd=context, check=True)
    (wheel,) = wheels.iterdir()
    site = tmp_path_factory.mktemp("site")
    with zipfile.ZipFile(wheel) as archive:
        archive.extractall(site)
    return site


@pytest.mark.slow
def test_the_installed_bot_has_all_its_files(installed: Path) -> None:
    packages = ("engines", "opponents", "renderers", "storage", "bot")
    here = {path.relative_to(ROOT) for name in packages for path in (ROOT / name).rglob("*")}
    wanted = {path for path in here if (ROOT / path).is_file() and "__pycache__" not in path.parts}
    assert {path for path in wanted if not (installed / path).exists()} == set()
    assert not (installed / "tools").exists(), "what only developers need is not installed"


@pytest.mark.slow
def test_the_installed_bot_starts(installed: Path, tmp_path: Path) -> None:
    code = f"""
import sys
sys.path.insert(0, {str(installed)!r})
from bot import __main__ as program
assert program.__file__.startswith({str(installed)!r})
program.main(["doctor"])
"""
    said = subprocess.run([sys.executable, "-I", "-c", code], cwd=tmp_path, capture_output=True, text=True, check=False)
    assert said.returncode == 0, said.stderr
    assert "Typefaces: all there." in said.stdout


SPOKEN = """
from bot.i18n.language import language, languages
from engines.text import say, say_n
for code, one in sorted(languages().items()):
    dice = [one(say_n("Roll {n} die", "Roll {n} dice", n)) for n in range(4)]
    print(code, one.own_name, one.template("Start a game"), *dice, one(say("{n} seats", n=3)), sep="|")
print(*(language(code).code for code in ("de-AT", "en-GB", "fi", "pt-BR", "zh-TW", None)))
"""


OURS = ("bot", "engines", "renderers")
"""Our packages that the stripping program imports."""


def python(site: Path, *words: str, locale: str = "C.UTF-8") -> subprocess.CompletedProcess[str]:
    """Run Python with a folder first on its path."""
    environment = {"PYTHONPATH": str(site), "PYTHONUTF8": "1", "LC_ALL": locale}
    return subprocess.run([sys.executable, "-P", *words], env=environment, capture_output=True, text=True, check=False)


@pytest.fixture
def site(tmp_path: Path) -> Path:
    """A folder of packages: Babel, the bot with two more languages, a font, and a package with tests and another font."""
    packages = (*(Path(str(one.__file__)).parent for one in (babel, font_fredoka_one)), *(ROOT / name for name in OURS))
    for package in packages:
        shutil.copytree(package, tmp_path / package.name, ignore=shutil.ignore_patterns("__pycache__"))
    locales = tmp_path / "bot" / "i18n" / "locales"
    for code in ("pt-BR", "zh-TW"):
        catalogue = locales / code / "LC_MESSAGES" / "springboard.po"
        catalogue.parent.mkdir(parents=True)
        catalogue.write_text('msgid ""\nmsgstr "Language-Team: ?\\n"\n\nmsgid "Start a game"\nmsgstr "?"\n', encoding="utf-8")
    for folder in ("some/tests/more/tests", "some/part/tests"):
        (tmp_path / folder).mkdir(parents=True)
    (tmp_path / "some" / "testsuite.py").touch()
    (tmp_path / "some" / "part" / "Unread-Italic.ttf").touch()
    return tmp_path


@pytest.mark.slow
def test_all_languages_of_the_bot_are_as_they_were_and_others_are_left_out(site: Path) -> None:
    before = python(site, "-c", SPOKEN)
    assert before.returncode == 0, before.stderr
    assert "de|Deutsch|Fang ein Spiel an|0 Würfel werfen|1 Würfel werfen|" in before.stdout
    assert before.stdout.splitlines()[-1] == "de en en pt-BR zh-TW en"
    trimmed = python(site, str(ROOT / "requirements" / "trim.py"), str(site))
    assert trimmed.returncode == 0, trimmed.stderr
    for locale in ("C.UTF-8", "fr_FR.UTF-8"):
        assert python(site, "-c", SPOKEN, locale=locale).stdout == before.stdout
    left = {path.stem for path in (site / "babel" / "locale-data").glob("*.dat")}
    assert left == {"en", "de", "pt_BR", "zh_Hant_TW"}
    assert {path.name for path in (site / "some").rglob("*")} == {"testsuite.py", "part"}
    assert [path.name for path in site.rglob("*.ttf")] == [Path(Face.LABEL.value).name]


def test_nothing_is_left_out_elsewhere_than_where_babel_is(tmp_path: Path) -> None:
    (tmp_path / "tests").mkdir()
    refused = python(ROOT, str(ROOT / "requirements" / "trim.py"), str(tmp_path))
    assert refused.returncode == 1
    assert refused.stderr.startswith(f"Babel is not in {tmp_path} but in ")
    assert (tmp_path / "tests").is_dir()
