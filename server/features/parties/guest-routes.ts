import * as contract from "#contract/party-guests.ts";
import { checkTapMember, readTapHeaders } from "#server/features/beers/tap-rules.ts";
import type { Context } from "#server/platform/context.ts";
import { handle } from "#server/platform/http/handle.ts";
import * as actions from "./guest-actions.ts";

export function addGuestRoutes(context: Context): void {
  const { http } = context;

  handle(http, contract.addGuest, ({ member, params, body }) =>
    actions.addGuest(context, member, params.id, body.name),
  );
  handle(http, contract.drinkGuestBeer, ({ member, params, request }) =>
    actions.drinkBeer(context, actions.countedBy(member, params.guest), readTapHeaders(request.headers, member)),
  );
  handle(http, contract.undoGuestBeer, ({ member, params, request }) => {
    checkTapMember(request.headers, member);
    return actions.undoBeer(context, actions.countedBy(member, params.guest), params.key);
  });
}
