"""The files in .github/ and .devcontainer/ agree with the project. `make lint` checks their form."""

import json
import re
import tomllib
from pathlib import Path
from typing import Any

import pytest
import yaml

ROOT = Path(__file__).parents[2]
WORKFLOWS = sorted((ROOT / ".github" / "workflows").glob("*.yml"))
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
each_workflow = pytest.mark.parametrize("path", WORKFLOWS, ids=lambda path: path.stem)


def read(path: Path) -> dict[str, Any]:
    found: dict[str, Any] = yaml.load(path.read_text(encoding="utf-8"), Loader=yaml.BaseLoader)  # "on" is a word here
    return found


def jobs(path: Path) -> dict[str, dict[str, Any]]:
    found: dict[str, dict[str, Any]] = read(path)["jobs"]
    return found


def commands(path: Path) -> str:
    return "\n".join(step.get("run", "") for job in jobs(path).values() for step in job.get("steps", []))


@each_workflow
def test_every_action_is_pinned_by_its_commit_and_the_same_everywhere(path: Path) -> None:
    everywhere = "\n".join(each.read_text() for each in WORKFLOWS)
    for name, rest in re.findall(r"uses: ([\w-]+/[\w/-]+)@(.+)", path.read_text()):
        assert re.fullmatch(r"[0-9a-f]{40} # v\d+\.\d+\.\d+", rest), name
        assert set(re.findall(rf"uses: {name}@(.+)", everywhere)) == {rest}


@each_workflow
def test_jobs_may_read_and_what_they_may_write_is_said_one_by_one(path: Path) -> None:
    given = read(path)["permissions"]
    assert given in ({}, {"contents": "read"})
    for name, job in jobs(path).items():
        rights = job.get("permissions", given)
        assert rights, name
        assert not any(right == "write" for right in rights.values()) or path.stem != "ci"
    assert "pull_request_target" not in read(path)["on"]


@each_workflow
def test_what_the_steps_call_is_there(path: Path) -> None:
    said = commands(path)
    targets = set(re.findall(r"^([\w./%-]+):", (ROOT / "Makefile").read_text(), flags=re.MULTILINE)) | {".venv/ready-dev"}
    for words in re.findall(r"^(?:CI= )?make (.+)$", said, flags=re.MULTILINE):
        assert {word for word in words.split() if "=" not in word} <= targets
    for script in re.findall(r"(?<![\w/])\.ci/[\w.]+", said):
        assert (ROOT / script).is_file(), script
    for called in re.findall(r"uses: \./(\S+)|gh workflow run (\S+)", path.read_text()):
        assert ROOT / (called[0] or f".github/workflows/{called[1]}") in WORKFLOWS


def test_all_that_must_pass_is_run_on_every_python_from_the_oldest_that_is_supported() -> None:
    everything = jobs(ROOT / ".github" / "workflows" / "ci.yml")["everything"]
    pythons = everything["strategy"]["matrix"]["python"]
    assert f">={pythons[0]}" == PROJECT["requires-python"]
    assert pythons == [f"3.{minor}" for minor in range(11, 11 + len(pythons))]
    assert everything["steps"][-1]["run"] == "bash .ci/run"
    assert all(python in (ROOT / "Makefile").read_text() for python in pythons)


def test_a_release_is_checked_before_anything_is_published() -> None:
    path = ROOT / ".github" / "workflows" / "release.yml"
    order = jobs(path)
    assert [job.get("needs") for job in order.values()] == [None, *list(order)[:-1]]
    assert order["checks"]["uses"] == "./.github/workflows/ci.yml"
    assert "workflow_call" in read(ROOT / ".github" / "workflows" / "ci.yml")["on"]
    (push,) = [step["with"] for step in order["container"]["steps"] if "build-push-action" in step.get("uses", "")]
    assert push["platforms"] == "linux/amd64,linux/arm64"
    assert (push["provenance"], push["sbom"]) == ("mode=max", "true")
    assert commands(path).index("doctor --offline") < commands(path).index("gh release create")


def test_the_dev_container_is_made_from_the_same_lists_as_everything_else() -> None:
    container = json.loads((ROOT / ".devcontainer" / "devcontainer.json").read_text())
    image = jobs(ROOT / ".github" / "workflows" / "ci.yml")["everything"]["container"]["image"]
    assert container["image"] == image.replace("${{ matrix.python }}", PROJECT["requires-python"].removeprefix(">="))
    assert container["postCreateCommand"] == ".ci/packages && make .venv/ready-dev"
    assert "\n.ci/packages" in (ROOT / ".ci" / "run").read_text()
    assert (ROOT / ".ci" / "packages").stat().st_mode & 0o100
