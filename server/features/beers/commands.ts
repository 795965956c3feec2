import * as z from "zod/mini";

import { beerKind } from "#contract/beercounter.ts";
import { type Db } from "#server/db/connect.ts";
import * as memberStore from "#server/features/members/store.ts";
import { change } from "#server/platform/change.ts";
import { type Command, CommandRefusedError, formatCount, type ListEntry } from "#server/platform/command.ts";
import { type LineFile, openLineFile } from "#server/platform/read-lines.ts";
import { toIso } from "#server/time.ts";
import { bookBeers, type Tap } from "./actions.ts";
import { findTimeZone, recount } from "./recount-actions.ts";
import * as store from "./store.ts";

const page = 1000;
/** Also allows keys of imported beers, unlike the key that a member may use. */
const storedKey = z.string().check(z.regex(/^[A-Za-z0-9_-]{8,64}$/));
const lineSchema = z.object({
  uname: z.string(),
  at: z.iso.datetime({ offset: true }),
  key: z.optional(z.nullable(storedKey)),
  kind: z.optional(beerKind),
});
type Line = z.output<typeof lineSchema>;

const exampleLine = '{"uname":"anna","at":"2026-11-20T19:30:00Z","key":"8 to 64 letters, digits, - and _"}';

export const commands: readonly Command[] = [
  {
    name: "beers export",
    description: "prints all beers, oldest first",
    run: async ({ db }) => ({ json: [], text: "", pages: listBeers(db) }),
  },
  {
    name: "beers recount",
    description: "counts all beers again, where doctor found that the stored counts are wrong",
    async run(context) {
      const { database, config } = context;
      const total = await change(context, null, async (tx, say) => {
        await say.audit("beers-recounted", {});
        return recount(tx, database.kind, await findTimeZone(tx, config));
      });
      return { json: { beers: total }, text: formatCount(total, "beer") };
    },
  },
  {
    name: "beers import",
    usage: "FILE",
    description: "imports beers from a file with one {uname,at,key} per line; skips known keys",
    argCount: { min: 1, max: 1 },
    createsDatabase: true,
    async run(context) {
      const {
        db,
        config,
        clock,
        args: [file],
      } = context;
      const source = await openLineFile(file!).catch((error: unknown) => {
        throw error instanceof CommandRefusedError ? error : new CommandRefusedError(`${file} cannot be read.`);
      });
      try {
        const ids = await checkLines(db, file!, source);
        let count = 0;
        let imported = 0;
        for await (const batch of distinctBatches(listTaps(file!, source, ids))) {
          const began = clock.monotonic();
          count += batch.length;
          imported += await change(context, null, async (tx, say) => {
            const bookings = await bookBeers(tx, batch, config.timeZone);
            const added = bookings.filter(({ isReplayed }) => !isReplayed).length;
            if (added > 0) await say.audit("beers-imported", { imported: added });
            return added;
          });
          // Leaves half of the time to a running server, which waits for the lock of SQLite without answering.
          await clock.sleep(clock.monotonic() - began);
        }
        const skipped = count - imported;
        return { json: { imported, skipped }, text: `${imported} imported, ${skipped} skipped` };
      } finally {
        await source.close();
      }
    },
  },
];

async function* listBeers(db: Db): AsyncGenerator<ListEntry[]> {
  for await (const rows of store.paginateBeers(db)) {
    yield rows.map(({ id, uname, at, key, kind }) => ({
      json: { id, uname, at: toIso(at), key, ...(kind && { kind }) },
      text: `${toIso(at)}\t${uname}\t${key ?? ""}`,
    }));
  }
}

/** `line` is `null` if the text does not describe a beer. */
async function* listLines(source: LineFile): AsyncGenerator<{ number: number; line: Line | null }> {
  let number = 0;
  for await (const text of source.lines()) {
    number += 1;
    if (text.trim() !== "") yield { number, line: parseLine(text) };
  }
}

function parseLine(text: string): Line | null {
  try {
    return lineSchema.parse(JSON.parse(text));
  } catch {
    return null;
  }
}

/** Returns the members' ids by username; throws if a line cannot be imported. */
async function checkLines(db: Db, file: string, source: LineFile): Promise<ReadonlyMap<string, number>> {
  const unames = new Set<string>();
  for await (const { number, line } of listLines(source)) {
    if (!line)
      throw new CommandRefusedError(`${file}, line ${number} is not like ${exampleLine}. Nothing was imported.`);
    unames.add(line.uname);
  }
  const ids = new Map<string, number>();
  for (const uname of unames) {
    const user = await memberStore.findUserByUname(db, uname);
    if (!user) throw new CommandRefusedError(`There is no member “${uname}”. Nothing was imported.`);
    ids.set(uname, user.id);
  }
  return ids;
}

async function* listTaps(file: string, source: LineFile, ids: ReadonlyMap<string, number>): AsyncGenerator<Tap> {
  for await (const { number, line } of listLines(source)) {
    const userId = line && ids.get(line.uname);
    if (!userId)
      throw new CommandRefusedError(
        `${file}, line ${number} was changed during the import. Lines before it may be imported.`,
      );
    yield { userId, at: Date.parse(line.at), key: line.key ?? null, kind: line.kind ?? null };
  }
}

/** Repeats no key within a batch, so that the second of two equal lines is skipped as already booked. */
async function* distinctBatches(taps: AsyncIterable<Tap>): AsyncGenerator<Tap[]> {
  let batch: Tap[] = [];
  let seen = new Set<string>();
  for await (const tap of taps) {
    const key = `${tap.userId} ${tap.key}`;
    if (batch.length >= page || (tap.key !== null && seen.has(key))) {
      yield batch;
      batch = [];
      seen = new Set();
    }
    batch.push(tap);
    seen.add(key);
  }
  if (batch.length > 0) yield batch;
}
