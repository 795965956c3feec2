import { useEffect } from "react";

import { readDeviceItem, writeDeviceItem } from "#web/client/storage.ts";
import { removeLinkToken, useLinkToken } from "#web/page/link-token.ts";

const storageKey = "stammtisch.tv";

/** Keeps the token of the opened TV link or the pairing for the next start. */
export function useTvToken(): { token: string | null; setToken: (token: string | null) => void } {
  const [token, setToken] = useLinkToken(() => readDeviceItem(storageKey));
  useEffect(() => {
    writeDeviceItem(storageKey, token);
    // Everybody in the room can read the address bar.
    removeLinkToken();
  }, [token]);
  return { token, setToken };
}

/** Runs at logout, because members may have opened a TV link on their own device. */
export function forgetTvToken(): void {
  writeDeviceItem(storageKey, null);
}
