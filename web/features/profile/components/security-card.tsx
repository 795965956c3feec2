import { useLocation } from "@tanstack/react-router";
import { useEffect, useRef, type ReactNode } from "react";

import type { User } from "#contract/members.ts";
import { useGroup } from "#web/session/session.ts";
import { Card } from "#web/ui/card.tsx";
import { Disclosure } from "#web/ui/disclosure.tsx";
import { Hint } from "#web/ui/hint.tsx";
import { Stack } from "#web/ui/layout.tsx";
import { usePlaceholder } from "#web/ui/placeholder.tsx";
import { ApiTokensCard } from "./api-tokens-card.tsx";
import { DataCard } from "./data-card.tsx";
import { DevicesCard } from "./devices-card.tsx";
import { EventsCard } from "./events-card.tsx";
import { OidcCard } from "./oidc-card.tsx";
import { PasskeysCard } from "./passkeys-card.tsx";
import styles from "./security-card.module.css";

/**
 * Shows the rarely needed sections of the profile in a collapsed disclosure. An address such as
 * `/profile#passkeys` opens the disclosure and scrolls to that section.
 */
export function SecurityCard({ user }: { user: User }): ReactNode {
  const isPlaceholder = usePlaceholder();
  const { oidc_label } = useGroup();
  const parts = useRef<HTMLDivElement>(null);
  const entry = useLocation({ select: ({ state }) => state.__TSR_key });
  useEffect(() => {
    if (location.hash === "") return;
    const part = parts.current?.querySelector(`:scope > [id="${CSS.escape(location.hash.slice(1))}"]`);
    const disclosure = part?.closest("details");
    if (!part || !disclosure) return;
    disclosure.open = true;
    part.scrollIntoView();
  }, [entry]);
  return (
    <Card gap={0}>
      <Disclosure
        title={
          <Stack gap={0}>
            <h2>Sicherheit und Daten</h2>
            <Hint className={styles["content"]}>Passkeys, Geräte, letzte Ereignisse, API-Tokens, alles über dich</Hint>
          </Stack>
        }
      >
        <div ref={parts} className={styles["parts"]}>
          <div id="passkeys">
            <PasskeysCard />
          </div>
          {oidc_label !== undefined && !isPlaceholder && (
            <div id="anmeldedienst">
              <OidcCard />
            </div>
          )}
          <div id="geraete">
            <DevicesCard />
          </div>
          <div id="zuletzt">
            <EventsCard />
          </div>
          <div id="tokens">
            <ApiTokensCard />
          </div>
          <div id="daten">
            <DataCard user={user} />
          </div>
        </div>
      </Disclosure>
    </Card>
  );
}
