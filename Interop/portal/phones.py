"""What tests of the phone page do again and again."""

import contextlib

from playwright.sync_api import expect


def order(page, words):
    """Gives the phone an order as the page's script does."""
    page.evaluate(
        """async (order) => {
            const { call } = await import(document.querySelector('script[src$="portal.js"]').src);
            const name = document.getElementById("phone-page").dataset.name;
            await call("POST", `/portal/api/phones/${encodeURIComponent(name)}/order`, { order });
        }""",
        words,
    )


@contextlib.contextmanager
def ordering(page):
    """The page gives the phone an order within; at the end it is carried out."""
    with page.expect_response("**/order") as answer:
        yield
    assert answer.value.ok, answer.value.text()


def switch(page, box, on):
    """Clicks a box of the controls, and waits until the phone is as it says.

    `check` and `uncheck` would take it for a failure that a state which was on its way sets the box back for a moment.
    """
    expect(page.locator(box)).to_be_checked(checked=not on)
    with ordering(page):
        page.locator(box).click()
    expect(page.locator(box)).to_be_checked(checked=on)


def choose(page, control, value=None, **option):
    """Chooses a value of one of the controls, and waits until the phone has it."""
    with ordering(page):
        page.select_option(control, value, **option)


def bring_home(page):
    """Brings the phone to its home screen with an empty notification centre; `event` finds only what happens after that."""
    for words in ({"unlock": {}}, {"background": {}}, {"clear": {}}):
        order(page, words)
    page.locator(".phone .icon").first.wait_for()
    page.locator(".phone-centre .notification").first.wait_for(state="detached")
    page.locator("#timeline tr").evaluate_all("rows => rows.forEach(row => { row.dataset.earlier = ''; })")


def push(page, sandbox, alert, in_app=False, **aps):
    """Sends a push to the page's phone through the API in the name of the app; with `in_app`, also as an in-app message."""
    name = page.locator("#phone-page").get_attribute("data-name")
    device = next(each for each in sandbox["devices"] if each["name"] == name)
    body = {
        "platform": ["ios"],
        "audience": {"registration_id": [device["registrationID"]]},
        "notification": {"ios": {"alert": alert, **aps}},
    } | ({"inapp_message": {"inapp_message": True}} if in_app else {})
    send(page, sandbox, body)


def send(page, sandbox, body):
    """Sends a push through the API in the name of the app, as the page's script does."""
    page.evaluate(
        """async ([key, body]) => {
            const { call } = await import(document.querySelector('script[src$="portal.js"]').src);
            await call("POST", `/portal/api/apps/${key}/v3/push`, body);
        }""",
        [sandbox["api"]["appKey"], body],
    )


def tap_banner(page, words):
    """Has the page tap the banner with these words as soon as it shows it: a banner stays for five seconds."""
    page.evaluate(
        """(words) => {
            const tap = () => {
                const banner = document.querySelector(".banner-layer .notification-body");
                if (!banner?.textContent.includes(words)) return;
                observer.disconnect();
                banner.click();
            };
            const observer = new MutationObserver(tap);
            observer.observe(document, { childList: true, subtree: true });
            tap();
        }""",
        words,
    )


def shown(page, words):
    """The notification with these words, in the notification centre."""
    return page.locator(".phone-centre .notification", has_text=words)


def event(page, name, words=""):
    """The newest entry of the timeline with this name and these words."""
    return page.locator(f'#timeline tr[data-event="{name}"]:not([data-earlier])', has_text=words).first
