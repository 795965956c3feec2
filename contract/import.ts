import * as z from "zod/mini";

import { endpoint } from "./endpoint.ts";
import { field } from "./labels.ts";
import { megabytes } from "./sizes.ts";

/**
 * `file`: maximum size of an uploaded file in bytes; `beers`: maximum number of beers in a file;
 * `names`: maximum number of different names, and of different articles; `bookedAtOnce`: maximum
 * number of beers that are booked before the answer.
 */
export const importLimits = { file: megabytes(20), beers: 500_000, names: 5000, bookedAtOnce: 10_000 } as const;

/**
 * `csv`: a table with the columns `name` and `time`. `strichliste`: the SQLite database of
 * strichliste 1 or 2, a tally app.
 */
export const importFormat = z.enum(["csv", "strichliste"]);
export type ImportFormat = z.output<typeof importFormat>;

/** Reasons why a line, or the whole file, cannot be imported. */
export const importProblem = z.enum([
  "encoding",
  "header",
  "quotes",
  "notDatabase",
  "notStrichliste",
  "tooMany",
  "names",
  /** Reading the file takes too much time or memory. */
  "effort",
  "name",
  "time",
  "future",
  "count",
]);
export type ImportProblem = z.output<typeof importProblem>;

/** Assigns each name in the file to a member id; `null` skips the beers of that name. */
const chosenNames = z.array(z.object({ name: z.string(), member: z.nullable(z.int()) }));

/** The administrator's choices for an import. */
export const importChoices = z.object({
  format: importFormat,
  names: z._default(chosenNames, []),
  /** Names of the strichliste articles that are beers; `null`: all articles. */
  articles: z._default(z.nullable(z.array(z.string())), null),
  /** `true` if strichliste stored times in the group's time zone instead of UTC. */
  has_local_times: z._default(z.boolean(), false),
});
export type ImportChoices = z.output<typeof importChoices>;

/**
 * The result of an import or a dry run. A line is the line number in a CSV file, starting with 1,
 * or the transaction id in a database.
 */
export const importReport = z.object({
  /**
   * Number of booked beers; in a dry run, number of beers that would be booked once no name is unknown
   * and no line has a problem.
   */
  imported: z.int(),
  /** Number of beers in the file that an earlier import has already booked. */
  known: z.int(),
  /** `true` if the beers are stored, but still being booked. */
  is_running: z._default(z.boolean(), false),
  /** Number of beers skipped because their name is assigned to no member. */
  left_out: z.int(),
  /** Times of the first and last beer in ISO 8601; `null` if the file has no beer. */
  first_at: z.nullable(z.string()),
  last_at: z.nullable(z.string()),
  /** All names in the file, with the number of their beers and their first five lines. */
  names: z.array(
    z.object({
      name: z.string(),
      beers: z.int(),
      lines: z.array(z.int()),
      /**
       * The member who gets the beers of this name; `null` if they are skipped or the name is
       * unknown.
       */
      member: z.nullable(z.object({ id: z.int(), uname: z.string(), name: z.string() })),
      is_unknown: z.boolean(),
    }),
  ),
  /** Articles in a strichliste database with their number of beers; empty for CSV files. */
  articles: z.array(z.object({ name: z.string(), beers: z.int(), is_chosen: z.boolean() })),
  /**
   * The first hundred invalid lines, which prevent the import, and the total number. `line: null`:
   * the whole file is invalid.
   */
  problems: z.array(z.object({ line: z.nullable(z.int()), problem: importProblem })),
  problem_count: z.int(),
  /**
   * The first hundred lines that repeat an earlier line and are not booked, and the total number.
   * `first`: the earlier line.
   */
  repeated: z.array(z.object({ line: z.int(), first: z.int() })),
  repeated_count: z.int(),
});
export type ImportReport = z.output<typeof importReport>;

/** An upload form: the file, and `ImportChoices` as JSON. */
const upload = {
  file: { field: "file", label: "Datei", maxBytes: importLimits.file },
  form: z.object({ choices: field("Angaben", z.string()) }),
  // Leaves 96 KiB for the choices, which list every name in the file.
  maxBody: importLimits.file + 96 * 1024,
} as const;

/** Returns all members, including disabled ones, sorted by name. */
export const getImportMembers = endpoint("GET /api/admin/imports/members", {
  who: ["admin"],
  reply: z.array(z.object({ id: z.int(), uname: z.string(), name: z.string() })),
});

/** Dry run: reports the result of an import without booking anything. */
export const checkImport = endpoint("POST /api/admin/imports/check", {
  who: ["admin"],
  ...upload,
  reply: importReport,
});

/**
 * Books all beers of a file, or none if the file has a problem. Idempotent: beers of earlier
 * imports are not booked again. An import that is interrupted while it books is completed later.
 */
export const importBeers = endpoint("POST /api/admin/imports", {
  who: ["admin"],
  needsRecentPassword: true,
  ...upload,
  reply: importReport,
});
