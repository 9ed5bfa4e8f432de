"""Tables as text, and Documentation/Performance.md."""

import datetime
import pathlib
import statistics
import subprocess
import sys
import textwrap

from host import description as machine
from peers import DEBIAN, PAYLOAD, TOKENS

PAYLOAD_BYTES = len(PAYLOAD.encode())
SCALING = pathlib.Path(__file__).resolve().parents[2] / "Scripts/scaling.py"


def write(document, text):
    """Writes the page of a benchmark, and then the tables of Documentation/Scaling.md, which are computed from such pages."""
    document.write_text(text)
    subprocess.run([sys.executable, SCALING, "--write"], check=True)


# The goals for Posthorn: measurement, row, column, the row it is divided by, the bar, the aim, and whether these are minimums
# or maximums.
AIMS = [
    ("clients", "Posthorn", "rate", "h2load", 1.4, 2.2, "least", "the client's pushes/s ÷ h2load's"),
    ("clients", "Posthorn", "client", "h2load", 0.6, 0.35, "most", "the client's CPU ÷ h2load's"),
    ("clients", "Posthorn, one by one", "client", "h2load", 2.0, 1.2, "most", "its CPU with one `await` per push ÷ h2load's"),
    ("servers", "Posthorn gateway", "rate", "nghttpd", 1.4, 2.5, "least", "the gateway's requests/s ÷ nghttpd's"),
    ("servers", "Posthorn gateway", "server", "C server", 0.8, 0.5, "most", "the gateway's CPU ÷ the C server's"),
    (
        "servers", "Posthorn gateway, on disk", "server", "C server", 3.0, 1.5, "most",
        "the gateway's CPU with every push on disk ÷ the C server's",
    ),
    (
        "traffic", "Posthorn gateway", "server", "C server", 0.9, 0.6, "most",
        "the same, with an apns-id and a separate token for each push, in memory",
    ),
    (
        "traffic", "Posthorn gateway, on disk", "server", "C server", 2.0, 1.5, "most",
        "the same, with an apns-id and a separate token for each push, on disk",
    ),
    (
        "idle", "Posthorn gateway", "peak", "C server", 1.0, 0.7, "most",
        "the gateway's memory per idle connection ÷ the C server's",
    ),
    (
        "channels", "channel message", "server", "single pushes", 0.65, 0.4, "most",
        "the gateway's CPU for a message to a million subscribers, some linked ÷ single pushes to the linked ones",
    ),
]


def ratio(values):
    """Returns the median with the least and the greatest value."""
    if not values:
        return "–"
    middle = f"{statistics.median(values):.2f}"
    return middle if values[0] == values[-1] else f"{middle} ({values[0]:.2f}–{values[-1]:.2f})"


def clients(table):
    head = ["client", "rate ÷ h2load", "CPU ÷ h2load", "pushes/s", "client CPU µs", "server CPU µs", "peak MB"]
    return [*head, "pushes per round", "failures"], [
        [
            name,
            ratio(table.ratios(name, "rate", "h2load")),
            ratio(table.ratios(name, "client", "h2load")),
            f"{table.median(name, 'rate'):,.0f}",
            f"{table.median(name, 'client'):.2f}",
            f"{table.median(name, 'server'):.2f}",
            f"{table.median(name, 'peak'):.0f}",
            f"{table.median(name, 'count'):,.0f}",
            str(table.failed(name)),
        ]
        for name in table.rows
    ]


def servers(table):
    head = ["server", "rate ÷ nghttpd", "CPU ÷ C server", "requests/s", "server CPU µs", "peak MB", "failures"]
    return head, [
        [
            name,
            ratio(table.ratios(name, "rate", "nghttpd")),
            ratio(table.ratios(name, "server", "C server")),
            f"{table.median(name, 'rate'):,.0f}",
            f"{table.median(name, 'server'):.2f}",
            f"{table.median(name, 'peak'):.0f}",
            str(table.failed(name)),
        ]
        for name in table.rows
    ]


