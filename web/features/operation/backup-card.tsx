import { useMutation, useQuery } from "@tanstack/react-query";
import { Download, Save } from "lucide-react";
import { useState, type ReactNode } from "react";

import { downloadBackup, getBackups, makeBackup } from "#contract/backups.ts";
import type { InputOf, ReplyOf } from "#contract/endpoint.ts";
import { useAdminCall } from "#web/admin/api.ts";
import { callForFile } from "#web/client/api.ts";
import { replyOptions } from "#web/client/queries.ts";
import { formFor } from "#web/page/form.tsx";
import { saveFile } from "#web/page/share-picture.tsx";
import { Button } from "#web/ui/button.tsx";
import { Card } from "#web/ui/card.tsx";
import { Dialog } from "#web/ui/dialog.tsx";
import { timeAgo } from "#web/ui/german.ts";
import { Row, Stack } from "#web/ui/layout.tsx";
import { QueryState, Skeleton } from "#web/ui/query-state.tsx";
import { Hint, Notice } from "#web/ui/text.tsx";
import { useNow } from "#web/ui/use-now.ts";
import { formatMegabytes, intervalTexts } from "./rules.ts";

export function BackupCard(): ReactNode {
  const backups = useQuery(replyOptions(getBackups));
  const [isDownloading, setDownloading] = useState(false);
  const call = useAdminCall();
  const make = useMutation({
    mutationFn: async () => (await call(makeBackup, {})).message,
    // The state has the reason of a failure.
    onError: () => void backups.refetch(),
  });
  return (
    <Card>
      <h3>Backup</h3>
      <QueryState
        query={backups}
        failedText="Der Stand der Backups konnte gerade nicht geladen werden."
        skeleton={<Skeleton lines={2} />}
      >
        {(state) => <BackupState state={state} />}
      </QueryState>
      <Row gap={2}>
        <Button kind="primary" isBusy={make.isPending} onClick={() => make.mutate()}>
          <Save size={20} />
          Jetzt sichern
        </Button>
        <Button onClick={() => setDownloading(true)}>
          <Download size={20} />
          Herunterladen …
        </Button>
      </Row>
      <Dialog title="Backup herunterladen" isOpen={isDownloading} onClose={() => setDownloading(false)}>
        <DownloadForm onClose={() => setDownloading(false)} />
      </Dialog>
    </Card>
  );
}

function BackupState({ state }: { state: ReplyOf<typeof getBackups> }): ReactNode {
  const { every, made_at, bytes, verified_at, failure, is_overdue } = state;
  const now = useNow(60_000);
  const ago = (at: string): string => timeAgo(Date.parse(at), now);
  return (
    <Stack gap={2}>
      {is_overdue && <Notice tone="error">Seit einer Woche gibt es kein neues Backup.</Notice>}
      <p>
        {made_at === null ? "Noch keins. " : `Das letzte: ${ago(made_at)}, ${formatMegabytes(bytes ?? 0)}. `}
        {intervalTexts[every]}
      </p>
      {verified_at !== null && <Hint>Zur Probe wiederhergestellt: {ago(verified_at)}.</Hint>}
      {failure !== null && (
        <Notice tone="error">
          Zuletzt gab es ein Problem: <span lang="en">{failure}</span>
        </Notice>
      )}
    </Stack>
  );
}

const download = formFor(downloadBackup);

function DownloadForm({ onClose }: { onClose: () => void }): ReactNode {
  const send = async (body: InputOf<typeof downloadBackup>): Promise<void> => {
    save(await callForFile(downloadBackup, { body }));
    onClose();
  };
  return (
    <download.DialogForm action="Herunterladen" onSend={send} onClose={onClose}>
      <p>Die Datei enthält alles, was die Gruppe gespeichert hat, auch E-Mail-Adressen. Heb sie gut auf.</p>
      <download.Checkbox name="with_secrets" />
      <Hint>
        Mit dem Haken stehen auch die Schlüssel des Servers und die Adressen und Tokens eurer Webhooks darin. Das
        brauchst du nur für einen Umzug.
      </Hint>
    </download.DialogForm>
  );
}

function save(file: Blob): void {
  const url = URL.createObjectURL(file);
  saveFile(url, "stammtisch.backup");
  // Browsers begin to read the file after the click.
  setTimeout(() => URL.revokeObjectURL(url), 60_000);
}
