"""Composing a push in a browser, as far as the phone on which it is shown."""

import json
import os
import pathlib
import re
import shutil
import subprocess
import sys
from datetime import date, datetime, time, timedelta, timezone
from zoneinfo import ZoneInfo

import pytest
import requests
from journeys import await_state
from playwright.sync_api import expect
from pushes import send
from visits import ONCE_MORE, create_user, no_serious_findings, no_sideways_scroll, sign_in


@pytest.fixture
def address(sandbox):
    return f"{sandbox['portal']['url']}/apps/{sandbox['api']['appKey']}/compose"


@pytest.fixture
def compose(visit, administrator, address):
    """A function that opens the page; `query` is that of its address, options are those of `visit`. What is folded away is opened."""

    def open_page(query="", unfolded=True, **options):
        page = visit(storage_state=administrator, **options)
        page.goto(address + query)
        expect(page.locator("#json")).not_to_have_value("")
        if unfolded:
            page.evaluate("for (const part of document.querySelectorAll('details')) part.open = true")
        return page

    return open_page


@pytest.fixture
def device(sandbox):
    return sandbox["devices"][0]["registrationID"]


def push_of(page):
    return json.loads(page.input_value("#json"))


def own_environment(sandbox):
    return sandbox["apns"]["environment"]


def test_a_push_to_a_tag_arrives(compose, api, sandbox, device):
    api("POST", f"/v3/devices/{device}", {"tags": {"add": ["compose_vip"]}})
    page = compose()
    expect(page.locator("#count")).to_have_text("No audience chosen yet.")
    page.fill("#names-tag", "compose_vip")
    page.press("#names-tag", "Enter")
    expect(page.locator("#count")).to_have_text("1 device")
    expect(page.locator(f"#in-{own_environment(sandbox)}")).to_have_text("1")
    page.fill("#names-tag_not", "compose_vip,")
    page.press("#names-tag_not", "Enter")
    expect(page.locator("#count")).to_have_text("0 devices")
    expect(page.locator("#environment-note")).to_contain_text("1011")
    page.get_by_role("button", name="Remove compose_vip").last.click()
    expect(page.locator("#count")).to_have_text("1 device")
    page.fill("#f-ios_alert_body", "Hello from the portal")
    page.click("#send")
    link = page.locator("#result a")
    expect(link).to_be_visible()
    message = re.fullmatch(r".*/messages/(\d+)", link.get_attribute("href"))[1]
    found = await_state(sandbox, message, device, "shown")
    assert found["verdict"]["state"] == "shown"


def test_a_push_that_was_sent_is_no_draft_however_fast_it_was(compose, api, device):
    api("POST", f"/v3/devices/{device}", {"tags": {"add": ["compose_fast"]}})
    page = compose()
    # The page's time stands still: what is typed is kept 400 ms after the last key, and the push is sent before.
    page.clock.install()
    page.clock.pause_at(datetime.now() + timedelta(minutes=1))
    page.fill("#names-tag", "compose_fast")
    page.press("#names-tag", "Enter")
    page.fill("#f-ios_alert_body", "Sent at once")
    page.click("#send")
    expect(page.locator("#result a")).to_be_visible()
    page.clock.run_for(1000)
    kept = page.evaluate("Object.entries(localStorage).filter(([key]) => key.includes('drafts')).map(([, value]) => JSON.parse(value).last)")
    assert [each for each in kept if each] == []


def test_a_field_for_an_earlier_push_lists_the_latest_ones_by_their_text(compose, sandbox):
    message = send(sandbox, "A price that is wrong")
    page = compose()
    for field in ("x_undo", "x_unless_opened"):
        page.focus(f"#f-{field}")
        options = page.locator(f"#{page.get_attribute(f'#f-{field}', 'list')} option")
        expect(options.filter(has_text="A price that is wrong").first).to_have_attribute("value", message)
        page.fill(f"#f-{field}", message)
        assert push_of(page)["options"][field] == int(message)
        page.fill(f"#f-{field}", "")
    no_serious_findings(page)


