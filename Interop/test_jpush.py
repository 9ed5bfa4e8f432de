"""The official Python library of JPush, unmodified, against Posthorn: its table of hosts gets one row more, as the guide says."""

import pathlib
import re
import subprocess
import time
from datetime import date, datetime, timedelta, timezone

import courier
import jpush
import link
import pytest
import requests
from jpush import common
from jpush.push.core import Push
from journeys import await_state

GUIDE = pathlib.Path(__file__).resolve().parent.parent / "Documentation/Guide/MigratingFromJPush.md"


@pytest.fixture
def client(sandbox):
    [block] = re.findall(r"^```python\n(.*?)^```$", GUIDE.read_text(), re.M | re.S)
    assert "https://push.example.com" in block
    names = {"app_key": sandbox["api"]["appKey"], "master_secret": sandbox["api"]["masterSecret"]}
    exec(block.replace("https://push.example.com", sandbox["api"]["url"]), names)
    return names["client"]


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


def test_a_segment_and_the_groups_of_a_test_address_pushes(client, sandbox):
    api = sandbox["api"]
    auth = (api["appKey"], api["masterSecret"])
    rules = {
        "reachable": {"push_state": ["reachable"], "seen_within_days": 1},
        "a": {"share": {"test": "t", "from": 0, "to": 50}}, "b": {"share": {"test": "t", "from": 50, "to": 100}},
    }
    counts = {}
    for name, rule in rules.items():
        answer = requests.put(f"{api['url']}/posthorn/v1/segments/{name}", json=rule, auth=auth)
        assert answer.status_code == 200, answer.text
        counts[name] = answer.json()["counts"]["devices"]
    assert counts["a"] + counts["b"] == counts["reachable"] == len(sandbox["devices"])
    production = is_production(sandbox)
    msg_id = push_to(client, sandbox, jpush.push.segment("reachable"), production).send().payload["msg_id"]
    for device in sandbox["devices"]:
        await_state(sandbox, msg_id, device["registrationID"], "shown")
    reached = 0
    for name in ("a", "b"):
        push = push_to(client, sandbox, jpush.audience(jpush.push.abtest(name), jpush.push.segment("reachable")), production)
        if counts[name]:
            assert push.send().status_code == 200
            reached += counts[name]
        else:
            with pytest.raises(common.JPushFailure) as failure:
                push.send()
            assert failure.value.error_code == 1011
    assert reached == len(sandbox["devices"])
    with pytest.raises(common.JPushFailure) as failure:
        push_to(client, sandbox, jpush.push.segment("nobody"), production).send()
    assert failure.value.error_code == 1011 and "'nobody'" in failure.value.details


def test_a_wrong_secret_is_unauthorized(sandbox, client):
    stranger = jpush.JPush(sandbox["api"]["appKey"], "0" * 24, zone="posthorn")
    with pytest.raises(common.Unauthorized):
        push_to(stranger, sandbox, jpush.all_, True).send()


@pytest.fixture
def shown(client, sandbox):
    """The msg_id of a push that both devices have shown."""
    msg_id = push_to(client, sandbox, jpush.all_, is_production(sandbox)).send().payload["msg_id"]
    for device in sandbox["devices"]:
        await_state(sandbox, msg_id, device["registrationID"], "shown")
    await_sent(client, msg_id, "apns", 2)
    return msg_id


def await_sent(client, msg_id, channel, count):
    """The counts of a push once so many are sent: the gateway's answer may come after the device's acknowledgement."""
    deadline = time.monotonic() + 60
    while True:
        (details,) = client.create_report().get_messages_detail(msg_id).payload
        counts = details["details"]["notification"]["sub_ios"][channel]
        if counts["sent"] == count:
            return counts
        assert time.monotonic() < deadline, f"waited for {count} sent, found {counts}"
        time.sleep(0.05)


