import { useEffect, useState } from "react";

/**
 * The token of the link that was opened, else `stored`, else null. It is removed from the address bar, so that it is not shared or
 * photographed with the page.
 */
export function useLinkToken(stored: () => string | null = () => null) {
  const [token, setToken] = useState(() => readToken() ?? stored());
  useEffect(() => {
    const follow = (): void => {
      const found = readToken();
      if (found === null) return;
      history.replaceState(history.state, "", location.pathname);
      setToken(found);
    };
    follow();
    addEventListener("hashchange", follow);
    return () => removeEventListener("hashchange", follow);
  }, []);
  return [token, setToken] as const;
}

/** In the fragment; invitations of earlier versions have it in the query. */
function readToken(): string | null {
  const find = (part: string) => new URLSearchParams(part.slice(1)).get("token");
  return find(location.hash) ?? find(location.search);
}
