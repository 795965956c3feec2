import type { LucideIcon } from "lucide-react";
import type { ReactNode } from "react";

import styles from "./icon-disc.module.css";

interface IconDiscProps {
  readonly icon: LucideIcon;
  readonly size?: number;
  readonly tone?: "plain" | "beer";
}

/** A decorative icon on a round background. */
export function IconDisc({ icon: Icon, size = 22, tone = "plain" }: IconDiscProps): ReactNode {
  return (
    <span className={`touch-target ${styles["disc"]}`} data-tone={tone} aria-hidden="true">
      <Icon size={size} />
    </span>
  );
}
