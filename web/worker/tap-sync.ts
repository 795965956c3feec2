import { checkLoginStatus, getCsrfCookie } from "#contract/auth.ts";
import { drinkBeer, tapHeaders, tapLimits, undoTap } from "#contract/beercounter.ts";

import { withEntryLock, createOutboxStorage, openOutboxChannel, outboxSyncTag } from "../platform/outbox-storage.ts";

declare const self: ServiceWorkerGlobalScope;

/** Background Sync and the cookies of a worker are in the same browsers, and in no standard's types. */
interface SyncEvent extends ExtendableEvent {
  readonly tag: string;
}
declare const cookieStore: { get(name: string): Promise<{ value: string } | null> };

const storage = createOutboxStorage();
const notifyTabs = openOutboxChannel();

/** Sends taps once there is network again, also when every tab is closed. While pages are open they do it by themselves. */
export function registerTapSync(): void {
  self.addEventListener("sync", (event) => {
    const sync = event as SyncEvent;
    if (sync.tag === outboxSyncTag) sync.waitUntil(sendAll());
  });
}

/** Rejects where it has to be tried again; the browser decides when. */
async function sendAll(): Promise<void> {
  const parcels = (await storage.list()).filter(({ isRefused }) => !isRefused);
  if (parcels.length === 0) return;
  // First the token, then the question who is here: whoever logs in after that has another token, and nothing is booked.
  const token = await readToken();
  const reply = await request(checkLoginStatus.path, "GET", {});
  const { user } = checkLoginStatus.reply!.parse(await reply.json());
  for (const { key } of parcels.filter(({ memberId }) => memberId === user?.id)) {
    await withEntryLock(key, () => send(key, token));
  }
  // With every tab closed nobody else takes the number off the app's icon.
  if ((await storage.list()).length === 0) await navigator.clearAppBadge?.().catch(() => undefined);
}

async function send(key: string, token: string): Promise<void> {
  const parcel = await storage.update(key, (found) => found && { ...found, isTried: true });
  if (parcel === null || parcel.isRefused) return;
  const age = Math.max(0, Date.now() - parcel.postedAt);
  // The page knows what to say about it.
  if (age > tapLimits.age) return;
  const headers = { "X-XSRF-TOKEN": token, [tapHeaders.member]: String(parcel.memberId) };
  const { ok, status } = parcel.isRecalled
    ? await request(undoTap.path.replace(":key", key), undoTap.method, headers)
    : await request(drinkBeer.path, drinkBeer.method, {
        ...headers,
        [tapHeaders.key]: key,
        [tapHeaders.age]: String(age),
      });
  if (ok) await storage.update(key, (found) => (found?.isRecalled === parcel.isRecalled ? null : found));
  notifyTabs();
  if (!ok && isTransient(status)) throw new Error(`The server answered ${status}.`);
}

async function readToken(): Promise<string> {
  const read = async (): Promise<string | undefined> => (await cookieStore.get("XSRF-TOKEN"))?.value;
  const known = await read();
  if (known === undefined) await request(getCsrfCookie.path, "GET", {});
  return decodeURIComponent(known ?? (await read()) ?? "");
}

function request(path: string, method: string, headers: Record<string, string>): Promise<Response> {
  return fetch(path, {
    method,
    headers: { Accept: "application/json", "X-Requested-With": "XMLHttpRequest", ...headers },
  });
}

/** What a page would be told is left to the page; this is worth another try without anybody looking. */
function isTransient(status: number): boolean {
  return status >= 500 || status === 408 || status === 409 || status === 429;
}
