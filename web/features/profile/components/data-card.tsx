import { Download, FileJson, Sheet, Trash2, type LucideIcon } from "lucide-react";
import { useId, useState, type ReactNode } from "react";

import { exportAccount, exportBeers } from "#contract/account.ts";
import type { User } from "#contract/members.ts";
import { canUsePasskeys } from "#web/session/passkey-support.ts";
import { Hint } from "#web/ui/hint.tsx";
import { IconDisc } from "#web/ui/icon-disc.tsx";
import { Stack } from "#web/ui/layout.tsx";
import { ListItem } from "#web/ui/list-item.tsx";
import { QuietAction } from "#web/ui/quiet-action.tsx";
import { useOidcLink, usePasskeys } from "../queries.ts";
import styles from "./data-card.module.css";
import { DeleteDialog } from "./delete-dialog.tsx";

/** Offers data export and account deletion. */
export function DataCard({ user }: { user: User }): ReactNode {
  const heading = useId();
  const [isDeleting, setDeleting] = useState(false);
  const { data: passkeys = [], isPending } = usePasskeys();
  const oidc = useOidcLink();
  const hasPasskey = canUsePasskeys() && passkeys.length > 0;
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
      <QuietAction
        className={styles["delete"]}
        // Disabled until the member's passkeys and linked identity are loaded, which decide how the
        // member confirms the deletion.
        disabled={isPending || oidc.isLoading}
        onClick={() => setDeleting(true)}
      >
        <Trash2 size={20} />
        Account löschen …
      </QuietAction>
      <DeleteDialog
        user={user}
        needsPassword={!hasPasskey && oidc.data?.has_password !== false}
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
      <ListItem as="a" href={href} download picture={<IconDisc icon={icon} />} end={<Download size={22} />}>
        <strong>{title}</strong>
        <Hint as="span">{hint}</Hint>
      </ListItem>
    </li>
  );
}
