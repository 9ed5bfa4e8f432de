"""How the portal's pages load: little to transfer, little work for the server, and nothing that jumps."""

import pytest
from pushes import devices, environment, send
from visits import stored

# Below this, nobody notices a shift; 0.1 is the limit of "good" in web.dev's Core Web Vitals.
SHIFT = 0.02
LIMIT = 100_000
# How many times as long as the shortest answer of the API a page may take, in the same browser on the same machine, and how many rounds
# it has for this: on a busy machine both may wait for others.
RATIO = 30
ROUNDS = 12

SHIFTS = """() => new Promise((done) => {
    let sum = 0;
    const add = (list) => { for (const entry of list.getEntries()) if (!entry.hadRecentInput) sum += entry.value; };
    const observer = new PerformanceObserver(add);
    observer.observe({ type: "layout-shift", buffered: true });
    // Entries come with frames.
    requestAnimationFrame(() => requestAnimationFrame(() => setTimeout(() => {
        add({ getEntries: () => observer.takeRecords() });
        done(sum);
    })));
})"""


@pytest.fixture(scope="module")
def paths(sandbox):
    """The main pages, with a push to show."""
    message = send(sandbox, "Loaded", production=not environment(sandbox))
    app = f"/apps/{sandbox['api']['appKey']}"
    device = devices(sandbox)[0]["registration_id"]
    phone = sandbox["devices"][0]["name"].replace(" ", "%20")
    return {
        "apps": "", "app": app, "compose": f"{app}/compose", "messages": f"{app}/messages",
        "message": f"{app}/messages/{message}", "why": f"{app}/messages/{message}/devices/{device}",
        "schedules": f"{app}/schedules", "devices": f"{app}/devices", "device": f"{app}/devices/{device}",
        "reports": f"{app}/reports", "phones": "/phones", "phone": f"/phones/{phone}", "try": "/try",
        "replay": "/replay", "health": "/health", "users": "/users", "audit": "/audit",
    }


def test_a_jump_is_measured(visit, portal):
    """That the browser reports shifts; without, the other test would show nothing."""
    page = visit()
    page.goto(portal["url"] + "/sign-in")
    page.evaluate("""() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(() => {
        const tall = document.createElement("div");
        tall.style.height = "300px";
        document.body.prepend(tall);
        requestAnimationFrame(() => requestAnimationFrame(done));
    })))""")
    assert page.evaluate(SHIFTS) > SHIFT


@pytest.mark.parametrize("width", [1280, 390])
def test_nothing_jumps_while_pages_load(visit, administrator, portal, paths, width):
    page = visit(storage_state=administrator, viewport={"width": width, "height": 800})
    sums = {}
    for name, path in paths.items():
        page.goto(portal["url"] + path)
        # Scripts have run, and streams have delivered their first event.
        if name == "phone":
            page.locator(".phone-bar").wait_for()
        sums[name] = round(page.evaluate(SHIFTS), 4)
    print("layout shift:", sums)
    assert max(sums.values()) < SHIFT, sums


def transferred(page, address):
    """Loads a page; returns the bytes of each resource with its headers."""
    sizes = {}

    def count(request):
        measured = request.sizes()
        sizes[request.url] = measured["responseBodySize"] + measured["responseHeadersSize"]

    page.on("requestfinished", count)
    page.goto(address, wait_until="networkidle")
    page.remove_listener("requestfinished", count)
    return sizes


def shortest(page, address):
    """The time of the browser for the shortest of some answers, in milliseconds, without what a page does with it."""
    return page.evaluate("""async (address) => {
        let best = Infinity;
        for (let count = 0; count < 5; count++) {
            const begin = performance.now();
            await (await fetch(address)).text();
            best = Math.min(best, performance.now() - begin);
        }
        return best;
    }""", address)


def test_the_first_pages_are_small_and_quick(visit, browser, fresh_sandbox):
    # A list of the apps that other tests have made takes longer with each of them.
    portal = fresh_sandbox["portal"]
    pages = {
        "sign-in": (visit(), portal["url"] + "/sign-in"),
        "apps": (visit(storage_state=stored(browser, portal)), portal["url"]),
    }
    for name, (page, address) in pages.items():
        sizes = transferred(page, address)
        time, answer = shortest(page, address), shortest(page, "/health")
        for _ in range(ROUNDS - 1):
            if time < RATIO * answer:
                break
            time, answer = min(time, shortest(page, address)), min(answer, shortest(page, "/health"))
        print(f"{name}: {sum(sizes.values())} bytes in {len(sizes)} resources, {time:.1f} ms; the shortest answer: {answer:.1f} ms")
        assert len(sizes) > 2, sizes
        assert sum(sizes.values()) < LIMIT, sizes
        assert time < RATIO * answer
