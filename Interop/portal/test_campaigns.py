"""Segments, A/B tests, templates and plans: made and read by somebody who knows no JSON, in Chinese."""

import json
import re

import pytest
import requests
from journeys import await_state
from playwright.sync_api import expect
from registration import Device
from visits import no_serious_findings, no_sideways_scroll

TAG = "campaign_people"


@pytest.fixture(scope="module")
def people(sandbox):
    """Forty devices of the app with a tag, enough that no group of a test is empty; they have no token."""
    facts = sandbox["api"]
    auth = (facts["appKey"], facts["masterSecret"])
    app = requests.get(facts["url"] + "/posthorn/v1/app", auth=auth, timeout=30).json()
    devices = []
    for number in range(40):
        device = Device(sandbox["api"]["url"], sandbox["api"]["appKey"], app["bundle_id"])
        device.register(language=["zh-Hans", "en"][number % 2], environment=sandbox["apns"]["environment"])
        devices.append(device)
        assert device.call("POST", "/tags", {"operation": "add", "tags": [TAG]}).ok
    yield
    # The tests of other files share the sandbox.
    for device in devices:
        assert device.call("DELETE").ok


@pytest.fixture
def campaigns(visit, administrator, sandbox):
    def open_page(**options):
        page = visit(storage_state=administrator, **options)
        page.goto(f"{sandbox['portal']['url']}/apps/{sandbox['api']['appKey']}")
        page.locator(".menu a[href$='/campaigns']").click()
        page.wait_for_selector('html[data-ready~="campaigns"]')
        return page

    return open_page


def row(page, name):
    return page.locator("tr", has=page.get_by_role("rowheader", name=name, exact=False))


def compose_for_group(page, group, text):
    """From a plan's row: writes a push to everybody with the tag in a group, and sends it."""
    expect(page.locator("#json")).not_to_have_value("")
    page.fill("#names-tag", TAG)
    page.press("#names-tag", "Enter")
    page.get_by_text("分群与 A/B 测试").click()
    page.fill("#names-abtest", group)
    page.press("#names-abtest", "Enter")
    page.fill("#f-ios_alert_body", text)
    expect(page.locator("#summary")).to_have_text(re.compile(r"^[1-9]\d* 台设备"))
    page.click("#send")
    expect(page.locator("#result a")).to_be_visible()


def test_a_segment_a_test_and_a_plan_without_json_in_chinese(campaigns, people):
    page = campaigns(locale="zh-CN")
    expect(page.locator("h1")).to_have_text("营销活动")
    # A segment, counted while it is made.
    page.click("#segment-new")
    page.fill("#segment-name", "秋季用户")
    page.select_option("#add-condition", label="任一标签")
    page.get_by_label("任一标签").fill(TAG)
    expect(page.locator("#segment-count")).to_have_text("40 台设备")
    page.select_option("#add-condition", label="语言")
    page.get_by_label("语言", exact=True).fill("zh")
    expect(page.locator("#segment-count")).to_have_text("20 台设备")
    page.select_option("#add-condition", label="最近注册")
    expect(page.locator("#segment-count")).to_have_text("20 台设备")
    no_serious_findings(page)
    page.locator("#rows").get_by_role("button", name=re.compile("语言")).click()
    expect(page.locator("#segment-count")).to_have_text("40 台设备")
    page.locator("#segment-form .primary").click()
    expect(row(page, "秋季用户").locator("td").first).to_contain_text(f"标签：{TAG}")
    expect(row(page, "秋季用户")).to_contain_text("最近 7 天注册")
    # An A/B test with a slider.
    page.click("#test-new")
    page.fill("#test-name", "秋季")
    page.get_by_label("分组 A 的比例").fill("30")
    expect(page.locator("#test-rest")).to_have_text("不参加测试：20%")
    page.get_by_label("分组 B 的比例").fill("70")
    expect(page.locator("#test-rest")).to_have_text("不参加测试：0%")
    page.locator("#test-form .primary").click()
    expect(row(page, "秋季_B")).to_contain_text("70%")
    # A plan, and a push to each group in it.
    page.click("#plan-new")
    page.fill("#plan-name", "秋季活动")
    page.locator("#plan-form .primary").click()
    for group, text in [("秋季_A", "秋天到了"), ("秋季_B", "秋季上新")]:
        row(page, "秋季活动").get_by_role("link", name="发送推送").click()
        compose_for_group(page, group, text)
        page.locator(".menu a[href$='/campaigns']").click()
        page.wait_for_selector('html[data-ready~="campaigns"]')
    # The results.
    row(page, "秋季活动").get_by_role("button", name="查看结果").click()
    results = page.locator("#results")
    expect(results).to_contain_text("“秋季活动”的结果")
    expect(results.locator("table").first.locator("tbody tr")).to_have_count(2)
    expect(results.locator("table").nth(1)).to_contain_text("秋季_A")
    expect(results).to_contain_text("按语言")
    no_serious_findings(page)
    no_sideways_scroll(page)
    # The second view of a segment.
    row(page, "秋季用户").get_by_role("button", name="编辑").click()
    page.locator("#segment-form summary").click()
    rule = json.loads(page.input_value("#segment-json"))
    assert rule == {"audience": {"tag": [TAG]}, "registered_within_days": 7}
    page.fill("#segment-json", json.dumps(rule | {"zone": ["Asia/Shanghai"]}))
    expect(page.locator("#rows li")).to_have_count(3)
    page.fill("#segment-json", "{bad")
    expect(page.locator("#segment-result")).to_be_visible()
    page.click("#segment-cancel")
    # What is no longer needed.
    for name in ("秋季用户", "秋季活动"):
        row(page, name).get_by_role("button", name="删除").click()
        page.get_by_role("dialog").get_by_role("button", name="删除").click()
        expect(row(page, name)).to_have_count(0)


