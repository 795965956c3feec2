import { createBackgroundEffect, createBackgroundHook } from "./platform/background-effects.tsx";
import type { Feature } from "./platform/pages.ts";

/** Each feature says in its own route.tsx which pages, links and background effects it has; the pages themselves load later. */
const features = Object.values(import.meta.glob<Feature>("./features/*/route.tsx", { eager: true, import: "feature" }));

export const routes = features.flatMap(({ pages = [] }) => pages);

export const backgroundEffects = [
  createBackgroundHook(
    "realtime",
    "member",
    async () => (await import("./platform/realtime-connection.ts")).useRealtimeConnection,
  ),
  createBackgroundEffect("confirm", "member", async () => (await import("./platform/confirm.tsx")).ConfirmArea),
  createBackgroundEffect(
    "password-confirm",
    "member",
    async () => (await import("./platform/password-confirm.tsx")).PasswordConfirm,
  ),
  ...features.flatMap(({ backgroundEffects: effects = [] }) => effects),
];

/** What a member sees who opens a page without its permission. */
export const denied = features.find((feature) => feature.denied)!.denied!;

export const notFound = features.find((feature) => feature.notFound)!.notFound!;
