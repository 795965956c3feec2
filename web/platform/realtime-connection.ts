import { useEffect, useState } from "react";

import { getCsrfCookie } from "#contract/auth.ts";
import { memberChanged } from "#contract/members.ts";

import { call } from "./api.ts";
import { reloadForNewerVersion } from "./newer-version.ts";
import { connectRealtime, disconnectRealtime, subscribe } from "./realtime.ts";
import { checkSession, useGroup, useSession } from "./session.ts";

/** How long a page stays away that was sent off although its member is still logged in, in milliseconds. */
const retryDelay = 30_000;

/** Keeps the realtime connection open while a member is logged in. */
export function useRealtimeConnection(): void {
  const { realtime } = useGroup();
  const memberId = useSession().user?.id;
  const [attempt, setAttempt] = useState(0);
  useEffect(() => {
    if (memberId === undefined) return;
    let retryTimer: ReturnType<typeof setTimeout> | undefined;
    const leave = subscribe(memberChanged, { onEvent: () => void checkSession(), onSubscribed() {} });
    connectRealtime({
      config: realtime,
      renewToken: () => call(getCsrfCookie),
      onSessionEnded() {
        void checkSession();
        retryTimer = setTimeout(() => setAttempt(attempt + 1), retryDelay);
      },
      // A channel that is closed to this member means other permissions than the page knows of.
      onChannelRefused: () => void checkSession(),
    }).catch(reloadForNewerVersion);
    return () => {
      clearTimeout(retryTimer);
      leave();
      disconnectRealtime();
    };
  }, [realtime, memberId, attempt]);
}
