import { useMutation } from "@tanstack/react-query";
import { useId, useState, type ReactNode } from "react";

import { makeInvitation } from "#contract/invitations.ts";
import { call } from "#web/client/api.ts";
import { ShareLink } from "#web/page/share-link.tsx";
import { Button } from "#web/ui/button.tsx";
import { Card } from "#web/ui/card.tsx";
import { formatTimeOfDay } from "#web/ui/german.ts";
import styles from "./invitation-card.module.css";

const invitation = { days: 7, uses: 20 };

export function InvitationCard({ onInvited }: { onInvited: () => void }): ReactNode {
  const heading = useId();
  const [link, setLink] = useState<{ url: string; expires_at: string } | null>(null);
  const { mutate: invite, isPending } = useMutation({
    mutationFn: () => call(makeInvitation, { body: { permissions: [], ...invitation } }),
    onSuccess(created) {
      setLink(created);
      onInvited();
    },
  });
  return (
    <section aria-labelledby={heading} className={styles["card"]}>
      <Card className={styles["content"]} data-align="center">
        <h2 id={heading}>{link === null ? "Allein am Stammtisch?" : "Deine Einladung"}</h2>
        {link === null ? (
          <>
            <p>Lad deine Runde ein: Ein Link reicht für {invitation.uses} Leute.</p>
            <Button kind="primary" isBusy={isPending} onClick={() => invite()}>
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
