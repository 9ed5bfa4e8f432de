"""The character U+0000, which no text of PostgreSQL has: refused in names with an error that says so, and delivered in messages, on
both stores alike."""

import datetime
import json
import os

import confidential
import pytest
import requests
from link import Client
from nodes import TOPIC, Cluster, answer
from postgres import Server
from websockets.sync.client import connect

NUL = "a\0b"
TOKEN = "an operator's token for this test"


@pytest.fixture(params=["sqlite", "postgres"])
def service(request, tmp_path):
    server = Server() if request.param == "postgres" else None
    cluster = Cluster(tmp_path, server and server.url(server.create()))
    confidential.remember(TOKEN, "the token of operators")
    node = cluster.serve(1, env=os.environ | {"POSTHORN_OPERATOR_TOKEN": TOKEN})
    yield node
    cluster.close()
    if server:
        server.close()


def push(**members):
    return {"platform": "all", "audience": "all", "notification": {"ios": {"alert": "x"}}} | members


def schedule(name):
    trigger = {"single": {"time": f"{datetime.date.today() + datetime.timedelta(days=2)} 00:00:00"}}
    return {"name": name, "enabled": True, "trigger": trigger, "push": push()}


def activity(kind, **members):
    return {"platform": "all", "live_activity": {"ios": {"content-state": {}, **kind}}, **members}


def said(found):
    return found.json()["error"]["code"], found.json()["error"]["message"]


def test_names_are_refused(service):
    for path, body, status, code, words in [
        ("/v3/schedules", schedule(NUL), 400, 8100, "'name' has the character U+0000"),
        ("/v3/push/file", push(audience={"file": {"file_id": NUL}}), 404, 1003, "There is no file"),
        ("/v3/push", push(audience={"tag": [NUL]}), 400, 1003, "'audience.tag' holds"),
        ("/v3/push", push(cid=NUL), 400, 1003, "'cid' is"),
        ("/v3/push", push(options={"business_operation_code": NUL}), 400, 1003, "expected a string without U+0000"),
        ("/v3/push/template", {"id": NUL, "params": [{"audience": "all", "keys": {}}]}, 404, 1003, "There is no template"),
        ("/v3/push_plan/create", {"name": NUL, "description": ""}, 400, 1003, "without control characters"),
        ("/posthorn/v1/templates", {"name": NUL, "push": {"notification": {"alert": "x"}}}, 400, 1003, "without control characters"),
        (
            "/v3/push", activity({"event": "start", "attributes-type": NUL, "attributes": {}}, audience="all"), 400, 1003,
            "'live_activity.ios.attributes-type' is a string; expected a non-empty string without U+0000",
        ),
        ("/v3/push", activity({"event": "end"}, audience={"live_activity_id": NUL}), 400, 1003, "without U+0000"),
        ("/v3/tags/a%00b", {"registration_ids": {"add": ["0123456789abcdef"]}}, 400, 7002, "'tag' holds"),
        ("/posthorn/v1/devices/import", {"devices": [{"token": "ab" * 32, "environment": "production", "alias": NUL}]}, 400, 1003, "'alias' is"),
    ]:
        found = service.post(path, body)
        assert found.status_code == status, f"{path} {body}: {found.text}"
        assert said(found)[0] == code and words in said(found)[1], f"{path} {body}: {found.text}"
    for path, body, status in [
        ("/v3/push_plan/update", {"name": NUL, "description": ""}, 400), ("/posthorn/v1/segments/a%00b", {"tags": ["a"]}, 400),
        ("/posthorn/v1/templates/a%00b", {"name": "x", "push": {"platform": "all", "notification": {"alert": "x"}}}, 404),
        ("/v3/schedules/a%00b", {"name": "x"}, 404),
    ]:
        found = requests.put(service.url + path, json=body, auth=service.cluster.auth, timeout=60)
        assert found.status_code == status, f"PUT {path}: {found.text}"
    for method, path, status in [
        ("DELETE", "/v3/tags/a%00b", 200), ("DELETE", "/v3/aliases/a%00b", 200), ("GET", "/v3/aliases/a%00b", 200),
        ("GET", "/v3/files/a%00b", 404), ("DELETE", "/v3/files/a%00b", 404), ("GET", "/v3/schedules/a%00b", 404),
        ("GET", "/v3/devices/a%00b", 400), ("GET", "/posthorn/v1/devices?alias=a%00b&tag=a%00b", 200),
        ("GET", "/posthorn/v1/apns/a%00b", 404), ("GET", "/posthorn/v1/messages?text=a%00b", 200),
        ("GET", "/posthorn/v1/templates/a%00b", 404), ("DELETE", "/posthorn/v1/templates/a%00b", 404),
        ("GET", "/posthorn/v1/plans/a%00b", 404), ("GET", "/v3/push_plan/list?info=a%00b", 200),
        ("GET", "/posthorn/v1/segments/a%00b", 404), ("DELETE", "/posthorn/v1/segments/a%00b", 404),
        ("GET", "/v3/schedules/a%00b/msg_ids", 404), ("DELETE", "/v3/schedules/a%00b", 404), ("DELETE", "/v3/push/a%00b", 400),
        ("GET", "/v3/received?msg_ids=1%00", 400), ("GET", "/v3/users?time_unit=DAY%00&start=2026-01-01&duration=1", 400),
        ("GET", "/v3/users?time_unit=DAY&start=2026-01-0%00&duration=1", 400), ("GET", "/posthorn/v1/devices?after=a%00b", 400),
        ("GET", "/posthorn/v1/devices/a%00b", 400), ("GET", "/posthorn/v1/messages/a%00b", 400),
        ("GET", "/posthorn/v1/messages?before=a%00b", 400), ("GET", "/posthorn/v1/journeys/1/a%00b", 400),
        ("GET", "/posthorn/v1/events?after=0%00", 400), ("GET", "/v3/tags/a%00b/registration_ids/a%00b", 400),
        ("GET", "/nothing/a%00b", 404), ("GET", "/v3/schedules?page=1%00", 400), ("GET", "/v3/push/cid?type=a%00b&count=1%00", 400),
    ]:
        found = requests.request(method, service.url + path, auth=service.cluster.auth, timeout=60)
        assert found.status_code == status, f"{method} {path}: {found.text}"


