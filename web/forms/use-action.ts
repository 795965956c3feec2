import { useState } from "react";

import type { FieldErrors } from "#contract/errors.ts";
import { ApiError } from "#web/data/api.ts";
import { showFlash } from "#web/shell/flash.tsx";

export interface Action<Args extends unknown[]> {
  /** Starts the work; resolves to `true` if it succeeded. */
  run: (...args: Args) => Promise<boolean>;
  isPending: boolean;
  /** The arguments of the running call; `null` while idle. */
  pending: Args | null;
  /** The server's field errors of the last attempt. */
  errors: FieldErrors;
}

export interface ActionOptions {
  /** Returns the sentence for a failure. Default: the server's message; other errors are thrown. */
  errorText?: (error: unknown) => string;
  /** Returns `true` if these errors are shown beside their fields, so that no message is needed. Default: `false`. */
  isShown?: (errors: FieldErrors) => boolean;
}

/**
 * Runs a change on the server. `isPending` is `true` while `work` runs; its text becomes a flash message, as does the reason of a
 * refusal or a lost connection.
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
