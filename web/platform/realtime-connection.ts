import { useEffect } from "react";

import { getCsrfCookie } from "#contract/auth.ts";

import { call } from "./api.ts";
import { reloadForNewerVersion } from "./newer-version.ts";
import { connectRealtime, disconnectRealtime } from "./realtime.ts";
import { checkSession, useGroup, useSession } from "./session.ts";

/** Keeps the line to the server open while a member is logged in. */
export function useRealtimeConnection(): void {
  const { realtime } = useGroup();
  const memberId = useSession().user?.id;
  useEffect(() => {
    if (memberId === undefined) return;
    connectRealtime({
      config: realtime,
      renewToken: () => call(getCsrfCookie),
      onSignedOut: () => void checkSession(),
      // A channel that is closed to this member means other permissions than the page knows of.
      onRefused: () => void checkSession(),
    }).catch(reloadForNewerVersion);
    return disconnectRealtime;
  }, [realtime, memberId]);
}
