import { useEffect } from "react";

import { useLinkToken } from "#web/platform/link-token.ts";
import { addLogoutHook } from "#web/platform/session.ts";

const storageKey = "stammtisch.tv";

/** The token of the opened link, stored for the next start of this television. */
export function useTvToken(): { token: string | null; forget: () => void } {
  const [token, setToken] = useLinkToken(readStoredToken);
  useEffect(() => {
    if (token !== null) storeToken(token);
  }, [token]);
  return {
    token,
    forget: () => {
      deleteStoredToken();
      setToken(null);
    },
  };
}

/** Deletes the token at a logout, for members who tried the link on their own device. */
export function useTvLogoutHook(): void {
  useEffect(() => addLogoutHook({ confirm: async () => true, clear: async () => deleteStoredToken() }), []);
}

function readStoredToken(): string | null {
  try {
    return localStorage.getItem(storageKey);
  } catch {
    return null;
  }
}

function storeToken(token: string): void {
  try {
    localStorage.setItem(storageKey, token);
  } catch {
    // Without storage the television needs its link again after the next start.
  }
}

function deleteStoredToken(): void {
  try {
    localStorage.removeItem(storageKey);
  } catch {
    // Without storage there is nothing to delete.
  }
}
