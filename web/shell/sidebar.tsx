import { useEffect, useEffectEvent, useRef, type ReactNode, type RefObject } from "react";

import { useSession } from "#web/session/session.ts";
import { useCloseOnBack } from "#web/ui/close-on-back.ts";
import { AppearanceSwitch } from "./appearance-switch.tsx";
import { PageLinks } from "./page-links.tsx";
import styles from "./sidebar.module.css";

export interface SidebarProps {
  isOpen: boolean;
  /**
   * The button that opens the sidebar. When the sidebar closes, the button gets the focus back. A
   * click on the button does not count as a click outside.
   */
  toggle: RefObject<HTMLButtonElement | null>;
  onClose: () => void;
}

/** A sidebar with links to all pages that slides in over the current page. */
export function Sidebar({ isOpen, toggle, onClose }: SidebarProps): ReactNode {
  const bar = useRef<HTMLElement>(null);
  const { user } = useSession();
  /** Closes the sidebar and moves the focus out of it. */
  function leave(): void {
    if (bar.current?.contains(document.activeElement) === true) toggle.current?.focus();
    onClose();
  }
  useCloseOnBack(isOpen, leave);
  const closeByKey = useEffectEvent(({ key }: KeyboardEvent) => key === "Escape" && leave());

  useEffect(() => {
    if (!isOpen) return;
    const closeOutside = (event: Event): void => {
      if (!(event.target instanceof Node)) return;
      if (bar.current?.contains(event.target) === true || toggle.current?.contains(event.target) === true) return;
      onClose();
    };
    const listening = new AbortController();
    const { signal } = listening;
    document.addEventListener("click", closeOutside, { signal });
    document.addEventListener("keydown", (event) => closeByKey(event), { signal });
    return () => listening.abort();
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
      <PageLinks place="sidebar" className={styles["links"]} onFollow={leave} />
      {user === null && (
        <div className={styles["appearance"]}>
          <AppearanceSwitch place="page" />
        </div>
      )}
    </nav>
  );
}
