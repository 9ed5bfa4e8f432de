"""A service says at its start what is wrong with its PostgreSQL database, and what to do."""

import subprocess

import pytest
from postgres import Server
from processes import BINARY, Process


@pytest.fixture(scope="module")
def server():
    server = Server()
    yield server
    server.close()


def refused(url, folder):
    """What a service says that does not start."""
    words = [BINARY, "serve", "--store", url, "--data", folder, "--port", "0", "--log-level", "critical"]
    done = subprocess.run(words, capture_output=True, text=True, timeout=120)
    assert done.returncode not in (0, None) and done.returncode > 0, done
    return done.stdout + done.stderr


def test_a_role_is_told_what_to_grant_and_starts_with_it(server, tmp_path):
    database = server.create()
    server.sql("CREATE ROLE plain LOGIN", database)
    url = server.socket_url(database).replace("user=posthorn", "user=plain")
    said = refused(url, tmp_path / "data")
    grant = "GRANT USAGE, CREATE ON SCHEMA public TO plain;"
    assert f"The role plain may not create tables in the schema public of the database {database}" in said and grant in said, said
    server.sql(grant, database)
    service = Process("serve", "--store", url, "--data", tmp_path / "data", "--port", 0, "--log-level", "critical")
    service.line(lambda line: line.startswith("Posthorn listens"))
    assert service.stop() == 0


def test_a_database_has_to_be_in_utf_8(server, tmp_path):
    server.sql("CREATE DATABASE latin ENCODING 'LATIN1' LOCALE 'C' TEMPLATE template0", "postgres")
    said = refused(server.socket_url("latin"), tmp_path / "data")
    assert "The database latin has the encoding LATIN1" in said and "ENCODING 'UTF8'" in said, said
    assert server.sql("SELECT count(*) FROM pg_tables WHERE schemaname = 'public'", "latin") == [["0"]]
