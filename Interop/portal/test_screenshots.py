"""Pictures of the main pages in both themes: for the documents if `POSTHORN_SCREENSHOTS` names a folder, otherwise only checked.

Pictures in Chinese are made for the documents only: other tests examine the pages in that language.
"""

import os
import pathlib
import struct
import zlib

import pytest
from gateways import start
from journeys import await_state
from phones import bring_home, order, push, shown
from playwright.sync_api import expect
from pushes import devices, environment, send
from test_apps import certificates, read, show_new_app  # noqa: F401: a fixture is used by its name.
from test_console import Provider

# Made for the documents they are wanted in any case.
pytestmark = [] if os.environ.get("POSTHORN_SCREENSHOTS") else pytest.mark.release("takes pictures of pages that other tests visit")

WIDTH = 1280
LANGUAGES = ["en", "zh-Hans"] if os.environ.get("POSTHORN_SCREENSHOTS") else ["en"]
LOCALES = {"en": "en-GB", "zh-Hans": "zh-CN"}
# What the pushes say, and what a page must show before its picture is taken.
WORDS = {
    "en": {
        "packed": "Your order has been packed",
        "arrives": "Your order arrives today between 14:00 and 16:00",
        "test": "A test for the developers",
        "title": "Your order",
        "body": "It arrives today between 14:00 and 16:00",
        "devices": "device",
        "environment": "registered in another APNs environment",
        "order": "Order 1207",
        "today": "Arrives today",
        "other": "To the other environment",
        "question": "Will you be at home at 15:00?",
        "reply": "Yes, ring twice",
    },
    "zh-Hans": {
        "packed": "你的订单已打包",
        "arrives": "你的订单今天 14:00 到 16:00 送达",
        "test": "给开发者的测试",
        "title": "你的订单",
        "body": "今天 14:00 到 16:00 送达",
        "devices": "设备",
        "environment": "options.apns_production",
        "order": "订单 1207",
        "today": "今天送达",
        "other": "发往另一个环境",
        "question": "15:00 你在家吗？",
        "reply": "在，请按两次门铃",
    },
}
# The pictures are part of the repository.
LIMIT = 120 * 1024


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    named = os.environ.get("POSTHORN_SCREENSHOTS")
    folder = pathlib.Path(named).resolve() if named else tmp_path_factory.mktemp("screenshots")
    folder.mkdir(parents=True, exist_ok=True)
    return folder


def rows(png):
    """The number of different rows of pixels in a PNG with 8 bits a channel that is not interlaced."""
    at, data = 8, b""
    while at < len(png):
        length, kind = struct.unpack(">I4s", png[at:at + 8])
        if kind == b"IHDR":
            width, height, depth, colour, _, _, interlaced = struct.unpack(">IIBBBBB", png[at + 8:at + 8 + length])
            assert (depth, interlaced) == (8, 0)
        if kind == b"IDAT":
            data += png[at + 8:at + 8 + length]
        at += length + 12
    size = {2: 3, 6: 4}[colour]
    pixels = zlib.decompress(data)
    # A byte before each row names its filter.
    line = width * size + 1
    assert len(pixels) == line * height
    return len({pixels[start + 1:start + line] for start in range(0, len(pixels), line)})


@pytest.fixture
def take(folder, language):
    """A function that takes a picture of the window, whose height is in CSS pixels, or of a part of the page."""
    suffix = "" if language == "en" else f"-{language}"

    def shot(page, name, scheme, height=800, part=None):
        page.set_viewport_size({"width": WIDTH, "height": height})
        page.mouse.move(0, 0)
        page.evaluate("document.activeElement.blur(); scrollTo(0, 0)")
        page.evaluate("document.fonts.ready")
        file = folder / f"{name}{suffix}-{scheme}.png"
        (page.locator(part) if part else page).screenshot(path=file, animations="disabled")
        assert rows(file.read_bytes()) > 50, f"{file} is blank"
        assert file.stat().st_size <= LIMIT, f"{file} has {file.stat().st_size} bytes"

    return shot


@pytest.fixture(scope="module", params=LANGUAGES)
def language(request):
    return request.param


@pytest.fixture(scope="module")
def words(language):
    return WORDS[language]


@pytest.fixture(scope="module")
def told(sandbox, words):
    """A day of an app: pushes that were shown, opened, and kept from devices."""
    own = environment(sandbox)
    device = devices(sandbox)[0]["registration_id"]
    send(sandbox, words["packed"])
    message = send(sandbox, words["arrives"])
    await_state(sandbox, message, device, "shown")
    return message, device, send(sandbox, words["test"], production=not own)


@pytest.fixture(params=["light", "dark"])
def scheme(request):
    return request.param


