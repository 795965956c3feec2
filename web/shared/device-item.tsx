import { Monitor, Smartphone, type LucideIcon } from "lucide-react";
import type { ReactNode } from "react";

import { Hint } from "#web/ui/hint.tsx";
import { IconDisc } from "#web/ui/icon-disc.tsx";
import { ListItem } from "#web/ui/list-item.tsx";
import styles from "./device-item.module.css";

interface DeviceLineProps {
  /** The server's description, e.g. `Chrome auf Android`, or the name chosen by the member. */
  readonly name: string;
  /** Default: the icon of the kind of device. */
  readonly icon?: LucideIcon;
  readonly isThisOne?: boolean;
  /** Further details. */
  readonly detail: ReactNode;
  /** The buttons at the end. */
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
