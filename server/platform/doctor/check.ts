/** What `doctor` found out about one thing, in words for the person who runs the installation. */
export interface CheckResult {
  readonly name: string;
  readonly ok: boolean;
  readonly detail: string;
}

/** Something is wrong; the message says what, and what to do. */
export class CheckFailure extends Error {}

/** Looks at one thing: `look` returns what is to be said of it, or throws. */
export async function runCheck(name: string, perform: () => string | Promise<string>): Promise<CheckResult> {
  try {
    return { name, ok: true, detail: await perform() };
  } catch (error) {
    const { code, message, name: kind } = error as NodeJS.ErrnoException;
    // Messages of others may quote what they were given, passwords in addresses included.
    const isOurs = error instanceof CheckFailure || (kind === "Error" && code === undefined);
    return { name, ok: false, detail: isOurs ? message : (code ?? kind) };
  }
}
