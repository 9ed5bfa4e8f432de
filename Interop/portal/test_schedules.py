"""Schedules in a browser: when they fire next, switched off, renamed, edited as JSON, deleted."""

import json
import re
from datetime import date, timedelta

import pytest
import requests
from playwright.sync_api import expect
from visits import create_user, no_serious_findings, no_sideways_scroll

PUSH = {
    "platform": "all", "audience": {"tag": ["news", "新闻"]},
    "notification": {"ios": {"alert": {"title": "<b>Morning</b>", "body": "News"}}},
}


def next_skip():
    """The day on which Berlin's clocks next skip 02:30, of those that every month has, in a year whose February is ahead."""
    year = date.today().year
    while True:
        # The last Sunday of March.
        day = date(year, 3, 31 - date(year, 3, 31).isoweekday() % 7)
        if day.day <= 28 and date.today() < date(year, 2, 1):
            return day
        year += 1


SKIP = next_skip()
MONTHLY = {
    "zone": "Europe/Berlin",
    "periodical": {
        "start": f"{SKIP.year}-02-01 00:00:00", "end": f"{SKIP.year}-05-31 00:00:00", "time": "02:30:00", "time_unit": "month",
        "frequency": 1, "point": [f"{SKIP.day}"],
    },
}
# For a single schedule, within a year.
LATER = date.today() + timedelta(days=180)


@pytest.fixture(scope="module")
def viewer(browser, sandbox, fresh_sign_in):
    return create_user(browser, sandbox["portal"], fresh_sign_in(), "schedules-viewer", "viewer", "reads-only-schedules")


@pytest.fixture(scope="module")
def sender(browser, sandbox, fresh_sign_in):
    return create_user(browser, sandbox["portal"], fresh_sign_in(), "schedules-sender", "sender", "sends-on-schedule")


@pytest.fixture
def api(sandbox):
    """A function that calls the API as the app."""
    facts = sandbox["api"]

    def call(method, path, body=None):
        return requests.request(
            method, facts["url"] + path, json=body, auth=(facts["appKey"], facts["masterSecret"]), timeout=30
        )

    return call


@pytest.fixture
def schedule(api):
    """A schedule in Berlin; gone afterwards."""
    body = {"name": "<i>Night</i>", "enabled": True, "trigger": MONTHLY, "push": PUSH}
    made = api("POST", "/v3/schedules", body)
    assert made.ok, made.text
    identifier = made.json()["schedule_id"]
    yield identifier
    api("DELETE", f"/v3/schedules/{identifier}")


@pytest.fixture
def address(sandbox):
    return f"{sandbox['portal']['url']}/apps/{sandbox['api']['appKey']}/schedules"


@pytest.fixture
def shown(visit, sender, address, schedule):
    page = visit(storage_state=sender)
    page.goto(f"{address}/{schedule}")
    page.wait_for_selector('html[data-ready~="schedule"]')
    return page


def test_the_list_tells_what_fires_next_and_where(visit, viewer, address, schedule):
    page = visit(storage_state=viewer)
    page.goto(address)
    row = page.locator("tbody tr", has=page.locator(f'a[href$="{schedule}"]'))
    expect(row.locator("th")).to_have_text("<i>Night</i>")
    expect(row).to_contain_text(f"{SKIP.year}-02-{SKIP.day} 02:30:00")
    expect(row).to_contain_text("Europe/Berlin")
    expect(row).to_contain_text(f"Every month on day {SKIP.day} at 02:30:00")
    expect(row).to_contain_text("<b>Morning</b>")
    expect(row).to_contain_text("tag: news 新闻")
    row.get_by_role("link").click()
    expect(page.locator("h1")).to_have_text("<i>Night</i>")


def test_firings_across_a_clock_change(shown):
    dates = shown.locator("#schedule tbody td div")
    expect(dates).to_have_text(
        [f"{SKIP.year}-02-{SKIP.day} 02:30:00 UTC+01:00", f"{SKIP.year}-03-{SKIP.day} 03:00:00 UTC+02:00",
         f"{SKIP.year}-04-{SKIP.day} 02:30:00 UTC+02:00", f"{SKIP.year}-05-{SKIP.day} 02:30:00 UTC+02:00"]
    )


