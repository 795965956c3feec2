import { readDeviceItem, writeDeviceItem } from "./device-storage.ts";
import { findRegistration } from "./service-worker.ts";
import { useSession } from "./session.ts";
import { createStore, useStore } from "./store.ts";

const key = "notifications-later";
const postponeDays = 30;

/** Whether the question was answered since the start of the app. */
const wasAnswered = createStore(false);

/**
 * Whether a member is to be asked for permission to notify: neither the browser nor the member has answered already;
 * "Nicht jetzt" holds for 30 days.
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

/** The answer Erlauben: opens the browser's own question, which it allows from a tap only. `serverKey` signs its pushes. */
export async function allowNotifications(serverKey: string | null): Promise<void> {
  wasAnswered.set(true);
  await Notification.requestPermission();
  const { startPush } = await import("./push.ts");
  await startPush(serverKey);
}

/** The answer Nicht jetzt. */
export function postponeNotifications(): void {
  wasAnswered.set(true);
  writeDeviceItem(key, String(Date.now() + postponeDays * 86_400_000));
}

/**
 * A browser notification, if permitted and nobody is looking at this page. Equal tags replace each other, those of a push
 * too; the tag is also the page that a tap leads to.
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
  // Android shows notifications through the service worker only.
  if (worker !== undefined) return worker.showNotification(message.title, options);
  new Notification(message.title, options).addEventListener("click", () => window.focus());
}
