import {
  createRootRouteWithContext,
  createRoute,
  lazyRouteComponent,
  notFound,
  redirect,
  type NotFoundRouteProps,
  type ParsedLocation,
} from "@tanstack/react-router";
import { Beer, ChartNoAxesColumn, ClipboardList, Gamepad2, Gift, PartyPopper, Ruler, Sparkles } from "lucide-react";
import type { ComponentType, ReactNode } from "react";

import type { PageAudience } from "#web/page/audience.ts";
import type { PageContext } from "#web/page/session.ts";
import { idParams } from "./id-params.ts";
import { PageLoadError } from "./page-frame.tsx";
import { Root } from "./root.tsx";
import { findRedirect, isAllowed } from "./route-rules.ts";

/** A link in the sidebar. */
export interface PageLinkData {
  /** Sort key, smallest first; multiples of 10 leave room between links. */
  readonly place: number;
  /** `true` to also show the link in the header if there is room. */
  readonly isInHeader?: boolean;
  /** Months in which the link is shown, 1 for January; by default all year. */
  readonly months?: readonly number[];
  readonly label: string;
  readonly icon: ReactNode;
  /** Audience of the link, which may be larger than that of the page. */
  readonly who: PageAudience;
}

declare module "@tanstack/react-router" {
  interface StaticDataRouteOption {
    /** First part of the document's title. */
    readonly title?: string;
    /** `true` to show only the page, without header, messages and the parts for members. */
    readonly isBare?: boolean;
    readonly link?: PageLinkData;
  }
}

const rootRoute = createRootRouteWithContext<PageContext>()({ component: Root });
const getParentRoute = () => rootRoute;

interface PageOptions {
  readonly who: PageAudience;
  readonly title: string;
  readonly isBare?: boolean;
  readonly link?: PageLinkData;
}

/** Returns the options of a page's route, whose guard runs before the page is loaded. */
function page<Name extends string>(
  options: PageOptions,
  load: () => Promise<Record<Name, ComponentType>>,
  name: Name,
) {
  const { who, ...staticData } = options;
  return {
    staticData,
    component: lazy(load, name),
    beforeLoad: (given: GuardOptions) => guard(who, given),
  };
}

function lazy<Name extends string>(load: () => Promise<Record<Name, ComponentType>>, name: Name) {
  return lazyRouteComponent(
    () =>
      load().catch((cause: unknown) => {
        throw new PageLoadError("A page could not be loaded.", { cause });
      }),
    name,
  );
}

interface GuardOptions {
  readonly context: PageContext;
  readonly location: ParsedLocation;
}

/** Redirects guests to the login page, and members away from pages for guests; hides pages that a member may not open. */
function guard(who: PageAudience, { context, location: { href: address } }: GuardOptions): void {
  const member = context.client.member.get();
  const href = findRedirect(who, member, address);
  if (href !== undefined) redirect({ href, replace: true, throw: true });
  if (!isAllowed(who, member)) notFound({ data: deniedPage, throw: true });
}

/** Marks a page that this member may not open. */
const deniedPage = "denied";

const admin = { who: ["admin"] } as const satisfies Partial<PageOptions>;
