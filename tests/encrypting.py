"""A PostgreSQL server with encrypted connections and its own certificate."""

import shutil
import subprocess
from pathlib import Path
from typing import Final

from tests.loopback.postgresql import Server
from tests.pgbouncer import free_port

OPENSSL: Final = shutil.which("openssl")
WHY_NO_CERTIFICATES: Final = "openssl, which makes the certificates, is not installed"


class Encrypting(Server):
    """A server that refuses unencrypted connections. Its `certificate` is for `localhost`."""

    port: int
    certificate: Path

    async def made(self, folder: Path) -> None:
        self.port, self.certificate = free_port(), folder / "certificate.pem"
        key = folder / "key.pem"
        assert OPENSSL is not None
        subprocess.run(
            [OPENSSL, "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes", "-days", "2",
             "-subj", "/CN=localhost", "-addext", "subjectAltName=DNS:localhost", "-keyout", key, "-out", self.certificate],
            check=True, capture_output=True,
        )  # fmt: skip
        await self.pause()
        self.keep("server.crt", self.certificate.read_bytes())
        self.keep("server.key", key.read_bytes())
        self.keep("pg_hba.conf", b"local all all trust\nhostssl all all 127.0.0.1/32 trust\nhostssl all all ::1/128 trust\n")
        self.configure(ssl="on", listen_addresses="localhost", port=str(self.port))
        await self.resume()
