import { Monitor, Smartphone, type LucideIcon } from "lucide-react";
import type { ReactNode } from "react";

import styles from "./device-line.module.css";
import { Entry } from "./entry.tsx";
import { Hint } from "./hint.tsx";
import { IconDisc } from "./icon-disc.tsx";

interface DeviceLineProps {
  /** As the server describes it, e.g. `Chrome auf Android`, or as its owner calls it. */
  readonly name: string;
  /** Without one it is that of the kind of device. */
  readonly icon?: LucideIcon;
  readonly isThisOne?: boolean;
  /** What else there is to say of it. */
  readonly detail: ReactNode;
  /** The buttons at its end. */
  readonly children: ReactNode;
}

/** One line of a list of devices. */
export function DeviceLine({ name, icon, isThisOne = false, detail, children }: DeviceLineProps): ReactNode {
  const ownIcon = /Android|iPhone|iPad/.test(name) ? Smartphone : Monitor;
  return (
    <Entry as="li" className={styles["line"]} picture={<IconDisc icon={icon ?? ownIcon} />} end={children}>
      <strong>{name}</strong>
      {isThisOne && <span className={styles["current"]}>Dieses Gerät</span>}
      {detail !== null && <Hint as="span">{detail}</Hint>}
    </Entry>
  );
}
