"""What tests of the phone page do again and again."""


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


def shown(page, words):
    """The notification with these words, in the notification centre."""
    return page.locator(".phone-centre .notification", has_text=words)


def event(page, name, words=""):
    """The newest entry of the timeline with this name and these words."""
    return page.locator(f'#timeline tr[data-event="{name}"]:not([data-earlier])', has_text=words).first
