import { createContext, use, type ComponentType, type ReactNode } from "react";

import { isAllowed, type PageAudience, type RouteRule, type Viewer } from "./route-rules.ts";

/** A page whose code is fetched when it is first needed. */
export interface LazyPage {
  load(): Promise<ComponentType>;
  /** What `load` resolved to, once it has. */
  readonly loaded: ComponentType | undefined;
  /** Lets the next `load` try again after a failure. */
  reset(): void;
}

/** One line of the route table. */
export interface PageRoute extends RouteRule {
  /** The first half of the document's title. */
  readonly title: string;
  readonly page: LazyPage;
  /** Nothing but the page: no header, no flashes, nothing of a member's. */
  readonly isBare?: boolean;
  /** Its place in the sidebar, which may be open to more people than the page. */
  readonly link?: SidebarLink;
}

interface SidebarLink {
  /** Links stand in this order, from 1 at the top. */
  readonly place: number;
  /** The header shows the link, too, where it has room. */
  readonly isInHeader?: boolean;
  /** The months in which the link is shown, 1 for January; without them all year. */
  readonly months?: readonly number[];
  readonly label: string;
  readonly icon: ReactNode;
  readonly who: PageAudience;
}

/** A page that is shown in place of another one. */
export interface FallbackPage {
  readonly title: string;
  readonly page: LazyPage;
}

/** What a feature adds to the app; every `web/features/…/route.tsx` exports one of these as `feature`. */
export interface Feature {
  readonly pages?: readonly PageRoute[];
  /** Shown to members who open a page without its permission; one feature has it. */
  readonly denied?: FallbackPage;
  /** Shown where no page is; one feature has it. */
  readonly notFound?: FallbackPage;
}

/** The code of a page could not be fetched: no connection, or a newer version has replaced it. */
export class PageLoadError extends Error {}

export function lazyPage(load: () => Promise<ComponentType>): LazyPage {
  let loading: Promise<ComponentType> | undefined;
  let loaded: ComponentType | undefined;
  return {
    load() {
      loading ??= load().then(
        (page) => (loaded = page),
        (cause: unknown) => {
          throw new PageLoadError("A page could not be loaded.", { cause });
        },
      );
      return loading;
    },
    get loaded() {
      return loaded;
    },
    reset() {
      loading = undefined;
    },
  };
}

/** Fetches the code of a page ahead; a failure counts only once the page is needed. */
export async function preload(page: LazyPage): Promise<void> {
  await page.load().catch(() => page.reset());
}

/** So long the first page has work to do and things to load of its own, in milliseconds. */
export const firstPageTime = 3000;

/** Fetches the code of every page this visitor may open, once the browser has nothing else to do; never where data are saved. */
export function preloadWhenIdle(routes: readonly PageRoute[], visitor: Viewer | null): () => void {
  const { connection } = navigator as { connection?: { readonly saveData: boolean } };
  if (connection?.saveData) return () => {};
  let handle: number | undefined;
  const timer = setTimeout(() => {
    // Safari has no idle callback.
    if ("requestIdleCallback" in window) handle = requestIdleCallback(fetchAll, { timeout: 5000 });
    else fetchAll();
  }, firstPageTime);
  return () => {
    clearTimeout(timer);
    if (handle !== undefined) cancelIdleCallback(handle);
  };

  function fetchAll(): void {
    for (const route of routes) if (isAllowed(route.who, visitor)) void preload(route.page);
  }
}

export const RoutesContext = createContext<readonly PageRoute[]>([]);

/** The line of the route table for a path; undefined for paths that no page has. */
export function findRoute(routes: readonly PageRoute[], path: string): PageRoute | undefined {
  const sought = path.replace(/(.)\/$/, "$1").toLowerCase();
  return routes.find((route) => route.path === sought);
}

/** Finds the route of a path in the app's route table. */
export function useFindRoute(): (path: string) => PageRoute | undefined {
  const routes = use(RoutesContext);
  return (path) => findRoute(routes, path);
}
