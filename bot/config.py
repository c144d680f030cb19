"""The settings, which come from the environment, or else from a file `.env` in the working directory."""

import importlib.util
import socket
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path
from typing import Annotated, Any, Final
from urllib.parse import unquote, urlsplit

from pydantic import Field, SecretStr, ValidationError, field_validator, model_validator
from pydantic_settings import BaseSettings, NoDecode, SettingsConfigDict

from bot.invitation import application_id
from storage.connections.addresses import names_server, secrets_in

TOKEN: Final = "DISCORD_TOKEN"
TOKEN_FILE: Final = "DISCORD_TOKEN_FILE"
DATABASE: Final = "SPRINGBOARD_DATABASE"
LOG: Final = "SPRINGBOARD_LOG"
LOG_FORMAT: Final = "SPRINGBOARD_LOG_FORMAT"
SANDBOX_PORT: Final = "SPRINGBOARD_SANDBOX_PORT"
SHARDS: Final = "SPRINGBOARD_SHARDS"
SHARD_IDS: Final = "SPRINGBOARD_SHARD_IDS"
DISCORD_API: Final = "SPRINGBOARD_DISCORD_API"
HTTP: Final = "SPRINGBOARD_HTTP"
BACKUPS: Final = "SPRINGBOARD_BACKUPS"
PROXY: Final = "HTTPS_PROXY"
NO_PROXY: Final = "NO_PROXY"

MOST_SHARDS: Final = 100_000
"""The most shards that can be set, far more than any bot has."""

_EXPECTED: Final = {SANDBOX_PORT: "a port, which is a whole number from 0 to 65535"}
_REDACTED_FROM: Final = 6
"""The length from which a password is redacted by itself. A shorter password would also be found within harmless words."""


class ConfigError(Exception):
    """A setting cannot be used. The message names it and says which values are possible; it never contains a secret."""


class CannotRun(Exception):
    """The bot cannot start. The message tells the operator why, and what to do."""


class LogLevel(StrEnum):
    """How much is logged."""

    DEBUG = "debug"
    INFO = "info"
    WARNING = "warning"
    ERROR = "error"


class Format(StrEnum):
    """The form of a log line: for people, or for programs."""

    CONSOLE = "console"
    JSON = "json"


@dataclass(frozen=True, slots=True)
class ShardIds:
    """The shards of a process, which are either named, or every shard whose number modulo `processes` is `first`.

    Attributes:
        named: the ids of the shards, empty if the shards are not named.
        first, processes: this is process `first`, counted from 0, of `processes` processes in all.
    """

    named: frozenset[int] = frozenset()
    first: int = 0
    processes: int = 0

    @classmethod
    def parse(cls, text: str) -> "ShardIds":
        """Read `0-3`, `0,2,5-7`, or `ordinal/3`, which takes this process's number from the host's name. Raises ValueError."""
        word = text.strip().lower()
        if word.startswith("ordinal/"):
            return cls._by_ordinal(word.removeprefix("ordinal/"), socket.gethostname())
        found: set[int] = set()
        for part in word.split(","):
            ends = [end.strip() for end in part.split("-")]
            if not 1 <= len(ends) <= 2 or not all(end.isdecimal() and int(end) < MOST_SHARDS for end in ends):
                raise ValueError(
                    f"{text!r} does not name shards: write 0-3, or 0,2,5-7, or ordinal/3 in a StatefulSet of three."
                )
            found.update(range(int(ends[0]), int(ends[-1]) + 1))
        return cls(frozenset(found))

    @classmethod
    def _by_ordinal(cls, processes: str, host: str) -> "ShardIds":
        number = host.rpartition("-")[2]
        if not processes.isdecimal() or not int(processes):
            raise ValueError(f"ordinal/{processes}: after the stroke comes the number of processes, such as ordinal/3.")
        if not number.isdecimal() or int(number) >= int(processes):
            raise ValueError(
                f"the name of this host, {host}, does not end with a number below {processes}, as in a StatefulSet: "
                "springboard-0."
            )
        return cls(first=int(number), processes=int(processes))

    def covers(self, shard: int) -> bool:
        """Whether a shard is one of these."""
        return shard in self.named if self.named else shard % self.processes == self.first


