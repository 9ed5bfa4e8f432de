"""The portal against those who should not get in, and against what a signed-in user's browser is made to send."""

import pathlib
import re
import socket
import time
from urllib.parse import urlsplit

import pytest
import requests
import yaml

DESCRIPTION = pathlib.Path(__file__).parents[2] / "Documentation/OpenAPI/posthorn.yaml"
PUSH = {"platform": "all", "audience": {"tag": ["nobody"]}, "notification": {"alert": "Hello"}}


class Visitor(requests.Session):
    """A browser without scripts."""

    def __init__(self, portal):
        super().__init__()
        self.url = portal["url"]
        self.token = ""

    def sign_in(self, user, password):
        answer = self.post(self.url + "/sign-in", data={"name": user, "password": password}, allow_redirects=False)
        if answer.status_code == 303:
            found = re.search(r'name="csrf" content="(\w+)"', self.get(self.url).text)
            self.token = found[1]
        return answer

    def call(self, path, body=None, token=None, **headers):
        token = self.token if token is None else token
        return self.post(f"{self.url}/api/{path}", json=body or {}, headers={"X-CSRF-Token": token} | headers)


@pytest.fixture(scope="module")
def admin(sandbox):
    visitor = Visitor(sandbox["portal"])
    assert visitor.sign_in(sandbox["portal"]["user"], sandbox["portal"]["password"]).status_code == 303
    return visitor


@pytest.fixture(scope="module")
def viewer(admin, sandbox):
    password = "only-for-reading"
    made = admin.call("operator/user.create", {"name": "reader", "role": "viewer", "password": password})
    assert made.status_code == 200, made.text
    visitor = Visitor(sandbox["portal"])
    assert visitor.sign_in("reader", password).status_code == 303
    return visitor


@pytest.fixture
def push(sandbox):
    return f"apps/{sandbox['api']['appKey']}/v3/push"


def test_everything_needs_a_session(sandbox, push):
    stranger = Visitor(sandbox["portal"])
    page = stranger.get(f"{stranger.url}/health", allow_redirects=False)
    assert page.status_code == 303
    assert page.headers["Location"] == "/portal/sign-in?back=%2Fportal%2Fhealth"
    for path in (push, "operator/app.list", "authenticate"):
        assert stranger.call(path).status_code in (401, 403)
    stranger.cookies.set("posthorn_session", "0" * 64, path="/portal")
    assert stranger.call(push, PUSH).status_code in (401, 403)


def test_a_wrong_password_and_an_unknown_name_get_the_same_answer(sandbox):
    answers = []
    for name in ("admin", "nobody-of-this-name"):
        answer = Visitor(sandbox["portal"]).sign_in(name, "not the password")
        assert answer.status_code == 401
        assert "Set-Cookie" not in answer.headers
        answers.append(answer.text.replace(name, "NAME"))
    assert answers[0] == answers[1]


def test_a_cookie_is_for_this_site_and_not_for_scripts(sandbox):
    visitor = Visitor(sandbox["portal"])
    cookie = visitor.sign_in(sandbox["portal"]["user"], sandbox["portal"]["password"]).headers["Set-Cookie"]
    for word in ("HttpOnly", "SameSite=Strict", "Path=/portal"):
        assert word in cookie
    before = visitor.cookies["posthorn_session"]
    renewed = visitor.call("authenticate", {"password": sandbox["portal"]["password"]})
    assert renewed.status_code == 200
    assert visitor.cookies["posthorn_session"] != before
    old = Visitor(sandbox["portal"])
    old.cookies.set("posthorn_session", before, path="/portal")
    assert old.get(visitor.url, allow_redirects=False).status_code == 303, "the old id has ended"


@pytest.mark.parametrize("token", ["", "0" * 64])
def test_a_call_without_the_token_is_refused(admin, push, token):
    answer = admin.call(push, PUSH, token=token)
    assert (answer.status_code, answer.json()["error"]["code"]) == (403, "csrf")


@pytest.mark.parametrize(
    "headers", [{"Origin": "https://evil.example"}, {"Origin": "null"}, {"Sec-Fetch-Site": "cross-site"}]
)
def test_a_request_of_another_site_is_refused(admin, push, headers):
    assert admin.call(push, PUSH, **headers).json()["error"]["code"] == "another_site"
    form = admin.post(admin.url + "/sign-out", data={"csrf": admin.token}, headers=headers)
    assert form.status_code == 403


def test_a_foreign_host_name_is_refused(admin):
    assert requests.get(admin.url, headers={"Host": "evil.example"}, timeout=30).status_code == 421


