import type { ImportFormat, ImportProblem, ImportReport } from "#contract/import.ts";
import { formatBeers, formatDate, formatList } from "#web/ui/german.ts";

export function findImportFormat(name: string): ImportFormat {
  return /\.(?:csv|tsv|txt)$/i.test(name) ? "csv" : "strichliste";
}

const problemTexts: Readonly<Record<ImportProblem, string>> = {
  encoding: "Das ist kein UTF-8. Speichere die Tabelle als „CSV UTF-8“.",
  header: "Hier fehlen die Überschriften name und time.",
  quotes: "Ein Anführungszeichen passt nicht.",
  notDatabase: "Das ist keine SQLite-Datenbank.",
  notStrichliste: "Das ist keine Datenbank von strichliste.",
  tooMany: "Mehr als 500.000 Biere gehen nicht auf einmal.",
  names: "Mehr als 5.000 verschiedene Namen oder Artikel gehen nicht auf einmal.",
  effort: "Diese Datei zu lesen dauert zu lange oder braucht zu viel Speicher.",
  name: "Der Name fehlt oder ist zu lang.",
  time: "Das ist keine Zeit wie 24.12.2026 18:30.",
  future: "Die Zeit liegt in der Zukunft.",
  count: "Die Anzahl ist keine Zahl von 1 bis 100.",
};

/** Returns "Zeile 4: Der Name fehlt." */
export function describeProblem({ line, problem }: ImportReport["problems"][number], format: ImportFormat): string {
  const text = problemTexts[problem];
  return line === null ? text : `${nameOfLines(format)} ${line}: ${text}`;
}

export function describeRepetition({ line, first }: ImportReport["repeated"][number], format: ImportFormat): string {
  return `${nameOfLines(format)} ${line} ist wie ${nameOfLines(format)} ${first}.`;
}

function nameOfLines(format: ImportFormat): string {
  return format === "csv" ? "Zeile" : "Buchung";
}

/** Returns "12 Biere, Zeile 4 und 9". */
export function describeName({ beers, lines }: ImportReport["names"][number], format: ImportFormat): string {
  return `${formatBeers(beers)}, ${nameOfLines(format)} ${formatList(lines.map(String))}`;
}

/** Returns "1.204 Biere vom 3. Mai 2019 bis zum 24. Dezember 2026." */
export function describeImport(report: ImportReport, timeZone: string): string {
  const { imported, known, left_out, first_at, last_at } = report;
  const beers = imported + known + left_out;
  if (first_at === null || last_at === null) return "Darin ist kein Bier, das sich buchen lässt.";
  const [first, last] = [first_at, last_at].map((at) => formatDate(at, "date", timeZone));
  const span = first === last ? `vom ${first}` : `vom ${first} bis zum ${last}`;
  const earlier = known === 0 ? "" : ` Davon schon importiert: ${known === beers ? "alle" : formatBeers(known)}.`;
  return `${formatBeers(beers)} ${span}.${earlier}`;
}
