import { useEffect, useState } from "react";

/**
 * Returns the token of the opened link, otherwise `stored()`, otherwise `null`. The token is kept
 * in the address, so that a reload still has it.
 */
export function useLinkToken(stored: () => string | null = () => null) {
  const [token, setToken] = useState(() => readToken() ?? stored());
  useEffect(() => {
    const follow = (): void => {
      const found = readToken();
      if (found === null) return;
      // Moves the token from the query to the fragment, because a reload sends only the query to
      // the server.
      if (location.search !== "") history.replaceState(history.state, "", `${location.pathname}#token=${found}`);
      setToken(found);
    };
    follow();
    addEventListener("hashchange", follow);
    return () => removeEventListener("hashchange", follow);
  }, []);
  return [token, setToken] as const;
}

/** Removes the used or invalid token of a link from the address. */
export function removeLinkToken(): void {
  if (readToken() !== null) history.replaceState(history.state, "", location.pathname);
}

/**
 * Returns the token from the address: from the fragment, or from the query for invitations of
 * earlier versions.
 */
function readToken(): string | null {
  const find = (part: string) => new URLSearchParams(part.slice(1)).get("token");
  return find(location.hash) ?? find(location.search);
}
