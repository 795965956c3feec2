import { checkLoginStatus, getCsrfCookie } from "#contract/auth.ts";
import { drinkBeer, tapHeaders, undoTap } from "#contract/beercounter.ts";
import { isRetryable } from "../platform/outbox-rules.ts";
import {
  createOutboxStorage,
  openOutboxChannel,
  outboxSyncTag,
  withEntryLock,
  type OutboxEntry,
} from "../platform/outbox-storage.ts";

declare const self: ServiceWorkerGlobalScope;

/** Background Sync and the cookies of a worker are in the same browsers, and in no standard's types. */
interface SyncEvent extends ExtendableEvent {
  readonly tag: string;
}
declare const cookieStore: { get(name: string): Promise<{ value: string } | null> };

const storage = createOutboxStorage();
const notifyTabs = openOutboxChannel();

/** Sends taps once there is network again, also when every tab is closed. Open pages send them themselves. */
export function registerTapSync(): void {
  self.addEventListener("sync", (event) => {
    const sync = event as SyncEvent;
    if (sync.tag === outboxSyncTag) sync.waitUntil(sendAll());
  });
}

/** Rejects when it has to be tried again; the browser decides when. */
async function sendAll(): Promise<void> {
  const entries = (await storage.list()).filter(({ isRefused }) => !isRefused);
  if (entries.length === 0) return;
  // The token before the login status: after another login the token is refused, so nothing is booked for the wrong member.
  const token = await readToken();
  const reply = await request(checkLoginStatus.path, "GET", {});
  const { user } = checkLoginStatus.reply.parse(await reply.json());
  for (const { key } of entries.filter(({ memberId }) => memberId === user?.id)) {
    await withEntryLock(key, () => send(key, token));
  }
  // With every tab closed no page takes the number off the app's icon.
  if ((await storage.list()).length === 0) await navigator.clearAppBadge?.().catch(() => undefined);
}

async function send(key: string, token: string): Promise<void> {
  const entry = await storage.update(key, (found) => found && { ...found, isTried: true });
  if (entry === null || entry.isRefused) return;
  const age = Math.max(0, Date.now() - entry.postedAt);
  const headers = { "X-XSRF-TOKEN": token, [tapHeaders.member]: String(entry.memberId) };
  const answer = entry.isRecalled
    ? await request(undoTap.path.replace(":key", key), undoTap.method, headers)
    : await request(
        drinkBeer.path,
        drinkBeer.method,
        { ...headers, [tapHeaders.key]: key, [tapHeaders.age]: String(age) },
        entry.body,
      );
  if (answer.ok) {
    // Throws for the login page of a hotspot in place of the answer.
    drinkBeer.reply.parse(await answer.json());
    await storage.update(key, (found) => (found?.isRecalled === entry.isRecalled ? null : found));
  }
  notifyTabs();
  // Refusals are left to the page, which shows them.
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