def test_a_viewer_reads_and_does_not_send(viewer, push, sandbox):
    assert viewer.get(viewer.url).status_code == 200
    refused = viewer.call(push, PUSH)
    assert refused.status_code == 403
    assert "viewer" in refused.json()["error"]["message"]
    assert viewer.call(push + "/validate", PUSH | {"audience": "all"}).status_code == 200
    for operation in ("app.create", "user.list", "audit.list", "credential.add", "credential.test", "doctor.run"):
        assert viewer.call(f"operator/{operation}").status_code == 403
    assert viewer.get(viewer.url + "/users").status_code == 403
    device = sandbox["devices"][0]["registrationID"]
    edited = viewer.call(f"apps/{sandbox['api']['appKey']}/v3/devices/{device}", {"alias": "mine"})
    assert edited.status_code == 403


# The least role for each operation; none for those that only the service's own pages or other ways in use.
OPERATIONS = {
    "app.create": "admin", "app.list": "viewer", "app.show": "viewer", "app.set": "admin", "app.alias_key": "admin", "group.create": "admin",
    "group.list": "viewer", "group.change": "admin", "group.delete": "admin", "developer.create": "admin",
    "developer.list": "admin", "developer.enable": "admin", "developer.disable": "admin", "credential.add": "admin",
    "credential.inspect": "admin", "credential.list": "viewer", "credential.show": "viewer", "credential.test": "sender",
    "credential.remove": "admin", "user.create": "admin", "user.list": "admin", "user.set": "admin", "user.remove": "admin",
    "user.verify": None, "audit.list": "admin", "audit.record": None, "node.list": "admin", "node.drain": "admin",
    "doctor.run": "sender", "health.show": "viewer", "retention.preview": "viewer", "settings.reload": "admin",
    "app.rename": "admin", "app.rotate_secret": "admin", "app.end_secret": "admin", "app.contents": "viewer", "app.delete": "admin",
    "group.rename": "admin", "group.rotate_secret": "admin", "group.end_secret": "admin", "developer.rename": "admin",
    "developer.rotate_secret": "admin", "developer.end_secret": "admin", "developer.delete": "admin",
}


def test_each_operation_is_for_its_role(admin, viewer, sender, sandbox):
    """Roles and operations: the calls have a parameter that no operation knows, so that none is carried out."""
    stranger = Visitor(sandbox["portal"])
    ranks = ["viewer", "sender", "admin"]
    for operation, least in OPERATIONS.items():
        for role, visitor in zip(["none", *ranks], [stranger, viewer, sender, admin]):
            answer = visitor.call(f"operator/{operation}", {"no such parameter": 1})
            code = answer.json()["error"]["code"]
            if role == "none":
                assert answer.status_code in (401, 403), operation
            elif least is None:
                assert answer.status_code == 404, operation
            elif ranks.index(role) < ranks.index(least):
                assert (answer.status_code, code) == (403, f"role_{least}"), (operation, role)
            else:
                assert answer.status_code == 400, (operation, role, answer.text)


# What changes nothing although it is no GET, and what senders may not do either.
READING = {"POST /v3/push/validate", "POST /v3/devices/status", "POST /v3/status/message", "POST /posthorn/v1/audience"}
SETTINGS = {"PUT /posthorn/v1/app", "PUT /posthorn/v1/topics", "POST /posthorn/v1/devices/import"}


@pytest.fixture(scope="module")
def sender(admin, sandbox):
    password = "only-for-sending"
    made = admin.call("operator/user.create", {"name": "poster", "role": "sender", "password": password})
    assert made.status_code == 200, made.text
    visitor = Visitor(sandbox["portal"])
    assert visitor.sign_in("poster", password).status_code == 303
    return visitor


def test_each_call_of_the_api_is_for_its_role(viewer, sender, sandbox):
    """Roles and routes: each call of the description in the name of an app, with a body that none of them takes."""
    stranger = Visitor(sandbox["portal"])
    app, calls = sandbox["api"]["appKey"], 0
    for path, item in yaml.safe_load(DESCRIPTION.read_text())["paths"].items():
        for method in item.keys() & {"get", "post", "put", "delete"}:
            call = f"{method.upper()} {path}"
            least = "viewer" if method == "get" or call in READING else "admin" if call in SETTINGS else "sender"
            for role, visitor in zip(["none", "viewer", "sender"], [stranger, viewer, sender]):
                address = f"{visitor.url}/api/apps/{app}" + re.sub(r"\{\w+\}", "1", path)
                answer = visitor.request(method, address, json={"no such": 1}, headers={"X-CSRF-Token": visitor.token}, timeout=60)
                code = answer.json()["error"]["code"] if answer.status_code >= 400 and "error" in answer.json() else None
                if role == "none":
                    assert answer.status_code in (401, 403), call
                    assert code in ("csrf", "signed_out"), (call, answer.text)
                elif ["viewer", "sender", "admin"].index(role) < ["viewer", "sender", "admin"].index(least):
                    assert (answer.status_code, code) == (403, f"role_{least}"), (call, role, answer.text)
                else:
                    assert not str(code).startswith("role_"), (call, role, answer.text)
                calls += 1
    assert calls > 200


