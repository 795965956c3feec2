import type { ReactNode } from "react";

import { permissions, type Permission } from "#contract/endpoint.ts";
import { Switch } from "#web/ui/switch.tsx";
import { togglePermission, permissionLabels } from "../rules.ts";

interface PermissionSwitchesProps {
  readonly legend: string;
  readonly held: readonly Permission[];
  readonly onChange: (held: Permission[]) => void;
  readonly disabled?: boolean;
}

/** What somebody may do, each with what it means. */
export function PermissionSwitches({ legend, held, onChange, disabled = false }: PermissionSwitchesProps): ReactNode {
  return (
    <fieldset>
      <legend>{legend}</legend>
      {permissions.map((permission) => (
        <Switch
          key={permission}
          label={permissionLabels[permission].label}
          hint={permissionLabels[permission].hint}
          isOn={held.includes(permission)}
          disabled={disabled}
          onChange={(isOn) => onChange(togglePermission(held, permission, isOn))}
        />
      ))}
    </fieldset>
  );
}
