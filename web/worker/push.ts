import * as z from "zod/mini";

import { getGroupConfig } from "#contract/group-config.ts";
import {
  notifiedPage,
  pushPayload,
  pushSubscription,
  subscribeToPush,
  type PushPayload,
} from "#contract/notifications.ts";
import { call } from "#web/client/api.ts";

declare const self: ServiceWorkerGlobalScope;

/** Browsers revoke the permission of sites that receive a push without showing a notification. */
const fallbackPayload: PushPayload = {
  title: "Neuigkeiten",
  body: "Schau mal wieder rein.",
  tag: "news",
  url: "/beercounter",
  silent: true,
};

/** Shows pushes as notifications; a click on one opens a page of the app. */
export function registerPush(): void {
  self.addEventListener("push", (event) => event.waitUntil(showNotification(parsePayload(event.data))));
  self.addEventListener("notificationclick", (event) => {
    event.notification.close();
    const { data } = z.object({ url: notifiedPage }).safeParse(event.notification.data);
    event.waitUntil(openPage(data?.url ?? fallbackPayload.url));
  });
  self.addEventListener("pushsubscriptionchange", (event) =>
    event.waitUntil(renewSubscription().catch(() => undefined)),
  );
}

function parsePayload(data: PushMessageData | null): PushPayload {
  try {
    return pushPayload.parse(data?.json());
  } catch {
    return fallbackPayload;
  }
}

async function showNotification({ title, url, ...options }: PushPayload): Promise<void> {
  await self.registration.showNotification(title, {
    ...options,
    icon: "/icons/icon-192.png",
    badge: "/icons/badge-96.png",
    lang: "de",
    data: { url },
  });
}

/** Navigates inside of an open window, because a reload would lose typed text. */
async function openPage(path: string): Promise<void> {
  const windows = await self.clients.matchAll({ type: "window", includeUncontrolled: true });
  const ours = windows.find(({ url }) => new URL(url).origin === self.location.origin);
  if (ours === undefined) return void (await self.clients.openWindow(path));
  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a client of this worker is of its origin
  ours.postMessage({ open: path });
  await ours.focus();
}

/**
 * Subscribes again after the push service has dropped the old address. After a failure, the app does so at its next
 * start.
 */
async function renewSubscription(): Promise<void> {
  const { vapid_public_key: applicationServerKey } = await call(getGroupConfig);
  if (applicationServerKey === null) return;
  const subscription = await self.registration.pushManager.subscribe({ userVisibleOnly: true, applicationServerKey });
  await call(subscribeToPush, { body: { pushSubscription: pushSubscription.parse(subscription.toJSON()) } });
}
