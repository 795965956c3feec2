import { lazyPage, type Feature } from "#web/platform/pages.ts";

const login = lazyPage(async () => (await import("./login-page.tsx")).LoginPage);
const register = lazyPage(async () => (await import("./register-page.tsx")).RegisterPage);

export const feature: Feature = {
  pages: [
    { path: "/login", who: "guest", title: "Login", page: login },
    { path: "/register", who: "everyone", title: "Account erstellen", page: register },
  ],
};
