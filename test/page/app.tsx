// Like web/app/main.tsx. Each page of a test evaluates this file and its imports anew (open-page.tsx).
import { RouterProvider } from "@tanstack/react-router";
import { createRoot } from "react-dom/client";

import { createAppRouter } from "#web/app/router.ts";
import { startSession } from "#web/app/session.ts";

/** Waits also for the code of all pages. */
export async function startApp() {
  const router = createAppRouter();
  await Promise.all([
    startSession(router),
    ...Object.values(router.routesById).map((route) => router.loadRouteChunk(route)),
  ]);
  await router.load();
  return {
    router,
    /** The returned function removes the app. */
    render() {
      const root = createRoot(document.body.appendChild(document.createElement("div")));
      root.render(<RouterProvider router={router} />);
      return () => {
        root.unmount();
        router.history.destroy();
      };
    },
  };
}
