"""Live Activities and calls on the phone page: a phone's events come from the test, and its orders go to the test.

At the end those of the sample app, from the service's API over APNs to the browser.
"""

import json
import time
from datetime import datetime, timedelta, timezone

import pytest
from phones import event, order, send
from playwright.sync_api import Error, expect
from visits import ONCE_MORE, no_serious_findings, no_sideways_scroll

PIZZA = {
    "id": "A7", "app": "com.example.pizza", "appName": "Pizza", "type": "DeliveryAttributes", "state": "active",
    "attributes": json.dumps({"orderNumber": "A7"}), "content": json.dumps({"status": "baking", "minutesLeft": 30}),
    "staleDate": None, "relevanceScore": 0, "isInIsland": True,
}
ANN = {
    "id": "5F0C1F4E-0B5B-4C0B-8A43-6E8B6B3A2A11", "app": "com.example.talk", "appName": "Talk", "name": "Ann",
    "state": "ringing", "presentation": "fullScreen", "hasVideo": False, "isOutgoing": False, "isMuted": False, "connected": None, "group": None,
}


class Stage:
    """The page of a phone that is as the test says."""

    def __init__(self, page, portal):
        self.page = page
        page.goto(portal["url"] + "/phones")
        page.locator("tbody th a").first.click()
        page.locator(".phone-bar").wait_for()
        path = page.locator("#phone-page").get_attribute("data-path")
        address = portal["url"].removesuffix("/portal") + path
        run = page.request.get(address + "/run").json()
        self.run = run | {"entries": []}
        self.state = run["start"] | {"isLocked": False, "front": None, "prompt": None, "list": [], "groups": [], "calls": []}
        self.entries = []
        self.orders = []
        page.route(f"**{path}/events", self.events)
        page.route("**/order", self.order)
        page.goto(address)
        page.locator(".phone .icon").first.wait_for()

    def events(self, route):
        body = json.dumps({"state": self.state, "entries": self.entries})
        route.fulfill(content_type="text/event-stream", body=f"retry: 50\nevent: phone\ndata: {body}\n\n")

    def order(self, route):
        self.orders.append(route.request.post_data_json["order"])
        route.fulfill(json={})

    def await_orders(self, *orders):
        """Waits for as many orders of the page; they are these."""
        deadline = time.monotonic() + 30
        while len(self.orders) < len(orders) and time.monotonic() < deadline:
            # The page's requests are answered meanwhile.
            self.page.wait_for_timeout(20)
        assert self.orders == list(orders)

    def show(self, *entries, **state):
        """Changes the phone; entries are the name of an event with what it is about."""
        now = datetime.now(timezone.utc).isoformat(timespec="seconds").replace("+00:00", "Z")
        before = self.state
        self.state = before | {"date": now} | state
        for name, subject in entries:
            self.entries = [*self.entries, {
                "number": len(self.run["entries"]) + 1, "date": now, "event": name, "detail": "", "notification": subject,
                "after": self.state,
            }]
            self.run["entries"].append(self.entries[-1])


@pytest.fixture
def stage(signed_in, portal):
    return lambda **options: Stage(signed_in(**options), portal)


def card(page):
    return page.locator(".phone-centre").get_by_role("group", name="Pizza, Delivery")


def test_an_activity_appears_changes_and_is_removed(stage):
    phone = stage()
    page = phone.page
    expect(page.locator(".activity")).to_have_count(0)
    centre = page.locator(".phone-icons").bounding_box()
    phone.show(activities=[PIZZA])
    expect(card(page)).to_contain_text("Pizza · live")
    expect(card(page).locator(".activity-line")).to_have_text(["order numberA7", "statusbaking", "minutes left30"])
    # The island has its place before: nothing moves.
    assert page.locator(".phone-icons").bounding_box() == centre
    page.locator('[data-key="activity A7"]').focus()
    phone.show(activities=[PIZZA | {"state": "stale", "content": json.dumps({"status": "late", "minutesLeft": 5})}])
    expect(card(page)).to_contain_text("out of date")
    expect(card(page).locator(".activity-line.content")).to_have_text(["statuslate", "minutes left5"])
    expect(page.locator('[data-key="activity A7"]')).to_be_focused()
    card(page).locator(".activity-body").click()
    card(page).get_by_role("button", name="Dismiss").click()
    page.locator('[data-key="activity A7"]').press("Delete")
    box = card(page).locator(".activity-body").bounding_box()
    page.mouse.move(box["x"] + 200, box["y"] + 20)
    page.mouse.down()
    page.mouse.move(box["x"] + 40, box["y"] + 20, steps=4)
    page.mouse.up()
    expect(page.locator("#result")).to_be_hidden()
    phone.show(activities=[PIZZA | {"state": "ended", "isInIsland": False}])
    expect(card(page)).to_contain_text("Pizza · ended")
    phone.await_orders(*({"activity": {"_0": {name: {"id": "A7"}}}} for name in ("tap", "dismiss", "dismiss", "dismiss")))
    phone.show(activities=None)
    expect(page.locator(".activity")).to_have_count(0)