def test_names_that_developers_and_operators_give_are_refused(service):
    made = answer("dev", "create", "--data", service.data, "--name", "D")
    confidential.remember(made["dev_secret"], "the secret of a developer")
    for body in [{"app_name": NUL}, {"app_name": "A", "group_name": NUL}]:
        found = requests.post(
            f"{service.url}/v1/app", json=body | {"android_package": "com.example.a"}, auth=(made["dev_key"], made["dev_secret"]),
            timeout=60,
        )
        assert found.status_code == 400 and said(found)[0] == 4003 and "has the character U+0000" in said(found)[1], found.text
    for operation, parameters in [
        ("app.create", {"name": NUL, "bundle_id": "com.example.b"}), ("developer.create", {"name": NUL}), ("group.create", {"name": NUL}),
        ("user.remove", {"name": NUL}), ("user.verify", {"name": NUL, "password": "x"}),
    ]:
        found = requests.post(
            f"{service.url}/posthorn/v1/operator/{operation}", json=parameters, headers={"Authorization": f"Bearer {TOKEN}"}, timeout=60
        )
        assert found.status_code == 400 and "has a text with the character U+0000" in said(found)[1], found.text
    assert [app["name"] for app in answer("app", "list", "--data", service.data)] == ["Nodes"]
    # The log of what operators do has the refusals.
    entries = answer("audit", "--data", service.data)["entries"]
    assert ["group.create", "a\ufffdb", False] in [[entry["action"], entry["subject"], entry["ok"]] for entry in entries], entries


def test_an_app_on_its_link_is_told(service):
    client = Client(service.link, service.cluster.app, TOPIC)
    client.open()
    for kind, members in [
        ("alias-set", {"alias": NUL}), ("tags-set", {"tags": [NUL]}), ("tags-add", {"tags": [NUL]}), ("tags-delete", {"tags": [NUL]}),
        ("activity-token", {"activity": NUL, "token": "ab" * 32}), ("activity-start-token", {"attributes-type": NUL, "token": "ab" * 32}),
    ]:
        assert client.ask(kind, **members)["code"] in (6003, 6005, 6017), kind
    client.close()
    registration = {
        "type": "register", "environment": "production", "system": "iOS 17.0", "installation": "one", "app-key": service.cluster.app,
        "bundle-id": TOPIC,
    }
    login = {"type": "login", "position": 0, "app-key": service.cluster.app, **client.identity}
    for frame, key in [
        *((registration, key) for key in ("system", "installation", "channel", "app-version")), (login, "app-version"),
    ]:
        with connect(service.link) as link:
            link.send(json.dumps(frame | {key: NUL}))
            refused = json.loads(link.recv(60))
        assert (refused["type"], refused["code"]) == ("refused", 6017), refused
        assert refused["message"] == f"The {key.replace('-', ' ')} has the character U+0000; leave it out."


def test_what_is_for_people_and_apps_arrives(service):
    device = service.cluster.device(service)
    client = Client(service.link, service.cluster.app, TOPIC)
    client.open()
    sent = service.post("/v3/push", push(
        notification={"ios": {"alert": {"title": NUL, "body": NUL}, "thread-id": NUL, "extras": {NUL: [NUL]}}},
        message={"msg_content": NUL, "title": NUL, "content_type": NUL, "extras": {NUL: NUL}},
    ))
    assert sent.status_code == 200, sent.text
    payload = json.loads(device.hear("push")["payload"])
    assert payload["aps"]["alert"] == {"title": NUL, "body": NUL} and payload["aps"]["thread-id"] == NUL
    assert payload[NUL] == [NUL]
    client.await_messages(1)
    message = client.messages[0]
    assert (message["content"], message["title"], message["content-type"], message["extras"]) == (NUL, NUL, NUL, {NUL: NUL})
    client.close()
