import { ChevronLeft } from "lucide-react";
import type { ReactNode } from "react";

import { QuietAction } from "#web/ui/quiet-action.tsx";
import styles from "./back-link.module.css";
import { PageLink } from "./page-link.tsx";

/** A link to the parent page. */
export function BackLink({ href, children }: { href: string; children: ReactNode }): ReactNode {
  return (
    <QuietAction as={PageLink} className={styles["back"]} href={href}>
      <ChevronLeft size={18} />
      {children}
    </QuietAction>
  );
}
