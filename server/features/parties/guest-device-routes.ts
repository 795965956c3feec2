import * as contract from "#contract/guest-device.ts";
import { readTapHeaders } from "#server/features/beers/tap-rules.ts";
import type { Context } from "#server/platform/context.ts";
import { handle } from "#server/platform/http/handle.ts";
import { drinkBeer, undoBeer } from "./guest-actions.ts";
import * as actions from "./guest-device-actions.ts";

export function addGuestDeviceRoutes(context: Context): void {
  const { http } = context;

  handle(http, contract.getGuestLink, ({ member, params }) => actions.findGuestLink(context, member, params.id));
  handle(http, contract.switchGuestLink, ({ member, params, body }) =>
    actions.switchGuestLink(context, member, params.id, body.is_open),
  );
  handle(http, contract.getGuestInvitation, ({ body }) => actions.findGuestInvitation(context, body));
  handle(http, contract.joinAsGuest, ({ request, body }) => actions.join(context, request.headers, body));
  handle(http, contract.getGuestScreen, ({ request }) => actions.findGuestScreen(context, request.headers));
  handle(http, contract.drinkAsGuest, async ({ request: { headers } }) =>
    drinkBeer(context, await actions.countedByDevice(context, headers), readTapHeaders(headers, null)),
  );
  handle(http, contract.undoAsGuest, async ({ request: { headers }, params }) =>
    undoBeer(context, await actions.countedByDevice(context, headers), params.key),
  );
  handle(http, contract.leaveAsGuest, ({ request }) => actions.leave(context, request.headers));
  handle(http, contract.askForMembership, ({ request, body }) =>
    actions.askForMembership(context, request.headers, body),
  );
}
