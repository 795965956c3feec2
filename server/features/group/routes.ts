import { getGroupConfig, getManifest } from "#contract/group.ts";
import { getHealth, getReadiness } from "#contract/health.ts";
import { handle } from "#server/platform/http/handle.ts";
import { refuse } from "#server/platform/http/refuse.ts";
import type { Platform } from "#server/platform/platform.ts";
import { writeSetting } from "#server/platform/settings/store.ts";
import { installableApp, publicConfig } from "./rules.ts";

/** What everybody may know of this installation, and the probes of whoever watches over it. */
export function addGroupRoutes({ door, db, config, secrets, clock, log, group }: Platform): void {
  handle(door, getGroupConfig, async () => publicConfig(config, await group.words(), secrets.vapid.publicKey));
  handle(door, getManifest, async ({ reply }) => {
    reply.type("application/manifest+json; charset=utf-8");
    return installableApp(await group.words());
  });
  handle(door, getHealth, async () => ({ status: "ok" as const }));
  handle(door, getReadiness, async () => {
    try {
      await writeSetting(db, "last-probe", String(clock.now()));
    } catch (error) {
      log.warn("not-ready", { code: (error as { code?: string }).code });
      throw refuse("M503", { seconds: 5 });
    }
    return { status: "ok" as const };
  });
}
