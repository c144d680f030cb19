"""Addresses of databases, as people write them and as PostgreSQL providers hand them out."""

import ssl
from pathlib import Path

import pytest

from storage.connections.addresses import Address, address_of, names_server, secrets_in, trusting
from storage.connections.server import CONNECTING, connection_parameters
from storage.schema.errors import StorageError

HEROKU = "postgres://u4f:p9a@ec2-54-0-0-1.compute-1.amazonaws.com:5432/d8r"

HANDED_OUT = {
    "Heroku": (HEROKU, {"user": "u4f", "password": "p9a", "host": "ec2-54-0-0-1.compute-1.amazonaws.com", "port": "5432",
                        "dbname": "d8r"}),
    "Heroku, as its pages want it for Node": (
        HEROKU + "?sslmode=no-verify",
        {"user": "u4f", "password": "p9a", "host": "ec2-54-0-0-1.compute-1.amazonaws.com", "port": "5432", "dbname": "d8r",
         "sslmode": "require"}),
    "Neon": (
        "postgresql://alex:AbC123@ep-cool-darkness-123456.us-east-2.aws.neon.tech/neondb?sslmode=require&channel_binding=require",
        {"user": "alex", "password": "AbC123", "host": "ep-cool-darkness-123456.us-east-2.aws.neon.tech", "dbname": "neondb",
         "sslmode": "require", "channel_binding": "require"}),
    "Neon, with its endpoint as an option": (
        "postgresql://alex:AbC123@ep-x.neon.tech/neondb?sslmode=require&options=endpoint%3Dep-x",
        {"user": "alex", "password": "AbC123", "host": "ep-x.neon.tech", "dbname": "neondb", "sslmode": "require",
         "options": "endpoint=ep-x"}),
    "Supabase": (
        "postgresql://postgres.abcd:p%40ss@aws-0-eu-central-1.pooler.supabase.com:5432/postgres",
        {"user": "postgres.abcd", "password": "p@ss", "host": "aws-0-eu-central-1.pooler.supabase.com", "port": "5432",
         "dbname": "postgres"}),
    "Supabase, by way of Vercel": (
        "postgres://postgres.abcd:pw@aws-0.pooler.supabase.com:6543/postgres?sslmode=require&supa=base-pooler.x&pgbouncer=true",
        {"user": "postgres.abcd", "password": "pw", "host": "aws-0.pooler.supabase.com", "port": "6543", "dbname": "postgres",
         "sslmode": "require"}),
    "Amazon RDS": (
        "postgresql://bot:pw@db.abc.eu-west-1.rds.amazonaws.com:5432/games?sslmode=verify-full&sslrootcert=/etc/rds/global.pem",
        {"user": "bot", "password": "pw", "host": "db.abc.eu-west-1.rds.amazonaws.com", "port": "5432", "dbname": "games",
         "sslmode": "verify-full", "sslrootcert": "/etc/rds/global.pem"}),
    "Azure": (
        "postgresql://bot%40games-server:pw@games-server.postgres.database.azure.com:5432/games?sslmode=require",
        {"user": "bot@games-server", "password": "pw", "host": "games-server.postgres.database.azure.com", "port": "5432",
         "dbname": "games", "sslmode": "require"}),
    "Azure, in libpq's words": (
        "host=games-server.postgres.database.azure.com port=5432 dbname=games user=bot password='a b' sslmode=require",
        {"user": "bot", "password": "a b", "host": "games-server.postgres.database.azure.com", "port": "5432",
         "dbname": "games", "sslmode": "require"}),
    "DigitalOcean": (
        "postgresql://doadmin:AVNS_x@db-fra1-1-do-user-1-0.b.db.ondigitalocean.com:25060/defaultdb?sslmode=require",
        {"user": "doadmin", "password": "AVNS_x", "host": "db-fra1-1-do-user-1-0.b.db.ondigitalocean.com", "port": "25060",
         "dbname": "defaultdb", "sslmode": "require"}),
    "Render": ("postgresql://bot:pw@dpg-abc-a.frankfurt-postgres.render.com/games",
               {"user": "bot", "password": "pw", "host": "dpg-abc-a.frankfurt-postgres.render.com", "dbname": "games"}),
    "Railway": ("postgresql://postgres:pw@containers-us-west-1.railway.app:7001/railway",
                {"user": "postgres", "password": "pw", "host": "containers-us-west-1.railway.app", "port": "7001",
                 "dbname": "railway"}),
    "Fly": ("postgres://bot:pw@games-db.flycast:5432/games?sslmode=disable",
            {"user": "bot", "password": "pw", "host": "games-db.flycast", "port": "5432", "dbname": "games",
             "sslmode": "disable"}),
    "Aiven": ("postgres://avnadmin:AVNS_y@pg-1-x.aivencloud.com:24634/defaultdb?sslmode=require",
              {"user": "avnadmin", "password": "AVNS_y", "host": "pg-1-x.aivencloud.com", "port": "24634",
               "dbname": "defaultdb", "sslmode": "require"}),
    "Crunchy Bridge": ("postgres://application:pw@p.abcdef.db.postgresbridge.com:5432/postgres",
                       {"user": "application", "password": "pw", "host": "p.abcdef.db.postgresbridge.com", "port": "5432",
                        "dbname": "postgres"}),
    "Google Cloud SQL": ("postgresql://bot:pw@/games?host=/cloudsql/project:europe-west1:games",
                         {"user": "bot", "password": "pw", "host": "/cloudsql/project:europe-west1:games", "dbname": "games"}),
    "Timescale": ("postgres://tsdbadmin:pw@a.b.tsdb.cloud.timescale.com:33339/tsdb?sslmode=require&application_name=games",
                  {"user": "tsdbadmin", "password": "pw", "host": "a.b.tsdb.cloud.timescale.com", "port": "33339",
                   "dbname": "tsdb", "sslmode": "require", "application_name": "games"}),
    "Patroni, with all hosts": (
        "postgresql://bot:pw@db1:5432,db2:5433,[fd00::3]:5434/games?target_session_attrs=read-write&connect_timeout=3",
        {"user": "bot", "password": "pw", "host": "db1,db2,fd00::3", "port": "5432,5433,5434", "dbname": "games",
         "target_session_attrs": "read-write", "connect_timeout": "3"}),
    "a service, and a file of passwords": ("postgresql:///?service=games&passfile=/run/secrets/pgpass",
                                           {"service": "games", "passfile": "/run/secrets/pgpass"}),
    "SQLAlchemy": ("postgresql+asyncpg://bot:pw@db/games?ssl=require",
                   {"user": "bot", "password": "pw", "host": "db", "dbname": "games", "sslmode": "require"}),
    "JDBC": ("postgresql://db/games?user=bot&password=pw&ssl=true",
             {"user": "bot", "password": "pw", "host": "db", "dbname": "games", "sslmode": "require"}),
    "Prisma": ("postgresql://bot:pw@db:5432/games?schema=public&connection_limit=5",
               {"user": "bot", "password": "pw", "host": "db", "port": "5432", "dbname": "games"}),
    "a password with a question mark": ("postgresql://bot:p?w@db/games?sslmode=require",
                                        {"user": "bot", "password": "p?w", "host": "db", "dbname": "games",
                                         "sslmode": "require"}),
}  # fmt: skip


