import { Monitor, Smartphone } from "lucide-react";
import type { ReactNode } from "react";

import styles from "./device-line.module.css";

interface DeviceLineProps {
  /** As the server describes it, e.g. `Chrome auf Android`. */
  readonly name: string;
  readonly isThisOne: boolean;
  /** What else there is to say of it. */
  readonly detail: ReactNode;
  /** The button at its end. */
  readonly children: ReactNode;
}

/** One line of a list of devices. */
export function DeviceLine({ name, isThisOne, detail, children }: DeviceLineProps): ReactNode {
  const Icon = /Android|iPhone|iPad/.test(name) ? Smartphone : Monitor;
  return (
    <li className={styles["line"]}>
      <span className={styles["icon"]} aria-hidden="true">
        <Icon size={22} />
      </span>
      <span className={styles["words"]}>
        <strong>{name}</strong>
        {isThisOne && <span className={styles["here"]}>Dieses Gerät</span>}
        {detail !== null && <span className={styles["detail"]}>{detail}</span>}
      </span>
      {children}
    </li>
  );
}
