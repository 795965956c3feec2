import { ChevronLeft } from "lucide-react";
import type { ReactNode } from "react";

import quiet from "#web/ui/quiet-action.module.css";
import styles from "./back-link.module.css";
import { PageLink } from "./page-link.tsx";

/** The way from a page to the one that it belongs to. */
export function BackLink({ href, children }: { href: string; children: ReactNode }): ReactNode {
  return (
    <PageLink className={`${quiet["action"]} ${styles["back"]}`} href={href}>
      <ChevronLeft size={18} />
      {children}
    </PageLink>
  );
}
