import { useState } from "react";

import type { FieldErrors } from "#contract/errors.ts";
import { ApiError } from "./api.ts";
import { showFlash } from "./flash.tsx";

export interface Action<Args extends unknown[]> {
  /** Starts the work; resolves to whether it succeeded. */
  run: (...args: Args) => Promise<boolean>;
  isPending: boolean;
  /** The arguments of the call that is running; null while none is. */
  pending: Args | null;
  /** What the server said about single fields in the last attempt. */
  errors: FieldErrors;
}

export interface ActionOptions {
  /** The sentence for a failure, of whatever kind. Default: what the server said; other errors are thrown. */
  errorText?: (error: unknown) => string;
  /** Whether these errors are shown beside their fields, so that no message is needed. Default: they are not. */
  isShown?: (errors: FieldErrors) => boolean;
}

/**
 * Runs every change on the server. `isPending` while `work` runs; the text that `work` resolves to becomes a flash message, and so does
 * the reason of a refusal or of a lost connection.
 */
export function useAction<Args extends unknown[]>(
  work: (...args: Args) => Promise<string | void>,
  { errorText, isShown }: ActionOptions = {},
): Action<Args> {
  const [pending, setPending] = useState<Args | null>(null);
  const [errors, setErrors] = useState<FieldErrors>({});

  async function run(...args: Args): Promise<boolean> {
    setPending(args);
    setErrors({});
    try {
      const text = await work(...args);
      if (text !== undefined) showFlash({ type: "success", text });
      return true;
    } catch (error) {
      const refusal = error instanceof ApiError ? error : null;
      if (refusal === null && errorText === undefined) throw error;
      const fieldErrors = refusal?.errors ?? {};
      setErrors(fieldErrors);
      if (isShown?.(fieldErrors) !== true) {
        showFlash({ type: "error", text: errorText?.(error) ?? refusal!.message });
      }
      return false;
    } finally {
      setPending(null);
    }
  }

  return { run, isPending: pending !== null, pending, errors };
}
