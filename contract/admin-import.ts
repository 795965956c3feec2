import * as z from "zod/mini";

import { endpoint } from "./endpoint.ts";
import { field } from "./labels.ts";

const megabyte = 1024 * 1024;

/** Largest file in bytes, and the most beers in it. On the command line a file may be of any size. */
export const importLimits = { file: 20 * megabyte, beers: 500_000 } as const;

/** `csv`: a table with the columns `name` and `time`; `strichliste`: the SQLite database of strichliste 1 or 2. */
export const importFormat = z.enum(["csv", "strichliste"]);
export type ImportFormat = z.output<typeof importFormat>;

/** Why a file, or a line of it, cannot be imported. */
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

/** The member id for each name as it is written in the file; `null` skips its beers. */
const chosenNames = z.array(z.object({ name: z.string(), member: z.nullable(z.int()) }));

/** Choices for reading a file: its format, names and articles. */
export const importChoices = z.object({
  format: importFormat,
  names: z._default(chosenNames, []),
  /** Which articles of strichliste are beers; `null`: all. */
  articles: z._default(z.nullable(z.array(z.string())), null),
  /** The times of strichliste are those of the group's time zone, not of UTC. */
  has_local_times: z._default(z.boolean(), false),
});
export type ImportChoices = z.output<typeof importChoices>;

/** The result of an import or a dry run. Line numbers begin with 1; for a database they are transaction ids. */
export const importReport = z.object({
  /** Beers that are booked, or would be. */
  imported: z.int(),
  /** Beers that an earlier import has booked. */
  known: z.int(),
  /** Beers of names that go nowhere. */
  left_out: z.int(),
  /** ISO 8601; `null` without a beer. */
  first_at: z.nullable(z.string()),
  last_at: z.nullable(z.string()),
  /** Every name in the file, with its beers. */
  names: z.array(
    z.object({
      name: z.string(),
      beers: z.int(),
      lines: z.array(z.int()),
      /** The member it goes to; `null`: nowhere, or unknown. */
      member: z.nullable(z.object({ id: z.int(), uname: z.string(), name: z.string() })),
      is_unknown: z.boolean(),
    }),
  ),
  /** Articles of strichliste with the beers they would be; empty for other files. */
  articles: z.array(z.object({ name: z.string(), beers: z.int(), is_chosen: z.boolean() })),
  /** The first hundred lines that prevent the import, and the number of all. */
  problems: z.array(z.object({ line: z.nullable(z.int()), problem: importProblem })),
  problem_count: z.int(),
  /** The first hundred lines that repeat an earlier one, which are not booked, and the number of all. */
  repeated: z.array(z.object({ line: z.int(), first: z.int() })),
  repeated_count: z.int(),
});
export type ImportReport = z.output<typeof importReport>;

/** A form with the file, and with `ImportChoices` as JSON. */
const upload = {
  file: { field: "file", label: "Datei", maxBytes: importLimits.file },
  form: z.object({ choices: field("Angaben", z.string()) }),
  // With room for the choices of many names.
  maxBody: importLimits.file + 96 * 1024,
} as const;

/** The members that a name may go to, by name; also those that are disabled. */
export const getImportMembers = endpoint("GET /api/admin/imports/members", {
  who: ["admin"],
  reply: z.array(z.object({ id: z.int(), uname: z.string(), name: z.string() })),
});

/** Says what the import of a file would do, and changes nothing. */
export const checkImport = endpoint("POST /api/admin/imports/check", {
  who: ["admin"],
  ...upload,
  reply: importReport,
});

/** Books all beers of a file or none. A beer that an earlier import has booked is not booked again. */
export const importBeers = endpoint("POST /api/admin/imports", {
  who: ["admin"],
  needsRecentPassword: true,
  ...upload,
  reply: importReport,
});
