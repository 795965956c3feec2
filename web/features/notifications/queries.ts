import type { UseQueryResult } from "@tanstack/react-query";

import * as contract from "#contract/notifications.ts";
import { call } from "#web/platform/api.ts";
import { disablePush, enablePush } from "#web/platform/push.ts";
import { queryClient, reload, useReply } from "#web/platform/query-client.ts";

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

/** Which browsers of the member are pushed to; `isOn` of this one, so that the list follows its switch. */
export function usePushDevices(isOn: boolean): UseQueryResult<contract.PushDevice[]> {
  return useReply(contract.getPushDevices, { queryKey: [...devicesKey, isOn], placeholderData: (before) => before });
}

/** `key`: the server's public one; null where it has none, and then nothing happens. */
export async function enableThisDevice(key: string | null): Promise<void> {
  await enablePush(key);
  await reload(devicesKey);
}

/** Takes a browser off the list, this one or another. */
export async function removeDevice({ id, current }: contract.PushDevice): Promise<string> {
  const { message } = await call(contract.removePushDevice, { params: { id } });
  if (current) await disablePush();
  await reload(devicesKey);
  return message;
}

/** Resolves to what came of it on each device. */
export async function sendTestPush(): Promise<contract.PushTest[]> {
  const results = await call(contract.testPush);
  await reload(devicesKey);
  return results;
}
