import type { UseQueryResult } from "@tanstack/react-query";

import type { Endpoint, ReplyOf } from "#contract/endpoint.ts";
import { getReleaseCheck, type ReleaseCheck } from "#contract/releases.ts";
import { call, type CallOptions } from "#web/data/api.ts";
import { reload, useReply } from "#web/data/query-client.ts";

/** A link that is shown only once. */
export interface OneTimeLink {
  readonly url: string;
  readonly expires_at: string;
}

/** The common prefix of the query keys of all admin pages. */
export const adminKey = ["admin"];

/** Calls an endpoint that changes data, refetches the admin queries, and resolves to the reply. */
export async function request<E extends Endpoint>(endpoint: E, options: CallOptions<E>): Promise<ReplyOf<E>> {
  const reply = await call(endpoint, options);
  await reloadAdmin();
  return reply;
}

/** Does the same as `request`, but resolves only to the message of the reply. */
export async function change<E extends Endpoint>(
  endpoint: ReplyOf<E> extends { readonly message: string } ? E : never,
  options: CallOptions<E>,
): Promise<string> {
  const { message } = (await request(endpoint as E, options)) as { readonly message: string };
  return message;
}

/** Refetches the admin queries. */
export function reloadAdmin(): Promise<unknown> {
  return reload(adminKey);
}

/** Loads the server's version, and the newer version if the daily release check has found one. */
export function useReleaseCheck(): UseQueryResult<ReleaseCheck> {
  return useReply(getReleaseCheck, { queryKey: [...adminKey, "releases"] });
}
