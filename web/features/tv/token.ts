import { useEffect } from "react";

import { readDeviceItem, writeDeviceItem } from "#web/data/device-storage.ts";
import { removeLinkToken, useLinkToken } from "#web/session/link-token.ts";
import { addLogoutHook } from "#web/session/session.ts";

const storageKey = "stammtisch.tv";

/** The token of the opened TV link or of the pairing, kept for the next start of this TV. */
export function useTvToken(): { token: string | null; setToken: (token: string | null) => void } {
  const [token, setToken] = useLinkToken(() => readDeviceItem(storageKey));
  useEffect(() => {
    writeDeviceItem(storageKey, token);
    // Removes the token from the address bar, which everybody in the room can read.
    removeLinkToken();
  }, [token]);
  return { token, setToken };
}

/** Members may have opened a TV link on their own device. */
export function useTvLogoutHook(): void {
  useEffect(
    () => addLogoutHook({ confirm: async () => true, clear: async () => writeDeviceItem(storageKey, null) }),
    [],
  );
}
