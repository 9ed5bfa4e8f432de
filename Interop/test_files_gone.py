"""A service whose files are removed, emptied or replaced under it accepts nothing that a restart would lose."""

import json
import os
import shutil

import pytest
import requests
from processes import Process
from test_cli import run

pytestmark = pytest.mark.one_node("the files of an SQLite database")


def removed(path):
    path.unlink()


def replaced(path):
    copy = path.with_name("copy")
    shutil.copy(path, copy)
    os.rename(copy, path)


def moved(path):
    os.rename(path, path.with_name("elsewhere"))


def emptied(path):
    os.truncate(path, 0)


FILES = ["posthorn.sqlite", "posthorn.sqlite-wal", "lock"]


# SQLite empties its log itself, and a lock is always empty.
@pytest.mark.parametrize("name, change", [(name, change) for change in (removed, replaced, moved) for name in FILES] + [(FILES[0], emptied)])
def test_nothing_is_accepted_any_more(tmp_path, name, change):
    data = tmp_path / "data"
    app = json.loads(run("app", "create", "--data", data, "--name", "A", "--bundle-id", "com.example.a", "--json"))
    service = Process("serve", "--data", data, "--port", 0)
    url = service.line(lambda line: line.startswith("Posthorn listens")).split()[-1]
    auth = (app["app_key"], app["master_secret"])
    device = {"registration_id": "r1", "token": "ab" * 32, "environment": "production"}
    imported = requests.post(f"{url}/posthorn/v1/devices/import", json={"devices": [device]}, auth=auth, timeout=60)
    assert imported.status_code == 200, imported.text

    def push():
        body = {"platform": "ios", "audience": "all", "notification": {"alert": "Hi"}}
        return requests.post(f"{url}/v3/push", json=body, auth=auth, timeout=60)

    assert push().status_code == 200
    change(data / name)
    for _ in range(3):
        refused = push()
        assert refused.status_code == 503 and f"The file {name} " in refused.text, refused.text
        assert "Retry-After" in refused.headers
    # The first /ready may be the answer of before, which holds for some seconds; it was never asked here.
    ready = requests.get(f"{url}/ready", timeout=60)
    assert ready.status_code == 503 and name in ready.json()["store"], ready.text
    service.stop()
