"""The phone page in Chromium: pushes, actions, prompts, the clock, Try it, and a run as a file."""

import json
import re
import subprocess

import pytest
from phones import choose, event, order, ordering, push, shown, switch, tap_banner
from playwright.sync_api import expect
from processes import BINARY
from visits import ONCE_MORE, create_user, no_serious_findings, no_sideways_scroll


def test_a_push_is_tapped(phone, sandbox):
    page = phone()
    tap_banner(page, "Tap me")
    push(page, sandbox, {"title": "Tap me", "body": "please"})
    page.locator(".phone-app").wait_for()
    event(page, "tapped").wait_for()
    event(page, "callback", "userNotificationCenter(_:didReceive:withCompletionHandler:)").wait_for()


def test_markup_is_text(phone, sandbox):
    page = phone()
    push(page, sandbox, {"title": "<img src=x onerror=alert(1)>", "body": "<b>bold</b>"})
    notification = shown(page, "<b>bold</b>")
    notification.wait_for()
    assert notification.locator("img, b").count() == 0
    assert "<img src=x onerror=alert(1)>" in event(page, "listed").inner_text()


def test_a_long_press_shows_the_actions_and_a_reply(phone, sandbox):
    page = phone()
    push(page, sandbox, {"title": "Question", "body": "Coming?"}, category="message")
    shown(page, "Question").locator(".notification-body").click(button="right")
    page.locator(".phone-reply input").fill("On my way")
    page.locator(".phone-reply button").click()
    event(page, "acted").wait_for()
    event(page, "replied").wait_for()


def test_an_action_and_a_dismissal(phone, sandbox):
    page = phone()
    push(page, sandbox, {"title": "Offer", "body": "Half price"}, category="offer")
    shown(page, "Offer").get_by_role("button", name="Actions").click()
    page.locator(".sheet button", has_text="Have a look").click()
    event(page, "acted").wait_for()
    order(page, {"background": {}})
    push(page, sandbox, {"title": "Go away", "body": "now"})
    shown(page, "Go away").locator(".notification-body").press("Delete")
    event(page, "dismissed").wait_for()
    shown(page, "Go away").wait_for(state="detached")


def test_an_in_app_message_is_tapped_and_another_dismissed(phone, sandbox):
    page = phone()
    page.locator("summary", has_text="Notification settings").click()
    switch(page, "#allowed", False)
    with ordering(page):
        page.locator(".phone .icon").first.click()
    message = page.locator(".in-app")
    # Without permission the app shows the push itself.
    push(page, sandbox, {"title": "In the app", "body": "Look here"}, in_app=True)
    expect(message).to_contain_text("Look here")
    event(page, "inAppShown", "In the app").wait_for()
    message.get_by_role("button", name="Tap").click()
    message.wait_for(state="detached")
    push(page, sandbox, {"title": "Another", "body": "As well"}, in_app=True)
    expect(message).to_contain_text("As well")
    message.get_by_role("button", name="Dismiss").click()
    message.wait_for(state="detached")
    expect(page.locator('#timeline tr[data-event="inAppHidden"]:not([data-earlier])')).to_have_count(2)
    switch(page, "#allowed", True)
    push(page, sandbox, {"title": "By the system", "body": "again"}, in_app=True)
    page.locator(".banner-layer", has_text="By the system").wait_for()
    expect(message).to_have_count(0)


def test_an_alert_of_an_app_is_answered(signed_in, portal):
    page = signed_in()
    page.goto(portal["url"] + "/phones")
    page.select_option("#system", "9.0")
    page.click("#add button")
    page.wait_for_url("**/phones/iOS%209.0%20*")
    page.locator(".prompt").get_by_role("button", name="Allow", exact=True).click()
    event(page, "promptAnswered", "allowed").wait_for()
    local = {"identifier": "tea", "trigger": "", "repeats": False, "title": "Tea is ready", "body": "Now"}
    order(page, {"addLocal": {"_0": local}})
    # Before iOS 10 the JPush SDK shows a local notification in the foreground as an alert.
    alert = page.get_by_role("group", name="Tea is ready")
    expect(alert).to_contain_text("Now")
    event(page, "alertShown", "Tea is ready").wait_for()
    alert.get_by_role("button", name="OK").click()
    alert.wait_for(state="detached")
    event(page, "alertButtonTapped", "OK").wait_for()


