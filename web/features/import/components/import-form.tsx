import type { ReactNode } from "react";

import type { ReplyOf } from "#contract/endpoint.ts";
import { importBeers, type ImportChoices, type ImportReport } from "#contract/import.ts";
import type { getImportMembers } from "#contract/import.ts";
import { ApiError } from "#web/data/api.ts";
import { Form } from "#web/forms/form.tsx";
import { textOf } from "#web/forms/use-form.ts";
import { useGroup } from "#web/session/session.ts";
import { Checkbox } from "#web/ui/checkbox.tsx";
import { Disclosure } from "#web/ui/disclosure.tsx";
import { formatBeers, formatCount, formatList } from "#web/ui/german.ts";
import { Hint } from "#web/ui/hint.tsx";
import { Stack } from "#web/ui/layout.tsx";
import { Notice } from "#web/ui/notice.tsx";
import { Select } from "#web/ui/select.tsx";
import { describeImport, describeName, describeProblem, describeRepetition } from "../rules.ts";
import styles from "./import-form.module.css";

const skip = "skip";
const chooseText = "Bitte wähle, wem diese Biere gehören.";

interface ImportFormProps {
  readonly file: File;
  readonly choices: ImportChoices;
  readonly report: ImportReport;
  readonly members: ReplyOf<typeof getImportMembers>;
  readonly isChecking: boolean;
  /**
   * Called with the changed choices; the parent then runs another dry run and passes its report.
   */
  readonly onChange: (choices: ImportChoices) => void;
  readonly onSend: (names: ImportChoices["names"]) => Promise<string>;
}

/** Shows the result of the dry run, the choices still to be made, and the import button. */
export function ImportForm(props: ImportFormProps): ReactNode {
  const { file, choices, report, members, isChecking, onChange, onSend } = props;
  const { time_zone } = useGroup();
  const unknown = report.names.filter(({ is_unknown }) => is_unknown);
  const known = report.names.filter(({ is_unknown }) => !is_unknown);
  const send = async (values: FormData): Promise<string> => {
    const chosen = unknown.map(({ name }, index) => ({
      field: `name-${index}`,
      name,
      value: textOf(values, `name-${index}`),
    }));
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
    <Form endpoint={importBeers} action="Jetzt importieren" onSend={send} label="Importieren" isDisabled={isChecking}>
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

/**
 * Shows the choices that only strichliste databases need: which articles are beer, and the time
 * zone.
 */
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
