import type { UseQueryResult } from "@tanstack/react-query";

import type { Endpoint, ReplyOf } from "#contract/endpoint.ts";
import { getReleaseCheck, type ReleaseCheck } from "#contract/releases.ts";
import { call, type CallOptions } from "#web/data/api.ts";
import { reload, useReply } from "#web/data/query-client.ts";

export interface OneTimeLink {
  readonly url: string;
  readonly expires_at: string;
}

export const adminKey = ["admin"];

/** Refetches the admin queries after the reply. */
export async function request<E extends Endpoint>(endpoint: E, options: CallOptions<E>): Promise<ReplyOf<E>> {
  const reply = await call(endpoint, options);
  await reloadAdmin();
  return reply;
}

/** Like `request`, but resolves to the message of the reply. */
export async function change<E extends Endpoint>(
  endpoint: ReplyOf<E> extends { readonly message: string } ? E : never,
  options: CallOptions<E>,
): Promise<string> {
  const { message } = (await request(endpoint as E, options)) as { readonly message: string };
  return message;
}

export function reloadAdmin(): Promise<unknown> {
  return reload(adminKey);
}

export function useReleaseCheck(): UseQueryResult<ReleaseCheck> {
  return useReply(getReleaseCheck, { queryKey: [...adminKey, "releases"] });
}