def test_form_and_json_are_one_push(compose):
    page = compose()
    page.fill("#f-ios_alert_body", "Now 9.99")
    page.fill("#f-ios_alert_title", "Price drop")
    page.fill("#f-ios_badge", "+1")
    page.fill("#f-time_to_live", "60")
    page.check("#f-ios_mutable_content")
    push = push_of(page)
    assert push["notification"]["ios"] == {"alert": {"title": "Price drop", "body": "Now 9.99"}, "badge": "+1", "mutable-content": True}
    assert push["options"]["time_to_live"] == 60
    written = """{"platform": "all", "audience": {"alias": ["bob"], "live": 1}, "mine": {"deep": [1.0]},
        "notification": {"alert": "Hi", "ios": {"sound": {"critical": 1, "name": "bell.caf", "more": 2}, "extras": {"a": {"b": 1}}}},
        "options": {"apns_production": false, "override_msg_id": 2251799813685251999, "unheard_of": true}}"""
    page.fill("#json", written)
    expect(page.locator("#f-ios_alert_title")).to_have_value("")
    expect(page.locator("#f-alert")).to_have_value("Hi")
    expect(page.locator("#f-ios_sound")).to_have_value("bell.caf")
    expect(page.locator("#f-ios_sound_critical")).to_be_checked()
    expect(page.locator("#f-override_msg_id")).to_have_value("2251799813685251999")
    expect(page.locator("[data-names=alias] li")).to_have_text("bob×")
    expect(page.locator("input[value=development]")).to_be_checked()
    page.fill("#f-ios_thread_id", "deals")
    expected = json.loads(written)
    expected["notification"]["ios"]["thread-id"] = "deals"
    assert push_of(page) == expected
    assert "1.0" in page.input_value("#json")


def test_a_mistake_in_the_json_is_shown_in_its_place(compose):
    page = compose()
    page.fill("#f-ios_alert_body", "Kept")
    page.fill("#json", '{\n  "platform": "all",\n  "audience" "all"\n}')
    expect(page.locator("#json-problem")).to_contain_text("Line 3, column 14: a colon was expected here.")
    expect(page.locator("#form")).to_have_attribute("inert", "")
    page.click("#json-restore button")
    expect(page.locator("#json-problem")).to_be_hidden()
    assert push_of(page)["notification"]["ios"]["alert"] == "Kept"
    page.fill("#f-ios_extras", "{a: 1}")
    expect(page.locator("#p-f-ios_extras")).to_contain_text("Not valid JSON")


def test_nothing_is_sent_or_validated_while_a_field_cannot_be_read(compose, device):
    page = compose(f"?registration_id={device}")
    calls = []
    page.on("request", lambda request: calls.append(request.url) if request.method == "POST" and "/v3/" in request.url and "x_forecast" not in request.post_data else None)
    page.fill("#f-ios_alert_body", "Unread")
    page.fill("#f-ios_extras", "{bad")
    page.fill("#f-callback", "{also bad")
    page.get_by_text("Other platforms and channels").click()
    # Changes elsewhere leave the text where it can be mended.
    page.fill("#f-ios_alert_title", "Still unread")
    page.check("input[value=production]")
    expect(page.locator("#f-ios_extras")).to_have_value("{bad")
    page.fill("#device-name", device)
    for button, result in [("#send", "#result"), ("#validate", "#result"), ("#test", "#test-result")]:
        page.click(button)
        expect(page.locator(result)).to_have_text("notification.ios.extras cannot be read. Correct it or empty it first; nothing was sent.")
        expect(page.locator("#f-ios_extras")).to_be_focused()
    page.fill("#f-ios_extras", "")
    page.check("input[value=later]")
    page.fill("#schedule-name", "unread")
    page.click("#send")
    expect(page.locator("#result")).to_contain_text("callback cannot be read")
    expect(page.locator("#f-callback")).to_be_visible()
    page.fill("#json", "{")
    page.click("#send")
    expect(page.locator("#result")).to_contain_text("JSON cannot be read")
    assert not calls


