import type { UseQueryResult } from "@tanstack/react-query";

import { getAccountEvents, type AccountEvent } from "#contract/account-events.ts";
import { deleteAccount as deleteAccountEndpoint } from "#contract/account.ts";
import { getOwnAccessLinks, type AccessLinks } from "#contract/admin-members.ts";
import type { InputOf } from "#contract/endpoint.ts";
import type { User } from "#contract/members.ts";
import * as passkeys from "#contract/passkeys.ts";
import * as contract from "#contract/profile.ts";
import { ApiError, call } from "#web/platform/api.ts";
import { loadPasskeys } from "#web/platform/load-passkeys.ts";
import { queryClient, reload, useQuery, useReply } from "#web/platform/query-client.ts";
import { endSession, replaceMember, updateMember } from "#web/platform/session.ts";

const picturesKey = ["profile", "pictures"];
const devicesKey = ["profile", "devices"];
const passkeysKey = ["profile", "passkeys"];
const eventsKey = ["profile", "events"];

/** One's own pictures, the newest first. A failure is also written to the console. */
export function usePictures(): UseQueryResult<{ id: string }[]> {
  return useQuery({
    queryKey: picturesKey,
    queryFn: async ({ signal }) => {
      try {
        return await call(contract.getPictures, { signal });
      } catch (error) {
        if (!signal.aborted) console.warn("The pictures could not be loaded.", error);
        throw error;
      }
    },
  });
}

/** Where one is logged in. */
export function useDevices(): UseQueryResult<contract.Device[]> {
  return useReply(contract.getDevices, { queryKey: devicesKey });
}

export function usePasskeys(): UseQueryResult<passkeys.Passkey[]> {
  return useReply(passkeys.getPasskeys, { queryKey: passkeysKey });
}

export async function createPasskey(name: string): Promise<string> {
  const message = await (await loadPasskeys()).createPasskey(name);
  await reload(passkeysKey, eventsKey);
  return message;
}

export async function renamePasskey(id: number, name: string): Promise<string> {
  const { message } = await call(passkeys.renamePasskey, { params: { id }, body: { name } });
  await reload(passkeysKey);
  return message;
}

export async function removePasskey(id: number): Promise<string> {
  const { message } = await call(passkeys.removePasskey, { params: { id } });
  await reload(passkeysKey, eventsKey);
  return message;
}

/** What happened to one's account, the newest first. */
export function useAccountEvents(): UseQueryResult<AccountEvent[]> {
  return useReply(getAccountEvents, { queryKey: eventsKey });
}

/** The links that one made as an administrator and that still work; null for other members, and until they are known. */
export function useOwnAccessLinks({ id, permissions }: User, isNeeded: boolean): AccessLinks | null {
  const { data } = useReply(getOwnAccessLinks, {
    queryKey: ["profile", "access-links", id],
    enabled: isNeeded && permissions.includes("admin"),
  });
  return data ?? null;
}

export async function saveProfile(body: InputOf<typeof contract.updateProfile>): Promise<void> {
  const { data } = await call(contract.updateProfile, { body });
  replaceMember(data);
  await reload(eventsKey);
}

export async function changePassword(body: InputOf<typeof contract.changePassword>): Promise<void> {
  await call(contract.changePassword, { body });
  await reload(devicesKey, eventsKey);
}

/** Uploads a square PNG; resolves to its id and what there is to say once the list is loaded anew. */
export async function uploadPicture(png: Blob): Promise<{ id: string; message: string }> {
  const form = new FormData();
  form.set("avatar", png, "avatar.png");
  const uploaded = await call(contract.uploadPicture, { body: form });
  await reload(picturesKey);
  return uploaded;
}

/**
 * Deletes one of one's own pictures; the default picture takes the place of the chosen one. Resolves to what there is to
 * say, also when it was deleted in another window before.
 */
export async function deletePicture(id: string, isChosen: boolean): Promise<string> {
  const { message } = await call(contract.deletePicture, { params: { id } }).catch((error: unknown) => {
    if (!(error instanceof ApiError) || error.status !== 404) throw error;
    return { message: "Dieses Profilbild war schon gelöscht." };
  });
  queryClient.setQueryData<{ id: string }[]>(picturesKey, (pictures) => pictures?.filter((one) => one.id !== id));
  void reload(picturesKey);
  if (isChosen) updateMember({ avatarId: null, profile_picture: null });
  return message;
}

/** Null: the default picture. */
export async function choosePicture(id: string | null): Promise<void> {
  await call(contract.choosePicture, { body: { id } });
  updateMember({ avatarId: id, profile_picture: id });
}

export async function endDevice(id: string): Promise<string> {
  const { message } = await call(contract.endDevice, { params: { id } });
  await reload(devicesKey);
  return message;
}

export async function endOtherDevices(): Promise<string> {
  const { message } = await call(contract.endOtherDevices);
  await reload(devicesKey);
  return message;
}

/** Deletes the account permanently, leads home, and resolves to the message for the screen. */
export async function deleteAccount(body: InputOf<typeof deleteAccountEndpoint>): Promise<string> {
  const { message } = await endSession(() => call(deleteAccountEndpoint, { body }));
  return message;
}
