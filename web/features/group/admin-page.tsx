import { Plus, Trash2 } from "lucide-react";
import { use, useState, type ChangeEventHandler, type ReactNode } from "react";

import { changeGroup, getManagedGroup, groupSettings, type ManagedGroup } from "#contract/group.ts";
import { switchReleaseCheck, type ReleaseCheck } from "#contract/releases.ts";
import { AdminLayout } from "#web/admin/admin-layout.tsx";
import { adminKey, change, useReleaseCheck } from "#web/admin/api.ts";
import { useReply } from "#web/data/query-client.ts";
import { Form } from "#web/forms/form.tsx";
import { useAction } from "#web/forms/use-action.ts";
import { textOf, textsOf } from "#web/forms/use-form.ts";
import { updateGroup } from "#web/page/session.ts";
import { Button } from "#web/ui/button.tsx";
import { Card } from "#web/ui/card.tsx";
import { Field, FormErrors } from "#web/ui/field.tsx";
import { timeAgo } from "#web/ui/german.ts";
import { Hint } from "#web/ui/hint.tsx";
import { Columns, Stack } from "#web/ui/layout.tsx";
import { Notice } from "#web/ui/notice.tsx";
import { QueryState, Skeleton } from "#web/ui/query-state.tsx";
import { Switch } from "#web/ui/switch.tsx";
import { useNow } from "#web/ui/use-now.ts";
import styles from "./admin-page.module.css";

export function GroupPage(): ReactNode {
  const group = useReply(getManagedGroup, { queryKey: [...adminKey, "group"] });
  return (
    <AdminLayout area="/admin/group">
      <Card>
        <QueryState
          query={group}
          failedText="Die Angaben zur Gruppe konnten gerade nicht geladen werden."
          skeleton={<Skeleton lines={4} />}
        >
          {(settings) => <GroupForm group={settings} />}
        </QueryState>
      </Card>
      <ReleasesCard />
    </AdminLayout>
  );
}

interface Row {
  readonly key: string;
  readonly label: string;
  readonly url: string;
}

function GroupForm({ group }: { group: ManagedGroup }): ReactNode {
  // Only unsaved changes: the other fields show what other administrators save.
  const [typed, setTyped] = useState<Partial<ManagedGroup>>({});
  const [changedRows, setRows] = useState<readonly Row[] | null>(null);
  const rows =
    changedRows ?? group.legal_links.map((link, index) => ({ ...link, key: `${index} ${link.label} ${link.url}` }));
  const type: ChangeEventHandler<HTMLInputElement> = ({ target }) =>
    setTyped({ ...typed, [target.name]: target.value });
  const send = async (values: FormData): Promise<string> => {
    const legal_links = rows.map(({ key }) => ({
      label: textOf(values, `label-${key}`),
      url: textOf(values, `url-${key}`),
    }));
    const body = { ...textsOf(values, "group_name", "group_short"), legal_links };
    const message = await change(changeGroup, { body });
    updateGroup(groupSettings.parse(body));
    setTyped({});
    setRows(null);
    return message;
  };
  const add = (): void => setRows([...rows, { key: String(Math.random()), label: "", url: "" }]);
  return (
    <Form endpoint={changeGroup} action="Speichern" onSend={send} label="Gruppe" className={styles["fields"]}>
      <Columns gap={4}>
        <Field
          label="Name der Gruppe"
          name="group_name"
          value={typed.group_name ?? group.group_name}
          onChange={type}
          hint="Steht oben auf jeder Seite."
          autoComplete="off"
          required
        />
        <Field
          label="Kürzel"
          name="group_short"
          value={typed.group_short ?? group.group_short}
          onChange={type}
          hint="Steht auf dem Bierdeckel und über dem Adventskalender."
          autoComplete="off"
          required
        />
      </Columns>
      <Links rows={rows} onChange={setRows} />
      <Button onClick={add}>
        <Plus size={20} />
        Link hinzufügen
      </Button>
    </Form>
  );
}

interface LinksProps {
  readonly rows: readonly Row[];
  readonly onChange: (rows: readonly Row[]) => void;
}

function Links({ rows, onChange }: LinksProps): ReactNode {
  const problems = use(FormErrors)["legal_links"];
  return (
    <Stack gap={1}>
      <h3>Links unter jeder Seite</h3>
      <Hint>Zum Beispiel Impressum und Datenschutz. Auch wer nicht angemeldet ist, sieht sie.</Hint>
      <Stack as="ul" gap={3} className={styles["rows"]}>
        {rows.map((row, index) => (
          <li key={row.key} className={styles["row"]}>
            <Field label="Text" name={`label-${row.key}`} defaultValue={row.label} autoComplete="off" required />
            <Field
              label="Adresse"
              name={`url-${row.key}`}
              defaultValue={row.url}
              placeholder="https://…"
              inputMode="url"
              autoComplete="off"
              autoCapitalize="none"
              spellCheck={false}
              required
            />
            <Button
              aria-label={`Link ${index + 1} entfernen`}
              onClick={() => onChange(rows.filter((other) => other !== row))}
            >
              <Trash2 size={20} />
            </Button>
          </li>
        ))}
      </Stack>
      {problems !== undefined && (
        <Notice tone="error">{problems.join(" ")} Eine Adresse beginnt mit https://, mit / oder mit mailto:.</Notice>
      )}
    </Stack>
  );
}

function ReleasesCard(): ReactNode {
  const { data: check } = useReleaseCheck();
  const { run, pending } = useAction((is_checking: boolean) => change(switchReleaseCheck, { body: { is_checking } }));
  if (!check || check.host === null) return null;
  const isOn = pending?.[0] ?? check.is_checking;
  return (
    <Card>
      <h3>Neue Versionen</h3>
      <Switch
        label="Einmal am Tag nachschauen"
        hint={`Der Server fragt dann bei ${check.host} nach. Über euch verrät er dabei nichts.`}
        isOn={isOn}
        disabled={pending !== null}
        onChange={(wanted) => void run(wanted)}
      />
      {isOn && <Result check={check} isLooking={pending !== null} />}
    </Card>
  );
}

function Result({ check, isLooking }: { check: ReleaseCheck; isLooking: boolean }): ReactNode {
  const now = useNow(60_000);
  const { version, newer_version: newer, checked_at: checkedAt, has_failed: hasFailed } = check;
  if (isLooking || checkedAt === null) return <Hint>Schaut gerade nach …</Hint>;
  return (
    <>
      {newer !== null && (
        <Notice>
          Version {newer} ist da, hier läuft {version}. Wer den Server betreibt, kann sie einspielen.
        </Notice>
      )}
      <Hint>{describe()}</Hint>
    </>
  );

  function describe(): string {
    const last = `Zuletzt nachgeschaut: ${timeAgo(Date.parse(checkedAt!), now)}.`;
    if (hasFailed) return `${last} Das hat nicht geklappt. Nach einem Tag versucht es der Server wieder.`;
    return newer === null ? `${last} Hier läuft die neueste Version, ${version}.` : last;
  }
}