def test_placeholders_are_asked_about_before_the_push_is_sent(compose, sandbox, device):
    page = compose(f"?registration_id={device}")
    page.fill("#f-ios_alert_body", "Hello {{name}}")
    for button, result in [("#send", "#result"), ("#test", "#test-result")]:
        page.fill("#device-name", device)
        page.click(button)
        dialog = page.get_by_role("dialog")
        expect(dialog).to_contain_text("notification.ios.alert has the placeholder {{name}}")
        dialog.get_by_role("button", name="Cancel").click()
        expect(page.locator(result)).to_have_text("Nothing was sent.")
    page.click("#send")
    page.get_by_role("dialog").get_by_role("button", name="Send as it is").click()
    message = re.fullmatch(r".*/messages/(\d+)", page.locator("#result a").get_attribute("href"))[1]
    await_state(sandbox, message, device, "shown")


def test_a_test_is_not_counted_in_the_plan_of_its_push(compose, api, device):
    api("POST", "/v3/push_plan/create", {"name": "tested_plan", "description": "A plan"})
    page = compose()
    page.fill("#f-ios_alert_body", "Planned")
    page.fill("#f-business_operation_code", "tested_plan")
    page.fill("#device-name", device)
    page.click("#test")
    message = re.fullmatch(r".*/messages/(\d+)", page.locator("#test-result a").get_attribute("href"))[1]
    sent = api("GET", f"/posthorn/v1/messages/{message}")["push"]
    assert "business_operation_code" not in sent["options"]


def test_content_available_alone_says_who_is_woken(compose):
    page = compose()
    page.check("#f-ios_content_available")
    note = page.locator("#silent")
    expect(note).to_contain_text("Silent push.")
    expect(note).to_contain_text("priority 5")
    expect(note).to_contain_text("Not woken until the user opens it again.")
    expect(page.locator("#preview")).to_contain_text("nothing is shown")
    page.fill("#f-ios_sound", "default")
    expect(note).to_be_hidden()


@pytest.mark.parametrize("part, shared, extras", [("ios", 0, 3700), ("payload", 700, 3400)])
def test_the_meter_counts_as_the_service_does(compose, part, shared, extras):
    page = compose()
    page.check("input[value=all]")
    push = {"platform": ["ios"], "audience": "all", "notification": {"ios": {"badge": "+1", "extras": {"é\n": "你" + "x" * extras}}}}
    push["notification"] |= {"alert": "a" * shared} if shared else {}
    push["notification"]["ios"] |= {} if shared else {"alert": "Hi"}
    page.fill("#json", json.dumps(push, ensure_ascii=False))
    meter = page.locator(f"[data-part={part}]")
    expect(meter).to_have_class(re.compile("over"))
    bytes_counted = re.search(r"(\d+) of \d+ bytes", meter.inner_text())[1]
    page.click("#validate")
    expect(page.locator("#result")).to_have_class("problem")
    expect(page.locator("#result")).to_contain_text(f"{bytes_counted} bytes; at most")


def test_a_push_is_forecast_with_its_texts_by_language(compose):
    page = compose()
    page.check("input[value=all]")
    page.fill("#f-ios_alert_body", "Hi")
    page.click("#validate")
    expect(page.locator("#result li").first).to_have_text(re.compile(r"^[0-9]+ devices?$"))
    page.fill("#f-ios_x_localized", '{"cn": "Hi"}')
    page.click("#validate")
    expect(page.locator("#result")).to_contain_text("'cn', which is not a language")
    page.fill("#f-ios_x_localized", '{"zh-Hans": "你好"}')
    page.click("#validate")
    expect(page.locator("#result")).to_contain_text("without a language")


def test_what_the_service_refuses_is_shown_by_validate(compose):
    page = compose()
    page.check("input[value=all]")
    page.fill("#f-ios_alert_body", "Hi")
    page.click("#validate")
    expect(page.locator("#result")).to_contain_text("The push is valid. Nothing was sent.")
    page.check("#f-test_model")
    page.click("#validate")
    expect(page.locator("#result")).to_contain_text("this version of Posthorn")