@pytest.fixture
def opened(visit, administrator, portal, sandbox, scheme, language):
    """A function that opens a page of the portal in a theme and a language; `app` stands for the app's path."""

    def open_page(path):
        page = visit(
            storage_state=administrator, color_scheme=scheme, locale=LOCALES[language], viewport={"width": WIDTH, "height": 800}
        )
        page.goto(portal["url"] + path.replace("{app}", f"/apps/{sandbox['api']['appKey']}"))
        return page

    return open_page


def test_compose(opened, take, scheme, words):
    page = opened("{app}/compose")
    expect(page.locator("#json")).not_to_have_value("")
    page.check("input[value=all]")
    page.fill("#f-ios_alert_title", words["title"])
    page.fill("#f-ios_alert_body", words["body"])
    page.fill("#f-ios_badge", "+1")
    expect(page.locator("#count")).to_contain_text(words["devices"])
    take(page, "compose", scheme)


def test_the_optional_settings(opened, take, scheme, words):
    page = opened("{app}/compose")
    expect(page.locator("#json")).not_to_have_value("")
    page.locator("#optional > summary").click()
    for field, value in [("badge", "+1"), ("sound", "default"), ("category", "message"), ("thread_id", "orders")]:
        page.fill(f"#f-ios_{field}", value)
    page.fill("#f-time_to_live", "3600")
    page.fill("#f-ios_extras", '{"order": 1207}')
    take(page, "optional", scheme, part="#optional")


def test_the_upload_and_the_verdict_on_a_credential(opened, take, scheme, portal, certificates):
    page = opened("")
    show_new_app(page, portal)
    read(page, certificates["development"])
    expect(page.locator("#store")).to_be_enabled()
    take(page, "upload", scheme, part="section:has(#add)")
    page.click("#store")
    expect(page.locator("#trial tbody tr")).to_have_count(2)
    take(page, "credential", scheme, part="section:has(#credentials)")


def test_a_message_with_its_outcomes(opened, take, scheme, told, words):
    page = opened(f"{{app}}/messages/{told[2]}")
    expect(page.locator("#outcomes")).to_contain_text(words["environment"])
    take(page, "message", scheme, 960)


def test_why(opened, take, scheme, told):
    page = opened(f"{{app}}/messages/{told[0]}/devices/{told[1]}")
    expect(page.locator(".timeline .actor").first).to_be_visible()
    take(page, "why", scheme)


def test_reports(opened, take, scheme, told):
    page = opened("{app}/reports")
    expect(page.locator("svg[role=img]").first).to_be_visible()
    take(page, "reports", scheme, 900)


def test_the_phone(opened, take, scheme, sandbox, told):
    page = opened("/phones/" + sandbox["devices"][0]["name"].replace(" ", "%20"))
    page.locator(".phone-bar").wait_for()
    if page.locator("#lock").is_enabled():
        page.click("#lock")
    page.locator(".phone-clock").wait_for()
    expect(page.locator("#timeline tr").first).to_be_visible()
    take(page, "phone", scheme, 860)


def test_the_phone_with_buttons_and_a_reply(opened, take, scheme, sandbox, words, language):
    page = opened("/phones/" + sandbox["devices"][0]["name"].replace(" ", "%20"))
    page.locator(".phone-bar").wait_for()
    order(page, {"language": {"_0": language}})
    bring_home(page)
    push(page, sandbox, {"title": words["order"], "body": words["question"]}, category="message")
    shown(page, words["question"]).locator(".notification-body").click(button="right")
    page.locator(".phone-reply input").fill(words["reply"])
    take(page, "reply", scheme, 860, part="#phone .phone")
    order(page, {"language": {"_0": "en"}})


def test_the_console(visit, take, scheme, language, words, tmp_path):
    process, gateway = start(tmp_path, "--console", tokens=2)
    provider = Provider(gateway)
    provider.push({"aps": {"alert": {"title": words["order"], "body": words["today"]}, "badge": 1}}, apns_collapse_id="order-1207")
    provider.push({"aps": {"content-available": 1}, "order": 1207}, apns_push_type="background", apns_priority="5")
    provider.push({"aps": {"alert": words["other"]}}, token=gateway.read("otherEnvironment"))
    page = visit(color_scheme=scheme, locale=LOCALES[language], viewport={"width": WIDTH, "height": 800})
    page.goto(gateway.facts["console"])
    page.locator("table.pushes tbody tr", has_text=words["other"]).get_by_role("link").click()
    page.locator("#detail").get_by_text("400 BadDeviceToken").wait_for()
    take(page, "console", scheme)
    assert process.stop() == 0
