"""The first account of the portal, and how long a session lasts when its user changes elsewhere."""

import concurrent.futures
import json

import confidential
import link
import pytest
import requests
from postgres import wait_until
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


def test_a_link_ends_with_a_user_who_has_gone(service, passwords):
    """Nobody has looked at the link while there was a user."""
    data, portal, link = service
    run("user", "create", "ben", "--role", "viewer", "--password-file", passwords[0], "--data", data)
    run("user", "remove", "ben", "--data", data)
    assert welcome(portal, link, "ana").status_code == 403
    assert requests.get(link, timeout=60).status_code == 403
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


def test_failures_elsewhere_keep_no_user_out_of_a_known_network(tmp_path, passwords):
    """The portal knows the network also after a restart, and other nodes do."""
    settings = tmp_path / "settings.json"
    settings.write_text(json.dumps({"http": {"proxies": ["127.0.0.1"]}}))
    data = tmp_path / "data"
    run("user", "create", "ana", "--role", "admin", "--password-file", passwords[0], "--data", data)

    def sign_in(portal, address, password):
        headers = {"X-Forwarded-For": address}
        form = {"name": "ana", "password": password}
        return requests.post(f"{portal}/sign-in", data=form, headers=headers, allow_redirects=False, timeout=120).status_code

    for attempt in range(2):
        process = Process("serve", "--data", data, "--port", 0, "--json", "--config", settings)
        portal = json.loads(process.line())["portal"]
        if attempt == 0:
            assert sign_in(portal, "203.0.113.7", PASSWORD) == 303
        else:
            # No hash is computed of a password that nobody can have.
            assert {sign_in(portal, f"198.51.100.{number}", "short") for number in range(100)} == {401}
            assert sign_in(portal, "192.0.2.1", PASSWORD) == 429
            assert sign_in(portal, "203.0.113.7", PASSWORD) == 303
        assert process.stop() == 0


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


def test_a_session_has_a_few_streams_of_events(service, passwords):
    """1,500 streams of one viewer cost 190 MB and most of a core."""
    data, portal, _ = service
    run("user", "create", "vic", "--role", "viewer", "--password-file", passwords[0], "--data", data)
    app = json.loads(run("app", "create", "--name", "A", "--bundle-id", "com.example.app", "--json", "--data", data))
    confidential.remember(app["master_secret"], "a master secret")
    client = link.Client(portal.replace("http", "ws", 1).removesuffix("/portal") + "/link", app["app_key"], "com.example.app")
    client.open()
    pushed = requests.post(
        portal.removesuffix("/portal") + "/v3/push", auth=(app["app_key"], app["master_secret"]), timeout=60,
        json={"platform": "ios", "audience": "all", "notification": {"alert": "hi"}},
    ).json()
    path = f"{portal}/apps/{app['app_key']}/messages/{pushed['msg_id']}/live"
    sessions = [signed_in(portal, "vic", PASSWORD) for _ in range(5)]

    def stream(session):
        return session.get(path, stream=True, timeout=60)

    streams = [stream(sessions[0]) for _ in range(8)]
    assert [answer.status_code for answer in streams] == [200] * 8
    # A reader that goes closes its stream.
    readers = [answer.iter_content(1) for answer in streams]
    assert all(b"event: state" in first_event(reader) for reader in readers)
    refused = stream(sessions[0])
    assert refused.status_code == 429 and refused.headers["Retry-After"] == "30"
    # Other pages are shown as before, and a place is free as soon as a page is closed.
    assert is_in(sessions[0], portal)
    streams.pop().close()
    readers.pop()
    streams.append(wait_until("a place is free", lambda: answer if (answer := stream(sessions[0])).status_code == 200 else None))
    # A user has no more places for signing in again and again.
    for session in sessions[1:]:
        streams += [stream(session) for _ in range(8)]
    codes = [answer.status_code for answer in streams]
    assert codes == [200] * 32 + [429] * 8
    for answer in streams:
        answer.close()
    client.close()


def first_event(reader):
    """The first lines of a stream up to the end of an event."""
    text = b""
    for part in reader:
        text += part
        if b"\n\n" in text.partition(b"\n\n")[2]:
            return text
    raise AssertionError(f"the stream ended after {text}")