@pytest.mark.parametrize("provider", HANDED_OUT)
def test_an_address_is_read_as_it_was_handed_out(provider: str) -> None:
    given, parameters = HANDED_OUT[provider]
    address = address_of(given)
    assert address.path is None
    assert address.parameters == parameters
    assert names_server(given)
    used = connection_parameters(address, CONNECTING)
    assert used == used | {name: value for name, value in parameters.items() if name != "connect_timeout"}
    assert int(used["connect_timeout"]) == min(CONNECTING, int(parameters.get("connect_timeout", CONNECTING)))


@pytest.mark.parametrize("provider", HANDED_OUT)
def test_a_password_is_never_shown(provider: str) -> None:
    given, parameters = HANDED_OUT[provider]
    assert parameters.get("password", "pw") not in str(address_of(given)).replace("pgpass", "")
    assert not {"password"} & parameters.keys() or {given, parameters["password"]} <= set(secrets_in(given))


@pytest.mark.parametrize(
    ("given", "shown"),
    [
        (HEROKU, "postgresql://u4f@ec2-54-0-0-1.compute-1.amazonaws.com:5432/d8r"),
        ("postgresql://bot:pw@db1,db2:5433,[::1]/games?sslmode=require", "postgresql://bot@db1,db2:5433,[::1]/games"),
        ("postgresql://bot@/games?host=/run/postgresql", "postgresql://bot@/games?host=/run/postgresql"),
        ("postgresql:///?service=games", "postgresql:///?service=games"),
        ("host=db port=5433 user=bot password=pw", "postgresql://bot@db:5433/"),
    ],
)
def test_it_is_shown_as_a_url_that_leads_to_the_same_database(given: str, shown: str) -> None:
    assert str(address_of(given)) == shown


