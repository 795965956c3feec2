import * as contract from "#contract/notifications.ts";
import { handle } from "#server/platform/http/handle.ts";
import type { Platform } from "#server/platform/platform.ts";
import { listPushDevices, removePushDevice, subscribe, testPush } from "./actions.ts";
import { hasRefused, readSettings, writeSettings } from "./store.ts";

export function addNotificationRoutes(platform: Platform): void {
  const { door, db } = platform;

  handle(door, contract.subscribeToPush, async ({ member, body }) => {
    await subscribe(platform, member, body);
    return { message: "Push-Abonnement gespeichert." };
  });

  handle(door, contract.getPushDevices, ({ member }) => listPushDevices(platform, member));

  handle(door, contract.removePushDevice, async ({ member, params }) => {
    await removePushDevice(platform, member, params.id);
    return { message: "Dieses Gerät bekommt keine Benachrichtigungen mehr." };
  });

  handle(door, contract.testPush, ({ member }) => testPush(platform, member));

  handle(door, contract.getNotificationSettings, async ({ member }) => ({
    ...(await readSettings(db, member.id)),
    is_wanted_here: !(await hasRefused(db, member.sessionId)),
  }));

  handle(door, contract.saveNotificationSettings, async ({ member, body }) => {
    await writeSettings(db, member.id, body);
    return body;
  });
}
