import type { InputOf } from "#contract/endpoint.ts";
import { register } from "#contract/invitations.ts";
import { call } from "#web/platform/api.ts";

let registeredUname: string | null = null;

/** Creates an account, and remembers its user name for the login that follows. */
export async function createAccount(body: InputOf<typeof register>): Promise<void> {
  await call(register, { body });
  registeredUname = body.uname;
}

/** The user name for the login; `null` if no account was created just before. */
export function getRegisteredUname(): string | null {
  return registeredUname;
}

/** Forgets the user name, so that the next person at this browser does not see it. */
export function forgetRegisteredUname(): void {
  registeredUname = null;
}
