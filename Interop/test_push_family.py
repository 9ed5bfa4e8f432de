"""Batches, withdrawal, quotas, files and groups: with the official Python library where it has a call, and in plain HTTP."""

import time
import uuid

import jpush
import pytest
import requests
from jpush import common
from journeys import await_state, await_taken_back, journey


@pytest.fixture
def base(sandbox):
    common.ZONES["POSTHORN"] = {**common.ZONES["DEFAULT"], "PUSH": f"{sandbox['api']['url']}/v3/"}
    return sandbox["api"]["url"]


@pytest.fixture
def auth(sandbox):
    return sandbox["api"]["appKey"], sandbox["api"]["masterSecret"]


@pytest.fixture
def group_auth(sandbox):
    return f"group-{sandbox['api']['groupKey']}", sandbox["api"]["groupSecret"]


@pytest.fixture
def ids(sandbox):
    return [device["registrationID"] for device in sandbox["devices"]]


def content(sandbox, **options):
    options["apns_production"] = sandbox["apns"]["environment"] == "production"
    return {"platform": "all", "notification": {"ios": {"alert": "Hello"}}, "options": options}


def test_a_batch_by_registration_id(base, auth, sandbox, ids):
    push = jpush.JPush(*auth, zone="posthorn").create_push()
    answer = push.batch_push_by_regid([{**content(sandbox), "target": target} for target in [*ids, "0f", "a b"]])
    results = list(answer.payload.values())
    assert all(cid.startswith(auth[0]) for cid in answer.payload)
    for result, registration_id in zip(results, ids):
        assert set(result) == {"msg_id"}
        await_state(sandbox, result["msg_id"], registration_id, "shown")
    assert results[2]["error"]["code"] == 1011 and results[2]["msg_id"].isdigit()
    assert results[3]["error"]["code"] == 1003 and results[3]["error"]["illegal_rids"] == ["a b"]


def test_a_batch_by_alias(base, auth, sandbox, ids):
    requests.post(f"{base}/v3/devices/{ids[0]}", json={"alias": "家"}, auth=auth).raise_for_status()
    try:
        push = jpush.JPush(*auth, zone="posthorn").create_push()
        answer = push.batch_push_by_alias([{**content(sandbox), "target": "家"}])
        (result,) = answer.payload.values()
        await_state(sandbox, result["msg_id"], ids[0], "shown")
    finally:
        requests.post(f"{base}/v3/devices/{ids[0]}", json={"alias": ""}, auth=auth).raise_for_status()


def test_a_batch_that_is_sent_again_has_its_first_answers(base, auth, sandbox, ids):
    batch = {"pushlist": {f"{auth[0]}-{uuid.uuid4()}": {**content(sandbox), "target": ids[0]}}}
    url = f"{base}/v3/push/batch/regid/single"
    first = requests.post(url, json=batch, auth=auth)
    assert first.status_code == 200
    assert requests.post(url, json=batch, auth=auth).json() == first.json()


@pytest.mark.parametrize("body, code", [("", 1002), ("{}", 1002), ('{"pushlist": {}}', 1003), ('{"pushlist": 1}', 1003)])
def test_what_is_no_batch(base, auth, body, code):
    answer = requests.post(f"{base}/v3/push/batch/alias/single", data=body, auth=auth)
    assert (answer.status_code, answer.json()["error"]["code"]) == (400, code)


def test_a_push_is_withdrawn(base, auth, sandbox, ids):
    # Other files have devices in this sandbox.
    paced = {**content(sandbox, big_push_duration=1400), "audience": {"registration_id": ids}}
    msg_id = requests.post(f"{base}/v3/push", json=paced, auth=auth).json()["msg_id"]
    # Of two devices one is sent to at once, the other half-way.
    for _ in range(2):
        answer = requests.delete(f"{base}/v3/push/{msg_id}", auth=auth)
        assert (answer.status_code, answer.json()) == (200, {})
    states = {journey(sandbox, msg_id, registration_id)["verdict"]["state"] for registration_id in ids}
    assert "withdrawn" in states
    answer = requests.delete(f"{base}/v3/push/17", auth=auth)
    assert (answer.status_code, answer.json()["error"]["code"]) == (400, 1003)


def test_a_push_that_was_shown_is_taken_back(base, auth, sandbox, ids):
    push = {**content(sandbox), "audience": {"registration_id": ids[:1]}}
    msg_id = requests.post(f"{base}/v3/push", json=push, auth=auth).json()["msg_id"]
    await_state(sandbox, msg_id, ids[0], "shown")
    assert requests.delete(f"{base}/v3/push/{msg_id}", auth=auth).status_code == 200
    told = await_taken_back(sandbox, msg_id)
    assert (told["absent"], told["opened"], told["waiting"], told["impossible"]) == (0, 0, 0, 0)


