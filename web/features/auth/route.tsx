import { lazyPage, type Feature } from "#web/platform/pages.ts";
import { LoginPage } from "./login-page.tsx";

// The page that most visits begin with is there from the start, with the parts of its form, which all pages share.
const login = lazyPage(async () => LoginPage);
const register = lazyPage(async () => (await import("./register-page.tsx")).RegisterPage);

export const feature: Feature = {
  pages: [
    { path: "/login", who: "guest", title: "Login", page: login },
    { path: "/register", who: "everyone", title: "Account erstellen", page: register },
  ],
};
