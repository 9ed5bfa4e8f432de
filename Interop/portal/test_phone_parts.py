"""Parts of the phone page: files, the content extension, threads and the summary, the map, Focus and settings."""

import json
import re
import struct
import threading
import zlib
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from urllib.parse import urlencode

import pytest
from phones import bring_home, choose, event, order, ordering, push, shown, switch
from playwright.sync_api import expect
from processes import Process
from visits import stored

# Ljubljana.
PLACE = {"latitude": 46.05, "longitude": 14.5}


def png():
    """A picture of 40 × 20 pixels."""
    def chunk(kind, data):
        return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))

    rows = zlib.compress((b"\0" + b"\x20\x60\xc0" * 40) * 20)
    return b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", struct.pack(">IIBBBBB", 40, 20, 8, 2, 0, 0, 0)) + chunk(b"IDAT", rows) + chunk(b"IEND", b"")


def wav():
    """A sound of a tenth of a second: silence of 8000 samples a second, 8 bits each."""
    samples = b"\x80" * 800
    head = struct.pack("<4sIHHIIHH", b"fmt ", 16, 1, 1, 8000, 8000, 1, 8)
    return struct.pack("<4sI4s", b"RIFF", 36 + len(samples), b"WAVE") + head + struct.pack("<4sI", b"data", len(samples)) + samples


def mp4():
    """A video of a second without tracks: the boxes of ISO/IEC 14496-12 that every file has."""
    def box(kind, data):
        return struct.pack(">I4s", 8 + len(data), kind) + data

    scale, length = 1000, 1000
    matrix = struct.pack(">9I", 0x10000, 0, 0, 0, 0x10000, 0, 0, 0, 0x40000000)
    header = struct.pack(">IIIIIIHH8x", 0, 0, 0, scale, length, 0x10000, 0x100, 0) + matrix + bytes(24) + struct.pack(">I", 1)
    return box(b"ftyp", b"isom" + bytes(4) + b"isom") + box(b"moov", box(b"mvhd", header))


FILES = {"/picture": ("image/png", png), "/sound": ("audio/wav", wav), "/video": ("video/mp4", mp4)}


@pytest.fixture
def files():
    """The address on this machine of the files."""
    class Handler(BaseHTTPRequestHandler):
        def do_GET(self):
            kind, content = FILES[self.path]
            self.send_response(200)
            self.send_header("Content-Type", kind)
            self.end_headers()
            self.wfile.write(content())

        def log_message(self, *_):
            pass

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    yield f"http://127.0.0.1:{server.server_port}"
    server.shutdown()
    server.server_close()


@pytest.fixture(scope="module")
def fetching(tmp_path_factory):
    """A sandbox whose app may fetch from this machine."""
    process = Process("sandbox", "--json", "--fetch-from-machine", "--data", tmp_path_factory.mktemp("fetching") / "data")
    yield json.loads(process.line())
    assert process.stop() == 0


@pytest.fixture(scope="module")
def fetching_administrator(browser, fetching):
    return stored(browser, fetching["portal"])


@pytest.fixture
def fetching_phone(visit, fetching, fetching_administrator):
    """The page of a phone whose app may fetch from this machine."""
    page = visit(storage_state=fetching_administrator)
    page.goto(fetching["portal"]["url"] + "/phones")
    page.locator("tbody th a").first.click()
    page.locator(".phone-bar").wait_for()
    bring_home(page)
    return page


def attachment(page, fetching, **query):
    """What the portal answers for a file of a notification."""
    path = page.locator("#phone-page").get_attribute("data-path") + "/attachment?" + urlencode(query)
    return page.request.get(fetching["portal"]["url"].removesuffix("/portal") + path)


def width(image):
    """The width of a picture that the browser has decoded."""
    image.wait_for()
    return image.evaluate("image => image.decode().then(() => image.naturalWidth)")


def test_a_picture_is_a_thumbnail_and_large_in_the_expanded_view(fetching_phone, fetching, files):
    page = fetching_phone
    push(page, fetching, "With a picture", **{"mutable-content": True, "extras": {"image": files + "/picture"}})
    notification = shown(page, "With a picture")
    assert width(notification.locator("img.thumbnail")) == 40
    notification.get_by_role("button", name="Actions").click()
    sheet = page.get_by_role("group", name="Expanded")
    assert width(sheet.locator("img")) == 40
    # Only what the phone shows is served.
    assert attachment(page, fetching, notification="none", attachment="image").status == 404


@pytest.mark.parametrize(
    "key, path, element, label", [("audio", "/sound", "audio", "Sound"), ("video", "/video", "video", "Video")]
)
def test_a_sound_and_a_video_play_in_the_expanded_view(fetching_phone, fetching, files, key, path, element, label):
    page = fetching_phone
    push(page, fetching, f"With {key}", **{"mutable-content": True, "extras": {key: files + path}})
    notification = shown(page, f"With {key}")
    expect(notification).to_contain_text("Attachments: 1")
    notification.locator(".notification-body").click(button="right")
    media = page.get_by_role("group", name="Expanded").locator(element)
    expect(media).to_have_attribute("aria-label", f"{label} of the notification")
    # The browser has read the file.
    read = media.element_handle()
    page.wait_for_function("media => media.readyState > 0 || media.error", arg=read)
    kind, content = FILES[path]
    answer = page.request.get(media.evaluate("media => media.src"))
    assert (answer.status, answer.headers["content-type"]) == (200, kind)
    assert answer.body() == content()
    if element == "audio":
        # The page draws another one when something else changes on the phone.
        assert read.evaluate("media => media.error") is None
        assert read.evaluate("media => media.duration") == pytest.approx(0.1)


