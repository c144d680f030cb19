"""The parts of the site: diagrams, the gallery's games and events, pages made from the program, the final check."""

from itertools import combinations
from pathlib import Path
from xml.etree import ElementTree as ET

import pytest

from bot.commands import COMMANDS
from docs.site import diagrams
from docs.site import tournaments as events
from docs.site.built import look_through
from docs.site.gallery import choosing, competitions, midway
from docs.site.games import play
from docs.site.links import ROOT, documents, page_of
from docs.site.pages import BELOW, NAVIGATION, Writer, commands, plain_words
from engines import GAMES

MERMAID = [
    (file.stem, found["text"]) for file in documents() for found in diagrams.FENCE.finditer(file.read_text(encoding="utf-8"))
]


# --- diagrams -----------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("page", "text"), MERMAID)
def test_every_diagram_is_drawn_with_all_its_words_and_described(page: str, text: str) -> None:
    picture = ET.fromstring(diagrams.svg_of(text))
    shown = " ".join(span.text or "" for span in picture.iter("tspan"))
    assert picture.attrib["role"] == "img"
    assert picture.attrib["aria-label"]
    words = {
        word
        for label in text.split('"')[1::2]
        for word in label.replace("<b>", "").replace("</b>", "").replace("<br>", " ").split()
    }
    assert words - set(shown.split()) == set() or "sequenceDiagram" in text


@pytest.mark.parametrize("text", ["pie\n", "flowchart LR\n  a ==> b\n", "sequenceDiagram\n  Note over A: hm\n"])
def test_a_diagram_that_cannot_be_read_is_an_error(text: str) -> None:
    with pytest.raises(diagrams.UnknownDiagram):
        diagrams.svg_of(text)


def test_no_box_of_a_flowchart_lies_on_another() -> None:
    for _, text in MERMAID:
        boxes = [each.attrib for each in ET.fromstring(diagrams.svg_of(text)).iter("rect") if "class" not in each.attrib]
        for one, other in combinations(boxes, 2):
            (x1, y1, w1, h1), (x2, y2, w2, h2) = (
                [float(box[key]) for key in ("x", "y", "width", "height")] for box in (one, other)
            )
            assert x1 + w1 <= x2 or x2 + w2 <= x1 or y1 + h1 <= y2 or y2 + h2 <= y1


# --- the gallery --------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("game_id", GAMES)
def test_computers_play_the_same_game_again(game_id: str) -> None:
    one, other = (play(game_id, 2, "twice", actions=12) for _ in range(2))
    assert [seat for seat, _ in one.steps] == [seat for seat, _ in other.steps]
    assert one.view() == other.view()
    assert one.names[0] in one.words()
    assert 0 < len(midway(one).steps) <= len(one.steps)
    assert one.finale() is not None or choosing(one).game.to_act(choosing(one).state)


@pytest.mark.slow
def test_events_of_the_gallery_are_held_by_the_rules_and_described_by_the_bot() -> None:
    cross = events.hold("round_robin", "Autumn", "pucks", 6)
    assert cross.event is not None
    assert cross.event.is_over
    assert sum(line.points for line in cross.standings) == 15
    swiss = events.hold("swiss", "Spring", "bouncers", 8, 2)
    assert swiss.event is not None
    assert [len(each.games) for each in swiss.event.rounds] == [4, 4, 4]
    assert not swiss.event.is_round_over, "the third round is on"
    words = {picture.name: picture.words for picture in competitions()}
    assert f"1. {swiss.name_of(swiss.standings[0].player)}: 2." in words["swiss"]
    assert "Puddle Cup" in words["bracket"]


def test_as_many_games_are_won_on_a_ladder_as_lost() -> None:
    rungs = events.ladder().rungs
    assert sum(rung.won for rung in rungs) == sum(rung.lost for rung in rungs)


# --- pages --------------------------------------------------------------------------------------------------------------------


def test_every_page_is_in_the_navigation_once() -> None:
    pages = [page for part in (*NAVIGATION.values(), *BELOW.values()) for page in part]
    assert len(set(pages)) == len(pages)
    made = {"commands", "gallery", *(f"rules/{game_id}" for game_id in GAMES)}
    assert {page_of(file) for file in documents()} | made == {*pages, "index"}


def test_the_page_of_commands_has_all_of_them() -> None:
    text = "\n".join(commands())
    assert all(f"## `/{command.name}`\n" in text for command in COMMANDS)
    assert "| person | *Challenge to a game* |" in text
    assert "| message | *My hand* |" in text
    assert f"| **`game`** | Which game: {', '.join(game.title for game in GAMES.values())} |" in text


def test_a_page_leads_to_pages_and_to_files_that_become_pages(tmp_path: Path) -> None:
    writer = Writer(tmp_path)
    text = writer._led(ROOT / "docs" / "hosting.md")
    assert "](/monitoring.md)" in text
    assert "](/source/deploy/systemd/springboard.service.md)" in text
    assert ROOT / "deploy/systemd/springboard.service" in writer.linked
    writer._file(ROOT / "deploy")
    assert "](/source/deploy/kubernetes.md)" in (tmp_path / "source/deploy.md").read_text(encoding="utf-8")


def test_descriptions_are_one_line_without_markdown() -> None:
    assert plain_words("You hold:\n- **Take 3** (`take-3`): *now*") == "You hold: Take 3 (take-3): now"


# --- the last look ------------------------------------------------------------------------------------------------------------


def test_all_that_is_wrong_with_a_site_is_told(tmp_path: Path) -> None:
    (tmp_path / "a.html").write_text(
        '<p id="here"><a href="b.html#there">b</a><a href="#here">here</a><a href="c.html">c</a><a href="b.html#nowhere">b</a>'
        '<img src="d.png"><script src="https://cdn.example/x.js"></script><a href="http://e.example">e</a></p>'
    )
    (tmp_path / "b.html").write_text('<h1 id="there">B</h1><a href="https://f.example">f</a>')
    (tmp_path / "d.png").touch()
    found = look_through(tmp_path)
    assert (found.pages, found.pictures) == (2, 1)
    assert found.external == ("http://e.example", "https://cdn.example/x.js", "https://f.example")
    assert found.faults == (
        "a.html: a picture without a description: d.png",
        "a.html: loaded from elsewhere: https://cdn.example/x.js",
        "a.html: c.html: there is no such file",
        "a.html: b.html#nowhere: there is no such place on that page",
        "a.html: http://e.example: no address that begins with https://",
    )
