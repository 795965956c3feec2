import { useMutation, useQuery } from "@tanstack/react-query";
import { FileUp } from "lucide-react";
import { useState, type ReactNode } from "react";

import type { ReplyOf } from "#contract/endpoint.ts";
import {
  checkImport,
  getImportMembers,
  importBeers,
  importLimits,
  type ImportChoices,
  type ImportReport,
} from "#contract/import.ts";
import { AdminLayout } from "#web/admin/admin-layout.tsx";
import { useAdminCall } from "#web/admin/api.ts";
import { ApiError, call } from "#web/client/api.ts";
import { replyOptions } from "#web/client/queries.ts";
import { formFor } from "#web/page/form.tsx";
import { showMessage } from "#web/page/messages.tsx";
import { useGroup } from "#web/page/session.ts";
import { Card } from "#web/ui/card.tsx";
import { Checkbox, FileButton, Select } from "#web/ui/field.tsx";
import { formatBeers, formatCount, formatList } from "#web/ui/german.ts";
import { Row, Stack } from "#web/ui/layout.tsx";
import { QueryState, Skeleton } from "#web/ui/query-state.tsx";
import { Disclosure, Hint, Notice } from "#web/ui/text.tsx";
import styles from "./admin-page.module.css";
import { describeImport, describeName, describeProblem, describeRepetition, findImportFormat } from "./rules.ts";

const accept = ".csv,.tsv,.txt,.sqlite,.sqlite3,.db,text/csv,application/vnd.sqlite3";

interface Checked {
  readonly file: File;
  readonly choices: ImportChoices;
  /** Report of the dry run with these choices. */
  readonly report: ImportReport;
}

export function ImportPage(): ReactNode {
  const members = useQuery(replyOptions(getImportMembers));
  const [checked, setChecked] = useState<Checked | null>(null);
  const [done, setDone] = useState<ImportReport | null>(null);
  const adminCall = useAdminCall();
  const dryRun = useMutation({
    mutationFn: ({ file, choices }: Omit<Checked, "report">) =>
      call(checkImport, { body: toImportForm(file, choices) }),
  });
  const check = (file: File, choices: ImportChoices): void =>
    // Only for the latest dry run.
    dryRun.mutate({ file, choices }, { onSuccess: (report) => setChecked({ file, choices, report }) });
  const pick = (file: File): void => {
    setDone(null);
    setChecked(null);
    if (file.size > importLimits.file) showMessage({ type: "error", text: tooLargeText });
    else check(file, { format: findImportFormat(file.name), names: [], articles: null, has_local_times: false });
  };
  const send = async (names: ImportChoices["names"]): Promise<string> => {
    const report = await adminCall(importBeers, { body: toImportForm(checked!.file, { ...checked!.choices, names }) });
    setChecked(null);
    setDone(report);
    return report.is_running ? "Die Biere werden gebucht." : `${formatBeers(report.imported)} importiert.`;
  };
  return (
    <AdminLayout area="/admin/import">
      <Card>
        <p>
          Ihr habt bisher woanders gezählt? Hier ziehen die Biere um: aus einer <strong>Tabelle</strong> oder aus{" "}
          <strong>strichliste</strong>.
        </p>
        <Hint>
          Eine Tabelle ist eine CSV-Datei mit den Spalten <code>name</code> und <code>time</code>, wer mag auch{" "}
          <code>count</code>. Zeiten wie 24.12.2026 18:30. Von strichliste die Datei der Datenbank, meist data.db oder
          database.sqlite.
        </Hint>
        <Row>
          <FileButton
            what="Datei mit Bieren"
            kind={checked === null ? "primary" : "plain"}
            accept={accept}
            isBusy={dryRun.isPending && checked === null}
            disabled={dryRun.isPending}
            onPick={([file]) => pick(file!)}
          >
            <FileUp size={20} />
            {checked === null && done === null ? "Datei wählen" : "Andere Datei wählen"}
          </FileButton>
        </Row>
        <Hint>Zuerst seht ihr nur, was passieren würde. Zweimal dieselbe Datei zählt nichts doppelt.</Hint>
      </Card>
      {done !== null && <Notice tone="success">{describeDone(done)}</Notice>}
      {checked !== null && (
        <Card aria-busy={dryRun.isPending}>
          <QueryState
            query={members}
            failedText="Die Mitglieder konnten gerade nicht geladen werden."
            skeleton={<Skeleton lines={4} />}
          >
            {(people) => (
              <ImportForm
                key={`${checked.file.name} ${checked.file.lastModified}`}
                file={checked.file}
                choices={checked.choices}
                report={checked.report}
                members={people}
                isChecking={dryRun.isPending}
                onChange={(choices) => check(checked.file, choices)}
                onSend={send}
              />
            )}
          </QueryState>
        </Card>
      )}
    </AdminLayout>
  );
}

