"""What `/help` finds for the words people look for."""

import pytest

from bot.features.help.topics import find
from bot.i18n.language import ENGLISH, language


@pytest.mark.parametrize("sought", ["house rule", "house rules", "options", "variant", "board code"])
def test_house_rules_are_found_by_all_their_names(sought: str) -> None:
    assert "House rules" in " ".join(map(str, (one.about for one in find(sought, ENGLISH))))


@pytest.mark.parametrize("sought", ["Hausregel", "Hausregeln", "Variante", "Brettcode"])
def test_they_are_found_in_german_too(sought: str) -> None:
    assert "play" in {one.name for one in find(sought, language("de"))}


def test_the_rules_lead_to_the_house_rules() -> None:
    (only,) = find("rules", ENGLISH)
    assert only.name == "rules"
    assert "house rules" in only.about
