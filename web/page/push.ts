import { useEffect } from "react";

import { getNotificationSettings, subscribeToPush } from "#contract/notifications.ts";
import { call } from "#web/client/api.ts";
import { createStore } from "#web/client/store.ts";
import { findRegistration } from "./service-worker.ts";
import { useClient, useGroup, useStore } from "./session.ts";

/** `starting`: not known yet; `denied`: blocked by the user for this site; `failed`: subscribing failed. */
export type PushState = "starting" | "unsupported" | "denied" | "off" | "on" | "failed";

const state = createStore<PushState>("starting");
const workerTimeoutMs = 10_000;

export function usePushState(): PushState {
  return useStore(state);
}

/** Subscribes at every start of the app, unless notifications are not allowed or turned off in this browser. */
export function usePush(): void {
  const isOffline = useStore(useClient().isOffline);
  const { vapid_public_key } = useGroup();
  useEffect(() => {
    if (isOffline) return;
    void startPush(vapid_public_key);
    // The user may change the permission in the phone's settings while the app is hidden.
    let permission = readPermission();
    const follow = (): void => {
      if (readPermission() === permission) return;
      permission = readPermission();
      void startPush(vapid_public_key);
    };
    document.addEventListener("visibilitychange", follow);
    return () => document.removeEventListener("visibilitychange", follow);
  }, [isOffline, vapid_public_key]);
  useEffect(() => () => void closeNotifications(), []);
}

/** Unless not allowed or turned off in this browser. Never throws. */
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

/** Browsers open their question only after a tap. Never throws. */
export async function enablePush(key: string | null): Promise<void> {
  state.set(readPushSupport(key));
  if (state.get() !== "off") return;
  await Notification.requestPermission();
  state.set(readPushSupport(key));
  if (Notification.permission !== "granted") return;
  await subscribe(key!).catch(() => state.set("failed"));
}

/** Leaves it to the caller to inform the server. */
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

/** Cancels a subscription with another server key. */
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
    setTimeout(() => reject(new Error("There is no service worker.")), workerTimeoutMs);
  });
  return Promise.race([navigator.serviceWorker.ready, tooLong]);
}

/** Returns `true` also if the browser does not reveal the key. */
function usesServerKey({ options }: PushSubscription, key: string): boolean {
  if (!options.applicationServerKey) return true;
  const made = String.fromCodePoint(...new Uint8Array(options.applicationServerKey));
  return made === atob(key.replaceAll("-", "+").replaceAll("_", "/"));
}

function serializeSubscription(subscription: PushSubscription) {
  const { endpoint, expirationTime = null, keys } = subscription.toJSON();
  return { endpoint: endpoint!, expirationTime, keys: { p256dh: keys!["p256dh"]!, auth: keys!["auth"]! } };
}
