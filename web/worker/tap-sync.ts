import { checkLoginStatus } from "#contract/auth.ts";
import { ApiError, call } from "#web/client/api.ts";
import { isRetryable, isUndo } from "#web/client/outbox-rules.ts";
import { createOutboxStorage, openOutboxChannel, outboxSyncTag, withBeerLock } from "#web/client/outbox-storage.ts";
import { sendEntry } from "#web/client/outbox.ts";

declare const self: ServiceWorkerGlobalScope;

/** TypeScript's types lack Background Sync. */
interface SyncEvent extends ExtendableEvent {
  readonly tag: string;
}

const storage = createOutboxStorage();
const channel = openOutboxChannel();

/** The browser fires `sync` when the network is back, even if every tab is closed. */
export function registerTapSync(): void {
  self.addEventListener("sync", (event) => {
    const sync = event as SyncEvent;
    if (sync.tag === outboxSyncTag) sync.waitUntil(sendAll());
  });
}

/** Rejects if the server cannot answer now: the browser then fires `sync` again. */
async function sendAll(): Promise<void> {
  const waiting = (await storage.list()).filter(({ isRefused }) => !isRefused);
  if (waiting.length === 0) return;
  const { user } = await call(checkLoginStatus);
  const entries = waiting
    .filter(({ memberId, token }) => token !== undefined || memberId === user?.id)
    .toSorted((one, other) => Number(isUndo(one)) - Number(isUndo(other)) || one.postedAt - other.postedAt);
  for (const { id, beer } of entries) await withBeerLock(beer, () => send(id));
  // No tab may be open that would remove the number.
  if ((await storage.list()).length === 0) await navigator.clearAppBadge?.().catch(() => undefined);
}

async function send(id: string): Promise<void> {
  const entry = await storage.update(id, (found) => found);
  if (entry === null || entry.isRefused) return;
  try {
    await sendEntry(entry);
  } catch (error) {
    // A page retries a refused entry, and shows the refusal.
    if (error instanceof ApiError && !isRetryable(error.status)) return;
    throw error;
  }
  await storage.update(id, () => null);
  channel.notify();
}
