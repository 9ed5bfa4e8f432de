"""Pages about pushes: the list, one push while it runs, and why for a device."""

import re

import pytest
import requests
from playwright.sync_api import expect
from pushes import await_suppressed, devices, environment, send
from registration import Device
from visits import ONCE_MORE, no_serious_findings, no_sideways_scroll

FIGURES = re.compile(
    r"The push is withdrawn: (\d+) of (\d+) devices will not get it; it was sent to (\d+) before\."
    r"(?: (\d+) had ended before, for another reason\.)?(?: \d+ are asked to remove it\.)?"
)
MARKUP = "<img src=x onerror=alert(1)> & <b>bold</b>"


@pytest.fixture
def messages(sandbox):
    return f"{sandbox['portal']['url']}/apps/{sandbox['api']['appKey']}/messages"


def test_a_push_is_in_the_list_and_its_page_has_what_became_of_it(signed_in, sandbox, messages):
    message = send(sandbox, "Hello from the list")
    page = signed_in()
    page.goto(messages)
    page.get_by_role("link", name="Hello from the list").first.click()
    page.wait_for_url(f"**/messages/{message}")
    expect(page.locator('[data-figure="sent"]')).to_have_text("2")
    # The devices' reports arrive over the stream.
    expect(page.locator("#counts tbody tr").first.locator("td").nth(2)).to_have_text("2")
    no_serious_findings(page)


def test_markup_is_shown_as_text(signed_in, sandbox, messages):
    message = send(sandbox, MARKUP)
    page = signed_in()
    page.goto(messages)
    expect(page.get_by_role("link", name=MARKUP).first).to_be_visible()
    page.goto(f"{messages}/{message}")
    expect(page.locator("h1")).to_have_text(MARKUP)
    assert page.locator("main img, main b").count() == 0


def test_times_have_the_offset_of_the_service(signed_in, sandbox, messages):
    message = send(sandbox, "At a time")
    page = signed_in()
    page.goto(f"{messages}/{message}")
    expect(page.locator("dl.facts").first).to_contain_text(re.compile(r"\d{4}-\d\d-\d\d \d\d:\d\d:\d\d [+-]\d\d:\d\d"))
    expect(page.locator("main")).not_to_contain_text("GMT+")


def test_a_paced_push_goes_on_and_is_withdrawn(signed_in, sandbox, messages):
    # A device without a token is among them: it ends for another reason, and the figures still add up.
    facts = sandbox["api"]
    auth = (facts["appKey"], facts["masterSecret"])
    app = requests.get(facts["url"] + "/posthorn/v1/app", auth=auth, timeout=30).json()
    other = Device(facts["url"], facts["appKey"], app["bundle_id"])
    other.register(environment=sandbox["apns"]["environment"])
    for device in [other.identity[0]] + [each["registrationID"] for each in sandbox["devices"]]:
        tags = {"tags": {"add": ["slow_readers"]}}
        assert requests.post(f"{facts['url']}/v3/devices/{device}", json=tags, auth=auth, timeout=30).ok
    message = send(sandbox, "A slow one", audience={"tag": ["slow_readers"]}, big_push_duration=1400)
    page = signed_in()
    page.goto(f"{messages}/{message}")
    page.wait_for_selector('html[data-ready~="message"]')
    expect(page.locator('[data-figure="waiting"]')).not_to_have_text("0")
    page.get_by_role("button", name="Withdraw").click()
    page.get_by_role("dialog").get_by_role("button", name="Withdraw").click()
    result = page.locator("#withdraw-result")
    expect(result).to_have_text(FIGURES)
    left, devices, sent, others = (int(each or 0) for each in FIGURES.fullmatch(result.inner_text()).groups())
    assert left > 0 and devices == 3 and left + sent + others == devices
    # The tests of other files share the sandbox.
    assert other.call("DELETE").ok
    expect(page.locator('[data-figure="waiting"]')).to_have_text("0")
    expect(page.locator("#outcomes")).to_contain_text("Withdrawn")


def test_the_wrong_environment_shows_its_explanation(signed_in, sandbox, messages):
    message = send(sandbox, "To the other side", production=not environment(sandbox))
    page = signed_in()
    page.goto(f"{messages}/{message}")
    expect(page.locator("#outcomes")).to_contain_text("registered in another APNs environment")
    device = devices(sandbox)[0]["registration_id"]
    page.fill("#device", device)
    page.get_by_role("button", name="Show why").click()
    page.wait_for_url(f"**/messages/{message}/devices/{device}")
    expect(page.locator(".verdict")).to_contain_text("Suppressed")
    expect(page.locator(".timeline li")).to_have_count(3)
    no_serious_findings(page)


def test_a_device_is_found_by_its_alias_and_its_journey_is_told(signed_in, sandbox, messages):
    api = sandbox["api"]
    device = devices(sandbox)[0]["registration_id"]
    auth = (api["appKey"], api["masterSecret"])
    alias = {"alias": "reader_of_journeys"}
    assert requests.post(f"{api['url']}/v3/devices/{device}", json=alias, auth=auth, timeout=30).status_code == 200
    message = send(sandbox, "By its alias", audience={"registration_id": [device]})
    page = signed_in()
    page.goto(f"{messages}/{message}")
    expect(page.locator("#counts tbody tr").first.locator("td").nth(2)).to_have_text("1")
    page.fill("#device", "reader_of_journeys")
    page.keyboard.press("Enter")
    page.wait_for_url(f"**/devices/{device}")
    for actor in ("Service", "APNs", "Device"):
        expect(page.locator(".timeline .actor", has_text=re.compile(f"^{actor}$")).first).to_be_visible()
    page.goto(f"{messages}/{message}/why?device=nobody-has-this")
    expect(page.get_by_role("main")).to_contain_text("nobody-has-this")


def test_without_javascript_everything_is_there_to_read(signed_in, sandbox, messages):
    message = send(sandbox, "Without scripts", production=not environment(sandbox))
    await_suppressed(sandbox, message)
    page = signed_in(java_script_enabled=False)
    page.goto(messages)
    page.get_by_role("link", name="Without scripts").first.click()
    expect(page.locator("#outcomes h3").first).to_contain_text("environment")
    device = devices(sandbox)[0]["registration_id"]
    page.fill("#device", device)
    page.get_by_role("button", name="Show why").click()
    page.wait_for_url(f"**/messages/{message}/devices/{device}")
    expect(page.locator(".timeline li")).to_have_count(3)


@pytest.mark.parametrize(
    "locale, title, scheme", [("en-GB", "Messages", "light"), pytest.param("zh-CN", "推送记录", "dark", marks=ONCE_MORE)]
)
def test_both_languages_fit_a_phone(signed_in, sandbox, messages, locale, title, scheme):
    message = send(sandbox, "Narrow " + "x" * 200, production=not environment(sandbox))
    page = signed_in(locale=locale, viewport={"width": 390, "height": 800}, color_scheme=scheme)
    page.goto(messages)
    expect(page.locator("h1")).to_have_text(title)
    device = devices(sandbox)[0]["registration_id"]
    for path in ("", f"/{message}", f"/{message}/devices/{device}"):
        page.goto(messages + path)
        no_sideways_scroll(page)
        no_serious_findings(page)

