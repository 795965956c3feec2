import { useQuery } from "@tanstack/react-query";
import { Plug, Plus, Trash2 } from "lucide-react";
import { useId, useState, type ReactNode } from "react";

import { createToken, getTokens, revokeToken, type ApiToken } from "#contract/api-tokens.ts";
import { tokenScopes, type TokenScope } from "#contract/endpoint.ts";
import { replyOptions } from "#web/client/queries.ts";
import { Confirm } from "#web/page/confirm.tsx";
import { formFor } from "#web/page/form.tsx";
import { CopyBox } from "#web/page/share-link.tsx";
import { Button } from "#web/ui/button.tsx";
import { Dialog, DialogActions } from "#web/ui/dialog.tsx";
import { formatDate, timeAgo } from "#web/ui/german.ts";
import { Stack } from "#web/ui/layout.tsx";
import { DeviceItem, List } from "#web/ui/list.tsx";
import { QueryState, Skeleton } from "#web/ui/query-state.tsx";
import { Hint } from "#web/ui/text.tsx";
import { useAccountCall } from "./api.ts";

const scopeLabels: Record<TokenScope, string> = {
  read: "Lesen, was du siehst",
  tap: "Biere für dich eintragen",
};
const lifetimeOptions = [
  { value: "30", label: "30 Tage" },
  { value: "90", label: "90 Tage" },
  { value: "365", label: "Ein Jahr" },
  { value: "0", label: "Bis ich es widerrufe" },
];

export function ApiTokensCard(): ReactNode {
  const heading = useId();
  const call = useAccountCall();
  const tokens = useQuery(replyOptions(getTokens));
  const [isAdding, setAdding] = useState(false);
  const [revoked, setRevoked] = useState<ApiToken | null>(null);
  const close = (): void => setAdding(false);
  return (
    <Stack as="section" aria-labelledby={heading}>
      <Stack gap={2}>
        <h2 id={heading}>API-Tokens</h2>
        <Hint>Für eigene Programme, etwa Home Assistant oder einen Bier-Knopf. Ein neues Passwort widerruft alle.</Hint>
        <QueryState
          query={tokens}
          failedText="Die API-Tokens konnten gerade nicht geladen werden."
          skeleton={<Skeleton size="large" />}
        >
          {(all) => (
            <List>
              {all.map((token) => (
                <DeviceItem key={token.id} name={token.name} icon={Plug} detail={describeToken(token)}>
                  <Button aria-label={`${token.name} widerrufen`} onClick={() => setRevoked(token)}>
                    <Trash2 size={20} />
                  </Button>
                </DeviceItem>
              ))}
            </List>
          )}
        </QueryState>
      </Stack>
      <Button isWide onClick={() => setAdding(true)}>
        <Plus size={20} />
        API-Token anlegen
      </Button>
      <Dialog title="API-Token anlegen" isOpen={isAdding} onClose={close}>
        <NewTokenForm onClose={close} />
      </Dialog>
      <Confirm
        title="API-Token widerrufen"
        isOpen={revoked !== null}
        action="Widerrufen"
        onConfirm={async () => (await call(revokeToken, { params: { id: revoked!.id } })).message}
        onClose={() => setRevoked(null)}
      >
        <p>Das Programm mit „{revoked?.name}“ kommt dann sofort nicht mehr rein.</p>
      </Confirm>
    </Stack>
  );
}

function describeToken({ scope, expires_at, last_used_at }: ApiToken): string {
  const now = Date.now();
  const use = last_used_at === null ? "noch nie benutzt" : `benutzt ${timeAgo(Date.parse(last_used_at), now)}`;
  const may = scope === "read" ? "Lesen" : "Eintragen";
  if (expires_at === null) return `${may} · ${use}`;
  const end = formatDate(expires_at, "date");
  return Date.parse(expires_at) <= now ? `${may} · abgelaufen am ${end}` : `${may} · bis ${end} · ${use}`;
}

const creation = formFor(createToken);

function NewTokenForm({ onClose }: { onClose: () => void }): ReactNode {
  const call = useAccountCall();
  const [token, setToken] = useState<string | null>(null);
  if (token !== null) {
    return (
      <Stack>
        <CopyBox text={token} what="Der Token" />
        <Hint data-align="center">Er wird nur jetzt gezeigt. Wer ihn hat, handelt in deinem Namen.</Hint>
        <DialogActions>
          <Button onClick={onClose}>Fertig</Button>
        </DialogActions>
      </Stack>
    );
  }
  return (
    <creation.DialogForm
      action="Anlegen"
      readMore={(values) => ({ days: Number(values.get("days")) })}
      onSend={async (body) => setToken((await call(createToken, { body })).token)}
      onClose={onClose}
    >
      <creation.Field name="name" placeholder="Home Assistant" maxLength={64} autoComplete="off" required />
      <creation.Select
        name="scope"
        options={tokenScopes.map((scope) => ({ value: scope, label: scopeLabels[scope] }))}
      />
      <creation.Select name="days" defaultValue="90" options={lifetimeOptions} />
    </creation.DialogForm>
  );
}
