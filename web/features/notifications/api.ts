import type { UseQueryResult } from "@tanstack/react-query";

import * as contract from "#contract/notifications.ts";
import { call } from "#web/client/api.ts";
import { queryClient, reload, useReply } from "#web/data/query-client.ts";
import { disablePush, enablePush } from "#web/page/push.ts";

const settingsKey = ["notifications", "settings"];
const devicesKey = ["notifications", "devices"];

export function useNotificationSettings(): UseQueryResult<contract.NotificationSettings> {
  return useReply(contract.getNotificationSettings, { queryKey: settingsKey });
}

export async function saveSettings(body: contract.NotificationSettings): Promise<void> {
  queryClient.setQueryData<contract.NotificationSettings>(
    settingsKey,
    await call(contract.saveNotificationSettings, { body }),
  );
}

/** Refetched when `isOn`, the push state of this browser, changes. */
export function usePushDevices(isOn: boolean): UseQueryResult<contract.PushDevice[]> {
  return useReply(contract.getPushDevices, { queryKey: [...devicesKey, isOn], placeholderData: (before) => before });
}

/** Does nothing without the server's public key `key`, because the server then sends no notifications. */
export async function enableThisDevice(key: string | null): Promise<void> {
  await enablePush(key);
  await reload(devicesKey);
}

export async function removeDevice({ id, current }: contract.PushDevice): Promise<string> {
  const { message } = await call(contract.removePushDevice, { params: { id } });
  if (current) await disablePush();
  await reload(devicesKey);
  return message;
}

export async function sendTestPush(): Promise<contract.PushTest[]> {
  const results = await call(contract.testPush);
  await reload(devicesKey);
  return results;
}
