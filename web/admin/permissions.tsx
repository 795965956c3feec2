import type { ReactNode } from "react";

import { permissions, type Permission } from "#contract/endpoint.ts";
import { permissionLabels } from "#contract/permission-labels.ts";
import { Switch } from "#web/ui/choice.tsx";
import { Badge } from "#web/ui/list.tsx";

const permissionTexts: Readonly<Record<Permission, { badge: string; hint: string }>> = {
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

export function PermissionBadges({ held }: { held: readonly Permission[] }): ReactNode {
  const shown = held.filter((one) => one !== "see-game-servers" || !held.includes("toggle-game-servers"));
  return shown.map((permission) => <Badge key={permission}>{permissionTexts[permission].badge}</Badge>);
}

interface PermissionSwitchesProps {
  readonly legend: string;
  readonly held: readonly Permission[];
  readonly onChange: (held: Permission[]) => void;
  readonly disabled?: boolean;
}

export function PermissionSwitches({ legend, held, onChange, disabled = false }: PermissionSwitchesProps): ReactNode {
  return (
    <fieldset>
      <legend>{legend}</legend>
      {permissions.map((permission) => (
        <Switch
          key={permission}
          label={permissionLabels[permission]}
          hint={permissionTexts[permission].hint}
          isOn={held.includes(permission)}
          disabled={disabled}
          onChange={(isOn) => onChange(togglePermission(held, permission, isOn))}
        />
      ))}
    </fieldset>
  );
}

/** Members who toggle game servers must also see them. */
export function togglePermission(held: readonly Permission[], permission: Permission, isOn: boolean): Permission[] {
  const partner = isOn
    ? permission === "toggle-game-servers" && "see-game-servers"
    : permission === "see-game-servers" && "toggle-game-servers";
  const others = held.filter((one) => one !== permission && one !== partner);
  if (!isOn) return others;
  return partner ? [...others, partner, permission] : [...others, permission];
}
