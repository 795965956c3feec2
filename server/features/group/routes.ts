import { randomBytes } from "node:crypto";

import { getGroupConfig } from "#contract/group.ts";
import { getHealth, getReadiness } from "#contract/health.ts";
import { getManifest } from "#contract/manifest.ts";
import type { Context } from "#server/platform/context.ts";
import { handle } from "#server/platform/http/handle.ts";
import { refuse } from "#server/platform/http/refusal.ts";
import { outageFields } from "#server/platform/log.ts";
import { writeSetting } from "#server/platform/settings/store.ts";
import { seconds } from "#server/time.ts";
import { createManifest, createGroupConfig } from "./rules.ts";

/** The last probe answers for this long, so that probes cost no more than one write in this time. */
const probeLifetimeMs = seconds(1);

/** More than the transaction of a beer writes. */
const largeTextBytes = 262_144;

/** Returns a text that cannot be compressed. A probe writes it after a full disk, which may still have room for a small write. */
function createLargeText(): string {
  return randomBytes(largeTextBytes).toString("base64");
}

/** Public settings, the web app manifest, and health probes. */
export function addRoutes({ http, db, config, secrets, clock, log, group }: Context): void {
  let lastProbe: { at: number; isWritable: Promise<boolean> } | undefined;
  /** The count of requests that had failed for want of space when the last successful probe began. */
  let settledDiskErrors = 0;

  async function probeDatabase(): Promise<boolean> {
    const { fullDiskErrors } = http;
    try {
      if (fullDiskErrors > settledDiskErrors) await writeSetting(db, "last-probe", createLargeText());
      await writeSetting(db, "last-probe", String(clock.now()));
      settledDiskErrors = fullDiskErrors;
      return true;
    } catch (error) {
      log.warn("not-ready", outageFields(error));
      return false;
    }
  }

  handle(http, getGroupConfig, async () => createGroupConfig(config, await group.settings(), secrets.vapid.publicKey));
  handle(http, getManifest, async ({ reply }) => {
    reply.type("application/manifest+json; charset=utf-8");
    return createManifest(await group.settings());
  });
  handle(http, getHealth, async () => ({ status: "ok" as const }));
  handle(http, getReadiness, async () => {
    const now = clock.monotonic();
    if (!lastProbe || now >= lastProbe.at + probeLifetimeMs) lastProbe = { at: now, isWritable: probeDatabase() };
    if (!(await lastProbe.isWritable)) throw refuse("M503", { seconds: 5 });
    return { status: "ok" as const };
  });
}
