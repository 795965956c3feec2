import { lazyPage, type Feature } from "#web/platform/pages.ts";

const passwordReset = lazyPage(async () => (await import("./page.tsx")).PasswordResetPage);

export const feature: Feature = {
  pages: [{ path: "/password-reset", who: "guest", title: "Passwort zurücksetzen", page: passwordReset }],
};