def test_what_became_of_a_push_is_counted(client, shown):
    report = client.create_report()
    (received,) = report.get_received(shown).payload
    assert received == {
        "msg_id": shown,
        "android_received": None,
        "ios_apns_sent": 2,
        "ios_apns_received": 2,
        "ios_msg_received": 0,
        "wp_mpns_sent": None,
    }
    (detail, unknown) = report.get_received_detail(f"{shown},7").payload
    assert (detail["ios_apns_sent"], detail["ios_apns_received"], detail["jpush_received"]) == (2, 2, 0)
    assert set(unknown) == set(detail) and unknown["ios_apns_sent"] is None
    (messages,) = report.get_messages(shown).payload
    assert set(messages) == {"msg_id", "android", "ios", "winphone"}
    assert messages["ios"] == {
        "apns_sent": 2,
        "apns_target": 2,
        "apns_received": 2,
        "click": 0,
        "target": 0,
        "received": 0,
    }
    (details,) = report.get_messages_detail(shown).payload
    assert details["details"]["notification"]["sub_ios"]["apns"] == {
        "target": 2,
        "sent": 2,
        "received": 2,
        "display": 2,
        "click": 0,
    }


def test_the_status_of_a_push_on_some_devices(client, sandbox, shown):
    ids = [device["registrationID"] for device in sandbox["devices"]]
    one = push_to(client, sandbox, jpush.registration_id(ids[0]), is_production(sandbox)).send().payload["msg_id"]
    await_state(sandbox, one, ids[0], "shown")
    found = client.create_report().get_status_message(int(one), ids + ["0123456789abcdef"]).payload
    assert found == {ids[0]: {"status": 0}, ids[1]: {"status": 3}, "0123456789abcdef": {"status": 2}}
    found = client.create_report().get_status_message(shown, ids).payload
    assert found == {registration_id: {"status": 0} for registration_id in ids}


def test_users_are_counted(client, sandbox):
    # The sandbox tells days of UTC+8. Midnight may come between.
    today = (datetime.now(timezone.utc) + timedelta(hours=8)).date()
    start = today - timedelta(days=1)

    def new():
        users = client.create_report().get_users("DAY", str(start), "3").payload
        assert set(users) == {"time_unit", "start", "duration", "items"}
        assert [item["time"] for item in users["items"]] == [str(start + timedelta(days=day)) for day in range(3)]
        return sum(item.get("ios", {}).get("new", 0) for item in users["items"])

    # Other tests may have added devices.
    before = new()
    assert before >= len(sandbox["devices"])
    app = link.Client(sandbox["link"]["url"], sandbox["api"]["appKey"], sandbox["apns"]["topic"])
    app.open()
    assert new() == before + 1
    leave(sandbox, app)


@pytest.mark.parametrize(
    "call, code",
    [
        (lambda report: report.get_received("x"), 3002),
        (lambda report: report.get_messages(",".join(["1"] * 101)), 3002),
        (lambda report: report.get_users("DAY", "2026-01", "1"), 3004),
        (lambda report: report.get_users("DAY", "2026-01-01", "61"), 3005),
        (lambda report: report.get_users("WEEK", "2026-01-01", "1"), 3004),
    ],
)
def test_errors_of_reports_reach_the_caller(client, call, code):
    with pytest.raises(common.JPushFailure) as failure:
        call(client.create_report())
    assert failure.value.error_code == code
    assert failure.value.details


def test_a_schedule_is_made_read_changed_and_deleted(client, sandbox):
    schedules = client.create_schedule()
    push = push_to(client, sandbox, jpush.all_, True).payload
    time = f"{date.today() + timedelta(days=30)} 12:00:00"
    single = jpush.schedulepayload.schedulepayload("once", True, jpush.schedulepayload.trigger(time), push)
    made = schedules.post_schedule(single).payload
    assert set(made) == {"schedule_id", "name"}
    found = schedules.get_schedule_by_id(made["schedule_id"]).payload
    assert found["trigger"] == {"single": {"time": time}}
    assert found["push"] == push
    listed = schedules.get_schedule_list("1").payload
    assert set(listed) == {"total_count", "total_pages", "page", "schedules"}
    assert listed["schedules"] == [found]
    changed = schedules.put_schedule({"name": "renamed"}, made["schedule_id"]).payload
    assert changed == {**found, "name": "renamed"}
    assert schedules.delete_schedule(made["schedule_id"]).payload == {}
    assert schedules.get_schedule_list("1").payload["schedules"] == []
    with pytest.raises(common.JPushFailure) as failure:
        schedules.get_schedule_by_id(made["schedule_id"])
    assert failure.value.error_code == 8104


