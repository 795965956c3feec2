import { useEffect, useState } from "react";

/** Returns the token of the opened link, otherwise `stored()`. It stays in the address for a reload. */
export function useLinkToken(stored: () => string | null = () => null) {
  const [token, setToken] = useState(() => readToken() ?? stored());
  useEffect(() => {
    const follow = (): void => {
      const found = readToken();
      if (found === null) return;
      // A reload sends the query to the server, but not the fragment.
      if (location.search !== "") history.replaceState(history.state, "", `${location.pathname}#token=${found}`);
      setToken(found);
    };
    follow();
    addEventListener("hashchange", follow);
    return () => removeEventListener("hashchange", follow);
  }, []);
  return [token, setToken] as const;
}

/** Removes a used or invalid token from the address. */
export function removeLinkToken(): void {
  if (readToken() !== null) history.replaceState(history.state, "", location.pathname);
}

/** Reads the fragment, or the query for invitations of earlier versions. */
function readToken(): string | null {
  const find = (part: string) => new URLSearchParams(part.slice(1)).get("token");
  return find(location.hash) ?? find(location.search);
}
