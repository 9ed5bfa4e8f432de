"""Devices in a browser: found, their tags and alias edited, the way to what became of a push."""

import re

import pytest
import requests
from playwright.sync_api import expect
from visits import create_user, no_serious_findings, no_sideways_scroll


@pytest.fixture(scope="module")
def viewer(browser, sandbox, fresh_sign_in):
    return create_user(browser, sandbox["portal"], fresh_sign_in(), "devices-viewer", "viewer", "reads-only-devices")


@pytest.fixture(scope="module")
def sender(browser, sandbox, fresh_sign_in):
    return create_user(browser, sandbox["portal"], fresh_sign_in(), "devices-sender", "sender", "sends-to-devices")


@pytest.fixture
def api(sandbox):
    """A function that calls the API as the app."""
    facts = sandbox["api"]

    def call(method, path, body=None):
        answer = requests.request(
            method, facts["url"] + path, json=body, auth=(facts["appKey"], facts["masterSecret"]), timeout=30
        )
        assert answer.ok, answer.text
        return answer.json()

    return call


@pytest.fixture
def device(sandbox, api):
    """A device without tags and alias, before and after."""
    registration_id = sandbox["devices"][1]["registrationID"]
    api("POST", f"/v3/devices/{registration_id}", {"tags": "", "alias": "", "mobile": ""})
    yield registration_id
    api("POST", f"/v3/devices/{registration_id}", {"tags": "", "alias": "", "mobile": ""})


@pytest.fixture
def address(sandbox):
    return f"{sandbox['portal']['url']}/apps/{sandbox['api']['appKey']}/devices"


@pytest.fixture
def shown(visit, sender, address, device):
    """The page of the device, opened by a sender."""
    page = visit(storage_state=sender)
    page.goto(f"{address}/{device}")
    page.wait_for_selector('html[data-ready~="device"]')
    return page


def test_tags_are_added_and_removed(shown, api, device):
    chips = shown.locator("#tags li")
    for tag in ("新闻", "vip_2026"):
        shown.fill("#tag", tag)
        shown.get_by_role("button", name="Add", exact=True).click()
        expect(chips.filter(has_text=tag)).to_have_count(1)
    assert sorted(api("GET", f"/v3/devices/{device}")["tags"]) == ["vip_2026", "新闻"]
    shown.get_by_role("button", name="Remove the tag vip_2026").click()
    expect(chips).to_have_count(1)
    assert api("GET", f"/v3/devices/{device}")["tags"] == ["新闻"]
    expect(shown.locator("#result")).to_have_text("Saved.")
    no_serious_findings(shown)


def test_a_tag_that_is_not_allowed_is_refused_in_the_words_of_the_service(shown):
    markup = "<b>x</b>"
    shown.fill("#tag", markup)
    shown.get_by_role("button", name="Add", exact=True).click()
    expect(shown.locator("#result")).to_contain_text(f"'tags.add' holds '{markup}'; expected 1 to 40 bytes")
    expect(shown.locator("#tags li")).to_have_count(0)


def test_alias_and_mobile_number_are_kept(shown, api, device):
    shown.fill("#alias", "ann")
    shown.fill("#mobile", "13800138000")
    shown.click("#names button")
    expect(shown.locator("#result")).to_have_text("Saved.")
    kept = api("GET", f"/v3/devices/{device}")
    assert (kept["alias"], kept["mobile"]) == ("ann", "13800138000")
    shown.reload()
    expect(shown.locator("h1")).to_have_text("ann")
    expect(shown.locator("#mobile")).to_have_value("13800138000")


def test_lines_that_are_no_attributes_are_not_saved(shown, api, device):
    shown.fill("#alias", "unsaved")
    for line in ("first_name", "=Ana"):
        shown.fill("#attributes", f"city=Rome\n{line}")
        shown.click("#names button")
        expect(shown.locator("#result")).to_have_text(f"“{line}” is not an attribute: expected name=value. Nothing was saved.")
    assert api("GET", f"/v3/devices/{device}")["alias"] != "unsaved"


@pytest.mark.parametrize("by,text", [("tag", "found_by_tag"), ("alias", "found_by_alias")])
def test_devices_are_found_by_tag_and_alias(visit, viewer, address, api, device, by, text):
    api("POST", f"/v3/devices/{device}", {"tags": {"add": ["found_by_tag"]}, "alias": "found_by_alias"})
    page = visit(storage_state=viewer)
    page.goto(address)
    rows = page.locator("tbody tr")
    # Other tests have added devices to the service that they share, of which a page has fifty.
    first = page.locator("tbody th").all_inner_texts()
    assert len(first) >= 2
    page.select_option("#by", by)
    page.fill("#text", text)
    page.get_by_role("button", name="Search").click()
    expect(rows).to_have_count(1)
    expect(rows).to_contain_text(device)
    expect(rows).to_contain_text("found_by_tag")
    expect(page.locator("#by")).to_have_value(by)
    page.fill("#text", "nobody & <b>")
    page.get_by_role("button", name="Search").click()
    expect(page.locator(".empty")).to_contain_text("No device fits.")
    expect(page.locator("#text")).to_have_value("nobody & <b>")
    page.get_by_role("link", name="All devices").click()
    expect(page.locator("tbody th")).to_have_text(first)