def test_it_is_switched_off_and_on_and_renamed(shown, api, schedule):
    shown.get_by_role("button", name="Switch off").click()
    expect(shown.locator("#result")).to_have_text("The schedule is off.")
    expect(shown.locator("#schedule .warning")).to_contain_text("The schedule is off")
    assert api("GET", f"/v3/schedules/{schedule}").json()["enabled"] is False
    shown.get_by_role("button", name="Switch on").click()
    expect(shown.locator("#result")).to_have_text("The schedule is on.")
    assert api("GET", f"/v3/schedules/{schedule}").json()["enabled"] is True
    shown.fill("#name", "Spring")
    shown.get_by_role("button", name="Rename").click()
    expect(shown.locator("h1")).to_have_text("Spring")
    assert api("GET", f"/v3/schedules/{schedule}").json()["name"] == "Spring"
    no_serious_findings(shown)


def test_it_is_edited_as_json(shown, api, schedule):
    shown.get_by_text("Edit as JSON").click()
    source = shown.locator("#source")
    body = json.loads(source.input_value())
    assert body == {"name": "<i>Night</i>", "enabled": True, "trigger": MONTHLY, "push": body["push"]}
    source.fill('{"name": "Night",\n  "enabled": }')
    shown.click("#edit button")
    expect(shown.locator("#source-problem")).to_have_text("This is not JSON: there is a mistake in line 2, column 14.")
    source.fill(json.dumps(body | {"trigger": {"single": {"time": f"{LATER} 00:00:00"}}}))
    shown.click("#edit button")
    expect(shown.locator("#source-problem")).to_contain_text("a single schedule cannot become a periodical one")
    body["trigger"]["periodical"]["time"] = "08:15:00"
    source.fill(json.dumps(body))
    shown.click("#edit button")
    expect(shown.locator("#result")).to_have_text("Saved.")
    expect(shown.locator("#schedule tbody td div").first).to_have_text(f"{SKIP.year}-02-{SKIP.day} 08:15:00 UTC+01:00")
    assert api("GET", f"/v3/schedules/{schedule}").json()["trigger"]["periodical"]["time"] == "08:15:00"


def test_it_is_deleted_after_a_confirmation(shown, api, schedule, address):
    shown.get_by_role("button", name="Delete").click()
    shown.get_by_role("dialog").get_by_role("button", name="Delete").click()
    shown.wait_for_url(re.compile("/schedules$"))
    assert api("GET", f"/v3/schedules/{schedule}").status_code == 404
    assert shown.goto(f"{address}/{schedule}").status == 404
    assert shown.goto(f"{address}/no-uuid").status == 404


def test_a_schedule_at_each_devices_time(visit, viewer, address, api):
    trigger = {"zone": "device", "single": {"time": f"{LATER} 09:00:00"}}
    made = api("POST", "/v3/schedules", {"name": "Local", "enabled": True, "trigger": trigger, "push": PUSH}).json()
    page = visit(storage_state=viewer)
    page.goto(f"{address}/{made['schedule_id']}")
    expect(page.locator("#schedule .note")).to_contain_text("Fires at each device's own time")
    expect(page.locator("#schedule tbody")).to_contain_text(f"{LATER} 09:00:00")
    api("DELETE", f"/v3/schedules/{made['schedule_id']}")


def test_a_viewer_sees_and_changes_nothing(visit, viewer, address, schedule):
    page = visit(storage_state=viewer)
    page.goto(f"{address}/{schedule}")
    expect(page.locator("pre")).to_contain_text('"02:30:00"')
    for hidden in ("#rename", "#enable", "#delete", "#edit"):
        expect(page.locator(hidden)).to_have_count(0)


@pytest.mark.parametrize(
    "role, options",
    [
        # The pages of viewers have fewer controls than the others.
        ("viewer", {"locale": "zh-CN", "color_scheme": "dark", "viewport": {"width": 390, "height": 844}}),
        ("sender", {"locale": "zh-CN", "color_scheme": "dark", "viewport": {"width": 390, "height": 844}}),
        ("sender", {"locale": "en-GB", "viewport": {"width": 1280, "height": 900}}),
    ],
)
def test_pages_fit_and_can_be_used_by_everyone(visit, request, address, schedule, role, options):
    page = visit(storage_state=request.getfixturevalue(role), **options)
    for path in ("", f"/{schedule}"):
        page.goto(address + path)
        expect(page.locator("h1")).to_be_visible()
        no_serious_findings(page)
        no_sideways_scroll(page)
