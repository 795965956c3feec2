import { access } from "node:fs/promises";

import { importFormat, type ImportProblem, type ImportReport } from "#contract/import.ts";
import type { Db } from "#server/db/connect.ts";
import * as memberStore from "#server/features/members/store.ts";
import { type Command, CommandRefusedError, CommandUsageError, formatCount } from "#server/platform/command.ts";
import { canImport, checkFile, storeFile } from "./actions.ts";
import { type NameChoices, normalizeName, type Person } from "./rules.ts";

/** User name in `--map` that leaves out the beers of a name. */
const nobody = "-";

const problemTexts: Readonly<Record<ImportProblem, string>> = {
  encoding: "is not UTF-8",
  header: "has no header with the columns name and time",
  quotes: "has a quote that does not fit",
  notDatabase: "is not an SQLite database",
  notStrichliste: "is not a database of strichliste",
  tooMany: "has more than 500000 beers up to here",
  names: "has more than 5000 different names or articles",
  effort: "takes too much time or memory to read",
  name: "has no name, or one of more than 255 letters",
  time: "has no time like 2026-12-24T18:30:00+01:00 or 24.12.2026 18:30",
  future: "has a time in the future",
  count: "has a count that is not a number from 1 to 100",
};

export const commands: readonly Command[] = [
  {
    name: "import",
    usage: "FILE --format csv|strichliste [--dry-run]",
    description: "imports beers from a CSV file (name,time,count) or a database of strichliste, all or none",
    argCount: { min: 1, max: 1 },
    options: {
      format: { type: "string" },
      "dry-run": { type: "boolean" },
      map: { type: "string", multiple: true },
      article: { type: "string", multiple: true },
      "local-times": { type: "boolean" },
    },
    async run({ say, db, config, clock, args: [path], options }) {
      const format = importFormat.safeParse(options["format"]);
      if (!format.success) throw new CommandUsageError("import needs --format csv or --format strichliste.");
      await access(path!).catch(() => {
        throw new CommandRefusedError(`${path} cannot be read.`);
      });
      const file = {
        format: format.data,
        has_local_times: options["local-times"] === true,
        path: path!,
      };
      const names = await parseMap(db, (options["map"] ?? []) as readonly string[]);
      const articles = (options["article"] as readonly string[] | undefined) ?? null;
      const context = { db, say, config, clock };
      if (options["dry-run"] === true) {
        const report = await checkFile(context, file, { names, articles });
        return { json: toJson(report, true), text: describeReport(path!, report), isFailure: !canImport(report) };
      }
      const { book } = await storeFile(context, file, { names, articles }, { by: null });
      const report = await book();
      if (!canImport(report))
        throw new CommandRefusedError(
          `${describeRefusal(path!, report)}. Nothing was imported. --dry-run lists everything.`,
        );
      return {
        json: toJson(report, false),
        text: `${report.imported} imported, ${report.known + report.left_out} skipped`,
      };
    },
  },
];

/** Parses `--map`: `Benni=ben` assigns the name Benni to the member ben, `Gast=-` leaves out the beers of Gast. */
async function parseMap(db: Db, pairs: readonly string[]): Promise<NameChoices> {
  const choices = new Map<string, Person | null>();
  for (const pair of pairs) {
    const at = pair.lastIndexOf("=");
    const uname = pair.slice(at + 1).trim();
    if (at < 1 || uname === "") throw new CommandUsageError('--map is written like --map "Benni=ben".');
    const user = uname === nobody ? null : await memberStore.findUserByUname(db, uname);
    if (user === undefined) throw new CommandRefusedError(`There is no member “${uname}”. Nothing was imported.`);
    choices.set(normalizeName(pair.slice(0, at)), user);
  }
  return choices;
}

function toJson(all: ImportReport, isDryRun: boolean) {
  const { known, left_out, is_running: _, ...report } = all;
  return {
    dry_run: isDryRun,
    ...report,
    imported: canImport(all) ? report.imported : 0,
    skipped: known + left_out,
    names: report.names.map(({ member, ...name }) => ({ ...name, member: member?.uname ?? null })),
  };
}

function describeRefusal(path: string, { problems, problem_count, names }: ImportReport): string {
  const unknown = names.filter(({ is_unknown }) => is_unknown);
  const [first] = problems;
  const reasons = [
    ...(first ? [`${describeProblem(path, first)}${problem_count > 1 ? ` (and ${problem_count - 1} more)` : ""}`] : []),
    ...(unknown.length > 0
      ? [`no member is called ${unknown.map(({ name, lines }) => `“${name}” (line ${lines[0]})`).join(", ")}`]
      : []),
  ];
  return reasons.join("; ");
}

function describeProblem(path: string, { line, problem }: ImportReport["problems"][number]): string {
  return `${path}${line === null ? "" : `, line ${line}`} ${problemTexts[problem]}`;
}

function describeReport(path: string, report: ImportReport): string {
  const { imported, known, left_out, first_at, last_at, names, articles, problems, problem_count } = report;
  const listedNames = names.map(({ name, beers, member, is_unknown, lines }) => {
    const target =
      member?.uname ?? (is_unknown ? `UNKNOWN, lines ${lines.join(", ")}: --map "${name}=UNAME"` : "left out");
    return `  ${name} (${formatCount(beers, "beer")}): ${target}`;
  });
  return [
    canImport(report)
      ? `${formatCount(imported, "beer")} would be imported, ${known} are imported already, ${left_out} are left out`
      : `Nothing would be imported: ${describeRefusal(path, report)}`,
    ...(first_at === null ? [] : [`from ${first_at} to ${last_at}`]),
    ...(names.length > 0 ? ["Names:", ...listedNames] : []),
    ...(articles.length > 0 ? ["Articles:"] : []),
    ...articles.map(({ name, beers, is_chosen }) => `  ${name} (${beers})${is_chosen ? "" : ": left out"}`),
    ...(problem_count > 0 ? [`${formatCount(problem_count, "problem")}:`] : []),
    ...problems.map((problem) => `  ${describeProblem(path, problem)}`),
    ...(report.repeated_count > 0 ? [`${formatCount(report.repeated_count, "repeated line")}, not booked:`] : []),
    ...report.repeated.map(({ line, first }) => `  line ${line} is like line ${first}`),
  ].join("\n");
}
