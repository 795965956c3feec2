import { Link, useMatches, useRouter, useRouterState } from "@tanstack/react-router";
import { Menu as MenuIcon, LogIn } from "lucide-react";
import { useEffect, useEffectEvent, useRef, type ReactNode, type RefObject } from "react";

import { useGroup, useMember } from "#web/page/session.ts";
import { Logo } from "#web/ui/icons.tsx";
import { AccountMenu, AppearanceSwitch } from "./account-menu.tsx";
import styles from "./header.module.css";
import { isAllowed } from "./route-rules.ts";

interface HeaderProps {
  readonly isSidebarOpen: boolean;
  readonly onSidebar: (isOpen: boolean) => void;
}

export function Header({ isSidebarOpen, onSidebar }: HeaderProps): ReactNode {
  const isMember = useMember() !== null;
  const { group_name: name } = useGroup();
  const isOnTheWay = useRouterState({ select: ({ status }) => status === "pending" });
  const toggle = useRef<HTMLButtonElement>(null);
  return (
    <header className={styles["header"]} onClickCapture={scrollToTop}>
      <div className={styles["bar"]}>
        <button
          ref={toggle}
          type="button"
          className="touch-target"
          aria-label="Menü"
          aria-expanded={isSidebarOpen}
          aria-controls="sidebar"
          onClick={() => onSidebar(!isSidebarOpen)}
        >
          <MenuIcon size={24} />
        </button>
        <Sidebar isOpen={isSidebarOpen} toggle={toggle} onClose={() => onSidebar(false)} />
        <div className={styles["room"]}>
          <Link
            className={`touch-line ${styles["brand"]}`}
            to={isMember ? "/dashboard" : "/"}
            activeOptions={{ exact: true }}
            aria-label={name}
          >
            <Logo size={38} />
            <span className={`one-line ${styles["name"]}`}>{name}</span>
          </Link>
          <nav className={styles["pages"]} aria-label="Seiten" inert={isSidebarOpen}>
            <PageLinks place="header" className={styles["links"]} />
          </nav>
          <div className={styles["account"]}>
            {isMember ? (
              <AccountMenu />
            ) : (
              <Link className={`touch-line ${styles["login"]}`} to="/login">
                <LogIn size={20} />
                Login
              </Link>
            )}
          </div>
        </div>
      </div>
      {isOnTheWay && <div className={styles["progress"]} />}
    </header>
  );
}

/** A link to the current page leads to its top. */
function scrollToTop({ target }: { readonly target: EventTarget }): void {
  const link = target instanceof Element ? target.closest("a") : null;
  if (link?.href === location.href) scrollTo({ top: 0, behavior: "instant" });
}

interface SidebarProps {
  readonly isOpen: boolean;
  /** Gets the focus back when the sidebar closes. */
  readonly toggle: RefObject<HTMLButtonElement | null>;
  readonly onClose: () => void;
}

function Sidebar({ isOpen, toggle, onClose }: SidebarProps): ReactNode {
  const bar = useRef<HTMLElement>(null);
  const isMember = useMember() !== null;
  function leave(): void {
    if (bar.current?.contains(document.activeElement) === true) toggle.current?.focus();
    onClose();
  }
  const closeByKey = useEffectEvent(({ key }: KeyboardEvent) => key === "Escape" && leave());
  const close = useEffectEvent(() => onClose());

  useEffect(() => {
    if (!isOpen) return;
    const closeOutside = (event: Event): void => {
      if (!(event.target instanceof Node)) return;
      if (bar.current?.contains(event.target) === true || toggle.current?.contains(event.target) === true) return;
      close();
    };
    const listening = new AbortController();
    const { signal } = listening;
    document.addEventListener("click", closeOutside, { signal });
    document.addEventListener("keydown", (event) => closeByKey(event), { signal });
    addEventListener("popstate", () => close(), { signal });
    return () => listening.abort();
  }, [isOpen, toggle]);

  return (
    <nav
      ref={bar}
      id="sidebar"
      className={styles["sidebar"]}
      aria-label="Seitenleiste"
      data-open={isOpen || undefined}
      inert={!isOpen}
    >
      <PageLinks place="sidebar" className={styles["sidebar-links"]} onFollow={leave} />
      {!isMember && (
        <div className={styles["appearance"]}>
          <AppearanceSwitch place="page" />
        </div>
      )}
    </nav>
  );
}

interface PageLinksProps {
  readonly place: "header" | "sidebar";
  readonly className: string | undefined;
  readonly onFollow?: () => void;
}

function PageLinks({ place, className, onFollow }: PageLinksProps): ReactNode {
  const member = useMember();
  const path = useMatches({ select: (matches) => matches.at(-1)?.pathname.toLowerCase() ?? "" });
  const month = new Date().getMonth() + 1;
  const links = Object.values(useRouter().routesById)
    .flatMap(({ fullPath: to, options: { staticData: { link } = {} } }) =>
      link !== undefined && isAllowed(link.who, member) ? [{ to, ...link }] : [],
    )
    .filter(({ isInHeader = false }) => place === "sidebar" || isInHeader)
    .filter(({ isHidden }) => member === null || isHidden?.(member) !== true)
    .filter(({ months }) => months?.includes(month) !== false)
    .toSorted((one, other) => one.place - other.place);
  return (
    <ul className={className}>
      {links.map(({ to, icon, label }) => (
        <li key={to}>
          <Link
            to={to as string}
            aria-current={path === to || path.startsWith(`${to}/`) ? "page" : undefined}
            onClick={onFollow}
          >
            {icon}
            {label}
          </Link>
        </li>
      ))}
    </ul>
  );
}
