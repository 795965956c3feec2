// The app, like main.tsx. Each page of a test evaluates this file and all files that it imports anew (open-page.tsx).
import { RouterProvider } from "@tanstack/react-router";
import type { ReactNode } from "react";
import { createRoot } from "react-dom/client";

import { memberParts, type MemberParts } from "#web/members.tsx";
import { createAppRouter } from "#web/router.tsx";
import { pageHistory } from "#web/router/navigation.ts";
import { FallbackPage, pageRoutes } from "#web/routes.tsx";
import { startSession } from "#web/session/session.ts";

/** Waits for the session, and for the code of all pages, which the app loads when the browser is idle. */
export async function startApp() {
  const router = createAppRouter(pageHistory, { MemberPart });
  const components = [FallbackPage, ...pageRoutes.map(({ options }) => options.component)];
  await Promise.all([startSession(), ...components.map(async (page) => page?.preload?.())]);
  await router.load();
  return {
    router,
    /** Renders the app, and returns a function that removes it. */
    render() {
      const root = createRoot(document.body.appendChild(document.createElement("div")));
      root.render(<RouterProvider router={router} />);
      return () => {
        root.unmount();
        pageHistory.destroy();
      };
    },
  };
}

function MemberPart({ part }: { part: keyof MemberParts }): ReactNode {
  const Part = memberParts[part];
  return <Part />;
}