def test_a_press_is_not_lost_when_the_phone_changes_meanwhile(stage):
    phone = stage()
    page = phone.page
    phone.show(activities=[PIZZA])
    expect(card(page)).to_contain_text("baking")
    # However slow the machine is, the press stays a short one.
    page.clock.install()
    page.clock.pause_at(datetime.now() + timedelta(minutes=1))
    card(page).locator(".activity-body").hover()
    page.mouse.down()
    phone.show(("callRinging", None), activities=[PIZZA | {"content": json.dumps({"status": "late"})}])
    event(page, "callRinging").wait_for()
    page.mouse.up()
    phone.await_orders({"activity": {"_0": {"tap": {"id": "A7"}}}})
    page.clock.resume()
    expect(card(page)).to_contain_text("late")


def test_the_island_is_touched_held_and_opened_by_an_alert(stage):
    phone = stage()
    page = phone.page
    phone.show(activities=[PIZZA])
    island = page.get_by_role("button", name="Dynamic Island, Pizza, status baking, minutes left 30")
    island.click()
    expect(page.locator(".island-open")).to_have_count(0)
    # A long press opens it.
    island.press("Shift+Enter")
    opened = page.locator(".island-open")
    expect(opened.locator(".activity-line.content")).to_have_text(["statusbaking", "minutes left30"])
    opened.get_by_role("button", name="Close").click()
    island.hover()
    page.mouse.down()
    opened.wait_for()
    page.mouse.up()
    opened.locator(".activity-body").press("Escape")
    expect(opened).to_have_count(0)
    # So does an alert, over an app too, and it closes by itself.
    phone.show(("activityAlerted", "A7"), front=phone.state["apps"][0]["id"])
    expect(opened).to_contain_text("baking")
    no_serious_findings(page)
    expect(opened).to_have_count(0)
    expect(page.locator(".island", has_text="baking")).to_be_visible()
    phone.await_orders({"activity": {"_0": {"tap": {"id": "A7"}}}})


def test_live_activities_are_switched_off(stage):
    phone = stage()
    page = phone.page
    apps = [each | {"liveActivities": True} for each in phone.state["apps"]]
    phone.show(apps=apps)
    page.locator("summary", has_text="Notification settings").click()
    expect(page.locator("#live-activities")).to_be_checked()
    # The phone of the stage still says that they are on, so the box may be checked again at once.
    page.locator("#live-activities").click()
    phone.await_orders({"activity": {"_0": {"allow": {"_0": False}}}})
    phone.show(apps=[each | {"liveActivities": None} for each in apps])
    expect(page.locator("#live-activities")).to_be_disabled()


def test_a_call_rings_is_answered_and_ends(stage):
    phone = stage()
    page = phone.page
    phone.show(("callRinging", None), calls=[ANN], isLocked=True)
    call = page.get_by_role("group", name="Ann", exact=True)
    expect(call).to_contain_text("Talk · incoming call · full screen")
    event(page, "callRinging").wait_for()
    no_serious_findings(page)
    call.get_by_role("button", name="Decline").click()
    call.get_by_role("button", name="Answer").click()
    phone.show(calls=[ANN | {"state": "active", "presentation": None}])
    expect(call).to_contain_text("connected")
    for name in ("Mute", "Hold"):
        call.get_by_role("button", name=name).click()
    phone.show(calls=[ANN | {"state": "held", "presentation": None, "isMuted": True}])
    expect(call).to_contain_text("on hold · microphone off")
    for name in ("Unmute", "Resume", "End call"):
        call.get_by_role("button", name=name).click()
    phone.show(calls=[ANN | {"presentation": "banner"}], isLocked=False)
    expect(page.locator(".call-layer.compact")).to_contain_text("incoming call · banner")
    no_serious_findings(page)
    phone.show(calls=[])
    expect(page.locator(".call-layer")).to_have_count(0)
    name = ANN["id"]
    phone.await_orders(*({"call": {"_0": each}} for each in (
        {"decline": {"id": name}}, {"answer": {"id": name, "endsOthers": False}}, {"mute": {"_0": True, "id": name}},
        {"hold": {"_0": True, "id": name}}, {"mute": {"_0": False, "id": name}}, {"hold": {"_0": False, "id": name}},
        {"hangUp": {"id": name}},
    )))


