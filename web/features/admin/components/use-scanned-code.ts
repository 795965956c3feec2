import { useEffect, useState } from "react";

/** Returns the code in the address, which the picture on a television leads to, and a function that removes it from there. */
export function useScannedCode(): { code: string; clear: () => void } {
  const [code, setCode] = useState(readCode);
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
