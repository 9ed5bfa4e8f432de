"""Asks the service what became of a push, until it has become something."""

import time

import requests


def journey(sandbox, msg_id, registration_id):
    api = sandbox["api"]
    answer = requests.get(
        f"{api['url']}/posthorn/v1/journeys/{msg_id}/{registration_id}",
        auth=(api["appKey"], api["masterSecret"]),
        timeout=60,
    )
    answer.raise_for_status()
    return answer.json()


def await_state(sandbox, msg_id, registration_id, *states):
    deadline = time.monotonic() + 60
    while True:
        found = journey(sandbox, msg_id, registration_id)
        if found["verdict"]["state"] in states:
            return found
        assert time.monotonic() < deadline, f"waited for {' or '.join(states)}, found {found['verdict']}"
        time.sleep(0.05)


def await_sent(sandbox, msg_id, devices=1):
    """Waits until the service has noted that a push is sent to so many devices, which may be later than what they report of it."""
    api = sandbox["api"]
    deadline = time.monotonic() + 60
    while True:
        answer = requests.get(f"{api['url']}/posthorn/v1/messages/{msg_id}", auth=(api["appKey"], api["masterSecret"]), timeout=60)
        answer.raise_for_status()
        found = answer.json()["progress"]
        if found["sent"] == devices:
            return found
        assert time.monotonic() < deadline, f"waited for {devices} sent, found {found}"
        time.sleep(0.05)


def await_taken_back(sandbox, msg_id, count="removed", devices=1):
    """Waits until the removal of a push's notification has a count, and returns all of them."""
    api = sandbox["api"]
    deadline = time.monotonic() + 60
    while True:
        answer = requests.get(f"{api['url']}/posthorn/v1/messages/{msg_id}", auth=(api["appKey"], api["masterSecret"]), timeout=60)
        found = answer.json()["taken_back"]
        if found and found[count] == devices:
            return found
        assert time.monotonic() < deadline, f"waited for {count} {devices}, found {found}"
        time.sleep(0.05)
