"""Devices with an SDK link to any node, and some with a link to the gateway too. Each counts what it was handed."""

import asyncio
import collections
import contextlib
import json
import random
import threading
import time

import websockets
from websockets.asyncio.client import connect

import road

# Seconds of silence after which a phone gives its link up. An SDK takes 75.
HEARTBEAT, PATIENCE = 8, 5


class Phone:
    """A device with an SDK link."""

    def __init__(self, town, number, token):
        self.town, self.number, self.token = town, number, token
        self.alias = f"u{number}"
        # What the app was handed, and when it came first.
        self.had = collections.Counter()
        self.came = {}
        self.ids = {}
        # Messages that came once more and were dropped by their positions.
        self.again = 0
        self.position = None
        self.identity = None
        self.link = None
        self.ready = asyncio.Event()
        # Only the first phones have a link to the gateway.
        self.courier = None

    async def live(self):
        wait = 1
        while True:
            node = await self.town.balance()
            with contextlib.suppress(OSError, websockets.WebSocketException, TimeoutError, EOFError):
                async with connect(
                    f"{node.url.replace('http', 'ws')}/link", open_timeout=10, close_timeout=1, ping_interval=HEARTBEAT, ping_timeout=PATIENCE,
                    compression=None, proxy=None,
                ) as link:
                    self.link = link
                    await self.come_in(link)
                    async for text in link:
                        if await self.hear(link, json.loads(text)):
                            wait = 1
            self.link = None
            self.town.breaks += 1
            await asyncio.sleep(random.uniform(wait / 2, wait))
            wait = min(8, wait * 2)

    async def come_in(self, link):
        if self.identity:
            login = {"type": "login", "app-key": self.town.key} | self.identity
            await link.send(json.dumps(login | ({"position": self.position} if self.position is not None else {})))
            return
        await link.send(json.dumps({
            "type": "register", "app-key": self.town.key, "bundle-id": road.TOPIC, "environment": "production",
            "system": "iOS 17.0", "installation": f"phone {self.number}",
        }))

    async def hear(self, link, frame):
        """Returns whether the login has succeeded."""
        match frame["type"]:
            case "registered":
                self.identity = {"registration-id": frame["registration-id"], "secret": frame["secret"]}
            case "logged-in":
                if not self.ready.is_set():
                    await link.send(json.dumps({"type": "token", "number": 1, "token": self.token, "environment": "production"}))
                    await link.send(json.dumps({"type": "alias-set", "number": 2, "alias": self.alias}))
                return True
            case "refused":
                self.town.refusals.append(f"phone {self.number}: {frame}")
            case "reply" if frame["code"] != 0:
                self.town.refusals.append(f"phone {self.number}: {frame}")
            case "reply" if frame["number"] == 2:
                self.ready.set()
            case "message":
                self.take(frame)
                await link.send(json.dumps({"type": "ack", "position": frame["position"]}))
        return False

    def take(self, frame):
        if self.position is not None and frame["position"] <= self.position:
            self.again += 1
            return
        self.position = frame["position"]
        self.had[frame["content"]] += 1
        self.came.setdefault(frame["content"], time.monotonic())
        self.ids.setdefault(frame["content"], frame["id"])


class Courier:
    """The phone's link to the gateway, over which notifications come. Drops an apns-id that it has had."""

    def __init__(self, phone):
        self.phone = phone
        self.had = collections.Counter()
        self.came = {}
        self.seen = set()
        self.again = 0
        self.token = None
        self.ready = asyncio.Event()

    async def live(self, gateway):
        headers = {"Authorization": f"Bearer {gateway.token}"} if gateway.token else {}
        while True:
            with contextlib.suppress(OSError, websockets.WebSocketException, TimeoutError, EOFError):
                async with connect(
                    gateway.box["courier"], open_timeout=30, close_timeout=1, max_size=None, additional_headers=headers, compression=None,
                    proxy=None,
                ) as link:
                    say = lambda **frame: link.send(json.dumps(frame))
                    await say(type="hello", device=f"phone {self.phone.number}", key=f"{self.phone.number:064x}")
                    await say(type="register", topic=road.TOPIC, environment="production")
                    async for text in link:
                        frame = json.loads(text)
                        if frame["type"] == "registered":
                            self.token = frame["token"]
                            self.ready.set()
                        elif frame["type"] == "push":
                            self.take(frame)
                            await say(type="ack", **{"apns-id": frame["apns-id"]})
            await asyncio.sleep(0.5)

    def take(self, frame):
        if frame["apns-id"] in self.seen:
            self.again += 1
            return
        self.seen.add(frame["apns-id"])
        alert = json.loads(frame["payload"])["aps"]["alert"]
        text = alert if isinstance(alert, str) else alert["body"]
        self.had[text] += 1
        self.came.setdefault(text, time.monotonic())


