import { useEffect, useState } from "react";

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

const tabletKey = "stammtisch.tablet";

export function keepTabletToken(token: string | null): void {
  writeDeviceItem(tabletKey, token);
}

/** Keeps the token for the next start, also after a member has logged out on this device. */
export function useTabletToken(): { token: string | null; setToken: (token: string | null) => void } {
  const [token, setToken] = useState(() => readDeviceItem(tabletKey));
  useEffect(() => keepTabletToken(token), [token]);
  return { token, setToken };
}

/** For a pairing on another page. */
export function keepTvToken(token: string): void {
  writeDeviceItem(storageKey, token);
}

/** Runs at logout, because members may have opened a TV link on their own device. */
export function forgetTvToken(): void {
  writeDeviceItem(storageKey, null);
}
