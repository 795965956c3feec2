import type { Permission } from "./endpoint.ts";

/**
 * German names of the permissions. In a separate file, because only pages of administrators load
 * it.
 */
export const permissionLabels: Readonly<Record<Permission, string>> = {
  "see-game-servers": "Game-Server sehen",
  "toggle-game-servers": "Game-Server schalten",
  admin: "Verwaltung",
};
