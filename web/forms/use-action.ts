import { useState } from "react";

import type { FieldErrors } from "#contract/errors.ts";
import { ApiError } from "#web/data/api.ts";
import { showFlash } from "#web/shell/flash.tsx";

export interface Action<Args extends unknown[]> {
  /** Starts `work`; resolves to `true` if it succeeded. */
  run: (...args: Args) => Promise<boolean>;
  isPending: boolean;
  /** Arguments of the running call; `null` if none is running. */
  pending: Args | null;
  /** The server's field errors of the last attempt. */
  errors: FieldErrors;
}

export interface ActionOptions {
  /**
   * Returns the sentence to show for a failure. By default, an `ApiError` shows its message, and
   * any other error is thrown.
   */
  errorText?: (error: unknown) => string;
  /**
   * Returns `true` if the field errors are shown beside their fields and need no flash message. By
   * default `false`.
   */
  isShown?: (errors: FieldErrors) => boolean;
}

/**
 * Runs a change on the server. The text returned by `work` becomes a flash message, and so does the
 * reason of a refusal or a lost connection.
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
