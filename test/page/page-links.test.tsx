import { screen, within } from "@testing-library/dom";
import { expect, test, vi } from "vitest";

import { permissions } from "#contract/endpoint.ts";
import { createTestApp } from "#test/test-app.ts";
import type { SidebarLink } from "#web/router/page-route.ts";
import { pageRoutes } from "#web/routes.tsx";
import { openPage } from "./open-page.tsx";

const links = pageRoutes
  .flatMap(({ options: { staticData } }) => staticData?.link ?? [])
  .toSorted((one, other) => one.place - other.place);
const openToEveryone = links.filter(({ who }) => who === "everyone");
const labels = (shown: readonly SidebarLink[]) => shown.map(({ label }) => label);

const linksIn = async (navigation: string) =>
  within(await screen.findByRole("navigation", { name: navigation }))
    .queryAllByRole("link")
    .map(({ textContent }) => textContent);

test("the sidebar of a member with all permissions lists all pages in order, each only in its months", async () => {
  const app = await createTestApp();
  const page = await openPage(await app.createMember("anna", permissions), "/profile");
  for (const [day, month] of [
    ["2026-11-30T12:00:00Z", 11],
    ["2026-12-01T12:00:00Z", 12],
    ["2027-01-31T12:00:00Z", 1],
    ["2027-02-01T12:00:00Z", 2],
  ] as const) {
    vi.setSystemTime(day);
    // Renders the links again.
    await page.user.click(await screen.findByRole("button", { name: "Menü" }));
    expect(await linksIn("Seitenleiste"), day).toEqual(
      labels(links.filter(({ months }) => months?.includes(month) ?? true)),
    );
  }
  expect(await linksIn("Seiten")).toEqual(labels(links.filter(({ isInHeader }) => isInHeader)));
});

test("the year review has a link only in December and January", () => {
  expect(links.find(({ label }) => label === "Jahresrückblick")?.months?.toSorted()).toEqual([1, 12]);
});

test("the header and the sidebar of a guest list only pages that are open to everyone", async () => {
  const app = await createTestApp();
  await openPage(app.createClient(), "/login");
  expect(await linksIn("Seitenleiste")).toEqual(labels(openToEveryone));
  expect(await linksIn("Seiten")).toEqual(labels(openToEveryone.filter(({ isInHeader }) => isInHeader)));
  expect(openToEveryone).not.toHaveLength(links.length);
});
