"""Draws the pictures of the README and of docs/playing.md anew, in docs/pictures.

    python -m tests.bot.sandbox.picture

replay.gif is a whole game as `/replay` draws it. The others are taken in Chromium while two people play in the sandbox page:
discord.png is a board in a channel, beside the private panel in which the next player picks a move; lock-screen.png the phone
of the next player, beside the board. These two contain a digest of what they show, by which the build of the site notices that
they are outdated.
"""

import asyncio
import io
import sys
from typing import Final

from PIL import Image
from PIL.PngImagePlugin import PngInfo
from playwright.async_api import Locator, async_playwright, expect

from bot.sandbox import open_sandbox
from docs.site.kept import DISCORD, LOCK_SCREEN, PICKED, REPLAY, SHOWS, TURNS, replayed, shown_in_discord
from tests.bot.sandbox.browser import CHROMIUM, FLAGS, WAIT_LIMIT, Window

GAP: Final = 16


async def draw() -> tuple[Image.Image, Image.Image]:
    expect.set_options(timeout=WAIT_LIMIT * 1000)
    async with open_sandbox(0) as address, async_playwright() as playwright:
        chromium = await playwright.chromium.launch(executable_path=CHROMIUM, args=FLAGS, timeout=WAIT_LIMIT * 1000)
        page = await chromium.new_page(viewport={"width": 1340, "height": 1400})
        page.set_default_timeout(WAIT_LIMIT * 1000)
        await page.goto(address)
        windows = ann, ben = Window(page, 0), Window(page, 1)
        await ann.type("play", game="bouncers", opponent="Ben")
        await ben.press("Accept")
        for number, turn in enumerate(TURNS):
            mover, other = windows[number % 2], windows[1 - number % 2]
            await mover.sees_a_board_with(f"It’s {'Ann' if mover is ann else 'Ben'}’s turn")
            await mover.type("move", action=" ".join(turn))
            await other.sees_a_board_with(turn[-1])
        mover = windows[len(TURNS) % 2]
        await mover.sees_a_board_with(f"It’s {'Ann' if mover is ann else 'Ben'}’s turn")
        await mover.frame.locator("body").click(position={"x": 5, "y": 5})
        phone = page.locator(".phone.current")
        await expect(phone.locator(".notification").first).to_contain_text(TURNS[-1][-1])
        lit = await taken(phone)
        await mover.play(PICKED)
        await mover.ready()
        await expect(mover.newest).to_contain_text(PICKED)
        await expect(mover.newest.locator(".stand-in")).to_have_count(0)
        await mover.newest.evaluate("() => document.activeElement.blur()")
        await page.mouse.move(0, 0)
        board = ann.frame.locator("article.channel-message", has=ann.frame.get_by_role("button", name="More")).last
        boards = await taken(board)
        pictures = side_by_side([boards, await taken(mover.newest)]), side_by_side([lit, boards])
        await chromium.close()
    return pictures


async def taken(message: Locator) -> Image.Image:
    return Image.open(io.BytesIO(await message.screenshot())).convert("RGB")


def side_by_side(pictures: list[Image.Image]) -> Image.Image:
    """Join pictures on a background in the first one's corner colour."""
    width = sum(picture.width for picture in pictures) + GAP * (len(pictures) - 1)
    ground = pictures[0].crop((0, 0, 1, 1)).resize((width, max(picture.height for picture in pictures)))
    left = 0
    for picture in pictures:
        ground.paste(picture, (left, 0))
        left += picture.width + GAP
    return ground


def main() -> None:
    """Draw the pictures and write their files."""
    REPLAY.write_bytes(replayed())
    if not CHROMIUM.exists():
        sys.exit(f"The picture is taken in Chromium, and there is no {CHROMIUM} (on Debian: apt-get install chromium).")
    shows = PngInfo()
    shows.add_text(SHOWS, shown_in_discord())
    for picture, path in zip(asyncio.run(draw()), (DISCORD, LOCK_SCREEN), strict=True):
        picture.save(path, optimize=True, pnginfo=shows)


if __name__ == "__main__":
    main()