def test_a_push_replaces_a_wrong_one(base, auth, sandbox, ids):
    audience = {"registration_id": ids[:1]}
    wrong = {**content(sandbox, apns_collapse_id="sale"), "audience": audience}
    wrong_id = requests.post(f"{base}/v3/push", json=wrong, auth=auth).json()["msg_id"]
    await_state(sandbox, wrong_id, ids[0], "shown")
    right = {**content(sandbox, x_undo=int(wrong_id)), "audience": audience}
    checked = requests.post(f"{base}/v3/push/validate", json=right, auth=auth)
    assert checked.status_code == 200, checked.text
    right_id = requests.post(f"{base}/v3/push", json=right, auth=auth).json()["msg_id"]
    await_state(sandbox, right_id, ids[0], "shown")
    api = sandbox["api"]
    url = f"{api['url']}/posthorn/v1/messages"
    stored = requests.get(f"{url}/{right_id}", auth=auth, timeout=60).json()["push"]["options"]
    assert (stored["apns_collapse_id"], stored["x_undo"]) == ("sale", int(wrong_id))
    deadline = time.monotonic() + 60
    while True:
        told = requests.get(f"{url}/{wrong_id}", auth=auth, timeout=60).json()["taken_back"]
        # The one that comes first decides whether it was replaced or removed.
        if told["removed"] + told["absent"] == 1:
            break
        assert time.monotonic() < deadline, told
        time.sleep(0.05)
    for undone in (17, int(right_id) + 1000):
        answer = requests.post(f"{base}/v3/push", json={**content(sandbox, x_undo=undone), "audience": audience}, auth=auth)
        assert (answer.status_code, answer.json()["error"]["code"]) == (400, 1003)


def test_pushes_of_a_template_belong_to_a_plan(base, auth, sandbox, ids):
    plan = requests.post(f"{base}/v3/push_plan/create", json={"name": "spring", "description": "Sale"}, auth=auth)
    assert plan.json() == {"code": 0, "message": "success"}
    production = sandbox["apns"]["environment"] == "production"
    options = {"business_operation_code": "spring", "apns_production": production}
    push = {"platform": "all", "notification": {"alert": "Hello {{name}}"}, "options": options}
    own = f"{base}/posthorn/v1"
    template = requests.post(f"{own}/templates", json={"name": "hello", "push": push}, auth=auth).json()
    assert template["variables"] == ["name"]
    params = [
        {"audience": {"registration_id": [id]}, "keys": {"name": name}, "trace_id": id} for id, name in zip(ids, ["Ann", "Bo"])
    ]
    answer = requests.post(f"{base}/v3/push/template", json={"id": template["id"], "params": params}, auth=auth).json()
    results = answer["data"]["push_list"]
    assert [(result["code"], result["trace_id"]) for result in results] == [(0, id) for id in ids[:2]], answer
    for result, id in zip(results, ids):
        await_state(sandbox, result["message_id"], id, "shown")
    report = requests.get(f"{own}/plans/spring", auth=auth).json()
    assert report["plan"]["push_count"] == 2
    assert [message["msg_id"] for message in report["messages"]] == report["msg_ids"]
    assert set(report["msg_ids"]) == {result["message_id"] for result in results}
    listed = requests.get(f"{base}/v3/push_plan/list?info=Sale", auth=auth).json()["data"]
    assert listed["total"] == 1 and listed["detail"][0]["name"] == "spring"


def test_quotas_of_others_are_null(base, auth):
    answer = requests.get(f"{base}/v3/push/quota", auth=auth).json()
    assert answer == {
        "code": 0, "message": "success", "data": {"xiaomi_quota": None, "oppo_quota": None, "vivo_quota": None},
    }


def upload(base, auth, kind, lines, **fields):
    text = "\r\n".join(lines).encode()
    return requests.post(
        f"{base}/v3/files/{kind}", files={"filename": ("别名.txt", text, "text/plain")}, data=fields, auth=auth
    )


