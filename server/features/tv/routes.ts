import { drinkAtTablet, getTablet, undoAtTablet } from "#contract/tablet.ts";
import { getTvCode, getTvPicture, getTvScreen, makeTvCode } from "#contract/tv.ts";
import { readAge, readKeyedTap } from "#server/features/beers/tap-rules.ts";
import type { Context } from "#server/platform/context.ts";
import { handle } from "#server/platform/http/handle.ts";
import { sendFile } from "#server/platform/http/ranges.ts";
import { refuse } from "#server/platform/http/refusal.ts";
import { toIso } from "#server/time.ts";
import { createPairing, findTvLink, findPairingState, findTvScreen } from "./actions.ts";
import { hashScreen } from "./rules.ts";
import * as store from "./store.ts";
import { createTabletBooking, findTabletScreen, undoAtTablet as undo } from "./tablet-actions.ts";

export function addRoutes(context: Context): void {
  const { http, db, clock } = context;

  handle(http, getTvScreen, async ({ query, request }) => {
    await findTvLink(context, request.headers, "tv");
    const screen = await findTvScreen(context);
    const version = hashScreen(screen);
    return { now: toIso(clock.now()), version, screen: query.version === version ? null : screen };
  });

  const drink = createTabletBooking(context);
  handle(http, getTablet, async ({ query, request }) => {
    const screen = await findTabletScreen(context, await findTvLink(context, request.headers, "tablet"));
    const version = hashScreen(screen);
    return { version, screen: query.version === version ? null : screen };
  });
  handle(http, drinkAtTablet, async ({ params, body, request: { headers } }) => {
    const tablet = await findTvLink(context, headers, "tablet");
    await drink(tablet, params.face, { ...readKeyedTap(headers, null), ...body });
  });
  handle(http, undoAtTablet, async ({ params: { face, key }, request: { headers } }) => {
    const tablet = await findTvLink(context, headers, "tablet");
    await undo(context, tablet, face, { key, age: readAge(headers["tap-age"], key) });
  });

  handle(http, makeTvCode, () => createPairing(context));
  handle(http, getTvCode, ({ request }) => findPairingState(context, request.headers));

  handle(http, getTvPicture, async ({ params, request, reply }) => {
    const { scope } = await findTvLink(context, request.headers);
    const file = await store.findShownPicture(db, params.id, scope);
    if (!file) throw refuse("notFound");
    // Not cached: the browser's cache ignores the token header, so it would show the picture without a token.
    reply.header("content-disposition", 'inline; filename="avatar.png"');
    return sendFile(request, reply, file);
  });
}
