import { readFileSync } from "node:fs";
import { setImmediate as nextTurn } from "node:timers/promises";

import * as z from "zod/mini";

import { beerKind, idempotencyKey } from "#contract/beercounter.ts";
import { type Db, inTransaction } from "#server/db/connect.ts";
import { findUserByUname } from "#server/features/members/store.ts";
import { createAuditEntry } from "#server/platform/audit/store.ts";
import { type Command, CommandRefusedError, formatCount, type ListEntry } from "#server/platform/command.ts";
import { toIso } from "#server/time.ts";
import { bookBeers, findTimeZone, recount, type Tap } from "./actions.ts";
import { paginateBeers } from "./store.ts";

const page = 1000;
const line = z.object({
  uname: z.string(),
  at: z.iso.datetime({ offset: true }),
  key: z.optional(z.nullable(idempotencyKey)),
  kind: z.optional(beerKind),
});

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
    async run({ db, database, config, clock }) {
      const { total } = await inTransaction(db, async (tx) => {
        await createAuditEntry(tx, "beers-recounted", {}, { at: clock.now(), by: null });
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
    async run({ db, config, clock, args: [file] }) {
      const beers = await readBeers(file!);
      const ids = new Map<string, number>();
      for (const { uname } of beers) {
        if (ids.has(uname)) continue;
        const user = await findUserByUname(db, uname);
        if (!user) throw new CommandRefusedError(`There is no member “${uname}”. Nothing was imported.`);
        ids.set(uname, user.id);
      }
      const taps = beers.map(({ uname, at, key, kind = null }): Tap => ({
        userId: ids.get(uname)!,
        at: Date.parse(at),
        key: key ?? null,
        kind,
      }));
      let imported = 0;
      // Short transactions, so that a running server can book meanwhile.
      for (const batch of distinctBatches(taps)) {
        imported += await inTransaction(db, async (tx) => {
          const bookings = await bookBeers(tx, batch, config.timeZone);
          const added = bookings.filter(({ isReplayed }) => !isReplayed).length;
          if (added > 0)
            await createAuditEntry(tx, "beers-imported", { imported: added }, { at: clock.now(), by: null });
          return added;
        });
        await nextTurn();
      }
      const skipped = taps.length - imported;
      return { json: { imported, skipped }, text: `${imported} imported, ${skipped} skipped` };
    },
  },
];

async function* listBeers(db: Db): AsyncGenerator<ListEntry[]> {
  for await (const rows of paginateBeers(db)) {
    yield rows.map(({ id, uname, at, key, kind }) => ({
      json: { id, uname, at: toIso(at), key, ...(kind && { kind }) },
      text: `${toIso(at)}\t${uname}\t${key ?? ""}`,
    }));
  }
}

async function readBeers(file: string): Promise<z.output<typeof line>[]> {
  let text: string;
  try {
    // Without the byte order mark that Windows writes.
    text = new TextDecoder().decode(readFileSync(file));
  } catch {
    throw new CommandRefusedError(`${file} cannot be read.`);
  }
  return text.split("\n").flatMap((raw, index) => {
    if (raw.trim() === "") return [];
    try {
      return [line.parse(JSON.parse(raw))];
    } catch {
      const where = `${file}, line ${index + 1}`;
      throw new CommandRefusedError(`${where} is not like ${exampleLine}. Nothing was imported.`);
    }
  });
}

/** Batches without a repeated key, so that the second of two equal lines finds the first one booked. */
function distinctBatches(taps: readonly Tap[]): Tap[][] {
  const batches: Tap[][] = [];
  let seen = new Set<string>();
  for (const tap of taps) {
    const key = `${tap.userId} ${tap.key}`;
    const last = batches.at(-1);
    if (!last || last.length >= page || (tap.key !== null && seen.has(key))) {
      batches.push([tap]);
      seen = new Set([key]);
    } else {
      last.push(tap);
      seen.add(key);
    }
  }
  return batches;
}