def idle(table):
    head = ["server", "memory ÷ C server", "KB per connection", "connections", "failures"]
    return head, [
        [
            name,
            ratio(table.ratios(name, "peak", "C server")),
            f"{table.median(name, 'peak'):.1f}",
            f"{table.median(name, 'count'):,.0f}",
            str(table.failed(name)),
        ]
        for name in table.rows
    ]


def traffic(table):
    head = ["server", "CPU ÷ C server", "requests/s", "server CPU µs", "memory, bytes per push", "log, bytes per push", "start, s"]
    figure = lambda value, digits=0: f"{value:,.{digits}f}" if value else "–"
    return [*head, "failures"], [
        [
            name,
            ratio(table.ratios(name, "server", "C server")),
            f"{table.median(name, 'rate'):,.0f}",
            f"{table.median(name, 'server'):.2f}",
            figure(table.median(name, "memory")),
            figure(table.median(name, "log")),
            figure(table.median(name, "start"), 2),
            str(table.failed(name)),
        ]
        for name in table.rows
    ]


def couriers(table):
    head = ["devices", "KB per idle device", "CPU µs per push", "pushes/s", "failures"]
    return head, [
        [
            name,
            f"{table.median(name, 'peak'):.1f}",
            f"{table.median(name, 'server'):.1f}",
            f"{table.median(name, 'rate'):,.0f}",
            str(table.failed(name)),
        ]
        for name in table.rows
    ]


def channels(table):
    head = ["what is sent", "CPU ÷ single pushes", "CPU ms", "ms until all have it", "bytes per subscriber"]
    return head, [
        [
            name,
            ratio(table.ratios(name, "server", "single pushes")),
            f"{table.median(name, 'server'):.1f}",
            f"{table.median(name, 'rate'):.1f}",
            f"{memory:,.0f}" if (memory := table.median(name, "memory")) else "–",
        ]
        for name in table.rows
    ]


SHAPES = {
    "clients": clients, "servers": servers, "traffic": traffic, "idle": idle, "couriers": couriers, "channels": channels,
}


def text(name, table):
    head, rows = SHAPES[name](table)
    widths = [max(map(len, column)) for column in zip(head, *rows)]
    line = lambda cells: "  ".join(
        cell.ljust(width) if place == 0 else cell.rjust(width) for place, (cell, width) in enumerate(zip(cells, widths))
    )
    return "\n".join(map(line, [head, *rows]))


def markdown(name, table):
    head, rows = SHAPES[name](table)
    line = lambda cells: f"| {' | '.join(cells)} |"
    rule = ["---"] + ["---:"] * (len(head) - 1)
    bold = [[f"**{cells[0]}**", *cells[1:]] if "Posthorn" in cells[0] else cells for cells in rows]
    return "\n".join(map(line, [head, rule, *bold]))


# The reasons for figures below their bar, by the words of the figure.
REASONS = {
    "the same, with an apns-id and a separate token for each push, in memory":
        "0.83 in a run an hour earlier with the same program: each push reads the table of tokens at a random place, so what the machine's "
        "caches hold decides",
}


def aims(tables):
    return goals(
        (words, tables[measurement].ratios(row, field, reference), bar, aim, side)
        for measurement, row, field, reference, bar, aim, side, words in AIMS
    )


def goals(rows):
    """Returns a table from rows of text, values (of which the median counts), bar, aim, and whether these are minimums or maximums."""
    lines = ["| | bar | aim | now | |", "| --- | ---: | ---: | ---: | --- |"]
    for words, values, bar, aim, side in rows:
        middle = statistics.median(values) if values else None
        reaches = lambda bound: middle >= bound if side == "least" else middle <= bound
        if middle is None:
            verdict = "not measured"
        else:
            verdict = "aim reached" if reaches(aim) else "bar met" if reaches(bar) else "**below the bar**"
        shown = "–" if middle is None else f"{middle:.2f}"
        lines.append(f"| {words} | at {side} {bar:.2f} | {aim:.2f} | {shown} | {verdict} |")
    return "\n".join(lines)


