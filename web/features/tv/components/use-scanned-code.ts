import { useEffect, useState } from "react";

import { usePlaceholder } from "#web/ui/placeholder.tsx";

/**
 * Returns the pairing code in the page's address, where a TV's QR code puts it, and a function that
 * removes the code.
 */
export function useScannedCode(): { code: string; clear: () => void } {
  const [code, setCode] = useState(usePlaceholder() ? "" : readCode);
  useEffect(() => {
    const follow = (): void => setCode(readCode());
    addEventListener("hashchange", follow);
    return () => removeEventListener("hashchange", follow);
  }, []);
  const clear = (): void => {
    if (readCode() !== "") history.replaceState(history.state, "", location.pathname + location.search);
    setCode("");
  };
  return { code, clear };
}

function readCode(): string {
  return new URLSearchParams(location.hash.slice(1)).get("code") ?? "";
}
