"""Pushes that tests of pages send through the API, as a server of the app would."""

import requests


def devices(sandbox):
    api = sandbox["api"]
    answer = requests.get(f"{api['url']}/posthorn/v1/devices", auth=(api["appKey"], api["masterSecret"]), timeout=30)
    return answer.json()["devices"]


def environment(sandbox):
    """Whether the sandbox's devices are in the production environment."""
    return devices(sandbox)[0]["environment"] == "production"


def send(sandbox, text, production=None, audience="all", **options):
    """Sends a push, to the devices' environment unless another is named; returns its id."""
    api = sandbox["api"]
    production = environment(sandbox) if production is None else production
    body = {
        "platform": "all", "audience": audience, "notification": {"alert": text},
        "options": {"apns_production": production} | options,
    }
    answer = requests.post(f"{api['url']}/v3/push", json=body, auth=(api["appKey"], api["masterSecret"]), timeout=30)
    assert answer.status_code == 200, answer.text
    return answer.json()["msg_id"]
