import { createStore } from "#web/data/store.ts";

const registeredUname = createStore<string | null>(null);

/** Remembers the user name of an account that was just created, for the login that follows. */
export function rememberRegisteredUname(uname: string): void {
  registeredUname.set(uname);
}

/** Returns the user name for the login; `null` if no account was just created. */
export function getRegisteredUname(): string | null {
  return registeredUname.get();
}

/** Forgets the user name, so that the next person in this browser does not see it. */
export function forgetRegisteredUname(): void {
  registeredUname.set(null);
}
