import { readDeviceItem, writeDeviceItem } from "#web/client/storage.ts";
import { createStore } from "#web/client/store.ts";
import { findRegistration } from "./service-worker.ts";
import { useMember, useStore } from "./session.ts";

/** Epoch ms from which the app asks; missing until the first "Prost" of somebody else. */
const key = "notifications-later";
const postponeDays = 30;

const hasHeardProst = createStore(false);
/** `true` after an answer since the app was started. */
const wasAnswered = createStore(false);

/**
 * Returns `true` from the first "Prost" of somebody else until the browser's or the app's question is answered; "Nicht
 * jetzt" is valid for 30 days.
 */
export function useShouldAskForNotifications(): boolean {
  const isMember = useMember() !== null;
  const hasHeard = useStore(hasHeardProst);
  const isDue = !useStore(wasAnswered) && isMember;
  if (!isDue || !("Notification" in window) || Notification.permission !== "default") return false;
  const from = readDeviceItem(key);
  return (hasHeard || from !== null) && Date.now() >= Number(from);
}

/** Call this after a "Prost" of somebody else. */
export function hearProst(): void {
  hasHeardProst.set(true);
  if (readDeviceItem(key) === null) writeDeviceItem(key, "0");
}

/** Browsers open their question only after a tap. `serverKey` is the server's public VAPID key. */
export async function allowNotifications(serverKey: string | null): Promise<void> {
  wasAnswered.set(true);
  await Notification.requestPermission();
  const { startPush } = await import("./push.ts");
  await startPush(serverKey);
}

/** Postpones for 30 days. */
export function postponeNotifications(): void {
  wasAnswered.set(true);
  writeDeviceItem(key, String(Date.now() + postponeDays * 86_400_000));
}

/**
 * Shows a notification only if allowed and this page has no focus. `tag` is the path that a tap opens; the same tag
 * replaces.
 */
export async function notify(message: { title: string; body: string; tag: string }): Promise<void> {
  if (!("Notification" in window) || Notification.permission !== "granted") return;
  if (document.visibilityState === "visible" && document.hasFocus()) return;
  const options = {
    body: message.body,
    tag: message.tag,
    icon: "/icons/icon-192.png",
    badge: "/icons/badge-96.png",
    lang: "de",
    data: { url: `/${message.tag}` },
  };
  const worker = await findRegistration();
  // Android shows notifications only through the service worker.
  if (worker !== undefined) return worker.showNotification(message.title, options);
  new Notification(message.title, options).addEventListener("click", () => window.focus());
}
