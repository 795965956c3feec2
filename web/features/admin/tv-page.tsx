import { MonitorPlay } from "lucide-react";
import { useState, type ReactNode } from "react";

import type { TvLink } from "#contract/admin-tv.ts";
import { BeerMat } from "#web/ui/beer-mat.tsx";
import { Button } from "#web/ui/button.tsx";
import { formatDate, timeAgo } from "#web/ui/german.ts";
import { EmptyText, QueryState, Skeleton } from "#web/ui/query-state.tsx";

import { AdminLayout } from "./components/admin-layout.tsx";
import list from "./components/list.module.css";
import { ConfirmDialog } from "./components/confirm-dialog.tsx";
import { TvLinkDialog } from "./components/tv-link-dialog.tsx";
import { revokeTvLink, useTvLinks } from "./queries.ts";
import styles from "./tv-page.module.css";

export function TvLinksPage(): ReactNode {
  const links = useTvLinks();
  const [isMaking, setMaking] = useState(false);
  const [revoked, setRevoked] = useState<TvLink | null>(null);
  const make = (
    <Button kind="primary" onClick={() => setMaking(true)}>
      <MonitorPlay size={20} aria-hidden="true" />
      Neuer Fernseher
    </Button>
  );
  return (
    <AdminLayout area="/admin/tv" action={make}>
      <BeerMat shape="square">
        <div className={list["content"]}>
          <QueryState
            query={links}
            failedText="Die Fernseher lassen sich gerade nicht laden."
            skeleton={<Skeleton lines={4} />}
            align="center"
          >
            {(all) => <LinkList links={all} onRevoke={setRevoked} />}
          </QueryState>
        </div>
      </BeerMat>
      <TvLinkDialog isOpen={isMaking} onClose={() => setMaking(false)} />
      <ConfirmDialog
        title="Link zurückziehen"
        isOpen={revoked !== null}
        confirmLabel="Zurückziehen"
        onConfirm={() => revokeTvLink(revoked!.id)}
        onClose={() => setRevoked(null)}
      >
        „{revoked?.name}“ zeigt dann nach ein paar Sekunden nichts mehr.
      </ConfirmDialog>
    </AdminLayout>
  );
}

interface LinkListProps {
  readonly links: readonly TvLink[];
  readonly onRevoke: (link: TvLink) => void;
}

function LinkList({ links, onRevoke }: LinkListProps): ReactNode {
  if (links.length === 0) {
    return (
      <EmptyText align="center">
        Noch kein Fernseher. Ein Link zeigt auf einem Bildschirm im Raum, was getrunken wird, ohne dass sich dort jemand
        anmeldet.
      </EmptyText>
    );
  }
  return (
    <ul className={list["list"]} aria-label="Fernseher">
      {links.map((link) => (
        <li key={link.id} className={list["item"]}>
          <div className={list["line"]}>
            <div className={list["words"]}>
              <span className={styles["name"]}>{link.name}</span>
              <span className={list["soft"]}>{formatLastUse(link)}</span>
              <span className={list["soft"]}>
                {formatDate(link.created_at, "date")}, von {link.by ?? "jemandem, der nicht mehr da ist"}
              </span>
            </div>
            <Button aria-label={`${link.name} zurückziehen`} onClick={() => onRevoke(link)}>
              Zurückziehen
            </Button>
          </div>
        </li>
      ))}
    </ul>
  );
}

function formatLastUse({ last_used_at }: TvLink): string {
  return last_used_at === null ? "noch nie geöffnet" : `zuletzt an: ${timeAgo(Date.parse(last_used_at), Date.now())}`;
}
