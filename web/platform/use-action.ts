import { useState } from "react";

import { ApiError } from "./api.ts";
import { showFlash } from "./flash.tsx";

export interface Action<Args extends unknown[]> {
  /** Busy meanwhile; what `work` resolves to becomes a flash, a refusal too. Resolves to whether it was done. */
  run: (...args: Args) => Promise<boolean>;
  /** The arguments of what is running now, null while nothing is. */
  running: Args | null;
}

/** What every button does that has no form: one thing at a time, and its end is told. */
export function useAction<Args extends unknown[]>(work: (...args: Args) => Promise<string | void>): Action<Args> {
  const [running, setRunning] = useState<Args | null>(null);
  return {
    running,
    async run(...args) {
      setRunning(args);
      try {
        const text = await work(...args);
        if (text !== undefined) showFlash({ type: "success", text });
        return true;
      } catch (error) {
        if (!(error instanceof ApiError)) throw error;
        showFlash({ type: "error", text: error.message });
        return false;
      } finally {
        setRunning(null);
      }
    },
  };
}