def test_the_permission_prompt_of_a_new_phone(signed_in, portal):
    page = signed_in()
    page.goto(portal["url"] + "/phones")
    page.select_option("#system", "15.0")
    page.click("#add button")
    page.wait_for_url("**/phones/iOS%2015.0%20*")
    prompt = page.locator(".prompt")
    prompt.get_by_text("would like to send you notifications").wait_for()
    prompt.get_by_role("button", name="Allow", exact=True).click()
    prompt.wait_for(state="detached")
    event(page, "promptAnswered", "allowed").wait_for()


def test_an_early_phone_in_chinese_has_what_its_system_had(signed_in, portal):
    page = signed_in(locale="zh-CN")
    page.goto(portal["url"] + "/phones")
    page.select_option("#system", "7.0")
    page.click("#add button")
    page.wait_for_url("**/phones/iOS%207.0%20*")
    prompt = page.locator(".prompt")
    expect(prompt).to_contain_text(re.compile("“.+”想给你发送通知"))
    prompt.get_by_role("button", name="允许", exact=True).click()
    prompt.wait_for(state="detached")
    event(page, "promptAnswered", "已允许").wait_for()
    order(page, {"background": {}})
    local = {"identifier": "tea", "trigger": "", "repeats": False, "title": "Tea is ready", "body": "Now"}
    order(page, {"addLocal": {"_0": local}})
    notification = shown(page, "Now")
    notification.wait_for()
    expect(notification.get_by_role("button", name="清除")).to_have_count(1)
    expect(notification.get_by_role("button", name="操作")).to_have_count(0)
    expect(page.locator(".island-place")).to_have_count(0)
    order(page, {"lock": {}})
    event(page, "changed", "已锁定").wait_for()


def test_the_clock_goes_to_the_next_firing(phone):
    page = phone()
    local = {
        "identifier": "tea", "trigger": "interval=7200", "repeats": False, "title": "Tea is ready", "body": "Now",
    }
    order(page, {"addLocal": {"_0": local}})
    page.locator("#to-firing:enabled").click()
    shown(page, "Tea is ready").wait_for()
    event(page, "fired").wait_for()


def test_settings_and_focus(phone):
    page = phone()
    page.locator("summary", has_text="Notification settings").click()
    switch(page, "#sounds", False)
    page.locator("summary", has_text="Focus").click()
    choose(page, "#storefront", "CHN")
    event(page, "changed", "storefront CHN").wait_for()
    expect(page.locator("#storefront")).to_have_value("CHN")
    choose(page, "#focus", "Do Not Disturb")
    page.locator(".phone-bar", has_text="Do Not Disturb").wait_for()
    expect(page.locator("#sounds")).not_to_be_checked()
    choose(page, "#focus", "")
    page.locator(".phone-bar", has_text="Do Not Disturb").wait_for(state="detached")
    switch(page, "#sounds", True)


def test_two_people_watch_one_phone(phone):
    first, second = phone(), phone()
    first.click("#lock")
    second.locator(".phone-clock").wait_for()
    second.locator(".phone-foot").click()
    first.locator(".phone-icons").wait_for()


@pytest.mark.parametrize("system", [9, pytest.param(17, marks=pytest.mark.release("runs some hundred cases in the browser"))])
def test_every_case_of_the_matrix_is_as_expected(signed_in, portal, system):
    page = signed_in()
    page.goto(f"{portal['url']}/try?os={system}")
    page.click("#run-all")
    page.locator("#result.success, #result.problem").wait_for(timeout=600_000)
    page.locator("#run-all:enabled").wait_for()
    matrix = subprocess.run([BINARY, "matrix", "--os", str(system), "--json"], capture_output=True, check=True, text=True)
    expected = [(each["case"], each["callbacks"]) for each in json.loads(matrix.stdout)]
    seen = page.evaluate(
        """[...document.querySelectorAll("#cases tbody tr")].map((row) =>
            [row.dataset.case, [...row.querySelectorAll(".seen code")].map((each) => each.textContent), row.dataset.agrees])"""
    )
    assert [(case, callbacks) for case, callbacks, _ in seen] == expected
    assert {agrees for _, _, agrees in seen} == {"true"}


