"""Which addresses go through a proxy."""

import aiohttp
import pytest

from bot.admin import doctor
from bot.config import load
from bot.proxies import way_out
from tests.bot.command_line import TOKEN

pytestmark = pytest.mark.usefixtures("bare")
ENCODED = "bot:p%40ss%2Fword"


@pytest.mark.parametrize(("exempt", "address", "goes_through"), [
    ("", "https://discord.com/api/v10", True),
    ("", "wss://gateway.discord.gg/", True),
    ("localhost,.discord.com", "wss://gateway.discord.gg/", True),
    ("localhost, discord.com", "https://discord.com/api/v10", False),
    (".discord.gg", "wss://gateway-us-east1-b.discord.gg/", False),
    ("*", "https://discord.com/api/v10", False),
    ("", "http://127.0.0.1:8080/api/v10", False),
])  # fmt: skip
async def test_each_address_has_a_way(exempt: str, address: str, goes_through: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HTTPS_PROXY", f"http://{ENCODED}@proxy.example:3128")
    monkeypatch.setenv("NO_PROXY", exempt)
    asked = list[aiohttp.ClientRequest]()

    async def connect(_: object, request: aiohttp.ClientRequest, *__: object, **___: object) -> None:
        asked.append(request)
        raise OSError("nothing is reached here")

    monkeypatch.setattr(aiohttp.TCPConnector, "connect", connect)
    async with aiohttp.ClientSession(connector=way_out(load(None))) as session:
        with pytest.raises(OSError, match="nothing is reached here"):
            await (session.ws_connect if address.startswith("ws") else session.get)(address)
    (request,) = asked
    if goes_through:
        assert str(request.proxy) == "http://proxy.example:3128"
        assert request.proxy_headers is not None
        assert request.proxy_headers["Proxy-Authorization"] == "Basic Ym90OnBAc3Mvd29yZA=="
    else:
        assert request.proxy is None


async def test_without_a_proxy_the_way_is_that_of_the_library() -> None:
    assert way_out(load()) is None


async def test_doctor_says_by_which_proxy_discord_cannot_be_reached(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("DISCORD_TOKEN", TOKEN)
    monkeypatch.setenv("HTTPS_PROXY", f"http://{ENCODED}@127.0.0.1:1")
    told = "\n".join(finding.text for finding in await doctor.examine(load()))
    assert "through the proxy of HTTPS_PROXY" in told
    assert "p%40ss" not in told