def test_a_schedule_in_the_past_is_8100(client, sandbox):
    push = push_to(client, sandbox, jpush.all_, True).payload
    with pytest.raises(common.JPushFailure) as failure:
        client.create_schedule().post_schedule(
            jpush.schedulepayload.schedulepayload("late", True, jpush.schedulepayload.trigger("2020-01-01 00:00:00"), push)
        )
    assert failure.value.error_code == 8100
    assert "not in the future" in failure.value.details


@pytest.fixture(params=["default", "bj"])
def devices(request, client, sandbox):
    """The calls about devices in the paths of both zones; what they changed is undone afterwards."""
    base = sandbox["api"]["url"]
    below = {"default": "", "bj": "/device"}[request.param]
    common.ZONES["POSTHORN"].update(
        DEVICE=f"{base}/v3/{'device' if below else 'devices'}/",
        ALIAS=f"{base}/v3{below}/aliases/",
        TAG=f"{base}/v3{below}/tags/",
    )
    calls = client.create_device()
    yield calls
    for device in sandbox["devices"]:
        calls.set_deviceinfo(device["registrationID"], {"tags": "", "alias": "", "mobile": ""})
    for tag in calls.get_taglist().payload["tags"]:
        calls.delete_tag(tag)
    assert calls.get_taglist().payload == {"tags": []}


@pytest.fixture
def ids(sandbox):
    return [device["registrationID"] for device in sandbox["devices"]]


def test_a_device_is_changed_and_read(devices, ids):
    empty = {"tags": [], "alias": None, "mobile": None}
    assert devices.get_deviceinfo(ids[0]).payload == empty
    tags = jpush.device_tag(jpush.add("vip", "中文", "a+b"), jpush.remove("none"))
    changed = devices.set_deviceinfo(ids[0], tags)
    assert changed.status_code == 200
    assert changed.payload == {}
    assert devices.set_deviceinfo(ids[0], jpush.device_alias("bob")).payload == {}
    assert devices.set_devicemobile(ids[0], jpush.device_mobile("13012345678")).payload == {}
    found = {"tags": ["a+b", "vip", "中文"], "alias": "bob", "mobile": "13012345678"}
    assert devices.get_deviceinfo(ids[0]).payload == found
    assert devices.get_deviceinfo(ids[1]).payload == empty
    assert devices.set_deviceinfo(ids[0], {"tags": "", "alias": "", "mobile": ""}).payload == {}
    assert devices.get_deviceinfo(ids[0]).payload == empty


def test_tags_are_given_asked_for_and_deleted(devices, ids):
    for tag in ["vip", "中文", "a+b&c=d"]:
        users = jpush.device_regid(jpush.add(*ids), jpush.remove())
        assert devices.update_tagusers(tag, users).payload == {}
        assert devices.check_taguserexist(tag, ids[1]).payload == {"result": True}
        assert devices.update_tagusers(tag, jpush.device_regid(jpush.remove(ids[1]))).payload == {}
        assert devices.check_taguserexist(tag, ids[1]).payload == {"result": False}
        assert devices.get_taglist().payload == {"tags": [tag]}
        assert devices.delete_tag(tag, "android").payload == {}
        assert devices.check_taguserexist(tag, ids[0]).payload == {"result": True}
        assert devices.delete_tag(tag, "ios,android").payload == {}
        assert devices.get_taglist().payload == {"tags": []}


