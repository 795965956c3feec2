import { useRouteContext } from "@tanstack/react-router";
import { useSyncExternalStore } from "react";

import type { Permission } from "#contract/endpoint.ts";
import type { GroupConfig } from "#contract/group-config.ts";
import type { User } from "#contract/members.ts";
import type { Client } from "#web/client/client.ts";
import type { Store } from "#web/client/store.ts";

/** The router's context, for every page. */
export interface PageContext {
  readonly client: Client;
  /** Makes `user` the member of this page, after a login, and opens an address of the app. */
  logIn(user: User, href: string): Promise<void>;
  /** Ends the session with `end`, deletes the member's data from this browser, and opens the home page as a guest. */
  endSession<Reply>(end: () => Promise<Reply>): Promise<Reply>;
}

export function usePageContext(): PageContext {
  return useRouteContext({ from: "__root__" });
}

/** Returns the client of the logged-in member or guest. */
export function useClient(): Client {
  return usePageContext().client;
}

/** Returns the store's value and rerenders the component when it changes. */
export function useStore<T>({ get, subscribe }: Pick<Store<T>, "get" | "subscribe">): T {
  return useSyncExternalStore(subscribe, get, get);
}

/** Returns the logged-in member; `null` for a guest. */
export function useMember(): User | null {
  return useStore(useClient().member);
}

export function usePermission(permission: Permission): boolean {
  return useMember()?.permissions.includes(permission) ?? false;
}

export function useGroup(): GroupConfig {
  return useStore(useClient().group);
}
