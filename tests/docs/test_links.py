"""Every link between the files of the project leads somewhere, on GitHub and in the site."""

from pathlib import Path

import pytest
from markdown_it import MarkdownIt

from docs.site import kept, links
from docs.site.links import ROOT, Link

FILES = links.documents()


@pytest.mark.parametrize("file", FILES, ids=lambda file: str(file.relative_to(ROOT)))
def test_every_link_leads_to_a_file_and_a_heading(file: Path) -> None:
    assert list(links.broken(file)) == []


@pytest.mark.parametrize("file", FILES, ids=lambda file: str(file.relative_to(ROOT)))
def test_a_reader_of_markdown_finds_the_same_links(file: Path) -> None:
    text = file.read_text(encoding="utf-8")
    tokens = [token for block in MarkdownIt("commonmark").enable("table").parse(text) for token in block.children or ()]
    found = {str(token.attrs.get("href") or token.attrs.get("src")) for token in tokens if token.type in {"link_open", "image"}}
    html = {link.target for link in links.links(text) if f'"{link.target}"' in text}
    assert found | html == {link.target for link in links.links(text)}


def test_what_stands_in_code_is_no_link() -> None:
    text = '`[a](b)` and\n```\n[c](d)\n```\n[e](f "g")\n<img src="h.png" alt="i">\n\n[j]: k.md\n'
    assert list(links.links(text)) == [Link("f", 5), Link("h.png", 6), Link("k.md", 8)]
    assert links.with_targets(text, str.upper) == text.replace("(f ", "(F ").replace("h.png", "H.PNG").replace("k.md", "K.MD")


def test_headings_have_the_anchors_of_github() -> None:
    text = "# The rules: `engines/<id>/`\n## A *b*, [c](d)!\n## Same\n## Same\n```\n# no heading\n```\n"
    assert links.anchors(text) == {"the-rules-enginesid", "a-b-c", "same", "same-1"}


def test_a_broken_link_is_told_with_its_line(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(links, "ROOT", tmp_path)
    page = tmp_path / "page.md"
    page.write_text(
        "# Page\n[a](page.md#page)\n[b](other.md)\n[c](#nothing)\n[d](http://e.example)\n[f](../g)\n[h](https://i.example)\n"
    )
    assert list(links.broken(page)) == [
        "page.md:3: other.md: there is no such file",
        "page.md:4: #nothing: there is no such heading",
        "page.md:5: http://e.example: no address that begins with https://",
        "page.md:6: ../g: leads out of the project",
    ]


def test_the_pictures_that_are_files_show_what_they_would_show_today() -> None:
    assert list(kept.outdated_pictures()) == []