class Settings(BaseSettings):
    """Everything that can be set.

    Attributes:
        token: the bot's token, from DISCORD_TOKEN, or from the file that DISCORD_TOKEN_FILE names. Without a token, the sandbox
            runs.
        token_file: the path of that file.
        database: where games are stored, from SPRINGBOARD_DATABASE: the path of a SQLite file, or a postgresql:// URL. It is a
            secret, since a URL may contain a password.
        log: how much is logged, from SPRINGBOARD_LOG.
        log_format: the form of log lines, from SPRINGBOARD_LOG_FORMAT. By default, it suits people on a terminal, and programs
            elsewhere.
        sandbox_port: the port of the sandbox's page, from SPRINGBOARD_SANDBOX_PORT, or 0 for any free port.
        shards: how many shards all processes have together, from SPRINGBOARD_SHARDS (`total:12`). None (`auto`) means as many
            as Discord recommends. With PostgreSQL only.
        shard_ids: the shards of this process, from SPRINGBOARD_SHARD_IDS, or None if the processes share out all of them.
        discord_api: the address used in place of https://discord.com/api/v10, from SPRINGBOARD_DISCORD_API, for a proxy that
            keeps Discord's limits for several processes.
        http: the host and port where health and metrics can be read, from SPRINGBOARD_HTTP, or None if they cannot.
        backups: the folder for backups that the bot makes by itself, from SPRINGBOARD_BACKUPS, or None if it makes none.
        proxy: the address of the proxy through which Discord is reached, from HTTPS_PROXY, in capitals or not, if any.
        no_proxy: the hosts that are reached without the proxy, from NO_PROXY, separated by commas. `*` stands for all hosts.
    """

    model_config = SettingsConfigDict(
        env_file=".env", env_file_encoding="utf-8-sig", env_ignore_empty=True, extra="ignore", frozen=True,
        hide_input_in_errors=True,
    )  # fmt: skip

    token: Annotated[SecretStr | None, NoDecode] = Field(default=None, validation_alias=TOKEN)
    token_file: Path | None = Field(default=None, validation_alias=TOKEN_FILE)
    database: SecretStr = Field(default=SecretStr("data/springboard.sqlite3"), validation_alias=DATABASE)
    log: LogLevel = Field(default=LogLevel.INFO, validation_alias=LOG)
    log_format: Format | None = Field(default=None, validation_alias=LOG_FORMAT)
    sandbox_port: int = Field(default=8642, ge=0, le=65535, validation_alias=SANDBOX_PORT)
    shards: Annotated[int | None, NoDecode] = Field(default=None, validation_alias=SHARDS)
    shard_ids: Annotated[ShardIds | None, NoDecode] = Field(default=None, validation_alias=SHARD_IDS)
    discord_api: str | None = Field(default=None, validation_alias=DISCORD_API)
    http: Annotated[tuple[str, int] | None, NoDecode] = Field(default=None, validation_alias=HTTP)
    backups: Path | None = Field(default=None, validation_alias=BACKUPS)
    proxy: SecretStr | None = Field(default=None, validation_alias=PROXY)
    no_proxy: str = Field(default="", validation_alias=NO_PROXY)

    @model_validator(mode="before")
    @classmethod
    def _read_token_file(cls, values: dict[str, Any]) -> dict[str, Any]:
        # Quotes meant for a shell or for .env are part of the value if another program has read the file.
        values = {name: unquoted(value) if isinstance(value, str) else value for name, value in values.items()}
        values = {name: value for name, value in values.items() if value != ""}
        name = values.get(TOKEN_FILE)
        if not name:
            return values
        if values.get(TOKEN):
            raise ValueError(f"{TOKEN} and {TOKEN_FILE} are both set; which of them is meant? Unset the other.")
        try:
            token = unquoted(Path(name).expanduser().read_text(encoding="utf-8-sig"))
        except (OSError, UnicodeDecodeError, RuntimeError) as error:
            reason = error.strerror if isinstance(error, OSError) else "it is no text"
            if isinstance(error, RuntimeError):
                reason = "there is no home for ~ to stand for"
            raise ValueError(f"{TOKEN_FILE}: the file {name} cannot be read: {reason}.") from None
        if not token:
            raise ValueError(f"{TOKEN_FILE}: the file {name} is empty.")
        return {**values, TOKEN: token}

    @field_validator("token", mode="after")
    @classmethod
    def _check_token(cls, token: SecretStr | None) -> SecretStr | None:
        if token is None:
            return None
        word = token.get_secret_value().strip()
        if len(word.split(".")) != 3 or application_id(word) is None:
            raise ValueError(
                "this is not a bot's token: that is one word of three parts joined by dots. Discord shows it once, in the "
                "developer portal, under Bot, Reset Token."
            )
        return SecretStr(word)

    @field_validator("shards", mode="before")
    @classmethod
    def _read_shards(cls, value: object) -> object:
        if not isinstance(value, str):
            return value
        word = value.strip().lower()
        if word == "auto":
            return None
        total = word.removeprefix("total:")
        if total == word or not total.isdecimal() or not 1 <= int(total) <= MOST_SHARDS:
            raise ValueError(f"{value!r} is neither auto nor total: with a number of shards, such as total:12.")
        return int(total)

    @field_validator("shard_ids", mode="before")
    @classmethod
    def _read_shard_ids(cls, value: object) -> object:
        return ShardIds.parse(value) if isinstance(value, str) else value

    @field_validator("discord_api", mode="after")
    @classmethod
    def _read_api(cls, value: str | None) -> str | None:
        if value is None:
            return None
        found = urlsplit(value.strip())
        if found.scheme not in {"http", "https"} or not found.hostname:
            raise ValueError(f"{value!r} is not an address such as http://127.0.0.1:8080/api/v10.")
        return value.strip().rstrip("/")

    @field_validator("proxy", mode="after")
    @classmethod
    def _read_proxy(cls, value: SecretStr | None) -> SecretStr | None:
        if value is None:
            return None
        word = value.get_secret_value().strip()
        address = word if "://" in word else f"http://{word}"
        try:
            found = urlsplit(address)
            usable = found.scheme.lower() in {"http", "https"} and bool(found.hostname) and found.port != 0
        except ValueError:
            usable = False
        if not usable:  # the message must not repeat the address, which may contain a password
            raise ValueError("this is not the address of a proxy, such as http://proxy.example:3128. SOCKS is not spoken here.")
        return SecretStr(address)

    @field_validator("http", mode="before")
    @classmethod
    def _read_http(cls, value: object) -> object:
        if not isinstance(value, str):
            return value
        host, _, port = value.strip().rpartition(":")
        if not host or not port.isdecimal() or int(port) > 65535:
            raise ValueError(f"{value!r} is not a host and a port, such as 127.0.0.1:9090.")
        return host.strip("[]"), int(port)

    @field_validator("log", "log_format", mode="before")
    @classmethod
    def _ignore_case(cls, value: object) -> object:
        return value.strip().lower() if isinstance(value, str) else value

    @model_validator(mode="after")
    def _refuse_contradictions(self) -> "Settings":
        if self.on_server and self.backups is not None:
            raise ValueError(
                f"{BACKUPS}: the bot backs up SQLite only. Unset it, and have PostgreSQL's own tools do that, such as "
                "`pg_dump --format=custom --file=springboard.dump` every night."
            )
        for name, given in ((SHARDS, self.shards), (SHARD_IDS, self.shard_ids)):
            if given is not None and not self.on_server:
                raise ValueError(f"{name}: several shards need a postgresql:// database. Unset it, or set {DATABASE}.")
        return self

    @property
    def on_server(self) -> bool:
        """Whether the database is PostgreSQL rather than SQLite."""
        return names_server(self.database.get_secret_value())

    @property
    def secrets(self) -> tuple[str, ...]:
        """The strings that must never appear in a log."""
        found = [self.token.get_secret_value() if self.token else ""]
        found += [word for word in secrets_in(self.database.get_secret_value()) if len(word) >= _REDACTED_FROM]
        proxy = self.proxy.get_secret_value() if self.proxy else ""
        if password := urlsplit(proxy).password:
            found += [proxy, *(word for word in (password, unquote(password)) if len(word) >= _REDACTED_FROM)]
        return tuple(dict.fromkeys(word for word in found if word))


