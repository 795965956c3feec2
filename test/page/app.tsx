import { RouterProvider } from "@tanstack/react-router";
import type { ReactNode } from "react";

import { memberParts, type MemberParts } from "#web/members.tsx";
import { createAppRouter } from "#web/router.tsx";
import { pageHistory } from "#web/router/navigation.ts";
import { FallbackPage, pageRoutes } from "#web/routes.tsx";

export const router = createAppRouter(pageHistory, { MemberPart });

/** Loads the code of all pages, as the app does when the browser is idle. */
export async function loadPages(): Promise<void> {
  const components = pageRoutes.map(({ options }) => options.component);
  await Promise.all([FallbackPage, ...components].map(async (page) => page?.preload?.()));
}

/** Renders the app like main.tsx, after all code is loaded. */
export function App(): ReactNode {
  return <RouterProvider router={router} />;
}

function MemberPart({ part }: { part: keyof MemberParts }): ReactNode {
  const Part = memberParts[part];
  return <Part />;
}
