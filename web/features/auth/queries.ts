import { useEffect, useState } from "react";

import type { ReplyOf } from "#contract/endpoint.ts";
import { getInviter } from "#contract/registration.ts";
import { call } from "#web/data/api.ts";

/**
 * Returns who invites with this token; `undefined` while that is unknown, as after a failed request. Not in the
 * query cache, which a page without a member empties when it starts.
 */
export function useInviter(token: string): ReplyOf<typeof getInviter>["invitation"] | undefined {
  const [reply, setReply] = useState<ReplyOf<typeof getInviter>>();
  useEffect(() => {
    const left = new AbortController();
    call(getInviter, { body: { token }, signal: left.signal }).then(setReply, () => {});
    return () => left.abort();
  }, [token]);
  return reply?.invitation;
}
