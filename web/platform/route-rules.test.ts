import { describe, expect, test } from "vitest";

import { isAllowed, resolveRoute, titleOf, type RouteRule } from "./route-rules.ts";

const routes: RouteRule[] = [
  { path: "/", who: "guest" },
  { path: "/login", who: "guest" },
  { path: "/register", who: "everyone" },
  { path: "/dashboard", who: "member", redirectTo: "/beercounter" },
  { path: "/beercounter", who: "member" },
  { path: "/game-servers", who: ["see-game-servers"] },
  { path: "/admin", who: ["admin"] },
];
const findRoute = (path: string): RouteRule | undefined => routes.find((route) => route.path === path);

const frieda = { permissions: [] };
const carla = { permissions: ["see-game-servers" as const] };
const boss = { permissions: ["admin" as const] };

describe("a visit", () => {
  test.each([
    [null, "/", "/"],
    [null, "/login?redirectedFrom=/profile", "/login?redirectedFrom=/profile"],
    [null, "/register?token=X", "/register?token=X"],
    [null, "/beercounter", "/login?redirectedFrom=/beercounter"],
    [null, "/dashboard", "/login?redirectedFrom=/dashboard"],
    [null, "/game-servers?a=b", "/login?redirectedFrom=/game-servers%3Fa%3Db"],
    [frieda, "/", "/beercounter"],
    [frieda, "/login?redirectedFrom=/register", "/beercounter"],
    [frieda, "/dashboard", "/beercounter"],
    [frieda, "/register", "/register"],
    [carla, "/game-servers", "/game-servers"],
  ])("of %j to %s ends at %s", (visitor, address, end) => {
    expect(resolveRoute(findRoute, visitor, address)).toMatchObject({ address: end, isDenied: false });
  });

  test("without the permission is denied where it is", () => {
    const denied = { address: "/game-servers", isDenied: true };
    expect(resolveRoute(findRoute, frieda, "/game-servers")).toMatchObject(denied);
    expect(resolveRoute(findRoute, boss, "/game-servers")).toMatchObject(denied);
  });

  test("to a page that does not exist ends nowhere, for everybody", () => {
    for (const visitor of [null, frieda]) {
      expect(resolveRoute(findRoute, visitor, "/nix?a=b")).toEqual({
        route: undefined,
        isDenied: false,
        address: "/nix?a=b",
      });
    }
  });
});

test("a link is seen by those it is for", () => {
  const links = { counter: "member", servers: ["see-game-servers"], calculator: "everyone", admin: ["admin"] } as const;
  const seenBy = (visitor: typeof boss | typeof carla | typeof frieda | null): string[] =>
    Object.entries(links).flatMap(([name, who]) => (isAllowed(who, visitor) ? [name] : []));
  expect(seenBy(null)).toEqual(["calculator"]);
  expect(seenBy(frieda)).toEqual(["counter", "calculator"]);
  expect(seenBy(carla)).toEqual(["counter", "servers", "calculator"]);
  expect(seenBy(boss)).toEqual(["counter", "calculator", "admin"]);
});

test("the title names the page, then the group", () => {
  expect(titleOf("Login", "Stammtisch")).toBe("Login – Stammtisch");
});
