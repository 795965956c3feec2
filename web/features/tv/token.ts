import { useEffect } from "react";

import { readDeviceItem, writeDeviceItem } from "#web/client/storage.ts";
import { removeLinkToken, useLinkToken } from "#web/page/link-token.ts";

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

/** Called at logout, because members may have opened a TV link on their own device. */
export function forgetTvToken(): void {
  writeDeviceItem(storageKey, null);
}
