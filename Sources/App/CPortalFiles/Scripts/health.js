// Health: the figures stay up to date while the page is looked at.

import { refresh } from "./pages.js";

const seconds = 10;

async function update() {
  if (document.visibilityState === "visible") await refresh("now", "findings", "connections", "lanes").catch(() => {});
  setTimeout(update, seconds * 1000);
}

setTimeout(update, seconds * 1000);
