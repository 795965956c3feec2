import { Terminal } from "lucide-react";
import type { ReactNode } from "react";

import type { AuditEntry } from "#contract/admin-audit.ts";
import { Avatar } from "#web/ui/avatar.tsx";
import { BeerMat } from "#web/ui/beer-mat.tsx";
import { formatDate } from "#web/ui/german.ts";
import { EmptyText, QueryState, Skeleton } from "#web/ui/query-state.tsx";

import styles from "./audit-page.module.css";
import { AdminLayout } from "./components/admin-layout.tsx";
import { LoadMore } from "./components/load-more.tsx";
import { useAudit } from "./queries.ts";
import { groupByDay } from "./rules.ts";

export function AuditPage(): ReactNode {
  const audit = useAudit();
  return (
    <AdminLayout area="/admin/audit">
      <BeerMat shape="square">
        <div className={styles["content"]}>
          <QueryState
            query={audit}
            failedText="Die Einträge lassen sich gerade nicht laden."
            skeleton={<Skeleton lines={6} />}
            align="center"
          >
            {({ pages }) => <Days entries={pages.flatMap((page) => page.entries)} />}
          </QueryState>
          <LoadMore list={audit} />
        </div>
      </BeerMat>
    </AdminLayout>
  );
}

function Days({ entries }: { entries: readonly AuditEntry[] }): ReactNode {
  if (entries.length === 0)
    return <EmptyText align="center">Noch nichts passiert. Hier steht später, wer was verwaltet hat.</EmptyText>;
  return groupByDay(entries).map(([day, ofDay]) => (
    <section key={day} className={styles["day"]} aria-label={day}>
      <h3 className={styles["date"]}>{day}</h3>
      <ul className={styles["list"]}>
        {ofDay.map((entry) => (
          <li key={entry.id} className={styles["line"]}>
            <Actor entry={entry} />
            <p className={styles["words"]}>
              <strong>{describeActor(entry)}</strong>
              <span>
                {entry.member && entry.member.id !== entry.actor?.id && <b>{entry.member.name}: </b>}
                {entry.text}
              </span>
            </p>
            <time className={styles["time"]} dateTime={entry.at}>
              {formatDate(entry.at, "time")}
            </time>
          </li>
        ))}
      </ul>
    </section>
  ));
}

function Actor({ entry: { actor, via } }: { entry: AuditEntry }): ReactNode {
  if (actor) return <Avatar id={actor.avatarId} name={actor.name} size={36} />;
  if (via === "page") return <Avatar id={null} name="?" size={36} />;
  return (
    <span className={styles["icon"]} aria-hidden="true">
      <Terminal size={18} />
    </span>
  );
}

function describeActor({ actor, via }: AuditEntry): string {
  if (actor) return actor.name;
  return via === "page" ? "Ehemaliges Mitglied" : "Befehlszeile";
}
