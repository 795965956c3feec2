import type { ReactNode } from "react";

import type { Permission } from "#contract/endpoint.ts";
import { Badge } from "#web/ui/entity-list.tsx";
import { permissionLabels } from "../rules.ts";

/** What somebody may do, in short; switching servers says already that they are seen. */
export function PermissionBadges({ held }: { held: readonly Permission[] }): ReactNode {
  const shown = held.filter((one) => one !== "see-game-servers" || !held.includes("toggle-game-servers"));
  return shown.map((permission) => <Badge key={permission}>{permissionLabels[permission].badge}</Badge>);
}
