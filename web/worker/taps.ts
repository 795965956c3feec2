import { checkLoginStatus, getCsrfCookie } from "#contract/auth.ts";
import { drinkBeer, tapHeaders, tapLimits, undoTap } from "#contract/beercounter.ts";

import { alone, openParcelStore, openParcelNews, parcelSync } from "../platform/parcel-store.ts";

declare const self: ServiceWorkerGlobalScope;

/** Background Sync and the cookies of a worker are in the same browsers, and in no standard's types. */
interface SyncEvent extends ExtendableEvent {
  readonly tag: string;
}
declare const cookieStore: { get(name: string): Promise<{ value: string } | null> };

const store = openParcelStore();
const tellTabs = openParcelNews();

/** Sends taps once there is network again, also when every tab is closed. While pages are open they do it by themselves. */
export function sendTapsLater(): void {
  self.addEventListener("sync", (event) => {
    const sync = event as SyncEvent;
    if (sync.tag === parcelSync) sync.waitUntil(sendAll());
  });
}

/** Rejects where it has to be tried again; the browser decides when. */
async function sendAll(): Promise<void> {
  const parcels = (await store.all()).filter(({ isRefused }) => !isRefused);
  if (parcels.length === 0) return;
  // First the token, then the question who is here: whoever logs in after that has another token, and nothing is booked.
  const token = await readToken();
  const reply = await ask(checkLoginStatus.path, "GET", {});
  const { user } = checkLoginStatus.reply!.parse(await reply.json());
  for (const { key } of parcels.filter(({ memberId }) => memberId === user?.id)) {
    await alone(key, () => send(key, token));
  }
  // With every tab closed nobody else takes the number off the app's icon.
  if ((await store.all()).length === 0) await navigator.clearAppBadge?.().catch(() => undefined);
}

async function send(key: string, token: string): Promise<void> {
  const parcel = await store.change(key, (found) => found && { ...found, isTried: true });
  if (parcel === null || parcel.isRefused) return;
  const age = Math.max(0, Date.now() - parcel.postedAt);
  // The page knows what to say about it.
  if (age > tapLimits.age) return;
  const headers = { "X-XSRF-TOKEN": token, [tapHeaders.member]: String(parcel.memberId) };
  const { ok, status } = parcel.isRecalled
    ? await ask(undoTap.path.replace(":key", key), undoTap.method, headers)
    : await ask(drinkBeer.path, drinkBeer.method, { ...headers, [tapHeaders.key]: key, [tapHeaders.age]: String(age) });
  if (ok) await store.change(key, (found) => (found?.isRecalled === parcel.isRecalled ? null : found));
  tellTabs();
  if (!ok && isPassing(status)) throw new Error(`The server answered ${status}.`);
}

async function readToken(): Promise<string> {
  const read = async (): Promise<string | undefined> => (await cookieStore.get("XSRF-TOKEN"))?.value;
  const known = await read();
  if (known === undefined) await ask(getCsrfCookie.path, "GET", {});
  return decodeURIComponent(known ?? (await read()) ?? "");
}

function ask(path: string, method: string, headers: Record<string, string>): Promise<Response> {
  return fetch(path, {
    method,
    headers: { Accept: "application/json", "X-Requested-With": "XMLHttpRequest", ...headers },
  });
}

/** What a page would be told is left to the page; this is worth another try without anybody looking. */
function isPassing(status: number): boolean {
  return status >= 500 || status === 408 || status === 409 || status === 429;
}
