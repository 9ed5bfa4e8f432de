"""Sign-ins that several tests share, as the portal limits them, and operations in a page's name."""

import confidential
from visits import sign_in


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
    operate(page, portal, "user.create", {"name": name, "role": role, "password": password})
    context.close()
    return stored(browser, portal, name, password)
