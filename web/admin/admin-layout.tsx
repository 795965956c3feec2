import { Link } from "@tanstack/react-router";
import {
  CalendarDays,
  Gamepad2,
  Mail,
  MonitorPlay,
  Plug,
  ScrollText,
  Tags,
  Truck,
  UsersRound,
  Webhook,
} from "lucide-react";
import { useId, useLayoutEffect, useRef, type ReactNode } from "react";

import { useWindowSize } from "#web/page/window-size.ts";
import choice from "#web/ui/choice.module.css";
import { Page, Row, Stack } from "#web/ui/layout.tsx";
import { Hint } from "#web/ui/text.tsx";
import styles from "./admin-layout.module.css";
import { useReleaseCheck } from "./api.ts";

const areas = [
  ["/admin", "Mitglieder", UsersRound],
  ["/admin/invitations", "Einladungen", Mail],
  ["/admin/game-servers", "Game-Server", Gamepad2],
  ["/admin/calendar", "Kalender", CalendarDays],
  ["/admin/tv", "Fernseher", MonitorPlay],
  ["/admin/import", "Umziehen", Truck],
  ["/admin/group", "Gruppe", Tags],
  ["/admin/webhooks", "Webhooks", Webhook],
  ["/admin/api", "API", Plug],
  ["/admin/audit", "Protokoll", ScrollText],
] as const;

interface AdminLayoutProps {
  readonly area: (typeof areas)[number][0];
  readonly action?: ReactNode;
  readonly children: ReactNode;
}

export function AdminLayout({ area, action, children }: AdminLayoutProps): ReactNode {
  const heading = useId();
  const nav = useRef<HTMLElement>(null);
  const { availableWidth } = useWindowSize();
  useLayoutEffect(() => {
    const current = nav.current?.querySelector<HTMLElement>("[aria-current]");
    if (nav.current && current)
      nav.current.scrollLeft = current.offsetLeft - (nav.current.clientWidth - current.offsetWidth) / 2;
  }, [area, availableWidth]);
  return (
    <Page title="Verwaltung">
      <nav ref={nav} className={`${choice["options"]} ${styles["areas"]}`} aria-label="Bereiche der Verwaltung">
        {areas.map(([to, label, Icon]) => (
          <Link key={to} className={choice["option"]} to={to} activeOptions={{ exact: true }}>
            <Icon size={20} />
            {label}
          </Link>
        ))}
      </nav>
      <Stack as="section" aria-labelledby={heading}>
        <Row gap={2} className={styles["head"]} data-justify="between">
          <h2 id={heading}>{areas.find(([to]) => to === area)?.[1]}</h2>
          {action}
        </Row>
        {children}
      </Stack>
      <VersionLine />
    </Page>
  );
}

function VersionLine(): ReactNode {
  const { version, newer_version: newer = null } = useReleaseCheck().data ?? {};
  return (
    <Hint className={styles["version"]} data-align="center">
      {version !== undefined && `Stammtisch ${version}`}
      {newer !== null && (
        <>
          {" · "}
          <strong>Version {newer} ist da</strong>
        </>
      )}
    </Hint>
  );
}