def test_the_content_extension_shows_its_state_and_media_button(fetching_phone, fetching, files):
    page = fetching_phone
    push(
        page, fetching, {"title": "Half price", "body": "Listen"}, category="offer",
        **{"mutable-content": True, "extras": {"audio": files + "/sound"}},
    )
    shown(page, "Half price").locator(".notification-body").hover()
    # A long press.
    page.mouse.down()
    content = page.locator(".content-view")
    expect(content).to_contain_text("Offer: Half price")
    page.mouse.up()
    height = int(re.search(r"view of (\d+) points", content.inner_text()).group(1))
    content.get_by_role("button", name="Play").click()
    content.get_by_role("button", name="Pause").click()
    content.get_by_role("button", name="Play").wait_for()
    event(page, "callback", "UNNotificationContentExtension.mediaPlay()").wait_for()
    event(page, "callback", "UNNotificationContentExtension.mediaPause()").wait_for()
    page.get_by_role("button", name="Close", exact=True).click()
    content.wait_for(state="detached")
    # Without a file the view is lower, and has no media button. The button of the category calls the app.
    push(page, fetching, {"title": "Just words", "body": "Read"}, category="offer")
    shown(page, "Just words").get_by_role("button", name="Actions").click()
    expect(content).to_contain_text("Offer: Just words")
    assert int(re.search(r"view of (\d+) points", content.inner_text()).group(1)) < height
    expect(content.get_by_role("button")).to_have_count(0)
    page.locator(".sheet button", has_text="Have a look").click()
    content.wait_for(state="detached")
    event(page, "acted").wait_for()


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
    # Some hours ahead: the summary comes when the clock is turned.
    hour = int(page.locator(".phone-bar [data-time]").inner_text().split(":")[0])
    page.fill("#summary", f"{(hour + 4) % 24}:00 {(hour + 14) % 24}:00")
    with ordering(page):
        page.locator("#summary-form button").click()
    page.locator("summary", has_text="Notification settings").click()
    switch(page, "#summarized", True)
    push(page, sandbox, "For the summary")
    expect(page.locator(".upcoming")).to_contain_text("For the summary")
    expect(shown(page, "For the summary")).to_have_count(0)
    page.click("#to-firing")
    shown(page, "For the summary").wait_for()
    expect(page.locator(".upcoming")).to_have_count(0)
    switch(page, "#summarized", False)
    page.fill("#summary", "")
    with ordering(page):
        page.locator("#summary-form button").click()


def test_a_click_on_the_map_enters_a_region(phone):
    page = phone()
    page.locator("summary", has_text="Place").click()
    page.fill("#latitude", "0")
    page.fill("#longitude", "0")
    with ordering(page):
        page.locator("#place-form button").click()
    expect(page.locator("#map-mark")).to_have_attribute("visibility", "visible")
    choose(page, "#access", label="Always")
    local = {
        "identifier": "home", "trigger": "", "place": PLACE | {"radius": 200_000, "isExit": False},
        "repeats": False, "title": "You are home", "body": "Water the plants",
    }
    order(page, {"addLocal": {"_0": local}})
    box = page.locator("#map").bounding_box()
    x, y = (PLACE["longitude"] + 180) / 360 * box["width"], (90 - PLACE["latitude"]) / 180 * box["height"]
    page.locator("#map").click(position={"x": x, "y": y})
    shown(page, "You are home").wait_for()
    assert abs(float(page.locator("#map-mark").get_attribute("cx")) - PLACE["longitude"]) < 1
    assert abs(float(page.input_value("#latitude")) - PLACE["latitude"]) < 1


def test_a_focus_keeps_quiet_and_hidden_previews_hide_the_text(phone, sandbox):
    page = phone()
    page.locator("summary", has_text="Focus").click()
    choose(page, "#focus", "Do Not Disturb")
    page.locator(".phone-bar", has_text="Do Not Disturb").wait_for()
    push(page, sandbox, "Quietly")
    shown(page, "Quietly").wait_for()
    expect(page.locator(".banner-layer")).to_have_count(0)
    choose(page, "#focus", "")
    page.locator("summary", has_text="Notification settings").click()
    choose(page, "#previews", "never")
    push(page, sandbox, "A secret of the shop")
    event(page, "listed", "A secret of the shop").wait_for()
    expect(page.locator(".phone-centre .notification").first).to_contain_text("Notification")
    expect(page.locator(".phone-centre .notification", has_text="A secret")).to_have_count(0)
    choose(page, "#previews", "always")
    shown(page, "A secret of the shop").wait_for()