def test_a_registration_id_leads_to_its_device(visit, viewer, address, device):
    page = visit(storage_state=viewer)
    page.goto(address)
    page.fill("#text", device)
    page.get_by_role("button", name="Search").click()
    expect(page.locator("#device")).to_contain_text(device)
    # Over the link an app reports no permission.
    expect(page.locator("#device dt:text-is('Notifications') + dd")).to_have_text("Not reported")
    page.goto(f"{address}?text=0000000000000000")
    expect(page.get_by_role("alert")).to_contain_text("No device of this app has the registration ID '0000000000000000'.")
    assert page.goto(f"{address}/0000000000000000").status == 404


def test_the_list_goes_on_after_a_device(visit, viewer, address, sandbox):
    page = visit(storage_state=viewer)
    page.goto(address)
    rows = page.locator("tbody tr th")
    ids = rows.all_inner_texts()
    page.goto(f"{address}?after={ids[0]}")
    # One more follows if there are more than a page has.
    assert rows.all_inner_texts()[:len(ids) - 1] == ids[1:]
    page.get_by_role("link", name="First page").click()
    expect(rows).to_have_text(ids)


def test_the_form_leads_to_what_became_of_a_push(shown, address, api, device):
    push = {"platform": "all", "audience": {"registration_id": [device]}, "notification": {"alert": "Why me?"}}
    message = api("POST", "/v3/push", push)["msg_id"]
    shown.reload()
    expect(shown.locator(f'#messages option[value="{message}"]')).to_contain_text("Why me?")
    shown.fill("#message", message)
    shown.get_by_role("button", name="Show what became of it").click()
    shown.wait_for_url(re.compile(f"/messages/{message}/devices/{device}$"))
    assert shown.goto(f"{address}/{device}/why?message=12x").status == 400
    expect(shown.get_by_role("alert")).to_contain_text("'12x' is not a msg_id")


def test_the_doctor_examines_the_device(shown, device):
    shown.click("#doctor")
    expect(shown.locator("#findings tbody tr", has_text="device").first).to_be_visible()
    expect(shown.locator("#findings")).to_contain_text("OK")


def test_a_viewer_sees_and_does_not_edit(visit, viewer, address, api, device, sandbox):
    api("POST", f"/v3/devices/{device}", {"tags": {"add": ["seen"]}, "alias": "for_all"})
    page = visit(storage_state=viewer)
    page.goto(f"{address}/{device}")
    expect(page.locator("#tags li")).to_have_text("seen")
    expect(page.locator("main")).to_contain_text("for_all")
    for hidden in ("#add-tag", "#names", "[data-tag]"):
        expect(page.locator(hidden)).to_have_count(0)
    answer = page.request.post(
        f"{sandbox['portal']['url']}/api/apps/{sandbox['api']['appKey']}/v3/devices/{device}", data={"alias": "mine"},
        headers={"X-CSRF-Token": page.locator('meta[name="csrf"]').get_attribute("content")},
    )
    assert answer.status == 403
    assert api("GET", f"/v3/devices/{device}")["alias"] == "for_all"


@pytest.mark.parametrize(
    "role, options",
    [
        # The pages of viewers have fewer controls than the others.
        ("viewer", {"locale": "zh-CN", "color_scheme": "dark", "viewport": {"width": 390, "height": 844}}),
        ("sender", {"locale": "zh-CN", "color_scheme": "dark", "viewport": {"width": 390, "height": 844}}),
        ("sender", {"locale": "en-GB", "viewport": {"width": 1280, "height": 900}}),
    ],
)
def test_pages_fit_and_can_be_used_by_everyone(visit, request, address, api, device, role, options):
    api("POST", f"/v3/devices/{device}", {"tags": {"add": ["W" * 40, "新闻"]}, "alias": "W" * 40})
    page = visit(storage_state=request.getfixturevalue(role), **options)
    for path in ("", f"/{device}"):
        page.goto(address + path)
        expect(page.locator("h1")).to_be_visible()
        no_serious_findings(page)
        no_sideways_scroll(page)