def test_a_file_is_uploaded_pushed_to_and_deleted(base, auth, sandbox, ids):
    made = upload(base, auth, "registration_id", [ids[1], "", " 0f "], ttl="2")
    assert made.status_code == 200, made.text
    file = made.json()["file_id"]
    found = requests.get(f"{base}/v3/files/{file}", auth=auth).json()
    assert set(found) == {"file_id", "type", "file_name", "create_time", "expire_time"}
    assert (found["type"], found["file_name"]) == ("registration_id", "别名.txt")
    listed = requests.get(f"{base}/v3/files", auth=auth).json()
    assert listed == {"total_count": 1, "files": [found]}
    push = {**content(sandbox), "audience": {"file": {"file_id": file}}}
    sent = requests.post(f"{base}/v3/push/file", json=push, auth=auth)
    assert sent.status_code == 200, sent.text
    await_state(sandbox, sent.json()["msg_id"], ids[1], "shown")
    assert "not in the push's audience" in journey(sandbox, sent.json()["msg_id"], ids[0])["verdict"]["sentence"]
    refused = requests.post(f"{base}/v3/push", json=push, auth=auth)
    assert refused.json()["error"]["code"] == 1003
    deleted = requests.delete(f"{base}/v3/files/{file}", auth=auth)
    assert (deleted.status_code, deleted.json()) == (200, {})
    gone = requests.post(f"{base}/v3/push/file", json=push, auth=auth)
    assert (gone.status_code, gone.json()["error"]["code"]) == (404, 1003)


@pytest.mark.parametrize(
    "kind, lines, fields", [("tag", ["a"], {}), ("alias", ["a b"], {}), ("alias", [], {}), ("alias", ["a"], {"ttl": "721"})]
)
def test_a_file_that_cannot_be_kept_is_1003(base, auth, kind, lines, fields):
    answer = upload(base, auth, kind, lines, **fields)
    assert (answer.status_code, answer.json()["error"]["code"]) == (400, 1003)


def test_images_are_for_android(base, auth):
    for method, path in [("POST", "byurls"), ("PUT", "byurls/1"), ("POST", "byfiles"), ("PUT", "byfiles/1")]:
        answer = requests.request(method, f"{base}/v3/images/{path}", json={"image_type": 1}, auth=auth)
        assert (answer.status_code, answer.json()["error"]["code"]) == (403, 2007)


def test_a_group_pushes_to_its_apps(base, sandbox, ids):
    client = jpush.GroupPush(sandbox["api"]["groupKey"], sandbox["api"]["groupSecret"])
    client.zone = "posthorn"
    push = client.create_push()
    push.audience = jpush.registration_id(ids[0])
    push.platform = jpush.all_
    push.notification = content(sandbox)["notification"]
    push.options = content(sandbox, sendno=7)["options"]
    answer = push.send().payload
    assert set(answer) == {"group_msgid", sandbox["api"]["appKey"]}
    assert len(answer["group_msgid"]) == 20
    assert answer[sandbox["api"]["appKey"]]["sendno"] == "7"
    await_state(sandbox, answer[sandbox["api"]["appKey"]]["msg_id"], ids[0], "shown")


def test_a_group_pushes_to_a_file_of_its_own(base, group_auth, sandbox, ids):
    file = upload(base, group_auth, "registration_id", [ids[0]]).json()["file_id"]
    push = {**content(sandbox), "audience": {"file": {"file_id": file}}}
    answer = requests.post(f"{base}/v3/grouppush/file", json=push, auth=group_auth).json()
    await_state(sandbox, answer[sandbox["api"]["appKey"]]["msg_id"], ids[0], "shown")
    assert requests.delete(f"{base}/v3/files/{file}", auth=group_auth).status_code == 200


def test_errors_of_group_pushes(base, auth, group_auth, sandbox):
    client = jpush.GroupPush(sandbox["api"]["groupKey"], "0" * 24)
    client.zone = "posthorn"
    push = client.create_push()
    push.audience, push.platform, push.notification = jpush.all_, jpush.all_, jpush.notification(alert="x")
    with pytest.raises(common.Unauthorized):
        push.send()
    body = {**content(sandbox, override_msg_id=1), "audience": "all"}
    answer = requests.post(f"{base}/v3/grouppush", json=body, auth=group_auth)
    assert (answer.status_code, answer.json()["error"]["code"]) == (400, 1003)
    assert requests.post(f"{base}/v3/grouppush", json=body, auth=auth).json()["error"]["code"] == 1004
    nobody = {**content(sandbox), "audience": {"tag": ["nobody"]}}
    answer = requests.post(f"{base}/v3/grouppush", json=nobody, auth=group_auth)
    assert answer.status_code == 200
    assert answer.json()[sandbox["api"]["appKey"]]["error"]["code"] == 1011