class Town:
    """All phones, in an event loop of its own thread."""

    def __init__(self, key, nodes, gateway):
        self.key, self.nodes, self.gateway = key, nodes, gateway
        self.phones = []
        self.breaks = 0
        self.refusals = []
        self.turn = 0
        # The nodes that accept connections, as a load balancer sees them; it asks once a second.
        self.healthy = list(nodes)
        self.loop = asyncio.new_event_loop()
        self.tasks = set()
        threading.Thread(target=self.loop.run_forever, daemon=True).start()
        self.do(self.begin_checks())

    def do(self, coroutine, limit=600):
        return asyncio.run_coroutine_threadsafe(coroutine, self.loop).result(limit)

    async def begin_checks(self):
        self.keep(self.check())

    def keep(self, coroutine):
        task = self.loop.create_task(coroutine)
        self.tasks.add(task)
        task.add_done_callback(self._ended)

    def _ended(self, task):
        self.tasks.discard(task)
        if not task.cancelled() and task.exception():
            self.refusals.append(f"a phone has failed: {task.exception()!r}")

    async def check(self):
        while True:
            answers = await asyncio.gather(*(self.is_ready(node) for node in self.nodes))
            self.healthy = [node for node, answer in zip(self.nodes, answers) if answer]
            await asyncio.sleep(1)

    async def is_ready(self, node):
        """Whether GET /ready is answered with 200 within two seconds."""
        writer = None
        try:
            async with asyncio.timeout(2):
                reader, writer = await asyncio.open_connection(node.address, node.port)
                writer.write(f"GET /ready HTTP/1.1\r\nHost: {node.address}\r\nConnection: close\r\n\r\n".encode())
                return b" 200 " in await reader.readline()
        except (OSError, TimeoutError):
            return False
        finally:
            if writer:
                writer.transport.abort()

    async def balance(self):
        """The next node, in turn."""
        while not self.healthy:
            await asyncio.sleep(0.2)
        self.turn += 1
        return self.healthy[self.turn % len(self.healthy)]

    def add(self, tokens, couriers=0):
        """More phones, the first of them with a link to the gateway; returns them when all have registered."""
        return self.do(self._add(tokens, couriers))

    async def _add(self, tokens, couriers):
        made = [Phone(self, len(self.phones) + place, token) for place, token in enumerate(tokens)]
        for phone in made[:couriers]:
            phone.courier = Courier(phone)
            self.keep(phone.courier.live(self.gateway))
            await asyncio.wait_for(phone.courier.ready.wait(), 60)
            phone.token = phone.courier.token
        for start in range(0, len(made), 100):
            for phone in made[start:start + 100]:
                self.keep(phone.live())
            for phone in made[start:start + 100]:
                await asyncio.wait_for(phone.ready.wait(), 120)
        self.phones += made
        return made

    def shuffle(self, share, chance):
        """Breaks the links of some phones, which connect again to the next nodes."""
        async def closing():
            for phone in chance.sample(self.phones, int(len(self.phones) * share)):
                if phone.link:
                    phone.link.transport.abort()
        self.do(closing())

    def linked(self):
        return sum(1 for phone in self.phones if phone.link)

    def close(self):
        async def ending():
            for task in list(self.tasks):
                task.cancel()
            await asyncio.gather(*self.tasks, return_exceptions=True)
        self.do(ending())
        self.loop.call_soon_threadsafe(self.loop.stop)