const tooLargeText =
  "Die Datei ist größer als 20 MB. Auf dem Server geht es auch mit größeren: mit dem Befehl „stammtisch import“.";

function describeDone({ imported, known, is_running }: ImportReport): string {
  const earlier = known === 0 ? "" : ` ${formatBeers(known)} ${known === 1 ? "war" : "waren"} schon da.`;
  if (is_running)
    return `${formatBeers(imported)} werden gerade gebucht. Das geht von selbst weiter, auch wenn du diese Seite schließt.${earlier}`;
  return `${formatBeers(imported)} importiert.${earlier}`;
}

function toImportForm(file: File, choices: ImportChoices): FormData {
  const body = new FormData();
  body.set("choices", JSON.stringify(choices));
  body.set("file", file, file.name);
  return body;
}

const skip = "skip";
const chooseText = "Bitte wähle, wem diese Biere gehören.";

const { Form } = formFor(importBeers);

interface ImportFormProps {
  readonly file: File;
  readonly choices: ImportChoices;
  readonly report: ImportReport;
  readonly members: ReplyOf<typeof getImportMembers>;
  readonly isChecking: boolean;
  readonly onChange: (choices: ImportChoices) => void;
  readonly onSend: (names: ImportChoices["names"]) => Promise<string>;
}

function ImportForm(props: ImportFormProps): ReactNode {
  const { file, choices, report, members, isChecking, onChange, onSend } = props;
  const { time_zone } = useGroup();
  const unknown = report.names.filter(({ is_unknown }) => is_unknown);
  const known = report.names.filter(({ is_unknown }) => !is_unknown);
  const send = async (_: undefined, form: HTMLFormElement): Promise<string> => {
    const chosen = unknown.map(({ name }, index) => {
      const field = `name-${index}`;
      return { field, name, value: form.querySelector<HTMLSelectElement>(`[name="${field}"]`)!.value };
    });
    const missing = chosen.filter(({ value }) => value === "");
    if (missing.length > 0)
      throw new ApiError(422, chooseText, Object.fromEntries(missing.map(({ field }) => [field, [chooseText]])));
    return onSend(chosen.map(({ name, value }) => ({ name, member: value === skip ? null : Number(value) })));
  };
  const hasProblems = report.problem_count > 0;
  const content = (
    <>
      <Stack gap={1}>
        <h3 className={styles["file"]}>{file.name}</h3>
        <p>{describeImport(report, time_zone)}</p>
      </Stack>
      <Problems report={report} format={choices.format} />
      {choices.format === "strichliste" && !hasProblems && (
        <Articles choices={choices} report={report} isDisabled={isChecking} onChange={onChange} />
      )}
      {hasProblems && unknown.length > 0 && (
        <p className={styles["file"]}>
          Danach fehlt noch, wem diese Namen gehören: {formatList(unknown.map(({ name }) => name))}.
        </p>
      )}
      {!hasProblems && unknown.length > 0 && (
        <Stack gap={3} as="section" aria-label="Unbekannte Namen">
          <p>
            <strong>{formatCount(unknown.length, "Name ist", "Namen sind")} unbekannt.</strong> Wem gehören diese Biere?
            Vorher wird nichts gebucht.
          </p>
          {unknown.map((one, index) => (
            <Stack gap={1} key={one.name}>
              <Select label={one.name} name={`name-${index}`} options={toOptions(members)} />
              <Hint>{describeName(one, choices.format)}</Hint>
            </Stack>
          ))}
        </Stack>
      )}
      {!hasProblems && known.length > 0 && (
        <Disclosure title={`${formatCount(known.length, "Name", "Namen")} erkannt`}>
          <ul className={styles["list"]}>
            {known.map(({ name, beers, member }) => (
              <li key={name}>
                {name} → <strong>{member?.name}</strong> ({member?.uname}), {formatBeers(beers)}
              </li>
            ))}
          </ul>
        </Disclosure>
      )}
    </>
  );
  if (hasProblems || report.names.length === 0) return content;
  return (
    <Form action="Jetzt importieren" onSend={send} label="Importieren" isDisabled={isChecking}>
      {content}
    </Form>
  );
}

