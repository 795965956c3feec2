import { createRootRouteWithContext, createRoute, redirect, type NotFoundRouteProps } from "@tanstack/react-router";
import { Beer, ChartNoAxesColumn, ClipboardList, Gamepad2, Gift, PartyPopper, Ruler, Sparkles } from "lucide-react";
import { Suspense, type ReactNode } from "react";

import { guestPath } from "#web/features/parties/guest-device.ts";
import { validateSearch } from "#web/features/statistics/period-rules.ts";
import { lazyPart } from "#web/page/newer-version.ts";
import type { PageContext } from "#web/page/session.ts";
import { guard, idParams, page } from "./page-route.ts";
import { Root } from "./root.tsx";
import { deniedPage } from "./route-rules.ts";

const rootRoute = createRootRouteWithContext<PageContext>()({ component: Root });
const getParentRoute = () => rootRoute;

const member = { who: "member" } as const;
const admin = { who: ["admin"] } as const;

const pageRoutes = [
  createRoute({
    getParentRoute,
    path: "/",
    ...page({ who: "guest", title: "Start" }, () => import("#web/features/group/page.tsx"), "HomePage"),
  }),
  createRoute({
    getParentRoute,
    path: "/login",
    ...page({ who: "guest", title: "Login" }, () => import("#web/features/accounts/login-page.tsx"), "LoginPage"),
  }),
  createRoute({
    getParentRoute,
    path: "/login/oidc",
    ...page({ who: "everyone", title: "Anmeldung" }, () => import("#web/features/accounts/oidc-page.tsx"), "OidcPage"),
  }),
  createRoute({
    getParentRoute,
    path: "/register",
    ...page(
      { who: "everyone", title: "Account erstellen" },
      () => import("#web/features/accounts/register-page.tsx"),
      "RegisterPage",
    ),
  }),
  createRoute({
    getParentRoute,
    path: "/password-reset",
    ...page(
      { who: "guest", title: "Passwort zurücksetzen" },
      () => import("#web/features/accounts/password-reset-page.tsx"),
      "PasswordResetPage",
    ),
  }),
  createRoute({
    getParentRoute,
    path: "/install",
    ...page(
      { who: "everyone", title: "App installieren" },
      () => import("#web/features/group/install-page.tsx"),
      "InstallPage",
    ),
  }),
  createRoute({
    getParentRoute,
    path: "/height-calculator",
    ...page(
      {
        who: "everyone",
        title: "Größenrechner",
        link: { place: 70, label: "Größenrechner", icon: <Ruler />, who: "everyone" },
      },
      () => import("#web/features/group/height-calculator-page.tsx"),
      "HeightCalculatorPage",
    ),
  }),
  createRoute({
    getParentRoute,
    path: "/dashboard",
    beforeLoad: (given) => {
      guard("member", given);
      redirect({ to: "/beercounter", replace: true, throw: true });
    },
  }),
  createRoute({
    getParentRoute,
    path: "/beercounter",
    ...page(
      {
        ...member,
        title: "Bier-Counter",
        link: { place: 10, label: "Bier-Counter", icon: <Beer />, who: "member", isInHeader: true },
      },
      () => import("#web/features/counter/counter-page.tsx"),
      "BeercounterPage",
    ),
    loader: async ({ context }) => (await import("#web/features/beers/api.ts")).prefetchCounter(context.client),
  }),
  createRoute({
    getParentRoute,
    path: "/party",
    ...page(
      {
        ...member,
        title: "Partys",
        link: { place: 20, label: "Partys", icon: <PartyPopper />, who: "member", isInHeader: true },
      },
      () => import("#web/features/parties/parties-page.tsx"),
      "PartiesPage",
    ),
    beforeLoad: (given) => {
      guard("member", given);
      // Links of earlier versions, such as `/party?id=7`.
      const params = idParams.parse(given.search as { id: string });
      if (params) redirect({ to: "/party/$id", params, replace: true, throw: true });
    },
  }),
  createRoute({
    getParentRoute,
    path: "/party/$id",
    params: idParams,
    ...page({ ...member, title: "Partys" }, () => import("#web/features/parties/party-page.tsx"), "PartyPage"),
    beforeLoad: (given) => {
      const { context, location, params } = given;
      const href = context.client.member.get() === null ? guestPath(params.id, location.hash) : undefined;
      if (href !== undefined) redirect({ href, replace: true, throw: true });
      guard("member", given);
    },
  }),
  createRoute({
    getParentRoute,
    path: "/guest/$id",
    params: idParams,
    ...page(
      { who: "guest", title: "Party", isBare: true },
      () => import("#web/features/parties/guest-page.tsx"),
      "GuestPage",
    ),
    beforeLoad: ({ context, params }) => {
      if (context.client.member.get() !== null) redirect({ to: "/party/$id", params, replace: true, throw: true });
    },
  }),
  createRoute({
    getParentRoute,
    path: "/christmas-calendar",
    ...page(
      {
        ...member,
        title: "Adventskalender",
        link: { place: 30, label: "Adventskalender", icon: <Gift />, who: "everyone", isInHeader: true },
      },
      () => import("#web/features/calendar/page.tsx"),
      "ChristmasCalendarPage",
    ),
  }),
  createRoute({
    getParentRoute,
    path: "/game-servers",
    ...page(
      {
        who: ["see-game-servers"],
        title: "Game-Server",
        link: {
          place: 40,
          label: "Game-Server",
          icon: <Gamepad2 />,
          who: ["see-game-servers"],
          isHidden: ({ has_no_game_servers }) => has_no_game_servers === true,
          isInHeader: true,
        },
      },
      () => import("#web/features/game-servers/page.tsx"),
      "GameServersPage",
    ),
  }),
  createRoute({
    getParentRoute,
    path: "/statistics",
    validateSearch,
    ...page(
      {
        ...member,
        title: "Statistik",
        link: { place: 50, label: "Statistik", icon: <ChartNoAxesColumn />, who: "member" },
      },
      () => import("#web/features/statistics/statistics-page.tsx"),
      "StatisticsPage",
    ),
  }),
  createRoute({
    getParentRoute,
    path: "/wrapped",
    ...page(
      {
        ...member,
        title: "Jahresrückblick",
        link: { place: 60, label: "Jahresrückblick", icon: <Sparkles />, who: "member", months: [12, 1] },
      },
      () => import("#web/features/statistics/year-review-page.tsx"),
      "YearReviewPage",
    ),
  }),
  createRoute({
    getParentRoute,
    path: "/member",
    ...page({ ...member, title: "Deckel" }, () => import("#web/features/members/page.tsx"), "OwnPage"),
    beforeLoad: (given) => {
      guard("member", given);
      // Links of earlier versions, such as `/member?id=7`.
      const params = idParams.parse(given.search as { id: string });
      if (params) redirect({ to: "/members/$id", params, replace: true, throw: true });
    },
  }),
  createRoute({
    getParentRoute,
    path: "/members/$id",
    params: idParams,
    ...page({ ...member, title: "Deckel" }, () => import("#web/features/members/page.tsx"), "MemberPage"),
  }),
  createRoute({
    getParentRoute,
    path: "/profile",
    ...page({ ...member, title: "Profil" }, () => import("#web/features/accounts/profile-page.tsx"), "ProfilePage"),
  }),
  createRoute({
    getParentRoute,
    path: "/notifications",
    ...page(
      { ...member, title: "Benachrichtigungen" },
      () => import("#web/features/notifications/page.tsx"),
      "NotificationsPage",
    ),
  }),
  createRoute({
    getParentRoute,
    path: "/guide",
    ...page({ ...member, title: "Anleitung" }, () => import("#web/features/group/guide-page.tsx"), "GuidePage"),
  }),
  createRoute({
    getParentRoute,
    path: "/tv",
    ...page({ who: "everyone", title: "Fernseher", isBare: true }, () => import("#web/features/tv/page.tsx"), "TvPage"),
  }),
  createRoute({
    getParentRoute,
    path: "/welcome",
    ...page({ ...admin, title: "Willkommen" }, () => import("#web/features/group/welcome-page.tsx"), "WelcomePage"),
  }),
  createRoute({
    getParentRoute,
    path: "/tablet",
    ...page(
      { who: "everyone", title: "Zapfstelle", isBare: true },
      () => import("#web/features/tv/tablet-page.tsx"),
      "TabletPage",
    ),
  }),
  createRoute({
    getParentRoute,
    path: "/pair",
    ...page({ ...member, title: "Bildschirm verbinden" }, () => import("#web/features/tv/pair-page.tsx"), "PairPage"),
  }),
  createRoute({
    getParentRoute,
    path: "/admin",
    ...page(
      {
        ...admin,
        title: "Verwaltung",
        link: { place: 80, label: "Verwaltung", icon: <ClipboardList />, who: ["admin"] },
      },
      () => import("#web/features/members/admin-page.tsx"),
      "MembersPage",
    ),
  }),
  createRoute({
    getParentRoute,
    path: "/admin/invitations",
    ...page(
      { ...admin, title: "Einladungen" },
      () => import("#web/features/accounts/admin-page.tsx"),
      "InvitationsPage",
    ),
  }),
  createRoute({
    getParentRoute,
    path: "/admin/calendar",
    ...page(
      { ...admin, title: "Kalender verwalten" },
      () => import("#web/features/calendar/admin-page.tsx"),
      "ManagedCalendarPage",
    ),
  }),
  createRoute({
    getParentRoute,
    path: "/admin/game-servers",
    ...page(
      { ...admin, title: "Game-Server verwalten" },
      () => import("#web/features/game-servers/admin-page.tsx"),
      "ManagedGameServersPage",
    ),
  }),
  createRoute({
    getParentRoute,
    path: "/admin/tv",
    ...page({ ...admin, title: "Fernseher verwalten" }, () => import("#web/features/tv/admin-page.tsx"), "TvLinksPage"),
  }),
  createRoute({
    getParentRoute,
    path: "/admin/system",
    ...page(
      { ...admin, title: "Technik" },
      () => import("#web/features/operation/system-admin-page.tsx"),
      "SystemPage",
    ),
  }),
  createRoute({
    getParentRoute,
    path: "/admin/webhooks",
    ...page({ ...admin, title: "Webhooks" }, () => import("#web/features/webhooks/admin-page.tsx"), "WebhooksPage"),
  }),
  createRoute({
    getParentRoute,
    path: "/admin/import",
    ...page(
      { ...admin, title: "Biere importieren" },
      () => import("#web/features/import/admin-page.tsx"),
      "ImportPage",
    ),
  }),
  createRoute({
    getParentRoute,
    path: "/admin/group",
    ...page({ ...admin, title: "Gruppe" }, () => import("#web/features/group/admin-page.tsx"), "GroupPage"),
  }),
  createRoute({
    getParentRoute,
    path: "/admin/api",
    ...page({ ...admin, title: "API" }, () => import("#web/features/operation/api-admin-page.tsx"), "ApiPage"),
  }),
  createRoute({
    getParentRoute,
    path: "/admin/audit",
    ...page(
      { ...admin, title: "Protokoll" },
      () => import("#web/features/operation/audit-admin-page.tsx"),
      "AuditPage",
    ),
  }),
] as const;

export const routeTree = rootRoute.addChildren(pageRoutes);

const DeniedPage = lazyPart(async () => (await import("#web/features/group/page.tsx")).DeniedPage);
const NotFoundPage = lazyPart(async () => (await import("#web/features/group/page.tsx")).NotFoundPage);

export function FallbackPage({ data }: NotFoundRouteProps): ReactNode {
  return <Suspense>{data === deniedPage ? <DeniedPage /> : <NotFoundPage />}</Suspense>;
}
