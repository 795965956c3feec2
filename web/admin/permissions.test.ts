import { expect, test } from "vitest";

import { togglePermission } from "./permissions.tsx";

test("granting toggle-game-servers also grants see-game-servers, and revoking see-game-servers also revokes the other", () => {
  expect(togglePermission([], "toggle-game-servers", true)).toEqual(["see-game-servers", "toggle-game-servers"]);
  expect(togglePermission(["admin", "see-game-servers", "toggle-game-servers"], "see-game-servers", false)).toEqual([
    "admin",
  ]);
  expect(togglePermission(["see-game-servers", "toggle-game-servers"], "toggle-game-servers", false)).toEqual([
    "see-game-servers",
  ]);
  expect(togglePermission(["see-game-servers"], "admin", true)).toEqual(["see-game-servers", "admin"]);
});
