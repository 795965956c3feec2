import type { UseQueryResult } from "@tanstack/react-query";

import { getAccountEvents, type AccountEvent } from "#contract/account-events.ts";
import { deleteAccount as deleteAccountEndpoint } from "#contract/account.ts";
import * as tokens from "#contract/api-tokens.ts";
import type { InputOf, ReplyOf } from "#contract/endpoint.ts";
import { getOwnAccessLinks, type AccessLinks } from "#contract/member-management.ts";
import type { User } from "#contract/members.ts";
import * as oidc from "#contract/oidc.ts";
import * as passkeys from "#contract/passkeys.ts";
import * as contract from "#contract/profile.ts";
import { ApiError, call } from "#web/client/api.ts";
import { queryClient, reload, useReply } from "#web/data/query-client.ts";
import { loadPasskeys } from "#web/features/accounts/load-login.ts";
import { endSession, useGroup, replaceMember, updateMember } from "#web/page/session.ts";

const picturesKey = ["profile", "pictures"];
const devicesKey = ["profile", "devices"];
const passkeysKey = ["profile", "passkeys"];
const tokensKey = ["profile", "tokens"];
const oidcKey = ["profile", "oidc"];
const eventsKey = ["profile", "events"];

export function usePictures(): UseQueryResult<{ id: string }[]> {
  return useReply(contract.getPictures, { queryKey: picturesKey });
}

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

export function useOidcLink(): UseQueryResult<ReplyOf<typeof oidc.getOidcLink>> {
  return useReply(oidc.getOidcLink, { queryKey: oidcKey, enabled: useGroup().oidc_label !== undefined });
}

export async function removeOidcLink(): Promise<string> {
  const { message } = await call(oidc.removeOidcLink);
  await reload(oidcKey, eventsKey);
  return message;
}

export function useTokens(): UseQueryResult<tokens.ApiToken[]> {
  return useReply(tokens.getTokens, { queryKey: tokensKey });
}

/** The server never returns the token again. */
export async function createToken(body: InputOf<typeof tokens.createToken>): Promise<string> {
  const { token } = await call(tokens.createToken, { body });
  await reload(tokensKey, eventsKey);
  return token;
}

export async function revokeToken(id: number): Promise<string> {
  const { message } = await call(tokens.revokeToken, { params: { id } });
  await reload(tokensKey, eventsKey);
  return message;
}

export function useAccountEvents(): UseQueryResult<AccountEvent[]> {
  return useReply(getAccountEvents, { queryKey: eventsKey });
}

/** `null` while loading, and for members who are no administrators. */
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
  await reload(devicesKey, eventsKey, oidcKey);
}

/** Uploads a square PNG. */
export async function uploadPicture(png: Blob): Promise<{ id: string; message: string }> {
  const form = new FormData();
  form.set("avatar", png, "avatar.png");
  const uploaded = await call(contract.uploadPicture, { body: form });
  await reload(picturesKey);
  return uploaded;
}

/** If the picture was chosen, the default picture replaces it. Another tab may have deleted the picture already. */
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

/** `null` is the default picture. */
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

/** Also redirects to the home page. */
export async function deleteAccount(body: InputOf<typeof deleteAccountEndpoint>): Promise<string> {
  const { message } = await endSession(() => call(deleteAccountEndpoint, { body }));
  return message;
}