def test_a_language_of_a_segment_is_chosen_from_a_list(campaigns):
    page = campaigns()
    page.click("#segment-new")
    page.select_option("#add-condition", label="Language")
    page.get_by_label("Add a language").select_option("pt-BR")
    page.get_by_label("Add a language").select_option("he")
    expect(page.get_by_label("Language", exact=True)).to_have_value("pt-BR, he")
    page.click("#segment-cancel")


def test_who_got_a_push_is_left_out_of_the_next(campaigns, people, api, sandbox):
    device = sandbox["devices"][0]["registrationID"]
    push = {"platform": "ios", "audience": {"registration_id": [device]}, "notification": {"alert": "The first of two"},
            "options": {"apns_production": sandbox["apns"]["environment"] == "production"}}
    first = api("POST", "/v3/push", push)["msg_id"]
    # The page counts once for each change of the audience.
    await_state(sandbox, first, device, "sent", "delivered", "handled", "shown")
    page = campaigns()
    page.locator(".menu a[href$='/compose']").click()
    expect(page.locator("#json")).not_to_have_value("")
    page.get_by_text("Earlier pushes").click()
    page.click("#past-add")
    page.get_by_label("Push", exact=True).select_option(first)
    page.get_by_label("What became of it").select_option(label="who did not get it")
    page.fill("#names-registration_id", device)
    page.press("#names-registration_id", "Enter")
    expect(page.locator("#summary")).to_have_text("0 devices")
    page.get_by_label("What became of it").select_option(label="who got it")
    expect(page.locator("#summary")).to_have_text("1 device")


def test_what_is_wrong_with_a_segment_is_said_in_chinese(campaigns, api):
    api("PUT", "/posthorn/v1/segments/gone", {"audience": {"x_pushes": [{"msg_id": "7", "was": "opened"}]}})
    page = campaigns(locale="zh-CN")
    expect(row(page, "gone")).to_contain_text("“audience.x_pushes”中的 7 不是该 App 的推送")
    page.click("#segment-new")
    page.locator("#segment-form summary").click()
    page.fill("#segment-json", "[]")
    expect(page.locator("#segment-result")).to_have_text("JSON 无效：规则必须是 JSON 对象（花括号）。")
    api("DELETE", "/posthorn/v1/segments/gone")


