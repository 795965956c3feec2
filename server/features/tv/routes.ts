import { getTvPicture, getTvScreen } from "#contract/tv.ts";
import { handle } from "#server/platform/http/handle.ts";
import { refuse } from "#server/platform/http/refuse.ts";
import type { Platform } from "#server/platform/platform.ts";
import { checkTelevision, lookAtScreen } from "./actions.ts";
import { versionOf } from "./rules.ts";
import { findShownPicture } from "./store.ts";

export function addTvRoutes(platform: Platform): void {
  const { door, db, clock } = platform;

  handle(door, getTvScreen, async ({ query, request }) => {
    await checkTelevision(platform, request.headers);
    const screen = await lookAtScreen(platform);
    const version = versionOf(screen);
    return { now: new Date(clock.now()).toISOString(), version, screen: query.version === version ? null : screen };
  });

  handle(door, getTvPicture, async ({ params, request, reply }) => {
    await checkTelevision(platform, request.headers);
    const png = await findShownPicture(db, params.id);
    if (!png) throw refuse("M404");
    // The browser keeps answers by their address alone, which would open them without the token.
    reply.headers({ "cache-control": "no-store", "content-disposition": 'inline; filename="avatar.png"' });
    return png;
  });
}