def unquoted(value: str) -> str:
    """Return a value without quotes and space around it."""
    value = value.strip()
    return value[1:-1].strip() if len(value) > 1 and value[0] == value[-1] and value[0] in "\"'" else value


def has_sandbox() -> bool:
    """Whether the sandbox is installed, which it is not in the container."""
    return importlib.util.find_spec("simcord") is not None


def load(env_file: Path | None = Path(".env")) -> Settings:
    """Load the settings from the environment, or else from a file, if it exists. Raises a ConfigError that names all faults."""
    try:
        return Settings(_env_file=env_file)  # type: ignore[call-arg] # one of BaseSettings' own arguments
    except ValidationError as error:
        raise ConfigError(
            "\n".join(_sentence(dict(one)) for one in error.errors(include_input=True, include_url=False))
        ) from None
    except (OSError, UnicodeDecodeError) as error:
        raise ConfigError(f"The file {env_file} cannot be read: {error}.") from None


def _sentence(error: dict[str, Any]) -> str:
    name = str(error["loc"][0]) if error["loc"] else ""
    given = error.get("input")
    match error["type"]:
        case "value_error":
            said = str(error["ctx"]["error"])
            return f"{name}: {said}" if name else said
        case "enum":
            return f"{name}: {given!r} is not one of {error['ctx']['expected']}."
        case _:
            return f"{name}: {given!r} is not {_EXPECTED.get(name, 'a possible value')}."
