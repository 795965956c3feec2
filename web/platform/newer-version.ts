import { getHealth } from "#contract/health.ts";
import { call } from "./api.ts";

const key = "reloaded-for-new-version";
/** How long it takes to the next try after code could not be fetched, in milliseconds. */
const retryDelay = 5000;

/**
 * After a part of the app could not be fetched: where the server answers, it has a newer version without that part, and
 * one reload brings it. At most once a minute, so that a version that stays broken does not reload for ever.
 */
export async function reloadForNewerVersion(): Promise<void> {
  try {
    await call(getHealth);
  } catch {
    // Nobody is there; the page in front of one is better than none.
    return;
  }
  if (canReload()) location.reload();
}

/** Fetches code until it is there. */
export async function loadWithRetries<Code>(load: () => Promise<Code>): Promise<Code> {
  for (;;) {
    try {
      return await load();
    } catch {
      await reloadForNewerVersion();
      await new Promise((resolve) => setTimeout(resolve, retryDelay));
    }
  }
}

function canReload(): boolean {
  try {
    const last = Number(sessionStorage.getItem(key) ?? 0);
    if (Date.now() - last < 60_000) return false;
    sessionStorage.setItem(key, String(Date.now()));
    return true;
  } catch {
    return false;
  }
}
