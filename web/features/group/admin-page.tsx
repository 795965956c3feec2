import { Plus, Trash2 } from "lucide-react";
import { use, useState, type ChangeEventHandler, type ReactNode } from "react";

import { changeGroup, groupSettings, type ManagedGroup } from "#contract/group.ts";
import { Form } from "#web/forms/form.tsx";
import { textOf, textsOf } from "#web/forms/use-form.ts";
import { updateGroup } from "#web/session/session.ts";
import { AdminLayout } from "#web/shared/admin/admin-layout.tsx";
import { change } from "#web/shared/admin/queries.ts";
import { Button } from "#web/ui/button.tsx";
import { Card } from "#web/ui/card.tsx";
import { Field, FormErrors } from "#web/ui/field.tsx";
import { Hint } from "#web/ui/hint.tsx";
import { Columns, Stack } from "#web/ui/layout.tsx";
import { Notice } from "#web/ui/notice.tsx";
import { QueryState, Skeleton } from "#web/ui/query-state.tsx";
import styles from "./admin-page.module.css";
import { ReleasesCard } from "./components/releases-card.tsx";
import { useManagedGroup } from "./queries.ts";

export function GroupPage(): ReactNode {
  const group = useManagedGroup();
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
  // Unsaved changes of the form. Fields without changes show what other administrators save.
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

/** Shows the form rows of the footer links, e.g. imprint and privacy. */
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