def test_a_run_is_exported_and_replayed(phone, sandbox, tmp_path, portal):
    page = phone()
    push(page, sandbox, {"title": "Kept", "body": "in the file"})
    shown(page, "Kept").wait_for()
    with page.expect_download() as download:
        page.click("#export")
    file = tmp_path / "run.json"
    download.value.save_as(file)
    run = json.loads(file.read_text())
    assert (run["format"], run["version"]) == ("posthorn-run", 1)
    page.goto(portal["url"] + "/replay")
    page.set_input_files("#file", file)
    number = 1 + max(index for index, each in enumerate(run["entries"]) if each["event"] == "listed")
    page.locator(f"#timeline tr:nth-child({number})").click()
    shown(page, "Kept").wait_for()
    page.click("#previous")
    assert page.locator("#step").input_value() == str(number - 1)
    page.keyboard.press("ArrowRight")
    assert page.locator("#step").input_value() == str(number)
    later = tmp_path / "later.json"
    later.write_text(json.dumps(run | {"version": 2}))
    page.set_input_files("#file", later)
    page.locator("#result", has_text="version is 2").wait_for()


def test_a_damaged_run_is_named_and_the_next_one_opens(phone, sandbox, tmp_path, portal):
    page = phone()
    push(page, sandbox, {"title": "Whole", "body": "in the file"})
    shown(page, "Whole").wait_for()
    with page.expect_download() as download:
        page.click("#export")
    whole = tmp_path / "whole.json"
    download.value.save_as(whole)
    run = json.loads(whole.read_text())
    problems = []
    page.on("pageerror", lambda error: problems.append(str(error)))
    page.goto(portal["url"] + "/replay")
    entry = run["entries"][0]
    damaged = [
        {"start": None}, {"start": {"apps": 7}}, {"start": run["start"] | {"apps": [None]}}, {"entries": {}}, {"entries": [None]},
        {"entries": [7]}, {"entries": [entry | {"date": "yesterday"}]}, {"entries": [entry | {"after": {"apps": 7}}]},
        {"start": run["start"] | {"list": None}}, {"start": run["start"] | {"groups": "x"}}, {"start": run["start"] | {"badges": None}},
        {"start": {"apps": []}},
    ]
    texts = [json.dumps(run | change) for change in damaged] + ["", "{", "null", "[]", '"posthorn-run"', whole.read_text()[:-20]]

    def open_text(name, text):
        """Another file each time, and no message of the one before."""
        file = tmp_path / f"{name}.json"
        file.write_text(text)
        page.evaluate("document.getElementById('result').textContent = ''")
        page.set_input_files("#file", file)

    for number, text in enumerate(texts):
        open_text(number, text)
        page.locator("#result", has_text="run").wait_for()
        assert not page.locator("#replay").is_visible(), text[:100]
        page.keyboard.press("ArrowRight")
    # A step in the middle: those before it can be seen.
    entries = run["entries"][:3] + [run["entries"][3] | {"after": run["start"] | {"list": 7}}] + run["entries"][4:]
    open_text("middle", json.dumps(run | {"entries": entries}))
    page.locator("#replay").wait_for()
    page.locator("#timeline tr:nth-child(4)").click()
    page.locator("#result", has_text="step 4 cannot be shown").wait_for()
    page.set_input_files("#file", whole)
    page.locator("#replay").wait_for()
    page.locator(f"#timeline tr:nth-child({len(run['entries'])})").click()
    shown(page, "Whole").wait_for()
    assert problems == []


@pytest.mark.parametrize(
    "language, words, scheme",
    [("en-GB", "Timeline", "light"), pytest.param("zh-CN", "时间线", "dark", marks=ONCE_MORE)],
)
def test_accessible_in_both_languages_and_themes(phone, portal, language, words, scheme):
    page = phone(locale=language, color_scheme=scheme)
    page.get_by_role("heading", name=words).wait_for()
    no_serious_findings(page)
    for path in ("/phones", "/replay", "/try"):
        page.goto(portal["url"] + path)
        no_serious_findings(page)


def test_fits_a_telephone(phone, portal):
    page = phone(viewport={"width": 390, "height": 844})
    no_sideways_scroll(page)
    for path in ("/phones", "/replay", "/try"):
        page.goto(portal["url"] + path)
        no_sideways_scroll(page)


def test_a_viewer_only_looks(browser, visit, portal, administrator):
    viewer = visit(storage_state=create_user(browser, portal, administrator, "looks", "viewer", "only-looks-at-phones-1"))
    viewer.goto(portal["url"] + "/phones")
    viewer.locator("tbody th a").first.click()
    viewer.locator(".phone-bar").wait_for()
    assert viewer.locator("#buttons").count() == 0
    with pytest.raises(Exception, match="send"):
        order(viewer, {"lock": {}})
