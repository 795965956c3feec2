import { createRoute } from "@tanstack/react-router";

import { lazyPage } from "#web/router/lazy-page.tsx";
import { pageOptions } from "#web/router/page-route.ts";
import { rootRoute } from "#web/router/root-route.tsx";
import { LoginPage } from "./login-page.tsx";

// Not loaded lazily: most visits start on the login page, and all pages share its form components.
const login = lazyPage(async () => LoginPage);
const register = lazyPage(async () => (await import("./register-page.tsx")).RegisterPage);

export const authRoutes = [
  createRoute({
    getParentRoute: () => rootRoute,
    path: "/login",
    ...pageOptions({ who: "guest", title: "Login", page: login }),
  }),
  createRoute({
    getParentRoute: () => rootRoute,
    path: "/register",
    ...pageOptions({ who: "everyone", title: "Account erstellen", page: register }),
  }),
] as const;
