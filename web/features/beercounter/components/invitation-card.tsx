import { useId, useState, type ReactNode } from "react";

import { makeInvitation } from "#contract/admin-invitations.ts";
import { call } from "#web/platform/api.ts";
import { ShareLink } from "#web/platform/share-link.tsx";
import { useMutation } from "#web/platform/use-mutation.ts";
import { Button } from "#web/ui/button.tsx";
import { Card } from "#web/ui/card.tsx";
import { formatTimeOfDay } from "#web/ui/german.ts";
import styles from "./invitation-card.module.css";

const invitation = { permissions: [], days: 7, uses: 20 };

/** For the first member: a link that brings the friends. */
export function InvitationCard({ onInvited }: { onInvited: () => void }): ReactNode {
  const heading = useId();
  const [link, setLink] = useState<{ url: string; expires_at: string } | null>(null);
  const { run, isPending } = useMutation(async () => {
    setLink(await call(makeInvitation, { body: invitation }));
    onInvited();
  });
  return (
    <section aria-labelledby={heading} className={styles["card"]}>
      <Card className={styles["content"]} data-align="center">
        <h2 id={heading}>{link === null ? "Allein am Stammtisch?" : "Deine Einladung"}</h2>
        {link === null ? (
          <>
            <p>Lad deine Runde ein: Ein Link reicht für {invitation.uses} Leute, jeder legt sich selbst an.</p>
            <Button kind="primary" isBusy={isPending} onClick={() => void run()}>
              Einladung machen
            </Button>
          </>
        ) : (
          <ShareLink url={link.url} title="Einladung">
            <p>
              Gilt für {invitation.uses} Personen bis {formatTimeOfDay(link.expires_at, undefined, "weekdayAndDay")}.
              Der Link wird nur jetzt gezeigt.
            </p>
          </ShareLink>
        )}
      </Card>
    </section>
  );
}
