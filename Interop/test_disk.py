"""A real disk that is full, and one that is mounted read-only: pushes get 503, and what was accepted is sent when there is room."""

import contextlib
import ctypes
import json
import os
import pathlib
import subprocess
import time

import pytest
import requests
from courier import Device
from ports import free_port
from processes import BINARY, Process
from sentences import assert_sentences

TOPIC = "com.example.disk"
SIZE = 24 << 20
LIBC = ctypes.CDLL(None, use_errno=True)


def mount(source, target, kind, flags=0, options=None):
    if LIBC.mount(source.encode(), str(target).encode(), kind.encode(), flags, options and options.encode()) != 0:
        raise OSError(ctypes.get_errno(), os.strerror(ctypes.get_errno()))


@pytest.fixture
def disk(tmp_path):
    """A file system of its own with little room."""
    place = tmp_path / "disk"
    place.mkdir()
    try:
        mount("tmpfs", place, "tmpfs", options=f"size={SIZE}")
    except OSError as error:
        pytest.skip(f"a small file system cannot be mounted here: {error}; run the tests as root")
    yield place
    # Lazily: whatever still has a file open keeps it.
    LIBC.umount2(str(place).encode(), 2)


@pytest.fixture
def start():
    running = []

    def begin(*arguments, **options):
        running.append(Process(*arguments, **options))
        return running[-1]

    yield begin
    for process in reversed(running):
        process.stop()


class Road:
    """A gateway on the usual disk, an app, and a service on the small one."""

    def __init__(self, start, tmp_path, disk):
        self.start = start
        self.box = json.loads(start(
            "gateway", "--data", tmp_path / "gateway", "--development-port", 0, "--production-port", 0, "--courier-port", 0,
            "--json",
        ).line())
        self.data = disk / "service"
        box = self.box
        made = json.loads(subprocess.run(
            [BINARY, "app", "create", "--data", self.data, "--name", "Disk", "--bundle-id", TOPIC, "--p8", box["keyFile"],
             "--key-id", box["keyID"], "--team-id", box["teamID"], "--json"], check=True, capture_output=True, text=True,
        ).stdout)
        self.auth = (made["app_key"], made["master_secret"])
        self.port = free_port()
        self.serve()
        self.device = Device(box["courier"], "phone", TOPIC)
        taken = self.post("/posthorn/v1/devices/import", {"devices": [{"token": self.device.token, "environment": "production"}]})
        assert taken.status_code == 200, taken.text

    def serve(self):
        self.service = self.start(
            "serve", "--data", self.data, "--port", self.port, "--apns-host", self.box["host"],
            "--apns-development-port", self.box["developmentPort"], "--apns-production-port", self.box["productionPort"],
            "--apns-ca", self.box["ca"], "--log-level", "error",
        )
        self.service.line(lambda line: line.startswith("Posthorn listens"))

    def get(self, path):
        return requests.get(f"http://127.0.0.1:{self.port}{path}", auth=self.auth, timeout=60)

    def post(self, path, body):
        return requests.post(f"http://127.0.0.1:{self.port}{path}", json=body, auth=self.auth, timeout=60)

    def push(self, text="hello"):
        return self.post("/v3/push", {
            "platform": "all", "audience": "all", "notification": {"ios": {"alert": text}},
            "options": {"apns_production": True},
        })

    def push_until(self, status):
        """Pushes until one is answered so, and gives the answer with the number of those that were accepted."""
        accepted, deadline = 0, time.monotonic() + 60
        while True:
            answer = self.push("x" * 1500)
            accepted += answer.status_code == 200
            if answer.status_code == status:
                return answer, accepted
            assert answer.status_code in (200, 503), answer.text
            assert time.monotonic() < deadline, f"no {status} within 30 seconds; the last was {answer.status_code}"


def fill(disk):
    """Takes what room there is."""
    with open(disk / "filler", "ab", buffering=0) as filler:
        for size in (1 << 20, 4096, 1):
            while True:
                try:
                    filler.write(b"x" * size)
                except OSError:
                    break


