import type { ReactNode } from "react";

import { Logo } from "#web/ui/logo.tsx";
import styles from "./phone-picture.module.css";

/** Draws a phone whose home screen shows this app's icon among others. Decorative. */
export function PhonePicture(): ReactNode {
  return (
    <div className={styles["phone"]} aria-hidden="true">
      <svg viewBox="0 0 120 220">
        <rect className={styles["case"]} x="1" y="1" width="118" height="218" rx="20" />
        <rect className={styles["screen"]} x="7" y="7" width="106" height="206" rx="14" />
        <rect className={styles["case"]} x="45" y="12" width="30" height="7" rx="3.5" />
        {apps.map(([x, y]) => (
          <rect key={`${x} ${y}`} className={styles["app"]} x={x} y={y} width="24" height="24" rx="7" />
        ))}
        <rect className={styles["bar"]} x="42" y="204" width="36" height="3" rx="1.5" />
      </svg>
      <span className={styles["ours"]}>
        <Logo size={52} />
      </span>
    </div>
  );
}

const apps = [30, 62, 126, 158].flatMap((y) => [16, 48, 80].map((x) => [x, y] as const));
