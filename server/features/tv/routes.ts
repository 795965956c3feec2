import { getTvCode, getTvPicture, getTvScreen, makeTvCode } from "#contract/tv.ts";
import type { Context } from "#server/platform/context.ts";
import { handle } from "#server/platform/http/handle.ts";
import { sendFile } from "#server/platform/http/ranges.ts";
import { refuse } from "#server/platform/http/refusal.ts";
import { toIso } from "#server/time.ts";
import { checkTvToken, createPairing, findPairingState, findTvScreen } from "./actions.ts";
import { hashScreen } from "./rules.ts";
import * as store from "./store.ts";

export function addRoutes(context: Context): void {
  const { http, db, clock } = context;

  handle(http, getTvScreen, async ({ query, request }) => {
    await checkTvToken(context, request.headers);
    const screen = await findTvScreen(context);
    const version = hashScreen(screen);
    return { now: toIso(clock.now()), version, screen: query.version === version ? null : screen };
  });

  handle(http, makeTvCode, () => createPairing(context));
  handle(http, getTvCode, ({ request }) => findPairingState(context, request.headers));

  handle(http, getTvPicture, async ({ params, request, reply }) => {
    await checkTvToken(context, request.headers);
    const file = await store.findShownPicture(db, params.id);
    if (!file) throw refuse("notFound");
    // Not cached: the browser's cache ignores the token header, so it would show the picture without a token.
    reply.header("content-disposition", 'inline; filename="avatar.png"');
    return sendFile(request, reply, file);
  });
}