def test_a_template_is_saved_filled_and_sent(campaigns, api):
    page = campaigns()
    page.locator(".menu a[href$='/compose']").click()
    expect(page.locator("#json")).not_to_have_value("")
    page.fill("#f-ios_alert_title", "Hello {{who}}")
    page.fill("#f-ios_alert_body", "Your order {{order}} is on its way")
    page.fill("#draft-name", "Order sent")
    page.click("#template-save")
    expect(page.locator("#draft-result")).to_have_text("Order sent is a template now.")
    page.locator(".menu a[href$='/campaigns']").click()
    row(page, "Order sent").get_by_role("link", name="Use").click()
    page.fill("#variable-who", "Ada")
    page.fill("#variable-order", "1207")
    expect(page.locator("#preview")).to_contain_text("Hello Ada")
    expect(page.locator("#preview")).to_contain_text("Your order 1207 is on its way")
    for template in api("GET", "/posthorn/v1/templates")["templates"]:
        api("DELETE", f"/posthorn/v1/templates/{template['id']}")


def test_drafts_survive_another_page_and_can_be_named_and_copied(campaigns, sandbox):
    page = campaigns()
    compose = lambda: (page.locator(".menu a[href$='/compose']").click(), expect(page.locator("#json")).not_to_have_value(""))  # noqa: E731
    compose()
    page.fill("#f-ios_alert_body", "Half a thought")
    # Kept a moment after the last key.
    expect(page.locator("html")).to_have_attribute("data-draft", "kept")
    page.locator(".menu a[href$='/messages']").click()
    # Nobody else who signs in with this browser sees it.
    kept = page.evaluate("Object.keys(localStorage).filter((key) => key.includes('drafts'))")
    assert kept == [f"posthorn.drafts.{sandbox['api']['appKey']}.{sandbox['portal']['user']}"]
    compose()
    expect(page.locator("#draft-result")).to_have_text("This is what you wrote last.")
    expect(page.locator("#f-ios_alert_body")).to_have_value("Half a thought")
    page.click("#draft-save")
    expect(page.locator("#draft-result")).to_have_text("Give it a name first.")
    for name in ("Autumn", "Autumn, again"):
        page.fill("#draft-name", name)
        page.click("#draft-save")
    page.fill("#f-ios_alert_body", "Something else")
    page.select_option("#draft-open", "Autumn")
    expect(page.locator("#f-ios_alert_body")).to_have_value("Half a thought")
    page.click("#draft-remove")
    expect(page.locator("#draft-open option")).to_have_count(2)
    page.click("#draft-new")
    expect(page.locator("#f-ios_alert_body")).to_have_value("")
    no_serious_findings(page)


def test_test_people_get_the_push_first(campaigns, sandbox):
    device = sandbox["devices"][0]["registrationID"]
    page = campaigns()
    page.locator(".menu a[href$='/compose']").click()
    expect(page.locator("#json")).not_to_have_value("")
    page.fill("#f-ios_alert_body", "To test people")
    page.click("#people-send")
    expect(page.locator("#people-result")).to_have_text("Add somebody first.")
    page.fill("#people", f"{device},nobody_at_all")
    page.click("#people-send")
    expect(page.locator("#people-result li")).to_have_count(2)
    expect(page.locator("#people-result li").first).to_contain_text(f"Sent to {device}")
    expect(page.locator("#people-result li").last).to_contain_text("nobody_at_all")
    page.reload()
    expect(page.locator("#people-list li")).to_have_count(2)
    # What does not fit stays where it was typed, and nothing is sent without it.
    page.fill("#people", ",".join(f"person_{number}" for number in range(19)))
    page.click("#people-send")
    expect(page.locator("#people-result")).to_have_text("At most 20 test people: person_18 would be too many.")
    expect(page.locator("#people")).to_have_value("person_18")
    expect(page.locator("#people-list li")).to_have_count(20)


