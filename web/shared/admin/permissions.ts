import type { Permission } from "#contract/endpoint.ts";

/**
 * German texts per permission: `badge` describes a member who holds the permission, `hint` explains
 * the permission.
 */
export const permissionTexts: Readonly<Record<Permission, { badge: string; hint: string }>> = {
  "see-game-servers": {
    badge: "sieht Server",
    hint: "Sieht, was läuft und wer spielt.",
  },
  "toggle-game-servers": {
    badge: "schaltet Server",
    hint: "Darf sie starten und herunterfahren.",
  },
  admin: {
    badge: "Verwaltung",
    hint: "Darf alles, was auf diesen Seiten steht, auch Rechte vergeben.",
  },
};

/**
 * Returns the permissions after one was granted or revoked. Members who toggle game servers must
 * also see them: granting `toggle-game-servers` grants both permissions, and revoking
 * `see-game-servers` revokes both.
 */
export function togglePermission(held: readonly Permission[], permission: Permission, isOn: boolean): Permission[] {
  const partner = isOn
    ? permission === "toggle-game-servers" && "see-game-servers"
    : permission === "see-game-servers" && "toggle-game-servers";
  const others = held.filter((one) => one !== permission && one !== partner);
  if (!isOn) return others;
  return partner ? [...others, partner, permission] : [...others, permission];
}
