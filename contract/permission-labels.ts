import type { Permission } from "./endpoint.ts";

/** German names of the permissions. A separate file, since only administrators' pages load it. */
export const permissionLabels: Readonly<Record<Permission, string>> = {
  "see-game-servers": "Game-Server sehen",
  "toggle-game-servers": "Game-Server schalten",
  admin: "Verwaltung",
};
