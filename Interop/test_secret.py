"""A database is of use only with the secret of its service: with another or none, nothing starts, and nothing is written."""

import json
import os
import shutil
import sqlite3
import subprocess

import pytest
from processes import BINARY
from test_cli import run

pytestmark = pytest.mark.one_node("the secret beside an SQLite database")


@pytest.fixture
def data(tmp_path):
    """A data folder with an app and its key."""
    folder, key = tmp_path / "data", tmp_path / "key.p8"
    subprocess.run(["openssl", "genpkey", "-algorithm", "EC", "-pkeyopt", "ec_paramgen_curve:P-256", "-out", key], check=True)
    flags = ["--p8", key, "--key-id", "ABC123DEFG", "--team-id", "DEF123GHIJ"]
    run("app", "create", "--data", folder, "--name", "A", "--bundle-id", "com.example.a", *flags)
    return folder


def missing(secret):
    secret.unlink()


def foreign(secret):
    secret.write_bytes(os.urandom(32))


def without_mark(data):
    """The database as earlier versions left it."""
    database = sqlite3.connect(data / "posthorn.sqlite")
    assert database.execute("DELETE FROM setting WHERE key = 'secret.mark'").rowcount == 1
    database.commit()
    database.close()


def refused(data, *words):
    """What the command says when it has refused."""
    done = subprocess.run([BINARY, *map(str, words), "--data", data], capture_output=True, text=True, timeout=120)
    assert done.returncode != 0, done
    return done.stdout + done.stderr


@pytest.mark.parametrize("spoil, words", [(missing, "There is no '"), (foreign, "is not that of '")])
@pytest.mark.parametrize("is_marked", [True, False])
def test_the_secret_of_a_database_is_not_replaced(data, tmp_path, spoil, words, is_marked):
    secret = data / "secret.key"
    kept = secret.read_bytes()
    if not is_marked:
        without_mark(data)
    spoil(secret)
    spoiled = secret.read_bytes() if secret.exists() else None
    for command in [
        ["serve", "--port", 0],
        ["app", "list"],
        ["app", "create", "--name", "B", "--bundle-id", "com.example.b"],
        ["migrate", "--to", "postgres://nobody@127.0.0.1:1/none"],
    ]:
        said = refused(data, *command)
        assert words in said and str(secret) in said and "Put back this service's secret.key" in said, (command, said)
        assert (secret.read_bytes() if secret.exists() else None) == spoiled, command
    if is_marked or spoil is missing:
        said = refused(data, "backup", "--to", tmp_path / "a.backup")
        assert "secret.key" in said and not (tmp_path / "a.backup").exists(), said
    # With its secret the database is as it was.
    secret.write_bytes(kept)
    assert [app["name"] for app in json.loads(run("app", "list", "--data", data, "--json"))] == ["A"]
    spoil(secret)
    assert "secret.key" in refused(data, "app", "list")


def test_a_backup_with_another_secret_is_not_restored(data, tmp_path):
    file = tmp_path / "a.backup"
    run("backup", "--data", data, "--to", file)
    run("restore", file, "--data", tmp_path / "good")
    backup = sqlite3.connect(file)
    backup.execute("UPDATE backup SET secret = ?", [os.urandom(32)])
    backup.commit()
    backup.close()
    said = refused(tmp_path / "bad", "restore", file)
    assert "has a secret that is not that of its database" in said, said
    assert not (tmp_path / "bad/posthorn.sqlite").exists()


def test_a_moved_folder_keeps_its_secret(data, tmp_path):
    elsewhere = tmp_path / "elsewhere"
    shutil.copytree(data, elsewhere)
    assert run("app", "list", "--data", elsewhere, "--json") == run("app", "list", "--data", data, "--json")
