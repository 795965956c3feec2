import { Beer, ClipboardList, Gamepad2, Gift, Ruler } from "lucide-react";

import { useBeercounterLive } from "./features/beercounter/live.ts";
import { useGameServersLive } from "./features/game-servers/queries.ts";
import { Milestones } from "./features/milestones/components/milestones.tsx";
import { useTvLogoutHook } from "./features/tv/actions.ts";
import { usePresenceLive } from "./features/presence/live.ts";
import { useAppBadge } from "./platform/app-badge.ts";
import { createBackgroundEffect, type BackgroundEffect } from "./platform/background-effects.tsx";
import { usePush } from "./platform/push.ts";
import type { FallbackPage } from "./platform/page-view.tsx";
import { lazyPage, type PageRoute } from "./platform/pages.ts";
import { useRealtimeConnection } from "./platform/realtime-connection.ts";

const beercounter = lazyPage(async () => (await import("./features/beercounter/page.tsx")).BeercounterPage);
const yearReview = lazyPage(async () => (await import("./features/year-review/page.tsx")).YearReviewPage);
const home = lazyPage(async () => (await import("./features/group/home-page.tsx")).HomePage);
const install = lazyPage(async () => (await import("./features/group/install-page.tsx")).InstallPage);
const login = lazyPage(async () => (await import("./features/auth/login-page.tsx")).LoginPage);
const register = lazyPage(async () => (await import("./features/auth/register-page.tsx")).RegisterPage);
const heightCalculator = lazyPage(
  async () => (await import("./features/height-calculator/page.tsx")).HeightCalculatorPage,
);
const christmasCalendar = lazyPage(
  async () => (await import("./features/christmas-calendar/page.tsx")).ChristmasCalendarPage,
);
const passwordReset = lazyPage(async () => (await import("./features/password-reset/page.tsx")).PasswordResetPage);
const profile = lazyPage(async () => (await import("./features/profile/page.tsx")).ProfilePage);
const notifications = lazyPage(async () => (await import("./features/notifications/page.tsx")).NotificationsPage);
const statistics = lazyPage(async () => (await import("./features/beercounter/statistics-page.tsx")).StatisticsPage);
const gameServers = lazyPage(async () => (await import("./features/game-servers/page.tsx")).GameServersPage);
const tv = lazyPage(async () => (await import("./features/tv/page.tsx")).TvPage);
const admin = {
  members: lazyPage(async () => (await import("./features/admin/members-page.tsx")).MembersPage),
  invitations: lazyPage(async () => (await import("./features/admin/invitations-page.tsx")).InvitationsPage),
  gameServers: lazyPage(async () => (await import("./features/admin/game-servers-page.tsx")).GameServersPage),
  calendar: lazyPage(async () => (await import("./features/admin/calendar-page.tsx")).CalendarPage),
  tv: lazyPage(async () => (await import("./features/admin/tv-page.tsx")).TvLinksPage),
  group: lazyPage(async () => (await import("./features/admin/group-page.tsx")).GroupPage),
  audit: lazyPage(async () => (await import("./features/admin/audit-page.tsx")).AuditPage),
};

/** Every page: its address, who may see it, its title, and its place in the sidebar. */
export const routes: readonly PageRoute[] = [
  { path: "/", who: "guest", title: "Start", page: home },
  { path: "/install", who: "everyone", title: "App installieren", page: install },
  { path: "/tv", who: "everyone", title: "Fernseher", page: tv, isBare: true },
  { path: "/login", who: "guest", title: "Login", page: login },
  { path: "/register", who: "everyone", title: "Account erstellen", page: register },
  { path: "/password-reset", who: "guest", title: "Passwort zurücksetzen", page: passwordReset },
  { path: "/dashboard", who: "member", title: "Bier-Counter", page: beercounter, redirectTo: "/beercounter" },
  { path: "/profile", who: "member", title: "Profil", page: profile },
  { path: "/notifications", who: "member", title: "Benachrichtigungen", page: notifications },
  {
    path: "/beercounter",
    who: "member",
    title: "Bier-Counter",
    page: beercounter,
    link: { label: "Bier-Counter", icon: <Beer aria-hidden="true" />, who: "member" },
  },
  { path: "/statistics", who: "member", title: "Statistik", page: statistics },
  { path: "/wrapped", who: "member", title: "Jahresrückblick", page: yearReview },
  {
    path: "/game-servers",
    who: ["see-game-servers"],
    title: "Game-Server",
    page: gameServers,
    link: { label: "Game-Server", icon: <Gamepad2 aria-hidden="true" />, who: ["see-game-servers"] },
  },
  {
    path: "/height-calculator",
    who: "everyone",
    title: "Größenrechner",
    page: heightCalculator,
    link: { label: "Größenrechner", icon: <Ruler aria-hidden="true" />, who: "everyone" },
  },
  {
    path: "/christmas-calendar",
    who: "member",
    title: "Adventskalender",
    page: christmasCalendar,
    link: { label: "Adventskalender", icon: <Gift aria-hidden="true" />, who: "everyone" },
  },
  {
    path: "/admin",
    who: ["admin"],
    title: "Verwaltung",
    page: admin.members,
    link: { label: "Verwaltung", icon: <ClipboardList aria-hidden="true" />, who: ["admin"] },
  },
  { path: "/admin/invitations", who: ["admin"], title: "Einladungen", page: admin.invitations },
  { path: "/admin/game-servers", who: ["admin"], title: "Game-Server verwalten", page: admin.gameServers },
  { path: "/admin/calendar", who: ["admin"], title: "Kalender verwalten", page: admin.calendar },
  { path: "/admin/tv", who: ["admin"], title: "Fernseher verwalten", page: admin.tv },
  { path: "/admin/group", who: ["admin"], title: "Gruppe", page: admin.group },
  { path: "/admin/audit", who: ["admin"], title: "Protokoll", page: admin.audit },
];

/** What a member sees who opens a page without its permission. */
export const denied: FallbackPage = {
  title: "Nope.",
  page: lazyPage(async () => (await import("./features/group/denied-page.tsx")).DeniedPage),
};

export const notFound: FallbackPage = {
  title: "Nicht gefunden",
  page: lazyPage(async () => (await import("./features/group/not-found-page.tsx")).NotFoundPage),
};

/** What runs beside the pages, in the order of the start. */
export const backgroundEffects: readonly BackgroundEffect[] = [
  createBackgroundEffect("push", "member", usePush),
  createBackgroundEffect("beercounter", "member", useBeercounterLive),
  createBackgroundEffect("presence", "member", usePresenceLive),
  createBackgroundEffect("game-servers", ["see-game-servers"], useGameServersLive),
  createBackgroundEffect("realtime", "member", useRealtimeConnection),
  { name: "milestones", who: "member", Component: Milestones },
  createBackgroundEffect("tv", "member", useTvLogoutHook),
  createBackgroundEffect("app-badge", "member", useAppBadge),
];