def test_apns_is_asked_once_in_ten_seconds(admin, sandbox):
    app = sandbox["api"]["appKey"]

    def ask():
        return admin.call("operator/credential.test", {"app": app, "environment": "production"})

    first, early = ask(), 0
    if first.status_code == 429:
        # The doctor has asked a moment ago for the tests of another file.
        time.sleep(int(first.headers["Retry-After"]))
        first, early = ask(), 1
    answers = [first, *(ask() for _ in range(3))]
    assert [each.status_code for each in answers] == [200, 429, 429, 429], answers[0].text
    assert 1 <= int(answers[1].headers["Retry-After"]) <= 10
    found = [admin.call("operator/doctor.run", {"app": app}).json() for _ in range(3)]
    for each in found:
        states = {finding["check"]: finding["state"] for finding in each["findings"]}
        assert states["credential.production"] == "ok", "It is the answer of a moment ago."
    entries = admin.call("operator/audit.list", {"limit": 20}).json()["entries"]
    assert len([each for each in entries if each["action"] == "doctor.run" and each["ok"]]) >= 3
    (refused,) = [each for each in entries if each["action"] == "credential.test" and not each["ok"] and each["subject"] == app]
    assert refused["count"] == 3 + early


def test_passwords_cannot_be_tried_through_operations(admin):
    for operation in ("user.verify", "audit.record", "no.such"):
        assert admin.call(f"operator/{operation}", {"name": "admin", "password": "x"}).status_code == 404


def test_paths_lead_nowhere_else(admin):
    address = urlsplit(admin.url)
    for path in ("/portal/files/x/../../../v3/push", "/portal/files/x/..%2f..%2fPages%2flayout.mustache",
                 "/portal/files/x/%2e%2e/Pages/layout.mustache", "/portal/api/apps/..%2f..%2foperator"):
        with socket.create_connection((address.hostname, address.port), timeout=30) as connection:
            head = f"GET {path} HTTP/1.1\r\nHost: {address.netloc}\r\nConnection: close\r\n\r\n"
            connection.sendall(head.encode())
            answer = b"".join(iter(lambda: connection.recv(65536), b""))
        assert answer.split(b" ")[1] in (b"400", b"401", b"404"), answer[:200]
        assert b"<!DOCTYPE html>\n<html lang=\"{{" not in answer


def test_an_upload_beyond_the_limit_is_refused(admin):
    huge = {"app": "x", "certificate": "A" * (5 << 20)}
    assert admin.call("operator/credential.add", huge).status_code == 413


def test_markup_in_names_is_text(admin, sandbox):
    name = "<script>alert(1)</script><img src=x onerror=alert(2)>"
    made = admin.call("operator/app.create", {"name": name, "bundle_id": "com.example.markup"})
    assert made.status_code == 200
    page = admin.get(admin.url).text
    assert name not in page
    assert "&lt;script&gt;alert(1)&lt;/script&gt;" in page


def test_headers_keep_other_sites_and_inline_scripts_out(admin):
    for path in ("", "/sign-in", "/no-such-page"):
        headers = admin.get(admin.url + path).headers
        policy = headers["Content-Security-Policy"]
        assert "script-src 'self';" in policy
        assert "unsafe" not in policy
        assert "frame-ancestors 'none'" in policy
        assert headers["X-Content-Type-Options"] == "nosniff"
        assert headers["Cache-Control"] == "no-store"


def test_what_is_not_json_is_the_callers_mistake(admin):
    answer = admin.post(f"{admin.url}/api/operator/app.list", data="{", headers={"X-CSRF-Token": admin.token})
    assert (answer.status_code, answer.json()["error"]["code"]) == (400, "no_object")


def test_what_was_done_is_in_the_audit_log(admin, viewer, push, sandbox):
    assert admin.call(push, PUSH | {"audience": "all"}).status_code == 200
    entries = admin.call("operator/audit.list", {"limit": 200}).json()["entries"]
    sent = next(each for each in entries if each["action"] == "POST /v3/push")
    assert (sent["actor"], sent["subject"]) == ("admin", sandbox["api"]["appKey"])
    assert any(each["action"] == "user.create" and each["subject"] == "reader" for each in entries)
    text = str(entries)
    assert "only-for-reading" not in text
    assert sandbox["portal"]["password"] not in text


def test_many_attempts_to_sign_in_have_to_wait(sandbox):
    """Last in this file: the address of the tests has to wait, too, but those who have signed in do not."""
    visitor = Visitor(sandbox["portal"])
    # No hash is computed of a password that nobody can have, so that they come within a minute.
    answers = [visitor.sign_in("someone", "short") for _ in range(11)]
    assert [each.status_code for each in answers] == [401] * 10 + [429]
    assert 1 <= int(answers[-1].headers["Retry-After"]) <= 60
