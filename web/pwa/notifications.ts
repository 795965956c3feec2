import { readDeviceItem, writeDeviceItem } from "#web/data/device-storage.ts";
import { createStore, useStore } from "#web/data/store.ts";
import { useSession } from "#web/session/session.ts";
import { findRegistration } from "./service-worker.ts";

const key = "notifications-later";
const postponeDays = 30;

/** `true` if the question was answered since the start of the app. */
const wasAnswered = createStore(false);

/**
 * Returns `true` if the member should be asked for permission to notify: neither the browser nor the member has answered; "Nicht
 * jetzt" is valid for 30 days.
 */
export function useShouldAskForNotifications(): boolean {
  const { user } = useSession();
  const isDue = !useStore(wasAnswered) && user !== null;
  return (
    isDue &&
    "Notification" in window &&
    Notification.permission === "default" &&
    Date.now() >= Number(readDeviceItem(key) ?? 0)
  );
}

/** Answers the question with "Erlauben": opens the browser's own question, which requires a tap. `serverKey` signs the pushes. */
export async function allowNotifications(serverKey: string | null): Promise<void> {
  wasAnswered.set(true);
  await Notification.requestPermission();
  const { startPush } = await import("./push.ts");
  await startPush(serverKey);
}

/** Answers the question with "Nicht jetzt". */
export function postponeNotifications(): void {
  wasAnswered.set(true);
  writeDeviceItem(key, String(Date.now() + postponeDays * 86_400_000));
}

/**
 * Shows a browser notification if it is permitted and this page has no focus. The tag, also of pushes, is the page that a tap
 * opens; a notification replaces the previous one with the same tag.
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
