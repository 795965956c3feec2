import { useEffect, useState } from "react";

import { beforeLogout } from "#web/platform/session.ts";

const key = "stammtisch.tv";

/** The token of the link that led here, kept for the next start of this television and out of the address bar. */
export function useLinkToken(): { token: string | null; forget: () => void } {
  const [token, setToken] = useState(() => readToken() ?? recallToken());
  useEffect(() => {
    const follow = (): void => {
      const found = readToken();
      if (found === null) return;
      history.replaceState(history.state, "", location.pathname);
      keepToken(found);
      setToken(found);
    };
    follow();
    addEventListener("hashchange", follow);
    return () => removeEventListener("hashchange", follow);
  }, []);
  return {
    token,
    forget: () => {
      forgetToken();
      setToken(null);
    },
  };
}

/** Whoever tried the link on a device of their own leaves nothing of it behind. */
export function useTvFarewell(): void {
  useEffect(() => beforeLogout({ mayLeave: async () => true, clear: async () => forgetToken() }), []);
}

function readToken(): string | null {
  return new URLSearchParams(location.hash.slice(1)).get("token");
}

function recallToken(): string | null {
  try {
    return localStorage.getItem(key);
  } catch {
    return null;
  }
}

function keepToken(token: string): void {
  try {
    localStorage.setItem(key, token);
  } catch {
    // Without a store the television needs its link again after the next start.
  }
}

function forgetToken(): void {
  try {
    localStorage.removeItem(key);
  } catch {
    // Without a store there is nothing to forget.
  }
}
