"""The running service against its own description, Documentation/OpenAPI/posthorn.yaml: schemathesis makes calls of every
kind, good and bad, and looks whether the answers are what is described. What it makes up comes from a fixed seed."""

import json
import os
import pathlib
import re
import subprocess
import sys
from datetime import date, timedelta

import pytest
import requests
import yaml
from processes import BINARY, Process
from registration import Device

FILE = pathlib.Path(__file__).resolve().parent.parent / "Documentation" / "OpenAPI" / "posthorn.yaml"
METHODS = {"get", "put", "post", "delete", "head", "options", "patch"}
SEED = 20260101
DEVICE = {"registration_id": "1a0018970a91c0c8a3f", "token": "00" * 32, "alias": "bob", "tags": ["vip"]}

# What an answer must be. That good data is taken and bad data refused is not asked: the description cannot say all that makes
# a push good, such as the devices there are, and the service reads some things more kindly than it describes them.
CHECKS = [
    "not_a_server_error", "status_code_conformance", "content_type_conformance", "response_headers_conformance",
    "response_schema_conformance", "unsupported_method",
]


@pytest.fixture(scope="module")
def service(tmp_path_factory):
    """The service with a setting that lets a test call as often as it likes, an app, and a device to speak of."""
    data = tmp_path_factory.mktemp("openapi")
    settings = data / "settings.json"
    settings.write_text('{"http": {"callsPerMinute": 10000000}}')
    process = Process(
        "serve", "--data", data / "data", "--port", 0, "--config", settings, "--log-level", "error", "--apns-host", "127.0.0.1",
        "--apns-production-port", 1, "--apns-development-port", 1,
    )
    url = process.line(lambda line: line.startswith("Posthorn listens")).split()[-1]
    made = subprocess.run(
        [BINARY, "app", "create", "--data", data / "data", "--name", "A", "--bundle-id", "com.example.app", "--json"],
        capture_output=True, text=True, check=True, timeout=60,
    )
    app = json.loads(made.stdout)
    auth = (app["app_key"], app["master_secret"])
    taken = requests.post(f"{url}/posthorn/v1/devices/import", json={"devices": [DEVICE]}, auth=auth, timeout=60)
    assert taken.json()["created"] == 1
    process.url, process.auth, process.data = url, auth, data / "data"
    yield process
    assert process.stop() == 0


def operations(scheme=None):
    """The calls that are described; of one way to prove who calls, if it is named."""
    document = yaml.safe_load(FILE.read_text())
    for path, item in document["paths"].items():
        for method in METHODS & item.keys():
            ways = item[method].get("security", document["security"]) or [{"app": []}]
            if scheme is None or scheme in ways[0]:
                yield f"{method.upper()} {path}"


def stranger_calls():
    open_to_all = {"HEAD /", "GET /health", "GET /ready", "POST /posthorn/v1/registrations"}
    for operation in sorted(set(operations()) - open_to_all):
        method, path = operation.split()
        yield method, re.sub(r"{\w+}", "1", path)


def test_nobody_comes_in_without_proof(service):
    """Schemathesis has a check for this, which does not know that the key of no app may be answered with 400."""
    url, (key, _) = service.url, service.auth
    for method, path in stranger_calls():
        for auth in [None, (key, "0" * 24)]:
            answer = requests.request(method, url + path, data="{}", auth=auth, timeout=60)
            if auth and answer.status_code == 429:
                # More than 30 logins from here have failed within a minute (http.failedLogins).
                assert answer.json()["error"]["code"] == 2002 and int(answer.headers["Retry-After"]) <= 60
            else:
                assert answer.status_code == 401, f"{method} {path} as {auth}: {answer.text}"
                assert answer.headers["WWW-Authenticate"].startswith(("Basic realm=", "Bearer")), f"{method} {path}"
            assert set(answer.json()) == {"error"}


def description(examples, folder):
    """A copy of the description whose parameters have examples: things that are there."""
    document = yaml.safe_load(FILE.read_text())
    for name, value in examples.items():
        document["components"]["parameters"][name]["example"] = value
    copy = folder / "posthorn.json"
    copy.write_text(json.dumps(document))
    return copy


