import { ChevronRight } from "lucide-react";
import type { ReactNode } from "react";

import { PageLink } from "#web/router/page-link.tsx";
import { QuietAction } from "#web/ui/quiet-action.tsx";
import styles from "./more-link.module.css";

export function MoreLink({ href, children }: { href: string; children: ReactNode }): ReactNode {
  return (
    <QuietAction as={PageLink} href={href} className={styles["link"]}>
      <span className={styles["text"]}>{children}</span>
      <ChevronRight size={18} className={styles["arrow"]} />
    </QuietAction>
  );
}
