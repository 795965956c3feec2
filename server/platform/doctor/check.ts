/** The result of one check of `doctor`, in words for the operator. */
export interface CheckResult {
  readonly name: string;
  readonly ok: boolean;
  readonly detail: string;
}

/** Thrown by a check that found a problem; the message explains the solution. */
export class CheckFailure extends Error {}

/** Runs one check: `perform` returns the text to report, or throws. */
export async function runCheck(name: string, perform: () => string | Promise<string>): Promise<CheckResult> {
  try {
    return { name, ok: true, detail: await perform() };
  } catch (error) {
    const { code, message, name: kind } = error as NodeJS.ErrnoException;
    // Other messages are not shown, because libraries may quote their input, such as addresses with passwords.
    const isOurs = error instanceof CheckFailure || (kind === "Error" && code === undefined);
    // The code of a timeout is a number, so its kind is shown instead.
    return { name, ok: false, detail: isOurs ? message : typeof code === "string" ? code : kind };
  }
}