def is_chinese(words):
    """Whether a sentence is Chinese: outside quotation marks and brackets it has no three words of English in a row."""
    own = re.sub("“[^”]*”|\"[^\"]*\"|'[^']*'|\\([^)]*\\)", "", words)
    return bool(re.search("[\u4e00-\u9fff]", words)) and not re.search("[a-z]{2,} [a-z]{2,} [a-z]{2,}", own)


WRONG = [
    {"platform": ["ios2"]}, {"platform": []}, {"audience": {"tag": "x"}}, {"audience": {"tag": [""]}}, {"audience": {}},
    {"audience": {"registration_id": ["a-b"]}}, {"audience": {"segment": ["no_such_segment"]}}, {"cid": "x"}, {"ab_c": 1},
    {"options": {"time_to_live": -1}}, {"options": {"apns_collapse_id": "x" * 65}},
    {"options": {"x_rate": "a"}}, {"options": {"override_msg_id": "x"}}, {"options": {"sendno": "x"}},
    {"options": {"business_operation_code": "no_such_plan"}}, {"options": {"test_model": True}}, {"options": {"x_strict": 3}},
    {"message": {"msg_content": 1}}, {"message": {"title": "Hi"}}, {"sms_message": 1}, {"live_activity": 1},
    {"live_activity": {"ios": {"event": "begin"}}}, {"callback": {"url": "ftp://example.com"}}, {"callback": {}},
] + [
    {"notification": {"ios": {"alert": "Hi"} | members}} for members in (
        {"badge": "x"}, {"alert": 1}, {"sound": {"critical": 1, "name": "a", "volume": 3}}, {"interruption-level": "loud"},
        {"relevance-score": "x"}, {"thread-id": 1}, {"category": []}, {"extras": "x"}, {"content-available": "x"},
        {"sound_name": "x"}, {"extras": {"a": "x" * 4000}},
    )
]


def test_refusals_are_in_the_language_of_the_page(compose, address):
    page = compose(locale="zh-CN")
    token = page.locator("meta[name=csrf]").get_attribute("content")
    url = address.replace("/portal/apps", "/portal/api/apps").replace("/compose", "")

    def refuse(method, path, body):
        """The API refuses it, in Chinese."""
        answer = page.request.fetch(url + path, method=method, data=body, headers={"X-CSRF-Token": token, "Accept-Language": "zh-CN"})
        assert not answer.ok, body
        words = answer.json()["error"]["message"]
        assert answer.status < 500 and is_chinese(words), f"{body}: {words}"

    whole = {"platform": "all", "audience": "all", "notification": {"alert": "Hi"}}
    for wrong in WRONG:
        refuse("POST", "/v3/push/validate", whole | wrong)
    for rule in ({"zone": "x"}, {"seen_within_days": 0}, {"push_state": ["x"]}, {"nothing": 1}, [], {"attributes": {"a b": ["x"]}}):
        refuse("PUT", "/posthorn/v1/segments/wrong", rule)
    refuse("PUT", "/posthorn/v1/segments/a%20b", {})
    for template in ({}, {"name": 1, "push": {}}, {"name": "x", "push": whole}, {"name": "x", "push": 1}, {"more": 1}):
        refuse("POST", "/posthorn/v1/templates", template)
    for plan in ({}, {"name": ""}, {"name": "x" * 1000, "description": "x"}):
        refuse("POST", "/v3/push_plan/create", plan)
    single = {"name": "x", "enabled": True, "push": whole}
    for trigger in ({}, {"single": {}}, {"single": {"time": "soon"}}, {"single": {"time": "2020-01-01 00:00:00"}},
                    {"zone": "CST", "single": {"time": "2020-01-01 00:00:00"}}):
        refuse("POST", "/v3/schedules", single | {"trigger": trigger})
    refuse("POST", "/v3/schedules", single | {"trigger": {"single": {"time": "2020-01-01 00:00:00"}}, "push": {"platform": 1}})
    refuse("GET", "/posthorn/v1/devices/nobody", None)
    refuse("GET", "/posthorn/v1/journeys/1/nobody", None)
    # What is shown is what the service has answered.
    page.fill("#json", json.dumps(whole | {"platform": 7}))
    page.click("#validate")
    expect(page.locator("#result")).to_have_text('“platform”是数字，应为"all" 或名称的数组。')


