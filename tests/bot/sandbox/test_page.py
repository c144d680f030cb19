"""The page of the sandbox in a browser."""

import re

import pytest
from playwright.async_api import Page, expect

from tests.bot.sandbox.browser import Window


@pytest.mark.browser
async def test_two_people_play_some_turns_in_the_page(sandbox: str, page: Page) -> None:
    trouble: list[str] = []
    page.on("pageerror", lambda error: trouble.append(str(error)))
    await page.goto(sandbox)
    ann, ben = Window(page, 0), Window(page, 1)

    await ann.type("play", game="Bouncers", opponent="Ben")
    await ben.press("Accept")
    await ann.sees_a_board_with("Ann is to move")

    await ann.play("c2", "c3", "Play this")
    await ben.sees_a_board_with("Ben is to move")
    await ann.sees_a_board_with("c3")

    await ben.type("move", action="d7 d6")
    await ann.sees_a_board_with("Ann is to move")
    await ben.sees_a_board_with("d6")

    await ben.play()
    await expect(ben.newest).to_contain_text("Only you can see this")
    await expect(ann.frame.get_by_text("Only you can see this")).to_have_count(1)  # her own panel, not his

    await page.get_by_role("button", name="1 h").click()
    await expect(ann.frame.get_by_text(re.compile(r"until in 23 hours"))).to_be_visible()

    await page.locator(".who").nth(1).select_option(label="Cleo")
    await page.locator(".where").nth(1).select_option(label="# attic")
    await expect(ben.frame.locator("#channel-name")).to_have_text("attic")
    assert trouble == []


@pytest.mark.browser
async def test_a_whole_game_is_played_in_the_page_to_its_end_and_looked_back_on(sandbox: str, page: Page) -> None:
    await page.goto(sandbox)
    ann, ben = Window(page, 0), Window(page, 1)
    await ann.type("play", game="Bouncers", variant="8x8-12-terminal", opponent="Ben")
    await ben.press("Accept")
    await ann.sees_a_board_with("Ann is to move")
    await ann.type("move", action="a1 a2 b3 b4 a5")
    await ben.sees_a_board_with("Ben is to move")
    await ben.play("f8", "Play this")  # with only one way to go, it goes by itself
    await ann.sees_a_board_with("Ann is to move")
    await ann.play("a3", "Play this")
    await ben.sees_a_board_with("Ben is to move")
    await ben.type("move", action="h8 h7 g6 h5 g4")
    await ann.sees_a_board_with("Ann is to move")
    await ann.type("move", action="g3 f4 g5 g6 h6 g7 h8")
    for window in (ann, ben):
        await expect(window.frame.get_by_text("Ann wins: Ann has reached the last rank.").last).to_be_visible()
    await ben.press("Verify")
    await expect(ben.frame.get_by_text("All is in order.").last).to_be_visible()
    await ben.press("Rematch")
    await expect(ann.frame.get_by_text("Bouncers #2").last).to_be_visible()


@pytest.mark.browser
async def test_a_thread_appears_by_itself_and_can_be_opened(sandbox: str, page: Page) -> None:
    await page.goto(sandbox)
    ann, ben = Window(page, 0), Window(page, 1)
    await ann.type("play", game="Bouncers", opponent="Ben", thread="True")
    await ben.press("Accept")
    thread = page.locator(".place.thread")
    await expect(thread).to_have_class(re.compile("unread"))
    await thread.click()
    await expect(thread).not_to_have_class(re.compile("unread"))
    await page.reload()
    await expect(page.locator(".place.thread.shown")).to_have_count(1)
