import { LogIn, Trash2 } from "lucide-react";
import { useId, useState, type ReactNode } from "react";

import { Confirm } from "#web/forms/confirm.tsx";
import { useAction } from "#web/forms/use-action.ts";
import { loadOidc } from "#web/session/load-login.ts";
import { useGroup } from "#web/session/session.ts";
import { DeviceItem } from "#web/shared/device-item.tsx";
import { Button } from "#web/ui/button.tsx";
import { formatDate, timeAgo } from "#web/ui/german.ts";
import { Hint } from "#web/ui/hint.tsx";
import { Stack } from "#web/ui/layout.tsx";
import { List } from "#web/ui/list.tsx";
import { QueryState, Skeleton } from "#web/ui/query-state.tsx";
import { removeOidcLink, useOidcLink } from "../queries.ts";

/** Links the account with the OpenID provider, and unlinks it. */
export function OidcCard(): ReactNode {
  const heading = useId();
  const link = useOidcLink();
  const { password_login } = useGroup();
  const [isRemoving, setRemoving] = useState(false);
  const start = useAction(async () => (await loadOidc()).startLink());
  return (
    <Stack as="section" aria-labelledby={heading}>
      <Stack gap={2}>
        <h2 id={heading}>Anmeldedienst</h2>
        <Hint>Melde dich mit deinem Konto beim Anmeldedienst deiner Gruppe an.</Hint>
        <QueryState
          query={link}
          failedText="Die Verbindung konnte gerade nicht geladen werden."
          skeleton={<Skeleton size="large" />}
        >
          {({ identity }) =>
            identity === null ? (
              <Button isWide isBusy={start.isPending} onClick={() => void start.run()}>
                <LogIn size={20} />
                Account verbinden
              </Button>
            ) : (
              <List>
                <DeviceItem
                  name={`Verbunden seit ${formatDate(identity.created_at, "date")}`}
                  icon={LogIn}
                  detail={
                    identity.last_used_at === null
                      ? "Noch nie benutzt"
                      : `Benutzt ${timeAgo(Date.parse(identity.last_used_at), Date.now())}`
                  }
                >
                  {password_login !== "off" && (
                    <Button aria-label="Verbindung trennen" onClick={() => setRemoving(true)}>
                      <Trash2 size={20} />
                    </Button>
                  )}
                </DeviceItem>
              </List>
            )
          }
        </QueryState>
      </Stack>
      <Confirm
        title="Verbindung trennen"
        isOpen={isRemoving}
        action="Trennen"
        onConfirm={removeOidcLink}
        onClose={() => setRemoving(false)}
      >
        <p>Du meldest dich dann nur noch mit Passwort oder Passkey an. Dein Konto beim Anmeldedienst bleibt.</p>
      </Confirm>
    </Stack>
  );
}
