"""The Admin API: a developer makes an app, gives it a certificate and deletes it, with the sandbox's own authority."""

import pathlib
import subprocess
import time
import uuid

import pytest
import requests
from processes import BINARY

PASSWORD = "kennwort"


@pytest.fixture
def call(sandbox):
    """A POST to a resource of the Admin API, as the sandbox's developer."""
    api = sandbox["api"]

    def call(path, auth=(api["devKey"], api["devSecret"]), **body):
        return requests.post(f"{api['url']}/v1/app{path}", auth=auth, timeout=60, **body)

    return call


@pytest.fixture
def package():
    """One of this test alone: a node may hear a moment later that the app of another test is deleted."""
    return f"com.example.shop{uuid.uuid4().hex[:8]}"


@pytest.fixture
def app(call, package):
    made = call("", json={"app_name": "Shop", "android_package": package, "group_name": None}).json()
    yield made
    call(f"/{made['app_key']}/delete", data="[]")


@pytest.fixture
def bundles(sandbox, tmp_path):
    """A function that makes a certificate with its key, as a .p12."""
    gateway = pathlib.Path(sandbox["apns"]["ca"]).parent

    def bundle(bundle_id, environment):
        file = tmp_path / f"{bundle_id}-{environment}.p12"
        # The App ID may be there from another test.
        subprocess.run([BINARY, "appid", "create", bundle_id, "--data", gateway], capture_output=True)
        subprocess.run(
            [BINARY, "cert", "issue", "--new", "--app-id", bundle_id, "--environment", environment, "--p12", file]
            + ["--password", PASSWORD, "--data", gateway],
            check=True,
            capture_output=True,
        )
        return file.read_bytes()

    return bundle


def upload(call, app, password=PASSWORD, **files):
    form = {f"{prefix}CertificateFile": (f"{prefix}.p12", content) for prefix, content in files.items()}
    words = {f"{prefix}CertificatePassword": password for prefix in files}
    answer = call(f"/{app['app_key']}/certificate", files=form, data=words)
    assert answer.status_code == 200
    return answer.json()


def test_an_app_is_made_once_for_its_package(call, app, package, sandbox):
    assert set(app) == {"app_key", "is_new_created", "android_package", "master_secret"}
    assert app["is_new_created"] is True
    again = call("", json={"app_name": "Shop", "android_package": package}).json()
    assert again == {**app, "is_new_created": False}
    tags = requests.get(f"{sandbox['api']['url']}/v3/tags", auth=(app["app_key"], app["master_secret"]), timeout=60)
    assert tags.json() == {"tags": []}


@pytest.mark.one_node("a file is read in the same way by each node")
def test_certificates_are_uploaded_and_refused(call, app, package, bundles):
    production = bundles(package, "production")
    assert upload(call, app, pro=production) == {"success": "Synchronized success"}
    assert upload(call, app, pro=production)["error"]["code"] == 1010
    assert upload(call, app, password="other", pro=production)["error"]["code"] == 1012
    assert upload(call, app, pro=b"no certificate")["error"]["code"] == 1012
    assert upload(call, app, pro=b"")["error"]["code"] == 1014
    assert upload(call, app, dev=production)["error"]["code"] == 1012
    both = {"dev": bundles(package, "development"), "pro": bundles(package, "both")}
    assert upload(call, app, **both) == {"success": "Synchronized success"}
    assert upload(call, app, dev=bundles("com.example.other", "development"))["error"]["code"] == 1012
    assert upload(call, {"app_key": "0" * 24}, pro=production)["error"]["code"] == 1013


def test_a_deleted_app_is_gone(call, app, sandbox):
    path = f"/{app['app_key']}/delete"
    assert call(path).json() == {"success": "Synchronized success"}
    assert call(path).json()["error"]["code"] == 1015
    # Other nodes know it a moment later.
    deadline = time.monotonic() + 60
    while True:
        push = requests.post(
            f"{sandbox['api']['url']}/v3/push", auth=(app["app_key"], app["master_secret"]), json={}, timeout=60
        )
        if push.status_code == 401 or time.monotonic() > deadline:
            break
        time.sleep(0.05)
    assert (push.status_code, push.json()["error"]["code"]) == (401, 1004)


def test_errors_reach_the_caller(call, sandbox):
    api = sandbox["api"]
    assert call("", json={"app_name": "x"}).json()["error"]["code"] == 4002
    assert call("", data="{,}").json()["error"]["code"] == 4003
    get = requests.get(f"{api['url']}/v1/app", auth=(api["devKey"], api["devSecret"]), timeout=60)
    assert (get.status_code, get.json()["error"]["code"]) == (405, 4001)
    for auth, code in [((api["appKey"], "x"), 4004), ((api["devKey"], "x"), 4005), (None, 4006)]:
        answer = call("", auth=auth, json={})
        assert (answer.status_code, answer.json()["error"]["code"]) == (401, code)
