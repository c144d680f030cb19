"""Check that a tag is ready to be released, and print the text of its release: `python .ci/release_notes.py v1.2.0`.

The tag is `v` and the version in pyproject.toml, and CHANGELOG.md has a section of this version with its day. That section is
the text. With `--image`, it ends with the container and how to check where that was built. If anything does not agree, a
sentence says what, and the status is 1. It needs nothing but Python.
"""

import argparse
import re
import sys
import tomllib
from pathlib import Path
from typing import Final

ROOT: Final = Path(__file__).parents[1]

_HEADING: Final = re.compile(r"^## +(?P<version>\S+)(?: +[—–-] +(?P<day>\d{4}-\d{2}-\d{2}))? *$")  # any dash will do
_FINAL: Final = re.compile(r"\d+(\.\d+)*(\.post\d+)?")


class NotReady(Exception):
    """The tag cannot be released. The message says why."""


def version_of(tag: str, pyproject: str) -> str:
    """Return the version that a tag names.

    Raises:
        NotReady: if pyproject.toml has another one.
    """
    version: str = tomllib.loads(pyproject)["project"]["version"]
    if tag != f"v{version}":
        raise NotReady(f"The tag is {tag}, but the version in pyproject.toml is {version}: its tag would be v{version}.")
    return version


def section_of(version: str, changelog: str) -> str:
    """Return what the changelog says of a version, without its heading.

    Raises:
        NotReady: if it says nothing, or not when the version was made.
    """
    lines = changelog.splitlines()
    headings = [(number, found) for number, line in enumerate(lines) if (found := _HEADING.match(line))]
    for place, (number, heading) in enumerate(headings):
        if heading["version"] != version:
            continue
        if heading["day"] is None:
            raise NotReady(f"The section of {version} in CHANGELOG.md has no day: ## {version} — YYYY-MM-DD.")
        end = headings[place + 1][0] if place + 1 < len(headings) else len(lines)
        text = "\n".join(lines[number + 1 : end]).strip()
        if not text:
            raise NotReady(f"The section of {version} in CHANGELOG.md is empty.")
        return text
    raise NotReady(f"CHANGELOG.md has no section of {version}: ## {version} — YYYY-MM-DD.")


def is_final(version: str) -> bool:
    """Whether a version is a release itself, and not one before it such as 1.2.0rc1."""
    return _FINAL.fullmatch(version) is not None


def about(image: str, repository: str) -> str:
    """Return the paragraph on the container."""
    return (
        "### Container\n\n"
        f"For linux/amd64 and linux/arm64:\n\n```\ndocker pull {image}\n```\n\n"
        "Where and from what it was built can be checked:\n\n"
        f"```\ngh attestation verify oci://{image} --repo {repository}\n```"
    )


def main(arguments: list[str] | None = None, root: Path = ROOT) -> int:
    """Run the command line."""
    parser = argparse.ArgumentParser(description="Check that a tag is ready to be released, and print the text of its release.")
    parser.add_argument("tag", help="such as v1.2.0")
    parser.add_argument("--image", help="the container with its digest")
    parser.add_argument("--repository", help="OWNER/NAME on GitHub, which built it")
    parser.add_argument("--kind", action="store_true", help="print --latest or --prerelease, as `gh release create` wants it")
    options = parser.parse_args(arguments)
    if bool(options.image) != bool(options.repository):
        parser.error("--image and --repository belong together")
    try:
        version = version_of(options.tag, (root / "pyproject.toml").read_text(encoding="utf-8"))
        section = section_of(version, (root / "CHANGELOG.md").read_text(encoding="utf-8"))
    except NotReady as error:
        print(error, file=sys.stderr)
        return 1
    if options.kind:
        print("--latest" if is_final(version) else "--prerelease")
    else:
        print("\n\n".join([section, *([about(options.image, options.repository)] if options.image else [])]))
    return 0


if __name__ == "__main__":
    sys.exit(main())
