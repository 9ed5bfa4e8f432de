"""The same backend against an APNs in a container: Testcontainers starts the image of a release."""

import os

import pytest
from test_backend import notify
from testcontainers_posthorn import PosthornContainer


@pytest.fixture(scope="module")
def posthorn():
    with PosthornContainer(os.environ.get("POSTHORN_IMAGE", "posthorn:0.1.0")) as container:
        yield container


@pytest.fixture
def apns(posthorn):
    with posthorn.apns() as apns:
        yield apns


def test_a_dead_token_is_forgotten(apns):
    alive, dead = apns.token(), apns.token()
    apns.unregister(dead)
    answers, tokens = notify(apns, "Lunch is ready", [alive, dead])
    assert answers == {alive: "200", dead: "410 Unregistered"}
    assert tokens == {alive}


def test_an_unavailable_service_is_tried_again(apns):
    token = apns.token()
    apns.fail_next(503, count=2)
    answers, _ = notify(apns, "Lunch is ready", [token])
    assert answers == {token: "200"}
    assert [push.status for push in apns.wait(3)] == [503, 503, 200]


def test_an_old_provider_token_is_refused(apns):
    token = apns.token()
    apns.turn_clock(61 * 60)
    answers, _ = notify(apns, "Lunch is ready", [token])
    assert answers == {token: "403 ExpiredProviderToken"}


def test_the_next_test_has_another_container(apns):
    token = apns.token()
    answers, _ = notify(apns, "Lunch is ready", [token])
    assert answers == {token: "200"}
