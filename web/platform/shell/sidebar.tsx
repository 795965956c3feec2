import { use, useEffect, useRef, type ReactNode, type RefObject } from "react";

import { usePath } from "../location.ts";
import { PageLink } from "../page-link.tsx";
import { RoutesContext } from "../pages.ts";
import { isAllowed } from "../route-rules.ts";
import { useSession } from "../session.ts";
import { AppearanceSwitch } from "./appearance-switch.tsx";
import styles from "./sidebar.module.css";

export interface SidebarProps {
  isOpen: boolean;
  /** The button that opens it: gets the focus back, and is not outside. */
  toggle: RefObject<HTMLButtonElement | null>;
  onClose: () => void;
}

/** The way to every page, sliding in over the current one. */
export function Sidebar({ isOpen, toggle, onClose }: SidebarProps): ReactNode {
  const bar = useRef<HTMLElement>(null);
  const routes = use(RoutesContext);
  const { user } = useSession();
  const path = usePath();
  const links = routes
    .flatMap(({ path: href, link }) => (link !== undefined && isAllowed(link.who, user) ? [{ href, ...link }] : []))
    .toSorted((one, other) => one.place - other.place);

  useEffect(() => {
    if (!isOpen) return;
    const closeOutside = (event: Event): void => {
      if (!(event.target instanceof Node)) return;
      if (bar.current?.contains(event.target) === true || toggle.current?.contains(event.target) === true) return;
      onClose();
    };
    const closeByKey = (event: KeyboardEvent): void => {
      if (event.key !== "Escape") return;
      if (bar.current?.contains(document.activeElement) === true) toggle.current?.focus();
      onClose();
    };
    document.addEventListener("click", closeOutside);
    document.addEventListener("keydown", closeByKey);
    return () => {
      document.removeEventListener("click", closeOutside);
      document.removeEventListener("keydown", closeByKey);
    };
  }, [isOpen, toggle, onClose]);

  return (
    <nav
      ref={bar}
      id="seitenleiste"
      className={styles["sidebar"]}
      aria-label="Seitenleiste"
      data-open={isOpen || undefined}
      inert={!isOpen}
    >
      <ul className={styles["links"]}>
        {links.map((link) => (
          <li key={link.href}>
            <PageLink
              className={styles["link"]}
              href={link.href}
              aria-current={path === link.href || path.startsWith(`${link.href}/`) ? "page" : undefined}
              onClick={onClose}
            >
              {link.icon}
              {link.label}
            </PageLink>
          </li>
        ))}
      </ul>
      {user === null && (
        <div className={styles["appearance"]}>
          <AppearanceSwitch place="page" />
        </div>
      )}
    </nav>
  );
}
