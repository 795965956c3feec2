/** The result of one check of `doctor`, in words for the person who runs the installation. */
export interface CheckResult {
  readonly name: string;
  readonly ok: boolean;
  readonly detail: string;
}

/** Thrown by a check that found a problem; the message says what to do. */
export class CheckFailure extends Error {}

/** Runs one check: `perform` returns what to report, or throws. */
export async function runCheck(name: string, perform: () => string | Promise<string>): Promise<CheckResult> {
  try {
    return { name, ok: true, detail: await perform() };
  } catch (error) {
    const { code, message, name: kind } = error as NodeJS.ErrnoException;
    // Messages of libraries may quote what they were given, such as addresses with passwords.
    const isOurs = error instanceof CheckFailure || (kind === "Error" && code === undefined);
    // That of a timeout is a number.
    return { name, ok: false, detail: isOurs ? message : typeof code === "string" ? code : kind };
  }
}