@pytest.mark.one_node("the disk is that of PostgreSQL")
def test_a_full_disk_refuses_pushes_and_loses_none(start, tmp_path, disk):
    road = Road(start, tmp_path, disk)
    expected = 1
    assert road.push().status_code == 200
    fill(disk)
    refused, accepted = road.push_until(503)
    expected += accepted
    assert refused.json()["error"]["code"] == 1030
    assert int(refused.headers["Retry-After"]) >= 1
    assert road.get("/health").status_code == 200
    assert road.get("/posthorn/v1/app").status_code == 200
    (disk / "filler").unlink()
    _, accepted = road.push_until(200)
    expected += accepted
    ids = set()
    while len(ids) < expected:
        frame = road.device.hear("push")
        assert frame["apns-id"] not in ids, "a push came twice"
        ids.add(frame["apns-id"])
        road.device.say(type="ack", **{"apns-id": frame["apns-id"]})


@pytest.mark.one_node("the disk is that of PostgreSQL")
def test_a_service_starts_on_a_full_disk(start, tmp_path, disk):
    road = Road(start, tmp_path, disk)
    assert road.push().status_code == 200
    road.device.hear("push")
    assert road.service.stop() == 0
    fill(disk)
    road.serve()
    assert road.get("/health").status_code == 200
    assert len(road.get("/posthorn/v1/devices").json()["devices"]) == 1
    refused, _ = road.push_until(503)
    assert refused.json()["error"]["code"] == 1030
    (disk / "filler").unlink()
    road.push_until(200)
    assert road.device.hear("push")


def test_a_read_only_disk_stops_the_start_with_a_sentence(start, tmp_path, disk):
    road = Road(start, tmp_path, disk)
    assert road.service.stop() == 0
    remount, read_only = 32, 1
    mount("tmpfs", disk, "tmpfs", remount | read_only)
    ended = subprocess.run(
        [BINARY, "serve", "--data", road.data, "--port", str(road.port)], capture_output=True, text=True, timeout=60
    )
    assert ended.returncode != 0
    assert str(pathlib.Path(road.data).name) in ended.stderr, ended.stderr
    assert "read-only" in ended.stderr or "cannot be written" in ended.stderr, ended.stderr
    mount("tmpfs", disk, "tmpfs", remount)
    road.serve()
    assert road.push().status_code == 200


def fill(disk):
    """Leaves no block free."""
    with open(disk / "filler", "wb", buffering=0) as file, contextlib.suppress(OSError):
        while True:
            file.write(b"x" * 65_536)
    with open(disk / "filler", "ab", buffering=0) as file, contextlib.suppress(OSError):
        while True:
            file.write(b"x")


def test_commands_on_a_full_disk_end_with_a_sentence_and_an_error(start, tmp_path, disk):
    road = Road(start, tmp_path, tmp_path)
    environment = os.environ | {
        "POSTHORN_URL": f"http://127.0.0.1:{road.port}", "POSTHORN_APP_KEY": road.auth[0], "POSTHORN_MASTER_SECRET": road.auth[1],
    }
    old = disk / "old"
    subprocess.run(
        [BINARY, "app", "create", "--data", old, "--name", "Old", "--bundle-id", TOPIC], check=True, capture_output=True
    )
    fill(disk)
    commands = [
        ["devices", "export", "--out", disk / "export.csv"],
        ["backup", "--data", road.data, "--to", disk / "backup"],
        ["app", "create", "--data", disk / "new", "--name", "New", "--bundle-id", TOPIC],
        ["app", "create", "--data", old, "--name", "Newer", "--bundle-id", TOPIC],
        ["appid", "create", TOPIC, "--data", disk / "gateway"],
        ["serve", "--data", disk / "served", "--port", 0],
        ["gateway", "--data", disk / "gateway", "--development-port", 0, "--production-port", 0, "--courier-port", 0],
    ]
    for words in commands:
        done = subprocess.run([BINARY, *map(str, words)], capture_output=True, text=True, timeout=60, env=environment)
        assert done.returncode != 0, (words, done)
        assert any(word in done.stderr for word in ("No space left on device", "no room", "disk is full")), (words, done)
        assert_sentences(done.stderr)
    with open(disk / "export.csv", "w") as file:
        done = subprocess.run([BINARY, "devices", "export"], stdout=file, stderr=subprocess.PIPE, text=True, timeout=60, env=environment)
    assert done.returncode == 1 and "No space left on device" in done.stderr, done
