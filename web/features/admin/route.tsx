import { ClipboardList } from "lucide-react";

import { lazyPage, type Feature } from "#web/platform/pages.ts";

const members = lazyPage(async () => (await import("./members-page.tsx")).MembersPage);
const invitations = lazyPage(async () => (await import("./invitations-page.tsx")).InvitationsPage);
const gameServers = lazyPage(async () => (await import("./game-servers-page.tsx")).GameServersPage);
const calendar = lazyPage(async () => (await import("./calendar-page.tsx")).CalendarPage);
const tvLinks = lazyPage(async () => (await import("./tv-page.tsx")).TvLinksPage);
const beerImport = lazyPage(async () => (await import("./import-page.tsx")).ImportPage);
const group = lazyPage(async () => (await import("./group-page.tsx")).GroupPage);
const audit = lazyPage(async () => (await import("./audit-page.tsx")).AuditPage);

export const feature: Feature = {
  pages: [
    {
      path: "/admin",
      who: ["admin"],
      title: "Verwaltung",
      page: members,
      link: { place: 8, label: "Verwaltung", icon: <ClipboardList />, who: ["admin"] },
    },
    { path: "/admin/invitations", who: ["admin"], title: "Einladungen", page: invitations },
    { path: "/admin/game-servers", who: ["admin"], title: "Game-Server verwalten", page: gameServers },
    { path: "/admin/calendar", who: ["admin"], title: "Kalender verwalten", page: calendar },
    { path: "/admin/tv", who: ["admin"], title: "Fernseher verwalten", page: tvLinks },
    { path: "/admin/import", who: ["admin"], title: "Biere importieren", page: beerImport },
    { path: "/admin/group", who: ["admin"], title: "Gruppe", page: group },
    { path: "/admin/audit", who: ["admin"], title: "Protokoll", page: audit },
  ],
};
