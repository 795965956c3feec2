import { createRoute } from "@tanstack/react-router";

import { lazyPage } from "#web/router/lazy-page.tsx";
import { pageOptions } from "#web/router/page-route.ts";
import { rootRoute } from "#web/router/root-route.tsx";
import { LoginPage } from "./login-page.tsx";

// Not loaded lazily: most visits start on the login page, and all pages share its form components.
const login = lazyPage(async () => LoginPage);
const register = lazyPage(async () => (await import("./register-page.tsx")).RegisterPage);
const oidc = lazyPage(async () => (await import("./oidc-page.tsx")).OidcPage);
const passwordReset = lazyPage(async () => (await import("./password-reset-page.tsx")).PasswordResetPage);
const profile = lazyPage(async () => (await import("./profile-page.tsx")).ProfilePage);
const invitations = lazyPage(async () => (await import("./admin-page.tsx")).InvitationsPage);

export const accountsRoutes = [
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
  createRoute({
    getParentRoute: () => rootRoute,
    path: "/login/oidc",
    ...pageOptions({ who: "everyone", title: "Anmeldung", page: oidc }),
  }),
  createRoute({
    getParentRoute: () => rootRoute,
    path: "/password-reset",
    ...pageOptions({ who: "guest", title: "Passwort zurücksetzen", page: passwordReset }),
  }),
  createRoute({
    getParentRoute: () => rootRoute,
    path: "/profile",
    ...pageOptions({ who: "member", title: "Profil", page: profile }),
  }),
  createRoute({
    getParentRoute: () => rootRoute,
    path: "/admin/invitations",
    ...pageOptions({ who: ["admin"], title: "Einladungen", page: invitations }),
  }),
] as const;