@pytest.mark.parametrize("language, scheme", [pytest.param("en-GB", "light", marks=ONCE_MORE), ("zh-CN", "dark")])
@pytest.mark.parametrize("is_locked", [True, False])
def test_accessible_in_both_languages_and_themes(stage, language, scheme, is_locked):
    phone = stage(locale=language, color_scheme=scheme)
    phone.show(activities=[PIZZA, PIZZA | {"id": "B2", "state": "stale", "isInIsland": False}], isLocked=is_locked)
    group = {"en-GB": "Live Activities", "zh-CN": "实时活动"}[language]
    expect(phone.page.get_by_role("group", name=group).locator(".activity")).to_have_count(2)
    note = {"en-GB": "This content is out of date.", "zh-CN": "此内容已过期。"}[language]
    expect(phone.page.locator(".activity.stale")).to_contain_text(note)
    no_serious_findings(phone.page)


def test_fits_a_telephone(stage):
    phone = stage(viewport={"width": 390, "height": 844})
    long = json.dumps({"status": "a word " * 30, "nested": {"firstName": "Ann", "scores": [1, 2]}})
    phone.show(activities=[PIZZA | {"content": long}])
    expect(phone.page.locator(".activity-line.content").last).to_have_text("nested scores 12")
    no_sideways_scroll(phone.page)


def test_a_run_with_an_activity_is_replayed(stage, portal, tmp_path):
    phone = stage()
    phone.show(("activity", "A7"), activities=[PIZZA])
    phone.show(("activityAlerted", "A7"))
    phone.show(("callRinging", None), calls=[ANN])
    file = tmp_path / "run.json"
    file.write_text(json.dumps(phone.run))
    page = phone.page
    page.goto(portal["url"] + "/replay")
    page.set_input_files("#file", file)
    page.locator("#replay").wait_for()
    expect(page.locator(".activity")).to_have_count(0)
    page.click("#next")
    expect(card(page)).to_contain_text("baking")
    expect(card(page).locator(".activity-body")).to_be_disabled()
    page.click("#next")
    expect(page.locator(".island-open")).to_contain_text("baking")
    page.click("#next")
    expect(page.locator(".island-open")).to_have_count(0)
    expect(page.get_by_role("group", name="Ann", exact=True)).to_be_visible()
    no_serious_findings(page)


def live(event_name, audience, state, **more):
    words = {"event": event_name, "content-state": state, **more}
    return {"platform": ["ios"], "audience": audience, "live_activity": {"ios": words}}


def send_until(page, sandbox, body, card, words):
    """Sends a push until a card has these words: no event of the page says when the service has a token for it."""
    for _ in range(10):
        try:
            send(page, sandbox, body)
            expect(card).to_contain_text(words, timeout=3000)
            return
        except (AssertionError, Error) as problem:
            last = problem
    raise AssertionError(f"{words!r} was not shown after ten pushes") from last


def test_a_delivery_starts_changes_and_ends_by_push(signed_in, portal, sandbox):
    page = signed_in()
    page.goto(portal["url"] + "/phones")
    page.select_option("#system", "18.0")
    page.click("#add button")
    page.wait_for_url("**/phones/iOS%2018.0%20*")
    page.locator(".prompt").get_by_role("button", name="Allow", exact=True).click()
    event(page, "promptAnswered", "allowed").wait_for()
    # The app covers the notification centre.
    order(page, {"background": {}})
    card = page.locator(".phone-centre .activity").first
    attributes = {"attributes-type": "DeliveryAttributes", "attributes": {"order": "browser-1"}}
    alert = {"alert": {"title": "Your parcel", "body": "It is on its way"}}
    start = live("start", "all", {"place": "Depot", "stops": 9}, **attributes, **alert)
    send_until(page, sandbox, start, card, "Depot")
    to_it = {"live_activity_id": "browser-1"}
    send_until(page, sandbox, live("update", to_it, {"place": "Harbour Road", "stops": 2}), card, "Harbour Road")
    send_until(page, sandbox, live("end", to_it, {"place": "At your door", "stops": 0}), card, "At your door")
    event(page, "activity", "ended").wait_for()


def test_a_call_by_push_rings_is_answered_and_ends(phone, sandbox):
    page = phone()
    name = page.locator("#phone-page").get_attribute("data-name")
    device = next(each for each in sandbox["devices"] if each["name"] == name)
    body = {
        "platform": ["ios"], "audience": {"registration_id": [device["registrationID"]]},
        "notification": {"voip": {"caller": "Ann"}},
    }
    send(page, sandbox, body)
    call = page.get_by_role("group", name="Ann", exact=True)
    call.get_by_role("button", name="Answer").click()
    event(page, "callAnswered").wait_for()
    call.get_by_role("button", name="End").click()
    call.wait_for(state="detached")
    event(page, "callEnded").wait_for()
