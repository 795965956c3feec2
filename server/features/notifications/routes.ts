import * as contract from "#contract/notifications.ts";
import type { Context } from "#server/platform/context.ts";
import { handle } from "#server/platform/http/handle.ts";
import { listPushDevices, removePushDevice, subscribe, testPush } from "./actions.ts";
import * as store from "./store.ts";

export function addRoutes(context: Context): void {
  const { http, db } = context;

  handle(http, contract.subscribeToPush, ({ member, body }) => subscribe(context, member, body));
  handle(http, contract.getPushDevices, ({ member }) => listPushDevices(context, member));
  handle(http, contract.removePushDevice, ({ member, params }) => removePushDevice(context, member, params.id));
  handle(http, contract.testPush, ({ member }) => testPush(context, member));

  handle(http, contract.getNotificationSettings, async ({ member }) => ({
    ...(await store.findSettings(db, member.id)),
    is_wanted_here: !(await store.hasRefused(db, member.sessionId)),
  }));

  handle(http, contract.saveNotificationSettings, async ({ member, body }) => {
    await store.updateSettings(db, member.id, body);
    return body;
  });
}
