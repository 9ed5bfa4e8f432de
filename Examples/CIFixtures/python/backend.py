"""The code under test: it pushes with aioapns, tries again when the service is unavailable, and forgets dead tokens."""

import asyncio
import ssl

import aioapns
from aioapns.connection import APNsTLSClientProtocol


class Backend:
    def __init__(self, *, port, key, key_id, team_id, topic, ca=None):
        class Protocol(APNsTLSClientProtocol):
            # In production, leave this class out: aioapns has Apple's host and port built in.
            APNS_SERVER, APNS_PORT = "localhost", port

        self.tokens = set()
        self._settings = {"topic": topic, "ssl_context": ssl.create_default_context(cafile=ca)}
        self._protocol = Protocol
        self.use(key, key_id, team_id)

    def use(self, key, key_id, team_id):
        """Signs pushes with this key from now on, on connections of their own. Those under way are answered as they were sent."""
        self._client = aioapns.APNs(key=key, key_id=key_id, team_id=team_id, **self._settings)
        self._client.pool.protocol_class = self._protocol

    async def notify(self, text, *, seconds_to_live=None, limit=5):
        """Sends a text to all tokens; the answer of each."""
        return {token: await self._send(token, text, seconds_to_live, limit) for token in sorted(self.tokens)}

    async def _send(self, token, text, seconds_to_live, limit):
        for pause in (0.01, 0.02, None):
            request = aioapns.NotificationRequest(
                device_token=token, message={"aps": {"alert": text}}, time_to_live=seconds_to_live
            )
            try:
                result = await asyncio.wait_for(self._client.send_notification(request), limit)
            except asyncio.TimeoutError:
                return "no answer"
            if result.status not in ("429", "503") or pause is None:
                break
            await asyncio.sleep(pause)
        if result.status == "410":
            self.tokens.discard(token)
        return f"{result.status} {result.description or ''}".strip()
