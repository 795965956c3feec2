import type { UseQueryResult } from "@tanstack/react-query";

import type { InputOf } from "#contract/endpoint.ts";
import { getMemberPage, type MemberPage } from "#contract/member-page.ts";
import { savePresence as savePresenceEndpoint } from "#contract/presence.ts";
import { call } from "#web/data/api.ts";
import { useReply } from "#web/data/query-client.ts";
import { detailsKey } from "#web/features/beers/api.ts";
import { replaceMember, useGroup } from "#web/session/session.ts";
import { isSameDay } from "./rules.ts";

/** Loads a member page, which every beer refetches. */
export function useMemberPage(id: number, isOwn: boolean): UseQueryResult<MemberPage> {
  const { time_zone: timeZone } = useGroup();
  const isCurrent = (at: number): boolean => isSameDay(at, Date.now(), timeZone);
  return useReply(getMemberPage, {
    queryKey: [...detailsKey, "member-page", id],
    request: { params: { id } },
    ...(isOwn && { kept: { name: "member-page", isCurrent } }),
  });
}

/** Saves the member's settings for visibility to others and for the pause. */
export async function savePresence(body: InputOf<typeof savePresenceEndpoint>): Promise<void> {
  const { data } = await call(savePresenceEndpoint, { body });
  replaceMember(data);
}
