"""A damaged database says which file it is and what to do, in every command; a service finds damage that nothing has met yet."""

import json
import os
import random
import re
import shutil
import signal
import sqlite3
import subprocess
import time

import pytest
import requests
from interrupted import fill
from postgres import wait_until
from processes import BINARY, Process
from test_cli import run

pytestmark = pytest.mark.one_node("the file of an SQLite database")

PAGE = 4096
SQL = re.compile("SELECT|PRAGMA|INSERT|while executing")


@pytest.fixture(scope="module")
def used(tmp_path_factory):
    """A data folder with devices and pushes, on which no service runs."""
    data = tmp_path_factory.mktemp("damage") / "data"
    fill(data, 2000)
    return data


@pytest.fixture
def data(used, tmp_path):
    return shutil.copytree(used, tmp_path / "data")


def overwrite(file, place, content):
    with open(file, "r+b") as database:
        database.seek(place)
        database.write(content)


def text(file):
    file.write_text("hello " * 3000)


def emptied(file):
    file.write_bytes(b"")


def zeros(file):
    file.write_bytes(bytes(file.stat().st_size))


def half(file):
    os.truncate(file, file.stat().st_size // 2)


def header(file):
    overwrite(file, 100, random.Random(1).randbytes(PAGE - 100))


def folder(file):
    file.unlink()
    file.mkdir()


@pytest.mark.parametrize("spoil", [text, emptied, zeros, half, header, folder])
def test_each_command_names_the_file_and_the_way_back(data, tmp_path, spoil):
    file = data / "posthorn.sqlite"
    spoil(file)
    for words in [["serve", "--port", 0], ["app", "list"], ["doctor"], ["backup", "--to", tmp_path / "a.backup"]]:
        said = run(*words, "--data", data, status=1)
        said = said[said.index("Error: "):]
        assert f"'{file}'" in said and not SQL.search(said), said
        assert "posthorn restore" in said, said
    assert not list(tmp_path.glob("a.backup*"))


@pytest.mark.parametrize("trace", ["-wal", "-reserve"])
def test_no_empty_database_takes_the_place_of_a_lost_one(data, trace):
    file = data / "posthorn.sqlite"
    file.with_name(file.name + "-reserve").unlink()
    file.with_name(file.name + trace).write_bytes(bytes(PAGE))
    file.unlink()
    said = run("serve", "--port", 0, "--data", data, status=1)
    assert f"There is no '{file}'" in said and f"'{file}{trace}' shows" in said and "posthorn restore" in said, said
    assert file.with_name(file.name + trace).stat().st_size == PAGE and not file.exists()


def pages(file, count):
    """Random pages but for the first, none of which is free."""
    database = sqlite3.connect(file)
    assert database.execute("PRAGMA freelist_count").fetchone() == (0,)
    all_pages = database.execute("PRAGMA page_count").fetchone()[0]
    database.close()
    return random.Random(18).sample(range(1, all_pages), count)


def test_a_service_finds_a_damaged_page_that_nothing_reads(used, tmp_path):
    for number in pages(used / "posthorn.sqlite", 5):
        data = shutil.copytree(used, tmp_path / f"page {number}")
        file = data / "posthorn.sqlite"
        overwrite(file, number * PAGE, random.Random(number).randbytes(PAGE))
        with open(data / "log", "w") as log:
            service = Process("serve", "--data", data, "--port", 0, "--json", stderr=log)
        starts = service.lines.get(timeout=120)
        if starts:
            wait_until(f"the damage of page {number} is reported", lambda: f"'{file}' is damaged" in (data / "log").read_text(), 120)
            assert requests.get(f"{json.loads(starts)['url']}/health", timeout=60).status_code == 200
            done = subprocess.run([BINARY, "doctor", "--json", "--data", data], capture_output=True, text=True, timeout=120)
            found = {finding["check"]: finding for finding in json.loads(done.stdout)["findings"]}
            assert done.returncode == 1 and found["database"]["state"] == "wrong", done
            assert "posthorn restore" in found["database"]["remedy"]
            assert service.stop() == 0
        else:
            assert service.process.wait(60) == 1
        said = (data / "log").read_text()
        assert f"'{file}' is damaged" in said and "posthorn restore" in said and not SQL.search(said), said
        said = run("backup", "--data", data, "--to", tmp_path / "a.backup", status=1)
        assert f"'{file}'" in said and "posthorn restore" in said and not SQL.search(said), said


def test_an_intact_database_is_so(data):
    findings = json.loads(subprocess.run([BINARY, "doctor", "--json", "--data", data], capture_output=True, text=True).stdout)["findings"]
    assert {finding["check"]: finding["state"] for finding in findings}["database"] == "ok", findings


@pytest.mark.parametrize("next_start", ["backup", "serve", "app list"])
def test_what_a_killed_backup_has_left_is_removed_at_the_next_start(data, tmp_path, next_start):
    elsewhere = tmp_path / "elsewhere"
    elsewhere.mkdir()
    left = lambda: [file.name for file in [*elsewhere.iterdir(), *data.iterdir()] if ".part" in file.name or "unfinished" in file.name]
    for number in range(20):
        file = elsewhere / f"{number}.backup"
        backup = subprocess.Popen([BINARY, "backup", "--data", data, "--to", file], stdout=subprocess.DEVNULL)
        deadline = time.monotonic() + 60
        # Without a pause, in which a fast machine would end it.
        while not file.with_name(file.name + ".part").exists() and backup.poll() is None:
            assert time.monotonic() < deadline, "waited for the beginning of the backup"
        backup.send_signal(signal.SIGKILL)
        backup.wait()
        if left():
            break
    assert left(), "Every backup has ended before it could be killed."
    if next_start == "serve":
        service = Process("serve", "--data", data, "--port", 0)
        service.line()
        assert service.stop() == 0
    else:
        words = {"backup": ["backup", "--to", elsewhere / "next.backup"], "app list": ["app", "list"]}[next_start]
        run(*words, "--data", data)
    assert left() == []
