"""A device without an SDK link, over real HTTPS and on three nodes."""

import pytest
from courier import Device as Phone
from nodes import TOPIC, Cluster
from postgres import Server, wait_until
from registration import Device
from test_import import posthorn
from test_import import service as plain_service  # noqa: F401: a fixture is used by its name.
from test_link import BUNDLE, Service, certificate

TOKEN = "ab" * 32


@pytest.fixture
def service(tmp_path):
    service = Service(tmp_path, tls=certificate(tmp_path))
    yield service
    service.running.stop()


def tagged(push, tag):
    return {"platform": "ios", "audience": {"tag": [tag]}} | push


def test_a_device_registers_tags_receives_and_unregisters_over_https(service):
    device = Device(service.url, service.app_key, BUNDLE, service.session)
    device.register(token=TOKEN, language="zh-Hans", permission="denied")
    first = device.identity
    device.register()
    assert device.identity[0] == first[0] and device.identity[1] != first[1]
    assert device.call("PUT", json={"app_version": "1.2"}).json().items() >= {"has_token": True, "push": True}.items()
    assert device.call("POST", "/tags", {"operation": "add", "tags": ["vip"]}).json() == {"tags": ["vip"]}
    message = tagged({"message": {"msg_content": "hello"}}, "vip")
    assert service.session.post(f"{service.url}/v3/push", json=message, auth=service.auth, timeout=60).status_code == 200
    assert device.receive() == ["hello"]
    assert device.receive() == []
    # A service that is killed forgets nothing of it.
    service.running.kill()
    service.start()
    assert device.call("POST", "/tags", {"operation": "get"}).json() == {"tags": ["vip"]}
    assert device.receive() == []
    assert device.call("DELETE").json() == {}
    assert device.call("DELETE").json()["error"]["code"] == 6016
    # An app that does not know of it registers anew, as another device.
    assert device.call("POST", "/tags", {"operation": "get"}).json() == {"tags": []}
    assert device.identity[0] != first[0]


def test_why_names_a_registration_that_two_phones_have_shared(plain_service):  # noqa: F811
    first, second = (Device(plain_service.url, plain_service.auth[0], "com.example.app") for _ in range(2))
    first.register(token=TOKEN)
    registration, secret = first.identity
    push = {"platform": "ios", "audience": {"registration_id": [registration]}, "notification": {"alert": "hi"}}
    sent = first.session.post(f"{plain_service.url}/v3/push", json=push, auth=plain_service.auth, timeout=60).json()["msg_id"]
    assert "shared this registration" not in posthorn(plain_service, "why", sent, registration).stdout
    second.register(former_id=registration, former_secret="another")
    assert "shared this registration" not in posthorn(plain_service, "why", sent, registration).stdout
    third = Device(plain_service.url, plain_service.auth[0], "com.example.app")
    third.register(former_id=registration, former_secret=secret)
    said = posthorn(plain_service, "why", sent, registration).stdout
    assert "Another phone shared this registration until" in said and third.identity[0] in said
    assert "由同一备份恢复" in posthorn(plain_service, "why", sent, registration, "--lang", "zh-Hans").stdout


@pytest.fixture(scope="module")
def server():
    server = Server()
    yield server
    server.close()


def test_three_nodes_are_one_service_to_a_device(server, tmp_path):
    cluster = Cluster(tmp_path, server.url(server.create()))
    one, two, three = (cluster.serve(number) for number in (1, 2, 3))
    device = Device(one.url, cluster.app, TOPIC)
    device.register(token=Phone(cluster.box["courier"], "phone", TOPIC).token)

    def at(node):
        device.url = f"{node.url}/posthorn/v1/registrations"
        return device

    assert at(two).call("POST", "/tags", {"operation": "add", "tags": ["vip"]}).json() == {"tags": ["vip"]}
    assert at(three).call("POST", "/push-switch", {"on": False}).json() == {"on": False}
    assert at(one).call("POST", "/topics", {"declined": ["news"]}).json() == {"topics": {"news": True}}
    assert at(two).call("POST", "/topics", {}).json() == {"topics": {"news": True}}
    assert at(three).call("POST", "/topics", {"declined": ["a b"]}).json()["error"]["code"] == 6017
    assert at(one).call("POST", "/badge", {"badge": 1}).json()["error"]["code"] == 6012
    assert at(two).call("POST", "/push-switch", {"on": True}).json() == {"on": True}
    assert at(three).call("POST", "/alias", {"operation": "set", "alias": "bob"}).json() == {"alias": "bob"}
    assert one.message("from one", device.identity[0]).status_code == 200
    assert at(two).receive() == ["from one"]
    assert at(two).receive() == []
    push = two.push("hi", {"registration_id": [device.identity[0]]}).json()["msg_id"]

    def verdict(node):
        return node.get(f"/posthorn/v1/journeys/{push}/{device.identity[0]}").json()["verdict"]["state"]

    assert at(three).report(push, "opened").json() == {}
    wait_until("node 1 has the receipt", lambda: verdict(one) == "opened")
    id = device.identity[0]
    assert at(three).call("DELETE").json() == {}
    answer = device.session.put(f"{one.url}/posthorn/v1/registrations/{id}", json={}, auth=device.identity, timeout=60)
    assert answer.json()["error"]["code"] == 6016
    cluster.close()
