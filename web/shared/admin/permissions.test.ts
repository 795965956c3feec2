import { expect, test } from "vitest";

import { togglePermission } from "./permissions.ts";

test("granting the toggling of game servers also grants seeing them, and revoking seeing also revokes toggling", () => {
  expect(togglePermission([], "toggle-game-servers", true)).toEqual(["see-game-servers", "toggle-game-servers"]);
  expect(togglePermission(["admin", "see-game-servers", "toggle-game-servers"], "see-game-servers", false)).toEqual([
    "admin",
  ]);
  expect(togglePermission(["see-game-servers", "toggle-game-servers"], "toggle-game-servers", false)).toEqual([
    "see-game-servers",
  ]);
  expect(togglePermission(["see-game-servers"], "admin", true)).toEqual(["see-game-servers", "admin"]);
});
