import type { UseQueryResult } from "@tanstack/react-query";

import { getMemberBeers } from "#contract/corrections.ts";
import type { InputOf, ReplyOf } from "#contract/endpoint.ts";
import { getManagedMembers, type ManagedMember } from "#contract/member-management.ts";
import { getMemberPage, type MemberPage } from "#contract/member-page.ts";
import { savePresence as savePresenceEndpoint } from "#contract/presence.ts";
import { adminKey } from "#web/admin/api.ts";
import { call } from "#web/client/api.ts";
import { useReply } from "#web/data/query-client.ts";
import { detailsKey } from "#web/features/beers/api.ts";
import { replaceMember, useGroup } from "#web/page/session.ts";
import { isSameDay } from "./rules.ts";

/** Every beer refetches it. */
export function useMemberPage(id: number, isOwn: boolean): UseQueryResult<MemberPage> {
  const { time_zone: timeZone } = useGroup();
  const isCurrent = (at: number): boolean => isSameDay(at, Date.now(), timeZone);
  return useReply(getMemberPage, {
    queryKey: [...detailsKey, "member-page", id],
    request: { params: { id } },
    ...(isOwn && { kept: { name: "member-page", isCurrent } }),
  });
}

export async function savePresence(body: InputOf<typeof savePresenceEndpoint>): Promise<void> {
  const { data } = await call(savePresenceEndpoint, { body });
  replaceMember(data);
}

export function useMembers(): UseQueryResult<ManagedMember[]> {
  return useReply(getManagedMembers, { queryKey: [...adminKey, "members"] });
}

/** The beers of the last seven days, newest first. */
export function useMemberBeers(id: number): UseQueryResult<ReplyOf<typeof getMemberBeers>> {
  return useReply(getMemberBeers, { queryKey: [...adminKey, "beers", id], request: { params: { id } } });
}
