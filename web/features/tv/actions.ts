import { useEffect, useState } from "react";

import { addLogoutHook } from "#web/platform/session.ts";

const storageKey = "stammtisch.tv";

/** The token of the opened link, stored for the next start of this television and removed from the address bar. */
export function useLinkToken(): { token: string | null; forget: () => void } {
  const [token, setToken] = useState(() => readTokenFromAddress() ?? readStoredToken());
  useEffect(() => {
    const follow = (): void => {
      const found = readTokenFromAddress();
      if (found === null) return;
      history.replaceState(history.state, "", location.pathname);
      storeToken(found);
      setToken(found);
    };
    follow();
    addEventListener("hashchange", follow);
    return () => removeEventListener("hashchange", follow);
  }, []);
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

function readTokenFromAddress(): string | null {
  return new URLSearchParams(location.hash.slice(1)).get("token");
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
