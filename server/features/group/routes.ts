import { getGroupConfig, getManifest } from "#contract/group.ts";
import { getHealth, getReadiness } from "#contract/health.ts";
import { handle } from "#server/platform/http/handle.ts";
import { refuse } from "#server/platform/http/refusal.ts";
import type { Context } from "#server/platform/context.ts";
import { writeSetting } from "#server/platform/settings/store.ts";
import { createManifest, createGroupConfig } from "./rules.ts";

/** Public settings, the web app manifest, and health probes. */
export function addGroupRoutes({ http, db, config, secrets, clock, log, group }: Context): void {
  handle(http, getGroupConfig, async () => createGroupConfig(config, await group.settings(), secrets.vapid.publicKey));
  handle(http, getManifest, async ({ reply }) => {
    reply.type("application/manifest+json; charset=utf-8");
    return createManifest(await group.settings());
  });
  handle(http, getHealth, async () => ({ status: "ok" as const }));
  handle(http, getReadiness, async () => {
    try {
      await writeSetting(db, "last-probe", String(clock.now()));
    } catch (error) {
      log.warn("not-ready", { code: (error as { code?: string }).code });
      throw refuse("M503", { seconds: 5 });
    }
    return { status: "ok" as const };
  });
}
