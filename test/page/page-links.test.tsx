import { screen, within } from "@testing-library/dom";
import { expect, test, vi } from "vitest";

import { permissions } from "#contract/endpoint.ts";
import { createTestApp } from "#test/test-app.ts";
import type { PageLinkData } from "#web/app/page-route.ts";
import { openPage, type OpenPage } from "./open-page.tsx";

const linksOf = ({ router }: OpenPage) =>
  Object.values(router.routesById)
    .flatMap(({ options: { staticData } }) => staticData?.link ?? [])
    .toSorted((one, other) => one.place - other.place);
const labelsOf = (links: readonly PageLinkData[]) => links.map(({ label }) => label);

const linksIn = async (navigation: string) =>
  within(await screen.findByRole("navigation", { name: navigation }))
    .queryAllByRole("link")
    .map(({ textContent }) => textContent);

test("the sidebar of a member with all permissions lists all pages in order, each only in its months", async () => {
  const app = await createTestApp();
  const page = await openPage(await app.createMember("anna", permissions), "/profile");
  const links = linksOf(page);
  expect(links.find(({ label }) => label === "Jahresrückblick")?.months?.toSorted()).toEqual([1, 12]);
  for (const [day, month] of [
    ["2026-11-30T12:00:00Z", 11],
    ["2026-12-01T12:00:00Z", 12],
    ["2027-01-31T12:00:00Z", 1],
    ["2027-02-01T12:00:00Z", 2],
  ] as const) {
    vi.setSystemTime(day);
    // Renders the links again.
    await page.user.click(await screen.findByRole("button", { name: "Menü" }));
    const expected = labelsOf(links.filter(({ months }) => months?.includes(month) ?? true));
    expect(await linksIn("Seitenleiste"), day).toEqual(expected);
  }
  expect(await linksIn("Seiten")).toEqual(labelsOf(links.filter(({ isInHeader }) => isInHeader)));
});

test("the calendar is an area of the administration from November to January, and otherwise a page of the area Technik", async () => {
  const app = await createTestApp();
  const page = await openPage(await app.createMember("anna", ["admin"]), "/admin/group");
  const areas = "Bereiche der Verwaltung";
  expect(await linksIn(areas)).toEqual(["Mitglieder", "Kalender", "Game-Server", "Gruppe", "Technik"]);
  vi.setSystemTime("2027-02-01T12:00:00Z");
  await page.user.click(screen.getByRole("link", { name: "Technik" }));
  await page.user.click(await screen.findByRole("link", { name: /^Kalender/ }));
  await screen.findByRole("heading", { name: "Kalender", level: 2 });
  expect(await linksIn(areas)).toEqual(["Mitglieder", "Game-Server", "Gruppe", "Technik"]);
});

test("the header and the sidebar of a guest list only pages that are open to everyone", async () => {
  const app = await createTestApp();
  const page = await openPage(app.createClient(), "/login");
  const links = linksOf(page).filter(({ who }) => who === "everyone");
  expect(links).not.toEqual(linksOf(page));
  expect(await linksIn("Seitenleiste")).toEqual(labelsOf(links));
  expect(await linksIn("Seiten")).toEqual(labelsOf(links.filter(({ isInHeader }) => isInHeader)));
});
