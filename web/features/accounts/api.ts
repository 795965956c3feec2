import { useQuery, useQueryClient, type UseQueryResult } from "@tanstack/react-query";

import type { Endpoint, ReplyOf } from "#contract/endpoint.ts";
import { getOidcLink } from "#contract/oidc.ts";
import * as contract from "#contract/profile.ts";
import { ApiError, call, type CallOptions } from "#web/client/api.ts";
import type { Client } from "#web/client/client.ts";
import { keyOf, reload, replyOptions } from "#web/client/queries.ts";
import { useGroup } from "#web/page/session.ts";

export const accountKey = ["user"];

export function useAccountCall(): <E extends Endpoint>(endpoint: E, options?: CallOptions<E>) => Promise<ReplyOf<E>> {
  const queries = useQueryClient();
  return async (endpoint, options) => {
    const reply = await call(endpoint, options);
    await reload(queries, accountKey);
    return reply;
  };
}

export function useOidcLink(): UseQueryResult<ReplyOf<typeof getOidcLink>> {
  return useQuery({ ...replyOptions(getOidcLink), enabled: useGroup().oidc_label !== undefined });
}

type PictureClient = Pick<Client, "member" | "queries">;

export function usePictures(): UseQueryResult<{ id: string }[]> {
  return useQuery(replyOptions(contract.getPictures));
}

export async function uploadPicture({ queries }: PictureClient, png: Blob): Promise<{ id: string; message: string }> {
  const form = new FormData();
  form.set("avatar", png, "avatar.png");
  const uploaded = await call(contract.uploadPicture, { body: form });
  await reload(queries, keyOf(contract.getPictures));
  return uploaded;
}

/** Succeeds also if another tab has deleted the picture already. */
export async function deletePicture(client: PictureClient, id: string, isChosen: boolean): Promise<string> {
  const { message } = await call(contract.deletePicture, { params: { id } }).catch((error: unknown) => {
    if (!(error instanceof ApiError) || error.status !== 404) throw error;
    return { message: "Dieses Profilbild war schon gelöscht." };
  });
  const { queryKey } = replyOptions(contract.getPictures);
  client.queries.setQueryData(queryKey, (pictures) => pictures?.filter((one) => one.id !== id));
  void reload(client.queries, queryKey);
  if (isChosen) showPicture(client, null);
  return message;
}

/** Chooses the default picture with `null`. */
export async function choosePicture(client: PictureClient, id: string | null): Promise<void> {
  await call(contract.choosePicture, { body: { id } });
  showPicture(client, id);
}

function showPicture({ member }: PictureClient, id: string | null): void {
  member.set({ ...member.get()!, avatarId: id, profile_picture: id });
}