def below(table, reasons):
    """Returns a paragraph on the figures of a table of goals that are below their bar, each with its reason."""
    missed = [line.split("|")[1].strip() for line in table.splitlines() if line.endswith("| **below the bar** |")]
    if not missed:
        return "Every figure meets its bar."
    return paragraph("Below the bar: " + "; ".join(f"{words} ({reasons.get(words, 'not explained')})" for words in missed) + ".")


def paragraph(words, indent=""):
    words = " ".join(words.split())
    return textwrap.fill(words, 125, subsequent_indent=indent, break_long_words=False, break_on_hyphens=False)


def command(options):
    """Returns the command that was run, without machine-specific options."""
    words = ["Benchmarks/Wire/run", "--rounds", options.rounds, "--count", options.count]
    words += ["--streams", options.streams] if options.streams != 1000 else []
    words += ["--connections", options.connections] if options.connections != 5000 else []
    words += ["--devices", options.devices] if options.devices != 5000 else []
    return " ".join(map(str, [*words, *(["--pin"] if options.pin else []), "--write"]))


def document(tables, peers, options, load):
    places = "server and client pinned to a core each" if options.pin else "not pinned to cores"
    missing = "".join(f"- {line}\n" for line in peers.missing)
    measured = aims(tables)
    return f"""# Performance

{below(measured, REASONS)}

{paragraph(f'''
This page compares Posthorn's HTTP/2 codec with others, on one machine, over TLS 1.3 on its loopback. Machines differ and other load
interferes, so **compare the ratios**. Each ratio is taken within a round, in which both ran one after the other. The tables show
{f"the median of {options.rounds} rounds, with the lowest and the highest value" if options.rounds > 1 else "a single round"}. Ratios
of rates are better above 1, ratios of CPU and memory below.
''')}

Other pages measure [the service](PerformanceOfTheService.md) and [several nodes on PostgreSQL](PerformanceOfNodes.md).

{paragraph(f'''
Measured on {datetime.date.today().isoformat()} on {machine()}; data on {peers.disk}; {places}; load average before the run
{load[0]:.1f} (one minute), {load[1]:.1f} (five). The bar is the required value, the aim the intended one.
''')}

## Aims

{measured}

## Clients: pushes to one server

{paragraph(f'''
Every client sends to the C server over one connection, with up to {options.streams:,} streams open. Each push has one of many device
tokens, a payload of 250 bytes, authorization, topic, push type and priority. Posthorn sends pushes in batches
(`APNSClient.send(_:results:)`), and one by one: as many tasks as streams, on the client's executor, with one `await` per push.
''')}

{markdown("clients", tables["clients"])}

## Servers: pushes from one client

{paragraph(f'''
h2load sends {options.count:,} pushes to each server over one connection, up to {options.streams:,} at a time. The gateway
checks each push (ES256 authorization, headers, one of {TOKENS:,} device tokens, payload) and stores it for an offline device,
in memory or on disk (the 200 follows a sync that many pushes share). The C server decodes the push and answers; nghttpd answers
with a small file. The pushes have no apns-id, so the gateway does not look for duplicates. There are
{options.count / TOKENS:,.0f} pushes for each token, and the newest replaces the previous one. The table therefore measures the
codec and the checks, not the storage.
''')}

{markdown("servers", tables["servers"])}

### Realistic traffic

{paragraph(f'''
Posthorn's client sends {options.count:,} pushes, each with an apns-id, like Posthorn's service and most libraries, and each to its
own device token, so that no push replaces another. The gateway looks for duplicates and stores every push. The C server decodes the
same requests and stores nothing. Memory and log are the growth of the gateway's per push of {PAYLOAD_BYTES} bytes. The start is the time
until a gateway with such a log listens.
''')}

{markdown("traffic", tables["traffic"])}

## Idle connections

{paragraph(f'''
The table shows the growth of a server's resident memory per connection, with {options.connections:,} TLS connections that have
exchanged SETTINGS and are then idle. Each of them still answers a PING afterwards.
''')}

{markdown("idle", tables["idle"])}

## Repeat the measurement

```sh
{command(options)}
```

{paragraph('''
This takes some minutes. It needs these packages, on Debian or Ubuntu:
''')}

```sh
apt-get install {DEBIAN}
pip install aioapns
```

{paragraph('''
Peers that are not installed are skipped, with a message. The exit status is 1 if a push fails, if the C server counts other pushes
or connections than its client, or if an idle connection is lost; `--refuse-every 100` demonstrates that. Other load changes rates more
than CPU, and CPU more than memory. `Benchmarks/Wire/run --help` lists all options.
''')}

## Instructions instead of times

Times vary with the machine and its load; the number of instructions does not. `Benchmarks/guard` counts the instructions and allocations
of the hot roads one by one, and CI compares them with `Benchmarks/guard.json`, so a change that makes a push dearer is noticed with the
change ([CONTRIBUTING.md](../CONTRIBUTING.md#what-hot-roads-cost)). The counts include both ends of a connection where a road has one; the
other end does as little as possible.

## A million pushes with failures

```sh
swift run -c release --package-path Benchmarks GoAwayStorm 1000000 10000 1
swift run -c release --package-path Benchmarks StalledGateway
```

The first program sends a million pushes through a server with another codec, which sends GOAWAY every 10,000 pushes with a
random last stream id. Its exit status is 1 unless each push was answered once and delivered once. In the second, the server
stalls for a minute while a million pushes wait upstream. Its exit status is 1 if memory grows meanwhile.

## Thousands of devices at a gateway

```sh
swift build -c release --product posthorn
swift run -c release PosthornBench couriers --devices {options.devices}
```

{paragraph('''
This command connects the devices over plain WebSockets to a gateway in a separate process, and sends ten pushes to each of them
over HTTP/2 and TLS. Halfway, every second device loses its link before it acknowledges its last push, and opens another. The exit
status is 1 unless each push reached its app once and was acknowledged once. The memory is the gateway's per idle device. The CPU is
the gateway's per push, from the provider's request to the device's acknowledgement, including the new links and repeated deliveries.
''')}

{markdown("couriers", tables["couriers"])}

## A message to a million subscribers

```sh
swift build -c release --product posthorn
swift run -c release PosthornBench channels --subscribers {options.subscribers} --linked {options.devices}
```

{paragraph('''
This command subscribes the devices to a broadcast channel of a gateway in a separate process, links some of them over plain
WebSockets, and sends ten messages to the channel. For comparison it sends ten single pushes to each linked device, in one batch. The
CPU is the gateway's for one message, from the provider's request to the last acknowledgement; the time ends when the last linked
device has the message. The memory is the gateway's per subscriber, with the device's id and the digest of its key. The exit status is
1 unless each message reached each linked device once, for at most 65 % of the CPU of the single pushes, and 1.25 times that of a
message to a channel with the linked devices alone.
''')}

{markdown("channels", tables["channels"])}

## Method and limits

{paragraph(f"- {'; '.join(peers.versions.values())}.", "  ")}
{missing}\
- The C server is [Peers/server.c](../Benchmarks/Wire/Peers/server.c), a minimal APNs on libnghttp2 and OpenSSL with one thread.
  aioapns is unmodified; its protocol class gets another host and port. Go's client is golang.org/x/net/http2. Slow clients
  send fewer pushes.
- CPU is measured by the kernel: for a client, its whole process from start to end (Posthorn's includes creating its pushes and
  signing its token); for a server, all its threads while the client runs.
- Rates use each client's own clock. Posthorn, Go and aioapns open their connection with a push before the measurement starts;
  h2load's rate includes its handshake.
- Peak memory is the resident set. Kernel memory for sockets is not included.
- All connections use TLS_AES_128_GCM_SHA256. Posthorn uses BoringSSL; aioapns, nghttp2 and the C server use OpenSSL; Go has its
  own implementation.
- Not measured: networks (no latency, no loss), many busy connections, Apple's service, and the push service in front of the
  client.
"""
