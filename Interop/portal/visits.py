"""What tests of pages do again and again."""

from urllib.parse import urlsplit


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
