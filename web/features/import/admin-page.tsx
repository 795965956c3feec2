import { FileUp } from "lucide-react";
import { useRef, useState, type ReactNode } from "react";

import { importLimits, type ImportChoices, type ImportReport } from "#contract/import.ts";
import { AdminLayout } from "#web/admin/admin-layout.tsx";
import { useAction } from "#web/forms/use-action.ts";
import { showFlash } from "#web/shell/flash.tsx";
import { Card } from "#web/ui/card.tsx";
import { FileButton } from "#web/ui/file-button.tsx";
import { formatBeers } from "#web/ui/german.ts";
import { Hint } from "#web/ui/hint.tsx";
import { Row } from "#web/ui/layout.tsx";
import { Notice } from "#web/ui/notice.tsx";
import { QueryState, Skeleton } from "#web/ui/query-state.tsx";
import { ImportForm } from "./components/import-form.tsx";
import { checkImportFile, importFile, useImportMembers } from "./queries.ts";
import { findImportFormat } from "./rules.ts";

const accept = ".csv,.tsv,.txt,.sqlite,.sqlite3,.db,text/csv,application/vnd.sqlite3";

/**
 * The picked file, the choices for its import, and the report of the dry run with these choices.
 */
interface Checked {
  readonly file: File;
  readonly choices: ImportChoices;
  readonly report: ImportReport;
}

/** Imports beers from a CSV file or a strichliste database. */
export function ImportPage(): ReactNode {
  const members = useImportMembers();
  const [checked, setChecked] = useState<Checked | null>(null);
  const [done, setDone] = useState<ImportReport | null>(null);
  const latest = useRef(0);
  const check = useAction(async (file: File, choices: ImportChoices) => {
    latest.current += 1;
    const request = latest.current;
    const report = await checkImportFile(file, choices);
    if (request === latest.current) setChecked({ file, choices, report });
  });
  const pick = (file: File): void => {
    setDone(null);
    setChecked(null);
    if (file.size > importLimits.file) showFlash({ type: "error", text: tooLargeText });
    else
      void check.run(file, { format: findImportFormat(file.name), names: [], articles: null, has_local_times: false });
  };
  const send = async (names: ImportChoices["names"]): Promise<string> => {
    const report = await importFile(checked!.file, { ...checked!.choices, names });
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
            isBusy={check.isPending && checked === null}
            disabled={check.isPending}
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
        <Card aria-busy={check.isPending}>
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
                isChecking={check.isPending}
                onChange={(choices) => void check.run(checked.file, choices)}
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