def test_aliases_are_read_and_deleted(devices, ids):
    for registration_id in ids:
        devices.set_deviceinfo(registration_id, jpush.device_alias("家"))
    assert sorted(devices.get_aliasuser("家").payload["registration_ids"]) == sorted(ids)
    assert devices.get_aliasuser("家", "android").payload == {"registration_ids": []}
    assert devices.delete_alias("家", "android,winphone").payload == {}
    assert len(devices.get_aliasuser("家", "ios").payload["registration_ids"]) == 2
    assert devices.delete_alias("家").payload == {}
    assert devices.get_aliasuser("家").payload == {"registration_ids": []}


def test_what_the_library_does_not_send(sandbox, devices, ids):
    """Unbinding some devices from an alias, and the new format, as current libraries for Java and Go send them."""
    base = sandbox["api"]["url"]
    auth = (sandbox["api"]["appKey"], sandbox["api"]["masterSecret"])
    for registration_id in ids:
        devices.set_deviceinfo(registration_id, jpush.device_alias("bob"))
    body = {"registration_ids": {"remove": [ids[0]]}}
    unbound = requests.post(f"{base}/v3/aliases/bob", json=body, auth=auth)
    assert (unbound.status_code, unbound.json()) == (200, {})
    for target in ["bob?new_format=true&platform=ios", "bob&new_format=true"]:
        (found,) = requests.get(f"{base}/v3/aliases/{target}", auth=auth).json()["data"]
        assert set(found) == {"registration_id", "platform", "last_online_date"}
        assert (found["registration_id"], found["platform"]) == (ids[1], "ios")
    raw = subprocess.run(
        ["curl", "-s", "-u", ":".join(auth), f"{base}/v3//aliases/中文/"], capture_output=True, text=True, check=True
    )
    assert raw.stdout == '{"registration_ids":[]}'


@pytest.mark.parametrize(
    "call, code",
    [
        (lambda devices, ids: devices.get_deviceinfo("0123456789abcdef"), 7002),
        (lambda devices, ids: devices.set_deviceinfo(ids[0], jpush.device_alias("a b")), 7002),
        (lambda devices, ids: devices.set_devicemobile(ids[0], jpush.device_mobile("none")), 7002),
        (lambda devices, ids: devices.update_tagusers("vip", jpush.device_regid(jpush.add())), 7002),
        (lambda devices, ids: devices.update_tagusers("vip", jpush.device_regid(jpush.add(ids[0], "0123"))), 7013),
        (lambda devices, ids: devices.check_taguserexist("vip", "0123456789abcdef"), 7002),
        (lambda devices, ids: devices.delete_alias("bob", "palm"), 7002),
    ],
)
def test_errors_of_devices_reach_the_caller(devices, ids, call, code):
    with pytest.raises(common.JPushFailure) as failure:
        call(devices, ids)
    assert failure.value.error_code == code
    assert failure.value.details


def test_a_tag_and_an_alias_address_a_push(client, devices, sandbox, ids):
    devices.set_deviceinfo(ids[0], {"tags": {"add": ["vip"]}, "alias": "bob"})
    push = push_to(client, sandbox, jpush.audience(jpush.tag("vip"), jpush.alias("bob")), is_production(sandbox))
    await_state(sandbox, push.send().payload["msg_id"], ids[0], "shown")


def test_a_wrong_secret_is_unauthorized_for_devices(sandbox, devices):
    stranger = jpush.JPush(sandbox["api"]["appKey"], "0" * 24, zone="posthorn")
    with pytest.raises(common.Unauthorized):
        stranger.create_device().get_taglist()


def leave(sandbox, app):
    """Unregisters a device, because other tests count those of the sandbox."""
    app.close()
    url = f"{sandbox['api']['url']}/posthorn/v1/registrations/{app.registration_id}"
    requests.delete(url, auth=(app.registration_id, app.identity["secret"]), timeout=60).raise_for_status()


