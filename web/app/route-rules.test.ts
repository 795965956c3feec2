import { expect, test } from "vitest";

import { findRedirect, isAllowed } from "./route-rules.ts";

const frieda = { permissions: [] };
const carla = { permissions: ["see-game-servers" as const] };
const boss = { permissions: ["admin" as const] };

test.each([
  [null, "guest", "/", undefined],
  [null, "guest", "/login?redirectedFrom=/profile", undefined],
  [null, "everyone", "/register?token=X", undefined],
  [null, "member", "/beercounter", "/login?redirectedFrom=/beercounter"],
  [null, ["see-game-servers"], "/game-servers?a=b", "/login?redirectedFrom=/game-servers%3Fa%3Db"],
  [null, "member", "/profile#passkeys", "/login?redirectedFrom=/profile#passkeys"],
  [frieda, "guest", "/", "/dashboard"],
  [frieda, "guest", "/login?redirectedFrom=/register", "/dashboard"],
  [frieda, "everyone", "/register", undefined],
  [frieda, ["see-game-servers"], "/game-servers", undefined],
  [carla, ["see-game-servers"], "/game-servers", undefined],
] as const)("findRedirect for the visitor %j on a page for %j at %s returns %s", (visitor, who, address, target) => {
  expect(findRedirect(who, visitor, address)).toBe(target);
});

test("isAllowed returns true for a link only if the visitor belongs to the link's audience", () => {
  const links = { counter: "member", servers: ["see-game-servers"], calculator: "everyone", admin: ["admin"] } as const;
  const seenBy = (visitor: typeof boss | typeof carla | typeof frieda | null): string[] =>
    Object.entries(links).flatMap(([name, who]) => (isAllowed(who, visitor) ? [name] : []));
  expect(seenBy(null)).toEqual(["calculator"]);
  expect(seenBy(frieda)).toEqual(["counter", "calculator"]);
  expect(seenBy(carla)).toEqual(["counter", "servers", "calculator"]);
  expect(seenBy(boss)).toEqual(["counter", "calculator", "admin"]);
});
