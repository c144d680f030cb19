"""Version 1.0.0 comes from the history of the repository."""

import subprocess
import tomllib
from pathlib import Path

import pytest

from benchmarks.reference import COMMIT, VERSION, OutOfReach, archive, reference


@pytest.mark.slow
def test_the_reference_is_version_1_0_0_and_leaves_nothing_behind() -> None:
    try:
        with reference() as folder:
            assert tomllib.loads((folder / "pyproject.toml").read_text(encoding="utf-8"))["project"]["version"] == VERSION
            assert {"bot", "engines", "renderers", "storage"} <= {place.name for place in folder.iterdir()}
            assert list((folder / "bot" / "__pycache__").iterdir()), "its first start is like any other"
    except OutOfReach as missing:
        pytest.skip(str(missing))
    assert not folder.exists()


def git(folder: Path, *words: str) -> None:
    who = ("-c", "user.name=Somebody", "-c", "user.email=somebody@example.org")
    subprocess.run(["git", "-C", str(folder), *who, *words], check=True, stdout=subprocess.DEVNULL)


def test_a_shallow_clone_says_how_to_get_the_reference(tmp_path: Path) -> None:
    git(tmp_path, "init", "--quiet", "whole")
    for message in ("one", "two"):
        git(tmp_path / "whole", "commit", "--quiet", "--allow-empty", "--message", message)
    git(tmp_path, "clone", "--quiet", "--depth", "1", f"file://{tmp_path / 'whole'}", "shallow")
    with pytest.raises(OutOfReach, match=r"git fetch --unshallow$"):
        archive(tmp_path / "shallow")
    with pytest.raises(OutOfReach, match=rf"git fetch origin {COMMIT}$"):
        archive(tmp_path / "whole")


def test_files_without_a_history_say_that_they_have_no_reference(tmp_path: Path) -> None:
    with pytest.raises(OutOfReach, match=r"in the history of a clone by git, and .* is none\.$"):
        archive(tmp_path)