function toOptions(members: ImportFormProps["members"]) {
  return [
    { value: "", label: "Bitte wählen" },
    { value: skip, label: "Niemandem: überspringen" },
    ...members.map(({ id, name, uname }) => ({ value: String(id), label: `${name} (${uname})` })),
  ];
}

function Problems({ report, format }: { report: ImportReport; format: ImportChoices["format"] }): ReactNode {
  const { problems, problem_count, repeated, repeated_count } = report;
  return (
    <>
      {problem_count > 0 && (
        <>
          <Notice tone="error">
            {formatCount(problem_count, "Stelle passt", "Stellen passen")} nicht. Ändere die Datei und wähle sie noch
            einmal; bis dahin wird nichts gebucht.
          </Notice>
          <ul className={styles["list"]}>
            {problems.map((one, index) => (
              <li key={index}>{describeProblem(one, format)}</li>
            ))}
            {problem_count > problems.length && <li>und {problem_count - problems.length} weitere</li>}
          </ul>
        </>
      )}
      {repeated_count > 0 && (
        <Disclosure title={formatCount(repeated_count, "doppelte Zeile", "doppelte Zeilen")}>
          <Hint>Sie zählen nur einmal. Mehrere Biere zur selben Zeit stehen in der Spalte count.</Hint>
          <ul className={styles["list"]}>
            {repeated.map((one) => (
              <li key={one.line}>{describeRepetition(one, format)}</li>
            ))}
            {repeated_count > repeated.length && <li>und {repeated_count - repeated.length} weitere</li>}
          </ul>
        </Disclosure>
      )}
    </>
  );
}

interface ArticlesProps {
  readonly choices: ImportChoices;
  readonly report: ImportReport;
  readonly isDisabled: boolean;
  readonly onChange: (choices: ImportChoices) => void;
}

/** Shows choices that only strichliste databases need. */
function Articles({ choices, report, isDisabled, onChange }: ArticlesProps): ReactNode {
  const chosen = report.articles.filter(({ is_chosen }) => is_chosen).map(({ name }) => name);
  return (
    <Stack gap={2} as="section" aria-label="Artikel">
      {report.articles.length > 0 && (
        <p>
          <strong>Was davon ist Bier?</strong>
        </p>
      )}
      {report.articles.map(({ name, beers, is_chosen }) => (
        <Checkbox
          key={name}
          name={`article-${name}`}
          label={`${name} (${beers})`}
          checked={is_chosen}
          disabled={isDisabled}
          onChange={() =>
            onChange({ ...choices, articles: is_chosen ? chosen.filter((one) => one !== name) : [...chosen, name] })
          }
        />
      ))}
      <Checkbox
        name="local-times"
        label="Die Uhrzeiten in strichliste sind unsere, nicht UTC"
        checked={choices.has_local_times}
        disabled={isDisabled}
        onChange={() => onChange({ ...choices, has_local_times: !choices.has_local_times })}
      />
    </Stack>
  );
}
