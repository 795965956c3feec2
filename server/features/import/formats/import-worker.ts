// A child process of ../actions.ts, because reading a stranger's file can take any time and memory.
import { createReadStream } from "node:fs";

import type { ImportChoices, ImportReport } from "#contract/import.ts";
import type { Tap } from "#server/features/beers/actions.ts";
import { answerJobs } from "#server/platform/workers/answer-jobs.ts";
import * as rules from "../rules.ts";
import { readCsv } from "./csv.ts";
import { readStrichliste } from "./strichliste.ts";

export interface ImportFile extends Pick<ImportChoices, "format" | "has_local_times"> {
  readonly path: string;
}

export interface ReadJob extends ImportFile, rules.Choices {
  readonly people: readonly rules.Person[];
  readonly timeZone: string;
  readonly now: number;
}

/** The first job is answered with the report; the others ask for the next taps. */
export type ImportJob = ReadJob | "next";
export type ImportReply = ImportReport | readonly Tap[];

const nothing: rules.Plan["chunks"] = [].values();
let chunks = nothing;

answerJobs(async (job: ImportJob): Promise<ImportReply> => {
  if (job === "next") return chunks.next().value ?? [];
  // Releases the memory of the previous file.
  chunks = nothing;
  const plan = rules.planImport(await readContent(job), job.people, job);
  chunks = plan.chunks;
  return plan.report;
});

/** Returns an unreadable file as a single problem without lines. */
async function readContent({ format, path, timeZone, has_local_times, now }: ReadJob): Promise<rules.Content> {
  const source =
    format === "csv"
      ? readCsv(createReadStream(path) as AsyncIterable<Buffer>, { timeZone, now })
      : readStrichliste(path, { timeZone: has_local_times ? timeZone : "UTC", now });
  try {
    return await rules.collectLines(source);
  } catch (error) {
    if (!(error instanceof rules.ImportFileError)) throw error;
    return rules.unreadable(error);
  }
}