def test_the_api_keeps_its_english(sandbox):
    facts = sandbox["api"]
    answer = requests.post(
        facts["url"] + "/v3/push", json={"platform": 7, "audience": "all", "notification": {"alert": "Hi"}}, auth=(facts["appKey"], facts["masterSecret"]),
        headers={"Accept-Language": "zh-CN"}, timeout=30,
    )
    assert answer.json()["error"]["message"] == "'platform' is a number; expected \"all\" or an array of names."


def test_a_callback_is_valid(compose):
    page = compose()
    page.check("input[value=all]")
    page.fill("#f-ios_alert_body", "Hi")
    page.fill("#f-callback", '{"url": "https://example.com"}')
    page.click("#validate")
    expect(page.locator("#result")).to_contain_text("The push is valid. Nothing was sent.")
    page.fill("#f-callback", '{"url": "ftp://example.com"}')
    page.click("#validate")
    expect(page.locator("#result")).to_contain_text("'callback.url'")


def changing_zone(days):
    """A zone whose clocks skip 02:30 on one of these days and are put back on another: its name, and its offset after the first."""
    for name, shown in (("Europe/Berlin", "+02:00"), ("Australia/Sydney", "+11:00"), ("America/New_York", "−04:00")):
        times = [datetime.combine(day, time(2, 30), ZoneInfo(name)) for day in days]
        skips = [each.astimezone(timezone.utc).astimezone(each.tzinfo).time() != each.time() for each in times]
        goes_back = any(one.utcoffset() > other.utcoffset() for one, other in zip(times, times[1:]))
        if any(skips) and goes_back:
            return name, shown
    raise AssertionError("no zone changes its clocks twice in these days")


def test_a_schedule_across_a_clock_change_says_which_firings_move(compose, api, device):
    # Clocks are put forward once in these days; the API takes at most a year.
    today = date.today()
    zone, offset = changing_zone([today + timedelta(days=days) for days in range(2, 359)])
    page = compose(f"?registration_id={device}")
    page.fill("#f-ios_alert_body", "Good night")
    page.check("input[value=later]")
    page.select_option("#repeat", "day")
    page.fill("#time", "02:30")
    page.fill("#zone", zone)
    page.fill("#end", (today + timedelta(days=360)).isoformat())
    firings = page.locator("#firings")
    expect(firings).to_contain_text("Clocks skip 02:30 on this day: it fires at the change.")
    expect(firings).to_contain_text("the local time stays, the time in UTC moves")
    expect(firings.locator("tr.moved").filter(has_text=f"03:00:00 {offset}")).to_have_count(1)
    page.click("#send")
    expect(page.locator("#result")).to_have_text("Give the schedule a name.")
    page.fill("#schedule-name", "portal_night")
    assert "/v3/schedules" in page.inner_text("#code")
    page.click("#send")
    expect(page.locator("#result")).to_contain_text("portal_night")
    made = [each for each in api("GET", "/v3/schedules")["schedules"] if each["name"] == "portal_night"]
    assert [each["trigger"]["zone"] for each in made] == [zone]
    assert made[0]["trigger"]["periodical"]["time"] == "02:30:00"
    assert made[0]["push"]["audience"] == {"registration_id": [device]}
    api("DELETE", f"/v3/schedules/{made[0]['schedule_id']}")


