"""A few rounds of what Benchmarks/kill-moves does many of: `restore` and `migrate` are killed at random moments."""

import pytest
from interrupted import Migrations, Restores
from postgres import Server

ROUNDS, DEVICES = 2, 6_000


@pytest.fixture(scope="module")
def server():
    server = Server()
    yield server
    server.close()


@pytest.mark.one_node("posthorn restore is for SQLite")
def test_a_killed_restore_leaves_nothing_or_all(tmp_path):
    restores = Restores(tmp_path, 43, DEVICES)
    for _ in range(ROUNDS):
        restores.round()
        restores.replacing_round()
    assert restores.counts["kills"] == 2 * ROUNDS


@pytest.mark.one_node("posthorn migrate reads SQLite")
def test_a_killed_migration_loses_nothing(tmp_path, server):
    migrations = Migrations(tmp_path, 43, DEVICES, server)
    for _ in range(ROUNDS):
        migrations.round()
    assert migrations.counts["after the first committed part"] >= 2, migrations.counts
