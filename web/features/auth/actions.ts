import { createStore } from "#web/data/store.ts";

const openedInvitation = createStore<string | null>(null);

/** Remembers the invitation that was opened, so that the login page leads back to it; `null` after its use. */
export function rememberInvitation(token: string | null): void {
  openedInvitation.set(token);
}

export function getOpenedInvitation(): string | null {
  return openedInvitation.get();
}

const registeredUname = createStore<string | null>(null);

/** Remembers the user name of a new account, so that the login form can prefill it. */
export function rememberRegisteredUname(uname: string): void {
  registeredUname.set(uname);
}

/** Returns the user name to prefill in the login form; `null` if no account was just created. */
export function getRegisteredUname(): string | null {
  return registeredUname.get();
}

/**
 * Forgets the user name after the login form has read it, so that the next person in this browser
 * does not see it.
 */
export function forgetRegisteredUname(): void {
  registeredUname.set(null);
}
