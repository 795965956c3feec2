import { useQuery } from "@tanstack/react-query";
import { Plus, Trash2 } from "lucide-react";
import { use, useState, type ChangeEventHandler, type ReactNode } from "react";

import type { InputOf } from "#contract/endpoint.ts";
import { changeGroup, getManagedGroup, groupSettings, type ManagedGroup } from "#contract/group.ts";
import { AdminLayout } from "#web/admin/admin-layout.tsx";
import { useAdminCall } from "#web/admin/api.ts";
import { replyOptions } from "#web/client/queries.ts";
import { formFor } from "#web/page/form.tsx";
import { useClient } from "#web/page/session.ts";
import { Button } from "#web/ui/button.tsx";
import { Card } from "#web/ui/card.tsx";
import { Field, FormErrors } from "#web/ui/field.tsx";
import { Columns, Stack } from "#web/ui/layout.tsx";
import { QueryState, Skeleton } from "#web/ui/query-state.tsx";
import { Hint, Notice } from "#web/ui/text.tsx";
import styles from "./admin-page.module.css";

export function GroupPage(): ReactNode {
  const group = useQuery(replyOptions(getManagedGroup));
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
    </AdminLayout>
  );
}

interface Row {
  readonly key: string;
  readonly label: string;
  readonly url: string;
}

const form = formFor(changeGroup);

function GroupForm({ group }: { group: ManagedGroup }): ReactNode {
  const call = useAdminCall();
  const { group: shown } = useClient();
  // Unsaved changes only: the other fields show what others save.
  const [typed, setTyped] = useState<Partial<ManagedGroup>>({});
  const [changedRows, setRows] = useState<readonly Row[] | null>(null);
  const rows =
    changedRows ?? group.legal_links.map((link, index) => ({ ...link, key: `${index} ${link.label} ${link.url}` }));
  const type: ChangeEventHandler<HTMLInputElement> = ({ target }) =>
    setTyped({ ...typed, [target.name]: target.value });
  const readLinks = (values: FormData): Pick<ManagedGroup, "legal_links"> => {
    const read = (name: string): string => {
      const value = values.get(name);
      return typeof value === "string" ? value : "";
    };
    return { legal_links: rows.map(({ key }) => ({ label: read(`label-${key}`), url: read(`url-${key}`) })) };
  };
  const send = async (body: InputOf<typeof changeGroup>): Promise<string> => {
    const { message } = await call(changeGroup, { body });
    shown.set({ ...shown.get(), ...groupSettings.parse(body) });
    setTyped({});
    setRows(null);
    return message;
  };
  const add = (): void => setRows([...rows, { key: String(Math.random()), label: "", url: "" }]);
  return (
    <form.Form action="Speichern" readMore={readLinks} onSend={send} label="Gruppe" className={styles["fields"]}>
      <Columns gap={4}>
        <form.Field
          name="group_name"
          value={typed.group_name ?? group.group_name}
          onChange={type}
          hint="So heißt auch die App."
          autoComplete="off"
          required
        />
        <form.Field
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
    </form.Form>
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
