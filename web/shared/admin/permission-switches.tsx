import type { ReactNode } from "react";

import { permissions, type Permission } from "#contract/endpoint.ts";
import { permissionLabels } from "#contract/permission-labels.ts";
import { Switch } from "#web/ui/switch.tsx";
import { permissionTexts, togglePermission } from "./permissions.ts";

interface PermissionSwitchesProps {
  readonly legend: string;
  readonly held: readonly Permission[];
  readonly onChange: (held: Permission[]) => void;
  readonly disabled?: boolean;
}

/** One switch per permission, each with an explanation of the permission. */
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
