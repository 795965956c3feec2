import {
  useInfiniteQuery,
  useQuery,
  type InfiniteData,
  type UseInfiniteQueryResult,
  type UseQueryResult,
} from "@tanstack/react-query";

import { getAudit, type AuditEntry } from "#contract/admin-audit.ts";
import {
  getInvitations,
  makeInvitation as makeInvitationEndpoint,
  revokeInvitation as revokeInvitationEndpoint,
  type Invitation,
} from "#contract/admin-invitations.ts";
import {
  getManagedMembers,
  makeResetLink as makeResetLinkEndpoint,
  setDisabled as setDisabledEndpoint,
  setPermissions as setPermissionsEndpoint,
  type ManagedMember,
} from "#contract/admin-members.ts";
import type { InputOf, Permission } from "#contract/endpoint.ts";
import { call } from "#web/platform/api.ts";
import { queryClient } from "#web/platform/query-client.ts";

const keys = {
  members: ["admin", "members"],
  invitations: ["admin", "invitations"],
  audit: ["admin", "audit"],
};
/** Asked anew on every opening. */
const fresh = { staleTime: 0 };

/** A link that is told once. */
export interface OneTimeLink {
  readonly url: string;
  readonly expires_at: string;
}

async function reload(key: readonly string[]): Promise<void> {
  await queryClient.invalidateQueries({ queryKey: key });
}

export function useMembers(): UseQueryResult<ManagedMember[]> {
  return useQuery({ ...fresh, queryKey: keys.members, queryFn: ({ signal }) => call(getManagedMembers, { signal }) });
}

export async function setPermissions(id: number, permissions: Permission[]): Promise<string> {
  const { message } = await call(setPermissionsEndpoint, { params: { id: String(id) }, body: { permissions } });
  await reload(keys.members);
  return message;
}

export async function setDisabled(id: number, disabled: boolean): Promise<string> {
  const { message } = await call(setDisabledEndpoint, { params: { id: String(id) }, body: { disabled } });
  await reload(keys.members);
  return message;
}

export function makeResetLink(id: number): Promise<OneTimeLink> {
  return call(makeResetLinkEndpoint, { params: { id: String(id) } });
}

type Pages<Page> = UseInfiniteQueryResult<InfiniteData<Page>>;

/** The newest first; the next page begins before the last one's last id. */
export function useInvitations(): Pages<{ invitations: Invitation[]; has_more: boolean }> {
  return useInfiniteQuery({
    ...fresh,
    queryKey: keys.invitations,
    initialPageParam: null as number | null,
    queryFn: ({ signal, pageParam }) => call(getInvitations, { signal, ...before(pageParam) }),
    getNextPageParam: ({ invitations, has_more }) => (has_more ? invitations.at(-1)?.id : undefined),
  });
}

export async function makeInvitation(body: InputOf<typeof makeInvitationEndpoint>): Promise<OneTimeLink> {
  const made = await call(makeInvitationEndpoint, { body });
  await reload(keys.invitations);
  return made;
}

export async function revokeInvitation(id: number): Promise<string> {
  const { message } = await call(revokeInvitationEndpoint, { params: { id: String(id) } });
  await reload(keys.invitations);
  return message;
}

export function useAudit(): Pages<{ entries: AuditEntry[]; has_more: boolean }> {
  return useInfiniteQuery({
    ...fresh,
    queryKey: keys.audit,
    initialPageParam: null as number | null,
    queryFn: ({ signal, pageParam }) => call(getAudit, { signal, ...before(pageParam) }),
    getNextPageParam: ({ entries, has_more }) => (has_more ? entries.at(-1)?.id : undefined),
  });
}

function before(id: number | null): { query?: Record<string, string> } {
  return id === null ? {} : { query: { before: String(id) } };
}
