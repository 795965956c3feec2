import { createRouter, type RouterHistory } from "@tanstack/react-router";

import { LoadingPage } from "./router/page-frame.tsx";
import { parseQuery, writeQuery } from "./router/query.ts";
import type { rootRoute } from "./router/root-route.tsx";
import { FallbackPage, routeTree } from "./routes.tsx";

type Context = (typeof rootRoute)["types"]["routerContext"];

export function createAppRouter(history: RouterHistory, context: Context) {
  return createRouter({
    routeTree,
    history,
    context,
    parseSearch: parseQuery,
    stringifySearch: writeQuery,
    defaultNotFoundComponent: FallbackPage,
    defaultPendingComponent: LoadingPage,
    // Keeps the current page visible until the next page is ready.
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
