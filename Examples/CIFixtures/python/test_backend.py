"""A backend that pushes with aioapns, against an APNs that each test controls."""

import asyncio
import json
import urllib.request
from base64 import b64encode
from datetime import datetime, timedelta, timezone

from backend import Backend


def make_backend(apns, tokens, key=None, port=None):
    key = key or apns
    backend = Backend(
        port=port or apns.port, key=key.key, key_id=key.key_id, team_id=key.team_id, topic=apns.topic, ca=apns.ca
    )
    backend.tokens |= set(tokens)
    return backend


def notify(apns, text, tokens, key=None, port=None, **options):
    async def run():
        backend = make_backend(apns, tokens, key, port)
        return await backend.notify(text, **options), backend.tokens

    return asyncio.run(run())


def test_a_push_arrives(posthorn_apns):
    token = posthorn_apns.token()
    answers, _ = notify(posthorn_apns, "Lunch is ready", [token])
    assert answers == {token: "200"}
    (push,) = posthorn_apns.wait(token=token)
    assert push.payload == {"aps": {"alert": "Lunch is ready"}}
    assert push.headers["apns-topic"] == posthorn_apns.topic


def test_a_dead_token_is_forgotten(posthorn_apns):
    alive, dead = posthorn_apns.token(), posthorn_apns.token()
    posthorn_apns.unregister(dead)
    answers, tokens = notify(posthorn_apns, "Lunch is ready", [alive, dead])
    assert answers == {alive: "200", dead: "410 Unregistered"}
    assert tokens == {alive}


def test_an_unavailable_service_is_tried_again(posthorn_apns):
    token = posthorn_apns.token()
    posthorn_apns.fail_next(503, count=2)
    answers, _ = notify(posthorn_apns, "Lunch is ready", [token])
    assert answers == {token: "200"}
    assert [push.status for push in posthorn_apns.wait(3)] == [503, 503, 200]


def test_a_late_answer_is_not_waited_for(posthorn_apns):
    token = posthorn_apns.token()
    posthorn_apns.delay(30, count=1)
    answers, _ = notify(posthorn_apns, "Lunch is ready", [token], limit=0.2)
    assert answers == {token: "no answer"}


def test_an_old_provider_token_is_refused(posthorn_apns):
    token = posthorn_apns.token()
    posthorn_apns.turn_clock(61 * 60)
    answers, _ = notify(posthorn_apns, "Lunch is ready", [token])
    assert answers == {token: "403 ExpiredProviderToken"}


def test_a_push_expires(posthorn_apns):
    notify(posthorn_apns, "Lunch is ready", [posthorn_apns.token()], seconds_to_live=3600)
    (push,) = posthorn_apns.wait()
    assert posthorn_apns.state(push) == "waiting"
    posthorn_apns.turn_clock(3601)
    posthorn_apns.wait_state(push, "expired")


def test_a_key_is_rotated_without_a_lost_push(posthorn_apns):
    tokens = {posthorn_apns.token() for _ in range(3)}
    old, new = posthorn_apns.make_key(), posthorn_apns.make_key()
    late = posthorn_apns.delay(0.5, count=1)

    async def run():
        backend = make_backend(posthorn_apns, tokens, old)
        under_way = asyncio.create_task(backend.notify("Breakfast is ready"))
        while not posthorn_apns.times(late):
            await asyncio.sleep(0.01)
        backend.use(new.key, new.key_id, new.team_id)
        answers = [await backend.notify("Lunch is ready"), await under_way]
        # Not before the last answer to a push that it has signed.
        posthorn_apns.revoke_key(old)
        return [*answers, await backend.notify("Dinner is ready")]

    assert asyncio.run(asyncio.wait_for(run(), 20)) == [dict.fromkeys(tokens, "200")] * 3
    assert len(posthorn_apns.pushes(status=200)) == 9


def test_a_key_that_is_revoked_too_early_is_noticed(posthorn_apns):
    token, key = posthorn_apns.token(), posthorn_apns.make_key()
    posthorn_apns.revoke_key(key)
    answers, _ = notify(posthorn_apns, "Lunch is ready", [token], key)
    assert answers == {token: "403 Forbidden"}


