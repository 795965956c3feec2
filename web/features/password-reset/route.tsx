import { createRoute } from "@tanstack/react-router";

import { lazyPage } from "#web/router/lazy-page.tsx";
import { pageOptions } from "#web/router/page-route.ts";
import { rootRoute } from "#web/router/root-route.tsx";

const passwordReset = lazyPage(async () => (await import("./page.tsx")).PasswordResetPage);

export const passwordResetRoutes = [
  createRoute({
    getParentRoute: () => rootRoute,
    path: "/password-reset",
    ...pageOptions({ who: "guest", title: "Passwort zurücksetzen", page: passwordReset }),
  }),
] as const;