# Before a release also what each word of the description allows and forbids ("coverage"), which are most calls. With several nodes each
# operation is called with what is there; what is wrong is refused by any of them as by one.
RELEASE = bool(os.environ.get("POSTHORN_RELEASE"))
PHASES = "examples,coverage,fuzzing" if RELEASE and not os.environ.get("POSTHORN_NODES") else "examples,fuzzing"
# The calls that are made up for each operation.
CALLS = 8 if RELEASE else 3


def run_schemathesis(url, credentials, names, examples, folder):
    """Runs the tool over some operations; gives back what it printed, if anything was wrong.

    With one worker: with more, Python 3.11 sometimes ends parsing its own sources with a SystemError.
    """
    only = [word for name in names for word in ("--include-name", name)]
    done = subprocess.run(
        [
            sys.executable, "-m", "schemathesis.cli", "run", str(description(examples, folder)), "--url", url,
            "--auth", ":".join(credentials), "--checks", ",".join(CHECKS), "--seed", str(SEED), "--max-examples", str(CALLS),
            "--phases", PHASES, "--workers", "1", "--request-timeout", "60", "--warnings", "off",
            "--generation-database", "none", "--no-color", *only,
        ],
        capture_output=True, text=True, cwd=folder, timeout=3600, env=os.environ | {"PYTHONHASHSEED": "0"},
    )
    return None if done.returncode == 0 else done.stdout[-20000:] + done.stderr[-2000:]


@pytest.fixture
def examples(service):
    """A push and a schedule that are there, and the device of the service."""
    url, auth = service.url, service.auth
    push = {"platform": "ios", "audience": "all", "notification": {"alert": "Hi"}}
    # Neither end depends on the day: a firing lies ahead in any time zone.
    times = {"start": f"{date.today() - timedelta(days=30)} 00:00:00", "end": f"{date.today() + timedelta(days=30)} 00:00:00"}
    daily = {"periodical": times | {"time": "12:00:00", "time_unit": "day", "frequency": 1}}
    schedule = {"name": "daily", "enabled": True, "trigger": daily, "push": push}
    pushed = requests.post(f"{url}/v3/push", json=push, auth=auth, timeout=60).json()
    made = requests.post(f"{url}/v3/schedules", json=schedule, auth=auth, timeout=60).json()
    return {
        "msgID": pushed["msg_id"], "scheduleID": made["schedule_id"], "registrationID": DEVICE["registration_id"],
        "tag": "vip", "alias": "bob", "msgIDs": pushed["msg_id"],
    }


def made(service, *words):
    done = subprocess.run(
        [BINARY, *words, "--data", service.data, "--json"], capture_output=True, text=True, check=True, timeout=60
    )
    return json.loads(done.stdout)


def credentials(service, scheme):
    """Who may make the calls of one way to prove who calls."""
    if scheme == "group":
        group = made(service, "group", "create", "--name", "G", "--app", service.auth[0])
        return f"group-{group['group_key']}", group["master_secret"]
    if scheme == "developer":
        developer = made(service, "dev", "create", "--name", "D")
        return developer["dev_key"], developer["dev_secret"]
    if scheme == "device":
        device = Device(service.url, service.auth[0], "com.example.app")
        device.register(token="01" * 32)
        return device.identity
    return service.auth


@pytest.mark.parametrize("scheme", ["group", "developer", "device"])
def test_the_service_is_as_it_is_described(service, examples, tmp_path, scheme):
    # This service reaches no APNs, so that 503 is right for it; Interop/test_watch.py asks one that does.
    # A device that has unregistered would be told of nothing else.
    served = sorted(set(operations(scheme)) - {"GET /ready", "DELETE /posthorn/v1/registrations/{id}"})
    assert len(served) >= {"app": 40, "group": 4, "developer": 3, "device": 8}[scheme]
    caller = credentials(service, scheme)
    problem = run_schemathesis(service.url, caller, served, examples | {"ownID": caller[0]}, tmp_path)
    assert problem is None, problem
    assert requests.get(f"{service.url}/health", timeout=60).json() == {"status": "ok"}
