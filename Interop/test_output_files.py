"""Files that commands write: a device and a pipe are written in place, a symbolic link stays, and a failure leaves what was there."""

import json
import os
import stat
import subprocess

import pytest
from processes import BINARY, Process

TOPIC = "com.example.output"


@pytest.fixture(scope="module")
def gateway(tmp_path_factory):
    """The data folder of a gateway with an App ID and a certificate of it."""
    folder = tmp_path_factory.mktemp("gateway")
    subprocess.run([BINARY, "appid", "create", TOPIC, "--data", folder], check=True, capture_output=True, timeout=60)
    return folder


@pytest.fixture(scope="module")
def service(tmp_path_factory):
    """A service with an app of two devices: its words for a command."""
    folder = tmp_path_factory.mktemp("service")
    app = json.loads(subprocess.run(
        [BINARY, "app", "create", "--data", folder, "--name", "Output", "--bundle-id", TOPIC, "--json"], check=True, capture_output=True, text=True,
        timeout=60,
    ).stdout)
    process = Process("serve", "--data", folder, "--port", 0, "--json")
    url = json.loads(process.line())["url"]
    words = ["--url", url, "--app-key", app["app_key"], "--master-secret", app["master_secret"]]
    devices = folder / "devices.csv"
    devices.write_text("token\n" + "\n".join(f"{number:064x}" for number in (1, 2)) + "\n")
    subprocess.run([BINARY, "import", devices, *words], check=True, capture_output=True, timeout=60)
    yield words
    process.stop()


def commands(service, gateway):
    """Each command with a file to write, as a function of its path."""
    issue = ["cert", "issue", "--app-id", TOPIC, "--environment", "both", "--new", "--password", "secret", "--data", gateway]
    return {
        "devices export": lambda path: ["devices", "export", "--out", path, *service],
        "cert issue --out": lambda path: [
            *issue, "--p12", "/dev/null", "--out", path,
        ],
        "cert issue --p12": lambda path: [*issue, "--p12", path],
    }


def run(words):
    return subprocess.run([BINARY, *map(str, words)], capture_output=True, timeout=120)


NAMES = ["devices export", "cert issue --out", "cert issue --p12"]


@pytest.mark.parametrize("name", NAMES)
def test_a_link_stays_and_its_target_is_replaced(name, service, gateway, tmp_path):
    words = commands(service, gateway)[name]
    target, link, nowhere = tmp_path / "target", tmp_path / "link", tmp_path / "nowhere"
    target.write_text("old")
    link.symlink_to("target")
    nowhere.symlink_to(tmp_path / "new")
    for path in (link, nowhere):
        done = run(words(path))
        assert done.returncode == 0, done.stderr
        assert path.is_symlink() and path.read_bytes() not in (b"", b"old")
    assert sorted(file.name for file in tmp_path.iterdir()) == ["link", "new", "nowhere", "target"]


@pytest.mark.parametrize("name", NAMES)
def test_a_pipe_is_written_in_place(name, service, gateway, tmp_path):
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    # Open for both, so that neither end waits for the other; what the command writes fits into the pipe.
    reader = os.open(pipe, os.O_RDWR | os.O_NONBLOCK)
    done = run(commands(service, gateway)[name](pipe))
    assert done.returncode == 0, done.stderr
    assert os.read(reader, 1 << 16)
    os.close(reader)
    assert stat.S_ISFIFO(pipe.lstat().st_mode) and [file.name for file in tmp_path.iterdir()] == ["pipe"]


@pytest.mark.parametrize("name", NAMES)
def test_a_device_is_written_in_place_and_one_that_is_full_is_an_error(name, service, gateway):
    words = commands(service, gateway)[name]
    for device, status in [("/dev/null", True), ("/dev/full", False)]:
        before = os.lstat(device)
        done = run(words(device))
        after = os.lstat(device)
        assert stat.S_ISCHR(after.st_mode) and (before.st_rdev, before.st_ino) == (after.st_rdev, after.st_ino)
        assert (done.returncode == 0) == status, done
        if not status:
            assert b"No space left on device" in done.stderr and b"NSCocoa" not in done.stderr, done.stderr


def test_an_export_that_fails_leaves_the_earlier_one(service, tmp_path):
    out = tmp_path / "devices.csv"
    out.write_text("earlier")
    words = ["devices", "export", "--out", out, *service]
    words[words.index("--master-secret") + 1] = "wrong"
    assert run(words).returncode != 0
    assert out.read_text() == "earlier" and [file.name for file in tmp_path.iterdir()] == ["devices.csv"]
    assert run(["devices", "export", "--out", out, *service]).returncode == 0
    assert out.read_text().count("\n") == 3 and out.stat().st_mode & 0o777 == 0o600


def test_rejected_rows_go_to_the_target_of_a_link(service, tmp_path):
    devices, rejected = tmp_path / "devices.csv", tmp_path / "devices.csv.rejected"
    devices.write_text("token\nnonsense\n")
    (tmp_path / "target").write_text("old")
    rejected.symlink_to("target")
    assert run(["import", devices, *service]).returncode == 1
    assert rejected.is_symlink() and "nonsense" in (tmp_path / "target").read_text()
    assert (tmp_path / "target").stat().st_mode & 0o777 == 0o600
