import type { ReactNode } from "react";

import type { Permission } from "#contract/endpoint.ts";
import { Badge } from "#web/ui/entity-list.tsx";
import { permissionTexts } from "./permissions.ts";

/**
 * Shows permissions as badges. Omits `see-game-servers` if the member also holds
 * `toggle-game-servers`, whose badge says enough.
 */
export function PermissionBadges({ held }: { held: readonly Permission[] }): ReactNode {
  const shown = held.filter((one) => one !== "see-game-servers" || !held.includes("toggle-game-servers"));
  return shown.map((permission) => <Badge key={permission}>{permissionTexts[permission].badge}</Badge>);
}
