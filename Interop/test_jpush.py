"""The official Python library of JPush, unmodified, against Posthorn: only its table of hosts gets one row more."""

import jpush
import pytest
from jpush import common
from journeys import await_state


@pytest.fixture
def client(sandbox):
    base = sandbox["api"]["url"]
    common.ZONES["POSTHORN"] = {
        "PUSH": f"{base}/v3/",
        "REPORT": f"{base}/v3/",
        "DEVICE": f"{base}/v3/devices/",
        "ALIAS": f"{base}/v3/aliases/",
        "TAG": f"{base}/v3/tags/",
        "SCHEDULE": f"{base}/v3/schedules/",
        "ADMIN": f"{base}/v1/",
    }
    return jpush.JPush(sandbox["api"]["appKey"], sandbox["api"]["masterSecret"], zone="posthorn")


def push_to(client, sandbox, audience, production):
    push = client.create_push()
    push.audience = audience
    push.platform = jpush.all_
    push.notification = jpush.notification(ios=jpush.ios(alert="Hello from Python", extras={"k": "v"}))
    push.options = {"apns_production": production, "sendno": 7}
    return push


def is_production(sandbox):
    return sandbox["apns"]["environment"] == "production"


def test_push_is_shown_on_the_device(client, sandbox):
    device = sandbox["devices"][0]
    push = push_to(client, sandbox, jpush.registration_id(device["registrationID"]), is_production(sandbox))
    response = push.send()
    assert response.status_code == 200
    assert response.payload["sendno"] == "7"
    msg_id = response.payload["msg_id"]
    assert msg_id.isdigit()
    found = await_state(sandbox, msg_id, device["registrationID"], "shown")
    assert [event["event"] for event in found["events"]][:2] == ["accepted", "targeted"]


def test_push_to_all_reaches_every_device(client, sandbox):
    response = push_to(client, sandbox, jpush.all_, is_production(sandbox)).send()
    for device in sandbox["devices"]:
        await_state(sandbox, response.payload["msg_id"], device["registrationID"], "shown")


def test_validate_sends_nothing(client, sandbox):
    response = push_to(client, sandbox, jpush.all_, is_production(sandbox)).send_validate()
    assert set(response.payload) == {"sendno", "msg_id"}


def test_the_wrong_environment_is_accepted_and_explained(client, sandbox):
    device = sandbox["devices"][0]
    push = push_to(client, sandbox, jpush.registration_id(device["registrationID"]), not is_production(sandbox))
    found = await_state(sandbox, push.send().payload["msg_id"], device["registrationID"], "suppressed")
    assert "build, credential and push must agree" in found["verdict"]["sentence"]


def test_nobody_is_1011(client, sandbox):
    push = push_to(client, sandbox, jpush.audience(jpush.tag("nobody")), True)
    with pytest.raises(common.JPushFailure) as failure:
        push.send()
    assert failure.value.error_code == 1011
    assert failure.value.details.startswith("cannot find user by this audience")
    assert failure.value.response.json()["msg_id"].isdigit()


def test_a_wrong_secret_is_unauthorized(sandbox, client):
    stranger = jpush.JPush(sandbox["api"]["appKey"], "0" * 24, zone="posthorn")
    with pytest.raises(common.Unauthorized):
        push_to(stranger, sandbox, jpush.all_, True).send()


def test_what_is_not_served_says_so(client):
    with pytest.raises(common.JPushFailure) as failure:
        client.create_schedule().get_schedule_list(1)
    assert "not served" in failure.value.details