def test_each_environment_has_its_key_and_its_tokens(posthorn_apns):
    keys = posthorn_apns.keys
    ports = {"production": posthorn_apns.port, "development": posthorn_apns.development_port}
    for environment, key in {"production": keys.production, "development": keys.development}.items():
        token = posthorn_apns.token(environment)
        answers, _ = notify(posthorn_apns, "Lunch is ready", [token], key, ports[environment])
        assert answers == {token: "200"}
        assert posthorn_apns.wait(token=token)[0].environment == environment


def test_environments_that_are_mixed_up_are_noticed(posthorn_apns):
    keys = posthorn_apns.keys
    token, of_development = posthorn_apns.token(), posthorn_apns.token("development")
    answers, _ = notify(posthorn_apns, "Lunch is ready", [token], keys.development)
    assert answers == {token: "403 BadEnvironmentKeyInToken"}
    answers, _ = notify(posthorn_apns, "Lunch is ready", [of_development], keys.production)
    assert answers == {of_development: "400 BadDeviceToken"}


def test_a_key_for_one_app_is_for_no_other(posthorn_apns):
    token = posthorn_apns.token()
    answers, _ = notify(posthorn_apns, "Lunch is ready", [token], posthorn_apns.keys.topic)
    assert answers == {token: "200"}
    answers, _ = notify(posthorn_apns, "Lunch is ready", [token], posthorn_apns.keys.second_team)
    assert answers == {token: "400 TopicDisallowed"}


def test_servers_that_do_not_share_their_provider_token_are_noticed(posthorn_apns):
    posthorn_apns.fault("providerTokens", limit=1)
    token = posthorn_apns.token()
    answers = [notify(posthorn_apns, "Lunch is ready", [token])[0][token] for _ in range(2)]
    assert answers == ["200", "429 TooManyProviderTokenUpdates"]


def rest(sandbox, path, body):
    """A request to the JPush REST API."""
    login = b64encode(f"{sandbox.app_key}:{sandbox.master_secret}".encode()).decode()
    headers = {"Authorization": f"Basic {login}", "Content-Type": "application/json"}
    request = urllib.request.Request(f"{sandbox.url}{path}", json.dumps(body).encode(), headers)
    with urllib.request.urlopen(request, timeout=10) as answer:
        return json.load(answer)


PUSH = {"platform": "ios", "audience": "all", "notification": {"alert": "Lunch is ready"}, "options": {"apns_production": True}}


def test_the_phone_shows_it(posthorn_sandbox):
    answer = rest(posthorn_sandbox, "/v3/push", PUSH)
    journey = posthorn_sandbox.wait_state(answer["msg_id"], "shown")
    assert [event["event"] for event in journey["events"]][:2] == ["accepted", "targeted"]


def test_tomorrows_push_comes_tomorrow(posthorn_sandbox):
    # JPush's times are China's.
    now = datetime.fromtimestamp(posthorn_sandbox.apns.now(), timezone(timedelta(hours=8)))
    single = {"time": (now + timedelta(hours=20)).strftime("%Y-%m-%d %H:%M:%S")}
    rest(posthorn_sandbox, "/v3/schedules", {"name": "Lunch", "enabled": True, "trigger": {"single": single}, "push": PUSH})
    posthorn_sandbox.turn_clock(19 * 3600)
    assert posthorn_sandbox.apns.pushes() == []
    posthorn_sandbox.turn_clock(3660)
    (push,) = posthorn_sandbox.apns.wait(text="Lunch is ready", within=20)
    posthorn_sandbox.wait_state(push, "shown", within=20)


def test_a_refusal_by_apns_is_in_the_story(posthorn_sandbox):
    posthorn_sandbox.apns.fail_next(410, token=posthorn_sandbox.device.token)
    answer = rest(posthorn_sandbox, "/v3/push", PUSH)
    journey = posthorn_sandbox.wait_state(answer["msg_id"], "refused", within=20)
    assert "Unregistered" in json.dumps(journey)
