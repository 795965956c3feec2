import { Monitor, Smartphone, type LucideIcon } from "lucide-react";
import type { ReactNode } from "react";

import { Hint } from "#web/ui/hint.tsx";
import { IconDisc } from "#web/ui/icon-disc.tsx";
import { ListItem } from "#web/ui/list-item.tsx";
import styles from "./device-item.module.css";

interface DeviceLineProps {
  /**
   * The server's description of the device, e.g. `Chrome auf Android`, or a name chosen by the
   * member.
   */
  readonly name: string;
  /** By default, the icon of a phone or a monitor, according to the name. */
  readonly icon?: LucideIcon;
  readonly isThisOne?: boolean;
  /** Details below the name; `null` for none. */
  readonly detail: ReactNode;
  /** Buttons at the end of the line. */
  readonly children: ReactNode;
}

export function DeviceItem({ name, icon, isThisOne = false, detail, children }: DeviceLineProps): ReactNode {
  const ownIcon = /Android|iPhone|iPad/.test(name) ? Smartphone : Monitor;
  return (
    <ListItem as="li" className={styles["line"]} picture={<IconDisc icon={icon ?? ownIcon} />} end={children}>
      <strong>{name}</strong>
      {isThisOne && <span className={styles["current"]}>Dieses Gerät</span>}
      {detail !== null && <Hint as="span">{detail}</Hint>}
    </ListItem>
  );
}