def test_local_time_and_quiet_hours(compose, api):
    api("PUT", "/posthorn/v1/app", {"quiet_hours": {"from": "22:00", "to": "07:00"}})
    try:
        page = compose()
        page.fill("#f-ios_alert_body", "Hi")
        expect(page.locator("#quiet")).to_contain_text("from 22:00 to 07:00 (each device's zone)")
        page.check("input[value=later]")
        page.check("#per-device")
        page.fill("#time", "23:00")
        expect(page.locator("#quiet")).to_contain_text("23:00 is within the quiet hours")
        page.fill("#time", "12:00")
        expect(page.locator("#quiet")).to_contain_text("12:00 is outside")
        page.fill("#f-ios_alert_body", "")
        page.check("#f-ios_content_available")
        expect(page.locator("#quiet")).to_be_hidden()
    finally:
        api("PUT", "/posthorn/v1/app", {"quiet_hours": None})


def test_a_broadcast_is_confirmed_with_its_number_and_the_password(
    browser, visit, portal, address, sandbox, administrator
):
    # A user of its own: the portal limits the attempts of each to sign in, and other tests sign in as the administrator.
    password = "to-all-of-them"
    page = visit(storage_state=create_user(browser, portal, administrator, "broadcaster", "sender", password))
    page.goto(address)
    expect(page.locator("#json")).not_to_have_value("")
    page.check("input[value=all]")
    page.fill("#f-ios_alert_body", "To everyone")
    expect(page.locator("#count")).to_contain_text("devices")
    count = page.inner_text(f"#in-{own_environment(sandbox)}")
    page.click("#send")
    page.get_by_role("button", name="Cancel").click()
    expect(page.locator("#result")).to_have_text("Nothing was sent.")
    # The sign-in is too fresh for the service to ask again: its refusal is put in the place of the first answer.
    refusal = {"error": {"code": "authenticate_again", "message": "Enter your password again."}}
    page.route("**/v3/push", lambda route: route.fulfill(status=403, json=refusal), times=1)
    page.click("#send")
    dialog = page.get_by_role("dialog")
    expect(dialog.get_by_role("heading")).to_have_text(f"Send to {count} devices?")
    expect(dialog).to_contain_text("A later withdrawal removes it from phones")
    dialog.get_by_role("button", name=f"Send to {count}").click()
    expect(page.locator("#again")).to_be_visible()
    page.fill("#again", "wrong password")
    page.press("#again", "Enter")
    expect(page.get_by_role("alert").filter(has_text="wrong")).to_be_visible()
    page.fill("#again", password)
    page.press("#again", "Enter")
    expect(page.locator("#result a")).to_be_visible()


def test_a_viewer_validates_and_does_not_send(visit, signed_in, portal, address):
    page = signed_in()
    made = page.request.post(
        portal["url"] + "/api/operator/user.create",
        data={"name": "compose-viewer", "role": "viewer", "password": "only-for-reading"},
        headers={"X-CSRF-Token": page.locator("meta[name=csrf]").get_attribute("content")},
    )
    assert made.ok, made.text()
    page = sign_in(visit(), portal, "compose-viewer", "only-for-reading")
    page.goto(address)
    expect(page.locator("#json")).not_to_have_value("")
    expect(page.locator("main .note").first).to_contain_text("Your role is viewer")
    expect(page.locator("#send, #test")).to_have_count(0)
    page.check("input[value=all]")
    page.fill("#f-ios_alert_body", "Hi")
    page.click("#validate")
    expect(page.locator("#result")).to_have_class("success")
    refused = page.request.post(
        address.replace("/portal/apps", "/portal/api/apps").replace("/compose", "/v3/push"),
        data={"platform": "all", "audience": "all", "notification": {"alert": "x"}},
        headers={"X-CSRF-Token": page.locator("meta[name=csrf]").get_attribute("content")},
    )
    assert refused.status == 403


def test_markup_is_text(compose, api):
    page = compose("?tag=%3Cimg%20src%3Dx%3E")
    markup = "<img src=x onerror=alert(1)><b>bold</b>"
    page.fill("#f-ios_alert_title", markup)
    page.fill("#f-ios_alert_body", markup)
    for look in ("lock", "banner", "expanded"):
        page.check(f"input[name=look][value={look}]")
        expect(page.locator(".look-title")).to_have_text(markup)
        expect(page.locator(".look-body")).to_have_text(markup)
    expect(page.locator("main img, #preview b")).to_have_count(0)
    expect(page.locator("[data-names=tag] li")).to_contain_text("<img src=x>")
    expect(page.locator("#audience-problem")).to_contain_text("<img src=x>")


