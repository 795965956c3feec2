import { useEffect } from "react";

import { readDeviceItem, writeDeviceItem } from "#web/data/device-storage.ts";
import { removeLinkToken, useLinkToken } from "#web/session/link-token.ts";
import { addLogoutHook } from "#web/session/session.ts";

const storageKey = "stammtisch.tv";

/** Returns the token of the opened link or of the pairing, and stores it for this television's next start. */
export function useTvToken(): { token: string | null; setToken: (token: string | null) => void } {
  const [token, setToken] = useLinkToken(() => readDeviceItem(storageKey));
  useEffect(() => {
    writeDeviceItem(storageKey, token);
    // Everybody in the room can read the address bar.
    removeLinkToken();
  }, [token]);
  return { token, setToken };
}

/** Deletes the token at logout, for members who tried the link on their own device. */
export function useTvLogoutHook(): void {
  useEffect(
    () => addLogoutHook({ confirm: async () => true, clear: async () => writeDeviceItem(storageKey, null) }),
    [],
  );
}
