import { useEffect, useState } from "react";

import { usePlaceholder } from "#web/ui/placeholder.tsx";

/** Returns the token of the link that was opened, else `stored`, else `null`. It is kept in the address, so that a reload has it, too. */
export function useLinkToken(stored: () => string | null = () => null) {
  const isPlaceholder = usePlaceholder();
  const [token, setToken] = useState(() => (isPlaceholder ? null : (readToken() ?? stored())));
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

/** Returns the token from the fragment; invitations of earlier versions have it in the query. */
function readToken(): string | null {
  const find = (part: string) => new URLSearchParams(part.slice(1)).get("token");
  return find(location.hash) ?? find(location.search);
}
