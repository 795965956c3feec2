import { lazy, type ComponentType, type LazyExoticComponent } from "react";

import { getHealth } from "#contract/health.ts";
import { call } from "#web/client/api.ts";

const key = "reloaded-for-new-version";
const retryDelayMs = 5000;

/**
 * Reloads at most once a minute, so that a broken version does not reload endlessly. A server that answers has a newer
 * version without the missing file.
 */
export async function reloadForNewerVersion(): Promise<void> {
  try {
    await call(getHealth);
  } catch {
    // Without the server, a reload would lose the page.
    return;
  }
  if (canReload()) location.reload();
}

/** Loads a part of a page when it is first shown, and retries without end. */
export function lazyPart<Props>(load: () => Promise<ComponentType<Props>>): LazyExoticComponent<ComponentType<Props>> {
  return lazy(async () => ({ default: await loadWithRetries(load) }));
}

async function loadWithRetries<Code>(load: () => Promise<Code>): Promise<Code> {
  for (;;) {
    try {
      return await load();
    } catch {
      await reloadForNewerVersion();
      await new Promise((resolve) => setTimeout(resolve, retryDelayMs));
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
