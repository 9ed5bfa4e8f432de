"""Pushes that tests of pages send through the API, as a server of the app would."""

import requests
from journeys import await_state


def devices(sandbox):
    """The sandbox's own two devices. Other tests of the session may have added some."""
    api = sandbox["api"]
    answer = requests.get(f"{api['url']}/posthorn/v1/devices", auth=(api["appKey"], api["masterSecret"]), timeout=30)
    own = {each["registrationID"] for each in sandbox["devices"]}
    return [each for each in answer.json()["devices"] if each["registration_id"] in own]


def environment(sandbox):
    """Whether the sandbox's devices are in the production environment."""
    return devices(sandbox)[0]["environment"] == "production"


def await_suppressed(sandbox, message):
    """Waits until a push has ended for both of the sandbox's devices, which are in the other environment."""
    for device in sandbox["devices"]:
        await_state(sandbox, message, device["registrationID"], "suppressed")


def send(sandbox, text, production=None, audience=None, **options):
    """Sends a push, to the sandbox's own devices and to their environment unless others are named; returns its id."""
    api = sandbox["api"]
    production = environment(sandbox) if production is None else production
    audience = audience or {"registration_id": [each["registrationID"] for each in sandbox["devices"]]}
    body = {
        "platform": "all", "audience": audience, "notification": {"alert": text},
        "options": {"apns_production": production} | options,
    }
    answer = requests.post(f"{api['url']}/v3/push", json=body, auth=(api["appKey"], api["masterSecret"]), timeout=30)
    assert answer.status_code == 200, answer.text
    return answer.json()["msg_id"]
