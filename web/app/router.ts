import { createRouter, type RouterHistory } from "@tanstack/react-router";

import type { PageContext } from "#web/page/session.ts";
import { PageFailure } from "./page-frame.tsx";
import { FallbackPage, routeTree } from "./routes.tsx";
import { parseSearch, stringifySearch } from "./search.ts";

export function createAppRouter(history?: RouterHistory) {
  return createRouter({
    routeTree,
    ...(history && { history }),
    // `startSession` sets it before the first page is loaded.
    context: {} as PageContext,
    parseSearch,
    stringifySearch,
    defaultNotFoundComponent: FallbackPage,
    defaultErrorComponent: PageFailure,
    defaultPendingMs: Infinity,
    defaultPreload: "intent",
    defaultRemountDeps: ({ params }) => params,
    scrollRestoration: true,
    scrollRestorationBehavior: "instant",
  });
}

declare module "@tanstack/react-router" {
  interface Register {
    router: ReturnType<typeof createAppRouter>;
  }
}