def test_texts_by_language_have_tabs_previews_and_counts(campaigns, people):
    page = campaigns()
    page.locator(".menu a[href$='/compose']").click()
    expect(page.locator("#json")).not_to_have_value("")
    page.fill("#f-ios_alert_body", "Hello")
    page.select_option("#language-add", "pt-BR")
    expect(page.get_by_role("tab", name="Brazilian Portuguese")).to_be_visible()
    page.get_by_role("button", name="Remove Brazilian Portuguese").click()
    page.select_option("#language-add", "zh-Hans")
    page.fill("#language-title", "订单")
    page.fill("#language-body", "你好")
    expect(page.locator("#preview")).to_contain_text("你好")
    push = json.loads(page.input_value("#json"))
    assert push["notification"]["ios"]["x_localized"] == {"zh-Hans": {"title": "订单", "body": "你好"}}
    page.get_by_role("tab", name="All others").click()
    expect(page.locator("#preview")).to_contain_text("Hello")
    page.check("input[value=all]")
    expect(page.get_by_role("tab", name="All others")).to_have_text(re.compile(r"All others \d"))
    expect(page.locator("#forecast")).to_contain_text("devices")
    page.get_by_role("tab", name="All others").press("ArrowRight")
    page.get_by_role("button", name="Remove Simplified Chinese").click()
    assert "x_localized" not in json.loads(page.input_value("#json"))["notification"]["ios"]
    no_serious_findings(page)


def test_languages_that_are_no_tags_leave_every_list_readable(campaigns, api):
    """iOS itself writes `zh_CN`, and an app may report anything."""
    api("PUT", "/posthorn/v1/segments/underscore", {"language": ["zh_CN"]})
    page = campaigns()
    expect(row(page, "underscore")).to_contain_text("Chinese (China)")
    names = page.evaluate(
        """async () => {
            const { languageName } = await import(document.querySelector('script[src$="portal.js"]').src);
            return ["zh_CN", "a b !!"].map(languageName);
        }"""
    )
    assert names == ["Chinese (China)", "a b !!"]
    page.locator(".menu a[href$='/compose']").click()
    expect(page.locator("#json")).not_to_have_value("")
    page.evaluate("for (const part of document.querySelectorAll('details')) part.open = true")
    page.fill("#f-ios_x_localized", '{"zh_Hant": "您好", "a b": "Hi"}')
    expect(page.get_by_role("tab", name="Traditional Chinese")).to_be_visible()
    expect(page.get_by_role("tab", name="a b")).to_be_visible()
    api("DELETE", "/posthorn/v1/segments/underscore")


def test_what_matters_stays_in_view_while_one_writes(campaigns):
    page = campaigns()
    page.locator(".menu a[href$='/compose']").click()
    expect(page.locator("#json")).not_to_have_value("")
    assert page.evaluate("document.documentElement.scrollHeight") < 2500
    for field in ("#names-tag", "#f-ios_alert_body", "#people"):
        page.locator(field).scroll_into_view_if_needed()
        page.locator(field).focus()
        for part in ("#summary", "#send"):
            expect(page.locator(part)).to_be_in_viewport()
    page.locator("#f-ios_alert_body").focus()
    for part in ("#preview", "#sizes"):
        expect(page.locator(part)).to_be_in_viewport()


def test_pushes_are_found_by_text_audience_plan_and_sender(campaigns, api, sandbox):
    device = sandbox["devices"][0]["registrationID"]
    push = {"platform": "ios", "audience": {"registration_id": [device]}, "notification": {"alert": "Ein Wort, das selten ist"},
            "options": {"apns_production": sandbox["apns"]["environment"] == "production"}}
    api("POST", "/v3/push", push)
    page = campaigns()
    page.locator(".menu a[href$='/messages']").click()

    def search(text):
        page.fill("#id", text)
        page.get_by_role("button", name="Search").click()
        return page.locator("#messages tbody tr")

    expect(search("WORT, das")).to_have_count(1)
    expect(search(device).first).to_be_visible()
    expect(search("no push says this")).to_have_count(0)
    expect(page.locator("main")).to_contain_text("No push has this text.")
    page.locator(".menu a[href$='/compose']").click()
    expect(page.locator("#json")).not_to_have_value("")
    page.fill("#f-ios_alert_body", "From the portal")
    page.fill("#people", device)
    page.click("#people-send")
    expect(page.locator("#people-result li")).to_have_count(1)
    page.locator(".menu a[href$='/messages']").click()
    expect(search(f"portal/{sandbox['portal']['user']}").first).to_be_visible()
