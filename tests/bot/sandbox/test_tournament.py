"""A tournament of four in the sandbox, from the command to the podium."""

import pytest

from tests.bot.sandbox.windows import Page, Site, until

PEOPLE = ("Ann", "Ben", "Cleo", "Dev")


async def press(page: Page, label: str, seen: str) -> None:
    """Press a button once it is there, and see the answer."""
    await until(page, f"'label': '{label}'")
    said = await page.click(label)
    assert said["settlement"] == "settled", said
    await until(page, seen)


@pytest.mark.slow
async def test_four_people_play_a_tournament_to_the_podium(site: Site) -> None:
    pages = {name: await site.open(name, "games") for name in PEOPLE}
    ann = pages["Ann"]
    await ann.command("event create", game="bouncers", format="round_robin", name="Sunday Cup")
    await press(ann, "Open the event", "is open")
    for page in pages.values():
        await press(page, "Enter", "You’re in!")
    await press(ann, "Organise …", "Everything you do here")
    await press(ann, "Open check-in now", "At least 3 players")
    for page in pages.values():
        await press(page, "Check in", "You’ve checked in.")
    await press(ann, "Organise …", "'label': 'Start now'")
    await press(ann, "Start now", "Sunday Cup has started")
    for number in range(1, 7):
        await until(ann, f"Bouncers #{number}, part of event #1")
    threads = [place["name"] for place in (await site.state())["places"] if place["kind"] == "thread"]
    assert len(threads) == 6, "a thread for each game"
    for number in range(1, 7):
        first, _, second = next(name for name in threads if name.endswith(f"#{number}")).partition(" · ")[0].partition(" – ")
        loser = pages[max(first, second)]
        await loser.command("board", game=str(number))
        await press(loser, "Resign", "You can’t take that back")
        await press(loser, "Resign", "You resigned")
    await until(ann, "Congratulations!")
    medals = [f"{medal} {name}" for medal, name in zip("🥇🥈🥉", PEOPLE, strict=False)]
    await until(ann, medals[0])
    assert all(medal in ann.text for medal in medals), "Ann has beaten all others, Ben two of them, Cleo one"
