"""The page about the service's health."""

import re

import pytest
from playwright.sync_api import expect
from pushes import send
from visits import no_serious_findings, no_sideways_scroll


@pytest.fixture
def health(portal):
    return portal["url"] + "/health"


def test_the_service_is_ready(signed_in, health):
    page = signed_in()
    page.goto(health)
    expect(page.get_by_text("The service is ready.")).to_be_visible()
    expect(page.locator("#links")).to_have_text(re.compile(r"^\d+$"))
    service = page.locator("#findings tbody tr", has=page.get_by_text("service", exact=True))
    expect(service.first).to_contain_text("Right")
    no_serious_findings(page)


def test_a_lane_that_waits_is_listed(signed_in, sandbox, health):
    send(sandbox, "A slow one", audience="all", big_push_duration=1400)
    page = signed_in()
    page.goto(health)
    # Pushes of other tests may wait, too.
    expect(page.locator("#lanes tbody tr", has_text="Bulk").first).to_be_visible()


def test_the_connections_to_apns_are_listed(signed_in, sandbox, health):
    send(sandbox, "One that opens a connection")
    page = signed_in()
    page.goto(health)
    # Other tests have made apps, to which connections were opened and ended.
    own = page.locator("#connections tbody tr", has=page.locator(f"a[href$='/apps/{sandbox['api']['appKey']}']"))
    expect(own.first).to_contain_text(re.compile("Production|Development"))
    expect(own.locator("td.number").first).to_have_text(re.compile(r"^[1-9]$"))
    expect(page.locator("#connections")).not_to_contain_text("no connection yet")
    no_serious_findings(page)


@pytest.mark.parametrize("locale, sentence", [("en-GB", "The service is ready."), ("zh-CN", "服务就绪。")])
def test_it_works_without_javascript_in_both_languages(signed_in, health, locale, sentence):
    page = signed_in(locale=locale, java_script_enabled=False)
    page.goto(health)
    expect(page.get_by_text(sentence)).to_be_visible()
    for found in page.locator("#findings td:last-child").all_inner_texts():
        assert (re.search("[\u4e00-\u9fff]", found) is not None) == (locale == "zh-CN"), found


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_it_fits_a_phone(signed_in, health, scheme):
    page = signed_in(color_scheme=scheme, viewport={"width": 390, "height": 800})
    page.goto(health)
    no_sideways_scroll(page)
    no_serious_findings(page)
