import { useRouterState } from "@tanstack/react-router";
import { Menu as MenuIcon, LogIn } from "lucide-react";
import { useRef, type ReactNode } from "react";

import { PageLink } from "#web/router/page-link.tsx";
import { dashboardPath } from "#web/router/redirect-target.ts";
import { useGroup, useSession } from "#web/session/session.ts";
import { Logo } from "#web/ui/logo.tsx";
import { usePlaceholder } from "#web/ui/placeholder.tsx";
import styles from "./header.module.css";
import { PageLinks } from "./page-links.tsx";
import { Sidebar } from "./sidebar.tsx";

export function Header({
  isSidebarOpen,
  onSidebar,
  account,
}: {
  isSidebarOpen: boolean;
  onSidebar: (isOpen: boolean) => void;
  account: ReactNode;
}): ReactNode {
  const isPlaceholder = usePlaceholder();
  const { user } = useSession();
  const { group_name: name } = useGroup();
  const isOnTheWay = useRouterState({ select: ({ status }) => status === "pending" });
  const toggle = useRef<HTMLButtonElement>(null);
  return (
    <header className={styles["header"]}>
      <div className={styles["bar"]}>
        <button
          ref={toggle}
          type="button"
          className="touch-target"
          aria-label="Menü"
          aria-expanded={isSidebarOpen}
          aria-controls="seitenleiste"
          onClick={() => onSidebar(!isSidebarOpen)}
        >
          <MenuIcon size={24} />
        </button>
        {!isPlaceholder && <Sidebar isOpen={isSidebarOpen} toggle={toggle} onClose={() => onSidebar(false)} />}
        <div className={styles["room"]}>
          <PageLink
            className={`touch-line ${styles["brand"]}`}
            href={user === null ? "/" : dashboardPath}
            aria-label={name}
          >
            <Logo size={38} />
            <span className={`one-line ${styles["name"]}`}>{name}</span>
          </PageLink>
          <nav className={styles["pages"]} aria-label="Seiten" inert={isSidebarOpen}>
            {!isPlaceholder && <PageLinks place="header" className={styles["links"]} />}
          </nav>
          <div className={styles["account"]}>
            {user === null && !isPlaceholder && (
              <PageLink className={`touch-line ${styles["login"]}`} href="/login">
                <LogIn size={20} />
                Login
              </PageLink>
            )}
            {user !== null && account}
          </div>
        </div>
      </div>
      {isOnTheWay && <div className={styles["progress"]} />}
    </header>
  );
}
