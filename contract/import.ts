import * as z from "zod/mini";

import { endpoint } from "./endpoint.ts";
import { field } from "./labels.ts";

const megabyte = 1024 * 1024;

/** Maximum file size in bytes (uploads only) and number of beers. */
export const importLimits = { file: 20 * megabyte, beers: 500_000 } as const;

/** `csv`: a table with the columns `name` and `time`; `strichliste`: the SQLite database of strichliste 1 or 2. */
export const importFormat = z.enum(["csv", "strichliste"]);
export type ImportFormat = z.output<typeof importFormat>;

/** The reasons why a file, or a line of it, cannot be imported. */
export const importProblem = z.enum([
  "encoding",
  "header",
  "quotes",
  "notDatabase",
  "notStrichliste",
  "tooMany",
  "name",
  "time",
  "future",
  "count",
]);
export type ImportProblem = z.output<typeof importProblem>;

/** The member id for each name as written in the file; `null` skips its beers. */
const chosenNames = z.array(z.object({ name: z.string(), member: z.nullable(z.int()) }));

/** The choices for reading a file. */
export const importChoices = z.object({
  format: importFormat,
  names: z._default(chosenNames, []),
  /** The articles of strichliste that are beers; `null`: all. */
  articles: z._default(z.nullable(z.array(z.string())), null),
  /** `true` if strichliste stored times in the group's time zone instead of UTC. */
  has_local_times: z._default(z.boolean(), false),
});
export type ImportChoices = z.output<typeof importChoices>;

/** The result of an import or a dry run. Line numbers begin with 1; for databases they are transaction ids. */
export const importReport = z.object({
  /** Number of booked beers; in a dry run of beers to book. */
  imported: z.int(),
  /** Number of beers that an earlier import has booked. */
  known: z.int(),
  /** Number of skipped beers. */
  left_out: z.int(),
  /** ISO 8601; `null` without a beer. */
  first_at: z.nullable(z.string()),
  last_at: z.nullable(z.string()),
  /** Every name in the file with its beers. */
  names: z.array(
    z.object({
      name: z.string(),
      beers: z.int(),
      lines: z.array(z.int()),
      /** The member that gets the beers; `null`: skipped or unknown. */
      member: z.nullable(z.object({ id: z.int(), uname: z.string(), name: z.string() })),
      is_unknown: z.boolean(),
    }),
  ),
  /** Articles of strichliste with their number of beers; empty for other files. */
  articles: z.array(z.object({ name: z.string(), beers: z.int(), is_chosen: z.boolean() })),
  /** The first hundred lines that prevent the import, and the total number. */
  problems: z.array(z.object({ line: z.nullable(z.int()), problem: importProblem })),
  problem_count: z.int(),
  /** The first hundred lines that repeat an earlier one and are not booked, and the total number. */
  repeated: z.array(z.object({ line: z.int(), first: z.int() })),
  repeated_count: z.int(),
});
export type ImportReport = z.output<typeof importReport>;

/** A form with the file and `ImportChoices` as JSON. */
const upload = {
  file: { field: "file", label: "Datei", maxBytes: importLimits.file },
  form: z.object({ choices: field("Angaben", z.string()) }),
  // Leaves room for the choices of many names.
  maxBody: importLimits.file + 96 * 1024,
} as const;

/** The members to choose from, by name, including disabled ones. */
export const getImportMembers = endpoint("GET /api/admin/imports/members", {
  who: ["admin"],
  reply: z.array(z.object({ id: z.int(), uname: z.string(), name: z.string() })),
});

/** Dry run: reports what an import of the file would do. */
export const checkImport = endpoint("POST /api/admin/imports/check", {
  who: ["admin"],
  ...upload,
  reply: importReport,
});

/** Books all beers of a file, or none. Idempotent for beers of earlier imports. */
export const importBeers = endpoint("POST /api/admin/imports", {
  who: ["admin"],
  needsRecentPassword: true,
  ...upload,
  reply: importReport,
});
