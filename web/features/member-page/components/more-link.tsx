import { ChevronRight } from "lucide-react";
import type { ReactNode } from "react";

import { PageLink } from "#web/platform/page-link.tsx";
import quiet from "#web/ui/quiet-action.module.css";
import styles from "./more-link.module.css";

/** A link at the end of a card. */
export function MoreLink({ href, children }: { href: string; children: ReactNode }): ReactNode {
  return (
    <PageLink href={href} className={`${quiet["action"]} ${styles["link"]}`}>
      <span className={styles["text"]}>{children}</span>
      <ChevronRight size={18} className={styles["arrow"]} />
    </PageLink>
  );
}