def test_the_wrong_environment_has_no_devices_and_says_so(compose, sandbox, device):
    own = own_environment(sandbox)
    other = "production" if own == "development" else "development"
    page = compose(f"?registration_id={device}")
    page.fill("#f-ios_alert_body", "Hi")
    expect(page.locator(f"#in-{own}")).to_have_text("1")
    page.check(f"input[value={other}]")
    expect(page.locator(f"#in-{other}")).to_have_text("0")
    expect(page.locator("#environment-note")).to_contain_text(f"Switch to {own} to reach them.")
    assert push_of(page)["options"]["apns_production"] is (other == "production")
    page.check(f"input[value={own}]")
    expect(page.locator("#environment-note")).to_be_hidden()


def test_a_test_goes_to_one_device_in_its_environment(compose, api, sandbox, device):
    api("POST", f"/v3/devices/{device}", {"alias": "compose_tester"})
    page = compose()
    page.check("input[value=all]")
    page.fill("#f-ios_alert_body", "A test")
    page.click("#test")
    expect(page.locator("#test-result")).to_contain_text("Choose a device")
    page.fill("#device-name", "compose_tester")
    page.click("#test")
    message = re.fullmatch(r".*/messages/(\d+)", page.locator("#test-result a").get_attribute("href"))[1]
    await_state(sandbox, message, device, "shown")
    shown = api("GET", f"/posthorn/v1/messages/{message}")
    assert shown["progress"]["devices"] == 1
    assert shown["environment"] == own_environment(sandbox)
    page.fill("#device-name", "")
    page.select_option("#device", device)
    page.click("#test")
    expect(page.locator("#test-result a")).not_to_have_attribute("href", re.compile(message))
    copy = compose(f"?message={message}")
    expect(copy.locator("#f-ios_alert_body")).to_have_value("A test")


def test_the_code_sends_the_same_push(compose, sandbox, device, tmp_path):
    page = compose(f"?registration_id={device}")
    page.fill("#f-ios_alert_body", "It's \"quoted\" $HOME `id` \\n")
    environment = os.environ | {"MASTER_SECRET": sandbox["api"]["masterSecret"]}
    assert sandbox["api"]["masterSecret"] not in page.content()
    command = page.inner_text("#code")
    sent = subprocess.run(["sh", "-c", command], capture_output=True, text=True, env=environment, timeout=120)
    message = json.loads(sent.stdout)["msg_id"]
    await_state(sandbox, message, device, "shown")
    page.check("input[name=code][value=python]")
    expect(page.locator("#code")).to_contain_text("import jpush")
    program = tmp_path / "push.py"
    program.write_text(page.inner_text("#code"))
    sent = subprocess.run([sys.executable, program], capture_output=True, text=True, env=environment, timeout=120)
    assert "msg_id" in sent.stdout, sent.stderr
    page.check("input[name=code][value=swift]")
    expect(page.locator("#code")).to_contain_text("URLSession.shared")


@pytest.mark.parametrize("language, scheme", [pytest.param("en-GB", "light", marks=ONCE_MORE), ("zh-CN", "dark")])
def test_the_page_is_accessible_and_fits(compose, language, scheme):
    page = compose(unfolded=False, locale=language, color_scheme=scheme, viewport={"width": 390, "height": 844})
    heading = {"en-GB": "Compose a push", "zh-CN": "发送推送"}[language]
    expect(page.locator("h1")).to_have_text(heading)
    page.fill("#f-ios_alert_body", "x" * 300)
    page.fill("#names-tag", "a" * 40 + "," + "b" * 40)
    page.press("#names-tag", "Enter")
    page.check("input[value=later]")
    page.select_option("#repeat", "week")
    expect(page.locator("#firings")).not_to_be_empty()
    for closed in page.locator("summary").all():
        closed.click()
    no_sideways_scroll(page)
    no_serious_findings(page)
    page.set_viewport_size({"width": 1280, "height": 900})
    no_sideways_scroll(page)
    no_serious_findings(page)


