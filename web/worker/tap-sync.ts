import { checkLoginStatus, getCsrfCookie } from "#contract/auth.ts";
import { drinkBeer, undoTap } from "#contract/beercounter.ts";
import { headersOf, isRetryable, removeDelivered } from "#web/data/outbox-rules.ts";
import {
  createOutboxStorage,
  openOutboxChannel,
  outboxSyncTag,
  withEntryLock,
  type OutboxEntry,
} from "#web/data/outbox-storage.ts";

declare const self: ServiceWorkerGlobalScope;

/**
 * Types for Background Sync and for `cookieStore` in service workers, which TypeScript lacks.
 * Browsers that support one support both.
 */
interface SyncEvent extends ExtendableEvent {
  readonly tag: string;
}
declare const cookieStore: { get(name: string): Promise<{ value: string } | null> };

const storage = createOutboxStorage();
const notifyTabs = openOutboxChannel();

/**
 * Sends stored taps at the browser's `sync` event: when the network is back, even if every tab is
 * closed. Open tabs also send taps without that event.
 */
export function registerTapSync(): void {
  self.addEventListener("sync", (event) => {
    const sync = event as SyncEvent;
    if (sync.tag === outboxSyncTag) sync.waitUntil(sendAll());
  });
}

/** Rejects if a tap could not be sent, so that the browser fires the sync event again later. */
async function sendAll(): Promise<void> {
  const entries = (await storage.list()).filter(({ isRefused }) => !isRefused);
  if (entries.length === 0) return;
  // Reads the CSRF token before the login status. If another member logs in between the two, the
  // server refuses the token, so no tap is booked for that member.
  const token = await readToken();
  const reply = await request(checkLoginStatus.path, "GET", {});
  const { user } = checkLoginStatus.reply.parse(await reply.json());
  for (const { key } of entries.filter(({ memberId }) => memberId === user?.id)) {
    await withEntryLock(key, () => send(key, token));
  }
  // Removes the number from the app's icon here, because there may be no open tab that removes it.
  if ((await storage.list()).length === 0) await navigator.clearAppBadge?.().catch(() => undefined);
}

async function send(key: string, token: string): Promise<void> {
  const entry = await storage.update(key, (found) => found && { ...found, isTried: true });
  if (entry === null || entry.isRefused) return;
  const headers = { "X-XSRF-TOKEN": token, ...headersOf(entry) };
  const answer = entry.isRecalled
    ? await request(undoTap.path.replace(":key", key), undoTap.method, headers)
    : await request(drinkBeer.path, drinkBeer.method, headers, entry.body);
  if (answer.ok) {
    // Throws if a hotspot's login page answered instead of the server.
    drinkBeer.reply.parse(await answer.json());
    await storage.update(key, removeDelivered(entry));
  }
  notifyTabs();
  // Retries only temporary failures. A page of the app shows refusals to the member.
  if (isRetryable(answer.status)) throw new Error(`The server answered ${answer.status}.`);
}

async function readToken(): Promise<string> {
  const read = async (): Promise<string | undefined> => (await cookieStore.get("XSRF-TOKEN"))?.value;
  const known = await read();
  if (known === undefined) await request(getCsrfCookie.path, "GET", {});
  return decodeURIComponent(known ?? (await read()) ?? "");
}

function request(
  path: string,
  method: string,
  headers: Record<string, string>,
  body?: OutboxEntry["body"],
): Promise<Response> {
  const type = body && { "Content-Type": "application/json" };
  return fetch(path, {
    method,
    headers: { Accept: "application/json", "X-Requested-With": "XMLHttpRequest", ...type, ...headers },
    ...(body && { body: JSON.stringify(body) }),
  });
}
