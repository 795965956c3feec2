import { Link } from "@tanstack/react-router";
import { CalendarDays, Gamepad2, Tags, UsersRound, Wrench } from "lucide-react";
import { useId, type ReactNode } from "react";

import { BackLink } from "#web/page/links.tsx";
import choice from "#web/ui/choice.module.css";
import { Page, Row, Stack } from "#web/ui/layout.tsx";
import { Hint } from "#web/ui/text.tsx";
import styles from "./admin-layout.module.css";
import { useReleaseCheck } from "./api.ts";

const areas = [
  ["/admin", "Mitglieder", UsersRound],
  ["/admin/calendar", "Kalender", CalendarDays],
  ["/admin/game-servers", "Game-Server", Gamepad2],
  ["/admin/group", "Gruppe", Tags],
  ["/admin/system", "Technik", Wrench],
] as const;
type Area = (typeof areas)[number][0];

/** Pages that an area leads to. */
const pages = {
  "/admin/invitations": ["Einladungen", "/admin"],
  "/admin/tv": ["Fernseher", "/admin/system"],
  "/admin/webhooks": ["Webhooks", "/admin/system"],
  "/admin/api": ["API", "/admin/system"],
  "/admin/import": ["Umziehen", "/admin/system"],
  "/admin/audit": ["Protokoll", "/admin/system"],
} as const satisfies Record<string, readonly [title: string, area: Area]>;

/** From November to January, the calendar is an area of its own. */
export function isCalendarSeason(): boolean {
  return [10, 11, 0].includes(new Date().getMonth());
}

interface AdminLayoutProps {
  readonly area: Area | keyof typeof pages;
  readonly action?: ReactNode;
  readonly children: ReactNode;
}

export function AdminLayout({ area: path, action, children }: AdminLayoutProps): ReactNode {
  const heading = useId();
  const isSeason = isCalendarSeason();
  const shown = areas.filter(([to]) => isSeason || to !== "/admin/calendar");
  const [title, area] = path in pages ? pages[path as keyof typeof pages] : [labelOf(path), path];
  const current = shown.some(([to]) => to === area) ? area : "/admin/system";
  return (
    <Page title="Verwaltung">
      <nav className={`${choice["options"]} ${styles["areas"]}`} aria-label="Bereiche der Verwaltung">
        {shown.map(([to, label, Icon]) => (
          <Link
            key={to}
            className={choice["option"]}
            to={to}
            activeOptions={{ exact: true }}
            aria-current={to === current ? (to === path ? "page" : "true") : undefined}
          >
            <Icon size={20} />
            {label}
          </Link>
        ))}
      </nav>
      <Stack as="section" aria-labelledby={heading}>
        {current !== path && <BackLink to={current}>{labelOf(current)}</BackLink>}
        <Row gap={2} className={styles["head"]} data-justify="between">
          <h2 id={heading}>{title}</h2>
          {action}
        </Row>
        {children}
      </Stack>
      <VersionLine />
    </Page>
  );
}

function labelOf(path: string): string {
  return areas.find(([to]) => to === path)?.[1] ?? "";
}

function VersionLine(): ReactNode {
  const { version, newer_version: newer = null, is_backup_overdue = false } = useReleaseCheck().data ?? {};
  return (
    <Hint className={styles["version"]} data-align="center">
      {version !== undefined && `Stammtisch ${version}`}
      {newer !== null && (
        <>
          {" · "}
          <strong>Version {newer} ist da</strong>
        </>
      )}
      {is_backup_overdue && (
        <>
          {" · "}
          <Link to="/admin/system">Seit einer Woche kein Backup</Link>
        </>
      )}
    </Hint>
  );
}
