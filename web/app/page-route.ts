import {
  lazyRouteComponent,
  notFound,
  redirect,
  type AsyncRouteComponent,
  type ParsedLocation,
} from "@tanstack/react-router";
import type { ComponentType, ReactNode } from "react";

import type { User } from "#contract/members.ts";
import type { PageContext } from "#web/page/session.ts";
import { PageLoadError } from "./page-frame.tsx";
import { loadLive } from "./root.tsx";
import { deniedPage, findRedirect, isAllowed, type PageAudience } from "./route-rules.ts";

export interface PageLinkData {
  /** Smallest first; multiples of 10 leave room. */
  readonly place: number;
  /** Shown in the header if there is room. */
  readonly isInHeader?: boolean;
  /** 1 is January; all year by default. */
  readonly months?: readonly number[];
  readonly label: string;
  readonly icon: ReactNode;
  /** May be larger than that of the page. */
  readonly who: PageAudience;
  readonly isHidden?: (member: User) => boolean;
}

declare module "@tanstack/react-router" {
  interface StaticDataRouteOption {
    readonly who?: PageAudience;
    readonly title?: string;
    /** Without header, messages and the parts for members. */
    readonly isBare?: boolean;
    readonly link?: PageLinkData;
  }

  interface HistoryState {
    /** Id of the party whose sheet the counter opens. */
    readonly party?: number;
  }
}

interface PageOptions {
  readonly who: PageAudience;
  readonly title: string;
  readonly isBare?: boolean;
  readonly link?: PageLinkData;
}

/** The guard runs before the page is loaded. */
export function page<Name extends string>(
  options: PageOptions,
  load: () => Promise<Record<Name, ComponentType>>,
  name: Name,
) {
  const { who } = options;
  return {
    staticData: options,
    component: lazyPage(who === "guest" || who === "everyone" ? load : () => withLive(load), name),
    beforeLoad: (given: GuardOptions) => guard(who, given),
  };
}

/** A page with a beer button must not be shown before the code that counts its taps. */
async function withLive<Page>(load: () => Promise<Page>): Promise<Page> {
  const [loaded] = await Promise.all([load(), loadLive()]);
  return loaded;
}

function lazyPage<Name extends string>(
  load: () => Promise<Record<Name, ComponentType>>,
  name: Name,
): AsyncRouteComponent<object> {
  return lazyRouteComponent(async () => {
    try {
      return { default: (await load())[name] };
    } catch (cause) {
      throw new PageLoadError("A page could not be loaded.", { cause });
    }
  });
}

export interface GuardOptions {
  readonly context: PageContext;
  readonly location: ParsedLocation;
}

/** Guests go to the login, members away from pages for guests; forbidden pages are hidden. */
export function guard(who: PageAudience, { context, location: { href: address } }: GuardOptions): void {
  const member = context.client.member.get();
  const href = findRedirect(who, member, address);
  if (href !== undefined) redirect({ href, replace: true, throw: true });
  if (!isAllowed(who, member)) notFound({ data: deniedPage, throw: true });
}

/** A path such as `/party/x` matches no page. */
export const idParams = {
  parse: ({ id }: { id: string }): { id: number } | false => (/^[1-9]\d{0,8}$/.test(id) ? { id: Number(id) } : false),
  stringify: ({ id }: { id: number }): { id: string } => ({ id: String(id) }),
};
