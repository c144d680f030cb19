"""`/rules` and `/help`: pages to read, with pictures."""

import pytest

from bot.features.help import messages as pages
from bot.i18n.language import languages
from bot.messages.rulebook import Page, rules_pages
from tests.bot.kit import World, buttons, labels, reply, select, selects
from tests.bot.seated import open_table
from tests.bot.settings_panels import fill, speak

ENGLISH, GERMAN = languages()["en"], languages()["de"]


async def test_the_first_page_has_a_picture_and_leads_to_the_next_one_and_back(world: World) -> None:
    first, second, *_ = rules_pages("bunny", ENGLISH)
    shown = await world.ann.slash(world.channel, "rules", game="bunny")
    assert shown.ephemeral
    assert first.text in world.text(shown)
    assert world.picture(shown).alt == first.alt
    assert [button.label for button in buttons(reply(shown)) if button.disabled] == ["Previous"]
    await world.ann.click(reply(shown), label="Next")
    assert second.text in world.text(shown)
    await world.ann.click(reply(shown), label="Previous")
    assert first.text in world.text(shown)
    assert world.picture(shown).image.width == 1024


async def test_more_than_five_pages_have_a_list_to_choose_from(world: World) -> None:
    contents = rules_pages("bunny", ENGLISH)
    shown = await world.ann.slash(world.channel, "rules", game="bunny")
    listed = select(reply(shown))
    assert list(listed.options) == [f"{n} · {page.title}" for n, page in enumerate(contents, start=1)]
    await world.ann.select(reply(shown), ["3"])
    assert contents[3].text in world.text(shown)


async def test_a_command_opens_a_page_by_its_number_or_by_its_title(world: World) -> None:
    contents = rules_pages("bunny", ENGLISH)
    offered = await world.ann.autocomplete(world.channel, "rules", "page", contents[2].title[:4].lower(), game="bunny")
    assert ("3", f"3 · {contents[2].title}") in [(choice["value"], choice["name"]) for choice in offered]
    for words in ("3", contents[2].title.upper()):
        shown = await world.ann.slash(world.channel, "rules", game="bunny", page=words)
        assert contents[2].text in world.text(shown)
    refused = await world.ann.slash(world.channel, "rules", game="bunny", page="parachutes")
    assert "No page of these rules is called “parachutes”." in world.text(refused)
    assert await world.ann.autocomplete(world.channel, "rules", "page", "") == []


async def test_few_pages_are_leafed_through_and_many_listed_in_part(world: World, monkeypatch: pytest.MonkeyPatch) -> None:
    def rulebook(count: int) -> tuple[Page, ...]:
        return tuple(Page(f"Page {n}", f"## Page {n}\nWords.") for n in range(count))

    monkeypatch.setattr(pages, "rules_pages", lambda game, language: rulebook(5))
    assert selects(await world.ann.slash(world.channel, "rules", game="bunny")) == []
    monkeypatch.setattr(pages, "rules_pages", lambda game, language: rulebook(60))
    listed = select(await world.ann.slash(world.channel, "rules", game="bunny"))
    assert list(listed.options.values()) == [str(n) for n in range(25)]


async def test_rules_opened_from_more_lead_back_there_from_every_page(world: World) -> None:
    table = await open_table(world, "bunny", world.ann, world.ben)
    shown = await world.ann.click(table.board(), label="More")
    more = labels(reply(shown))
    pages_of_rules = rules_pages("bunny", ENGLISH)
    await world.ann.click(reply(shown), label="Rules")
    assert pages_of_rules[0].text in world.text(shown)
    await world.ann.click(reply(shown), label="Next")
    await world.ann.select(reply(shown), ["3"])
    assert pages_of_rules[3].text in world.text(shown)
    await world.ann.click(reply(shown), label="Back")
    assert labels(reply(shown)) == more
    assert world.pictures(shown) == []
    assert "Back" not in [
        button.label for button in buttons(reply(await world.ann.slash(world.channel, "rules", game="bunny")))
    ]


async def test_the_rules_are_in_the_readers_language_and_palette(world: World) -> None:
    plain = await world.ann.slash(world.channel, "rules", game="bunny")
    await fill(world, world.ann, "settings", "pictures", high_contrast="high-contrast")
    await speak(world, world.ann, "de")
    shown = await world.ann.slash(world.channel, "rules", game="bunny")
    assert rules_pages("bunny", GERMAN)[0].text in world.text(shown)
    assert world.picture(shown).alt == rules_pages("bunny", GERMAN)[0].alt
    assert world.picture(shown).image.tobytes() != world.picture(plain).image.tobytes()


async def test_a_click_on_a_page_that_is_gone_shows_the_nearest(world: World) -> None:
    count = len(rules_pages("bunny", ENGLISH))
    message = await pages.rules_message("bunny", 10**9, ENGLISH)
    assert f"-# Page {count} of {count}" in [getattr(item, "content", "") for item in message.items]