def test_a_file_of_names_is_uploaded_chosen_and_sent_to(compose, sandbox, device, tmp_path):
    names = tmp_path / "names <b>.txt"
    names.write_text(device + "\n")
    page = compose()
    page.get_by_label("A file").check()
    page.click("#upload-send")
    expect(page.locator("#upload-result")).to_have_text("Choose a file first.")
    page.set_input_files("#upload", names)
    page.select_option("#upload-kind", "registration_id")
    page.click("#upload-send")
    expect(page.locator("#upload-result")).to_have_text("names <b>.txt is uploaded and chosen.")
    chosen = page.input_value("#file")
    assert push_of(page)["audience"] == {"file": {"file_id": chosen}}
    page.fill("#f-ios_alert_body", "From a file")
    page.click("#send")
    expect(page.locator("#result a")).to_be_visible()
    page.reload()
    expect(page.locator("#file option", has_text="names <b>.txt")).to_have_count(1)
    no_serious_findings(page)


@pytest.mark.skipif(not shutil.which("node"), reason="node is not installed")
def test_the_rules_without_a_page():
    done = subprocess.run(
        ["node", "--test", pathlib.Path(__file__).parent / "scripts/compose.test.mjs"], capture_output=True, text=True, timeout=120
    )
    assert done.returncode == 0, done.stdout + done.stderr


def test_the_outcome_on_each_version_of_ios_is_shown_while_one_writes(compose):
    page = compose(unfolded=False)
    # From its start on, the page has a clock that can stand still.
    page.clock.install()
    page.reload()
    expect(page.locator("#json")).not_to_have_value("")
    calls = []
    page.on("request", lambda request: calls.append(request.post_data_json) if "/api/explain" in request.url else None)
    page.fill("#f-ios_alert_body", "Not asked")
    page.locator("#explanation > summary").press("Enter")
    expect(page.locator("#explained")).to_contain_text("APNs accepts it")
    assert [call["notification"]["ios"]["alert"] for call in calls] == ["Not asked"]
    # One call for what is written without a pause, and none for what does not change it. No pause is so short as those of a test.
    page.clock.pause_at(datetime.now() + timedelta(minutes=1))
    page.locator("#f-ios_alert_body").press_sequentially(" too often")
    page.check("input[value=all]")
    rows = page.locator("#explained-rows dt")
    page.locator("#explanation [name=states][value=forceQuit]").press("Space")
    page.locator("#explanation [name=ios][value='9']").press("Space")
    page.clock.resume()
    expect(page.locator("#explained-rows")).to_contain_text("iOS 9")
    expect(page.locator("#explained-rows")).to_contain_text("userNotificationCenter(_:willPresent:withCompletionHandler:)")
    assert all("swiped away" not in text for text in rows.all_inner_texts())
    assert len(calls) == 2 and calls[1]["notification"]["ios"]["alert"] == "Not asked too often"
    no_serious_findings(page)
    page.fill("#f-ios_alert_body", "x" * 5000)
    expect(page.locator("#explained")).to_have_class("problem")
    expect(rows).to_have_count(0)


def test_the_outcome_is_in_the_language_of_the_page(compose):
    page = compose(locale="zh-CN")
    page.fill("#f-ios_alert_body", "茶")
    page.locator("#f-ios_interruption_level").select_option("passive")
    expect(page.locator("#explained")).to_contain_text("APNs 接受")
    expect(page.locator("#explained-rows")).to_contain_text("中断级别为 passive")
    assert is_chinese(page.locator("#explained-rows dd").first.evaluate("place => place.firstChild.textContent"))
    assert all("," not in text for text in page.locator("#explained-rows dt").all_inner_texts())
    no_sideways_scroll(page)
