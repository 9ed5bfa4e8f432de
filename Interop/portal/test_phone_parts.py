"""Parts of the phone page: pictures, threads and the summary, the map, Focus and settings."""

import json
import struct
import threading
import zlib
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

import pytest
from phones import event, order, push, shown
from playwright.sync_api import expect
from processes import Process
from visits import sign_in

# Ljubljana.
PLACE = {"latitude": 46.05, "longitude": 14.5}


def png():
    """A picture of 40 × 20 pixels."""
    def chunk(kind, data):
        return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))

    rows = zlib.compress((b"\0" + b"\x20\x60\xc0" * 40) * 20)
    return b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", struct.pack(">IIBBBBB", 40, 20, 8, 2, 0, 0, 0)) + chunk(b"IDAT", rows) + chunk(b"IEND", b"")


@pytest.fixture
def picture():
    """The address of a picture on this machine."""
    class Handler(BaseHTTPRequestHandler):
        def do_GET(self):
            self.send_response(200)
            self.send_header("Content-Type", "image/png")
            self.end_headers()
            self.wfile.write(png())

        def log_message(self, *_):
            pass

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    yield f"http://127.0.0.1:{server.server_port}/picture.png"
    server.shutdown()
    server.server_close()


@pytest.fixture
def fetching(tmp_path):
    """A sandbox whose app may fetch from this machine."""
    process = Process("sandbox", "--json", "--fetch-from-machine", "--data", tmp_path / "data")
    yield json.loads(process.line(timeout=120))
    assert process.stop() == 0


def width(image):
    """The width of a picture that the browser has decoded."""
    image.wait_for()
    return image.evaluate("image => image.decode().then(() => image.naturalWidth)")


def test_a_picture_is_a_thumbnail_and_large_in_the_expanded_view(visit, fetching, picture):
    page = sign_in(visit(), fetching["portal"])
    page.goto(fetching["portal"]["url"] + "/phones")
    page.locator("tbody th a").first.click()
    page.locator(".phone-bar").wait_for()
    order(page, {"background": {}})
    push(page, fetching, "With a picture", **{"mutable-content": True, "extras": {"image": picture}})
    notification = shown(page, "With a picture")
    assert width(notification.locator("img.thumbnail")) == 40
    notification.get_by_role("button", name="Actions").click()
    sheet = page.get_by_role("group", name="Expanded")
    assert width(sheet.locator("img")) == 40
    # Only what the phone shows is served.
    address = page.locator("#phone-page").get_attribute("data-path") + "/attachment?notification=none&attachment=image"
    assert page.request.get(fetching["portal"]["url"].removesuffix("/portal") + address).status == 404


def test_a_thread_is_a_stack_that_opens(phone, sandbox):
    page = phone()
    for words in ("First of three", "Second of three", "Third of three"):
        push(page, sandbox, words, **{"thread-id": "deals"})
        shown(page, words).wait_for()
    expect(page.locator(".phone-centre .notification")).to_have_count(1)
    stack = page.locator(".stack")
    expect(stack).to_contain_text("2 more")
    expect(stack).to_have_attribute("aria-expanded", "false")
    stack.click()
    expect(page.locator(".phone-centre .notification")).to_have_count(3)
    shown(page, "First of three").get_by_role("button", name="Dismiss").click()
    expect(page.locator(".phone-centre .notification")).to_have_count(2)
    page.get_by_role("button", name="Show less").click()
    expect(page.locator(".phone-centre .notification")).to_have_count(1)


def test_the_scheduled_summary_holds_notifications(phone, sandbox):
    page = phone()
    page.locator("summary", has_text="Focus").click()
    page.fill("#summary", "25:00")
    page.locator("#summary-form button").click()
    expect(page.locator("#result")).to_have_class("problem")
    page.fill("#summary", "8:00 18:00")
    page.locator("#summary-form button").click()
    page.locator("summary", has_text="Notification settings").click()
    page.check("#summarized")
    push(page, sandbox, "For the summary")
    expect(page.locator(".upcoming")).to_contain_text("For the summary")
    expect(shown(page, "For the summary")).to_have_count(0)
    page.click("#to-firing")
    shown(page, "For the summary").wait_for()
    expect(page.locator(".upcoming")).to_have_count(0)
    page.uncheck("#summarized")
    page.fill("#summary", "")
    page.locator("#summary-form button").click()


def test_a_click_on_the_map_enters_a_region(phone):
    page = phone()
    page.locator("summary", has_text="Place").click()
    page.fill("#latitude", "0")
    page.fill("#longitude", "0")
    page.locator("#place-form button").click()
    expect(page.locator("#map-mark")).to_have_attribute("visibility", "visible")
    page.select_option("#access", label="Always")
    local = {
        "identifier": "home", "trigger": "", "place": PLACE | {"radius": 200_000, "isExit": False},
        "repeats": False, "title": "You are home", "body": "Water the plants",
    }
    order(page, {"addLocal": {"_0": local}})
    box = page.locator("#map").bounding_box()
    page.mouse.click(
        box["x"] + (PLACE["longitude"] + 180) / 360 * box["width"], box["y"] + (90 - PLACE["latitude"]) / 180 * box["height"]
    )
    shown(page, "You are home").wait_for()
    assert abs(float(page.locator("#map-mark").get_attribute("cx")) - PLACE["longitude"]) < 1
    assert abs(float(page.input_value("#latitude")) - PLACE["latitude"]) < 1


def test_a_focus_keeps_quiet_and_hidden_previews_hide_the_text(phone, sandbox):
    page = phone()
    page.locator("summary", has_text="Focus").click()
    page.select_option("#focus", "Do Not Disturb")
    page.locator(".phone-bar", has_text="Do Not Disturb").wait_for()
    push(page, sandbox, "Quietly")
    shown(page, "Quietly").wait_for()
    expect(page.locator(".banner-layer")).to_have_count(0)
    page.select_option("#focus", "")
    page.locator("summary", has_text="Notification settings").click()
    page.select_option("#previews", "never")
    push(page, sandbox, "A secret of the shop")
    event(page, "listed").wait_for()
    expect(page.locator(".phone-centre .notification").first).to_contain_text("Notification")
    expect(page.locator(".phone-centre .notification", has_text="A secret")).to_have_count(0)
    page.select_option("#previews", "always")
    shown(page, "A secret of the shop").wait_for()
