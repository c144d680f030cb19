"""Settings: where they come from, and what is said about those that cannot be used."""

import re
from pathlib import Path

import pytest

from bot.config import ConfigError, LogLevel, ShardIds, load
from bot.invitation import PERMISSIONS, application_id, invitation_link
from tests.bot.command_line import NAMES, TOKEN

pytestmark = pytest.mark.usefixtures("bare")


def test_nothing_set_means_the_sandbox_and_a_database_in_the_data_folder() -> None:
    settings = load()
    assert settings.token is None
    assert settings.database.get_secret_value() == "data/springboard.sqlite3"
    assert (settings.log, settings.log_format, settings.sandbox_port) == (LogLevel.INFO, None, 8642)


def test_the_environment_is_taken_before_the_file(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    (tmp_path / ".env").write_text("SPRINGBOARD_LOG=error\nSPRINGBOARD_DATABASE=from-file.sqlite3\nUNKNOWN=1\n")
    monkeypatch.setenv("SPRINGBOARD_LOG", "Debug")
    settings = load()
    assert settings.log is LogLevel.DEBUG
    assert settings.database.get_secret_value() == "from-file.sqlite3"


EXAMPLE = Path(__file__).parents[2] / ".env.example"
DEFAULTS = {"data/springboard.sqlite3", "info", "8642"}
EXAMPLES = re.findall(r"^(?:# )?([A-Z_]+)=(.*)$", EXAMPLE.read_text(encoding="utf-8"), flags=re.MULTILINE)


def test_the_example_as_it_stands_sets_nothing() -> None:
    assert load(EXAMPLE) == load(env_file=None)


def test_the_example_shows_every_setting_and_nothing_else() -> None:
    assert {name for name, _ in EXAMPLES} == set(NAMES)


@pytest.mark.parametrize(("name", "value"), EXAMPLES, ids="=".join)
def test_what_the_example_shows_can_be_set(name: str, value: str, tmp_path: Path) -> None:
    database = "SPRINGBOARD_DATABASE=postgresql://there/db\n" if name.startswith("SPRINGBOARD_SHARD") else ""
    if name == "DISCORD_TOKEN_FILE":
        value = str(tmp_path / "token")
        Path(value).write_text(TOKEN)
    (tmp_path / "example").write_text(f"{database}{name}={value}\n")
    assert (load(tmp_path / "example") == load(env_file=None)) == (name == "DISCORD_TOKEN" or value in DEFAULTS)


def test_an_empty_variable_is_as_good_as_none(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in NAMES:
        monkeypatch.setenv(name, "")
    assert load() == load(env_file=None)
    assert load().token is None


def test_the_token_comes_from_the_environment_or_from_a_file(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    (tmp_path / "token").write_text(f"  {TOKEN}\n")
    monkeypatch.setenv("DISCORD_TOKEN_FILE", str(tmp_path / "token"))
    from_file = load().token
    monkeypatch.delenv("DISCORD_TOKEN_FILE")
    monkeypatch.setenv("DISCORD_TOKEN", TOKEN)
    from_environment = load().token
    assert from_file is not None
    assert from_environment is not None
    assert from_file.get_secret_value() == from_environment.get_secret_value() == TOKEN


def test_the_token_is_never_shown(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("DISCORD_TOKEN", TOKEN)
    settings = load()
    assert TOKEN not in f"{settings!r} {settings} {settings.model_dump_json()}"
    assert settings.secrets == (TOKEN,)


def test_a_password_of_the_database_is_a_secret_too(monkeypatch: pytest.MonkeyPatch) -> None:
    url = "postgresql://bot:p%40ssword@db/springboard"
    monkeypatch.setenv("SPRINGBOARD_DATABASE", url)
    settings = load()
    assert "p%40ssword" not in repr(settings)
    assert settings.secrets == (url, "p%40ssword", "p@ssword")


@pytest.mark.parametrize(("name", "value", "said"), [
    ("SPRINGBOARD_LOG", "loud", "SPRINGBOARD_LOG: 'loud' is not one of 'debug', 'info', 'warning' or 'error'."),
    ("SPRINGBOARD_LOG_FORMAT", "xml", "SPRINGBOARD_LOG_FORMAT: 'xml' is not one of 'console' or 'json'."),
    ("SPRINGBOARD_SANDBOX_PORT", "70000", "SPRINGBOARD_SANDBOX_PORT: '70000' is not a port"),
    ("SPRINGBOARD_SANDBOX_PORT", "http", "SPRINGBOARD_SANDBOX_PORT: 'http' is not a port"),
    ("DISCORD_TOKEN_FILE", "nowhere", "DISCORD_TOKEN_FILE: the file nowhere cannot be read: No such file or directory."),
])  # fmt: skip
def test_a_wrong_value_is_named(monkeypatch: pytest.MonkeyPatch, name: str, value: str, said: str) -> None:
    monkeypatch.setenv(name, value)
    with pytest.raises(ConfigError) as error:
        load()
    assert said in str(error.value)


def test_all_wrong_values_are_named_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SPRINGBOARD_LOG", "loud")
    monkeypatch.setenv("SPRINGBOARD_SANDBOX_PORT", "-1")
    with pytest.raises(ConfigError) as error:
        load()
    assert [line.split(":")[0] for line in str(error.value).splitlines()] == ["SPRINGBOARD_LOG", "SPRINGBOARD_SANDBOX_PORT"]


@pytest.mark.parametrize("word", ["hunter2hunter2", "Bot " + TOKEN, TOKEN.replace(".", "-"), "not-base64!.x.y"])
def test_what_is_no_token_is_refused_without_being_repeated(monkeypatch: pytest.MonkeyPatch, word: str) -> None:
    monkeypatch.setenv("DISCORD_TOKEN", word)
    with pytest.raises(ConfigError) as error:
        load()
    assert "DISCORD_TOKEN: this is not a bot's token" in str(error.value)
    assert word not in str(error.value)


def test_two_tokens_are_one_too_many(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("DISCORD_TOKEN", TOKEN)
    monkeypatch.setenv("DISCORD_TOKEN_FILE", str(tmp_path / "token"))
    with pytest.raises(ConfigError, match="both set") as error:
        load()
    assert TOKEN not in str(error.value)


def test_an_empty_token_file_is_named(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    (tmp_path / "token").write_text("\n")
    monkeypatch.setenv("DISCORD_TOKEN_FILE", "token")
    with pytest.raises(ConfigError, match="the file token is empty"):
        load()


def test_the_invitation_asks_for_what_is_used_and_no_more() -> None:
    assert application_id(TOKEN) == 1234567890123456789
    assert invitation_link(1234567890123456789) == (
        "https://discord.com/oauth2/authorize?client_id=1234567890123456789&scope=bot+applications.commands&permissions=377957223424"
    )
    assert PERMISSIONS.value == 2**10 + 2**11 + 2**15 + 2**16 + 2**35 + 2**36 + 2**38


def test_several_processes_and_being_watched_over(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SPRINGBOARD_DATABASE", "postgresql://db/springboard")
    for name, value in {"SHARDS": "Total:12", "DISCORD_API": "http://proxy:8080/api/v10/", "HTTP": "[::1]:9090"}.items():
        monkeypatch.setenv(f"SPRINGBOARD_{name}", value)
    settings = load()
    assert (settings.shards, settings.discord_api, settings.http) == (12, "http://proxy:8080/api/v10", ("::1", 9090))
    monkeypatch.setenv("SPRINGBOARD_SHARDS", "auto")
    assert load().shards is None


@pytest.mark.parametrize(
    ("text", "shards"), [("0-3", {0, 1, 2, 3}), ("0, 2, 5-7", {0, 2, 5, 6, 7}), ("11", {11}), ("ordinal/3", {1, 4, 7, 10})]
)
def test_shards_are_named_or_counted_out(text: str, shards: set[int], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("socket.gethostname", lambda: "springboard-1")
    ids = ShardIds.parse(text)
    assert {shard for shard in range(12) if ids.covers(shard)} == shards


@pytest.mark.parametrize(
    ("name", "value"),
    [("SHARDS", "12"), ("SHARDS", "total:0"), ("SHARD_IDS", "a-b"), ("SHARD_IDS", "1-2-3"), ("SHARD_IDS", "ordinal/0"),
     ("SHARD_IDS", "ordinal/1"), ("DISCORD_API", "discord.com"), ("HTTP", "9090"), ("HTTP", "host:99999")],
)  # fmt: skip
def test_what_makes_no_sense_is_refused_by_name(name: str, value: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("socket.gethostname", lambda: "a-machine")
    monkeypatch.setenv(f"SPRINGBOARD_{name}", value)
    with pytest.raises(ConfigError, match=f"SPRINGBOARD_{name}"):
        load()


@pytest.mark.parametrize("content", [f"\ufeff{TOKEN}\r\n", f'"{TOKEN}"\n', f" '{TOKEN}' ", f'\ufeff "{TOKEN}"'])
def test_a_token_file_may_have_a_bom_and_quotes(content: str, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    (tmp_path / "token").write_text(content, encoding="utf-8")
    monkeypatch.setenv("DISCORD_TOKEN_FILE", str(tmp_path / "token"))
    token = load().token
    assert token is not None
    assert token.get_secret_value() == TOKEN


def test_so_may_the_file_of_settings(tmp_path: Path) -> None:
    (tmp_path / ".env").write_text(f"\ufeffDISCORD_TOKEN=\"{TOKEN}\"\r\nSPRINGBOARD_LOG='debug'\r\n", encoding="utf-8")
    settings = load()
    assert settings.token is not None
    assert settings.token.get_secret_value() == TOKEN
    assert settings.log is LogLevel.DEBUG


def test_quotes_that_came_into_the_environment_are_no_part_of_a_value(monkeypatch: pytest.MonkeyPatch) -> None:
    for name, value in {
        "DISCORD_TOKEN": f'"{TOKEN}"',
        "SPRINGBOARD_DATABASE": "'a b.sqlite3'",
        "SPRINGBOARD_LOG": '""',
    }.items():
        monkeypatch.setenv(name, value)
    settings = load()
    assert settings.token is not None
    assert (settings.token.get_secret_value(), settings.log) == (TOKEN, LogLevel.INFO)
    assert settings.database.get_secret_value() == "a b.sqlite3"


def test_a_home_that_is_not_known_is_a_sentence(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("DISCORD_TOKEN_FILE", "~nobody-of-that-name/token")
    with pytest.raises(
        ConfigError, match="DISCORD_TOKEN_FILE: the file ~nobody-of-that-name/token cannot be read: there is no home"
    ):
        load()


@pytest.mark.parametrize(("given", "address"), [
    ("http://proxy.example:3128", "http://proxy.example:3128"),
    ("proxy.example:3128", "http://proxy.example:3128"),
    ('"http://bot:p%40ssword@[::1]:8080/"', "http://bot:p%40ssword@[::1]:8080/"),
])  # fmt: skip
def test_a_proxy_is_an_address_with_or_without_its_scheme(given: str, address: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("https_proxy", given)
    proxy = load().proxy
    assert proxy is not None
    assert proxy.get_secret_value() == address


@pytest.mark.parametrize(
    "given", ["socks5://bot:secret@proxy:1080", "http://:3128", "http://bot:secret@proxy:port", "http://["]
)
def test_what_is_no_proxy_is_refused_without_showing_its_password(given: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HTTPS_PROXY", given)
    with pytest.raises(ConfigError, match="HTTPS_PROXY: this is not the address of a proxy") as refused:
        load()
    assert "secret" not in str(refused.value)


def test_the_password_of_a_proxy_is_a_secret(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HTTPS_PROXY", "http://bot:p%40ssword@proxy:3128")
    settings = load()
    assert "p%40ssword" not in repr(settings)
    assert settings.secrets == ("http://bot:p%40ssword@proxy:3128", "p%40ssword", "p@ssword")
