import { Download, FileJson, Sheet, Trash2, type LucideIcon } from "lucide-react";
import { useId, useState, type ReactNode } from "react";

import { exportAccount, exportBeers } from "#contract/account.ts";
import type { User } from "#contract/members.ts";

import styles from "./data-card.module.css";
import { DeleteDialog } from "./delete-dialog.tsx";

/** What is stored about oneself, to take along; and the way out. */
export function DataCard({ user }: { user: User }): ReactNode {
  const heading = useId();
  const [isLeaving, setLeaving] = useState(false);
  return (
    <section aria-labelledby={heading}>
      <h2 id={heading} className={styles["title"]}>
        Meine Daten
      </h2>
      <ul className={styles["list"]}>
        <DownloadLine
          icon={FileJson}
          href={exportAccount.path}
          title="Alles über mich"
          hint="Eine Datei im Format JSON"
        />
        <DownloadLine icon={Sheet} href={exportBeers.path} title="Meine Biere" hint="Eine Tabelle im Format CSV" />
      </ul>
      <button type="button" className={styles["leave"]} onClick={() => setLeaving(true)}>
        <Trash2 size={20} aria-hidden="true" />
        Konto löschen …
      </button>
      <DeleteDialog user={user} isOpen={isLeaving} onClose={() => setLeaving(false)} />
    </section>
  );
}

interface DownloadLineProps {
  readonly icon: LucideIcon;
  readonly href: string;
  readonly title: string;
  readonly hint: string;
}

function DownloadLine({ icon: Icon, href, title, hint }: DownloadLineProps): ReactNode {
  return (
    <li>
      <a className={styles["line"]} href={href} download>
        <span className={styles["icon"]} aria-hidden="true">
          <Icon size={22} />
        </span>
        <span className={styles["words"]}>
          <strong>{title}</strong>
          <span className={styles["hint"]}>{hint}</span>
        </span>
        <Download className={styles["arrow"]} size={22} aria-hidden="true" />
      </a>
    </li>
  );
}
