"""What tests of pages do again and again."""

from urllib.parse import urlsplit

import confidential
import pytest

# For pages that the usual run sees in one language and colour scheme.
ONCE_MORE = pytest.mark.release("looks at the page in the other language and colour scheme")


def sign_in(page, portal, user=None, password=None):
    """Signs in at a portal as a sandbox describes it; returns the page."""
    page.goto(portal["url"] + "/sign-in")
    page.fill("#name", user or portal["user"])
    page.fill("#password", password or portal["password"])
    page.click("main button.primary")
    page.wait_for_url(lambda url: urlsplit(url).path in ("/portal", "/portal/"))
    return page


def no_serious_findings(page):
    """Asserts that axe finds nothing serious on the page."""
    from axe_playwright_python.sync_playwright import Axe

    # The rules are the same; axe does not collect the nodes that pass them, which takes half its time.
    found = Axe().run(page, options={"resultTypes": ["violations"]}).response["violations"]
    serious = [(each["id"], each["nodes"][0]["html"]) for each in found if each["impact"] in ("serious", "critical")]
    assert not serious, serious


def no_sideways_scroll(page):
    """Asserts that the page fits its window."""
    width = page.evaluate("document.documentElement.scrollWidth - document.documentElement.clientWidth")
    assert width <= 0, f"{page.url} is {width} px too wide"


# Sign-ins that several tests share, as the portal limits them, and operations in a page's name.


def stored(browser, portal, user=None, password=None):
    """What a browser keeps of a sign-in, for `storage_state` of a context."""
    context = browser.new_context()
    sign_in(context.new_page(), portal, user, password)
    state = context.storage_state()
    context.close()
    return state


def operate(page, portal, operation, parameters):
    """Performs an operation as the user of a page."""
    answer = page.request.post(
        f"{portal['url']}/api/operator/{operation}",
        data=parameters,
        headers={"X-CSRF-Token": page.locator('meta[name="csrf"]').get_attribute("content")},
    )
    assert answer.ok, answer.text()
    return answer.json()


def create_user(browser, portal, state, name, role, password):
    """Creates a user as the administrator of `state`; returns what a browser keeps of the new user's sign-in."""
    confidential.remember(password, f"the password of {name}")
    context = browser.new_context(storage_state=state)
    page = context.new_page()
    page.goto(portal["url"])
    user = {"name": name, "role": role, "password": password}
    operate(page, portal, "user.create", user)
    context.close()
    return stored(browser, portal, name, password)
