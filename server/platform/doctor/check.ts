/** The result of one check of the command `doctor`; `detail` is a text for the operator. */
export interface CheckResult {
  readonly name: string;
  readonly ok: boolean;
  readonly detail: string;
}

/** Thrown by a check that found a problem; the message explains the solution. */
export class CheckFailure extends Error {}

/** Runs one check. `perform` returns the text to report, or throws. */
export async function runCheck(name: string, perform: () => string | Promise<string>): Promise<CheckResult> {
  try {
    return { name, ok: true, detail: await perform() };
  } catch (error) {
    const { code, message, name: kind } = error as NodeJS.ErrnoException;
    // Shows only messages of this project: those of libraries may quote their input, such as URLs
    // with passwords.
    const isOurs = error instanceof CheckFailure || (kind === "Error" && code === undefined);
    // A timeout's `code` is a number, so the name of the error is shown instead.
    return { name, ok: false, detail: isOurs ? message : typeof code === "string" ? code : kind };
  }
}