def test_parameters_of_other_drivers_are_left_out() -> None:
    assert address_of("postgresql://db/games?pgbouncer=true&schema=x").foreign == ("pgbouncer", "schema")


@pytest.mark.parametrize(
    ("given", "said"),
    [
        ("postgresql://db/games?sslmod=require", "has the parameter sslmod, which PostgreSQL does not know. Is sslmode meant?"),
        ("postgresql://db/games?sslaccept=strict", "has the parameter sslaccept, which PostgreSQL does not know."),
        ("postgresql://db/games?target_session_attr=any", "Is target_session_attrs meant?"),
        ("postgresql://bot:s3cr/et@db/games", "is no number from 1 to 65535"),
        ("postgresql://bot:s3cret@db:0/games", "is no number from 1 to 65535"),
        ("postgresql://bot:s3cr%et@db/games", "not a URL that can be read"),
        ("postgresql://bot:s3cret@[db/games", "not a URL that can be read"),
        ("mysql://bot:s3cret@db/games", "it knows nothing of mysql"),
    ],
)
def test_an_unclear_address_is_refused_without_being_repeated(given: str, said: str) -> None:
    with pytest.raises(StorageError) as refused:
        address_of(given)
    assert said in str(refused.value)
    assert "s3cr" not in str(refused.value)
    assert given in secrets_in(given) or "@" not in given


def test_a_file_with_an_odd_name_is_a_file(tmp_path: Path) -> None:
    for name in ("a=b.sqlite3", "host=x y.sqlite3", "dbname"):
        assert address_of(str(tmp_path / name)) == address_of(tmp_path / name) == Address(tmp_path / name)


def test_the_certificates_of_the_machine_are_found() -> None:
    found = trusting({"host": "db", "sslrootcert": "system"})
    assert found["sslmode"] == "verify-full"
    assert ssl.create_default_context(cafile=found["sslrootcert"]).get_ca_certs()
    assert trusting({"sslrootcert": "mine.pem"}) == {"sslrootcert": "mine.pem"}


def test_a_server_that_is_silent_keeps_nobody_waiting_for_long(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("PGAPPNAME", raising=False)
    assert connection_parameters(address_of("postgresql://db/games"), CONNECTING)["application_name"] == "springboard"
    asked = address_of("postgresql://db/games?connect_timeout=60&client_encoding=latin1")
    used = connection_parameters(asked, CONNECTING)
    assert used["connect_timeout"] == str(round(CONNECTING))
    assert used["client_encoding"] == "UTF8"
    assert connection_parameters(address_of("postgresql://db/games?connect_timeout=0"), 2.0)["connect_timeout"] == "2"
