"""The first account of the portal, and how long a session lasts when its user changes elsewhere."""

import concurrent.futures
import json

import confidential
import pytest
import requests
from processes import Process
from test_cli import run

PASSWORD = "correct horse battery staple"
OTHER = "another horse battery staple"


@pytest.fixture(scope="module", autouse=True)
def secrets():
    for password in PASSWORD, OTHER:
        confidential.remember(password, "the password of a user")


@pytest.fixture
def service(tmp_path):
    """The folder, the URL, and the one-time link of a new service."""
    process = Process("serve", "--data", tmp_path / "data", "--port", 0, "--json")
    facts = json.loads(process.line())
    confidential.remember(facts["invitation"].partition("key=")[2], "the key of the one-time link")
    yield tmp_path / "data", facts["portal"], facts["invitation"]
    assert process.stop() == 0


@pytest.fixture
def passwords(tmp_path):
    files = tmp_path / "password", tmp_path / "other"
    for file, password in zip(files, (PASSWORD, OTHER)):
        file.write_text(password + "\n")
    return files


def welcome(portal, link, name):
    form = {"key": link.partition("key=")[2], "name": name, "password": PASSWORD}
    return requests.post(f"{portal}/welcome", data=form, allow_redirects=False, timeout=120)


def users(data):
    return [user["name"] for user in json.loads(run("user", "list", "--json", "--data", data))]


def signed_in(portal, name, password):
    session = requests.Session()
    answer = session.post(f"{portal}/sign-in", data={"name": name, "password": password}, allow_redirects=False, timeout=120)
    assert answer.status_code == 303, (answer.status_code, answer.text[:400])
    assert is_in(session, portal)
    return session


def is_in(session, portal):
    """Whether the session leads to the first page, and not to the sign-in."""
    answer = session.get(portal, allow_redirects=False, timeout=60)
    assert answer.status_code in (200, 303), answer
    return answer.status_code == 200


def test_a_link_makes_one_administrator(service):
    data, portal, link = service
    assert requests.get(link, timeout=60).status_code == 200
    names = [f"ana{number}" for number in range(6)]
    with concurrent.futures.ThreadPoolExecutor(6) as pool:
        answers = list(pool.map(lambda name: welcome(portal, link, name), names))
    assert sorted(answer.status_code for answer in answers) == [303] + [403] * 5
    assert len(users(data)) == 1
    for answer in answers:
        if answer.status_code == 403:
            assert "/portal/sign-in" in answer.text
    assert requests.get(link, timeout=60).status_code == 403


def test_a_link_ends_with_a_user_of_a_command(service, passwords):
    data, portal, link = service
    run("user", "create", "ben", "--role", "viewer", "--password-file", passwords[0], "--data", data)
    page = requests.get(link, timeout=60)
    assert page.status_code == 403 and "/portal/sign-in" in page.text
    assert welcome(portal, link, "ana").status_code == 403
    assert users(data) == ["ben"]
    # It stays so when the user has gone.
    run("user", "remove", "ben", "--data", data)
    assert welcome(portal, link, "ana").status_code == 403
    assert users(data) == []


def test_a_session_ends_with_its_password_and_its_user(service, passwords):
    data, portal, link = service
    assert welcome(portal, link, "ana").status_code == 303
    run("user", "create", "ben", "--role", "viewer", "--password-file", passwords[0], "--data", data)
    ana, ben = signed_in(portal, "ana", PASSWORD), signed_in(portal, "ben", PASSWORD)
    run("user", "set", "ben", "--role", "sender", "--data", data)
    assert is_in(ben, portal), "A role changes in the session."
    run("user", "set", "ben", "--password-file", passwords[1], "--data", data)
    assert not is_in(ben, portal)
    ben = signed_in(portal, "ben", OTHER)
    run("user", "remove", "ben", "--data", data)
    run("user", "create", "ben", "--role", "admin", "--password-file", passwords[1], "--data", data)
    assert not is_in(ben, portal), "The session was that of another user of this name."
    assert is_in(ana, portal)


@pytest.mark.parametrize("proxies, is_secure", [(["127.0.0.1"], True), (["10.0.0.0/8"], False)])
def test_a_proxy_that_is_trusted_says_that_there_is_tls(tmp_path, passwords, proxies, is_secure):
    settings = tmp_path / "settings.json"
    settings.write_text(json.dumps({"http": {"proxies": proxies}}))
    data = tmp_path / "data"
    run("user", "create", "ana", "--role", "admin", "--password-file", passwords[0], "--data", data)
    process = Process("serve", "--data", data, "--port", 0, "--json", "--config", settings)
    portal = json.loads(process.line())["portal"]
    form = {"name": "ana", "password": PASSWORD}
    for scheme, marks in [("https", is_secure), ("http", False)]:
        headers = {"X-Forwarded-Proto": scheme, "X-Forwarded-For": "203.0.113.7"}
        page = requests.get(f"{portal}/sign-in", headers=headers, timeout=60)
        assert ("Strict-Transport-Security" in page.headers) == marks
        answer = requests.post(f"{portal}/sign-in", data=form, headers=headers, allow_redirects=False, timeout=120)
        assert answer.status_code == 303
        assert ("Secure" in answer.headers["Set-Cookie"]) == marks, answer.headers
    assert process.stop() == 0
