import { useEffect } from "react";

import { readDeviceItem, writeDeviceItem } from "#web/platform/device-storage.ts";
import { removeLinkToken, useLinkToken } from "#web/platform/link-token.ts";
import { addLogoutHook } from "#web/platform/session.ts";

const storageKey = "stammtisch.tv";

/** The token of the opened link or of the pairing, stored for the next start of this television. */
export function useTvToken(): { token: string | null; setToken: (token: string | null) => void } {
  const [token, setToken] = useLinkToken(() => readDeviceItem(storageKey));
  useEffect(() => {
    writeDeviceItem(storageKey, token);
    // Everybody in the room can read the address.
    removeLinkToken();
  }, [token]);
  return { token, setToken };
}

/** Deletes the token at a logout, for members who tried the link on their own device. */
export function useTvLogoutHook(): void {
  useEffect(
    () => addLogoutHook({ confirm: async () => true, clear: async () => writeDeviceItem(storageKey, null) }),
    [],
  );
}