@pytest.fixture
def guest(sandbox):
    """A device in Python: behind the gateway, and with an app on the SDK link that has handed over its tokens."""
    apns = sandbox["apns"]
    app = link.Client(sandbox["link"]["url"], sandbox["api"]["appKey"], apns["topic"])
    app.open()
    with courier.Device(apns["courier"], app.installation, apns["topic"], apns["environment"]) as device:
        token = {"token": device.token, "environment": apns["environment"]}
        for kind, members in [
            ("voip-token", {"token": device.voip_token()}), ("activity-token", {"activity": app.installation}),
            ("activity-start-token", {"attributes-type": "OrderAttributes"}),
        ]:
            assert app.ask(kind, **token | members)["code"] == 0
        yield app, device
    leave(sandbox, app)


def test_a_device_with_a_link_is_online(devices, guest):
    app, _ = guest
    online = {app.registration_id: {"online": True}}
    assert devices.get_device_status([app.registration_id, "0123456789abcdef"]).payload == online
    assert devices.get_device_status(app.registration_id).payload == online


class LiveActivityPush(Push):
    """The library has no attribute for it, so the body is as the API takes it."""

    live_activity = None

    @property
    def payload(self):
        return {
            "audience": self.audience, "platform": self.platform, "options": self.options,
            "live_activity": {"ios": self.live_activity},
        }


def test_a_voip_push_arrives_as_it_was_sent(client, sandbox, guest):
    app, device = guest
    push = push_to(client, sandbox, jpush.registration_id(app.registration_id), is_production(sandbox))
    push.notification = {"voip": {"caller": "Ana", "id": 7, "video": None}}
    msg_id = push.send().payload["msg_id"]
    frame = device.push()
    assert (frame["push-type"], frame["topic"]) == ("voip", sandbox["apns"]["topic"] + ".voip")
    assert frame["payload"] == {"caller": "Ana", "id": 7, "video": None}
    found = await_state(sandbox, msg_id, app.registration_id, "delivered")
    assert (found["push_type"], found["apns_id"]) == ("voip", frame["apns-id"])
    counts = await_sent(client, msg_id, "voip", 1)
    assert (counts["target"], counts["sent"], counts["received"]) == (1, 1, 1)


def test_a_live_activity_is_started_updated_and_ended(client, sandbox, guest):
    app, device = guest
    push = LiveActivityPush(client)
    push.platform, push.options = jpush.platform("ios"), {"apns_production": is_production(sandbox)}
    state = {"content-state": {"eta": 12}}
    start = {
        "event": "start", "attributes-type": "OrderAttributes", "attributes": {"number": 7}, "alert": {"title": "Order 7"},
    }
    for audience, event in [
        (jpush.registration_id(app.registration_id), start),
        ({"live_activity_id": app.installation}, {"event": "update"}),
        ({"live_activity_id": app.installation}, {"event": "end", "dismissal-date": 0}),
    ]:
        push.audience, push.live_activity = audience, state | event
        msg_id = push.send().payload["msg_id"]
        frame = device.push()
        assert frame["push-type"] == "liveactivity"
        assert frame["topic"] == sandbox["apns"]["topic"] + ".push-type.liveactivity"
        aps = frame["payload"]["aps"]
        assert abs(aps.pop("timestamp") - datetime.now().timestamp()) < 60
        # The service asks for the token of updates.
        assert aps == state | event | ({"input-push-token": 1} if event is start else {})
        await_state(sandbox, msg_id, app.registration_id, "delivered")


def test_an_activity_that_nobody_shows_is_1011(client, sandbox):
    push = LiveActivityPush(client)
    push.platform, push.audience = jpush.platform("ios"), {"live_activity_id": "nobody"}
    push.live_activity = {"event": "update", "content-state": {}}
    with pytest.raises(common.JPushFailure) as failure:
        push.send()
    assert failure.value.error_code == 1011
