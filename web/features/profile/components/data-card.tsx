import { Download, FileJson, Sheet, Trash2, type LucideIcon } from "lucide-react";
import { useId, useState, type ReactNode } from "react";

import { exportAccount, exportBeers } from "#contract/account.ts";
import type { User } from "#contract/members.ts";
import { canUsePasskeys } from "#web/platform/passkey-support.ts";
import { Entry } from "#web/ui/entry.tsx";
import { Hint } from "#web/ui/hint.tsx";
import { IconDisc } from "#web/ui/icon-disc.tsx";
import { Stack } from "#web/ui/layout.tsx";
import quiet from "#web/ui/quiet-action.module.css";
import { usePasskeys } from "../queries.ts";
import styles from "./data-card.module.css";
import { DeleteDialog } from "./delete-dialog.tsx";

/** What is stored about oneself, to take along; and the way out. */
export function DataCard({ user }: { user: User }): ReactNode {
  const heading = useId();
  const [isDeleting, setDeleting] = useState(false);
  const { data: passkeys = [], isPending } = usePasskeys();
  return (
    <Stack as="section" aria-labelledby={heading}>
      <h2 id={heading}>Meine Daten</h2>
      <Stack as="ul" gap={3}>
        <DownloadLine
          icon={FileJson}
          href={exportAccount.path}
          title="Alles über mich"
          hint="Eine Datei, die andere Programme lesen können (JSON)"
        />
        <DownloadLine
          icon={Sheet}
          href={exportBeers.path}
          title="Meine Biere"
          hint="Eine Tabelle, zum Beispiel für Excel (CSV)"
        />
      </Stack>
      <button
        type="button"
        className={`${quiet["action"]} ${styles["delete"]}`}
        // The question has a field for the password or none.
        disabled={isPending}
        onClick={() => setDeleting(true)}
      >
        <Trash2 size={20} />
        Account löschen …
      </button>
      <DeleteDialog
        user={user}
        hasPasskey={canUsePasskeys() && passkeys.length > 0}
        isOpen={isDeleting}
        onClose={() => setDeleting(false)}
      />
    </Stack>
  );
}

interface DownloadLineProps {
  readonly icon: LucideIcon;
  readonly href: string;
  readonly title: string;
  readonly hint: string;
}

function DownloadLine({ icon, href, title, hint }: DownloadLineProps): ReactNode {
  return (
    <li>
      <Entry as="a" href={href} download picture={<IconDisc icon={icon} />} end={<Download size={22} />}>
        <strong>{title}</strong>
        <Hint as="span">{hint}</Hint>
      </Entry>
    </li>
  );
}
