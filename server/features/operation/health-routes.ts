import { randomBytes } from "node:crypto";

import { getHealth, getReadiness } from "#contract/health.ts";
import { assertSchemaKnown } from "#server/db/migrate.ts";
import type { Context } from "#server/platform/context.ts";
import { handle } from "#server/platform/http/handle.ts";
import { refuse } from "#server/platform/http/refusal.ts";
import { outageFields } from "#server/platform/log.ts";
import * as settingsStore from "#server/platform/settings/store.ts";
import { seconds } from "#server/time.ts";

/** Time for which a result is reused, so that frequent probes rarely write to the database. */
const probeLifetimeMs = seconds(1);

/** Booking a beer writes less than this. */
const largeTextBytes = 262_144;

/** Returns an incompressible text: a full disk may still have room for a small write. */
function createLargeText(): string {
  return randomBytes(largeTextBytes).toString("base64");
}

export function addHealthRoutes({ http, db, clock, log, bus, stopping }: Context): void {
  let lastProbe: { at: number; isWritable: Promise<boolean> } | undefined;
  /** Disk-full errors at the last successful probe. After more of them, a probe must write the large text. */
  let settledDiskErrors = 0;

  async function probeDatabase(): Promise<boolean> {
    const { fullDiskErrors } = http;
    try {
      if (fullDiskErrors > settledDiskErrors) await settingsStore.writeSetting(db, "last-probe", createLargeText());
      await settingsStore.writeSetting(db, "last-probe", String(clock.now()));
      settledDiskErrors = fullDiskErrors;
      await assertSchemaKnown(db);
      return true;
    } catch (error) {
      log.warn("not-ready", outageFields(error));
      return false;
    }
  }

  handle(http, getHealth, async () => ({ status: "ok" as const }));
  handle(http, getReadiness, async () => {
    const now = clock.monotonic();
    if (!lastProbe || now >= lastProbe.at + probeLifetimeMs) lastProbe = { at: now, isWritable: probeDatabase() };
    const isReady = (await lastProbe.isWritable) && !bus.isDeaf() && !stopping.aborted;
    if (!isReady) throw refuse("unavailable", { seconds: 5 });
    return { status: "ok" as const };
  });
}
