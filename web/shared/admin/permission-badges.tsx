import type { ReactNode } from "react";

import type { Permission } from "#contract/endpoint.ts";
import { Badge } from "#web/ui/entity-list.tsx";
import { permissionTexts } from "./permissions.ts";

/**
 * Shows permissions as badges. Omits `see-game-servers` beside `toggle-game-servers`, because
 * members who can switch game servers also see them.
 */
export function PermissionBadges({ held }: { held: readonly Permission[] }): ReactNode {
  const shown = held.filter((one) => one !== "see-game-servers" || !held.includes("toggle-game-servers"));
  return shown.map((permission) => <Badge key={permission}>{permissionTexts[permission].badge}</Badge>);
}
