"""The checks before a release, and the text of its page."""

import importlib.util
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
SPEC = importlib.util.spec_from_file_location("release_notes", ROOT / ".ci" / "release_notes.py")
assert SPEC is not None
assert SPEC.loader is not None
notes = importlib.util.module_from_spec(SPEC)
SPEC.loader.exec_module(notes)

CHANGELOG = """\
# Changelog

## Unreleased

- Not out yet.

## 1.2.0 — 2026-12-01

One can do more.

### Games

- A new one, `## 1.1.0` in its words.

## 1.1.0 - 2026-11-30

- The one before.

## 1.0.1

- Without a day.

## 1.0.0 — 2026-11-01

"""


def project(folder: Path, version: str) -> Path:
    (folder / "pyproject.toml").write_text(f'[project]\nname = "springboard"\nversion = "{version}"\n')
    (folder / "CHANGELOG.md").write_text(CHANGELOG, encoding="utf-8")
    return folder


def test_the_text_is_the_section_of_the_version(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert notes.main(["v1.2.0"], project(tmp_path, "1.2.0")) == 0
    assert capsys.readouterr().out == "One can do more.\n\n### Games\n\n- A new one, `## 1.1.0` in its words.\n"
    assert (notes.main(["v1.1.0"], project(tmp_path, "1.1.0")), capsys.readouterr().out) == (0, "- The one before.\n")


@pytest.mark.parametrize(("tag", "version", "why"), [
    ("v1.2.0", "1.1.0", "its tag would be v1.1.0"),
    ("1.2.0", "1.2.0", "its tag would be v1.2.0"),
    ("v1.2", "1.2.0", "its tag would be v1.2.0"),
    ("v1.3.0", "1.3.0", "has no section of 1.3.0"),
    ("v1.0.1", "1.0.1", "has no day"),
    ("v1.0.0", "1.0.0", "is empty"),
])  # fmt: skip
def test_unready_tags_are_refused(tag: str, version: str, why: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert notes.main([tag], project(tmp_path, version)) == 1
    out, err = capsys.readouterr()
    assert out == ""
    assert why in err


def test_the_text_ends_with_the_container_and_how_to_check_it(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    image = "ghcr.io/someone/springboard@sha256:0123"
    assert notes.main(["v1.1.0", "--image", image, "--repository", "Someone/Springboard"], project(tmp_path, "1.1.0")) == 0
    said = capsys.readouterr().out
    assert said.startswith("- The one before.\n\n### Container\n")
    assert f"docker pull {image}\n" in said
    assert f"gh attestation verify oci://{image} --repo Someone/Springboard\n" in said


@pytest.mark.parametrize(
    ("version", "kind"),
    [("1.2.0", "--latest"), ("1.2.0.post1", "--latest"), ("1.2.0rc1", "--prerelease"), ("1.2.0.dev3", "--prerelease")],
)
def test_only_final_versions_are_latest(version: str, kind: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    root = project(tmp_path, version)
    (root / "CHANGELOG.md").write_text(f"## {version} — 2026-12-01\n\n- New.\n", encoding="utf-8")
    assert (notes.main([f"v{version}", "--kind"], root), capsys.readouterr().out) == (0, f"{kind}\n")


def test_the_changelog_has_a_section_that_can_be_released() -> None:
    assert notes.section_of("0.1.0", (ROOT / "CHANGELOG.md").read_text(encoding="utf-8")).startswith("The first release.")
