import { useEffect } from "react";

import { getNotificationSettings, subscribeToPush } from "#contract/notifications.ts";
import { call } from "./api.ts";
import { findRegistration } from "./service-worker.ts";
import { useGroup, useSession } from "./session.ts";
import { createStore, useStore } from "./store.ts";

/**
 * Whether this browser is pushed to. `starting`: that turns out in a moment; `unsupported`: it cannot be; `denied`: its user has forbidden it for this site;
 * `failed`: it should be, and something went wrong.
 */
export type PushState = "starting" | "unsupported" | "denied" | "off" | "on" | "failed";

const state = createStore<PushState>("starting");
/** A browser whose worker does not start within this time has none. */
const workerTimeout = 10_000;

export function usePushState(): PushState {
  return useStore(state);
}

/**
 * Sends this browser's subscription to the server at every start, where notifications are allowed and not switched off
 * here.
 */
export function usePush(): void {
  const { user, isOffline } = useSession();
  const { vapid_public_key } = useGroup();
  const memberId = user?.id;
  useEffect(() => {
    if (memberId === undefined || isOffline) return;
    void startPush(vapid_public_key);
    // Phones give and take the permission in settings of their own.
    let permission = readPermission();
    const follow = (): void => {
      if (readPermission() === permission) return;
      permission = readPermission();
      void startPush(vapid_public_key);
    };
    document.addEventListener("visibilitychange", follow);
    return () => document.removeEventListener("visibilitychange", follow);
  }, [memberId, isOffline, vapid_public_key]);
  // The next user must not see the notifications of the one who logs out.
  useEffect(() => () => void closeNotifications(), []);
}

/** Subscribes where notifications are allowed and nobody switched them off here. Never throws. */
export async function startPush(key: string | null): Promise<void> {
  const found = readPushSupport(key);
  if (found !== "off" || Notification.permission !== "granted") return state.set(found);
  state.set("starting");
  try {
    if ((await call(getNotificationSettings)).is_wanted_here) await subscribe(key!);
    else state.set("off");
  } catch {
    state.set("failed");
  }
}

async function closeNotifications(): Promise<void> {
  const shown = (await (await findRegistration())?.getNotifications()) ?? [];
  for (const notification of shown) notification.close();
}

/** Opens the browser's question where it has no answer yet, so call it from a tap; then subscribes. Never throws. */
export async function enablePush(key: string | null): Promise<void> {
  state.set(readPushSupport(key));
  if (state.get() !== "off") return;
  await Notification.requestPermission();
  state.set(readPushSupport(key));
  if (Notification.permission !== "granted") return;
  await subscribe(key!).catch(() => state.set("failed"));
}

/** Ends the subscription in the browser; the caller tells the server. */
export async function disablePush(): Promise<void> {
  state.set("off");
  const registration = await findRegistration();
  await (await registration?.pushManager.getSubscription())?.unsubscribe();
}

function readPermission(): NotificationPermission | null {
  return "Notification" in window ? Notification.permission : null;
}

function readPushSupport(key: string | null): PushState {
  const isAble = "Notification" in window && "serviceWorker" in navigator && "PushManager" in window;
  if (!isAble || key === null) return "unsupported";
  return Notification.permission === "denied" ? "denied" : "off";
}

async function subscribe(key: string): Promise<void> {
  const { pushManager } = await readyRegistration();
  const known = await pushManager.getSubscription();
  if (known !== null && !usesServerKey(known, key)) await known.unsubscribe();
  const subscription = await subscribeInBrowser(pushManager, key);
  try {
    await call(subscribeToPush, { body: { pushSubscription: serializeSubscription(subscription) } });
  } catch (error) {
    await subscription.unsubscribe();
    throw error;
  }
  state.set("on");
}

/** A subscription that is in the way is cancelled, and then there is one more try. */
async function subscribeInBrowser(pushManager: PushManager, key: string): Promise<PushSubscription> {
  const options = { userVisibleOnly: true, applicationServerKey: key };
  try {
    return await pushManager.subscribe(options);
  } catch (error) {
    if (!(error instanceof DOMException) || error.code !== DOMException.INVALID_STATE_ERR) throw error;
    await (await pushManager.getSubscription())?.unsubscribe();
    return pushManager.subscribe(options);
  }
}

async function readyRegistration(): Promise<ServiceWorkerRegistration> {
  const tooLong = new Promise<never>((_, reject) => {
    setTimeout(() => reject(new Error("There is no service worker.")), workerTimeout);
  });
  return Promise.race([navigator.serviceWorker.ready, tooLong]);
}

/** Whether it was made for this key of the server; true where the browser does not say. */
function usesServerKey({ options }: PushSubscription, key: string): boolean {
  if (!options.applicationServerKey) return true;
  const made = String.fromCodePoint(...new Uint8Array(options.applicationServerKey));
  return made === atob(key.replaceAll("-", "+").replaceAll("_", "/"));
}

function serializeSubscription(subscription: PushSubscription) {
  const { endpoint, expirationTime = null, keys } = subscription.toJSON();
  return { endpoint: endpoint!, expirationTime, keys: { p256dh: keys!["p256dh"]!, auth: keys!["auth"]! } };
}
