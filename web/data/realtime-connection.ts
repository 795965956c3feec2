import { useEffect, useState } from "react";

import { getCsrfCookie } from "#contract/auth.ts";
import { groupChanged } from "#contract/group-events.ts";
import { memberChanged } from "#contract/members.ts";
import { checkSession, reloadGroup, useGroup, useSession } from "#web/session/session.ts";
import { call } from "./api.ts";
import { connectRealtime, disconnectRealtime, subscribe } from "./realtime.ts";

/**
 * Milliseconds before reconnecting if the server closes the socket of a member who is still logged
 * in. Hosted services do this when one of the member's sessions ends, or when the name, picture or
 * permissions change. The delay doubles if the socket is closed again within a minute.
 */
const retryDelay = { first: 1_000, longest: 30_000, repeatedWithin: 60_000 };

/** Keeps the realtime connection open while a member is logged in. */
export function useRealtimeConnection(): void {
  const { realtime } = useGroup();
  const memberId = useSession().user?.id;
  const [connection, setConnection] = useState({ repeats: 0 });
  useEffect(() => {
    if (memberId === undefined) return;
    let retryTimer: ReturnType<typeof setTimeout> | undefined;
    const startedAt = performance.now();
    /**
     * Version of the member's data and the group settings at the last connection; `undefined`
     * before the first connection.
     */
    let known: number | null | undefined;
    const leaveMember = subscribe(memberChanged, {
      onEvent: () => void checkSession(),
      // During an interruption, the member and the group settings may have changed.
      onSubscribed(version) {
        const isCurrent = version !== null && version === known;
        if (known !== undefined && !isCurrent) {
          void checkSession();
          void reloadGroup();
        }
        known = version;
      },
    });
    const leaveGroup = subscribe(groupChanged, { onEvent: () => void reloadGroup(), onSubscribed() {} });
    connectRealtime({
      config: realtime,
      renewToken: () => call(getCsrfCookie),
      onSessionEnded() {
        void checkSession();
        const isRepeated = performance.now() - startedAt < retryDelay.repeatedWithin;
        const repeats = isRepeated ? connection.repeats + 1 : 0;
        const delay = Math.min(retryDelay.longest, retryDelay.first * 2 ** repeats);
        retryTimer = setTimeout(() => setConnection({ repeats }), delay);
      },
      // A refused channel means that the member's permissions have changed.
      onChannelRefused: () => void checkSession(),
    });
    return () => {
      clearTimeout(retryTimer);
      leaveMember();
      leaveGroup();
      disconnectRealtime();
    };
  }, [realtime, memberId, connection]);
}
