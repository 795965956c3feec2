export interface CheckResult {
  readonly name: string;
  readonly ok: boolean;
  readonly detail: string;
}

/** The message explains the solution. */
export class CheckFailure extends Error {}

/** `perform` returns the text to report, or throws. */
export async function runCheck(name: string, perform: () => string | Promise<string>): Promise<CheckResult> {
  try {
    return { name, ok: true, detail: await perform() };
  } catch (error) {
    const { code, message, name: kind } = error as NodeJS.ErrnoException;
    // Messages of libraries may quote their input, such as URLs with passwords.
    const isOurs = error instanceof CheckFailure || (kind === "Error" && code === undefined);
    // A timeout's `code` is a number.
    return { name, ok: false, detail: isOurs ? message : typeof code === "string" ? code : kind };
  }
}
