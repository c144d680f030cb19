"""Which addresses go through a proxy, and how forms are sent."""

import io

import aiohttp
import pytest

from bot.admin import doctor
from bot.config import load
from bot.proxies import JOINED_AT_MOST, way_out
from tests.bot.command_line import TOKEN

pytestmark = pytest.mark.usefixtures("bare")
ENCODED = "bot:p%40ss%2Fword"


@pytest.fixture(name="asked")
def all_that_is_asked(monkeypatch: pytest.MonkeyPatch) -> list[aiohttp.ClientRequest]:
    """Return the requests so far. None of them reaches anything."""
    asked = list[aiohttp.ClientRequest]()

    async def connect(_: object, request: aiohttp.ClientRequest, *__: object, **___: object) -> None:
        asked.append(request)
        raise OSError("nothing is reached here")

    monkeypatch.setattr(aiohttp.TCPConnector, "connect", connect)
    return asked


@pytest.mark.parametrize(("exempt", "address", "goes_through"), [
    ("", "https://discord.com/api/v10", True),
    ("", "wss://gateway.discord.gg/", True),
    ("localhost,.discord.com", "wss://gateway.discord.gg/", True),
    ("localhost, discord.com", "https://discord.com/api/v10", False),
    (".discord.gg", "wss://gateway-us-east1-b.discord.gg/", False),
    ("*", "https://discord.com/api/v10", False),
    ("", "http://127.0.0.1:8080/api/v10", False),
])  # fmt: skip
async def test_each_address_has_a_way(
    exempt: str, address: str, goes_through: bool, monkeypatch: pytest.MonkeyPatch, asked: list[aiohttp.ClientRequest]
) -> None:
    monkeypatch.setenv("HTTPS_PROXY", f"http://{ENCODED}@proxy.example:3128")
    monkeypatch.setenv("NO_PROXY", exempt)
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


async def _posted(picture: bytes, asked: list[aiohttp.ClientRequest]) -> aiohttp.ClientRequest:
    """Post a message with a picture, as discord.py does, and return the request."""
    form = aiohttp.FormData(quote_fields=False)
    form.add_field("payload_json", '{"flags": 32768}', content_type="application/json")
    form.add_field("files[0]", io.BytesIO(picture), filename="board.png", content_type="application/octet-stream")
    async with aiohttp.ClientSession(connector=way_out(load())) as session:
        with pytest.raises(OSError, match="nothing is reached here"):
            await session.post("http://127.0.0.1/", data=form)
    (request,) = asked
    return request


async def test_a_message_with_its_picture_is_sent_in_one_piece(asked: list[aiohttp.ClientRequest]) -> None:
    request = await _posted(b"\x89PNG", asked)
    assert isinstance(request.body, aiohttp.BytesPayload)
    written = request.body.decode(errors="replace")
    _, boundary = request.headers["Content-Type"].split("boundary=")
    assert int(request.headers["Content-Length"]) == request.body.size
    message, picture = written.removesuffix(f"--{boundary}--\r\n").split(f"--{boundary}\r\n")[1:]
    assert message.endswith('\r\n\r\n{"flags": 32768}\r\n')
    assert 'name="files[0]"; filename="board.png"' in picture
    assert picture.endswith("\r\n\r\n\N{REPLACEMENT CHARACTER}PNG\r\n")


async def test_what_is_too_large_for_one_piece_is_sent_in_several(asked: list[aiohttp.ClientRequest]) -> None:
    request = await _posted(bytes(JOINED_AT_MOST), asked)
    assert isinstance(request.body, aiohttp.MultipartWriter)


async def test_doctor_says_by_which_proxy_discord_cannot_be_reached(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("DISCORD_TOKEN", TOKEN)
    monkeypatch.setenv("HTTPS_PROXY", f"http://{ENCODED}@127.0.0.1:1")
    told = "\n".join(finding.text for finding in await doctor.examine(load()))
    assert "through the proxy of HTTPS_PROXY" in told
    assert "p%40ss" not in told
