"""The sample app's Live Activity and call on the phone page: from the service's API over APNs to the browser."""

from phones import event, order, send
from playwright.sync_api import Error, expect


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


def test_a_call_rings_is_answered_and_ends(phone, sandbox):
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
