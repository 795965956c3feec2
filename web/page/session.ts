import { useRouteContext } from "@tanstack/react-router";
import { useSyncExternalStore } from "react";

import type { Permission } from "#contract/endpoint.ts";
import type { GroupConfig } from "#contract/group-config.ts";
import type { User } from "#contract/members.ts";
import type { Client } from "#web/client/client.ts";
import type { Store } from "#web/client/store.ts";

export interface PageContext {
  readonly client: Client;
  /** Makes `user` the member of this page; `href` is an address of the app. */
  logIn(user: User, href: string): Promise<void>;
  /** Ends the session with `end`, deletes the member's data from this browser, and opens the home page. */
  endSession<Reply>(end: () => Promise<Reply>): Promise<Reply>;
}

export function usePageContext(): PageContext {
  return useRouteContext({ from: "__root__" });
}

export function useClient(): Client {
  return usePageContext().client;
}

/** Rerenders when the value changes. */
export function useStore<T>({ get, subscribe }: Pick<Store<T>, "get" | "subscribe">): T {
  return useSyncExternalStore(subscribe, get, get);
}

export function useMember(): User | null {
  return useStore(useClient().member);
}

export function usePermission(permission: Permission): boolean {
  return useMember()?.permissions.includes(permission) ?? false;
}

export function useGroup(): GroupConfig {
  return useStore(useClient().group);
}
