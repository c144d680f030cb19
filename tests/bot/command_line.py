"""The operator's commands, and the settings a machine may have."""

import base64

from click.testing import CliRunner, Result

from bot.__main__ import main
from bot.config import Settings


def springboard(*words: str) -> Result:
    return CliRunner().invoke(main, words)


def output_of(*words: str, status: int = 0) -> str:
    """What a command says that ends with this exit status."""
    told = springboard(*words)
    assert told.exit_code == status, told.output
    return told.output


TOKEN = base64.urlsafe_b64encode(b"1234567890123456789").decode().rstrip("=") + ".Gabcde.abcdefghijklmnopqrstuvwxyz-_0123456789"
NAMES = [str(field.validation_alias) for field in Settings.model_fields.values()]
