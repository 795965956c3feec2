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

/** Neither Background Sync nor a worker's cookies are standardized or typed; the same browsers have both. */
interface SyncEvent extends ExtendableEvent {
  readonly tag: string;
}
declare const cookieStore: { get(name: string): Promise<{ value: string } | null> };

const storage = createOutboxStorage();
const notifyTabs = openOutboxChannel();

/** Sends taps once the network is back, even if every tab is closed. Open pages send them themselves. */
export function registerTapSync(): void {
  self.addEventListener("sync", (event) => {
    const sync = event as SyncEvent;
    if (sync.tag === outboxSyncTag) sync.waitUntil(sendAll());
  });
}

/** Rejects to be retried; the browser decides when. */
async function sendAll(): Promise<void> {
  const entries = (await storage.list()).filter(({ isRefused }) => !isRefused);
  if (entries.length === 0) return;
  // Reads the token before the login status: after another login the token is refused, so nothing is booked for the wrong member.
  const token = await readToken();
  const reply = await request(checkLoginStatus.path, "GET", {});
  const { user } = checkLoginStatus.reply.parse(await reply.json());
  for (const { key } of entries.filter(({ memberId }) => memberId === user?.id)) {
    await withEntryLock(key, () => send(key, token));
  }
  // Clears the icon's number, which no closed tab can do.
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
    // Throws for a hotspot's login page instead of the answer.
    drinkBeer.reply.parse(await answer.json());
    await storage.update(key, removeDelivered(entry));
  }
  notifyTabs();
  // The page shows refusals.
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
