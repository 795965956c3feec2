import type { UseQueryResult } from "@tanstack/react-query";

import * as contract from "#contract/notifications.ts";
import { call } from "#web/data/api.ts";
import { queryClient, reload, useReply } from "#web/data/query-client.ts";
import { disablePush, enablePush } from "#web/pwa/push.ts";

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

/**
 * Loads the member's browsers that receive push notifications. `isOn` is `true` if this browser
 * receives them; when `isOn` changes, the list is refetched.
 */
export function usePushDevices(isOn: boolean): UseQueryResult<contract.PushDevice[]> {
  return useReply(contract.getPushDevices, { queryKey: [...devicesKey, isOn], placeholderData: (before) => before });
}

/**
 * Enables push notifications in this browser. `key` is the server's public key; does nothing if
 * `key` is `null`, because the server then sends no notifications.
 */
export async function enableThisDevice(key: string | null): Promise<void> {
  await enablePush(key);
  await reload(devicesKey);
}

/**
 * Removes a browser from the list of push receivers. If it is the current browser, also disables
 * push in it.
 */
export async function removeDevice({ id, current }: contract.PushDevice): Promise<string> {
  const { message } = await call(contract.removePushDevice, { params: { id } });
  if (current) await disablePush();
  await reload(devicesKey);
  return message;
}

/** Sends a test push to all devices of the member; resolves to one result per device. */
export async function sendTestPush(): Promise<contract.PushTest[]> {
  const results = await call(contract.testPush);
  await reload(devicesKey);
  return results;
}
