"""A bot on a machine that reaches Discord only through a proxy."""

import asyncio
import os
import shutil
import sys
import time
from asyncio.subprocess import PIPE, STDOUT
from pathlib import Path

import pytest
import yarl

from loopback.forward_proxy import ENCODED, NAME, ForwardProxy
from loopback.server import Loopback
from tests.bot.command_line import TOKEN
from tests.loopback.natures import Nature
from tests.loopback.people import People
from tests.loopback.successive_bots import ROOT

WAITING = 60.0

needs_openssl = pytest.mark.skipif(
    shutil.which("openssl") is None and os.environ.get("CI") != "true", reason="openssl is not installed: no certificate"
)


@pytest.mark.slow
@needs_openssl
async def test_a_game_is_played_through_the_proxy_and_nothing_goes_past_it(tmp_path: Path) -> None:
    async with Loopback(time.time) as loopback, ForwardProxy(tmp_path, yarl.URL(loopback.discord.base).port or 0) as proxy:
        known, people = loopback.discord, People(loopback)
        where = known.channel(known.guild("Bounce Club"), "games")
        environment = os.environ | {
            "DISCORD_TOKEN": TOKEN, "SPRINGBOARD_DATABASE": str(tmp_path / "proxied.sqlite3"),
            "https_proxy": f"http://{ENCODED}@{proxy.address}", "SSL_CERT_FILE": str(proxy.certificate),
        }  # fmt: skip
        address = str(yarl.URL(known.base).with_scheme("https").with_host(NAME).with_port(None))
        bot = await asyncio.create_subprocess_exec(
            sys.executable, "-m", "tests.loopback.bot_process", address, cwd=ROOT, env=environment, stdout=PIPE, stderr=STDOUT
        )
        try:
            async with asyncio.timeout(WAITING):
                await loopback.gateway.ready.wait()
                ann, ben = known.person("Ann"), known.person("Ben")
                opened = await people.slash(ann, where, "open", game="bouncers", opponent=ben)
                assert opened.original is not None
                while not any(one.startswith("sb|accept") for one in opened.original.custom_ids):
                    await asyncio.sleep(0.05)  # a slow machine says first that it is at work
                await people.click(ben, opened.original, "sb|accept")
                while len(people.everywhere(Nature.BOARD, 1)) < 1:
                    await asyncio.sleep(0.05)
                moved = await people.slash(ann, where, "move", action="b2 b3")
                assert "**Ann** bounces b2 → b3." in moved.text
            bot.terminate()
            said, _ = await asyncio.wait_for(bot.communicate(), WAITING)
        finally:
            if bot.returncode is None:
                bot.kill()
        assert bot.returncode == 0, said.decode()
        assert proxy.connected[f"{NAME}:443"] >= 2, "the gateway, and requests"
        assert proxy.refused == 0
        assert ENCODED not in said.decode()
        assert "p@ss/word" not in said.decode()
